"""Dates as what may matter of them: the time that has passed, and year, month and weekday, which belong together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from .source import DATES, Schema, Source
from .table import Array, Column, ColumnTable, Table, distinct_names

DAY = 86400.0  # seconds
FIRST_WEEKDAY = 4  # of 1 January 1970, where Monday is 1


def with_date_parts(source: Source, target: str = "") -> Source:
    """The source with columns for year, month and weekday (1 is Monday) of every date but the target."""
    dated = [j for j, name in enumerate(source.names) if source.why.get(name) == DATES and name != target]
    return DatePartsSource(source, dated) if dated else source


class DatePartsSource(Source):
    """A source with more columns; ``groups`` says which belong together, by the name of the date."""

    def __init__(self, source: Source, dated: Sequence[int]) -> None:
        made = [(j, part) for j in dated for part in PARTS]
        names, _ = distinct_names([*source.names, *(f"{source.names[j]} ({part})" for j, part in made)])
        own = names[source.n_columns :]
        kinds = (*source.kinds, *["integer"] * len(made))
        why = {**source.why, **{name: f"{part} of a date" for name, (_, part) in zip(own, made, strict=True)}}
        super().__init__(Schema(tuple(names), kinds), source.n_rows, notes=source.notes, vacant=source.vacant, why=why)
        self._source, self._made = source, made
        for name, (j, _) in zip(own, made, strict=True):
            self.groups.setdefault(source.names[j], [source.names[j]]).append(name)
        self.hold(source)

    def blocks(self, rows: int | None = None, columns: Sequence[int] | None = None) -> Iterator[Table]:
        wanted = list(range(self.n_columns) if columns is None else columns)
        width = self._source.n_columns
        origins = [j if j < width else self._made[j - width][0] for j in wanted]
        needed = sorted(set(origins))
        for block in self._source.blocks(rows, needed):
            held = []
            for j, origin in zip(wanted, origins, strict=True):
                at = needed.index(origin)
                part = None if j < width else self._made[j - width][1]
                held.append(block.as_column(at) if part is None else Column("integer", _loader(block, at, part)))
            yield ColumnTable([self.names[j] for j in wanted], held, block.n_rows, named=block.named, notes=block.notes)

    def first_texts(self) -> dict[int, str]:
        return {}


def _loader(block: Table, at: int, part: str) -> Callable[[], Array]:
    return lambda: date_part(block.column(at), part)


def date_part(seconds: Array, part: str) -> Array:
    """(n,) whole numbers of seconds since 1970, as integers, as floats where some are missing.

    >>> date_part(np.array([0.0, 86400.0 * 366, np.nan]), "weekday")
    array([ 4.,  6., nan])
    """
    known = ~np.isnan(seconds)
    days = np.floor(seconds[known] / DAY).astype(np.int64)
    out = np.full(len(seconds), np.nan)
    out[known] = PARTS[part](days)
    return out.astype(np.int64) if known.all() else out


def _year(days: Array) -> Array:
    return days.astype("M8[D]").astype("M8[Y]").astype(np.int64) + 1970


def _month(days: Array) -> Array:
    return np.asarray(days.astype("M8[D]").astype("M8[M]").astype(np.int64) % 12 + 1)


def _weekday(days: Array) -> Array:
    return np.asarray((days + FIRST_WEEKDAY - 1) % 7 + 1)


PARTS: dict[str, Callable[[Array], Array]] = {"year": _year, "month": _month, "weekday": _weekday}
