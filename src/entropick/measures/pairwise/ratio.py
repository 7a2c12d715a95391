"""DISR: joint information as a share of the joint entropy."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..measure import Scores
from .pairwise import Pair, PairwiseMeasure


class DISR(PairwiseMeasure):
    """J = Σ_j I(X_k X_j;Y) / H(X_k X_j Y) (Meyer & Bontempi 2006); I(X_k;Y) for the first.

    `JMI` with every term divided by its joint entropy, which offsets the advantage of features with many levels.
    Makes Assumption 1. A sum of ratios, without units after the first step; FEAST and praznik report the same sum.
    """

    units: ClassVar[str] = ""
    compiled: ClassVar[str | None] = "share"

    def link(self, pair: Pair) -> tuple[Scores, ...]:
        share = np.zeros_like(pair.information)
        np.divide(pair.information, pair.feature_class, out=share, where=pair.feature_class > 0)
        return (share,)

    def score(self, relevance: Scores, folded: NDArray[np.float64], size: int) -> Scores:
        return folded[0].copy() if size else relevance.copy()
