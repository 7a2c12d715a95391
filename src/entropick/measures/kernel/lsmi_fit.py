"""LSMI of one set of features: centres, folds, model selection and the analytic solution.

    Î = ½ ĥᵀα̂ − ½,   α̂ = (Ĥ + λI)⁻¹ ĥ,   Ĥ = (KxᵀKx ∘ KyᵀKy)/n²,   ĥ = mean over rows of Kx ∘ Ky

Kx, Ky : (n, b) kernels of the rows to b centres, Gaussian in x; in y the delta kernel for classes and a Gaussian
for numbers. (σ, λ) minimises Σ_folds ½ α̂ᵀ₋ₖ Ĥₖ α̂₋ₖ − ĥₖᵀ α̂₋ₖ on a grid, σ in multiples of the median distance
(Jitkrittum, Hachiya & Sugiyama, IEICE 2013, §4.4 and §5.4.2).

What makes it cheap:

* Ĥ of "all but fold k" is a difference of sums: KxᵀKx is computed once a fold and σ.
* With the delta kernel Ĥ falls into one block a class, and KyᵀKy is a count.
* One tridiagonal reduction H = QTQᵀ serves every λ: (T + λI) is solved in O(b). It costs a quarter of the
  eigendecomposition that would do the same (`kernels/ridge_paths.py`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import lapack

from ...kernels.kernel_sums import exp_of
from ...kernels.ridge_paths import held_out_errors
from .distances import Floats, PairDistances, standardised_target
from .feature_set import Worth


@dataclass(frozen=True)
class Fit(Worth):
    """LSMI of a set, with the model that was selected for it."""

    factor: int  # which of the factors: σ = factor × the median distance, in x and in y
    sigma: float  # in x
    ridge: float

    def told(self) -> dict[str, Any]:
        return {"sigma": self.sigma, "ridge": self.ridge, "total": self.value}


@dataclass(frozen=True)
class Block:
    """Centres whose basis functions overlap in y: those of one class, or all in a regression."""

    span: slice
    gram: list[Floats]  # of each factor: KyᵀKy of every fold, (folds, size, size), or counts (folds, 1, 1)


class LSMIFit:
    """Everything about the rows that does not depend on the features: who is a centre, who is in which fold.

    Rows are kept fold by fold, each fold filled up to the longest with rows infinitely far from every centre.
    """

    def __init__(
        self,
        codes: NDArray[np.int32],
        target: Floats | None,
        weights: Floats | None,
        random: np.random.Generator,
        centres: int,
        folds: int,
        factors: tuple[float, ...],
        ridges: tuple[float, ...],
    ) -> None:
        n = codes.size
        self.factors = np.asarray(factors, dtype=np.float64)
        self.ridges = np.asarray(ridges, dtype=np.float64)
        chosen = random.choice(n, min(centres, n), replace=False)
        self.centres = chosen[np.argsort(codes[chosen], kind="stable")] if target is None else np.sort(chosen)
        self.n_folds = min(folds, n)
        parts = np.array_split(random.permutation(n), self.n_folds)
        length = max(part.size for part in parts)
        self.rows = np.full((self.n_folds, length), -1)
        for place, part in zip(self.rows, parts, strict=True):
            place[: part.size] = np.sort(part)
        self.padding = (self.rows < 0).ravel()
        self.order = np.where(self.padding, 0, self.rows.ravel())
        mass = np.ones(n) if weights is None else weights
        self.mass = np.where(self.rows < 0, 0.0, mass[np.maximum(self.rows, 0)])
        self.root = None if weights is None else np.sqrt(self.mass)[:, :, None]
        self.sizes = self.mass.sum(axis=1)
        self.total = float(self.sizes.sum())
        self.blocks, self.pull = self._classes(codes) if target is None else self._numbers(target, weights, random)

    def _arranged(self, values: NDArray[Any]) -> NDArray[Any]:
        return values[self.order].reshape(self.rows.shape + values.shape[1:])

    def _classes(self, codes: NDArray[np.int32]) -> tuple[list[Block], list[Floats]]:
        own, of_row = codes[self.centres], self._arranged(codes)
        blocks = []
        for code in np.unique(own):
            here = np.flatnonzero(own == code)
            counts = (self.mass * (of_row == code)).sum(axis=1)[:, None, None]
            blocks.append(Block(slice(int(here[0]), int(here[-1]) + 1), [counts] * self.factors.size))
        same = (of_row[:, :, None] == own) * self.mass[:, :, None]
        return blocks, [same] * self.factors.size

    def _numbers(
        self, target: Floats, weights: Floats | None, random: np.random.Generator
    ) -> tuple[list[Block], list[Floats]]:
        y = standardised_target(target, weights)
        pairs = PairDistances(y, weights, random)
        scale = pairs.median(pairs.weighted(np.ones(y.shape[1])))
        squared = ((self._arranged(y)[:, :, None, :] - y[self.centres]) ** 2).sum(axis=3)
        grams, pull = [], []
        for kernel in exp_of(squared, 0.5 / (self.factors * scale) ** 2):
            weighted = kernel * self.mass[:, :, None]
            grams.append(kernel.transpose(0, 2, 1) @ weighted)
            pull.append(weighted)
        return [Block(slice(0, self.centres.size), grams)], pull

    # -- distances ----------------------------------------------------------------------------------------------

    def empty(self) -> Floats:
        """(n_folds × longest, b) squared distances of the empty set."""
        squared = np.zeros((self.padding.size, self.centres.size))
        squared[self.padding] = np.inf
        return squared

    def own(self, column: Floats) -> Floats:
        """(n_folds × longest, b) squared distances in one feature."""
        gap = column[self.order][:, None] - column[self.centres][None, :]
        return gap * gap

    # -- the estimate -------------------------------------------------------------------------------------------

    def select(self, squared: Floats, scale: float) -> Fit:
        """(σ, λ) by cross-validation, then the estimate on all rows."""
        best, value, factor, ridge = np.inf, -0.5, 0, float(self.ridges[0])
        rates = 0.5 / (self.factors * scale) ** 2
        for s in range(self.factors.size):
            kernel = exp_of(squared, rates[s : s + 1])[0].reshape(*self.rows.shape, -1)
            errors, terms = self._errors(kernel, s)
            at = int(np.argmin(errors))
            if errors[at] < best:
                best, factor, ridge = float(errors[at]), s, float(self.ridges[at])
                value = _estimate(terms, ridge)
        return Fit(value, factor, float(self.factors[factor] * scale), ridge)

    def _errors(self, kernel: Floats, s: int) -> tuple[Floats, list[tuple[Floats, Floats]]]:
        """(n_ridges,) mean error on the folds left out, and (Ĥ, ĥ) of every block on all rows."""
        pulls = (kernel * self.pull[s]).sum(axis=1)
        all_pulls = pulls.sum(axis=0)
        rooted = kernel if self.root is None else kernel * self.root
        errors = np.zeros(self.ridges.size)
        terms = []
        left, sizes = (self.total - self.sizes)[:, None], self.sizes[:, None]
        for block in self.blocks:
            part, gram, pull = rooted[:, :, block.span], block.gram[s], pulls[:, block.span]
            products = part.transpose(0, 2, 1) @ part
            whole, gram_whole, all_pull = products.sum(axis=0), gram.sum(axis=0), all_pulls[block.span]
            terms.append((whole * gram_whole / self.total**2, all_pull / self.total))
            if self.n_folds > 1:
                held_out_errors(
                    (whole - products) * ((gram_whole - gram) / left[:, :, None] ** 2),
                    (all_pull - pull) / left,
                    products * (gram / sizes[:, :, None] ** 2),
                    pull / sizes,
                    self.ridges,
                    errors,
                )
        return errors / self.n_folds, terms

    def value(self, kernel: Floats, s: int, ridge: float) -> float:
        """Î of kernels (n_folds, longest, b) for a given model."""
        terms, _ = self._terms(kernel, s)
        return _estimate(terms, ridge)

    def solve(self, kernel: Floats, s: int, ridge: float) -> tuple[float, Floats]:
        """Î and ∂Î/∂Kx (n_folds, longest, b) for a given model."""
        terms, grams = self._terms(kernel, s)
        value, push = -0.5, np.empty_like(kernel)
        for block, gram, (H, h) in zip(self.blocks, grams, terms, strict=True):
            span = block.span
            alpha = _positive_solve(H, h, ridge)
            value += 0.5 * float(h @ alpha)
            both = kernel[:, :, span] @ (gram * np.outer(alpha, alpha))
            if self.root is not None:
                both *= self.mass[:, :, None]
            push[:, :, span] = self.pull[s][:, :, span] * (alpha / self.total) - both
        return value, push

    def _terms(self, kernel: Floats, s: int) -> tuple[list[tuple[Floats, Floats]], list[Floats]]:
        """(Ĥ, ĥ) of every block, and KyᵀKy/n²."""
        flat = kernel.reshape(-1, kernel.shape[2])
        h = np.einsum("il,il->l", flat, self.pull[s].reshape(flat.shape)) / self.total
        rooted = flat if self.root is None else flat * self.root.reshape(-1, 1)
        terms, grams = [], [block.gram[s].sum(axis=0) / self.total**2 for block in self.blocks]
        for block, gram in zip(self.blocks, grams, strict=True):
            part = rooted[:, block.span]
            terms.append(((part.T @ part) * gram, h[block.span]))
        return terms, grams


def _positive_solve(matrix: Floats, right: Floats, ridge: float) -> Floats:
    matrix = matrix.copy()
    matrix[np.diag_indices_from(matrix)] += ridge
    solution: Floats = lapack.dposv(matrix, right, lower=1, overwrite_a=1)[1]
    return solution


def _estimate(terms: list[tuple[Floats, Floats]], ridge: float) -> float:
    return 0.5 * sum(float(h @ _positive_solve(H, h, ridge)) for H, h in terms) - 0.5
