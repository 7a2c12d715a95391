"""ColumnSummaries: all that the rules of columns follow from, gathered block by block.

    categories            labels; beyond 65 536 of them the smallest hashes, which tell how many there are
    integers, booleans    distinct values, as far as rules may need them
    numbers that are cut  least, largest and second largest value, and a sketch of the ranks
    the target            distinct values with counts, and the same as for numbers

Summaries of blocks merge in any order. `Summarise` makes one; `refine` finds rules from that of all rows.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidInput
from ..sources import Table
from ..threads import parallel, thread_count
from .block_rows import used_rows
from .learn import AS_IT_IS, check_whole
from .rules import MOST_LEVELS
from .sketch import RankSketch

Array = NDArray[Any]
Floats = NDArray[np.float64]
HASHES = 1 << 18  # smallest hashes that are kept of a column with too many labels; up to so many are counted exactly
SORTED_TOGETHER = 64  # columns a thread takes at a time


@dataclass(frozen=True)
class LabelSet:
    """Distinct labels; where there are too many, None and the smallest of their hashes."""

    labels: frozenset[str] | None
    hashes: NDArray[np.uint64] | None = None

    def __or__(self, other: LabelSet) -> LabelSet:
        if self.labels is not None and other.labels is not None:
            both = self.labels | other.labels
            if len(both) <= MOST_LEVELS:
                return LabelSet(both)
            return LabelSet(None, _smallest(_hashed(both)))
        return LabelSet(None, _smallest(np.concatenate([self._hashes(), other._hashes()])))

    def _hashes(self) -> NDArray[np.uint64]:
        return _hashed(self.labels) if self.labels is not None else self.hashes  # type: ignore[return-value]

    def __len__(self) -> int:
        """How many labels; beyond `HASHES` from how dense the smallest hashes lie, to about 0.2 %."""
        if self.labels is not None:
            return len(self.labels)
        assert self.hashes is not None
        if len(self.hashes) < HASHES:
            return len(self.hashes)
        return round((HASHES - 1) / (float(self.hashes[-1]) / 2.0**64))


def _hashed(labels: frozenset[str]) -> NDArray[np.uint64]:
    from pandas.util import hash_array

    return hash_array(np.array(sorted(labels), dtype=object), categorize=False)


def _smallest(hashes: NDArray[np.uint64]) -> NDArray[np.uint64]:
    return np.unique(hashes)[:HASHES]


@dataclass(frozen=True)
class Distinct:
    """Ascending distinct values and how many rows have each; ``values`` is None where there are more than ``most``."""

    values: Array | None
    counts: NDArray[np.int64] | None
    most: int

    @classmethod
    def of(cls, values: Array, most: int) -> Distinct:
        found, counts = np.unique(values, return_counts=True)
        return cls(found, counts.astype(np.int64), most) if len(found) <= most else cls(None, None, most)

    def __or__(self, other: Distinct) -> Distinct:
        if self.values is None or other.values is None:
            return Distinct(None, None, self.most)
        values, where = np.unique(np.concatenate([self.values, other.values]), return_inverse=True)
        if len(values) > self.most:
            return Distinct(None, None, self.most)
        assert self.counts is not None
        assert other.counts is not None
        counts = np.zeros(len(values), np.int64)
        np.add.at(counts, where, np.concatenate([self.counts, other.counts]))
        return Distinct(values, counts, self.most)


@dataclass(frozen=True)
class Extent:
    """(n,) least, largest and second largest distinct value of each column; ±∞ where there is none."""

    low: Floats
    top: Floats
    below: Floats

    def __or__(self, other: Extent) -> Extent:
        top = np.maximum(self.top, other.top)
        seconds = [np.where(e.top < top, e.top, e.below) for e in (self, other)]
        return Extent(np.minimum(self.low, other.low), top, np.maximum(*seconds))

    def __add__(self, other: Extent) -> Extent:
        """The columns of both, side by side."""
        pairs = zip((self.low, self.top, self.below), (other.low, other.top, other.below), strict=True)
        return Extent(*(np.concatenate(pair) for pair in pairs))

    @classmethod
    def of(cls, ordered: Floats, missing: NDArray[np.int64]) -> Extent:
        """Of (n_columns, n_rows) values, ascending in every column, NaN last."""
        last = ordered.shape[1] - 1 - missing
        columns = np.arange(len(ordered))
        top = np.where(last >= 0, ordered[columns, np.maximum(last, 0)], -np.inf)
        low = np.where(last >= 0, ordered[:, 0], np.inf)
        below = np.where(last >= 1, ordered[columns, np.maximum(last - 1, 0)], -np.inf)
        for j in np.flatnonzero((below == top) & (last >= 1)):
            at = int(np.searchsorted(ordered[j, : last[j] + 1], top[j]))
            below[j] = ordered[j, at - 1] if at else -np.inf
        return cls(low, top, below)


@dataclass(frozen=True)
class ColumnSummaries:
    """What is known of all columns; see the module's text. Merge with ``|``.

    ``missing`` (n_columns,) rows; ``mass`` (n_columns,) weight of the rows with a value. ``extent`` is of the columns
    ``numbers``, in that order, and ``sketch`` of the last of them.
    """

    n_rows: int
    weight: float
    whole: bool  # whether all weights are whole numbers
    missing: NDArray[np.int64]
    mass: Floats
    numbers: tuple[int, ...]
    extent: Extent
    sketch: RankSketch
    labels: dict[int, LabelSet]
    distinct: dict[int, Distinct]
    fractions: bool  # whether a number of the target is no integer of 64 bits

    def __or__(self, other: ColumnSummaries) -> ColumnSummaries:
        return replace(
            self,
            n_rows=self.n_rows + other.n_rows,
            weight=self.weight + other.weight,
            whole=self.whole and other.whole,
            missing=self.missing + other.missing,
            mass=self.mass + other.mass,
            extent=self.extent | other.extent,
            sketch=self.sketch.merged(other.sketch),
            labels={j: one | other.labels[j] for j, one in self.labels.items()},
            distinct={j: one | other.distinct[j] for j, one in self.distinct.items()},
            fractions=self.fractions or other.fractions,
        )

    @property
    def ranked(self) -> tuple[int, ...]:
        """The columns of the sketch."""
        return self.numbers[len(self.numbers) - self.sketch.n_columns :]

    def reach(self, column: int) -> tuple[float, float, float]:
        """Least, largest and second largest value of a column of numbers."""
        at = self.numbers.index(column)
        return float(self.extent.low[at]), float(self.extent.top[at]), float(self.extent.below[at])


def merge_summaries(one: ColumnSummaries, other: ColumnSummaries) -> ColumnSummaries:
    return one | other


@dataclass(frozen=True)
class Summarise:
    """Makes the summary of a block; ``rule`` as `Coder.settings` gives it, ``target`` and ``weight`` column numbers."""

    rule: str | None
    target: int | None = None
    weight: int | None = None
    n_jobs: int | None = None

    def __call__(self, table: Table) -> ColumnSummaries:
        table, weights = used_rows(table, self.weight)
        n = table.n_rows
        missing, mass = np.zeros(table.n_columns, np.int64), np.zeros(table.n_columns)
        labels: dict[int, LabelSet] = {}
        distinct: dict[int, Distinct] = {}
        spanned: dict[int, Floats] = {}
        ranked: dict[int, Floats] = {}
        fractions = False
        for j in range(table.n_columns):
            if j == self.weight:
                continue
            column, kind = table.column(j), table.kind(j)
            if kind == "category":
                gone, found, counts = _labels(column)
                if j == self.target:
                    distinct[j] = Distinct(found, counts, MOST_LEVELS)
                else:
                    labels[j] = LabelSet(frozenset()) | LabelSet(frozenset(found))
            else:
                floats = column.astype(np.float64)
                gone = np.isnan(floats)
                held = column[~gone] if gone.any() else column
                if j == self.target:
                    fractions = _check_target(held)
                    distinct[j], ranked[j] = Distinct.of(held, MOST_LEVELS), floats
                elif self.rule is None or kind != "numeric":
                    if held.dtype.kind == "f":
                        check_whole(held, table.names[j])
                    distinct[j] = Distinct.of(_signed(held), MOST_LEVELS if self.rule is None else AS_IT_IS)
                if j != self.target and self.rule is not None and kind != "boolean":
                    (ranked if self.rule == "quantile" else spanned)[j] = floats
            missing[j] = np.count_nonzero(gone)
            mass[j] = n - missing[j] if weights is None else weights[~gone].sum()
        extent, sketch = self._ranks(list(ranked.values()), missing[list(ranked)], n)
        total = float(n) if weights is None else float(weights.sum())
        whole = weights is None or bool((weights == np.rint(weights)).all())
        return ColumnSummaries(
            n, total, whole, missing, mass, (*spanned, *ranked), _spans(list(spanned.values())) + extent, sketch,
            labels, distinct, fractions,
        )  # fmt: skip

    def _ranks(self, columns: list[Floats], missing: NDArray[np.int64], n: int) -> tuple[Extent, RankSketch]:
        sketch = RankSketch(len(columns))
        if not columns or not n:
            return _spans(columns), sketch
        block = np.stack(columns)
        parallel(
            lambda start: block[start : start + SORTED_TOGETHER].sort(axis=1),
            range(0, len(block), SORTED_TOGETHER),
            thread_count(self.n_jobs),
        )
        sketch.add(block)
        return Extent.of(block, missing), sketch


def _spans(columns: list[Floats]) -> Extent:
    """The extent without sorting, for rules that do not ask for the second largest value."""
    low = np.array([np.fmin.reduce(column, initial=np.inf) for column in columns])
    top = np.array([np.fmax.reduce(column, initial=-np.inf) for column in columns])
    return Extent(low, top, np.full(len(columns), -np.inf))


def _labels(column: Array) -> tuple[NDArray[np.bool_], Array, NDArray[np.int64]]:
    """(n,) where a category is missing, the sorted labels, and how many rows have each."""
    import pandas as pd

    codes, found = pd.factorize(column)
    order = np.argsort(found)
    counts = np.bincount(codes[codes >= 0], minlength=len(found))
    return codes < 0, found[order], counts[order].astype(np.int64)


def _signed(held: Array) -> Array:
    """Integers as the coder reads them: unsigned ones of 64 bits by their bits; floats stay."""
    if held.dtype == np.uint64:
        return held.view(np.int64)
    return held if held.dtype.kind == "f" else held.astype(np.int64)


def _check_target(held: Array) -> bool:
    """Whether any number of the target is no integer of 64 bits, as `find_task` asks; an infinite one is an error."""
    if np.isinf(held).any():
        raise InvalidInput("y: Input y contains infinity or a value too large; replace it or drop those rows")
    if held.dtype.kind != "f":
        return False
    floats = held.astype(np.float64, copy=False)  # 2⁶³ is more than 16 bits hold
    return bool(((floats != np.rint(floats)) | (np.abs(floats) >= 2.0**63)).any())
