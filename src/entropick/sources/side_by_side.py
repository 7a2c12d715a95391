"""Tables side by side: what is known of the rows beside a matrix of features, which stays as it is held."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
from numpy.typing import DTypeLike

from .table import Array, Column, ColumnTable, Table, held_column, row_numbers


class SideBySide(Table):
    """The columns of the first table, then those of the second; both have the same rows.

    Columns of one of them only are a table of that kind: the features of a sparse matrix beside a target are sparse.
    """

    def __init__(self, left: Table, right: Table, *, named: bool = True) -> None:
        notes = dict.fromkeys((*left.notes, *right.notes))
        super().__init__((*left.names, *right.names), left.n_rows, named=named, notes=tuple(notes))
        self._left, self._right = left, right

    def _at(self, j: int) -> tuple[Table, int]:
        width = self._left.n_columns
        return (self._left, j) if j < width else (self._right, j - width)

    def kind(self, j: int) -> str:
        table, at = self._at(j)
        return table.kind(at)

    def column(self, j: int) -> Array:
        table, at = self._at(j)
        return table.column(at)

    def take(self, rows: Array) -> Table:
        rows = row_numbers(rows, self.n_rows)
        return SideBySide(self._left.take(rows), self._right.take(rows), named=self.named)

    def select(self, columns: Sequence[int]) -> Table:
        left, right, place = parted(columns, self._left.n_columns)
        if place is not None:
            return self._mixed(list(columns))
        parts = [
            table if np.array_equal(some, np.arange(table.n_columns)) else table.select(some.tolist())
            for table, some in ((self._left, left), (self._right, right))
            if len(some)
        ]
        if not parts:
            return ColumnTable([], [], self.n_rows)
        found = SideBySide(*parts, named=self.named) if len(parts) == 2 else parts[0]
        found.notes = self.notes
        return found

    def _mixed(self, columns: Sequence[int]) -> Table:
        """Columns of both in any order, one by one."""
        held = [Column(self.kind(j), partial(self.column, j)) for j in columns]
        return ColumnTable([self.names[j] for j in columns], held, self.n_rows, named=self.named, notes=self.notes)

    def dense(self, start: int, stop: int, dtype: DTypeLike = np.float64) -> Array:
        width = self._left.n_columns
        parts = []
        if start < width:
            parts.append(self._left.dense(start, min(stop, width), dtype))
        if stop > width:
            parts.append(self._right.dense(max(start - width, 0), stop - width, dtype))
        return parts[0] if len(parts) == 1 else np.concatenate(parts, axis=1)


def added_column(table: Table, name: str, values: Array) -> Table:
    """The table with one more column of numbers, the last."""
    return SideBySide(table, ColumnTable([name], [held_column("numeric", values)], table.n_rows))


def side_by_side(parts: Sequence[Table]) -> Table:
    """One table of those that have any column."""
    held = [part for part in parts if part.n_columns]
    found = held[0]
    for part in held[1:]:
        found = SideBySide(found, part)
    return found


def parted(columns: Sequence[int], width: int) -> tuple[Array, Array, Array | None]:
    """Those of ``columns`` below ``width``, the others less it, and where each then is; None where that is as asked."""
    wanted = np.asarray(columns, dtype=np.intp)
    later = wanted >= width
    place = np.argsort(np.argsort(later, kind="stable"), kind="stable")
    kept = np.array_equal(place, np.arange(len(wanted)))
    return wanted[~later], wanted[later] - width, None if kept else place
