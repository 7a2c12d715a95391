"""Rules from the training rows: which columns are levels already, and where the others are cut."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidInput
from ..sources import Table
from ..threads import parallel
from .binning import below_top, kmeans_edges, quantile_edges, sigma_edges, uniform_edges
from .encode import flat_view, native, ranges
from .rules import MOST_LEVELS, Bins, Labels, Levels, Rule, Single
from .shared import Shared
from .supervised import Supervisor

Array = NDArray[Any]
AS_IT_IS = 32  # an integer column with at most so many distinct values is levels already
THIN_ROWS = 5  # a level with fewer rows says more about chance than about the target
FINE_LEVELS = 20  # with more levels than this, and fewer than two rows a level, a category is too fine
CUT_COLUMNS = 32  # columns cut together: one copy out of the rows
SORTED = 2000  # rows below which a column is sorted: a vectorised sort of so few takes no longer than a tally
ROOM = 1 << 23  # numbers that are sorted together
TURN_ROWS = 256  # rows turned at a time, so that what is read stays in cache: four times as fast as all at once
SPAN = 1 << 16  # integers are tallied over at most so wide a range

EDGES: dict[str, Callable[..., NDArray[np.float64]]] = {
    "quantile": quantile_edges,
    "uniform": uniform_edges,
    "kmeans": kmeans_edges,
    "sigma": sigma_edges,
}
TOLD = {"quantile": "equal-frequency", "uniform": "equal-width", "kmeans": "k-means", "mdl": "MDL", "sigma": "one-σ"}


@dataclass(frozen=True)
class Learned:
    """A column's rule, how many of its values are missing and what is worth telling about it."""

    rule: Rule
    missing: int = 0
    note: str = ""  # "", "constant", "fine", "thin" or "uncut"
    fine: int = 0  # levels of a column that is too fine, or has few rows a level


@dataclass(frozen=True)
class Cutter:
    """How columns of numbers are cut: ``rule`` is a key of `EDGES`, ``"mdl"``, or None for not at all."""

    rule: str | None
    bins: int
    weights: NDArray[np.float64] | None
    supervisor: Supervisor | None

    def cut(self, values: NDArray[np.float64]) -> Learned:
        """The rule of (n,) float64 values, NaN where missing."""
        gone = np.isnan(values)
        n_missing = int(np.count_nonzero(gone))
        rows = np.flatnonzero(~gone) if n_missing else None
        if n_missing == len(values):
            return nothing_seen(n_missing)
        held = values if rows is None else values[rows]
        assert self.rule is not None
        if self.rule == "mdl":
            assert self.supervisor is not None
            edges = self.supervisor.edges(values)
        else:
            weights = self.weights if rows is None or self.weights is None else self.weights[rows]
            edges = EDGES[self.rule](held, self.bins, weights)
        return cut_at(edges, self.rule, n_missing, bool(len(edges) == 0 and held.min() == held.max()))


# -- rules from what is known of a column, whoever found it out -------------------------------------------------


def cut_at(edges: NDArray[np.float64], rule: str, n_missing: int, flat: bool) -> Learned:
    """The rule of a column of numbers cut at these edges; ``flat`` where all its values are equal."""
    if len(edges) == 0 and not n_missing:
        return Learned(Single("constant" if flat else "MDL: no cut"), 0, "constant" if flat else "uncut")
    missing = len(edges) + 1 if n_missing else -1
    return Learned(Bins(edges, missing, f"{len(edges) + 1} {TOLD[rule]} bins"), n_missing)


def nothing_seen(n_missing: int) -> Learned:
    """The rule of a column without any value."""
    return Learned(Single("all missing"), n_missing, "constant")


def whole_numbers(distinct: Array, n_missing: int, rule: str | None, total: float, name: str) -> Learned | None:
    """The rule of a column of integers from its ascending distinct values; None where it must be cut."""
    if len(distinct) + bool(n_missing) <= 1:
        # its one level by name, so that another level in a later block is an error
        return Learned(Levels(distinct, text="constant"), 0, "constant") if len(distinct) else nothing_seen(n_missing)
    if rule is not None and len(distinct) > AS_IT_IS:
        return None
    return _as_is(distinct, n_missing, total, name)


def categories(labels: Sequence[str], n_missing: int, rule: str | None, total: float, name: str) -> Learned:
    """The rule of a column of categories from its labels, in any order."""
    if len(labels) + bool(n_missing) <= 1:
        return Learned(Labels((*labels,), text="constant"), 0, "constant") if len(labels) else nothing_seen(n_missing)
    fine = too_fine(len(labels), total)
    if fine and rule is not None:
        return Learned(Single("too fine"), n_missing, "fine", len(labels))
    check_levels(len(labels) + bool(n_missing), name)
    ordered = Labels(tuple(sorted(labels)), len(labels) if n_missing else -1)
    return Learned(ordered, n_missing, "fine" if fine else "thin" if _thin(len(labels), total) else "", len(labels))


def too_fine(levels: int, total: float) -> bool:
    """Whether so many levels have fewer than two rows each."""
    return levels > FINE_LEVELS and total < 2 * levels


def _thin(levels: int, total: float) -> bool:
    """Whether so many levels have fewer than five rows each."""
    return levels > FINE_LEVELS and total < THIN_ROWS * levels


def learn(table: Table, cutter: Cutter, total: float, threads: int) -> Sequence[Learned]:
    """One `Learned` a column; ``total`` is the weight of all rows."""
    if table.csc is not None and not (table.csc.dtype.kind == "f" and cutter.rule is None):
        from .learn_entries import learn_entries

        return learn_entries(table, cutter, total, threads)
    if table.matrix is not None:
        matrix = table.matrix
        if matrix.dtype.kind in "biu":
            return _integers(matrix, cutter, total, threads)
        if table.kind(0) == "numeric" and cutter.rule is not None:
            blocks = ranges(table.n_columns, 4 * threads if threads > 1 else 1, CUT_COLUMNS)
            cut = parallel(lambda part: _cut_block(matrix[:, part[0] : part[1]], cutter), blocks, threads)
            return [learned for some in cut for learned in some]
    short = cutter.rule == "quantile" and cutter.weights is None and table.n_rows < SORTED
    portions = _portions(table) if short else [[j] for j in range(table.n_columns)]

    def some(own: list[int]) -> list[Learned]:
        if len(own) == 1:
            return [learn_column(table, own[0], cutter, total)]
        return _cut_block(np.stack([table.column(j) for j in own]).T, cutter)

    return [learned for part in parallel(some, portions, threads) for learned in part]


def _portions(table: Table) -> list[list[int]]:
    """Columns in their order: numbers that are neighbours go together, others alone."""
    portions: list[list[int]] = []
    together = False
    for j, kind in enumerate(table.kinds):
        if together and kind == "numeric" and len(portions[-1]) < CUT_COLUMNS:
            portions[-1].append(j)
        else:
            portions.append([j])
        together = kind == "numeric"
    return portions


def _cut_block(block: Array, cutter: Cutter) -> list[Learned]:
    if cutter.rule == "quantile" and cutter.weights is None:
        return _quantile_block(block, cutter.bins)
    starts = range(0, block.shape[1], CUT_COLUMNS)
    tiles = (np.ascontiguousarray(block[:, at : at + CUT_COLUMNS].T, dtype=np.float64) for at in starts)
    return [cutter.cut(column) for tile in tiles for column in tile]


def _quantile_block(block: Array, bins: int) -> list[Learned]:
    """`Cutter.cut` of some columns at equal frequency: ranks are looked for in long columns, short ones are sorted."""
    return _sorted_block(block, bins) if len(block) < SORTED else _tallied_block(block, bins)


def _tallied_block(block: Array, bins: int) -> list[Learned]:
    """By `kernels.order_statistics`; columns with repeated values where they would be cut are sorted all the same."""
    from ..kernels.order_statistics import MOST_BUCKETS, SAMPLE, column_quantiles

    n, width = block.shape
    kind = np.float32 if block.dtype == np.float32 else np.float64
    matrix = native(block) if block.dtype.kind == "f" and block.itemsize >= 4 else block.astype(kind, order="F")
    matrix = matrix if matrix.dtype == kind else matrix.astype(kind)
    flat, row_step, column_step = flat_view(matrix)
    edges, largest = np.empty((width, bins - 1)), np.empty(width)
    missing, known = np.zeros(width, np.int64), np.zeros(width, bool)
    room = np.empty((1 if row_step == 1 else min(CUT_COLUMNS, max(1, ROOM // n)), n if row_step != 1 else 0), kind)
    column_quantiles(
        flat, row_step, column_step, 0, width, n, bins, room, np.empty(n, np.uint16),
        np.empty(MOST_BUCKETS + 1, np.int64), np.empty(MOST_BUCKETS + 1, np.int64), np.empty(n + SAMPLE, kind),
        edges, missing, largest, known,
    )  # fmt: skip
    plain = known & (np.diff(edges, axis=1, append=largest[:, None]) > 0).all(axis=1)
    return [
        cut_at(edges[j].copy(), "quantile", int(missing[j]), False)
        if plain[j]
        else _cut_sorted(np.sort(block[:, j].astype(kind, copy=False)), bins)
        for j in range(width)
    ]


def _sorted_block(block: Array, bins: int) -> list[Learned]:
    """The same of short columns, sorted together.

    A vectorised sort takes half the time that a partition at several places does, and says all there is to know: edges,
    the largest value, the one below it, and how many are missing (NaN comes last). Numbers are sorted as they are:
    a float64 of them has the same order.
    """
    n, width = block.shape
    out: list[Learned] = []
    together = max(1, min(width, CUT_COLUMNS, ROOM // n))
    room = np.empty((together, n), np.float32 if block.dtype == np.float32 else np.float64)
    rows = n if block.strides[0] == block.itemsize else TURN_ROWS
    for first in range(0, width, together):
        columns = room[: min(together, width - first)]  # one piece of memory for all: fresh pages cost as much
        for start in range(0, n, rows):
            columns[:, start : start + rows] = block[start : start + rows, first : first + together].T
        columns.sort(axis=1)
        out += _cut_tile(columns, bins)
    return out


def _cut_tile(columns: Array, bins: int) -> list[Learned]:
    """Of ascending columns (k, n)."""
    n = columns.shape[1]
    at = [-(-k * n // bins) - 1 for k in range(1, bins)]
    edges = columns[:, [*at, n - 1]].astype(np.float64)
    with np.errstate(invalid="ignore"):
        plain = np.asarray((np.diff(edges, axis=1) > 0).all(axis=1))  # distinct, below the largest, and none is missing
    inner, text = np.ascontiguousarray(edges[:, :-1]), f"{bins} {TOLD['quantile']} bins"  # `cut_at`, for many
    return [
        Learned(Bins(own, -1, text)) if fine else _cut_sorted(column, bins)
        for own, fine, column in zip(inner, plain.tolist(), columns, strict=True)
    ]


def _cut_sorted(ordered: Array, bins: int) -> Learned:
    """The same for one ascending column with repeated or missing values, which are last."""
    n_missing = int(np.count_nonzero(np.isnan(ordered)))
    held = ordered[: len(ordered) - n_missing].astype(np.float64)
    n = len(held)
    if n == 0:
        return nothing_seen(n_missing)
    at = [-(-k * n // bins) - 1 for k in range(1, bins)]
    below = int(np.searchsorted(held, held[-1])) - 1  # the largest value less than the largest
    edges = below_top(held[at], float(held[-1]), lambda: float(held[below]) if below >= 0 else -np.inf)
    return cut_at(edges, "quantile", n_missing, bool(len(edges) == 0 and held[0] == held[-1]))


def learn_column(table: Table, j: int, cutter: Cutter, total: float) -> Learned:
    kind, values = table.kind(j), table.column(j)
    if kind == "category":
        return _labels(values, cutter, total, table.names[j])
    if values.dtype.kind in "biu":
        return _integers(values.reshape(-1, 1), cutter, total, 1, table.names[j])[0]
    if cutter.rule is None or kind != "numeric":
        return _whole_floats(values, kind, cutter, total, table.names[j])
    return _cut_block(values.reshape(-1, 1), cutter)[0]


def _labels(values: Array, cutter: Cutter, total: float, name: str) -> Learned:
    import pandas as pd

    codes, found = pd.factorize(values)
    return categories(found.tolist(), int(np.count_nonzero(codes < 0)), cutter.rule, total, name)


def _whole_floats(values: NDArray[np.float64], kind: str, cutter: Cutter, total: float, name: str) -> Learned:
    """Floats that must hold integers: coded already, or integers with missing values among them."""
    values = values.astype(np.float64, copy=False)
    known = values[~np.isnan(values)]
    check_whole(known, name)
    learned = whole_numbers(np.unique(known), len(values) - len(known), cutter.rule, total, name)
    return cutter.cut(values) if learned is None else learned


def check_whole(known: Array, name: str) -> None:
    """Floats without NaN that are all integers; else an error."""
    broken = np.flatnonzero(known != np.rint(known))
    if broken.size:
        value = float(known[broken[0]])
        raise InvalidInput(
            f"X: discretizer=None expects integer codes, got {value:g} in column {name!r};"
            " pass discretizer='quantile' or 'mdl' to bin the column"
        )


def _as_is(distinct: Array, n_missing: int, total: float, name: str) -> Learned:
    check_levels(len(distinct) + bool(n_missing), name)
    rule = Levels(distinct, len(distinct) if n_missing else -1)
    return Learned(rule, n_missing, "fine" if too_fine(len(distinct), total) else "", len(distinct))


def check_levels(levels: int, name: str) -> None:
    if levels > MOST_LEVELS:
        raise InvalidInput(
            f"X: a column can have at most {MOST_LEVELS} levels, got {levels} in {name!r};"
            " pass a discretizer, or exclude the column"
        )


# -- integers: one pass over all columns ---------------------------------------------------------------


def _integers(matrix: Array, cutter: Cutter, total: float, threads: int, name: str | None = None) -> Sequence[Learned]:
    """Rules of the columns of an integer matrix; ``name`` is given for a single column."""
    original, matrix = matrix, native(matrix)
    signed = original.dtype == np.int8
    if signed and (original < 0).any():
        original = original.astype(np.int16)
        matrix = original
    low, high, bits = scan(matrix, threads)
    shared: dict[int | bytes, Learned | None] = {}  # one rule for all columns with the same levels
    out: list[Learned | None] = [None] * matrix.shape[1]
    wide = (low < 0) | (high > 63)
    narrow = np.flatnonzero(~wide)
    for seen in np.unique(bits[narrow]).tolist():
        distinct = np.flatnonzero((np.uint64(seen) >> np.arange(64, dtype=np.uint64)) & np.uint64(1))
        shared[seen] = whole_numbers(distinct.astype(np.int64), 0, cutter.rule, total, "")
    if narrow.size == wide.size and None not in shared.values():  # thousands of columns of few rules
        kept = np.unique(bits)
        which = kept.searchsorted(bits).astype(np.int32)
        return Shared([shared[seen] for seen in kept.tolist()], which)  # type: ignore[misc]
    for at, seen in zip(narrow.tolist(), bits[narrow].tolist(), strict=True):
        out[at] = shared[seen]
    pending = np.flatnonzero(wide)
    for j, distinct in zip(pending, _distinct(matrix, pending, low, high, threads), strict=True):
        levels = distinct.astype(np.int64)
        if levels.tobytes() not in shared:
            shared[levels.tobytes()] = whole_numbers(levels, 0, cutter.rule, total, name or f"x{j}")
        out[j] = shared[levels.tobytes()]

    def cut(some: list[int]) -> list[Learned]:
        return _cut_block(original[:, some], cutter)

    rest = [i for i, learned in enumerate(out) if learned is None] if None in shared.values() else []
    portions = [rest[start : start + CUT_COLUMNS] for start in range(0, len(rest), CUT_COLUMNS)]
    for some, done in zip(portions, parallel(cut, portions, threads), strict=True):
        for i, one in zip(some, done, strict=True):
            out[i] = one
    return out  # type: ignore[return-value]


def scan(matrix: Array, threads: int) -> tuple[Array, Array, Array]:
    """(low, high, bits) of every column, int64, int64, uint64: see `kernels.binning.scan_rows`."""
    from ..kernels.binning import scan_column, scan_rows

    n_rows, n_columns = matrix.shape
    flat, row_step, column_step = flat_view(matrix)
    if column_step != 1 or n_columns == 1:
        found = parallel(lambda j: scan_column(flat, row_step, j * column_step, n_rows), range(n_columns), threads)
        columns = list(zip(*found, strict=True))
        return (
            np.array(columns[0], dtype=np.int64),
            np.array(columns[1], dtype=np.int64),
            np.array(columns[2], dtype=np.uint64),
        )

    def part(rows: tuple[int, int]) -> tuple[Array, Array, Array]:
        low, high, bits = matrix[rows[0]].copy(), matrix[rows[0]].copy(), np.zeros(n_columns, dtype=np.uint64)
        scan_rows(flat, row_step, rows[0], rows[1], low, high, bits)
        return low, high, bits

    lows, highs, bits = zip(*parallel(part, ranges(n_rows, threads), threads), strict=True)
    return (
        np.minimum.reduce(lows).astype(np.int64),
        np.maximum.reduce(highs).astype(np.int64),
        np.bitwise_or.reduce(bits),
    )


def _distinct(matrix: Array, columns: Array, low: Array, high: Array, threads: int) -> list[Array]:
    """Ascending distinct values of these columns: by a tally where their range allows, else by sorting."""
    from ..kernels.binning import tally

    flat, row_step, column_step = flat_view(matrix)

    def find(j: int) -> Array:
        span = int(high[j]) - int(low[j]) + 1
        if span > SPAN:
            return np.unique(matrix[:, j])
        seen = np.zeros(span, dtype=np.uint8)
        tally(flat, row_step, j * column_step, len(matrix), low[j], seen)
        out: Array = np.flatnonzero(seen) + low[j]
        return out

    return parallel(find, columns.tolist(), threads)
