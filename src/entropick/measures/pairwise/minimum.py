"""Criteria that judge a candidate by the pick that serves it worst: CMIM (also called IF) and JMIM."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ...statistics.levels.questions import Front, JointEntropies, Levels
from ..measure import Account, Scores
from .fold import Fold, Min
from .pairwise import Pair, PairwiseMeasure


class CMIM(PairwiseMeasure):
    """J = min( I(X_k;Y), min_j I(X_k;Y|X_j) ) (Fleuret 2004).

    The information that the candidate adds to the selected feature that leaves it least, capped at the relevance as in
    Fleuret's algorithm, so that the score can only fall and most tables need never be counted (lazy search). Equal
    to the Informative Fragments of Vidal-Naquet & Ullman 2003. Makes Assumption 1. praznik: CMIM (nats, same cap);
    FEAST: cmim (bits). Sibling: `JMIM` adds back what the pick itself says.
    """

    fold: ClassVar[Fold] = Min()
    compiled: ClassVar[str | None] = "given"

    def __init__(self, statistics: Levels) -> None:
        super().__init__(statistics)
        self.pairs_counted = 0
        self._fronts: list[_Front] = []
        self._front_of = np.empty(0, np.intp)

    def link(self, pair: Pair) -> tuple[Scores, ...]:
        return (pair.given,)

    def score(self, relevance: Scores, folded: NDArray[np.float64], size: int) -> Scores:
        out: Scores = np.minimum(relevance, folded[0])
        return out

    # -- lazily: a pick is only noted, and bounds are brought up to date where they decide -----------------
    #
    # Candidates wait in fronts of some hundreds, the most relevant first. A front is counted as a whole, a pick at a
    # time, and only as long as one of its candidates might win: of most fronts no table is ever counted.

    def _prepare(self) -> None:
        """Candidates to their fronts, before the first pick."""
        self._fronts = [
            _Front(front, self._entropy[some], self._entropy_class[some], self.relevance[some], some.size)
            for front in self.statistics.fronts(self.relevance)
            for some in (front.features,)
        ]
        self._front_of = np.empty(self.n_candidates, np.intp)
        for number, own in enumerate(self._fronts):
            self._front_of[own.front.features] = number
        self._folded[0] = self.relevance  # the bounds, from here on

    def note(self, candidate: int) -> None:
        """Put the candidate into the set without counting any table."""
        if not self._fronts:
            self._prepare()
        self._free[candidate] = False
        self._fronts[self._front_of[candidate]].left -= 1
        self.chosen.append(candidate)

    def bounds(self) -> Scores:
        return self._folded[0] if self._fronts else self.relevance

    def up_to_date(self, candidate: int) -> bool:
        return not self.chosen or self._fronts[self._front_of[candidate]].size == len(self.chosen)

    def tighten(self, candidates: NDArray[np.intp]) -> None:
        """One more pick for the fronts of these candidates."""
        for number in {*self._front_of[candidates].tolist()}:
            own = self._fronts[number]
            if own.size == len(self.chosen):
                continue
            pick = self.chosen[own.size]
            terms = own.front.pairs(pick)
            pair = Pair(
                pick, terms.feature, terms.feature_class, own.entropy, own.entropy_class, self._entropy[pick],
                self._entropy_class[pick], self._target,
            )  # fmt: skip
            np.minimum(own.bounds, pair.given, out=own.bounds)
            self._folded[0, own.front.features] = own.bounds
            own.keep(terms)
            self.pairs_counted += own.left

    def account(self, candidate: int) -> Account:
        if not self._fronts:
            return super().account(candidate)
        own = self._fronts[self._front_of[candidate]]
        at = int(own.front.features.searchsorted(candidate))
        return self._account(candidate, own.kept[: own.size, :, at].T, np.array(self.chosen[: own.size], np.intp))


@dataclass
class _Front:
    """Candidates that are brought up to date together: H(X_k), H(X_k Y), bounds, and how many are not chosen.

    ``kept`` (room, 2, n) are their entropies with the first ``size`` picks.
    """

    front: Front
    entropy: Scores
    entropy_class: Scores
    bounds: Scores
    left: int
    size: int = 0
    kept: Scores = field(default_factory=lambda: np.empty((0, 2, 0)))

    def keep(self, terms: JointEntropies) -> None:
        if self.size == len(self.kept):
            kept = np.empty((2 * self.size + 8, 2, self.bounds.size))
            kept[: self.size] = self.kept if self.size else 0.0
            self.kept = kept
        self.kept[self.size] = terms.feature, terms.feature_class
        self.size += 1


class JMIM(PairwiseMeasure):
    """J = min_j I(X_k X_j;Y) (Bennasar, Hicks & Setchi 2015); I(X_k;Y) for the first.

    The joint information of the candidate and the least helpful selected feature. Makes Assumption 1. Unlike `CMIM` it
    does not subtract I(X_j;Y), so weak picks hold a candidate back more than redundant ones. praznik: JMIM (nats).
    """

    fold: ClassVar[Fold] = Min()
    compiled: ClassVar[str | None] = "information"

    def link(self, pair: Pair) -> tuple[Scores, ...]:
        return (pair.information,)

    def score(self, relevance: Scores, folded: NDArray[np.float64], size: int) -> Scores:
        return folded[0].copy() if size else relevance.copy()
