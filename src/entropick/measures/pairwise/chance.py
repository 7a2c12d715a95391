"""What chance alone would give: tests for k="auto" with the discrete family.

Pearson's X² of X_k and Y, summed over the levels of a pick X_j, has a mean and a variance that are known exactly if
chance alone puts levels and classes together within each level of X_j; the law with both (`square_tail`) is close also
where cells hold less than a row. (2n · I(X_k;Y|X_j) has the same limit, a χ² law, but no law in closed form with few
rows a cell: corrected by its mean alone it was far too strict within the levels of a strong pick.) A candidate must
say something new given *every* pick taken alone, so the largest of its p-values counts; before the first pick the test
is that of X_k and Y.
"""

from __future__ import annotations

import copy

import numpy as np
from numpy.typing import NDArray

from ...statistics.levels.questions import JointEntropies, LevelRows, Levels
from ..measure import Scores, Testable

CERTAIN = 1e-12  # share of the squared mean up to which a variance is rounding: nothing is left to chance


def discoveries(p_values: Scores, allowed: NDArray[np.bool_], alpha: float) -> NDArray[np.bool_]:
    """The allowed candidates that Benjamini & Hochberg (1995) reject among them, at false-discovery rate alpha."""
    from scipy.stats import false_discovery_control

    mask = np.zeros(allowed.size, bool)
    mask[allowed] = false_discovery_control(p_values[allowed]) <= alpha
    return mask


def square_tail(square: Scores, mean: Scores, variance: Scores) -> Scores:
    """P(X² ≥ square), by the law of that mean and variance.

    Gamma where the variance is at most twice the mean, as that of a χ² law. Inverse Gaussian beyond, where rare levels
    meet rare classes: its tail is longer, as theirs is.
    """
    from scipy.special import gammaincc
    from scipy.stats import invgauss

    out = np.ones(square.size)
    x, relative = np.maximum(square, 0.0), np.divide(variance, mean, out=np.zeros_like(mean), where=mean > 0)
    light = (variance > CERTAIN * mean**2) & (relative <= 2.0)
    heavy = relative > 2.0
    out[light] = gammaincc(mean[light] / relative[light], x[light] / relative[light])
    out[heavy] = invgauss.sf(x[heavy], relative[heavy] / mean[heavy], scale=mean[heavy] ** 2 / relative[heavy])
    return out


class ChiSquare:
    """Benjamini–Hochberg over the candidates at each step, with the law of Pearson's X²."""

    def __init__(self, statistics: Levels, alpha: float, log_trials: Scores | None = None) -> None:
        self._statistics = copy.copy(statistics)  # rows are shared
        self._statistics.estimator = "plugin"  # no other is asked for
        self.alpha = alpha
        self._trials = np.exp(log_trials) if log_trials is not None else np.ones(statistics.n_features)
        self.rule = f"no remaining feature adds significant information (χ², false-discovery rate {alpha:g})"
        self._p = self._tail(self._statistics.singles(detail=True))
        self._started = False

    def _tail(self, terms: JointEntropies) -> Scores:
        """P(X² ≥ what was seen)."""
        assert terms.law is not None
        return np.minimum(square_tail(terms.law.square, terms.law.mean, terms.law.variance) * self._trials, 1.0)

    def significant(self, allowed: NDArray[np.bool_]) -> NDArray[np.bool_]:
        return discoveries(self._p, allowed, self.alpha)

    def p_value(self, candidate: int) -> float:
        return float(self._p[candidate])

    def add(self, candidate: int) -> None:
        given = self._tail(self._statistics.pairs(candidate, detail=True))
        self._p = np.maximum(self._p, given) if self._started else given
        self._started = True


class Permutation(ChiSquare):
    """The smallest p-value over all candidates against its law when the target is shuffled.

    The target is shuffled within the levels of the latest pick (freely before the first), which keeps what that
    pick says of it. A candidate is significant where at most a share alpha of the shuffles has any candidate with
    as small a p-value: the probability of any false choice in a step is held, without trust in the χ² law.
    """

    _statistics: LevelRows

    def __init__(
        self,
        statistics: LevelRows,
        alpha: float,
        log_trials: Scores | None,
        n_permutations: int,
        random: np.random.Generator,
    ) -> None:
        super().__init__(statistics, alpha, log_trials)
        self.n_permutations = n_permutations
        self.rule = (
            f"no remaining feature adds significant information ({n_permutations} permutations,"
            f" family-wise error {alpha:g})"
        )
        self._random = random
        self._latest: int | None = None
        self._adjusted: Scores = self._p

    def significant(self, allowed: NDArray[np.bool_]) -> NDArray[np.bool_]:
        statistics = self._statistics
        if self._latest is None:
            codes, levels = np.zeros(statistics.n_rows, np.int32), 1
        else:
            codes, levels = statistics.codes(self._latest), int(statistics.levels[self._latest])
        candidates = np.flatnonzero(allowed)
        smallest = np.empty(self.n_permutations)
        for b in range(self.n_permutations):
            terms = statistics.pairs_with(codes, levels, candidates, target_rows=self._shuffled(codes), detail=True)
            smallest[b] = self._tail(terms)[candidates].min(initial=1.0)
        smallest.sort()
        rank = np.searchsorted(smallest, self._p, side="right")
        self._adjusted = np.asarray((1.0 + rank) / (1.0 + self.n_permutations), dtype=np.float64)
        return allowed & (self._adjusted <= self.alpha)

    def _shuffled(self, codes: NDArray[np.int32]) -> NDArray[np.intp]:
        """Row numbers, shuffled among rows of the same code."""
        rows = np.empty(codes.size, np.intp)
        rows[np.argsort(codes, kind="stable")] = np.lexsort((self._random.random(codes.size), codes))
        return rows

    def p_value(self, candidate: int) -> float:
        return float(self._adjusted[candidate])

    def add(self, candidate: int) -> None:
        super().add(candidate)
        self._latest = candidate


class MeasureEvidence:
    """Benjamini–Hochberg over p-values that the measure itself gives, conditional on its own set.

    fixed: whether they do not depend on the set, so that one look at the whole list tells all there is to find. (A new
    look at what is left after each pick would count a smaller share of tests as passed, and stop early.)
    """

    def __init__(self, measure: Testable, alpha: float) -> None:
        self._measure = measure
        self.fixed = bool(getattr(measure, "judged_alone", False))
        self.alpha = alpha
        self._p: Scores = np.ones(measure.n_candidates)

    @property
    def rule(self) -> str:
        """Why the search ends, in the measure's own words where it has any."""
        told = self._measure.why_stopped() if hasattr(self._measure, "why_stopped") else None
        return told or f"no remaining feature adds significant information (false-discovery rate {self.alpha:g})"

    def significant(self, allowed: NDArray[np.bool_]) -> NDArray[np.bool_]:
        self._p = self._measure.p_values()
        return discoveries(self._p, allowed, self.alpha)

    def p_value(self, candidate: int) -> float:
        return float(self._p[candidate])

    def add(self, candidate: int) -> None:
        """Nothing to keep: the measure's own set is asked."""
