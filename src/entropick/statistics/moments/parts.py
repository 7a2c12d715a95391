"""Moments of rows that come in blocks: raw values, or normal scores by ranks from a pass before."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...coding.block_rows import RowReader
from ...coding.sketch import RankSketch
from ...sources import Table
from .collect import collect_moments, matrix_of
from .form import check_complete
from .moments import Moments
from .normal_scores import NormalScores

WIDTH = 1024  # of the sketch of ranks: 0.4 % of a million rows at the very worst


@dataclass(frozen=True)
class TakeRanks:
    """Makes the sketch of ranks of a block; weights are not looked at."""

    reader: RowReader

    def __call__(self, table: Table) -> RankSketch:
        features, _, _ = self.reader(table)
        X = matrix_of(features)
        check_complete(X, features)
        sketch = RankSketch(features.n_columns, WIDTH)
        sketch.add(np.sort(np.asarray(X.T, dtype=np.float64), axis=1))
        return sketch


def merge_ranks(one: RankSketch, other: RankSketch) -> RankSketch:
    return one.merged(other)


@dataclass(frozen=True)
class TakeMoments:
    """Makes the moments of a block; of its normal scores, where ranks are given."""

    reader: RowReader
    n_jobs: int | None = None
    ranks: NormalScores | None = None

    def __call__(self, table: Table) -> Moments:
        features, target, weights = self.reader(table)
        X = features if self.ranks is None else self.ranks.transform(matrix_of(features))
        memory = collect_moments(X, target, weights, self.n_jobs, form="matrices")
        assert isinstance(memory, Moments)
        memory.release_buffer()
        return memory


def merge_moments(one: Moments, other: Moments) -> Moments:
    """What both have seen; both stay as they are."""
    return one.copy().merge(other)
