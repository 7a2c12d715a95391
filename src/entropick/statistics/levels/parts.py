"""PartitionedLevels: coded rows in parts, which stay where they are and are counted there.

A question goes to every part; integer counts come back and are added up. That is one pass over the packed codes for
every feature chosen, on this machine's disk or on the workers of an engine.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...coding import Coder
from ...coding.block_rows import RowReader
from ...kernels.counts import count_wide
from ...kernels.groups import tile_rows
from ...kernels.slices import LANES, ROWS, STATE, pair_counts, slice_offsets, unpack
from ...sources import Table
from ...sources.blocks import Kept
from ...threads import parallel, thread_count
from .counted import CountedLevels, Layout
from .fixed_point import whole_weights
from .levels import LevelStatistics
from .storage import Segment, locate, places_for
from .tables import TILE_BYTES


@dataclass(frozen=True)
class CodeRows:
    """Makes the packed codes of a block."""

    reader: RowReader
    coder: Coder
    estimator: str = "plugin"
    n_jobs: int | None = None

    def __call__(self, table: Table) -> LevelStatistics:
        features, target, weights = self.reader(table)
        own = LevelStatistics(self.coder.levels, target.n_classes, estimator=self.estimator, n_jobs=self.n_jobs)
        if not features.n_rows:
            return own
        return own.update(lambda start, stop: self.coder.by_row(features, start, stop), target.codes, weights)


def merge_levels(one: LevelStatistics, other: LevelStatistics) -> LevelStatistics:
    return one.merged(other)


def row_bytes(levels: NDArray[np.int64], weighted: bool) -> int:
    """Bytes that a row takes once it is packed: its codes, its class, its number, its weight."""
    places = places_for(levels, weighted)
    codes = sum(2 * p.features.size if p.wide else p.n_slices * p.units * LANES // 8 for p in places)
    return codes + 8 + 16 * weighted


@dataclass(frozen=True)
class CountRows:
    """Asks a part for the counts of one feature (a variable of one level, if None) with those of the layout."""

    feature: int | None
    layout: Layout
    unit: float = 1.0
    n_jobs: int | None = None

    def __call__(self, part: LevelStatistics) -> NDArray[np.int64]:
        out = np.zeros(self.layout.size, np.int64)
        for segment in part.segments:
            self._count(part.levels, segment, out)
        return out

    def _count(self, levels: NDArray[np.int64], segment: Segment, out: NDArray[np.int64]) -> None:
        layout = self.layout
        places = places_for(levels, segment.weights is not None)
        block_of, column_of = locate(places, levels.size)
        codes = np.zeros(segment.classes.size, np.int32)
        if self.feature is not None:
            number, column = block_of[self.feature], int(column_of[self.feature])
            if places[number].wide:
                codes[:] = segment.blocks[number][column]
            else:
                unpack(segment.blocks[number], column, codes)
        classes = segment.classes if layout.n_classes > 1 else np.zeros(codes.size, np.int32)
        weights = np.empty(0, np.int64) if segment.weights is None else whole_weights(segment.weights, self.unit)
        starts = np.searchsorted(classes, np.arange(layout.n_classes + 1)).astype(np.int64)
        own = block_of[layout.features]

        def count(number: int) -> None:
            wanted = np.flatnonzero(own == number)
            columns = column_of[layout.features[wanted]]
            at, block = layout.at[wanted], segment.blocks[number]
            if places[number].wide:
                count_wide(block, columns, codes, classes, weights, layout.n_levels, at, layout.levels[wanted], out)
            else:
                self._sliced(block, places[number].levels, codes, starts, columns, at, layout.levels[wanted], out)

        parallel(count, np.unique(own).tolist(), thread_count(self.n_jobs))

    def _sliced(
        self,
        block: NDArray[Any],
        levels: int,
        codes: NDArray[np.int32],
        starts: NDArray[np.int64],
        columns: NDArray[np.intp],
        at: NDArray[np.int64],
        own_levels: NDArray[np.int64],
        out: NDArray[np.int64],
    ) -> None:
        n_levels, n_classes = self.layout.n_levels, self.layout.n_classes
        tile = max(96 * n_levels, TILE_BYTES // block.strides[0])
        rows = tile_rows(codes, 0, n_levels, np.empty(0, np.int32), starts, tile, ROWS, codes.size)
        for unit in np.unique(columns // LANES):
            state = np.zeros((n_levels, levels, STATE), np.uint64)
            counts = np.zeros((n_levels, levels, LANES), np.int32)
            found = np.zeros((n_classes, n_levels, levels, LANES), np.int64)
            pair_counts(
                block, int(unit) * LANES // 8, levels, *rows, tile, slice_offsets(levels, block.strides[1]), state,
                np.zeros(n_levels, np.int64), counts, found,
            )  # fmt: skip
            for k in np.flatnonzero(columns // LANES == unit):
                cells = found[:, :, : own_levels[k], columns[k] % LANES]
                out[at[k] : at[k] + cells.size] += cells.reshape(-1)


def add_counts(one: NDArray[np.int64], other: NDArray[np.int64]) -> NDArray[np.int64]:
    return one + other


class PartitionedLevels(CountedLevels):
    """Coded rows in parts; the questions of `LevelStatistics`, one pass over the parts for each feature asked about.

    ``unit`` is that of the weights (`fixed_point`), ``n_rows`` counts rows. Questions about more than two features at a
    time (`cmi`) and about shuffled targets are errors.
    """

    def __init__(
        self,
        kept: Kept[LevelStatistics],
        levels: ArrayLike,
        n_classes: int,
        n_rows: int,
        unit: float = 1.0,
        **how: Any,
    ) -> None:
        super().__init__(levels, n_classes, n_rows, unit, **how)
        self._kept = kept

    def _count(self, feature: int | None, layout: Layout, by_class: bool) -> NDArray[np.int64]:
        return self._kept.reduce(CountRows(feature, layout, self.unit, self.n_jobs), add_counts)
