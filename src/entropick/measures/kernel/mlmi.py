"""MLMI: maximum-likelihood mutual information of the features chosen so far with the target.

    Î = mean over rows of log ĝ(x_i, y_i),      ĝ(x, y) = Σ_l α_l Kx(x, x_l) Ky(y, y_l),  α ≥ 0
    max Σ_i log ĝ(x_i, y_i)   where the mean of ĝ over all pairs (x_i, y_j) is 1

ĝ models the ratio p(x,y) / (p(x)p(y)) itself, so Î is Shannon's information in nats, where LSMI is the squared one.
The centres, the kernels and the folds are those of `lsmi_fit`; there is no ridge: σ, in multiples of the median
distance, has the highest mean of log ĝ on the folds left out. With β_l = α_l × the mean of basis l over all pairs the
program is one of mixture shares, max Σ_i log (Fβ)_i on the simplex. It is concave, and max_l mean_i F_il/(Fβ)_i − 1
bounds what is missing of the maximum. Newton steps, each a non-negative least-squares problem, need about five rounds.

Rows that no basis function reaches (ĝ = 0) count as ĝ = `FLOOR`, on folds left out and in Î alike.

Paper: Suzuki, Sugiyama, Sese & Kanamori 2008; named in §4.3 of Jitkrittum, Hachiya & Sugiyama, IEICE 2013, as the
dearer way because of the logarithm: a set costs some 0.2 s where LSMI's costs 5 ms. Sibling: `lsmi`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...kernels.kernel_sums import exp_of
from .distances import Floats
from .lsmi import LSMI
from .lsmi_fit import Fit, LSMIFit

ROUNDS = 60
GAP = 1e-6  # nats that may be missing of the maximum
FLOOR = 1e-10  # of the ratio


class MLMIFit(LSMIFit):
    """The same rows, centres and folds as of LSMI; another estimate."""

    def select(self, squared: Floats, scale: float) -> Fit:
        """σ by the likelihood of the folds left out, then the estimate on all rows."""
        rates = 0.5 / (self.factors * scale) ** 2
        told = [self._held_out(exp_of(squared, rates[s : s + 1])[0], s) for s in range(self.factors.size)]
        best = int(np.argmax(told))
        bases, means = self._bases(exp_of(squared, rates[best : best + 1])[0], best, self.mass.ravel())
        used = self.mass.ravel() > 0
        shares = mixture_shares(bases[used] / means, self.mass.ravel()[used])
        value = _mean_log(bases[used] @ (shares / means), self.mass.ravel()[used])
        return Fit(value, best, float(self.factors[best] * scale), 0.0)

    def _held_out(self, kernel: Floats, s: int) -> float:
        """Mean over the folds of the mean of log ĝ on a fold, ĝ from the others."""
        if self.n_folds < 2:
            return 0.0
        fold = np.repeat(np.arange(self.n_folds), self.rows.shape[1])
        mass = self.mass.ravel()
        total, shares = 0.0, None
        for k in range(self.n_folds):
            others = np.where(fold == k, 0.0, mass)
            bases, means = self._bases(kernel, s, others)
            here, there = others > 0, (fold == k) & (mass > 0)
            if here.any() and there.any():
                shares = mixture_shares(bases[here] / means, mass[here], shares)  # folds are much alike
                total += _mean_log(bases[there] @ (shares / means), mass[there])
        return total / self.n_folds

    def _bases(self, kernel: Floats, s: int, mass: Floats) -> tuple[Floats, Floats]:
        """(rows, b) Kx ∘ Ky, and (b,) its mean over all pairs of rows of this mass."""
        counted = self.mass.ravel()
        pull = self.pull[s].reshape(kernel.shape)
        own = np.divide(pull, counted[:, None], out=np.zeros(kernel.shape), where=counted[:, None] > 0)
        total = mass.sum()
        means = (mass @ kernel) * (mass @ own) / total**2
        return kernel * own, np.maximum(means, 1e-300)


class MLMI(LSMI):
    """Î(X_S; Y) under ranking, forward and backward search. Options: those of `LSMI` but for the ridges."""

    fitted_by = MLMIFit

    def details(self) -> dict[str, object]:
        """The grid and the number of centres, for the record."""
        return {"centres": int(self.fit.centres.size), "sigmas": self.fit.factors.tolist()}


def mixture_shares(F: Floats, mass: Floats, start: Floats | None = None) -> Floats:
    """(b,) β ≥ 0, Σβ = 1, that maximise Σ_i mass_i log (Fβ)_i, to `GAP`; rows that nothing reaches are left out.

    A Newton step, of those that have a share or would gain by one, minimises ½ mean (u_i − 2)² + Σβ with u = Fβ / the
    present Fβ: at the minimum Σβ = 1 by itself. A start is mixed with equal shares, lest a ratio be next to 0.
    """
    reached = F.max(axis=1, initial=0.0) > 0
    F, v = F[reached], mass[reached] / max(float(mass[reached].sum()), 1e-300)
    b = F.shape[1]
    shares = np.full(b, 1.0 / b) if start is None else 0.9 * start + 0.1 / b
    if not len(F):
        return shares
    ratio = F @ shares
    for _ in range(ROUNDS):
        relative = F / ratio[:, None]
        pull = v @ relative
        if pull.max() - 1.0 < GAP:
            break
        live = np.flatnonzero((shares > 0) | (pull > 1.0))
        step = -shares
        step[live] += _newton(relative[:, live], v, pull[live])
        shares, ratio = _along(F, v, shares, ratio, step, float((1.0 - pull) @ step))
    return shares


def _newton(relative: Floats, v: Floats, pull: Floats) -> Floats:
    """(b,) the non-negative minimiser of ½ βᵀHβ − (2 pull − 1)ᵀβ,  H = relativeᵀ diag(v) relative."""
    from scipy.optimize import nnls

    H = relative.T @ (v[:, None] * relative)
    H[np.diag_indices_from(H)] += 1e-9 * np.trace(H) / len(H)
    L = np.linalg.cholesky(H)
    found: Floats = nnls(L.T, np.linalg.solve(L, 2.0 * pull - 1.0), maxiter=30 * len(H))[0]
    return found


def _along(
    F: Floats, v: Floats, shares: Floats, ratio: Floats, step: Floats, slope: float
) -> tuple[Floats, NDArray[Any]]:
    """Shares after as much of the step as lowers −Σ v log (Fβ) + Σβ, and their Fβ."""
    begin, size = float(shares.sum() - v @ np.log(ratio)), 1.0
    while True:
        after = shares + size * step
        now = F @ after
        if now.min() > 0 and float(after.sum() - v @ np.log(now)) <= begin + 1e-4 * size * slope:
            break
        size *= 0.5
        if size < 1e-8:
            return shares, ratio
    total = float(after.sum())
    return after / total, now / total


def _mean_log(ratio: Floats, mass: Floats) -> float:
    return float(mass @ np.log(np.maximum(ratio, FLOOR)) / mass.sum())
