"""mRMR of a set, as it is defined before it is made greedy (Peng, Long & Ding 2005, eq. 4–6).

    Φ(S) = (1/k) Σ_i I(X_i;Y) − (1/k²) Σ_i Σ_j I(X_i;X_j),      k = |S|, I(X_i;X_i) = H(X_i) among the terms

The greedy criterion `mrmr` leaves out the terms of a feature with itself, and divides by k − 1; a feature of
many levels is dear here and costs nothing there, so their picks differ. Forward search adds what leaves Φ highest. The
sibling with weights instead of sets is `qpfs`.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from ...statistics.levels.questions import Levels
from ..measure import Account, Scores
from .form import Pairs, QuadraticForm, pairs_of


class MRMRSet(QuadraticForm):
    """Φ(S); a gain is Φ(S ∪ j) − Φ(S), which may be below 0."""

    units: ClassVar[str] = "nats"

    def __init__(self, statistics: Levels | Pairs, *, memory: float = 4.0, verbose: int = 0) -> None:
        pairs = pairs_of(statistics)
        matrix = pairs.matrix("redundancy", memory=memory, verbose=verbose)
        super().__init__(matrix, pairs.relevance, linear=pairs.relevance, curvature=-1.0, per_size=True)
        self.chosen: list[int] = []
        self._shared = np.zeros(self.n_candidates)  # Σ_{i∈S} I(X_i;X_j)
        self._worth = 0.0

    def gains(self) -> Scores:
        size = len(self.chosen) + 1
        relevance = self.relevance[self.chosen].sum() + self.relevance
        redundancy = self._shared[self.chosen].sum() + 2.0 * self._shared + self.diagonal()
        out: Scores = relevance / size - redundancy / size**2 - self._worth
        return out

    def add(self, candidate: int) -> None:
        self._shared += self.rows(np.array([candidate]))[0]
        self.chosen.append(candidate)
        self._worth = self.value(self.chosen)

    def account(self, candidate: int) -> Account:
        shared = self.block(np.array([candidate, *self.chosen]))[0, 1:]
        return Account(float(self.relevance[candidate]), tuple(shared.tolist()))
