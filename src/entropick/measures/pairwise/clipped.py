"""ICAP: only overlap counts, synergy does not."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..measure import Scores
from .pairwise import Pair, PairwiseMeasure


class ICAP(PairwiseMeasure):
    """J = I(X_k;Y) − Σ_j max(0, I(X_k;X_j) − I(X_k;X_j|Y)) (Jakulin 2005, interaction capping).

    `CIFE` without credit for synergy: a pair that says more together than apart adds nothing. Makes Assumption 1.
    The sum grows with |S|. FEAST: icap (bits); scikit-feature: ICAP (bits).
    """

    compiled: ClassVar[str | None] = "overlap"

    def link(self, pair: Pair) -> tuple[Scores, ...]:
        return (np.maximum(pair.redundancy - pair.complementarity, 0.0),)

    def score(self, relevance: Scores, folded: NDArray[np.float64], size: int) -> Scores:
        out: Scores = relevance - folded[0]
        return out
