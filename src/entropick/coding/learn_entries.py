"""Rules of the columns of a sparse table, from the entries alone; the same that `learn` finds in the dense table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..sources import Table
from ..threads import parallel
from .entries import chunk_values, ordered_values, portions
from .learn import AS_IT_IS, Cutter, Learned, cut_at, learn_column, nothing_seen, whole_numbers
from .shared import Shared

Array = NDArray[Any]
Integers = NDArray[np.int64]


class _Found:
    """What was found of each column, equal things once."""

    def __init__(self, n_columns: int) -> None:
        self.known: list[Learned] = []
        self.which = np.full(n_columns, -1, np.int32)
        self._places: dict[Any, int] = {}

    def put(self, columns: Any, key: Any, make: Callable[[], Learned]) -> None:
        """Columns that share a rule; ``key`` tells it from others."""
        if key not in self._places:
            self._places[key] = len(self.known)
            self.known.append(make())
        self.which[columns] = self._places[key]


def learn_entries(table: Table, cutter: Cutter, total: float, threads: int) -> Shared[Learned]:
    """One `Learned` a column of a sparse table.

    Columns cut at equal frequency are looked at all at once. Other rules, and weights, see one column after the other,
    all of its rows; columns without entries are alike.
    """
    csc, found = table.csc, _Found(table.n_columns)
    plainly = cutter.rule == "quantile" and cutter.weights is None
    for start, stop in portions(csc.indptr):
        if csc.dtype.kind != "f":
            rest = _integers(table, found, start, stop, cutter, total, threads, plainly)
        elif plainly:
            rest = _numbers(csc, found, start, stop, cutter.bins, threads)
        else:
            rest = np.arange(start, stop)
        if rest.size:
            _one_by_one(table, found, rest, cutter, total, threads)
    return Shared(found.known, found.which)


def _one_by_one(table: Table, found: _Found, columns: Array, cutter: Cutter, total: float, threads: int) -> None:
    empty = np.diff(table.csc.indptr)[columns] == 0
    if empty.any():
        found.put(columns[empty], "empty", lambda: learn_column(table, int(columns[empty][0]), cutter, total))
    rest = columns[~empty].tolist()
    made = parallel(lambda j: learn_column(table, j, cutter, total), rest, threads)
    for j, one in zip(rest, made, strict=True):
        found.put(j, j, lambda one=one: one)  # type: ignore[misc]


# -- numbers ---------------------------------------------------------------------------------------------------


def _numbers(csc: Any, found: _Found, start: int, stop: int, bins: int, threads: int) -> Array:
    """Columns of floats, cut at equal frequency."""
    from ..kernels.entries import cut_equally, tell_numbers

    values, at = chunk_values(csc, start, stop)
    n = stop - start
    negative, positive, gone = np.empty((3, n), np.int64)
    highest = np.empty(n)
    tell_numbers(values, at, negative, positive, gone, highest)
    held = csc.shape[0] - gone
    zeros = held - negative - positive
    # the ranks of all edges are among the zeros: no value need be looked at
    least, most = -(-held // bins) - 1, -(-(bins - 1) * held // bins) - 1
    in_zeros = (negative <= least) & (most < negative + zeros) & (held > 0)
    columns = np.arange(start, stop)
    _put(found, columns[in_zeros & (positive > 0)], gone, start, np.array([0.0]))
    alone = in_zeros & (positive == 0) & (negative == 0)
    _put(found, columns[alone], gone, start, np.empty(0))
    for j in np.flatnonzero(in_zeros & (positive == 0) & (negative > 0)):  # zero is the largest: the edge moves below
        _put_one(found, start + j, highest[j : j + 1].copy(), int(gone[j]))
    for j in np.flatnonzero(held == 0):
        missing = int(gone[j])
        found.put(start + j, ("nothing", missing), lambda missing=missing: nothing_seen(missing))  # type: ignore[misc]
    rest = np.flatnonzero(~in_zeros & (held > 0))
    if not rest.size:
        return rest
    ordered, into = ordered_values(values, at, rest, (negative + positive)[rest], threads)
    edges, n_edges = np.empty((rest.size, bins - 1)), np.empty(rest.size, np.int64)
    cut_equally(ordered, into, negative[rest], held[rest], bins, edges, n_edges)
    for c, j in enumerate(rest):
        _put_one(found, start + int(j), edges[c, : n_edges[c]].copy(), int(gone[j]))
    return rest[:0]


def _put(found: _Found, columns: Array, gone: Integers, start: int, edges: NDArray[np.float64]) -> None:
    """Columns cut at these edges; no edges where all values are equal."""
    if not columns.size:
        return
    missing = gone[columns - start]
    for count in np.unique(missing) if missing.any() else (0,):
        _put_one(found, columns[missing == count], edges, int(count))


def _put_one(found: _Found, columns: Any, edges: NDArray[np.float64], n_missing: int) -> None:
    found.put(columns, (edges.tobytes(), n_missing), lambda: cut_at(edges, "quantile", n_missing, not len(edges)))


# -- whole numbers ---------------------------------------------------------------------------------------------


def _integers(
    table: Table, found: _Found, start: int, stop: int, cutter: Cutter, total: float, threads: int, plainly: bool
) -> Array:
    """Columns of integers; those that are still to be cut."""
    from ..kernels.entries import count_distinct, cut_equally, tell_integers

    csc, names = table.csc, table.names
    n_rows = csc.shape[0]
    values, at = chunk_values(csc, start, stop)
    n = stop - start
    low, high = np.empty((2, n), np.int64)
    bits = np.empty(n, np.uint64)
    tell_integers(values, at, n_rows, low, high, bits)
    few = (low >= 0) & (high < 64)
    pending = [np.flatnonzero(~few)]
    keys, of = np.unique(bits[few], return_inverse=True)
    for i, key in enumerate(keys):
        distinct = np.flatnonzero((key >> np.arange(64, dtype=np.uint64)) & np.uint64(1)).astype(np.int64)
        own = np.flatnonzero(few)[of == i]
        pending.append(_as_they_are(found, own, start, distinct, cutter, total, names))
    wide = np.concatenate(pending)
    if not wide.size:
        return wide
    wide.sort()
    negative, filled = _signs(values, at, wide)
    ordered, into = ordered_values(values, at, wide, filled, threads)
    most = AS_IT_IS if cutter.rule is not None else int(filled.max(initial=0)) + 1
    first, n_distinct = np.empty((wide.size, most), np.int64), np.empty(wide.size, np.int64)
    count_distinct(ordered, into, filled < n_rows, most, first, n_distinct)
    rest = np.flatnonzero(n_distinct > most)
    for c in np.flatnonzero(n_distinct <= most):
        _as_they_are(found, wide[c : c + 1], start, first[c, : n_distinct[c]].copy(), cutter, total, names)
    if not plainly or not rest.size:
        return wide[rest] + start
    edges, n_edges = np.empty((rest.size, cutter.bins - 1)), np.empty(rest.size, np.int64)
    numbers = ordered.astype(np.float64)
    starts = np.append(0, np.cumsum(filled[rest])).astype(np.int64)
    taken = np.repeat(into[rest] - starts[:-1], filled[rest]) + np.arange(starts[-1])
    held = np.full(rest.size, n_rows, np.int64)
    cut_equally(numbers[taken], starts, negative[rest], held, cutter.bins, edges, n_edges)
    for place, column in enumerate((wide[rest] + start).tolist()):
        _put_one(found, column, edges[place, : n_edges[place]].copy(), 0)
    return wide[:0]


def _signs(values: Integers, at: Integers, columns: Array) -> tuple[Integers, Integers]:
    """Of some columns of a chunk: entries below 0, and entries that are not 0."""
    below, other = (np.append(0, np.cumsum(found)) for found in (values < 0, values != 0))
    ends = at[columns + 1], at[columns]
    return below[ends[0]] - below[ends[1]], other[ends[0]] - other[ends[1]]


def _as_they_are(
    found: _Found, columns: Array, start: int, distinct: Integers, cutter: Cutter, total: float, names: Any
) -> Array:
    """Columns with these values as levels; given back where they are too many."""
    if not columns.size:
        return columns
    made = whole_numbers(distinct, 0, cutter.rule, total, names[start + int(columns[0])])
    if made is None:
        return columns
    found.put(columns + start, (distinct.tobytes(), "as it is"), lambda: made)
    return columns[:0]
