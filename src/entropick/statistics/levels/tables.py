"""One set of coded rows, ready to be counted: which kernel counts what, and what it is told."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...kernels.groups import group_rows, tile_rows
from ...kernels.histogram import dense_terms, histogram_terms
from ...kernels.side_by_side import LINE
from ...kernels.slices import LANES, ROWS, STATE, pair_terms, slice_offsets, unpack
from ...threads import parallel, thread_count
from .adjusted import Adjustment
from .counting_cost import making_cost, side_cost, slice_cost
from .fixed_point import FixedPoint, whole_unit, whole_weights
from .questions import Law
from .side_by_side import GatheredLines, Phi, PlaneLines, Variable, plane_lines, with_bytes
from .storage import Segment, locate, places_for, threads_for

Floats = NDArray[np.float64]
Sums = tuple[NDArray[np.int64], NDArray[np.int64]]  # over the cells (variable, feature) and with the class
TASKS = 4  # a step is split into at least so many pieces, for any number of threads
TILE_BYTES = 128 << 10  # of packed rows that are walked level by level: two tiles in a second-level cache
CELLS = 4096  # cells (new, candidate) that a kernel holds at once, 2 KiB each
DENSE_CELLS = 1 << 14  # (new, candidate) that a histogram of all cells may have
LITTLE = 1e6  # nanoseconds of counting: not worth another kernel
STEPS = 16  # over which the cost of making planes is spread
FRONT = 256  # features that are counted together where only some are,
FRONTS = 4  # or up to so many times as many, where a call takes longer than to count them
CALL = 8e3  # nanoseconds that counting a front takes beside the counting itself
SHARE = 2e5  # nanoseconds of counting for which a second thread is worth waking
SLICE_LEVELS = 1 << 18  # rows × levels of the new variable × 256 candidates, counted in a millisecond: likewise


class Terms:
    """Integer sums over the cells of the tables, one entry a feature; see `kernels.slices.pair_terms`."""

    def __init__(self, n: int) -> None:
        self._sums, self._law = np.zeros((4, n), np.int64), np.zeros((3, n))
        self.joint, self.joint_class, self.cells, self.cells_class = self._sums
        self.law = Law(*self._law)

    def add(self, features: NDArray[np.intp], part: Terms) -> None:
        """Add the terms of some features, ascending; a part may be longer than what it is about."""
        first, n = int(features[0]), features.size
        together = features[-1] - first == n - 1
        where = slice(first, first + n) if together else features  # a slice is ten times faster
        self._sums[:, where] += part._sums[:, :n]
        self._law[:, where] += part._law[:, :n]

    def arrays(self) -> tuple[NDArray[Any], ...]:
        """In the order of the kernels' arguments."""
        return (*self._sums, *self._law)


@dataclass(frozen=True)
class Counted:
    """A variable to be counted with the features: its codes by row, the class of each row, and what of the terms.

    ``class_rows`` are numbers of rows by class, from ``class_start[c]`` on those of class c.
    """

    codes: NDArray[np.int32]
    n_levels: int
    by_class: bool
    detail: bool
    threads: int
    classes: NDArray[np.int32]
    class_rows: NDArray[np.int32]
    class_start: NDArray[np.int64]
    weights: NDArray[np.int64]


class Tables:
    """One segment, its rows sorted by class, with the orders and tables that the kernels need."""

    def __init__(self, levels: NDArray[np.int64], n_classes: int, segment: Segment, n_jobs: int | None = None) -> None:
        weighted = segment.weights is not None
        self.levels = levels
        self.n_classes = n_classes
        self.n_jobs = n_jobs
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
        self.adjustment: Adjustment | None = None  # of features with many levels; made when first asked for
        self.of_chance: Tables | None = None  # likewise: these, with the table of chance
        self._choices: dict[tuple[int, bool, bool], bool] = {}  # of `_by_side`
        self._shares: dict[tuple[int, bool], int] = {}  # of `_pieces`

    def with_table(self, phi: NDArray[np.int64]) -> Tables:
        """The same rows, with another function of counts in the place of x log x; for rows without weights."""
        out = copy.copy(self)
        out.phi = phi
        out.__dict__.pop("side_phi", None)
        return out

    def codes(self, feature: int) -> NDArray[np.int32]:
        """(n_rows,) codes of a feature."""
        number, column = self.block_of[feature], int(self.column_of[feature])
        if self.places[number].wide:
            out: NDArray[np.int32] = self.blocks[number][column].astype(np.int32)
            return out
        out = np.empty(self.classes.size, np.int32)
        unpack(self.blocks[number], column, out)
        return out

    def variable(self, feature: int) -> Variable:
        return Variable(int(self.levels[feature]), lambda: self.codes(feature), feature)

    def terms(
        self,
        variable: Variable,
        wanted: NDArray[np.bool_] | None,
        target_rows: NDArray[np.intp] | None,
        by_class: bool,
        detail: bool,
        n_jobs: int | None,
    ) -> Terms:
        """The terms of the variable with every wanted feature (None: all), and those counted with them."""
        threads = thread_count(n_jobs)
        total = Terms(self.levels.size)
        needed = [number for number, place in enumerate(self.places) if wanted is None or wanted[place.features].any()]
        if target_rows is None and not detail and self._by_side(variable.n_levels, by_class):
            joint, joint_class = self._count_side(variable, wanted, by_class, n_jobs)
            total.joint[self.side.features], total.joint_class[self.side.features] = joint, joint_class
            needed = [number for number in needed if self.places[number].wide]
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
        start = self.class_start if by_class else self.class_start[[0, -1]]
        asked = Counted(codes, variable.n_levels, by_class, detail, threads, classes, class_rows, start, weights)
        if sliced:
            self._count_slices(total, sliced, asked)
        if wide:
            self._count_wide(total, wide, asked)
        return total

    def _count_wide(self, total: Terms, numbers: list[int], asked: Counted) -> None:
        """By histograms: all cells at once where they fit, else a group of rows at a time."""
        in_order = asked.class_rows is self.every_row
        codes, n_levels, start, weights = asked.codes, asked.n_levels, asked.class_start, asked.weights
        groups: list[tuple[Any, ...]] = []
        sizes = np.zeros((n_levels, start.size - 1), np.int64) if n_levels * start.size < DENSE_CELLS else None
        if sizes is not None:
            np.add.at(sizes, (codes, asked.classes), weights if weights.size else 1)

        def increment(number: int) -> Terms:
            block, levels = self.blocks[number], self.places[number].levels
            out = Terms(block.shape[0])
            if sizes is not None and in_order and self._fits(n_levels * levels, start.size - 1):
                one, both = np.zeros((2, block.shape[0], n_levels * levels), np.int64)
                dense_terms(
                    block, levels, codes, start, sizes, weights, self.unit, self.phi, self.bits,
                    asked.by_class, asked.detail, one, both, *out.arrays(),
                )  # fmt: skip
            else:
                histogram_terms(
                    block, block.shape[0], levels, *groups[0], 0, n_levels, weights, self.unit, self.phi, self.bits,
                    asked.by_class, asked.detail, *out.arrays(),
                )  # fmt: skip
            return out

        if (
            not all(self._fits(n_levels * self.places[number].levels, start.size - 1) for number in numbers)
            or not in_order
        ):
            groups.append(group_rows(codes, n_levels, asked.class_rows, asked.classes))
        for number, terms in zip(numbers, parallel(increment, numbers, asked.threads), strict=True):
            total.add(self.places[number].features, terms)

    def _fits(self, cells: int, n_classes: int) -> bool:
        """Whether a histogram of all cells stays near, and reading it for every class is little beside the rows."""
        return cells <= DENSE_CELLS and cells * n_classes <= 4 * self.classes.size

    def _count_slices(self, total: Terms, numbers: list[int], asked: Counted) -> None:
        """By bit slices, in parts by level.

        Parts bound the kernel's memory, and there are enough of them to share out when features are few. They do
        not depend on the number of threads, so neither does any sum of floats.
        """
        codes, n_levels, start = asked.codes, asked.n_levels, asked.class_start
        class_rows = asked.class_rows[:0] if asked.class_rows is self.every_row else asked.class_rows
        units = [(number, unit) for number in numbers for unit in range(self.places[number].units)]
        row_bytes = max(self.blocks[number].strides[0] for number in numbers)
        most = max(1, CELLS // max(self.places[number].levels for number in numbers))
        n_parts = min(n_levels, max(-(-TASKS // len(units)), -(-n_levels // most)))
        parts = []
        for part in range(n_parts):
            first, last = n_levels * part // n_parts, n_levels * (part + 1) // n_parts
            tile = max(96 * (last - first), TILE_BYTES // row_bytes)  # at least so many that padding is little
            parts.append((*tile_rows(codes, first, last, class_rows, start, tile, ROWS, codes.size), tile))

        def count(task: tuple[int, int, tuple[Any, ...]]) -> Terms:
            number, unit, own = task
            out = Terms(LANES)
            block, levels = self.blocks[number], self.places[number].levels
            own_levels = own[4].shape[0]
            state = np.zeros((own_levels, levels, STATE), np.uint64)
            counts, both = np.zeros((2, own_levels, levels, LANES), np.int32)
            pair_terms(
                block, unit * LANES // 8, levels, *own, slice_offsets(levels, block.strides[1]), state,
                np.zeros(own_levels, np.int64), counts, both, self.phi, asked.by_class, asked.detail, *out.arrays(),
            )  # fmt: skip
            return out

        tasks = [(number, unit, own) for number, unit in units for own in parts]
        threads = min(asked.threads, 1 + codes.size * n_levels * len(units) // SLICE_LEVELS)
        for (number, unit, _), terms in zip(tasks, parallel(count, tasks, threads), strict=True):
            total.add(self.places[number].features[unit * LANES : (unit + 1) * LANES], terms)

    # -- columns side by side --------------------------------------------------------------------------

    @cached_property
    def side(self) -> PlaneLines:
        """All features but the wide, as lines; made when first asked for."""
        threads = threads_for(self.classes.size * self.levels.size, self.n_jobs)
        return plane_lines(self.levels, self.places, self.blocks, self.class_start, threads)

    @cached_property
    def side_phi(self) -> Phi:
        return with_bytes(self.phi)

    def _by_side(self, n_levels: int, by_class: bool) -> bool:
        """Whether planes count a variable of so many levels in less time than slices."""
        made = "side" in self.__dict__
        key = n_levels, by_class, made
        if key not in self._choices:
            self._choices[key] = self._side_is_cheaper(n_levels, self.n_classes if by_class else 1, made)
        return self._choices[key]

    def _side_is_cheaper(self, n_levels: int, n_classes: int, made: bool) -> bool:
        sliced, n_rows = [place for place in self.places if not place.wide], self.classes.size
        slices = sum(place.units * slice_cost(n_rows, n_classes, n_levels, place.levels) for place in sliced)
        side = sum(place.units * side_cost(n_rows, n_classes, n_levels, place.levels) for place in sliced)
        if sliced and side < LITTLE:  # nobody notices, and one kernel is compiled instead of two
            return True
        if not made:  # a single level is asked about once; a feature follows another
            making = sum(place.units * making_cost(n_rows, place.n_slices) for place in sliced)
            side += making if n_levels == 1 else making / STEPS
        return bool(sliced) and side < slices

    def sums(self, variable: Variable, by_class: bool, n_jobs: int | None) -> NDArray[np.int64] | None:
        """(2, n_features) `Terms.joint` and `Terms.joint_class` where all features are counted side by side."""
        if not (self._by_side(variable.n_levels, by_class) and self.side.complete):
            return None
        found = self._count_side(variable, None, by_class, n_jobs)
        return found if self.side.in_order else found[:, self.side.place]

    def _count_side(
        self, variable: Variable, wanted: NDArray[np.bool_] | None, by_class: bool, n_jobs: int | None
    ) -> NDArray[np.int64]:
        """(2, n) sums of the lines that have wanted features, in the order of the lines; 0 for the others."""
        side = self.side
        new = side.new(variable)
        out = np.zeros((2, side.n_lines * LINE), np.int64)
        pieces = self._pieces(variable.n_levels, by_class)
        if pieces == 1 and wanted is None:
            side.count(new, self.side_phi, by_class, 0, side.n_lines, out[0], out[1])
            return out[:, : side.features.size]
        pieces = min(pieces, thread_count(n_jobs))
        runs = [(0, side.n_lines)]
        if wanted is not None:
            lines = np.unique(np.flatnonzero(wanted[side.features]) // LINE)
            ends = np.flatnonzero(np.diff(lines, append=side.n_lines + 1) > 1)
            runs = [(int(run[0]), int(run[-1]) + 1) for run in np.split(lines, ends[:-1] + 1) if run.size]
        step = max(1, -(-side.n_lines // pieces))
        parts = [(at, min(at + step, last)) for first, last in runs for at in range(first, last, step)]
        parallel(lambda part: side.count(new, self.side_phi, by_class, *part, out[0], out[1]), parts, pieces)
        return out[:, : side.features.size]

    def _pieces(self, n_levels: int, by_class: bool) -> int:
        """Threads between which counting a variable of so many levels with all features is worth sharing."""
        key = n_levels, by_class
        if key not in self._shares:
            n_classes = self.n_classes if by_class else 1
            cost = side_cost(self.classes.size, n_classes, n_levels, self.side.most_levels)
            self._shares[key] = 1 + int(cost * self.side.n_lines * LINE / 256 / SHARE)
        return self._shares[key]

    # -- some features at a time -----------------------------------------------------------------------

    def fronts(self, worth: Floats) -> list[tuple[NDArray[np.intp], Callable[[Variable], Sums]]]:
        """Features that are counted together, and what counts them with a variable and the class.

        Those in planes go by falling ``worth``, so that the first fronts have what is worth most; wide ones stay with
        those they are stored with.
        """
        fronts: list[tuple[NDArray[np.intp], Callable[[Variable], Sums]]] = []
        for place in self.places:
            if place.wide:
                wanted = np.zeros(self.levels.size, bool)
                wanted[place.features] = True
                fronts.append((place.features, partial(self._some_terms, wanted, place.features)))
        if len(fronts) < len(self.places):
            own = self.side.features
            ordered = own[np.argsort(-worth[own], kind="stable")]
            counting = side_cost(self.classes.size, self.n_classes, self.side.most_levels, self.side.most_levels)
            size = FRONT * max(1, min(FRONTS, int(CALL / counting)))
            for start in range(0, ordered.size, size):
                some = np.sort(ordered[start : start + size])
                fronts.append((some, partial(self._front_terms, GatheredLines(self.side, some))))
        return fronts

    def _some_terms(self, wanted: NDArray[np.bool_], features: NDArray[np.intp], variable: Variable) -> Sums:
        found = self.terms(variable, wanted, None, True, True, 1)
        return found.joint[features], found.joint_class[features]

    def _front_terms(self, gathered: GatheredLines, variable: Variable) -> Sums:
        own = gathered.own
        out = np.zeros((2, own.n_lines * LINE), np.int64)
        own.count(self.side.new(variable), self.side_phi, True, 0, own.n_lines, out[0], out[1])
        return out[0, : own.features.size], out[1, : own.features.size]
