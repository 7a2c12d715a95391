"""FCBF: features more tied to the class than to any better feature."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...statistics.levels.questions import Levels
from ..measure import Account, Scores
from ..pairwise.chance import ChiSquare


def uncertainty(entropy_a: Any, entropy_b: Any, joint: Any) -> Any:
    """SU = 2 I(A;B) / (H(A) + H(B)), from 0 to 1; 0 where both are constant."""
    both = np.asarray(entropy_a + entropy_b, dtype=np.float64)
    shared = np.maximum(both - joint, 0.0)
    return np.where(both > 0, 2.0 * shared / np.where(both > 0, both, 1.0), 0.0)


class FCBF:
    """SU(X_k, Y) of the predominant features; SU(X_k, Y) − 1 of those that a better feature covers.

    SU(A, B) = 2 I(A;B) / (H(A) + H(B)). A pick X_i covers X_k where SU(X_i, X_k) ≥ SU(X_k, Y) and
    SU(X_i, Y) ≥ SU(X_k, Y): an approximate Markov blanket (Yu & Liu 2004). Under forward search that is their
    algorithm; covered features follow by their SU, so that a ranking is complete. ``k="auto"`` takes predominant
    features whose information is distinguishable from chance. delta: SU up to it is no relevance.
    Only the tables of picks with features not yet covered are asked for (``pairs_computed``).
    Sibling: `CFS`, which weighs relevance against redundancy instead of cutting.
    """

    units: ClassVar[str] = ""

    def __init__(self, statistics: Levels, delta: float = 0.0) -> None:
        self.statistics = statistics
        self.n_candidates = statistics.n_features
        singles = statistics.singles()
        self._entropy = singles.feature
        self.relevance = uncertainty(singles.feature, statistics.target_entropy, singles.feature_class)
        self._covered = self.relevance <= delta
        self._free = np.ones(self.n_candidates, bool)
        self._latest: NDArray[np.intp] = np.empty(0, np.intp)
        self._law: Scores | None = None
        self.predominant: list[int] = []
        self.pairs_computed = 0

    def gains(self) -> Scores:
        out: Scores = np.where(self._covered, self.relevance - 1.0, self.relevance)
        return out

    def add(self, candidate: int) -> None:
        self._free[candidate] = False
        self._latest = np.empty(0, np.intp)
        if self._covered[candidate]:
            return
        self.predominant.append(candidate)
        open_ = self._free & ~self._covered & (self.relevance <= self.relevance[candidate])
        asked = np.flatnonzero(open_)
        if not asked.size:
            return
        joint = self.statistics.pairs(candidate, asked, by_class=False).feature[asked]
        self.pairs_computed += asked.size
        shared = uncertainty(self._entropy[asked], self._entropy[candidate], joint)
        lost = asked[shared >= self.relevance[asked]]
        self._covered[lost] = True
        self._latest = lost[np.argsort(-self.relevance[lost], kind="stable")]

    def account(self, candidate: int) -> Account:
        return Account(float(self.relevance[candidate]), extra={"predominant": bool(not self._covered[candidate])})

    def made_redundant(self) -> NDArray[np.intp]:
        return self._latest

    def p_values(self) -> Scores:
        """χ² law of the information with the class; 1 for covered features."""
        if self._law is None:
            law = ChiSquare(self.statistics, 0.05)
            self._law = np.array([law.p_value(j) for j in range(self.n_candidates)])
        return np.where(self._covered, 1.0, self._law)

    def why_stopped(self) -> str:
        """Why ``k="auto"`` ends."""
        return "no remaining feature is both predominant and significant"

    def details(self) -> dict[str, Any]:
        d = self.n_candidates
        return {"pairs_computed": int(self.pairs_computed), "pairs_possible": d * (d - 1) // 2}
