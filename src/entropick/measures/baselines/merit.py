"""CFS: a set that is tied to the class and not within itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from ...statistics.levels.questions import Levels
from ..measure import Account, Scores
from .predominant import uncertainty


class CFS:
    """merit(S) = Σ_{j∈S} SU(X_j, Y) / √(|S| + 2 Σ_{i<j∈S} SU(X_i, X_j)) (Hall 2000).

    |S| r̄_cf / √(|S| + |S|(|S| − 1) r̄_ff) written with sums; SU(A, B) = 2 I(A;B) / (H(A) + H(B)). A gain is how much
    the merit grows. Hall searches best first (`search.best_first`); forward search gives a complete ranking. The
    tables of a feature with all others are counted when a set with it is first looked at, once
    (``pairs_computed``). Sibling: `FCBF`.
    """

    units: ClassVar[str] = ""

    def __init__(self, statistics: Levels) -> None:
        self.statistics = statistics
        self.n_candidates = statistics.n_features
        singles = statistics.singles()
        self._entropy = singles.feature
        self.relevance = uncertainty(singles.feature, statistics.target_entropy, singles.feature_class)
        self._rows: dict[int, Scores] = {}
        self.chosen: list[int] = []

    def _shared(self, feature: int) -> Scores:
        """(n_candidates,) SU of one feature with every other; 0 with itself."""
        if feature not in self._rows:
            joint = self.statistics.pairs(feature, by_class=False).feature
            row = uncertainty(self._entropy, self._entropy[feature], joint)
            row[feature] = 0.0
            self._rows[feature] = row.astype(np.float64)
        return self._rows[feature]

    def merit(self, members: Sequence[int]) -> float:
        """The merit of a set; 0 of the empty one."""
        own = list(members)
        if not own:
            return 0.0
        inside = sum(float(self._shared(i)[own].sum()) for i in own)
        return float(self.relevance[own].sum()) / float(np.sqrt(len(own) + inside))

    def merits(self, members: Sequence[int]) -> Scores:
        """(n_candidates,) merit of the set with each candidate added; −∞ for its own members."""
        own = list(members)
        across = np.zeros(self.n_candidates)
        inside = 0.0
        for i in own:
            row = self._shared(i)
            across += row
            inside += float(row[own].sum())
        out: Scores = (self.relevance[own].sum() + self.relevance) / np.sqrt(len(own) + 1.0 + inside + 2.0 * across)
        out[own] = -np.inf
        return out

    def gains(self) -> Scores:
        out = self.merits(self.chosen) - self.merit(self.chosen)
        out[self.chosen] = 0.0
        return out

    def add(self, candidate: int) -> None:
        self.chosen.append(candidate)

    def account(self, candidate: int) -> Account:
        merit = self.merit(self.chosen) + self.gains()[candidate]
        shared = tuple(float(self._shared(i)[candidate]) for i in self.chosen)
        return Account(float(self.relevance[candidate]), shared, extra={"merit": float(merit)})

    def details(self) -> dict[str, Any]:
        d, m = self.n_candidates, len(self._rows)
        pairs = m * (d - 1) - m * (m - 1) // 2
        return {"pairs_computed": pairs, "pairs_possible": d * (d - 1) // 2}
