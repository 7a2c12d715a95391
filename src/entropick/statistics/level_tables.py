"""One set of coded rows, ready to be counted: which kernel counts what, and what it is told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..kernels.groups import group_rows, tile_rows
from ..kernels.histogram import dense_terms, histogram_terms
from ..kernels.planes import plane_terms, planes_of_block, planes_of_codes
from ..kernels.slices import LANES, ROWS, STATE, pair_terms, slice_offsets, unpack
from ..threads import parallel, thread_count
from .fixed_point import FixedPoint, whole_unit, whole_weights
from .level_storage import Segment, locate, places_for

Floats = NDArray[np.float64]
TASKS = 4  # a step is split into at least so many pieces, for any number of threads
TILE_BYTES = 128 << 10  # of packed rows that are walked level by level: two tiles in a second-level cache
CELLS = 4096  # cells (new, candidate) that a kernel holds at once, 2 KiB each
DENSE_CELLS = 1 << 14  # (new, candidate) that a histogram of all cells may have
PLANE_WORDS = 1 << 20  # of planes counted before a second thread pays
SLICE_LEVELS = 1 << 18  # rows × levels of the new variable × 256 candidates, counted in a millisecond: likewise
PLANE_LEVELS = 4  # of a new variable; beyond, slices count two-level candidates faster than planes


class Terms:
    """Integer sums over the cells of the tables, one entry a feature; see `kernels.slices.pair_terms`."""

    def __init__(self, n: int) -> None:
        self._sums = np.zeros((5, n), np.int64)
        self.expected = np.zeros(n)
        self.joint, self.joint_class, self.cells, self.cells_class, self.freedom = self._sums

    def add(self, features: NDArray[np.intp], part: Terms) -> None:
        """Add the terms of some features, in ascending order; a part may be longer than what it is about."""
        first, n = int(features[0]), features.size
        where = slice(first, first + n) if features[-1] - first == n - 1 else features  # a slice is ten times faster
        self._sums[:, where] += part._sums[:, :n]
        self.expected[where] += part.expected[:n]

    def arrays(self) -> tuple[NDArray[Any], ...]:
        """In the order of the kernels' arguments."""
        return (*self._sums, self.expected)


@dataclass(frozen=True)
class Variable:
    """What candidates are counted against: a feature, or any variable given by its code in each row."""

    n_levels: int
    codes: Callable[[], NDArray[np.int32]]
    feature: int | None = None


@dataclass(frozen=True)
class _Planes:
    """Two-level features as bit planes; see `kernels.planes`."""

    features: NDArray[np.intp]
    bits: NDArray[np.uint64]  # (n_features, n_words)
    ones: NDArray[np.int64]  # (n_features, n_classes) rows at level 1
    word_start: NDArray[np.int64]


class Tables:
    """One segment, its rows sorted by class, with the orders and tables that the kernels need."""

    def __init__(self, levels: NDArray[np.int64], n_classes: int, segment: Segment) -> None:
        weighted = segment.weights is not None
        self.levels = levels
        self.n_classes = n_classes
        self.places = places_for(levels, weighted)
        self.blocks = segment.blocks
        self.classes = segment.classes
        self.unit = 1.0 if segment.weights is None else whole_unit(segment.weights)
        self.weights = np.empty(0, np.int64) if segment.weights is None else whole_weights(segment.weights, self.unit)
        self.total = int(self.weights.sum()) if weighted else self.classes.size
        self.fixed = FixedPoint(self.total, self.unit, self.classes.size, every=not weighted)
        self.phi, self.bits = self.fixed.phi, self.fixed.bits
        counts = np.zeros(n_classes, np.int64)
        np.add.at(counts, self.classes, self.weights if weighted else 1)
        self.class_phi = self.fixed.sum(counts)
        self.n_seen_classes = int(np.count_nonzero(counts))
        self.block_of, self.column_of = locate(self.places, levels.size)
        sizes = np.bincount(self.classes, minlength=n_classes)
        self.class_start = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        self.every_row = np.arange(self.classes.size, dtype=np.int32)

    def codes(self, feature: int) -> NDArray[np.int32]:
        """(n_rows,) codes of a feature."""
        number, column = self.block_of[feature], int(self.column_of[feature])
        if self.places[number].wide:
            return self.blocks[number][column].astype(np.int32)
        out = np.empty(self.classes.size, np.int32)
        unpack(self.blocks[number], column, out)
        return out

    def variable(self, feature: int) -> Variable:
        return Variable(int(self.levels[feature]), lambda: self.codes(feature), feature)

    def terms(
        self,
        variable: Variable,
        wanted: NDArray[np.bool_],
        target_rows: NDArray[np.intp] | None,
        by_class: bool,
        detail: bool,
        n_jobs: int | None,
    ) -> Terms:
        """The terms of the variable with every wanted feature (and those counted with them), each by its kernel."""
        total = Terms(wanted.size)
        needed = [number for number, place in enumerate(self.places) if wanted[place.features].any()]
        threads = thread_count(n_jobs)
        if variable.n_levels <= PLANE_LEVELS and target_rows is None:
            two = [number for number in needed if self.places[number].n_slices == 1 and self.places[number].levels == 2]
            self._count_planes(total, two, variable, by_class, detail, threads)
            needed = [number for number in needed if number not in two]
        if not needed:
            return total
        codes = variable.codes()
        classes, class_rows, weights = self.classes, self.every_row, self.weights
        if target_rows is not None:
            classes = self.classes[target_rows]
            class_rows = np.argsort(classes, kind="stable").astype(np.int32)
            weights = self.weights[target_rows] if self.weights.size else self.weights
        if not by_class:
            classes, class_rows = np.zeros(codes.size, np.int32), self.every_row
        wide = [number for number in needed if self.places[number].wide]
        sliced = [number for number in needed if not self.places[number].wide]
        if sliced:
            in_order = class_rows is self.every_row
            start = self.class_start if by_class else self.class_start[[0, -1]]
            self._count_slices(
                total, sliced, codes, variable.n_levels, class_rows[:0] if in_order else class_rows, start,
                by_class, detail, threads,
            )  # fmt: skip
        if wide:
            self._count_wide(
                total, wide, codes, variable.n_levels, class_rows, classes, weights, by_class, detail, threads
            )
        return total

    def _count_wide(
        self,
        total: Terms,
        numbers: list[int],
        codes: NDArray[np.int32],
        n_levels: int,
        class_rows: NDArray[np.int32],
        classes: NDArray[np.int32],
        weights: NDArray[np.int64],
        by_class: bool,
        detail: bool,
        threads: int,
    ) -> None:
        """By histograms: all cells at once where they fit, else a group of rows at a time."""
        in_order = class_rows is self.every_row
        start = self.class_start if by_class else self.class_start[[0, -1]]
        groups: list[tuple[Any, ...]] = []
        sizes = np.zeros((n_levels, start.size - 1), np.int64) if n_levels * start.size < DENSE_CELLS else None
        if sizes is not None:
            np.add.at(sizes, (codes, classes), weights if weights.size else 1)

        def increment(number: int) -> Terms:
            block, levels = self.blocks[number], self.places[number].levels
            out = Terms(block.shape[0])
            if sizes is not None and in_order and self._fits(n_levels * levels, start.size - 1):
                one, both = np.zeros((2, block.shape[0], n_levels * levels), np.int64)
                dense_terms(
                    block, levels, codes, start, sizes, weights, self.unit, self.phi, self.bits, by_class, detail,
                    one, both, *out.arrays(),
                )  # fmt: skip
            else:
                histogram_terms(
                    block, block.shape[0], levels, *groups[0], 0, n_levels, weights, self.unit, self.phi, self.bits,
                    by_class, detail, *out.arrays(),
                )  # fmt: skip
            return out

        if (
            not all(self._fits(n_levels * self.places[number].levels, start.size - 1) for number in numbers)
            or not in_order
        ):
            groups.append(group_rows(codes, n_levels, class_rows, classes))
        for number, terms in zip(numbers, parallel(increment, numbers, threads), strict=True):
            total.add(self.places[number].features, terms)

    def _fits(self, cells: int, n_classes: int) -> bool:
        """Whether a histogram of all cells stays near, and reading it for every class is little beside the rows."""
        return cells <= DENSE_CELLS and cells * n_classes <= 4 * self.classes.size

    def _count_slices(
        self,
        total: Terms,
        numbers: list[int],
        codes: NDArray[np.int32],
        n_levels: int,
        class_rows: NDArray[np.int32],
        class_start: NDArray[np.int64],
        by_class: bool,
        detail: bool,
        threads: int,
    ) -> None:
        """By bit slices, in parts by level.

        Parts bound the kernel's memory, and there are enough of them to share out when features are few. They do
        not depend on the number of threads, so neither does any sum of floats.
        """
        units = [(number, unit) for number in numbers for unit in range(self.places[number].units)]
        row_bytes = max(self.blocks[number].strides[0] for number in numbers)
        most = max(1, CELLS // max(self.places[number].levels for number in numbers))
        n_parts = min(n_levels, max(-(-TASKS // len(units)), -(-n_levels // most)))
        parts = []
        for part in range(n_parts):
            first, last = n_levels * part // n_parts, n_levels * (part + 1) // n_parts
            tile = max(96 * (last - first), TILE_BYTES // row_bytes)  # at least so many that padding is little
            parts.append((*tile_rows(codes, first, last, class_rows, class_start, tile, ROWS, codes.size), tile))

        def count(task: tuple[int, int, tuple[Any, ...]]) -> Terms:
            number, unit, own = task
            out = Terms(LANES)
            block, levels = self.blocks[number], self.places[number].levels
            n_levels = own[4].shape[0]
            state = np.zeros((n_levels, levels, STATE), np.uint64)
            counts, both = np.zeros((2, n_levels, levels, LANES), np.int32)
            pair_terms(
                block, unit * LANES // 8, levels, *own, slice_offsets(levels, block.strides[1]), state,
                np.zeros(n_levels, np.int64), counts, both, self.phi, by_class, detail, *out.arrays(),
            )  # fmt: skip
            return out

        tasks = [(number, unit, own) for number, unit in units for own in parts]
        threads = min(threads, 1 + codes.size * n_levels * len(units) // SLICE_LEVELS)
        for (number, unit, _), terms in zip(tasks, parallel(count, tasks, threads), strict=True):
            total.add(self.places[number].features[unit * LANES : (unit + 1) * LANES], terms)

    @cached_property
    def _planes(self) -> dict[int, _Planes]:
        """Of every block of two-level features; made when first asked for."""
        words = -(-np.diff(self.class_start) // 64)
        word_start = np.concatenate([[0], np.cumsum(words)]).astype(np.int64)
        made = {}
        for number, place in enumerate(self.places):
            if place.n_slices == 1 and place.levels == 2:
                bits = np.zeros((place.features.size, int(word_start[-1])), np.uint64)
                planes_of_block(self.blocks[number], place.features.size, self.class_start, word_start, bits)
                counts = np.bitwise_count(bits).astype(np.int64)
                ones = np.add.reduceat(np.pad(counts, ((0, 0), (0, 1))), word_start[:-1], axis=1)
                ones[:, words == 0] = 0
                made[number] = _Planes(place.features, bits, ones, word_start)
        return made

    def _count_planes(
        self, total: Terms, numbers: list[int], variable: Variable, by_class: bool, detail: bool, threads: int
    ) -> None:
        """Two-level features by bit planes."""
        if not numbers:
            return
        own = None if variable.feature is None else self._planes.get(int(self.block_of[variable.feature]))
        class_sizes = np.diff(self.class_start)
        some = self._planes[numbers[0]]
        if own is not None and variable.feature is not None:
            column = self.column_of[variable.feature]
            new, ones = own.bits[column : column + 1], own.ones[column]
            sizes = np.stack([class_sizes - ones, ones])
        else:
            codes = variable.codes()
            new = planes_of_codes(codes, variable.n_levels, self.class_start, some.word_start)
            sizes = np.zeros((variable.n_levels, self.n_classes), np.int64)
            np.add.at(sizes, (codes, self.classes), 1)
        words = some.word_start
        if not by_class:
            sizes, words = sizes.sum(axis=1, keepdims=True), words[[0, -1]]

        def count(task: tuple[int, slice]) -> Terms:
            planes, part = self._planes[task[0]], task[1]
            out = Terms(planes.features[part].size)
            ones = planes.ones[part] if by_class else planes.ones[part].sum(axis=1, keepdims=True)
            plane_terms(planes.bits[part], ones, new, sizes, words, self.phi, by_class, detail, *out.arrays())
            return out

        # features do not mix, so parts may depend on the threads; one of few words is not worth waking a thread for
        n_features = sum(self.places[number].features.size for number in numbers)
        n_parts = min(threads, 1 + n_features * new.size // PLANE_WORDS)
        share = -(-n_features // n_parts)
        tasks = [
            (number, slice(start, start + share))
            for number in numbers
            for start in range(0, self.places[number].features.size, share)
        ]
        for (number, part), terms in zip(tasks, parallel(count, tasks, n_parts), strict=True):
            total.add(self.places[number].features[part], terms)
