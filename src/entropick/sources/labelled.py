"""The rows that have a target: those without cannot teach anything, and are left out with a note."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ..errors import InvalidInput
from .source import Source
from .table import Array, Table


class LabelledSource(Source):
    """The rows of a source whose target is not missing."""

    def __init__(self, source: Source, target: str) -> None:
        self._at = source.names.index(target)
        self._source = source
        kept = total = 0
        for block in source.blocks(columns=[self._at]):
            kept += int(np.count_nonzero(~missing_cells(block.column(0))))
            total += block.n_rows
        notes = source.notes if kept == total else (*source.notes, left_out_note(total - kept, target, total))
        super().__init__(source.schema(), kept, notes=notes, vacant=source.vacant, why=source.why)
        self.text_bytes = source.text_bytes
        self.hold(source)

    def blocks(self, rows: int | None = None, columns: Sequence[int] | None = None) -> Iterator[Table]:
        wanted = list(range(self.n_columns) if columns is None else columns)
        added = self._at not in wanted
        for block in self._source.blocks(rows, [*wanted, self._at] if added else wanted):
            at = len(wanted) if added else wanted.index(self._at)
            known = ~missing_cells(block.column(at))
            if known.any():
                part = block if known.all() else block.take(np.flatnonzero(known))
                yield part.select(range(len(wanted))) if added else part

    def recast(self, kinds: Sequence[str]) -> Source:
        if tuple(kinds) == self.kinds:
            return self
        return LabelledSource(self._source.recast(kinds), self.names[self._at]).hold(self)


def labelled(source: Source, target: str) -> Source:
    """The source, or its rows with a target where some are without."""
    found = LabelledSource(source, target)
    return source if found.n_rows == source.n_rows else found


def labelled_rows(table: Table, y: Any, name: str) -> tuple[Table, Any]:
    """Table and target without the rows that have no target; the table has a note on them."""
    array = np.asarray(y, dtype=object) if not isinstance(y, np.ndarray) else y
    if array.ndim != 1:
        return table, y
    missing = missing_cells(array)
    if not missing.any():
        return table, y
    note = left_out_note(int(missing.sum()), name, len(array))
    known = np.flatnonzero(~missing)
    kept = table.take(known)
    kept.notes = (*kept.notes, note)
    return kept, y.iloc[known] if hasattr(y, "iloc") else array[known]


def left_out_note(count: int, target: str, total: int) -> str:
    if count == total:
        raise InvalidInput(f"y: every value of the target {target!r} is missing; choose another target, or fill it in")
    return f"{count} of {total} rows left out: no value of {target!r}"


def missing_cells(values: Array) -> Array:
    """(n,) where a value is missing."""
    if values.dtype.kind == "f":
        return np.isnan(values)
    if values.dtype.kind == "O":
        import pandas as pd

        return np.asarray(pd.isna(values), dtype=bool)
    return np.zeros(len(values), dtype=bool)
