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
But a ridge on strong picks leaves some of what they say to columns that resemble them, so the statistic must be beyond
its limit without a ridge as well, where the rows are three times as many as the lifted columns.

Pairs that a scan found to speak only together (`pairs.candidates`) are judged after the columns: the products of a
pair, given both its columns and all other picks and pairs, must be beyond the limit for all pairs that were scanned,
and so must it have been in the scan. A tenth of α is theirs, so that columns lose next to nothing by them. A real pair
brings in both its columns, and they stay.
"""

from __future__ import annotations

from collections.abc import Collection, MutableSet, Sequence

import numpy as np
from numpy.typing import NDArray

from .law import limit, tail
from .tested import Problem, Tested, Together

Floats = NDArray[np.float64]
TEST = 0.5  # ridge of the tests, in units of d √(log D / n)
PLAIN = 1e-6  # in the same units: no ridge but for what rounding needs
SHARE, FEW = 4, 3  # rows that each lifted column of a pick needs, to be tested at all and to be tested without a ridge
ROUNDS = 3  # of exchanging and dropping after a pick
OF_PAIRS = 0.1  # of the error rate, where there are pairs
TIE = 1e-9  # statistics this near to each other, relative, are equal: copies


class Judge:
    """Evidence for ``k="auto"``, see `measures.measure.Evidence`, and more for those that ask.

    ``pairs`` are the numbers of those pairs that may be taken for real; all may stand in sets.
    """

    def __init__(
        self, problem: Problem, allowed: NDArray[np.bool_], alpha: float = 0.05, pairs: Sequence[int] = ()
    ) -> None:
        self.problem, self.alpha, self.pairs = problem, alpha, tuple(pairs)
        n, of_pairs = problem.n_candidates, len(problem.pairs)
        self._allowed = np.append(allowed, np.zeros(of_pairs, bool))
        self.tested, self.plain = Tested(problem, TEST), Tested(problem, PLAIN)
        n_tests = max(int((self._allowed & (problem.first > 0)).sum()), 1)
        levels = np.full(n + of_pairs, alpha / n_tests)
        if of_pairs:
            levels[:n] *= 1 - OF_PAIRS
            levels[n:] = OF_PAIRS * alpha / max(n_tests * (n_tests - 1) // 2, 1)
        self.limits = limit(levels, problem.first, problem.second)
        # what a block of m columns must be better by than one of fewer, to be preferred to it
        self.dues = problem.first * np.log(problem.n)
        self._latest: Floats = np.full(problem.blocks.n, np.nan)

    @property
    def rule(self) -> str:
        """Why the search ends."""
        if not self._room():
            return "too few rows to test another feature"
        return (
            f"no remaining feature adds significant information given those chosen (family-wise error {self.alpha:g})"
        )

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
        """The picks by the judge's own order: the largest statistic first, then exchanges; ``first`` stay.

        Pairs come after columns, and columns once more after each pair.
        """
        self.set(first)
        forced, open_pairs = set(first), set(self.pairs)
        while True:
            self._add_columns(forced)
            brought = self._best_pair(self.tested.picks, open_pairs)
            if brought is None:
                break
            for block in brought:
                if block not in self.tested.picks:
                    self.add(block)
            forced |= set(brought)
        if len(forced) == len(set(first)):
            return list(self.tested.picks)
        return self.kept([pick for pick in self.tested.picks if pick < self.problem.n_candidates], first)[0]

    def _add_columns(self, forced: Collection[int]) -> None:
        for _ in range(self.problem.blocks.n):
            able = self.significant(self._allowed)
            if not able.any():
                break
            self.add(int(np.argmax(np.where(able, self._latest - self.dues, -np.inf))))
            if not self._revised(forced):
                break

    def _best_pair(self, picks: Sequence[int], open_pairs: MutableSet[int]) -> tuple[int, int, int] | None:
        """Both columns and the products of the pair that says most beyond all picks and its own columns.

        A pair that is not significant given these leaves ``open_pairs``: what it says, they say.
        """
        best, most = None, -np.inf
        for e in sorted(open_pairs):
            block, columns = self.problem.n_candidates + e, self.problem.pairs[e]
            with_it = [*picks, *(j for j in columns if j not in picks), block]
            if block in picks or not self._fits(with_it) or (over := self._over(with_it)[-1]) <= 0:
                open_pairs.discard(e)
            elif over - self.dues[block] > most:
                best, most = (*columns, block), over - self.dues[block]
        return best

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

    def kept(self, picks: Sequence[int], first: Sequence[int] = ()) -> tuple[list[int], list[int]]:
        """The picks that are significant given those kept before them, then without those that the others explain;
        and the blocks of the pairs among them that are real, whose columns are kept with them.

        The least significant is dropped first; ``first`` stay, whatever they say. Picks that are all significant given
        the others stay together, though none may be so given those before it.
        """
        together = [*first, *(pick for pick in picks if pick not in first)]
        if not (self._fits(together) and (self._over(together)[len(first) :] > 0).all()):
            together = self._significant_in_turn(list(first), picks)
        kept = list(together)
        brought = {e for e in self.pairs if set(self.problem.pairs[e]) <= set(picks)}
        while (pair := self._best_pair(kept, brought)) is not None:
            kept += [block for block in pair if block not in kept]
        if kept[len(first) :] and any(block >= self.problem.n_candidates for block in kept):
            kept = self._significant_in_turn(kept, picks)
        while True:
            over = self._over(kept)
            pairs = [block for block in kept if block >= self.problem.n_candidates]
            staying = {*first, *(j for block in pairs for j in self._columns(block))}
            over[[place for place, block in enumerate(kept) if block in staying]] = np.inf
            if not len(over) or over.min() > 0:
                return [pick for pick in picks if pick in kept], pairs
            del kept[int(np.argmin(over))]

    def _significant_in_turn(self, kept: list[int], picks: Sequence[int]) -> list[int]:
        """``kept`` and after them the picks that are significant given those before."""
        waiting = [pick for pick in picks if pick not in kept]
        added = True
        while added:  # once more for those that say something only in company of later ones
            added = False
            for pick in list(waiting):
                if self._fits([*kept, pick]) and self._over([*kept, pick])[-1] > 0:
                    kept = [*kept, pick]
                    waiting.remove(pick)
                    added = True
        return kept

    def _columns(self, block: int) -> tuple[int, int]:
        """Both columns of a pair's block."""
        return self.problem.pairs[block - self.problem.n_candidates]

    def pairs_of(self, pick: int, pairs: Sequence[int]) -> list[int]:
        """Those of the blocks of pairs that are products of this column."""
        return [block for block in pairs if pick in self._columns(block)]

    def stands(self, pick: int, others: Sequence[int]) -> bool:
        """Whether a column is significant given others, products not counted."""
        return bool(self._over([*(j for j in others if j != pick), pick])[-1] > 0)

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
