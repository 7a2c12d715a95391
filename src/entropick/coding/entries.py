"""CodedEntries: the codes of a sparse table, at the cost of what is not zero.

A column is the code that zero has, and the codes of its entries. Nothing else is ever written down; whoever counts
takes what is known of the entries from what is known of all rows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..threads import parallel

Array = NDArray[Any]
RowByRow = Callable[[NDArray[np.int64]], tuple[NDArray[np.int64], NDArray[np.int32]]]
TOGETHER = 1 << 20  # entries whose values are looked at together: what is made of them stays small


@dataclass(frozen=True)
class CodedEntries:
    """Codes of the entries of every column, one column after another.

    at (D + 1,) int64; rows, codes (E,); base (D,) the code of everything that is no entry; levels (D,) of each column.
    row_by_row: makes `cells` where the table was given row by row; else entries are turned.
    """

    n_rows: int
    at: NDArray[np.int64]
    rows: NDArray[np.int32]
    codes: Array
    base: Array
    levels: NDArray[np.int64] | None = None
    row_by_row: RowByRow | None = None

    @property
    def n_columns(self) -> int:
        return len(self.at) - 1

    @property
    def size(self) -> int:
        return int(self.at[-1] - self.at[0])

    @property
    def counts(self) -> NDArray[np.int64]:
        """(D,) entries of each column."""
        return np.diff(self.at)

    def column(self, j: int) -> Array:
        """(n_rows,) codes of one column."""
        out = np.full(self.n_rows, self.base[j], self.codes.dtype)
        held = slice(self.at[j], self.at[j + 1])
        out[self.rows[held]] = self.codes[held]
        return out

    def select(self, columns: NDArray[np.intp]) -> CodedEntries:
        """Those of some columns, in that order."""
        counts = self.counts[columns]
        at = np.append(0, np.cumsum(counts)).astype(np.int64)
        taken = np.repeat(self.at[columns] - at[:-1], counts) + np.arange(at[-1])
        levels = None if self.levels is None else self.levels[columns]
        return CodedEntries(self.n_rows, at, self.rows[taken], self.codes[taken], self.base[columns], levels)

    def by_column(self, start: int, stop: int, rows: Array | None = None) -> Array:
        """(stop − start, n) codes, all of them written out."""
        from ..kernels.entries import fill_codes

        out = np.empty((stop - start, self.n_rows), self.codes.dtype)
        fill_codes(self.at[start : stop + 1], self.rows, self.codes, self.base[start:stop], out)
        return out if rows is None else out[:, rows]

    def by_row(self, start: int, stop: int) -> Array:
        """(n, stop − start) the same row by row."""
        from ..kernels.entries import fill_rows

        out = np.empty((self.n_rows, stop - start), self.codes.dtype)
        fill_rows(self.at[start : stop + 1], self.rows, self.codes, self.base[start:stop], out)
        return out

    @cached_property
    def cells(self) -> EntryCells:
        """The same row after row."""
        from ..kernels.entries import count_rows, turn_cells

        if self.levels is None:
            raise TypeError("levels: are not known, so entries have no cells")
        spot = np.append(0, np.cumsum(self.levels - 1)).astype(np.int64)
        if self.row_by_row is not None:
            return EntryCells(*self.row_by_row(spot), spot)
        row_at, cells = np.zeros(self.n_rows + 2, np.int64), np.empty(self.size, np.int32)
        count_rows(self.rows, row_at)
        turn_cells(self.at, self.rows, self.codes, self.base, spot, row_at, cells)
        return EntryCells(row_at[:-1], cells, spot)


@dataclass(frozen=True)
class EntryCells:
    """Entries row after row: of row i those at ``at[i] … at[i + 1]``, each by its cell.

    The cells of column j are ``spot[j] … spot[j + 1]``: its codes in ascending order, that of zero left out. An entry
    with that code has the cell ``spot[D]``, which is nobody's.
    """

    at: NDArray[np.int64]
    cells: NDArray[np.int32]
    spot: NDArray[np.int64]


def portions(at: NDArray[Any], most: int = TOGETHER, columns: int = TOGETHER >> 3) -> list[tuple[int, int]]:
    """Ranges of at most so many columns with at most so many entries together, or one column of more."""
    out, start, n = [], 0, len(at) - 1
    while start < n:
        stop = int(np.searchsorted(at, at[start] + most, side="right")) - 1
        stop = min(max(stop, start + 1), n, start + columns)
        out.append((start, stop))
        start = stop
    return out


def chunk_values(matrix: Any, start: int, stop: int) -> tuple[Array, NDArray[np.int64]]:
    """The values of some columns (rows of a matrix by rows), float64 or int64, and where each begins."""
    at = matrix.indptr[start : stop + 1].astype(np.int64)
    values = matrix.data[at[0] : at[-1]]
    dtype = np.float64 if values.dtype.kind == "f" else np.int64
    return np.ascontiguousarray(values, dtype), at - at[0]


def ordered_values(values: Array, at: NDArray[np.int64], columns: NDArray[np.intp], counts: Array, threads: int) -> Any:
    """(ascending values that are neither 0 nor NaN, where each column's begin) of some columns of a chunk.

    ``counts`` are the numbers of such values.
    """
    from ..kernels.entries import SMALL, gather_values

    into = np.append(0, np.cumsum(counts)).astype(np.int64)
    out = np.empty(int(into[-1]), values.dtype)
    gather_values(values, at, columns, into, out)
    many = np.flatnonzero(np.asarray(counts) > SMALL)
    parallel(lambda c: out[into[c] : into[c + 1]].sort(), many.tolist(), threads)
    return out, into
