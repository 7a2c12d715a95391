"""joint: what a set of features says about the target together, for every kind of column and target.

    gain(j | S) = ½ (log |T_jj·S| − log |W_jj·S|) − m_j q / 2n
    score(j)    = gate_j · calibration_j · gain + 0.05 · worth_j      (of a gain below 0 a thousandth)

T is the covariance of the lifted columns (`coding.lifted`), W that of their residuals after regression on the lifted
target, ·S the Schur complement given the set; m_j columns of the block, q of the target. It is the Gaussian joint
information of Lefakis & Fleuret (AISTATS 2014) with one covariance for all classes, on smooth functions of the columns
rather than the columns themselves. The named parts:

    chance        m_j q / 2n, what noise is expected to gain
    ridge         2 d √(log D / n) on both diagonals, degree d: the rate at which D covariances are known from n rows
    calibration   (I_j + δ_j) / (g_j + δ_j), for classes: I_j the information by counts, g_j the gain at S = ∅
    gate          1 / (1 + 20 D p_j), p_j how often noise gains as much, alone or given the set: a column that cannot be
                  told from noise counts by its worth alone
    worth         what a block says alone; 5 % of it are added, so that relevance decides where gains are noise

A number as target adds to each block the column itself, as the mean of its groups (few extreme values may carry the
variance), has the ridge 2 d² √(log D / n) and takes off the chance that the ridge leaves, q Σh / 2n with h = v/(v + λ).

Covariates (`given=`) enter the set before everything else, which makes every gain one of I(X;Y|Z). Siblings: `wilks`
(the same without lifting, ridge by rate and calibration), `gc.mi` (one covariance a class).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...statistics.lifted.lifted import LiftedStatistics
from ..measure import Account, Scores
from .factor import Blocks, Factor, whitened
from .terms import (
    GIVEN_RIDGE,
    MEMORY,
    RIDGE,
    calibration,
    chance,
    credibility,
    gate,
    leaky,
    ridges,
    shrinkage,
)

Floats = NDArray[np.float64]
AHEAD = 16  # blocks whose covariances may be kept before they are chosen
LITTLE = 0.2  # of what a candidate said before: below that it is made redundant


class Joint:
    """The measure on `statistics.lifted`. A candidate is a block: one column, or those of a group.

    blocks: the columns of each candidate; given: numbers of columns that are covariates; costs (n_candidates,):
    scores are divided by them (as parts of the mean cost), and the search ends where ``budget`` allows no other.
    """

    units = "nats"

    def __init__(
        self,
        statistics: LiftedStatistics,
        blocks: Sequence[tuple[int, ...]] | None = None,
        given: Sequence[int] = (),
        costs: Floats | None = None,
        budget: float | None = None,
    ) -> None:
        self.statistics = statistics
        self.columns = [(j,) for j in range(statistics.lifting.n_columns)] if blocks is None else list(blocks)
        self.n_candidates = len(self.columns)
        self.blocks = Blocks(statistics.lifted_of(self.columns))
        self.costs, self.budget, self.spent = costs, budget, 0.0
        self.n = statistics.n
        self.given = tuple(given)
        self._rows: dict[tuple[int, ...], Floats] = {}
        self._latest: Floats | None = None  # scores
        self.chosen: list[int] = []
        self.order = self.factor(RIDGE)
        self.q = len(self.order.cross)
        self._chance = chance(self.blocks.sizes, self.q, self.n)
        self.calibration = self._calibrated()
        self._enter_given(self.order)
        self.worth = leaky(self.raw_gains()) * self.calibration
        self.p_alone = self._credibility()
        self._history: list[Floats] = []

    # -- the factor ------------------------------------------------------------------------------------

    def factor(self, strength: float, tests: bool = False) -> Factor:
        """The two matrices with a ridge of so many d √(log D / n), for the order or for tests of the target."""
        statistics = self.statistics
        forms = slice(0, statistics.n_order)
        if tests and statistics.n_order < statistics.cross.shape[1]:
            forms = slice(statistics.n_order, None)
        cross = whitened(statistics.cross[:, forms], statistics.target[forms, forms])
        own = {
            size: statistics.owns([self.columns[b] for b in numbers]) for size, numbers in self.blocks.numbers.items()
        }
        power = 2 if statistics.quantity else 1
        ridge = ridges(statistics.degrees, self.n_candidates, self.n, strength, power)
        return Factor(self.blocks, own, cross, ridge)

    def rows(self, columns: tuple[int, ...]) -> Floats:
        """(m, M) covariances of a block's lifted columns with all; kept, since every factor asks for them."""
        if columns not in self._rows:
            together = [columns, *self._likely(columns)]
            found = self.statistics.rows([j for some in together for j in some])
            ends = np.cumsum([sum(int(self.statistics.sizes[j]) for j in some) for some in together])
            for some, row in zip(together, np.split(found, ends[:-1]), strict=True):
                self._rows[some] = row.copy()
            chosen = {self.columns[candidate] for candidate in self.chosen}
            spare = [some for some in self._rows if some not in chosen and some != columns]
            for some in spare[: max(0, len(spare) - AHEAD)]:
                del self._rows[some]
        return self._rows[columns]

    def _likely(self, columns: tuple[int, ...]) -> list[tuple[int, ...]]:
        """Blocks that may well be asked for next: a pass over the bytes has room for some lifted columns."""
        room = self.statistics.at_once - sum(int(self.statistics.sizes[j]) for j in columns)
        found: list[tuple[int, ...]] = []
        if self._latest is None or room <= 0 or max(columns) >= self.statistics.lifting.n_columns:  # products of pairs
            return found
        best = np.argsort(-self._latest, kind="stable")[: len(self.chosen) + AHEAD]
        for candidate in best.tolist():
            some, size = self.columns[candidate], int(self.blocks.sizes[candidate])
            if 0 < size <= room and some != columns and some not in self._rows and candidate not in self.chosen:
                found.append(some)
                room -= size
        return found

    def _enter_given(self, factor: Factor) -> None:
        for column in self.given:
            at = self.statistics.lifted((column,))
            if len(at):
                factor.add(at, self.rows((column,)), np.full(len(at), GIVEN_RIDGE))

    def _calibrated(self) -> Floats:
        if not self.statistics.has_classes:
            return np.ones(self.n_candidates)
        alone = np.maximum(self.raw_gains(), 0.0)
        if any(len(columns) > 1 for columns in self.columns):
            return self._calibrated_groups()
        exact = self.statistics.information[[columns[0] for columns in self.columns]]
        return calibration(exact, alone, self._chance)

    def _calibrated_groups(self) -> Floats:
        """Of a group: that of its columns, by what each says alone."""
        members = sorted({j for columns in self.columns for j in columns})
        single = Joint(self.statistics, [(j,) for j in members])
        alone = dict(zip(members, np.maximum(single.raw_gains(), 0.0) + single._chance, strict=True))
        ratio = dict(zip(members, single.calibration, strict=True))
        return np.array(
            [sum(ratio[j] * alone[j] for j in some) / max(sum(alone[j] for j in some), 1e-300) for some in self.columns]
        )

    # -- what a search asks ----------------------------------------------------------------------------

    def raw_gains(self) -> Floats:
        """(n_candidates,) ½ (log |T_jj·S| − log |W_jj·S|) less what noise is expected to gain; nats."""
        noise = self._chance
        if self.statistics.quantity:
            noise = chance(self._shrinkage()[0], self.q, self.n)
        return 0.5 * self.order.differences() - noise

    def _shrinkage(self) -> tuple[Floats, Floats]:
        """(n_candidates,) Σh and Σh² of every block given the set."""
        h1, h2 = np.full(self.n_candidates, 1e-9), np.full(self.n_candidates, 1e-12)
        for size, numbers in self.blocks.numbers.items():
            variances = np.einsum("jaa->ja", self.order.total.left[size])
            h1[numbers], h2[numbers] = shrinkage(variances, self.order.ridge[self.blocks.places[size]])
        return h1, h2

    def _credibility(self) -> Floats:
        """(n_candidates,) how often noise gains as much, given the set."""
        p = credibility(0.5 * self.order.differences(), *self._shrinkage(), self.q, self.n)
        return np.where(self.blocks.sizes > 0, p, 1.0)

    def gains(self) -> Scores:
        believed = gate(np.minimum(self.p_alone, self._credibility()), self.n_candidates)
        scores = leaky(self._current()) * believed + MEMORY * self.worth
        if self.costs is not None:
            scores = scores / (self.costs / self.costs.mean())
        if self.budget is not None and self.costs is not None:
            scores = np.where(self.costs <= self.budget - self.spent + 1e-12, scores, -np.inf)
        self._latest = scores
        return scores

    def _current(self) -> Floats:
        """Calibrated gains given the set; asked once a step, remembered for accounts."""
        if len(self._history) <= len(self.chosen):
            self._history.append(self.raw_gains() * self.calibration)
        return self._history[len(self.chosen)]

    def add(self, candidate: int) -> None:
        self._current()
        columns = self.columns[candidate]
        if len(self.blocks.lifted[candidate]):
            self.order.add(self.blocks.lifted[candidate], self.rows(columns))
        self.chosen.append(candidate)
        if self.costs is not None:
            self.spent += float(self.costs[candidate])

    def value_of(self, features: Sequence[int]) -> float:
        """What these say together: ½ (log |T_S| − log |W_S|) less chance, given the covariates; nats."""
        kept, self.order = self.order, self.factor(RIDGE)
        self._enter_given(self.order)
        total = 0.0
        for candidate in features:
            total += float(self.raw_gains()[candidate])
            if len(self.blocks.lifted[candidate]):
                self.order.add(self.blocks.lifted[candidate], self.rows(self.columns[candidate]))
        self.order = kept
        return total

    def stop_reason(self) -> str | None:
        """The budget is spent."""
        if self.budget is None or self.costs is None:
            return None
        left = self.budget - self.spent
        open_to = np.delete(self.costs, self.chosen)
        if open_to.size and open_to.min() <= left + 1e-12:
            return None
        return f"the budget of {self.budget:g} allows no further feature ({self.spent:g} spent)"

    def account(self, candidate: int) -> Account:
        """Own: what it adds to the set. Shared: what it says alone and earlier picks say as well, pick by pick.
        Together: what it says only in company of earlier picks."""
        path = np.array([gains[candidate] for gains in self._history[: len(self.chosen) + 1]])
        if not len(path):
            path = self._current()[[candidate]]
        change = path[:-1] - path[1:]
        shared, together = np.maximum(change, 0.0), np.maximum(-change, 0.0)
        extra = {"own": float(max(path[-1], 0.0))}
        if len(change):
            extra |= {"shared": float(shared.sum()), "together": float(together.sum())}
        return Account(
            float(max(self.worth[candidate], 0.0)),
            tuple(shared.tolist()) if len(change) else None,
            None,
            extra,
        )

    def made_redundant(self) -> NDArray[np.intp]:
        """Candidates that the latest pick left with less than a fifth of what they added before."""
        before, after = self._history[len(self.chosen) - 1], self._current()
        gone = (before > 2 * self._chance) & (after < LITTLE * before)
        gone[self.chosen] = False
        found = np.flatnonzero(gone)
        return found[np.argsort(-before[found], kind="stable")]

    # -- tests -----------------------------------------------------------------------------------------

    def p_values(self) -> Scores:
        """Wilks' Λ of every candidate given the set, Bartlett's factor, χ² of m q degrees; a number by its ranks."""
        from scipy.special import chdtrc

        if not hasattr(self, "_tests"):
            self._tests, self._tested = self.factor(0.5, tests=True), 0
            self._enter_given(self._tests)
        for candidate in self.chosen[self._tested :]:
            self._tests.add(self.blocks.lifted[candidate], self.rows(self.columns[candidate]))
        self._tested = len(self.chosen)
        q, sizes = len(self._tests.cross), self.blocks.sizes
        taken = sizes[self.chosen].sum() + sum(int(self.statistics.sizes[j]) for j in self.given)
        factor = np.maximum(self.n - 1 - taken - (sizes + q + 1) / 2, 0.0)
        p = chdtrc(np.maximum(sizes * q, 1), np.maximum(factor * self._tests.differences(), 0.0))
        return np.where(sizes > 0, p, 1.0)
