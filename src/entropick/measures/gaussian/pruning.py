"""Pruning: bounds of a candidate's Gaussian gain in O(1), exact gains only where the bound could win.

With s_j the covariances of candidate j with the chosen S and λ the eigenvalues of Σ_S (Lefakis & Fleuret 2016),

    σ²_j − |s_j|²/λ_min  ≤  σ²_{j|S}  ≤  σ²_j − |s_j|²/λ_max

|s_j|² grows by one square a step and the eigenvalues follow by the secular equation (`eigensystem`). What
was known exactly at an earlier step bounds from above too, as a conditional variance only falls. The lower
bound is worth something as long as Σ_S is well conditioned; once λ_min is small it says nothing, and every
candidate must be looked at.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solve_triangular

from .conditional import Conditional
from .eigensystem import EigenSystem
from .factor import Blend, Factors, Then, blend
from .pooling import Laws

if TYPE_CHECKING:
    from ...statistics.moments.views import AnyView
    from .compromise import GCMI

Floats = NDArray[np.float64]


class LazyFactors(Factors):
    """Cholesky columns brought up to date only for the candidates that are asked for.

    ``v`` is exact where ``depth`` equals ``length`` and an upper bound elsewhere.
    """

    def __init__(self, view: AnyView, what: Blend, floor: float) -> None:
        super().__init__(view, what, floor)
        m, d = self.v.shape
        self.variances: Floats = self.v.copy()
        self.depth: NDArray[np.intp] = np.zeros(d, dtype=np.intp)
        self._rows: Floats = np.empty((m, 8, d))  # covariance rows of the chosen
        self._lower: Floats = np.zeros((m, 8, d))
        self._pivots: Floats = np.zeros((m, 0))
        self._chosen: list[int] = []
        self._norms: Floats = np.zeros((m, d))
        self._systems = [EigenSystem() for _ in range(m)]

    def append(self, i: int, rows: Floats | None = None, then: Then | None = None) -> Floats:
        """Condition on feature i; the (M, D) covariance rows, as the factor is not formed: nothing follows either."""
        self.complete(np.array([i]))
        k = self.length
        if k == self._rows.shape[1]:
            self._rows = np.concatenate([self._rows, np.empty_like(self._rows)], axis=1)
            self._lower = np.concatenate([self._lower, np.zeros_like(self._lower)], axis=1)
        rows = self.covariance_rows(i)
        self._rows[:, k] = rows
        pivot = self.v[:, i]
        self._pivots = np.column_stack([self._pivots, np.sqrt(np.where(pivot > self.floor, pivot, np.inf))])
        self._norms += rows**2
        for m, system in enumerate(self._systems):
            system.append(rows[m, self._chosen], float(rows[m, i]))
        self._chosen.append(i)
        self.length += 1
        self.complete(np.array([i]))
        self.v[:, i] = 0.0
        return rows

    def complete(self, candidates: NDArray[np.intp]) -> None:
        """Make v exact for these candidates."""
        k = self.length
        for depth in np.unique(self.depth[candidates]):
            if depth == k:
                continue
            of = candidates[self.depth[candidates] == depth]
            for m in range(len(self.v)):
                lower = self._lower[m]
                square = lower[:k, self._chosen[:k]].T.copy()  # rows: chosen, columns: steps
                live = np.isfinite(self._pivots[m])
                scaled = np.where(live, self._pivots[m], 1.0)
                square[np.arange(k), np.arange(k)] = scaled
                right = self._rows[m, depth:k][:, of] - square[depth:, :depth] @ lower[:depth, of]
                new = self._substitute(square[depth:, depth:], right, live[depth:])
                lower[depth:k, of] = new
                self.v[m, of] = np.maximum(self.v[m, of] - (new**2).sum(axis=0), 0.0)
            self.depth[of] = k

    @staticmethod
    def _substitute(square: Floats, right: Floats, live: NDArray[np.bool_]) -> Floats:
        """Forward substitution; a step that was not conditioned on has a row of zeros."""
        out = np.zeros_like(right)
        out[live] = solve_triangular(square[np.ix_(live, live)], right[live], lower=True, check_finite=False)
        return out

    def bounds(self) -> tuple[Floats, Floats]:
        """(M, D) lower and upper bounds of v, equal where it is exact."""
        low, high = self.v.copy(), self.v.copy()
        stale = self.depth < self.length
        if not stale.any():
            return low, high
        for m, system in enumerate(self._systems):
            smallest = system.lowest
            if smallest > 0:
                low[m, stale] = np.maximum(self.variances[m] - self._norms[m] / smallest, 0.0)[stale]
            else:
                low[m, stale] = 0.0
            if system.highest > 0:  # else nothing varies within this class, and nothing is explained
                high[m, stale] = np.minimum(high[m], self.variances[m] - self._norms[m] / system.highest)[stale]
        np.maximum(high, low, out=high)
        return low, high


class LazyConditional(Conditional):
    """`Conditional` on `LazyFactors`: Σ* has a factor of its own, as bounds of Σ_W say too little about it."""

    factors: LazyFactors

    def _start(self, laws: Laws, shrinkage: Floats) -> None:
        view, g = self.view, len(self.view.between)
        within = np.vstack([view.priors, laws.mixtures])
        between = np.zeros((len(within), g, g))
        between[0] = np.eye(g)
        self.factors = LazyFactors(view, blend(view, within, between, shrinkage, self.floor), self.floor)

    def half_logs(self) -> Floats:
        return 0.5 * np.log(np.maximum(self.factors.v, self.floor))

    def _variances_of(self, candidate: int) -> Floats:
        return self.factors.remaining(candidate)

    def append(self, candidate: int, pooled: Floats | None = None) -> None:
        self.factors.append(candidate)
        self._asked = None

    def collinear(self) -> NDArray[np.bool_]:
        return np.asarray(self.factors.v[0] <= self.floor)

    def best_half_logs(self) -> Floats:
        """(1 + L, D) as `half_logs`, where the bounds leave room the most for Σ* and the least for each law."""
        low, high = self.factors.bounds()
        return np.asarray(0.5 * np.log(np.maximum(np.concatenate([high[:1], low[1:]]), self.floor)))


class Pruner:
    """A GCMI whose gains are bounded first and computed where asked; made by the search that prunes."""

    def __init__(self, measure: GCMI) -> None:
        self.measure = measure
        self.active = True
        self.computed = 0
        measure.follow_by(LazyConditional)

    @property
    def given(self) -> LazyConditional:
        """What the measure follows, made anew when shrinkage begins."""
        assert isinstance(self.measure.given, LazyConditional)
        return self.measure.given

    def stale(self) -> NDArray[np.bool_]:
        """(D,) where the bound is not yet the gain."""
        if not self.active:
            return np.zeros(self.measure.n_candidates, dtype=bool)
        factors = self.given.factors
        return (factors.depth < factors.length) & ~self.measure.spoken_for()

    def tighten(self, candidates: NDArray[np.intp]) -> None:
        """Exact gains for these candidates."""
        if self.active:
            self.given.factors.complete(candidates)
            self.computed += len(candidates)

    def settle(self, candidate: int) -> bool:
        """As `GaussianMeasure.settle`."""
        return self.measure.settle(candidate)

    def bounds(self) -> Floats:
        """(D,) upper bounds of the gains; exact where not stale."""
        if self.active and self._must_stop():
            self.active = False
            self.measure.follow_by(Conditional)
        if not self.active:
            return self.measure.gains()
        bounds = self.measure.gains_of(self.measure.terms(self.given.best_half_logs()))
        self.measure.remember(bounds)
        return bounds

    def _must_stop(self) -> bool:
        """Where every candidate must be seen: at saturation, or when only collinear ones are left."""
        if self.measure.spoken_for().all():
            return True
        if not self._saturates():
            return False
        self.tighten(np.flatnonzero(self.stale()))
        return self._saturates()

    def _saturates(self) -> bool:
        return self.measure.saturates(self.measure.terms(self.given.best_half_logs()))
