"""SparseLevels: coded columns of a sparse table, as the entries they have, and every table counted from these.

A feature with all others costs the entries of the rows in which it has one itself: postings that meet. All else follows
from the margins. Counts are the integers of `LevelStatistics`, so entropies are the same to the last bit.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...coding.entries import CodedEntries
from ...kernels.postings import complete_counts, count_common, count_entries, count_margins
from ...threads import parallel, thread_count
from .counted import CountedLevels, Layout
from .fixed_point import whole_unit, whole_weights
from .questions import JointEntropies, LevelRows, Question

Integers = NDArray[np.int64]
SHARE = 1 << 13  # features for which a second thread is worth waking


class SparseLevels(CountedLevels, LevelRows):
    """entries: codes of all columns; levels (n_features,); classes (n,) 0 … n_classes − 1; weights (n,) frequencies."""

    n_rows = 0  # an attribute, set below
    single_bytes = 2 << 20  # no pass over rows is saved by more

    def __init__(
        self,
        entries: CodedEntries,
        levels: ArrayLike,
        classes: ArrayLike,
        n_classes: int,
        weights: ArrayLike | None = None,
        *,
        estimator: str = "plugin",
        n_jobs: int | None = None,
    ) -> None:
        own = np.ascontiguousarray(classes, np.int32)
        rows = np.argsort(own, kind="stable")
        self._weights = np.empty(0, np.int64)
        unit = 1.0
        if weights is not None:
            held = np.ascontiguousarray(weights, np.float64)
            rows = rows[held[rows] > 0]
            unit = whole_unit(held[rows])
            self._weights = whole_weights(held, unit)
            own = np.where(held > 0, own, -1).astype(np.int32)
        super().__init__(levels, n_classes, rows.size, unit, estimator=estimator, n_jobs=n_jobs)
        self._entries, self._classes, self._order = entries, own, rows

    @cached_property
    def _class_counts(self) -> Integers:
        kept = self._classes[self._order]
        counts = np.zeros(self.n_classes, np.int64)
        np.add.at(counts, kept, self._weights[self._order] if self._weights.size else 1)
        return counts

    # -- counting --------------------------------------------------------------------------------------

    def _count(self, feature: int | None, layout: Layout, by_class: bool) -> Integers:
        if feature is None:
            return self._alone(layout, by_class)
        margins, margin_at = self._margins
        entries, cells = self._entries, self._entries.cells
        held, spared = slice(entries.at[feature], entries.at[feature + 1]), int(entries.base[feature])
        own, classes = self._margin(feature), self._classes
        if not by_class:
            classes, own = np.minimum(classes, 0), own.sum(axis=0, keepdims=True)
        tally = np.zeros((len(own), layout.n_levels - 1, int(cells.spot[-1]) + 1), self._dtype)
        count_common(
            cells.at, cells.cells, entries.rows[held], entries.codes[held], spared, classes, self._weights, tally
        )
        out = np.empty(layout.size, np.int64)
        self._share(
            layout.features.size,
            lambda first, last: complete_counts(
                tally, layout.features, entries.base, cells.spot, margins, margin_at, own, spared, first, last,
                layout.at, layout.levels, layout.n_levels, out,
            ),
        )  # fmt: skip
        return out

    def _alone(self, layout: Layout, by_class: bool) -> Integers:
        """Counts of some features by themselves. A ranking asks for them once: they are not kept."""
        where, entries = layout.where, self._entries
        first = where.start if isinstance(where, slice) else 0
        own = entries if isinstance(where, slice) else entries.select(layout.features)
        classes, totals = self._classes, self._class_counts
        if not by_class:
            classes, totals = np.minimum(classes, 0), totals.sum(keepdims=True)
        return self._counted(own, first, classes, totals, layout.levels, layout.at, layout.size).astype(np.int64)

    def _counted(
        self, own: CodedEntries, first: int, classes: NDArray[np.int32], totals: Integers, levels: Integers,
        at: Integers, size: int,
    ) -> NDArray[Any]:  # fmt: skip
        """Counts (classes, levels) of a run of features from ``first`` on, one after another."""
        counts, end = np.zeros(size, self._dtype), first + levels.size
        starts, base = own.at[first : end + 1], own.base[first:end]
        self._share(
            levels.size,
            lambda one, last: count_margins(
                starts, own.rows, own.codes, base, classes, self._weights, totals, one, last, at, levels, counts
            ),
        )
        return counts

    def _with(
        self, variable: NDArray[np.int32], target_rows: NDArray[np.intp] | None, layout: Layout, by_class: bool
    ) -> Integers:
        """A variable given in every row of the table, those left out too."""
        entries, classes, weights = self._entries, self._classes, self._weights
        if target_rows is not None:
            moved = self._order[target_rows]
            classes = np.full(classes.size, -1, np.int32)
            classes[self._order] = self._classes[moved]
            if weights.size:
                weights = weights.copy()
                weights[self._order] = self._weights[moved]
        if not by_class:
            classes = np.minimum(classes, 0)
        own = np.zeros((layout.n_classes, layout.n_levels), np.int64)
        np.add.at(own, (classes[self._order], variable[self._order]), weights[self._order] if weights.size else 1)
        out = np.zeros(layout.size, np.int64)
        self._share(
            layout.features.size,
            lambda first, last: count_entries(
                entries.at, entries.rows, entries.codes, entries.base, layout.features, variable, classes, weights,
                own, first, last, layout.at, layout.levels, layout.n_levels, out,
            ),
        )  # fmt: skip
        return out

    def _share(self, n: int, work: Callable[[int, int], None]) -> None:
        """Ranges of n features, on threads."""
        parts = [(first, min(first + SHARE, n)) for first in range(0, n, SHARE)]
        parallel(lambda part: work(*part), parts, thread_count(self.n_jobs))

    @property
    def _dtype(self) -> Any:
        return np.int64 if self._weights.size else np.int32

    @cached_property
    def _margins(self) -> tuple[NDArray[Any], Integers]:
        """Counts (n_classes, levels) of every feature, one after another, and where each begins."""
        at = np.append(0, np.cumsum(self.levels * self.n_classes))
        return self._counted(self._entries, 0, self._classes, self._class_counts, self.levels, at, int(at[-1])), at

    def _margin(self, feature: int) -> Integers:
        """(n_classes, levels) of one feature."""
        margins, at = self._margins
        return margins[at[feature] : at[feature + 1]].reshape(self.n_classes, -1).astype(np.int64)

    # -- asking ----------------------------------------------------------------------------------------

    def codes(self, feature: int) -> NDArray[np.int32]:
        """(n_rows,) the codes of one feature, rows by class as `LevelStatistics` has them."""
        return self._entries.column(feature)[self._order].astype(np.int32)

    def variable(self, codes: NDArray[np.int32], n_levels: int) -> tuple[float, float, int]:
        """H(V), H(V, Y) in nats and the number of occupied cells of (V, Y), for any variable given by codes."""
        weights = self._weights[self._order] if self._weights.size else np.int64(1)
        alone = np.zeros(n_levels, np.int64)
        np.add.at(alone, codes, weights)
        cells, inverse = np.unique(
            codes.astype(np.int64) * self.n_classes + self._classes[self._order], return_inverse=True
        )
        joint = np.zeros(cells.size, np.int64)
        np.add.at(joint, inverse, weights)

        def entropy(counts: Integers) -> float:
            return float(self._fixed.entropy(self._fixed.sum(counts), np.count_nonzero(counts), self.estimator))

        return entropy(alone), entropy(joint), int(cells.size)

    def _answer(self, asked: Question) -> JointEntropies:
        variable = np.zeros(self._classes.size, np.int32)
        variable[self._order] = asked.codes
        count = partial(self._with, variable, asked.target_rows)
        shuffled = asked.target_rows is not None
        return self._entropies(count, asked.n_levels, asked.candidates, asked.by_class, asked.detail, shuffled=shuffled)
