"""A set of features judged by distances between rows: what ranking, forward and backward search ask of HSIC and LSMI.

    d²(S) = Σ_{f∈S} (x_f − x'_f)²        kept, and changed by one feature at a time

A gain is f(S ∪ j) − f(S), a contribution f(S) − f(S ∖ j); f of the empty set is 0.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...statistics.rows import RowStatistics
from ...threads import parallel, thread_count
from ..measure import Account, Scores
from .distances import Floats, PairDistances, one_blas_thread


@dataclass(frozen=True)
class Worth:
    """What a set is worth."""

    value: float

    def told(self) -> dict[str, Any]:
        """For the record of a step."""
        return {"total": self.value}


class KernelSet(ABC):
    """f(X_S; Y). A subclass says what f is: `_worth`, on distances that `_empty` and `_change` keep."""

    units = ""

    def __init__(self, statistics: RowStatistics, random: np.random.Generator, n_jobs: int | None) -> None:
        self.n_candidates = statistics.n_features
        self.threads = thread_count(n_jobs)
        self.pairs = PairDistances(statistics.standardised, statistics.weights, random)
        self._set: list[int] = []
        self._stale = False  # whether distances are of another set
        self._base: Floats
        self._gaps: Floats
        self._alone: Scores | None = None
        self._known: dict[int, Worth] = {}

    @abstractmethod
    def _empty(self) -> Floats:
        """Squared distances of the empty set."""

    @abstractmethod
    def _change(self, base: Floats, feature: int) -> None:
        """Add the feature to the distances, in place."""

    @abstractmethod
    def _worth(self, base: Floats, scale: float, feature: int | None = None, sign: float = 1.0) -> Worth:
        """Of the set with these distances and median distance, the feature added (or, sign −1, removed) to ``base``."""

    # -- sets ---------------------------------------------------------------------------------------------------

    def distances(self, features: Sequence[int]) -> tuple[Floats, Floats]:
        """Squared distances of a set: those of its kernel, and of the pairs that give the median."""
        base, gaps = self._empty(), self.pairs.zero()
        for feature in features:
            self._change(base, feature)
            gaps = self.pairs.changed(gaps, feature)
        return base, gaps

    def worth_of(self, features: Sequence[int]) -> Worth:
        """Of a set; 0 for the empty one."""
        if not len(features):
            return Worth(0.0)
        base, gaps = self.distances(features)
        return self._worth_at(base, gaps)

    def value_of(self, features: Sequence[int]) -> float:
        """The number alone."""
        return self.worth_of(features).value

    def values_changed(self, features: Sequence[int], candidates: Sequence[int], sign: float = 1.0) -> Scores:
        """(len(candidates),) of the set with each candidate added (sign 1) or removed (−1)."""
        base, gaps = self.distances(features)
        return np.array([worth.value for worth in self._worths(base, gaps, candidates, sign)])

    def _worth_at(self, base: Floats, gaps: Floats) -> Worth:
        with one_blas_thread():
            return self._worth(base, self.pairs.median(gaps))

    def _worths(self, base: Floats, gaps: Floats, candidates: Sequence[int], sign: float) -> list[Worth]:
        def one(candidate: int) -> Worth:
            scale = self.pairs.median(self.pairs.changed(gaps, candidate, sign))
            return self._worth(base, scale, candidate, sign)

        with one_blas_thread():
            return parallel(one, candidates, self.threads)

    # -- adding -------------------------------------------------------------------------------------------------

    def gains(self) -> Scores:
        """(n_candidates,) f(S ∪ j) − f(S); 0 for those in S."""
        out = np.zeros(self.n_candidates)
        rest = [j for j in range(self.n_candidates) if j not in self._set]
        worths = self._worths(self._base, self._gaps, rest, 1.0)
        self._known = dict(zip(rest, worths, strict=True))
        out[rest] = [worth.value - self._value for worth in worths]
        if not self._set:
            self._alone = out.copy()
        return out

    def add(self, candidate: int) -> None:
        """S ← S ∪ {candidate}."""
        self._change(self._base, candidate)
        self._gaps = self.pairs.changed(self._gaps, candidate)
        self._set.append(candidate)
        known = self._known.get(candidate)
        self._value = (self._worth_at(self._base, self._gaps) if known is None else known).value
        self._known = {}

    def account(self, candidate: int) -> Account:
        """What it is worth alone, where that was asked, and what the set would be worth with it."""
        known = self._known.get(candidate)
        alone = None if self._alone is None else float(self._alone[candidate])
        return Account(alone, extra={} if known is None else known.told())

    # -- removing -----------------------------------------------------------------------------------------------

    def fill(self) -> None:
        """S ← everything."""
        self._start(list(range(self.n_candidates)))

    def contributions(self) -> Scores:
        """(n_candidates,) f(S) − f(S ∖ j); 0 for those outside S."""
        if self._stale:
            self._start(self._set)
        out = np.zeros(self.n_candidates)
        if len(self._set) == 1:
            out[self._set] = self._value
        elif self._set:
            out[self._set] = [
                self._value - worth.value for worth in self._worths(self._base, self._gaps, self._set, -1.0)
            ]
        return out

    def remove(self, candidate: int) -> None:
        """S ← S ∖ {candidate}."""
        # summed anew when asked: differences of differences would leave rounding where a distance should be 0
        self._set, self._stale = [j for j in self._set if j != candidate], True

    def _start(self, features: list[int]) -> None:
        """S ← these features; once the subclass is ready, with none."""
        self._set, self._stale = features, False
        self._base, self._gaps = self.distances(features)
        self._value = self._worth_at(self._base, self._gaps).value if features else 0.0
