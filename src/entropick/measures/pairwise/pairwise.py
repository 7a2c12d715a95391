"""The common part of all criteria that judge a candidate by its tables with single picks.

    score(X_k | S) = f( I(X_k;Y),  fold over X_j in S of link(X_k, X_j),  |S| )

A criterion says what it takes from the joint table of a candidate with one pick and the class (`link`), whether
links are summed or the least or the greatest counts (`fold`), and how the score is made of them (`score`). All make
Assumption 1 of Brown et al.: picks are independent of each other given the candidate, and given the candidate and the
class. What they believe of Assumption 2 (features independent given the class) and Assumption 3 (features independent)
is said in each docstring.

Scores are in nats. FEAST reports bits, scikit-feature bits, praznik nats.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ...errors import InvalidParameter
from ...statistics.levels.questions import JointEntropies, Levels
from ..measure import Account, Scores
from .fold import Fold, Min, Sum

TOLD = 100  # candidates that a pick made redundant, of which searches name a few
MATRIX_BYTES = 4 << 30  # links of all pairs, for backward elimination


def _information(value: Scores) -> Scores:
    """An estimate of an information below zero is rounding, or a bias correction at work: it becomes zero."""
    return np.maximum(value, 0.0)


@dataclass(frozen=True)
class Pair:
    """The tables of one pick with candidates, and what they say: (n,), nats; NaN where not asked for."""

    pick: int
    feature: Scores  # H(X_k X_j)
    feature_class: Scores  # H(X_k X_j Y)
    entropy: Scores  # H(X_k)
    entropy_class: Scores  # H(X_k Y)
    own: float  # H(X_j)
    own_class: float  # H(X_j Y)
    target: float  # H(Y)

    @property
    def redundancy(self) -> Scores:
        """I(X_k; X_j)."""
        return _information(self.entropy + self.own - self.feature)

    @property
    def complementarity(self) -> Scores:
        """I(X_k; X_j | Y)."""
        return _information(self.entropy_class + self.own_class - self.feature_class - self.target)

    @property
    def given(self) -> Scores:
        """I(X_k; Y | X_j)."""
        return _information(self.feature + self.own_class - self.feature_class - self.own)

    @property
    def information(self) -> Scores:
        """I(X_k X_j; Y)."""
        return _information(self.feature + self.target - self.feature_class)


class PairwiseMeasure:
    """Relevance, folded links, score; see the module's text. Subclasses are the criteria."""

    units: ClassVar[str] = "nats"
    by_class: ClassVar[bool] = True  # whether links need the class; without, tables are cheaper
    fold: ClassVar[Fold] = Sum()
    n_links: ClassVar[int] = 1
    compiled: ClassVar[str | None] = None  # the link's name in `kernels.links`, where it is there as well

    def __init_subclass__(cls) -> None:
        if not isinstance(cls.fold, Fold):
            raise TypeError(f"{cls.__name__}.fold: must be Sum(), Min(), Max() or another Fold, got {cls.fold!r}")
        if not cls.__dict__.keys().isdisjoint({"link", "fold"}) and "compiled" not in cls.__dict__:
            cls.compiled = None  # a criterion that is derived from another and says something else

    def __init__(self, statistics: Levels) -> None:
        self.statistics = statistics
        self.n_candidates = statistics.n_features
        singles = statistics.singles()
        self._alone = np.array([singles.feature, singles.feature_class])
        self._entropy, self._entropy_class = self._alone
        self._target = statistics.target_entropy
        self.relevance = _information(singles.feature + self._target - singles.feature_class)
        self.chosen: list[int] = []
        self._free = np.ones(self.n_candidates, bool)
        self._folded = np.full((self.n_links, self.n_candidates), self.fold.start)
        self._latest: tuple[int, JointEntropies] | None = None  # of one candidate with everybody
        self._lost = np.zeros(self.n_candidates, bool)

    # -- what a criterion says -------------------------------------------------------------------------

    def link(self, pair: Pair) -> tuple[Scores, ...]:
        """What one pick contributes for each candidate: ``n_links`` arrays."""
        return ()

    def score(self, relevance: Scores, folded: NDArray[np.float64], size: int) -> Scores:
        """The score from the relevance, the folded links (n_links, n_candidates) and the size of the set."""
        return relevance

    # -- what a search asks ----------------------------------------------------------------------------

    def gains(self) -> Scores:
        return self.score(self.relevance, self._folded, len(self.chosen))

    def add(self, candidate: int) -> None:
        self._free[candidate] = False
        if self.n_links:
            self._fold_in(candidate, self._with_everybody(candidate))
            self._latest = None
        self.chosen.append(candidate)

    def account(self, candidate: int) -> Account:
        """Its tables with the picks are among those with everybody, which are counted for `add` next."""
        if self.chosen and not self.n_links:
            return Account(relevance=float(self.relevance[candidate]))
        if not self.chosen:
            return Account(float(self.relevance[candidate]), (), () if self.by_class else None)
        terms, picks = self._with_everybody(candidate), np.array(self.chosen)
        return self._account(candidate, np.array([terms.feature[picks], terms.feature_class[picks]]), picks)

    def _with_everybody(self, candidate: int) -> JointEntropies:
        if self._latest is None or self._latest[0] != candidate:
            self._latest = candidate, self.statistics.pairs(candidate, by_class=self.by_class)
        return self._latest[1]

    def _account(self, candidate: int, joint: NDArray[np.float64], picks: NDArray[np.intp]) -> Account:
        """From the entropies (2, n) of the candidate with these picks, without and with the class."""
        shared = self._alone[:, candidate, None] + self._alone[:, picks] - joint
        shared[1] -= self._target
        redundancy, complementarity = _information(shared).tolist()
        told = tuple(complementarity) if self.by_class else None
        return Account(float(self.relevance[candidate]), tuple(redundancy), told)

    def made_redundant(self) -> NDArray[np.intp]:
        """Candidates left with at most a quarter of their information, or (where classes are not looked at)
        that share more with the pick than they tell of the class; only those worth a tenth of the pick, and of many
        the most relevant."""
        if not self.n_links or not self.chosen:
            return np.empty(0, np.intp)
        found = self._lost.nonzero()[0]
        if not found.size:
            return found
        if found.size > TOLD:  # thousands, in tables of genes: sorting them all takes longer than counting
            relevance = self.relevance[found]
            found = found[relevance >= np.partition(relevance, -TOLD)[-TOLD]]
        return found[np.argsort(-self.relevance[found], kind="stable")]

    # -- terms -----------------------------------------------------------------------------------------

    def pair(self, pick: int, candidates: NDArray[np.intp] | None = None) -> Pair:
        """The tables of one pick with the candidates (all, if None)."""
        return self._pair(pick, self.statistics.pairs(pick, candidates, by_class=self.by_class))

    def _pair(self, pick: int, terms: JointEntropies) -> Pair:
        h, hy = self._entropy, self._entropy_class
        return Pair(
            pick, terms.feature, terms.feature_class, h, hy, float(h[pick]), float(hy[pick]), float(self._target)
        )

    def information(self, first: int, second: int) -> float:
        """I(X_i X_j; Y) of two candidates."""
        return float(self.pair(first, np.array([second])).information[second])

    def price(self, n_candidates: int) -> float:
        """log D / n nats, for having looked at D times as many pairs."""
        return float(np.log(n_candidates) / self.statistics.total)

    def best_pair(self, allowed: NDArray[np.bool_]) -> tuple[int, int]:
        """The two allowed candidates with the largest I(X_i X_j; Y), the lower number first; every pair is counted."""
        from ...statistics.levels.pair_matrices import LevelPairs

        return LevelPairs(self.statistics).most_informative(allowed)

    def _fold_in(self, pick: int, terms: JointEntropies) -> None:
        """Add the links of a pick up, or keep the least; note whom it made redundant."""
        if self.compiled is not None:
            from ...kernels.links import LINKS, folding

            folding(LINKS[self.compiled], isinstance(self.fold, Min))(
                terms.feature, terms.feature_class, self._entropy, self._entropy_class, pick, self._target,
                self.relevance, self._free, self._folded, self._lost,
            )  # fmt: skip
            return
        pair = self._pair(pick, terms)
        self.fold.into(self._folded, np.stack(self.link(pair)))
        notable = self._free & (self.relevance >= 0.1 * self.relevance[pick]) & (self.relevance > 0)
        if self.by_class:
            self._lost = notable & (pair.given <= 0.25 * self.relevance)
        else:
            self._lost = notable & (pair.redundancy >= self.relevance)

    # -- backward elimination --------------------------------------------------------------------------

    def fill(self) -> None:
        """Start from the full set: the links of all pairs are computed and kept."""
        d = self.n_candidates
        if self.n_links * d * d * 8 > MATRIX_BYTES:
            raise InvalidParameter(
                f"search: 'backward' keeps {self.n_links} numbers for each of {d}² pairs, more than"
                f" {MATRIX_BYTES >> 30} GiB; use search='forward'"
            )
        self._matrix = np.empty((self.n_links, d, d))
        for pick in range(d if self.n_links else 0):
            self._matrix[:, pick] = np.stack(self.link(self.pair(pick)))
            self._matrix[:, pick, pick] = self.fold.start
        self._free[:] = False
        self.chosen = list(range(d))
        self._refold(np.arange(d))

    def contributions(self) -> Scores:
        return self.score(self.relevance, self._folded, len(self.chosen) - 1)

    def remove(self, candidate: int) -> None:
        self.chosen.remove(candidate)
        self._free[candidate] = True
        if self.n_links:
            self._refold(self.fold.out_of(self._folded, self._matrix[:, candidate]))

    def _refold(self, columns: NDArray[np.intp]) -> None:
        if self.chosen and columns.size:
            self._folded[:, columns] = self.fold.over(self._matrix[:, self.chosen][:, :, columns])
