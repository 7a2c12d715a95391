"""Partial Cholesky factors of several covariances at once: the engine of every Gaussian measure.

For each covariance Σ keep the conditional variance v_j = σ²_{j|S} of every candidate j. Adding i,

    r   = (Σ[i, :] − L[:k, i]ᵀ L[:k, :]) / sqrt(v_i)        O(k) a candidate, one BLAS-2 product
    v  −= r²                                                 O(1) a candidate

and log|Σ_{S∪j}| = log|Σ_S| + log v_j. It is eq. 12–15 of Lefakis & Fleuret (2014) without an inverse.

A `Blend` says which covariances: each is a mixture of the class covariances plus a part between the classes
plus a diagonal. `StoredFactors` keeps the rows of L. `ImplicitFactors` has the data instead: there
L = U X̃ with U orthonormal in the space of the samples (Gram–Schmidt), so only U is kept and every step is
one pass over the data, whatever k is.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solve_triangular

from ..kernels.variances import less, take_away
from ..statistics.moment_views import MatrixView, RowsView

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Blend:
    """M covariances: Σ_m = Σ_c within[m, c] Σ_c + Zᵀ between[m] Z + diag(ridge[m]).

    within (M, C); between (M, g, g), positive semi-definite; ridge (M, D).
    """

    within: Floats
    between: Floats
    ridge: Floats

    @property
    def size(self) -> int:
        """Number of covariances."""
        return len(self.within)


def blend(
    view: MatrixView | RowsView,
    within: Floats,
    between: Floats,
    shrinkage: Floats | float = 0.0,
    floor: float = 0.0,
) -> Blend:
    """A Blend whose class covariances are shrunk first: Σ_c -> (1 − ρ_c) Σ_c + ρ_c diag(Σ_W).

    shrinkage: ρ, one number or one a class. A column that is constant under one covariance (a pixel that a
    class never lights) has no law there that a Gaussian could describe, and a variance of 0 would make it
    look infinitely informative: the variance within all classes stands in for it.
    """
    rho = np.broadcast_to(np.asarray(shrinkage, dtype=np.float64), (view.n_classes,))
    what = Blend(within * (1.0 - rho), between, np.outer(within @ rho, view.within))
    np.copyto(what.ridge, view.within, where=diagonal(view, what) <= floor)
    return what


def diagonal(view: MatrixView | RowsView, what: Blend) -> Floats:
    """(M, D) the variances."""
    spread = np.einsum("gd,mgh,hd->md", view.between, what.between, view.between, optimize=True)
    return what.within @ view.variances + spread + what.ridge


class Factors:
    """Conditional variances ``v`` (M, D) of all candidates given the features appended so far.

    A direction whose variance is at most ``floor`` is not conditioned on: it is rounding.
    """

    def __init__(self, view: MatrixView | RowsView, what: Blend, floor: float) -> None:
        self.view = view
        self.what = what
        self.floor = floor
        self.v: Floats = diagonal(view, what)
        self.length = 0
        self._tracked: NDArray[np.bool_] = np.ones(what.size, dtype=bool)

    def covariance_rows(self, i: int, class_rows: Floats | None = None) -> Floats:
        """(M, D) row i of every covariance."""
        rows = self.what.within @ (self.view.class_rows(i) if class_rows is None else class_rows)
        rows += (self.what.between @ self.view.between[:, i]) @ self.view.between
        rows[:, i] += self.what.ridge[:, i]
        return rows

    def append(self, i: int, rows: Floats | None = None) -> Floats:
        """Condition on feature i: (M, D) the new rows of L, good until the next call; zero where i is spent.

        rows: `covariance_rows(i)` where the caller has it; overwritten.
        """
        r = self._new_rows(i, self.roots(i), rows)
        self.length += 1
        for m in np.flatnonzero(self._tracked):
            take_away(self.v[m], r[m])
        self.v[:, i] = 0.0
        return r

    def roots(self, i: int) -> Floats:
        """(M,) standard deviations of candidate i given the chosen; infinite where nothing is left."""
        pivot = self.remaining(i)
        return np.sqrt(np.where(pivot > self.floor, pivot, np.inf))

    def remaining(self, i: int) -> Floats:
        """(M,) conditional variances of candidate i."""
        return self.v[:, i].copy()

    def _new_rows(self, i: int, root: Floats, rows: Floats | None) -> Floats:
        raise TypeError("use StoredFactors or ImplicitFactors")


class StoredFactors(Factors):
    """Keeps L, (M, k, D): for full matrices."""

    def __init__(self, view: MatrixView | RowsView, what: Blend, floor: float) -> None:
        super().__init__(view, what, floor)
        self._store: list[Floats] = [np.empty((8, view.n_features)) for _ in range(what.size)]

    def lower(self, m: int) -> Floats:
        """(k, D) the rows of L of covariance m."""
        return self._store[m][: self.length]

    def _new_rows(self, i: int, root: Floats, rows: Floats | None) -> Floats:
        k = self.length
        r = self.covariance_rows(i) if rows is None else rows
        for m, store in enumerate(self._store):
            if k == len(store):
                grown = np.empty((2 * k, store.shape[1]))
                grown[:k] = store
                self._store[m] = store = grown
            if k:
                r[m] -= store[:k, i] @ store[:k]
            r[m] /= root[m]
            store[k] = r[m]
        return r


class ImplicitFactors(Factors):
    """Keeps U, (M, k, n + g): for few rows and many columns; one pass over the data a step.

    The diagonal ridge lives on coordinates of its own, one a feature: an earlier feature's coordinate is
    zero in every later column, so it never enters a product with a candidate.
    """

    def __init__(self, view: RowsView, what: Blend, floor: float) -> None:
        super().__init__(view, what, floor)
        self._rows: RowsView = view
        self._scale: Floats = np.sqrt(what.within / view.counts)[:, view.codes]  # (M, n)
        values, vectors = np.linalg.eigh(what.between)
        self._spread: Floats = np.sqrt(np.maximum(values, 0.0))[:, :, None] * vectors.transpose(0, 2, 1)
        self._store: Floats = np.empty((what.size, 8, view.n_rows + len(view.between)))
        self._new: Floats = np.zeros_like(self.v)  # one array for all steps: a fresh one costs half a pass
        self._asked: tuple[int, Floats] | None = None  # the latest answer of `remaining`, until the next append

    def track(self, which: NDArray[np.bool_]) -> None:
        """(M,) keep v of all candidates for these covariances only; the others cost no pass from here on."""
        self._tracked = which
        self._new[~which] = 0.0

    def append(self, i: int, rows: Floats | None = None) -> Floats:
        r = super().append(i, rows)
        self._asked = None
        return r

    def remaining(self, i: int) -> Floats:
        if self._tracked.all():
            return super().remaining(i)
        if self._asked is None or self._asked[0] != i:
            column = self._column(i)
            inner = np.matmul(self._store[:, : self.length], column[:, :, None])[:, :, 0]
            exact = (column**2).sum(axis=1) + self.what.ridge[:, i] - (inner**2).sum(axis=1)
            self._asked = i, np.where(self._tracked, self.v[:, i], np.maximum(exact, 0.0))
        return self._asked[1].copy()

    def _column(self, i: int) -> Floats:
        spread = self._spread @ self._rows.between[:, i]
        return np.concatenate([self._scale * self._rows.column(i), spread], axis=1)

    def _new_rows(self, i: int, root: Floats, rows: Floats | None) -> Floats:
        k, n = self.length, self._rows.n_rows
        if k == self._store.shape[1]:
            grown = np.empty((self._store.shape[0], 2 * k, self._store.shape[2]))
            grown[:, :k] = self._store
            self._store = grown
        u = self._column(i)
        done = self._store[:, :k]
        u -= np.matmul(np.matmul(done, u[:, :, None]).transpose(0, 2, 1), done)[:, 0]
        u /= root[:, None]
        self._store[:, k] = u
        r = self._new
        for m in np.flatnonzero(self._tracked):
            self._rows.product(u[m, :n] * self._scale[m], self.what.within[m] > 0, out=r[m])
            if self.what.between[m].any():
                r[m] += (u[m, n:] @ self._spread[m]) @ self._rows.between
        return r


class Between:
    """Σ* = Σ_W + ZᵀZ given the chosen, from the factor of Σ_W alone.

    z (g, D): Z less its regression on the chosen with the coefficients of Σ_W; G = Z_S Σ_W⁻¹ Z_Sᵀ. Then

        σ*²_{j|S} = σ_W²_{j|S} + z_jᵀ (I + G)⁻¹ z_j          Wilks' ratio needs one Cholesky factor, not two
    """

    def __init__(self, between: Floats, floor: float) -> None:
        self.z: Floats = between.copy()
        self.inner: Floats = np.eye(len(between))  # I + G
        self.floor = floor

    def spread(self) -> Floats:
        """(D,) what the total variance of each candidate is above its variance within."""
        if len(self.z) == 1:
            spread = self.z[0] * self.z[0]
            spread *= 1.0 / self.inner[0, 0]
            return spread
        # I + G ⪰ I is well conditioned from below: half its inverse is one triangular product
        half = solve_triangular(np.linalg.cholesky(self.inner), self.z, lower=True, check_finite=False)
        return np.einsum("gd,gd->d", half, half)

    def spread_of(self, i: int) -> float:
        """The same of one candidate."""
        if len(self.z) == 1:
            return float(self.z[0, i] ** 2 / self.inner[0, 0])
        return float(self.z[:, i] @ np.linalg.solve(self.inner, self.z[:, i]))

    def append(self, i: int, row: Floats, root: float) -> None:
        """Feature i enters: row = its new row of L_W, root = sqrt(v_W,i), infinite where nothing is left."""
        z = self.z[:, i].copy()
        self.inner += np.outer(z, z) / (root**2 if np.isfinite(root) else self.floor)
        for own, part in zip(z, self.z, strict=True):
            less(part, own / root, row)
        self.z[:, i] = 0.0


def factorise(view: MatrixView | RowsView, what: Blend, floor: float) -> Factors:
    """The factors that fit the memory."""
    return ImplicitFactors(view, what, floor) if isinstance(view, RowsView) else StoredFactors(view, what, floor)
