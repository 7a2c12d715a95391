"""HSIC and LSMI as functions of feature weights, with their gradients: what the ℓ1 search climbs.

    d²(w) = Σ_f w_f² (x_f − x'_f)²,      ∂K/∂w_f = −K w_f (x_f − x'_f)²/σ²
    LSMI: ∂Î = Σ_il G_il ∂Kx_il,         G = α∘Ky/n − Kx (KyᵀKy ∘ ααᵀ)/n²
    HSIC: ∂HSIC = Σ_ij M_ij ∂K_ij,       M as in `kernel_hsic`

With P = G∘K the gradient is −(w_f/σ²) Σ P_il (x_if − c_lf)², three matrix products for all features at once.
A model (σ, and λ for LSMI) is selected by the caller every few steps and held in between, as in §5.4.3 of
Jitkrittum, Hachiya & Sugiyama, IEICE 2013. There σ follows the median distance of diag(w) X wherever it goes, which
makes the value the same for w and for 2w, so that a radius could decide nothing. Here it follows no further down than
`NARROWEST`: on a small ball the kernel stays wide, and only few features can be afforded.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from ...kernels.kernel_sums import exp_of
from ...statistics.rows import RowStatistics
from .distances import Floats, one_blas_thread
from .hsic import HSIC
from .lsmi import LSMI
from .lsmi_fit import Fit

NARROWEST = 1.0  # standard deviations of a feature: the least σ_med that widths are scaled by


@dataclass(frozen=True)
class Ascent:
    """How the ℓ1 search is to go about it."""

    restarts: int = 20
    time_limit: float | None = None
    improve: bool = True


class FeatureWeights:
    """What both measures of weighted features share, before the measure of sets among the bases."""

    ascent: Ascent

    def __init__(
        self,
        statistics: RowStatistics,
        *,
        random: np.random.Generator | None = None,
        n_jobs: int | None = None,
        **options: Any,
    ) -> None:
        own = {field.name: options.pop(field.name) for field in fields(Ascent) if field.name in options}
        self.ascent = Ascent(**own)
        self.random = np.random.default_rng() if random is None else random
        super().__init__(statistics, random=self.random, n_jobs=n_jobs, **options)  # type: ignore[call-arg]

    def session(self) -> AbstractContextManager[Any]:
        """Held while many values are asked from several threads."""
        return one_blas_thread()

    def value(self, w: Floats, model: Any) -> float:
        """For a given model."""
        return self._climb(w, model, False)[0]

    def gradient(self, w: Floats, model: Any) -> tuple[float, Floats]:
        """The value and (n_features,) its gradient in w for a given model."""
        return self._climb(w, model, True)

    def _climb(self, w: Floats, model: Any, slope: bool) -> tuple[float, Floats]:
        raise TypeError("use WeightedLSMI or WeightedHSIC")


class WeightedLSMI(FeatureWeights, LSMI):
    """Î(diag(w) X; Y). Options: those of `LSMI`, and ``restarts``, ``time_limit``, ``improve`` of the search."""

    def __init__(self, statistics: RowStatistics, **options: Any) -> None:
        super().__init__(statistics, **options)
        self._rows = np.ascontiguousarray(statistics.standardised[self.fit.order])
        self._centres = np.ascontiguousarray(statistics.standardised[self.fit.centres])

    def _squared(self, w: Floats) -> Floats:
        used = np.flatnonzero(w)
        x, c = self._rows[:, used] * w[used], self._centres[:, used] * w[used]
        squared = -2.0 * (x @ c.T)
        squared += (x * x).sum(axis=1)[:, None]
        squared += (c * c).sum(axis=1)
        np.maximum(squared, 0.0, out=squared)
        squared[self.fit.padding] = np.inf
        return squared

    def select_model(self, w: Floats) -> Fit:
        """(σ, λ) by cross-validation for these weights."""
        return self.fit.select(self._squared(w), max(NARROWEST, self.pairs.median(self.pairs.weighted(w))))

    def _climb(self, w: Floats, model: Fit, slope: bool) -> tuple[float, Floats]:
        kernel = exp_of(self._squared(w), [0.5 / model.sigma**2])[0]
        cube = kernel.reshape(*self.fit.rows.shape, -1)
        if not slope:
            return self.fit.value(cube, model.factor, model.ridge), w
        value, pushes = self.fit.solve(cube, model.factor, model.ridge)
        pushes = pushes.reshape(kernel.shape) * kernel
        x, c = self._rows, self._centres
        sums = pushes.sum(axis=1) @ (x * x) + pushes.sum(axis=0) @ (c * c) - 2.0 * ((pushes.T @ x) * c).sum(axis=0)
        return value, -(w / model.sigma**2) * sums


class WeightedHSIC(FeatureWeights, HSIC):
    """HSIC(diag(w) X; Y). Options: those of `HSIC`, and ``restarts``, ``time_limit``, ``improve`` of the search."""

    def __init__(self, statistics: RowStatistics, **options: Any) -> None:
        super().__init__(statistics, **options)
        self._blocks = []
        at = 0
        for start, stop in zip(self.starts[:-1], self.starts[1:], strict=True):
            size = int(stop - start)
            upper = np.triu_indices(size, 1)
            matrix = np.zeros((size, size))
            matrix[upper] = 0.5 * self.weights[at : at + upper[0].size]
            at += upper[0].size
            self._blocks.append((np.ascontiguousarray(self.columns[:, start:stop].T), matrix + matrix.T))

    def select_model(self, w: Floats) -> float:
        """σ: the median distance for these weights."""
        return max(NARROWEST, self.pairs.median(self.pairs.weighted(w)))

    def _climb(self, w: Floats, sigma: float, slope: bool) -> tuple[float, Floats]:
        used = np.flatnonzero(w)
        value, sums = self.constant, np.zeros(w.size)
        for rows, matrix in self._blocks:
            x = rows[:, used] * w[used]
            norms = (x * x).sum(axis=1)
            squared = (-2.0 * x) @ x.T
            squared += norms
            squared += norms[:, None]
            np.maximum(squared, 0.0, out=squared)
            pushes = exp_of(squared, [0.5 / sigma**2])[0]
            pushes *= matrix
            of_rows = pushes.sum(axis=1)
            value += float(of_rows.sum())
            if slope:
                sums += 2.0 * (of_rows @ (rows * rows) - ((pushes @ rows) * rows).sum(axis=0))
        return value, -(w / sigma**2) * sums
