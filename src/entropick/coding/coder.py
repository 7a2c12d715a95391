"""Coder: columns -> levels. Fitted once on the training rows, applied block by block."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidInput, InvalidParameter, check_choice
from ..sources import Table
from ..threads import parallel, thread_count
from .binning import check_weights
from .encode import encode_labels, encode_numbers, encode_rows, frozen, turned
from .encode_entries import encode_entries
from .entries import CodedEntries
from .learn import Cutter, Learned, learn
from .rules import MOST_LEVELS, Bins, Labels, Levels, Rule, Transformed
from .shared import Shared
from .supervised import Supervisor
from .transformer import Transformer

if TYPE_CHECKING:
    import pandas as pd

Array = NDArray[Any]
BINS = 5
SHARED = 1 << 19  # entries from which a second thread helps
NAMES = ("auto", "mdl", "quantile", "uniform", "kmeans", "sigma")


class Coder:
    """Turn columns into levels 0, 1, ….

    Booleans, categories and integer columns with at most 32 distinct values are levels as they are. Other
    columns of numbers are cut, as ``discretizer`` says:

    - ``"auto"``, ``"quantile"``: 5 equal-frequency bins; an int: that many of them
    - ``"uniform"``: 5 equal-width bins; ``"kmeans"``: 5 clusters; ``"sigma"``: cut at μ + {−1.5, −0.5, 0.5, 1.5} σ
    - ``"mdl"``: where Fayyad & Irani's criterion finds the target to change
    - a scikit-learn transformer that gives one ordinal code a column: it gets all columns of numbers
    - None: nothing is cut; numbers must be integers, and are levels as they are

    ``missing="level"`` makes missing values one more level (the last), ``"error"`` refuses them.

    Attributes (after `fit`): ``levels`` (n_columns,) int64; ``notes``: constant columns and the like; ``names`` and
    ``kinds`` of the columns, what was ``learned`` of each, and ``total``, the weight of the rows.
    """

    levels: NDArray[np.int64]
    notes: tuple[str, ...]
    names: tuple[str, ...]
    kinds: tuple[str, ...]
    learned: Shared[Learned]
    total: float

    def __init__(self, discretizer: Any = "auto", missing: str = "level", n_jobs: int | None = None) -> None:
        self.discretizer = discretizer
        self.missing = missing
        self.n_jobs = n_jobs
        self._transformer: Transformer | None = None

    def fit(self, table: Table, target_codes: Array | None, n_classes: int, weights: Array | None = None) -> Coder:
        """Learn the levels of every column from the training rows.

        ``target_codes`` (n_rows,) in 0 … n_classes − 1 supervise ``"mdl"`` and transformers; ``weights``
        (n_rows,) are frequencies.
        """
        rule, bins = self.settings()
        threads = self._threads(table.n_rows * table.n_columns)
        weights = check_weights(weights, table.n_rows)
        if weights is not None and not weights.all():
            used = np.flatnonzero(weights)
            table, weights = table.take(used), weights[used]
            target_codes = None if target_codes is None else np.asarray(target_codes)[used]
        total = float(table.n_rows) if weights is None else float(weights.sum())
        supervisor = None
        if rule == "mdl":
            if target_codes is None:
                raise InvalidParameter("discretizer: 'mdl' needs a target, got none; use 'quantile'")
            supervisor = Supervisor(target_codes, n_classes, weights)
        self._transformer = None
        if rule == "transformer":
            self._transformer = Transformer(self.discretizer)
            learned: Sequence[Learned] = self._transformer.fit(table, target_codes, weights, total, threads)
        else:
            learned = learn(table, Cutter(rule, bins, weights, supervisor), total, threads)
        return self.adopt(table.names, table.kinds, learned, total, table.notes)

    def adopt(
        self,
        names: tuple[str, ...],
        kinds: tuple[str, ...],
        learned: Sequence[Learned],
        total: float,
        notes: Sequence[str] = (),
    ) -> Coder:
        """Take over what was learned of the columns elsewhere: from blocks, or from a file. ``total`` rows."""
        if self.missing == "error":
            _refuse_missing(names, learned)
        self.names, self.kinds = names, kinds
        self.learned, self.total = Shared.of(learned), total
        self._rules: Shared[Rule] = self.learned.map(lambda one: one.rule)
        self.levels = self._rules.array(lambda rule: rule.levels)
        self.notes = (*notes, *_notes(names, self.learned, total, self.discretizer is None))
        return self

    def entries(self, table: Table, start: int = 0, stop: int | None = None) -> CodedEntries | None:
        """The codes of columns start to stop of a sparse table, at the cost of its entries; None of any other."""
        if table.csc is None or self._transformer is not None:
            return None
        stop = table.n_columns if stop is None else stop
        self._check_range(table, start, stop)
        levels = self.levels[start:stop]
        return encode_entries(table, start, stop, self._rules, levels, self.names, self._threads(table.csc.nnz))

    def codes(self, table: Table, start: int, stop: int, rows: Array | None = None) -> Array:
        """(stop − start, n) levels of columns start to stop, C-contiguous: uint8, or uint16 from 257 levels.

        ``rows`` says which rows, in which order; all by default. The table may be another than the fitted
        one, with the same columns. Wide ranges of columns are fastest.
        """
        self._check_range(table, start, stop)
        rows, n = check_rows(rows, table.n_rows)
        out = np.empty((stop - start, n), dtype=code_dtype(self.levels[start:stop]))
        self.fill(table, start, stop, rows, out, thread_count(self.n_jobs))
        return out

    def by_row(self, table: Table, start: int, stop: int, *, known: bool = False) -> Array:
        """(n_rows, stop − start) the same codes row by row, each row's codes adjacent.

        Where values are their own levels, this is a view of the table: nothing is copied. ``known``: the table is the
        one that was fitted, so that values which are their own levels need not be looked at again.
        """
        asked = self._transformer is not None and self._transformer.asked
        if asked or self.levels[start:stop].max(initial=1) > 256:
            return turned(self.codes(table, start, stop))
        if (entries := self.entries(table, start, stop)) is not None:
            return entries.by_row(0, stop - start)
        self._check_range(table, start, stop)
        if table.matrix is not None:
            return self._rows_of(table.matrix[:, start:stop], start, stop, known)
        out: Array | None = None
        for numeric, run in groupby(range(start, stop), lambda j: table.kind(j) == "numeric"):
            own = list(run)
            first, last = own[0], own[-1] + 1
            # a run of numbers is coded as a matrix, which costs a copy and saves a call for every column
            part = self._rows_of(_stacked(table, first, last).T, first, last) if numeric else None
            part = turned(self.codes(table, first, last)) if part is None else part
            if len(own) == stop - start:
                return part
            out = np.empty((table.n_rows, stop - start), dtype=np.uint8) if out is None else out
            out[:, first - start : last - start] = part
        return np.empty((table.n_rows, 0), dtype=np.uint8) if out is None else out

    def _rows_of(self, block: Array, start: int, stop: int, known: bool = False) -> Array:
        rules, names = self._rules.part(start, stop), self.names[start:stop]
        return encode_rows(block, self._numbers(rules, names, block), names, self._threads(block.size), known)

    def _threads(self, entries: int) -> int:
        """As many as asked for, where there is work for them: to wake one takes longer than to code a small table."""
        threads = thread_count(self.n_jobs)  # always asked: a wrong n_jobs is told whatever the table
        return threads if entries >= SHARED else 1

    def fill(self, table: Table, start: int, stop: int, rows: Array, out: Array, threads: int = 1) -> None:
        """`codes` into an array that is there already, for rows that are checked."""
        rules, names = self._rules[start:stop], self.names[start:stop]
        if self._transformer is not None and any(isinstance(rule, Transformed) for rule in rules):
            self._transformer.encode(table, start, rules, names, rows, out)
            plain = [j for j, rule in enumerate(rules) if not isinstance(rule, Transformed)]
        elif table.matrix is not None:
            encode_numbers(
                table.matrix[:, start:stop],
                self._numbers(rules, names, table.matrix[:, start:stop]),
                names,
                rows,
                out,
                threads,
            )
            return
        elif (entries := self.entries(table, start, stop)) is not None:
            out[:] = entries.by_column(0, stop - start, rows)
            return
        else:
            plain = list(range(stop - start))

        def encode(j: int) -> None:
            values = table.column(start + j)
            if table.kind(start + j) == "category":
                encode_labels(values, rules[j], names[j], rows, out[j])
            else:
                one = slice(j, j + 1)
                column = values.reshape(-1, 1)
                encode_numbers(column, self._numbers(rules[one], names[one], column), names[one], rows, out[one], 1)

        parallel(encode, plain, threads)

    def describe(self) -> pd.DataFrame:
        """One row a column: its kind, its rule, how many levels, how many missing values, what was noted."""
        import pandas as pd

        told = {
            "constant": "only one value", "fine": "almost every value is unique", "thin": "few rows per level",
            "uncut": "no informative cut",
        }  # fmt: skip
        return pd.DataFrame(
            {
                "column": list(self.names),
                "kind": list(self.kinds),
                "rule": [rule.text for rule in self._rules],
                "levels": self.levels,
                "missing": self.learned.array(lambda one: one.missing),
                "note": [told.get(one.note, "") for one in self.learned],
            }
        )

    # -- checks ----------------------------------------------------------------------------------------

    def settings(self) -> tuple[str | None, int]:
        """(rule, bins) of the discretizer; every wrong parameter is found here."""
        check_choice("missing", self.missing, ("level", "error"))
        given = self.discretizer
        if given is None:
            return None, 0
        if isinstance(given, str) and given in NAMES:
            return ("quantile" if given == "auto" else given), BINS
        if isinstance(given, (int, np.integer)) and not isinstance(given, bool):
            if 2 <= given < MOST_LEVELS:
                return "quantile", int(given)
        elif hasattr(given, "fit") and hasattr(given, "transform") and not isinstance(given, type):
            return "transformer", 0
        raise InvalidParameter(
            f"discretizer: must be {', '.join(map(repr, NAMES))}, a number of bins from 2,"
            f" a scikit-learn transformer or None, got {given!r}"
        )

    @property
    def n_cuts(self) -> NDArray[np.int64]:
        """(n_columns,) at how many edges each column is cut; 0 where values are levels as they are."""
        return self._rules.array(lambda rule: len(rule.edges) if isinstance(rule, Bins) else 0)

    def _check_range(self, table: Table, start: int, stop: int) -> None:
        self.check_schema(table)
        if not 0 <= start <= stop <= len(self._rules):
            raise InvalidParameter(
                f"start, stop: must be in 0 … {len(self._rules)}, in that order, got {start}, {stop}"
            )

    def check_schema(self, table: Table) -> None:
        """The fitted columns, in their order; else an error."""
        if not hasattr(self, "_rules"):
            raise InvalidParameter("coder: is not fitted; call fit first")
        if table.names is self.names or table.names == self.names:
            return
        if table.n_columns != len(self.names):
            raise InvalidInput(f"X: must have the {len(self.names)} columns of the fitted table, got {table.n_columns}")
        j = next(j for j, pair in enumerate(zip(table.names, self.names, strict=True)) if len({*pair}) > 1)
        raise InvalidInput(
            f"X: columns must be those of the fitted table, in order, got {table.names[j]!r} in place of"
            f" {self.names[j]!r}"
        )

    def _numbers(self, rules: Sequence[Rule], names: Sequence[str], block: Array) -> Sequence[Rule]:
        """The rules for a (rows, columns) block of numbers; a category may be there only without any value."""
        if Labels not in set(map(type, self._rules.known)):
            return rules
        found = list(rules)
        for j, (rule, name) in enumerate(zip(rules, names, strict=True)):
            if isinstance(rule, Labels):
                if block.dtype.kind != "f" or not np.isnan(block[:, j]).all():
                    raise InvalidInput(f"X: column {name!r} must be categorical, as when fitted, got numbers")
                found[j] = Levels(np.zeros(1, block.dtype), rule.missing)
        return found


def _stacked(table: Table, start: int, stop: int) -> Array:
    """(stop − start, n_rows) columns of numbers, one after the other."""
    columns = [table.column(j) for j in range(start, stop)]
    out = np.empty((len(columns), table.n_rows), np.result_type(*(column.dtype for column in columns)))
    for row, column in zip(out, columns, strict=True):
        row[:] = column
    return out


def code_dtype(levels: NDArray[np.int64]) -> type[np.uint8] | type[np.uint16]:
    """The smallest dtype that holds codes of columns with so many levels."""
    return np.uint16 if levels.size and levels.max() > 256 else np.uint8


def check_rows(rows: Array | None, n_rows: int) -> tuple[Array, int]:
    """Row numbers as the kernels want them, all inside the table."""
    if rows is None:
        rows = np.arange(n_rows, dtype=np.int64)
    else:
        rows = np.asarray(rows)
        if rows.dtype == bool:
            rows = np.flatnonzero(rows)
        if rows.ndim != 1 or (rows.size and rows.dtype.kind not in "iu"):
            raise InvalidParameter(f"rows: must be row numbers, got {rows.dtype} of shape {rows.shape}")
        rows = np.ascontiguousarray(rows, dtype=np.int64)
        if rows.size and (rows.min() < 0 or rows.max() >= n_rows):
            raise InvalidParameter(f"rows: must be in 0 … {n_rows - 1}, got {rows.min()} … {rows.max()}")
    return frozen(rows), len(rows)


def _refuse_missing(names: Sequence[str], learned: Sequence[Learned]) -> None:
    counts = Shared.of(learned).array(lambda one: one.missing)
    if counts.any():
        j = int(np.argmax(counts > 0))
        raise InvalidInput(
            f"X: Input X contains NaN: column {names[j]!r} has {counts[j]} missing value(s); fill them, or"
            " pass missing='level' to treat them as a category"
        )


def _notes(names: Sequence[str], learned: Shared[Learned], total: float, kept: bool) -> list[str]:
    """One note for each thing noticed, however many columns it is about."""
    notes: list[str] = []
    if not any(one.note for one in learned.known):
        return notes
    if len(constant := _noted(learned, "constant")):
        one = len(constant) == 1
        notes.append(
            f"{'the' if one else len(constant)} constant column{'' if one else 's'}"
            f" {'is' if one else 'are'} ignored: {_some(names, constant)}"
        )
    ends = {
        "fine": "almost every value is unique" + ("" if kept else "; ignored"),
        "thin": "information probably overestimated",
    }
    for note, few in (("fine", "two"), ("thin", "five")):
        some = _noted(learned, note)
        if len(some) <= 3:
            notes += [f"{names[j]!r} has {learned[j].fine} levels for {total:g} rows: {ends[note]}" for j in some]
        else:
            listed = _some(names, some)
            notes.append(f"{len(some)} columns have fewer than {few} rows per level: {ends[note]}: {listed}")
    if len(uncut := _noted(learned, "uncut")):
        one = len(uncut) == 1
        notes.append(
            f"{len(uncut)} column{'' if one else 's'} {'has' if one else 'have'} no informative cut point (MDL):"
            f" {_some(names, uncut)}"
        )
    return notes


def _noted(learned: Shared[Learned], note: str) -> NDArray[np.intp]:
    """The columns of which that is told."""
    return np.flatnonzero(learned.array(lambda one: one.note == note, bool))


def _some(names: Sequence[str], columns: NDArray[np.intp]) -> str:
    return ", ".join(names[j] for j in columns[:5]) + (", …" if len(columns) > 5 else "")
