"""LiftedMoments: all products of lifted columns, where rows are not kept. Mergeable; for some thousand columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...coding.lifted import group_starts
from ...coding.lifted_coding import LiftedCoding
from ...sources import Table
from .blocks import TakeBytes
from .lifted import LiftedStatistics
from .part import Counts, Products, Question, Targets, TargetSums, Whole, shift

Floats = NDArray[np.float64]
STRIP = 4096  # rows lifted at a time


@dataclass(frozen=True, eq=False)
class LiftedMoments:
    """Sums over rows, all of whole numbers: products (M, M) of lifted columns, and what `LiftedPart` answers."""

    products: Floats
    counts: NDArray[np.int64]
    lifted: NDArray[np.int64]
    levels: NDArray[np.int64]
    totals: Floats
    targets: Floats

    def __add__(self, other: LiftedMoments) -> LiftedMoments:
        return LiftedMoments(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))

    def arrays(self) -> dict[str, NDArray[Any]]:
        return {f.name: getattr(self, f.name) for f in fields(self)}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]], coding: LiftedCoding) -> LiftedMoments:
        """ValueError where they do not fit the coding."""
        found = cls(*(np.asarray(arrays[f.name]) for f in fields(cls)))
        size, q = coding.lifting.n_lifted, len(found.totals)
        shapes = found.products.shape, found.lifted.shape, found.counts.shape, found.targets.shape
        if shapes != ((size, size), (size, q), (2, len(coding.mass)), (q, q)):
            raise ValueError("sums do not fit the coding")
        return found

    def statistics(self, coding: LiftedCoding) -> LiftedStatistics:
        """What measures ask."""
        lifting = coding.lifting

        def ask(question: Question) -> Any:
            if isinstance(question, Counts):
                return self.counts
            if isinstance(question, Targets):
                return TargetSums(self.lifted, self.levels, self.totals, self.targets)
            if isinstance(question, Whole):
                return None  # there are no rows any more
            assert isinstance(question, Products)
            own = statistics.lifted(question.columns)
            return self.products[own].astype(np.int64) + shift(question.digits) * statistics.row_sums

        classes = coding.number is None
        n_order = len(self.totals) if classes else 1
        statistics = LiftedStatistics(ask, lifting, self.counts, (n_order, classes, not classes))
        return statistics


@dataclass(frozen=True)
class TakeLifted:
    """Makes the moments of a block."""

    make: TakeBytes
    coding: LiftedCoding

    def __call__(self, table: Table) -> LiftedMoments:
        part, lifting = self.make(table), self.coding.lifting
        total = np.zeros((lifting.n_lifted, lifting.n_lifted))
        for start in range(0, part.n_rows, STRIP):
            rows = slice(start, start + STRIP)
            values = [lifting.table(j)[:, part.codes[j, rows]] for j in range(lifting.n_columns)]
            block = np.concatenate(values).astype(np.float64)
            total += (block if part.weights is None else block * part.weights[rows]) @ block.T  # below 2⁵³: exact
        counts = part.counts(group_starts(self.coding.coder.rules))
        sums = part.target_sums(lifting)
        return LiftedMoments(total, counts, sums.lifted, sums.counts, sums.totals, sums.products)


def merge_moments(one: LiftedMoments, other: LiftedMoments) -> LiftedMoments:
    return one + other
