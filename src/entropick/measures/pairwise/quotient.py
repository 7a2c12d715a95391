"""MIQ: relevance divided by redundancy."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..measure import Scores
from .pairwise import Pair, PairwiseMeasure

FLOOR = 1e-6  # nats; far below the sampling error of any table, so that independent features divide finely


class MIQ(PairwiseMeasure):
    """J = I(X_k;Y) / max( (1/|S|) Σ_j I(X_k;X_j), 1e-6 ) (Ding & Peng 2003); I(X_k;Y) for the first.

    `MRMR` with a quotient in place of the difference: a ratio, without units after the first step. Makes
    Assumptions 1 and 2. Harsh on redundancy: a weak feature that overlaps with nothing can win.
    """

    units: ClassVar[str] = ""
    by_class: ClassVar[bool] = False
    compiled: ClassVar[str | None] = "redundancy"

    def link(self, pair: Pair) -> tuple[Scores, ...]:
        return (pair.redundancy,)

    def score(self, relevance: Scores, folded: NDArray[np.float64], size: int) -> Scores:
        return relevance / np.maximum(folded[0] / size, FLOOR) if size else relevance.copy()
