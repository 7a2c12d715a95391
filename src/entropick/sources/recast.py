"""Columns read as another kind, or left out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from ..errors import InvalidInput
from .source import Schema, Source
from .table import Array, Column, ColumnTable, Table

NUMBERS = ("boolean", "integer", "numeric")  # each holds the ones before it


def joined(kinds: Sequence[str]) -> str:
    """The narrowest kind that holds values of all these kinds.

    >>> joined(["integer", "boolean"]), joined(["integer", "numeric"]), joined(["integer", "category"])
    ('integer', 'numeric', 'category')
    """
    return "category" if "category" in kinds else max(kinds, key=NUMBERS.index)


class RecastSource(Source):
    """Some columns of another source, each as the kind that is asked for."""

    def __init__(self, source: Source, columns: Sequence[int], kinds: Sequence[str]) -> None:
        columns = list(columns)
        schema = Schema(tuple(source.names[j] for j in columns), tuple(kinds))
        super().__init__(schema, source.n_rows, notes=source.notes, vacant=source.vacant & set(schema.names))
        self.why = {
            name: source.why[name] if source.kinds[j] == kind else "as asked"
            for name, kind, j in zip(schema.names, kinds, columns, strict=True)
            if name in source.why or source.kinds[j] != kind
        }
        self.aside = source.aside & set(schema.names)
        self._source = source
        self._columns = columns
        self.hold(source)

    def first_texts(self) -> dict[int, str]:
        return {}  # what is asked for stays

    def blocks(self, rows: int | None = None, columns: Sequence[int] | None = None) -> Iterator[Table]:
        wanted = list(range(self.n_columns) if columns is None else columns)
        kinds = [self.kinds[j] for j in wanted]
        start = 0
        for block in self._source.blocks(rows, [self._columns[j] for j in wanted]):
            yield conformed(block, kinds, start)
            start += block.n_rows


def conformed(table: Table, kinds: Sequence[str], first_row: int = 0) -> Table:
    """The table with columns of these kinds; ``first_row`` is the number of its first row in messages."""
    if all(table.kind(j) == kind for j, kind in enumerate(kinds)):
        return table

    def read(j: int) -> Callable[[], Array]:
        return lambda: _as_kind(table.column(j), table.kind(j), kinds[j], table.names[j], first_row)

    columns = [Column(kind, read(j)) for j, kind in enumerate(kinds)]
    return ColumnTable(table.names, columns, table.n_rows, named=table.named, notes=table.notes)


def _as_kind(values: Array, old: str, new: str, name: str, first_row: int) -> Array:
    if old == new:
        return values
    if new == "category":
        return _texts(values, old)
    numbers = _numbers(values, name, first_row) if old == "category" else values.astype(np.float64)
    if new == "numeric" or np.isnan(numbers).any():
        return numbers
    return numbers.astype(np.int64 if new == "integer" else np.bool_)


def _texts(values: Array, kind: str) -> Array:
    """Numbers as texts; whole ones without a point, even where gaps have made them floats."""
    exact = {"integer": int, "boolean": bool, "numeric": float}[kind]
    missing = np.isnan(values) if values.dtype.kind == "f" else np.zeros(len(values), dtype=bool)
    out = np.empty(len(values), dtype=object)
    out[~missing] = [str(exact(value)) for value in values[~missing]]
    return out


def _numbers(values: Array, name: str, first_row: int) -> Array:
    out = np.full(len(values), np.nan)
    for row, value in enumerate(values):
        if value is not None:
            try:
                out[row] = float(value)
            except ValueError:
                raise InvalidInput(
                    f"numeric: column {name!r} must hold numbers, got {value!r:.60} in data row {first_row + row + 1}"
                ) from None
    return out
