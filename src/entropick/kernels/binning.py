"""Numbers -> levels, and what levels integers have.

The matrix is given as a flat view with element strides, as in `kernels.transpose`.
"""

from __future__ import annotations

import numpy as np
from numba import njit

BLOCK, NARROW = 64, 64  # rows and columns walked together, so that what is read stays in cache


@njit(nogil=True, cache=True)
def digitise(source, row_step, column_step, rows, first, last, edges_at, edges, missing, out):
    """out[j, i] = number of column j's edges below x = source[rows[i]·row_step + j·column_step].

    For first ≤ i < last and all j. Edges of column j are ``edges[edges_at[j] : edges_at[j + 1]]``, float64,
    ascending; NaN goes to level ``missing[j]``. Returns the first column with a NaN and a negative
    ``missing``, or −1.
    """
    columns = out.shape[0]
    unknown = columns
    for panel in range(0, columns, NARROW):
        for begin in range(first, last, BLOCK):
            end = min(begin + BLOCK, last)
            for c in range(panel, min(panel + NARROW, columns)):
                offset, low, high = c * column_step, edges_at[c], edges_at[c + 1]
                for i in range(begin, end):
                    x = np.float64(source[rows[i] * row_step + offset])
                    if x == x:
                        out[c, i] = _below(edges, low, high, x) - low
                        continue
                    if missing[c] < 0:
                        unknown = min(unknown, c)
                    out[c, i] = missing[c]
    return unknown if unknown < columns else -1


@njit(nogil=True, cache=True)
def bin_columns(source, column_step, first, last, edges_at, edges, missing, n_rows, out):
    """out[j, i] = number of column j's edges below x = source[j·column_step + i], for first ≤ j < last and all i.

    As `digitise` for columns that lie in one piece, all rows in order, and few edges: these are compared one after the
    other with many rows at once. NaN goes to level ``missing[j]``, 255 where there is none.
    """
    for c in range(first, last):
        column, levels = source[c * column_step : c * column_step + n_rows], out[c]
        for begin in range(0, n_rows, 2048):
            some, own = column[begin : begin + 2048], levels[begin : begin + 2048]
            for i in range(some.size):
                own[i] = 0
            for k in range(edges_at[c], edges_at[c + 1]):
                edge = edges[k]
                for i in range(some.size):
                    own[i] += np.uint8(edge < some[i])
            for i in range(some.size):
                own[i] = missing[c] if some[i] != some[i] else own[i]


@njit(nogil=True, cache=True)
def match(source, row_step, column_step, rows, first, last, values_at, values, missing, out):
    """out[j, i] = position of x among column j's ascending values; NaN and unseen -> ``missing[j]``.

    Layout as in `digitise`. Returns the first column with a value that it does not know and a negative
    ``missing``, or −1.
    """
    columns = out.shape[0]
    unknown = columns
    for panel in range(0, columns, NARROW):
        for begin in range(first, last, BLOCK):
            end = min(begin + BLOCK, last)
            for c in range(panel, min(panel + NARROW, columns)):
                offset, low, high = c * column_step, values_at[c], values_at[c + 1]
                for i in range(begin, end):
                    x = source[rows[i] * row_step + offset]
                    at = _below(values, low, high, x)
                    if at < high and values[at] == x:
                        out[c, i] = at - low
                        continue
                    if missing[c] < 0:
                        unknown = min(unknown, c)
                    out[c, i] = missing[c]
    return unknown if unknown < columns else -1


@njit(nogil=True, cache=True)
def _below(values, low, high, x):
    """The first position in low … high whose value is not below x."""
    while low < high:
        middle = (low + high) >> 1
        if values[middle] < x:
            low = middle + 1
        else:
            high = middle
    return low


@njit(nogil=True, cache=True)
def scan_rows(source, row_step, first, last, low, high, bits):
    """Widen ``low``, ``high`` (columns,) of the source's dtype and ``bits`` (columns,) uint64 by some rows.

    Bit x mod 64 of ``bits[j]`` is set for every value x of column j: the levels themselves, where all are in
    0 … 63. A row's columns are adjacent.
    """
    one, mask = np.uint64(1), np.uint64(63)
    columns = low.size
    for r in range(first, last):
        line = source[r * row_step : r * row_step + columns]
        for c in range(columns):  # two loops: each is vectorised at its own width
            x = line[c]
            low[c] = x if x < low[c] else low[c]
            high[c] = x if x > high[c] else high[c]
        for c in range(columns):
            bits[c] |= one << (np.uint64(line[c]) & mask)


@njit(nogil=True, cache=True)
def scan_column(source, step, offset, n_rows):
    """(low, high, bits) of source[offset + i·step], i < n_rows: see `scan_rows`."""
    one, mask = np.uint64(1), np.uint64(63)
    low = source[offset]
    high, bits = low, np.uint64(0)
    for i in range(n_rows):
        x = source[offset + i * step]
        low = min(low, x)
        high = max(high, x)
        bits |= one << (np.uint64(x) & mask)
    return low, high, bits


@njit(nogil=True, cache=True)
def tally(source, row_step, offset, n_rows, low, seen):
    """seen[x − low] = 1 for every x = source[offset + i·row_step], i < n_rows."""
    for i in range(n_rows):
        seen[np.int64(source[offset + i * row_step]) - low] = 1
