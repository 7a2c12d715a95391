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

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...kernels.variances import less, project_out, squared_lengths, take_away
from ...statistics.moments.views import AnyView, RowsView

Floats = NDArray[np.float64]
Then = Callable[[slice, Floats], None]  # takes a range of columns and the (M, D) new rows of L


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

    def joined(self, other: Blend) -> Blend:
        """These covariances, then the other's."""
        parts = ((self.within, other.within), (self.between, other.between), (self.ridge, other.ridge))
        return Blend(*(np.concatenate(part) for part in parts))


def blend(
    view: AnyView,
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


def diagonal(view: AnyView, what: Blend) -> Floats:
    """(M, D) the variances."""
    variances = what.within @ view.variances + what.ridge
    for own, between in zip(variances, what.between, strict=True):
        if between.any():
            own += np.einsum("gd,gd->d", view.between, between @ view.between)
    return variances


class Factors:
    """Conditional variances ``v`` (M, D) of all candidates given the features appended so far.

    A direction whose variance is at most ``floor`` is not conditioned on: it is rounding.
    """

    def __init__(self, view: AnyView, what: Blend, floor: float) -> None:
        self.view = view
        self.what = what
        self.floor = floor
        self.v: Floats = diagonal(view, what)
        self.length = 0

    def covariance_rows(self, i: int, class_rows: Floats | None = None) -> Floats:
        """(M, D) row i of every covariance."""
        rows = self.what.within @ (self.view.class_rows(i) if class_rows is None else class_rows)
        rows += (self.what.between @ self.view.between[:, i]) @ self.view.between
        rows[:, i] += self.what.ridge[:, i]
        return rows

    def append(self, i: int, rows: Floats | None = None, then: Then | None = None) -> Floats:
        """Condition on feature i: (M, D) the new rows of L, good until the next call; zero where i is spent.

        rows: `covariance_rows(i)` where the caller has it; overwritten. then: what follows for a range of columns as
        soon as v and the new rows are known there; ranges may come at the same time, on threads.
        """
        r = self._new_rows(i, self.roots(i), rows, then)
        self.length += 1
        self.v[:, i] = 0.0
        return r

    def roots(self, i: int) -> Floats:
        """(M,) standard deviations of candidate i given the chosen; infinite where nothing is left."""
        pivot = self.remaining(i)
        return np.sqrt(np.where(pivot > self.floor, pivot, np.inf))

    def remaining(self, i: int) -> Floats:
        """(M,) conditional variances of candidate i."""
        return self.v[:, i].copy()

    def _new_rows(self, i: int, root: Floats, rows: Floats | None, then: Then | None) -> Floats:
        """The rows that `append` returns, taken away from v already."""
        raise TypeError("use StoredFactors or ImplicitFactors")


class StoredFactors(Factors):
    """Keeps L, (M, k, D): for full matrices."""

    def __init__(self, view: AnyView, what: Blend, floor: float) -> None:
        super().__init__(view, what, floor)
        self._store: list[Floats] = [np.empty((8, view.n_features)) for _ in range(what.size)]

    def lower(self, m: int) -> Floats:
        """(k, D) the rows of L of covariance m."""
        return self._store[m][: self.length]

    def _new_rows(self, i: int, root: Floats, rows: Floats | None, then: Then | None) -> Floats:
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
            take_away(self.v[m], r[m])
        if then is not None:
            then(slice(0, self.view.n_features), r)
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
        self._asked: tuple[int, Floats, Floats] | None = None  # the latest answer of `_residual`, while it holds
        self.track(np.ones(what.size, dtype=bool))

    def track(self, which: NDArray[np.bool_]) -> None:
        """(M,) keep v of all candidates for these covariances only; the others cost no pass from here on."""
        self._tracked: NDArray[np.bool_] = which
        self._ranges = self._rows.ranges((self.what.within > 0) & which[:, None])
        self._new[~which] = 0.0
        self._asked = None

    def remaining(self, i: int) -> Floats:
        return self._residual(i)[1]

    def _residual(self, i: int) -> tuple[Floats, Floats]:
        """(M, n + g) column i less its projection on U, and (M,) the variance that it leaves."""
        if self._asked is None or self._asked[0] != i:
            column = np.empty((len(self._store), self._store.shape[2]))
            np.multiply(self._scale, self._rows.column(i), out=column[:, : self._rows.n_rows])
            np.matmul(self._spread, self._rows.between[:, i], out=column[:, self._rows.n_rows :])
            u = np.empty_like(column)
            left = project_out(self._store[:, : self.length], column, u) + self.what.ridge[:, i]
            self._asked = i, u, np.where(self._tracked, self.v[:, i], np.maximum(left, 0.0))
        return self._asked[1:]

    def _new_rows(self, i: int, root: Floats, rows: Floats | None, then: Then | None) -> Floats:
        k, n = self.length, self._rows.n_rows
        if k == self._store.shape[1]:
            grown = np.empty((self._store.shape[0], 2 * k, self._store.shape[2]))
            grown[:, :k] = self._store
            self._store = grown
        u = self._residual(i)[0] / root[:, None]
        self._store[:, k] = u
        self._asked = None
        tracked, r = np.flatnonzero(self._tracked), self._new
        if not len(tracked):
            return r
        shifts = np.matmul(u[:, None, n:], self._spread)[:, 0]  # (M, g)

        def finish(part: slice) -> None:
            for m in tracked:
                for shift, between in zip(shifts[m], self._rows.between, strict=True):
                    if shift:
                        less(r[m, part], -shift, between[part])
                take_away(self.v[m, part], r[m, part])
            if then is not None:
                then(part, r)

        self._rows.products(u[:, :n] * self._scale, self._ranges, r, finish)
        return r


class Between:
    """Σ* = Σ_W + ZᵀZ given the chosen, from the factor of Σ_W alone.

    z (g, D): Z less its regression on the chosen with the coefficients of Σ_W; G = Z_S Σ_W⁻¹ Z_Sᵀ. Then

        σ*²_{j|S} = σ_W²_{j|S} + z_jᵀ (I + G)⁻¹ z_j          Wilks' ratio needs one Cholesky factor, not two
    """

    def __init__(self, between: Floats, floor: float) -> None:
        self.z: Floats = between.copy()
        self.inner: Floats = np.eye(len(between))  # I + G
        self._half: Floats = np.eye(len(between))  # (I + G)^−½, lower triangular
        self.floor = floor

    def spread(self, part: slice = slice(None)) -> Floats:
        """What the total variance of each candidate, all D or a part, is above its variance within."""
        z = self.z[:, part]
        if len(z) == 1:
            spread: Floats = z[0] * z[0]
            spread *= 1.0 / self.inner[0, 0]
            return spread
        spread = np.empty(z.shape[1])
        squared_lengths(self._half, z, spread)
        return spread

    def spread_of(self, i: int) -> float:
        """The same of one candidate."""
        if len(self.z) == 1:
            return float(self.z[0, i] ** 2 / self.inner[0, 0])
        return float(self.z[:, i] @ np.linalg.solve(self.inner, self.z[:, i]))

    def append(self, i: int, root: float) -> Then:
        """Feature i enters, root = sqrt(v_W,i), infinite where nothing is left; what z needs once L_W is known."""
        own = self.z[:, i].copy()
        self.inner += np.outer(own, own) / (root**2 if np.isfinite(root) else self.floor)
        if len(own) > 1:  # I + G ⪰ I is well conditioned from below
            lower = np.linalg.cholesky(self.inner)
            self._half = np.linalg.inv(lower)  # SciPy's BLAS would wait for the threads of NumPy's, for milliseconds

        def move(part: slice, rows: Floats) -> None:
            for factor, z in zip(own / root, self.z, strict=True):
                less(z[part], factor, rows[0, part])
            if part.start <= i < part.stop:
                self.z[:, i] = 0.0

        return move


def factorise(view: AnyView, what: Blend, floor: float) -> Factors:
    """The factors that fit the memory."""
    return ImplicitFactors(view, what, floor) if isinstance(view, RowsView) else StoredFactors(view, what, floor)
