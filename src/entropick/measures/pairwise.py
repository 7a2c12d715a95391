"""The common part of all criteria that judge a candidate by its tables with single picks.

    score(X_k | S) = f( I(X_k;Y),  fold over X_j in S of link(X_k, X_j),  |S| )

A criterion says what it takes from the joint table of a candidate with one pick and the class (`link`), whether
links are summed or the least counts (`fold`), and how the score is made of them (`score`). All of them make
Assumption 1 of Brown et al.: picks are independent of each other given the candidate, and given the candidate
and the class. What they believe of Assumption 2 (features independent given the class) and Assumption 3
(features independent) is said in each docstring.

Scores are in nats. FEAST reports bits, scikit-feature bits, praznik nats.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidParameter
from ..statistics.levels import LevelStatistics
from .measure import Account, Scores

LEDGER_BYTES = 256 << 20  # pair terms kept for the ledger; beyond, later picks have none
MATRIX_BYTES = 4 << 30  # links of all pairs, for backward elimination


def _information(value: Scores) -> Scores:
    """An estimate of an information below zero is rounding, or a bias correction at work: it becomes zero."""
    return np.maximum(value, 0.0)


@dataclass(frozen=True)
class Pair:
    """What the tables of one pick with every candidate say, (n_candidates,), nats; NaN where not asked for."""

    redundancy: Scores  # I(X_k; X_j)
    complementarity: Scores  # I(X_k; X_j | Y)
    given: Scores  # I(X_k; Y | X_j)
    information: Scores  # I(X_k X_j; Y)
    entropy: Scores  # H(X_k X_j Y)


class PairwiseMeasure:
    """Relevance, folded links, score; see the module's text. Subclasses are the criteria."""

    units: ClassVar[str] = "nats"
    by_class: ClassVar[bool] = True  # whether links need the class; without, tables are cheaper
    fold: ClassVar[str] = "sum"
    n_links: ClassVar[int] = 1

    def __init__(self, statistics: LevelStatistics) -> None:
        self.statistics = statistics
        self.n_candidates = statistics.n_features
        singles = statistics.singles()
        self._entropy = singles.feature
        self._entropy_class = singles.feature_class
        self._target = statistics.target_entropy
        self.relevance = _information(singles.feature + self._target - singles.feature_class)
        self.chosen: list[int] = []
        self._free = np.ones(self.n_candidates, bool)
        self._folded = self._start()
        self._ledger: list[tuple[Scores, Scores] | None] = []
        self._latest: Pair | None = None

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
        self._latest = None
        if self.n_links:
            self._latest = pair = self.pair(candidate, np.flatnonzero(self._free))
            self._fold_in(np.stack(self.link(pair)))
            kept = len(self._ledger) * 2 * self.n_candidates * 8 < LEDGER_BYTES
            self._ledger.append((pair.redundancy, pair.complementarity) if kept else None)
        self.chosen.append(candidate)

    def account(self, candidate: int) -> Account:
        kept = [entry for entry in self._ledger if entry is not None]
        if len(kept) < len(self.chosen):
            return Account(relevance=float(self.relevance[candidate]))
        redundancy = tuple(float(entry[0][candidate]) for entry in kept)
        complementarity = tuple(float(entry[1][candidate]) for entry in kept) if self.by_class else None
        return Account(float(self.relevance[candidate]), redundancy, complementarity)

    def made_redundant(self) -> NDArray[np.intp]:
        """Candidates left with at most a quarter of their information, or (where classes are not looked at)
        that share more with the pick than they tell of the class; only those worth a tenth of the pick."""
        if self._latest is None:
            return np.empty(0, np.intp)
        notable = self._free & (self.relevance >= 0.1 * self.relevance[self.chosen[-1]]) & (self.relevance > 0)
        if self.by_class:
            lost = self._latest.given <= 0.25 * self.relevance
        else:
            lost = self._latest.redundancy >= self.relevance
        found = np.flatnonzero(notable & lost)
        return found[np.argsort(-self.relevance[found], kind="stable")]

    # -- terms -----------------------------------------------------------------------------------------

    def pair(self, pick: int, candidates: NDArray[np.intp] | None = None) -> Pair:
        """Every term of the tables of one pick with the candidates (all, if None)."""
        terms = self.statistics.pairs(pick, candidates, by_class=self.by_class)
        h, hy, y = self._entropy, self._entropy_class, self._target
        return Pair(
            redundancy=_information(h + h[pick] - terms.feature),
            complementarity=_information(hy + hy[pick] - terms.feature_class - y),
            given=_information(terms.feature + hy[pick] - terms.feature_class - h[pick]),
            information=_information(terms.feature + y - terms.feature_class),
            entropy=terms.feature_class,
        )

    def _start(self) -> NDArray[np.float64]:
        return np.full((self.n_links, self.n_candidates), np.inf if self.fold == "min" else 0.0)

    def _fold_in(self, links: NDArray[np.float64]) -> None:
        if self.fold == "min":
            np.fmin(self._folded, links, out=self._folded)
        else:
            self._folded += np.nan_to_num(links, nan=0.0)

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
            self._matrix[:, pick, pick] = np.inf if self.fold == "min" else 0.0
        self._free[:] = False
        self.chosen = list(range(d))
        self._refold(np.arange(d))

    def contributions(self) -> Scores:
        return self.score(self.relevance, self._folded, len(self.chosen) - 1)

    def remove(self, candidate: int) -> None:
        self.chosen.remove(candidate)
        self._free[candidate] = True
        if not self.n_links:
            return
        if self.fold == "min":
            self._refold(np.flatnonzero((self._matrix[:, candidate] <= self._folded).any(axis=0)))
        else:
            self._folded -= self._matrix[:, candidate]

    def _refold(self, columns: NDArray[np.intp]) -> None:
        rows = self._matrix[:, self.chosen][:, :, columns]
        reduce = np.min if self.fold == "min" else np.sum
        if self.chosen:
            self._folded[:, columns] = reduce(rows, axis=1)
