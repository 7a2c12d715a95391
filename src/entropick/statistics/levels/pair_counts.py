"""PairCounts: the tables of all pairs of features with the class, which need no rows any more.

    n(a, b, c)   rows with X_i = a, X_j = b and Y = c, for all i < j

Whoever has them can answer whatever a criterion on pairs asks, so they can be saved, merged with those of others who
coded alike, and selected from. They take 8 C Σ_{i<j} L_i L_j bytes for L_i levels and C classes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...errors import InvalidInput, InvalidParameter
from ...sources import Table
from .counted import CountedLevels, Layout
from .parts import CodeRows, CountRows

Counts = NDArray[np.int64]
LIMIT = 4 << 30  # bytes that tables may take where memory is not limited


def table_bytes(levels: NDArray[np.int64], n_classes: int) -> int:
    """Bytes of the tables of all pairs."""
    total = int(levels.sum())
    return 8 * n_classes * ((total * total - int((levels**2).sum())) // 2 + total)


def check_size(levels: NDArray[np.int64], n_classes: int, memory: int | None) -> None:
    """All tables, three times over (a block's, the sum so far, their sum), fit in memory."""
    needed, limit = 3 * table_bytes(levels, n_classes), LIMIT if memory is None else memory
    if needed > limit:
        raise InvalidParameter(
            f"memory: the tables of all pairs of {levels.size} features ({n_classes} classes) need {needed} bytes, got"
            f" a limit of {limit}; raise it, drop features, or use fewer bins"
        )


class PairCounts(CountedLevels):
    """Counts of every feature, and of every pair, with the class; the questions of `LevelStatistics`.

    ``single[i]`` is (n_classes, levels_i); ``pairs[i]`` has the tables of feature i with those after it, one after the
    other, each (n_classes, levels_i, levels_j).
    """

    def __init__(
        self, levels: ArrayLike, n_classes: int, n_rows: int, single: list[Counts], pairs: list[Counts], **options: Any
    ) -> None:
        super().__init__(levels, n_classes, n_rows, **options)
        self.single = single
        self.pairs_of = pairs

    def merged(self, other: PairCounts) -> PairCounts:
        """What both have seen, coded alike."""
        if not np.array_equal(self.levels, other.levels) or self.n_classes != other.n_classes:
            raise InvalidInput("other: counts of other levels or classes cannot be merged; code both alike")
        single = [a + b for a, b in zip(self.single, other.single, strict=True)]
        pairs = [a + b for a, b in zip(self.pairs_of, other.pairs_of, strict=True)]
        return PairCounts(self.levels, self.n_classes, self.n_rows + other.n_rows, single, pairs)

    def asking(self, estimator: str, n_jobs: int | None) -> PairCounts:
        """The same counts, for an estimator."""
        return PairCounts(
            self.levels, self.n_classes, self.n_rows, self.single, self.pairs_of, estimator=estimator, n_jobs=n_jobs
        )

    def after(self, feature: int) -> Layout:
        """How `pairs_of` of a feature is laid out."""
        return self._layout(np.arange(feature + 1, self.n_features), int(self.levels[feature]), True)

    def _count(self, feature: int | None, layout: Layout, by_class: bool) -> Counts:
        tables = [self._table(feature, int(j)) for j in layout.features]
        if not by_class:
            tables = [table.sum(axis=0) for table in tables]
        return np.concatenate([table.reshape(-1) for table in tables])

    def _table(self, i: int | None, j: int) -> Counts:
        """(n_classes, levels_i, levels_j)"""
        if i is None:
            return self.single[j][:, None, :]
        if i == j:
            same = np.zeros((self.n_classes, self.levels[i], self.levels[i]), np.int64)
            own = np.arange(self.levels[i])
            same[:, own, own] = self.single[i]
            return same
        first, second = min(i, j), max(i, j)
        table = self.after(first).table(self.pairs_of[first], second - first - 1)
        return table if i < j else table.transpose(0, 2, 1)


@dataclass(frozen=True)
class CountPairs:
    """Makes the counts of all pairs of a block."""

    code: CodeRows

    def __call__(self, table: Table) -> PairCounts:
        part = self.code(table)
        levels, n_classes = part.levels, part.n_classes
        everything = np.arange(levels.size)

        def count(feature: int | None, others: NDArray[np.intp]) -> Counts:
            if not others.size:
                return np.zeros(0, np.int64)
            n_levels = 1 if feature is None else int(levels[feature])
            return CountRows(feature, Layout(others, levels[others], n_levels, n_classes), 1.0, self.code.n_jobs)(part)

        alone = Layout(everything, levels, 1, n_classes)
        found = count(None, everything)
        single = [alone.table(found, j)[:, 0] for j in range(levels.size)]
        pairs = [count(i, everything[i + 1 :]) for i in everything.tolist()]
        return PairCounts(levels, n_classes, sum(s.classes.size for s in part.segments), single, pairs)


def merge_pairs(one: PairCounts, other: PairCounts) -> PairCounts:
    return one.merged(other)
