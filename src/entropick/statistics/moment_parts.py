"""Moments of rows that come in blocks: raw values, or normal scores by ranks from a pass before."""

from __future__ import annotations

from dataclasses import dataclass

from ..coding.block_rows import RowReader
from ..sources import Table
from .moment_collect import collect_moments, matrix_of
from .moment_form import check_finite
from .moments import Moments
from .normal_scores import NormalScores


@dataclass(frozen=True)
class TakeRanks:
    """Makes the sketch of ranks of a block; weights are not looked at."""

    reader: RowReader

    def __call__(self, table: Table) -> NormalScores:
        features, _, _ = self.reader(table)
        X = matrix_of(features)
        check_finite(X, features)
        return NormalScores(features.n_columns).update(X)


def merge_ranks(one: NormalScores, other: NormalScores) -> NormalScores:
    """What both have seen; both stay as they are."""
    return NormalScores(one.n_features, one.width).merge(one).merge(other)


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
