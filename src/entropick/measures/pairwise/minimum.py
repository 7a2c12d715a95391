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

    What the candidate still says of the class given the pick that leaves it least; capped at the relevance, as in
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
            _Front(front, self._entropy[front.features], self._entropy_class[front.features])
            for front in self.statistics.fronts(self.relevance)
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
        self.chosen.append(candidate)

    def bounds(self) -> Scores:
        return self._folded[0] if self._fronts else self.relevance

    def up_to_date(self, candidate: int) -> bool:
        return not self.chosen or len(self._fronts[self._front_of[candidate]].kept) == len(self.chosen)

    def tighten(self, candidates: NDArray[np.intp]) -> None:
        """One more pick for the fronts of these candidates."""
        for number in {*self._front_of[candidates].tolist()}:
            own = self._fronts[number]
            if len(own.kept) == len(self.chosen):
                continue
            pick = self.chosen[len(own.kept)]
            terms = own.front.pairs(pick)
            features = own.front.features
            pair = Pair(
                pick, terms.feature, terms.feature_class, own.entropy, own.entropy_class, self._entropy[pick],
                self._entropy_class[pick], self._target,
            )  # fmt: skip
            self._folded[0, features] = np.minimum(self._folded[0, features], pair.given)
            own.kept.append(terms)
            self.pairs_counted += int(np.count_nonzero(self._free[features]))

    def account(self, candidate: int) -> Account:
        if not self._fronts:
            return super().account(candidate)
        own = self._fronts[self._front_of[candidate]]
        at = int(own.front.features.searchsorted(candidate))
        feature = np.array([terms.feature[at] for terms in own.kept])
        return self._account(candidate, feature, np.array([terms.feature_class[at] for terms in own.kept]))


@dataclass
class _Front:
    """Candidates that are brought up to date together: H(X_k), H(X_k Y), and their entropies with picks so far."""

    front: Front
    entropy: Scores
    entropy_class: Scores
    kept: list[JointEntropies] = field(default_factory=list)


class JMIM(PairwiseMeasure):
    """J = min_j I(X_k X_j;Y) (Bennasar, Hicks & Setchi 2015); I(X_k;Y) for the first.

    What the candidate and the least helpful pick say of the class together. Makes Assumption 1. Unlike `CMIM` it
    does not subtract I(X_j;Y), so weak picks hold a candidate back more than redundant ones. praznik: JMIM (nats).
    """

    fold: ClassVar[Fold] = Min()
    compiled: ClassVar[str | None] = "information"

    def link(self, pair: Pair) -> tuple[Scores, ...]:
        return (pair.information,)

    def score(self, relevance: Scores, folded: NDArray[np.float64], size: int) -> Scores:
        return folded[0].copy() if size else relevance.copy()
