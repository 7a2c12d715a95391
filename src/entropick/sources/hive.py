"""Columns that are written in the names of folders: ``year=2020/country=NO/part.parquet``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import Any
from urllib.parse import unquote

import numpy as np

from .source import Schema, Source
from .table import Array, Column, ColumnTable, Table

DIGITS = 19  # of the largest 64-bit integer; longer ones are names
MISSING = "__HIVE_DEFAULT_PARTITION__"


def folder_values(path: PurePath) -> dict[str, str | None]:
    """The values in the names of the folders above a file.

    >>> folder_values(PurePath("sales/year=2020/country=NO/part-0.parquet"))
    {'year': '2020', 'country': 'NO'}
    """
    parts = [part.partition("=") for part in path.parts[:-1] if "=" in part]
    return {unquote(name): None if value == MISSING else unquote(value) for name, _, value in parts}


class PartitionSource(Source):
    """A source with columns that have one value each, after its own."""

    def __init__(self, source: Source, values: Mapping[str, str | None]) -> None:
        self._values = {name: _read(value) for name, value in values.items() if name not in source.names}
        kinds = tuple("integer" if isinstance(value, int) else "category" for value in self._values.values())
        super().__init__(
            Schema((*source.names, *self._values), (*source.kinds, *kinds)),
            source.n_rows,
            notes=source.notes,
            vacant=source.vacant | {name for name, value in self._values.items() if value is None},
            why={**source.why, **dict.fromkeys(self._values, "the name of a folder")},
        )
        self._source = source
        self.hold(source)

    def blocks(self, rows: int | None = None, columns: Sequence[int] | None = None) -> Iterator[Table]:
        wanted = list(range(self.n_columns) if columns is None else columns)
        own = [j for j in wanted if j < self._source.n_columns]
        # where only folders are asked for, some column must still say how many rows there are
        for block in self._source.blocks(rows, own or [0]):
            held = [self._column(j, block, own) for j in wanted]
            yield ColumnTable([self.names[j] for j in wanted], held, block.n_rows, notes=block.notes)

    def first_texts(self) -> dict[int, str]:
        own = enumerate(self._values.values(), start=self._source.n_columns)
        return self._source.first_texts() | {j: value for j, value in own if isinstance(value, str)}

    def _column(self, j: int, block: Table, own: Sequence[int]) -> Column:
        if j < self._source.n_columns:
            return Column(self.kinds[j], lambda: block.column(own.index(j)))
        value = self._values[self.names[j]]
        return Column(self.kinds[j], lambda: _repeated(value, block.n_rows))


def _read(value: str | None) -> Any:
    """An integer where it is written as one."""
    if value is None or not value.isascii() or not value.isdecimal() or len(value) > DIGITS:
        return value
    return int(value) if value == str(int(value)) and int(value) <= np.iinfo(np.int64).max else value


def _repeated(value: Any, n_rows: int) -> Array:
    return np.full(n_rows, value, dtype=np.int64 if isinstance(value, int) else object)
