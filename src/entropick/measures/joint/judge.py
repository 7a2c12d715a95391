"""The judge: which columns are real, one rule for every method that orders them.

A candidate is taken for real while its ridged Wilks statistic given all picks is beyond what noise reaches in one of α
of all tables, among all candidates (Bonferroni). After each pick, picks that the others explain are dropped, and a
pick in whose place another column says more is exchanged for it: the Markov blanket under the model.

Methods ask it in three ways (`selectors/answer.py` knows which):

    `joint`                         takes the judge's own search, `search`, and puts what it found in its own order
    methods that add or rank        take their best among those that are significant given their picks so far, and
                                    in the end `kept` drops what other picks explain
    searches for sets of one size   are told the size that the judge's own search ends with, then `kept` as well

The ridge, ½ d √(log D / n), keeps residual variances of short tables away from 0; it makes the test stricter there.
But a
ridge on strong picks leaves some of what they say to columns that resemble them, so the statistic must be beyond its
limit without a ridge as well, where the rows are three times as many as the lifted columns.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from .law import limit, tail
from .tested import Problem, Tested, Together

Floats = NDArray[np.float64]
TEST = 0.5  # ridge of the tests, in units of d √(log D / n)
PLAIN = 1e-6  # in the same units: no ridge but for what rounding needs
SHARE, FEW = 4, 3  # rows that each lifted column of a pick needs, to be tested at all and to be tested without a ridge
ROUNDS = 3  # of exchanging and dropping after a pick
TIE = 1e-9  # statistics this near to each other, relative, are equal: copies


class Judge:
    """Evidence for ``k="auto"``, see `measures.measure.Evidence`, and more for those that ask."""

    def __init__(self, problem: Problem, allowed: NDArray[np.bool_], alpha: float = 0.05) -> None:
        self.problem, self.alpha = problem, alpha
        self._allowed = allowed
        self.tested, self.plain = Tested(problem, TEST), Tested(problem, PLAIN)
        n_tests = max(int((allowed & (problem.first > 0)).sum()), 1)
        self.limits = limit(alpha / n_tests, problem.first, problem.second)
        # what a block of m columns must be better by than one of fewer, to be preferred to it
        self.dues = problem.first * np.log(problem.n)
        self._latest: Floats = np.full(problem.blocks.n, np.nan)

    @property
    def rule(self) -> str:
        """Why the search ends."""
        if not self._room():
            return "the rows are too few to test another feature given those chosen"
        return f"no candidate left is distinguishable from chance given those chosen (family-wise error {self.alpha:g})"

    def _room(self) -> bool:
        smallest = min(self.problem.blocks.numbers, default=1)
        return (self.tested.taken + smallest) * SHARE <= self.problem.n

    # -- evidence of a search that adds ----------------------------------------------------------------

    def significant(self, allowed: NDArray[np.bool_]) -> NDArray[np.bool_]:
        if not self._room():
            return np.zeros_like(allowed)
        self._latest = self.tested.statistics()
        able = allowed & (self._latest > self.limits)
        if able.any():
            able &= ~(self._fit_for_plain() & (self.plain.statistics() <= self.limits))
        return able

    def _fit_for_plain(self) -> NDArray[np.bool_]:
        """Which candidates there are rows for to test them without a ridge given the picks."""
        return np.asarray(FEW * (self.tested.taken + self.problem.blocks.sizes) <= self.problem.n)

    def p_value(self, candidate: int) -> float:
        at = [candidate]
        return float(tail(self._latest[at], self.problem.first[at], self.problem.second[at])[0])

    def add(self, candidate: int) -> None:
        self.tested.add(candidate)
        self.plain.add(candidate)

    def set(self, picks: Sequence[int]) -> None:
        """Make these the picks."""
        self.tested.set(picks)
        self.plain.set(picks)

    # -- picks as a set --------------------------------------------------------------------------------

    def search(self, first: Sequence[int] = ()) -> list[int]:
        """The picks by the judge's own order: the largest statistic first, then exchanges; ``first`` stay."""
        self.set(first)
        forced = set(first)
        for _ in range(self.problem.blocks.n):
            able = self.significant(self._allowed)
            if not able.any():
                break
            self.add(int(np.argmax(np.where(able, self._latest - self.dues, -np.inf))))
            if not self._revised(forced):
                break
        return list(self.tested.picks)

    def _revised(self, forced: Collection[int]) -> bool:
        """Exchange and drop; False where the latest pick is dropped at once, so that it would come again for ever."""
        latest = self.tested.picks[-1]
        for _ in range(ROUNDS * len(self.tested.picks)):
            picks = self.tested.picks
            testable = self._fit_for_plain()
            both = zip(picks, self.tested.without(), self.plain.without(), strict=True)
            for place, (pick, values, plain) in enumerate(both):
                if pick in forced:
                    continue
                able = self._allowed & (values > self.limits) & ~(testable & (plain <= self.limits))
                score = np.where(able, values - self.dues, -np.inf)
                best = int(np.argmax(score))
                if able.any() and (best == pick or (able[pick] and score[best] - score[pick] <= TIE * values[best])):
                    continue
                changed = [*picks[:place], *([best] if able.any() else []), *picks[place + 1 :]]
                if not able.any() and pick == latest:
                    self.set(changed)
                    return False
                self.set(changed)
                break
            else:
                return True
        return True

    def kept(self, picks: Sequence[int], first: Sequence[int] = ()) -> list[int]:
        """The picks that are significant given those kept before them, then without those that the others explain.

        The least significant is dropped first; ``first`` stay, whatever they say.
        """
        kept = list(first)
        waiting = [pick for pick in picks if pick not in kept]
        added = True
        while added:  # once more for those that say something only in company of later ones
            added = False
            for pick in list(waiting):
                if self._fits([*kept, pick]) and self._over([*kept, pick])[-1] > 0:
                    kept.append(pick)
                    waiting.remove(pick)
                    added = True
        while len(kept) > len(first):
            over = self._over(kept)
            over[: len(first)] = np.inf
            if over.min() > 0:
                break
            del kept[int(np.argmin(over))]
        return [pick for pick in picks if pick in kept]

    def _fits(self, picks: Sequence[int]) -> bool:
        taken = self.problem.taken + int(self.problem.blocks.sizes[list(picks)].sum())
        return taken * SHARE <= self.problem.n

    def _over(self, picks: Sequence[int]) -> Floats:
        """(picks,) how far the statistic of each, given the others, is beyond its limit."""
        together, limits = Together(self.problem, picks), self.limits[list(picks)]
        over = together.statistics(TEST) - limits
        if FEW * len(together.at) <= self.problem.n:
            over = np.minimum(over, together.statistics(PLAIN) - limits)
        return over
