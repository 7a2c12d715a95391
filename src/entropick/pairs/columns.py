"""Which columns are taken by levels and which as numbers, and the levels of the former."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..coding import Coder
from ..errors import InvalidInput
from ..sources import Table
from ..threads import parallel
from .target import PairTarget

Array = NDArray[Any]
FEW = 8  # a number of at most so many values is taken by levels
MOST, LEAST = 16, 3  # levels that a column keeps in any case at most and at least; the rarest are one together
A_CELL = 5  # rows that a cell of a table of two columns and the classes should have on average
LOOK = 64  # rows that tell most numbers from levels at a glance


@dataclass(frozen=True, eq=False)
class LevelColumns:
    """Levels of some columns.

    ``columns`` (d,) their numbers in the table, ascending; ``codes`` (d, n_rows) uint8; ``levels`` (d,) how many.
    """

    columns: NDArray[np.int64]
    codes: NDArray[np.uint8]
    levels: NDArray[np.int64]
    notes: tuple[str, ...] = ()

    def of(self, column: int) -> NDArray[np.uint8]:
        """(n_rows,) levels of the column with this number in the table."""
        return np.asarray(self.codes[int(np.searchsorted(self.columns, column))])


def columns_of(
    table: Table, target: PairTarget, discretizer: Any, missing: str, threads: int
) -> tuple[LevelColumns, NDArray[np.int64]]:
    """The columns that are taken by levels, and the numbers (d,) of those that are not."""
    every = np.arange(table.n_columns)
    if not (isinstance(discretizer, str) and discretizer == "auto"):
        return level_columns(table, every, discretizer, missing, target, threads), every[:0]
    few = few_valued(table)
    fractions = np.array([j for j in every[few] if table.kind(int(j)) == "numeric"], np.int64)
    plain = np.setdiff1d(every[few], fractions)
    parts = [few_fractions(table, fractions, threads)]
    if len(plain):
        parts.append(level_columns(table, plain, None, missing, target, threads))
    numbers = every[~few]
    if missing == "error":
        for j in (*fractions, *numbers):
            if np.isnan(np.asarray(table.column(int(j)), np.float64)).any():
                raise InvalidInput(
                    f"X: Input X contains NaN: column {table.names[j]!r} has missing values; fill them, or pass"
                    " missing='level'"
                )
    return together(*parts), numbers


def few_valued(table: Table) -> NDArray[np.bool_]:
    """(n_columns,) whether a column is a category or has at most `FEW` values (missing ones aside)."""
    if table.matrix is not None:
        return _few_in(table.matrix)
    out = np.ones(table.n_columns, bool)
    for j in range(table.n_columns):
        if table.kind(j) not in ("category", "boolean"):
            out[j] = _few_in(np.asarray(table.column(j)).reshape(-1, 1))[0]
    return out


def _few_in(matrix: Array) -> NDArray[np.bool_]:
    if matrix.dtype == bool:
        return np.ones(matrix.shape[1], bool)
    head = np.sort(matrix[:LOOK].astype(np.float64), axis=0)
    few = np.count_nonzero(head[1:] > head[:-1], axis=0) < FEW
    if matrix.dtype.kind in "iu" and few.any():
        narrow = matrix.max(axis=0).astype(np.int64) - matrix.min(axis=0).astype(np.int64) < FEW
        unsure = np.flatnonzero(few & ~narrow)
    else:
        unsure = np.flatnonzero(few)
    for j in unsure:
        values = np.unique(matrix[:, j])
        few[j] = np.count_nonzero(values == values) <= FEW
    return np.asarray(few)


def level_columns(
    table: Table,
    columns: NDArray[np.int64],
    discretizer: Any,
    missing: str,
    target: PairTarget,
    n_jobs: int,
    most: int | None = None,
) -> LevelColumns:
    """Codes of these columns: values as they are where they are few, else as the discretiser cuts them."""
    part = table.select([int(j) for j in columns]) if len(columns) < table.n_columns else table
    coder = Coder(discretizer, missing, n_jobs).fit(part, target.codes, target.n_classes)
    codes, levels = coder.codes(part, 0, part.n_columns), coder.levels.copy()
    most = most_levels(table.n_rows, target.n_classes) if most is None else most
    notes = coder.notes
    many = np.flatnonzero(levels > most)
    if len(many):
        codes = np.array(codes)
        for j in many:
            codes[j], levels[j] = rarest_together(codes[j], most), most
        some = ", ".join(part.names[int(j)] for j in many[:5]) + (", …" if len(many) > 5 else "")
        notes = (*notes, f"{len(many)} of more than {most} levels keep the {most - 1} most frequent: {some}")
    return LevelColumns(np.asarray(columns, np.int64), codes.astype(np.uint8, copy=False), levels, notes)


def most_levels(n_rows: int, n_classes: int, order: int = 2) -> int:
    """Levels of a column so that a table of two (three) of them and the classes has `A_CELL` rows a cell on average.

    With fewer, statistics fall short of χ² and nothing is found.
    """
    return int(np.clip((n_rows / (A_CELL * n_classes)) ** (1 / order), LEAST if order == 2 else 2, MOST))


def rarest_together(codes: Array, most: int) -> NDArray[np.uint8]:
    """The most frequent levels as they are, and all others as the last of ``most``."""
    counts = np.bincount(codes)
    kept = np.sort(np.argsort(-counts, kind="stable")[: most - 1])
    position = np.full(counts.size, most - 1, np.uint8)
    position[kept] = np.arange(kept.size)
    return position[codes]


def few_fractions(table: Table, columns: NDArray[np.int64], threads: int) -> LevelColumns:
    """The same for columns of few fractions: every value a level, missing values the last."""
    codes = np.empty((len(columns), table.n_rows), np.uint8)
    levels = np.ones(len(columns), np.int64)

    def fill(place: int) -> None:
        values = np.asarray(table.column(int(columns[place])), np.float64)
        known, position = np.unique(values, return_inverse=True)  # NaN is one value, the last
        codes[place], levels[place] = position.reshape(-1), len(known)

    parallel(fill, range(len(columns)), threads)
    return LevelColumns(np.asarray(columns, np.int64), codes, levels)


def together(*parts: LevelColumns) -> LevelColumns:
    """Columns of several codings, ascending."""
    parts = tuple(part for part in parts if len(part.columns)) or parts[:1]
    if len(parts) == 1:
        return parts[0]
    columns = np.concatenate([part.columns for part in parts])
    order = np.argsort(columns)
    return LevelColumns(
        columns[order],
        np.concatenate([part.codes for part in parts])[order],
        np.concatenate([part.levels for part in parts])[order],
        tuple(note for part in parts for note in part.notes),
    )
