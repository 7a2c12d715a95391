"""Criteria that judge a candidate by the pick that serves it worst: CMIM (also called IF) and JMIM."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..statistics.levels import LevelStatistics
from .measure import Scores
from .pairwise import LEDGER_BYTES, Pair, PairwiseMeasure


class CMIM(PairwiseMeasure):
    """J = min( I(X_k;Y), min_j I(X_k;Y|X_j) ) (Fleuret 2004).

    What the candidate still says of the class given the pick that leaves it least; capped at the relevance, as in
    Fleuret's algorithm, so that the score can only fall and most tables need never be counted (lazy search). Equal
    to the Informative Fragments of Vidal-Naquet & Ullman 2003. Makes Assumption 1. praznik: CMIM (nats, same cap);
    FEAST: cmim (bits). Sibling: `JMIM` adds back what the pick itself says.
    """

    fold: ClassVar[str] = "min"

    def __init__(self, statistics: LevelStatistics) -> None:
        super().__init__(statistics)
        self._seen = np.zeros(self.n_candidates, np.intp)  # picks that each bound already takes into account
        self.pairs_counted = 0

    def link(self, pair: Pair) -> tuple[Scores, ...]:
        return (pair.given,)

    def score(self, relevance: Scores, folded: NDArray[np.float64], size: int) -> Scores:
        return np.minimum(relevance, folded[0])

    # -- lazily: a pick is only noted, and bounds are brought up to date where they decide -----------------

    def note(self, candidate: int) -> None:
        """Put the candidate into the set without counting any table."""
        self._free[candidate] = False
        self.chosen.append(candidate)
        kept = len(self.chosen) * 2 * self.n_candidates * 8 < LEDGER_BYTES
        blank = (np.full(self.n_candidates, np.nan), np.full(self.n_candidates, np.nan))
        self._ledger.append(blank if kept else None)

    def bounds(self) -> Scores:
        return self.score(self.relevance, self._folded, len(self.chosen))

    def stale(self) -> NDArray[np.bool_]:
        return self._seen < len(self.chosen)

    def tighten(self, candidates: NDArray[np.intp]) -> None:
        """One more pick for these candidates, and for those counted with them at no extra cost."""
        for seen in np.unique(self._seen[candidates]):
            if seen == len(self.chosen):
                continue
            asked = candidates[self._seen[candidates] == seen]
            together = self.statistics.counted_together(asked) & self._free & (self._seen == seen)
            found = np.flatnonzero(together)
            pair = self.pair(self.chosen[seen], found)
            self._folded[0, found] = np.fmin(self._folded[0, found], pair.given[found])
            entry = self._ledger[seen]
            if entry is not None:
                entry[0][found], entry[1][found] = pair.redundancy[found], pair.complementarity[found]
            self._seen[found] += 1
            self.pairs_counted += found.size


class JMIM(PairwiseMeasure):
    """J = min_j I(X_k X_j;Y) (Bennasar, Hicks & Setchi 2015); I(X_k;Y) for the first.

    What the candidate and the least helpful pick say of the class together. Makes Assumption 1. Unlike `CMIM` it
    does not subtract I(X_j;Y), so weak picks hold a candidate back more than redundant ones. praznik: JMIM (nats).
    """

    fold: ClassVar[str] = "min"

    def link(self, pair: Pair) -> tuple[Scores, ...]:
        return (pair.information,)

    def score(self, relevance: Scores, folded: NDArray[np.float64], size: int) -> Scores:
        return folded[0].copy() if size else relevance.copy()
