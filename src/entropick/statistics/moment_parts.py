"""Moments of rows that come in blocks: raw values, or normal scores by ranks from a pass before."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..coding.block_rows import RowReader
from ..sources import Table
from .moment_collect import matrix_of
from .moment_form import remember
from .moments import Moments
from .normal_scores import NormalScores


@dataclass(frozen=True)
class TakeRanks:
    """Makes the sketch of ranks of a block; weights are not looked at."""

    reader: RowReader

    def __call__(self, table: Table) -> NormalScores:
        features, _, _ = self.reader(table)
        return NormalScores(features.n_columns).update(matrix_of(features))


def merge_ranks(one: NormalScores, other: NormalScores) -> NormalScores:
    """What both have seen; both stay as they are."""
    return NormalScores(one.n_features, one.width).merge(one).merge(other)


@dataclass(frozen=True)
class TakeMoments:
    """Makes the moments of a block; of its normal scores, where ranks are given."""

    reader: RowReader
    ranks: NormalScores | None = None

    def __call__(self, table: Table) -> Moments:
        features, target, weights = self.reader(table)
        X = matrix_of(features)
        if self.ranks is not None:
            X = self.ranks.transform(X)
        regression = target.task == "regression"
        codes = np.zeros(len(X), np.intp) if regression else np.asarray(target.codes)
        values = target.values.reshape(len(X), -1) if regression and target.values is not None else None
        memory = remember(X, codes, 1 if regression else target.n_classes, values, weights, in_rows=False)
        assert isinstance(memory, Moments)
        return memory


def merge_moments(one: Moments, other: Moments) -> Moments:
    """What both have seen; both stay as they are."""
    return one.copy().merge(other)
