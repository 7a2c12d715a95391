"""The test of one pair of lifted columns: their products, beyond what both say alone.

    classes      score test of the products P in a logistic (multinomial) model of both columns' functions M:
                 Uᵀ (V_PP − V_PM V_MM⁻¹ V_MP)⁻¹ U, χ² of m_i m_j (C − 1) degrees
    numbers      score test of the products in a linear model, by the rows' own scatter: s the products of P and the
                 residuals row by row, (Σ s)ᵀ (Σ s sᵀ)⁻¹ (Σ s), χ² of m_i m_j q degrees

Wilks' Λ, which the joint measure tests by, is wrong here in two ways: for classes it calls strong effects that add up
in log-odds an interaction, since they do not add up in probabilities; and for numbers, where a column interacts with
one other, the residuals of all its other pairs scatter unevenly, and those would come out as well. A score test needs
the smaller model only. Covariates stand beside the main effects.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from .level_terms import Terms

Floats = NDArray[np.float64]
ROUNDS = 25
PIECE = 1 << 18  # products of two classes' probabilities that are kept at a time
RIDGE = 1e-8  # of the information of a row, so that classes told apart by one column have an end


@dataclass(frozen=True)
class ProductTest:
    """The statistic of the products and its degrees of freedom."""

    statistic: float
    df: int


def orthonormal(block: Floats, against: Floats | None = None) -> Floats:
    """(n, r) orthonormal columns (mean square 1) that span the block less what ``against`` (orthonormal) explains.

    Directions of less than 1e-6 of a column's length are left out: they are rounding.
    """
    n = len(block)
    scale = np.sqrt(np.mean(block**2, axis=0))
    if against is not None:
        block = block - against @ (against.T @ block) / n
        block = block - against @ (against.T @ block) / n
    block = block[:, scale > 0] / scale[scale > 0]
    if not block.shape[1]:
        return block
    values, vectors = np.linalg.eigh(block.T @ block / n)
    kept = values > 1e-8
    return np.asarray(block @ (vectors[:, kept] / np.sqrt(values[kept])))


def products(u: Floats, v: Floats) -> Floats:
    """(n, m k) all products of a column of u (n, m) with one of v (n, k)."""
    return (u[:, :, None] * v[:, None, :]).reshape(len(u), -1)


def explained(P: Floats, E: Floats, M: Floats) -> float:
    """I(P;E|M) of a Gaussian, nats; P (n, k), E (n, q), M (n, r); the columns of P and M are orthonormal together."""
    n = len(E)
    F = E - M @ (M.T @ E) / n
    whole, part = F.T @ F / n, P.T @ F / n
    return 0.5 * float(np.linalg.slogdet(whole)[1] - np.linalg.slogdet(whole - part.T @ part)[1])


def swept(covariances: Floats, first: int, last: int) -> tuple[Floats, int, float]:
    """What is left of covariances when the ``first`` columns are regressed out; the rank of these; and what they say
    of the ``last`` columns, as a Gaussian's information, nats."""
    own, across, rest = covariances[:first, :first], covariances[:first, first:], covariances[first:, first:]
    scale = np.sqrt(np.maximum(np.diag(own), 1e-300))
    values, vectors = np.linalg.eigh(own / np.outer(scale, scale))
    kept = values > 1e-8
    root = (vectors[:, kept] / np.sqrt(values[kept])).T @ (across / scale[:, None])
    left = rest - root.T @ root
    gain = np.linalg.slogdet(rest[-last:, -last:])[1] - np.linalg.slogdet(left[-last:, -last:])[1]
    return left, int(kept.sum()), 0.5 * float(gain)


def linear_score(P: Floats, E: Floats, M: Floats) -> tuple[float, int]:
    """(statistic, degrees) of the products P (n, k) for the targets E (n, q) beyond M (n, r)."""
    n = len(E)
    scores = products(P, E - M @ (M.T @ E) / n)
    total, scatter = scores.mean(axis=0), scores.T @ scores / n
    values, vectors = np.linalg.eigh(scatter)
    kept = values > 1e-9 * max(float(values[-1]), 1e-300)
    projected = vectors[:, kept].T @ total
    free = n - M.shape[1]  # residuals are smaller than errors by the degrees that M took
    return float(free * (projected**2 / values[kept]).sum()), int(kept.sum())


def logistic(M: Floats, classes: NDArray[np.int32], n_classes: int) -> tuple[Floats, float]:
    """(n, C − 1) fitted probabilities of classes 1, …, and the mean log-likelihood; M (n, r) has the constant in it."""
    n, r = M.shape
    Y = np.eye(n_classes)[classes][:, 1:]
    weights = np.zeros((r, n_classes - 1))
    counts = np.bincount(classes, minlength=n_classes)
    weights[0] = np.log(counts[1:] / counts[0])
    best, step = -np.inf, np.zeros_like(weights)
    for _ in range(ROUNDS):
        scores = M @ weights
        top = np.maximum(scores.max(axis=1), 0.0)
        with np.errstate(under="ignore"):
            scores = np.exp(scores - top[:, None])
            base = np.exp(-top)
            total = base + scores.sum(axis=1)
            p = scores / total[:, None]
            chosen = np.where(classes == 0, base, scores[np.arange(n), classes - 1]) / total
        likelihood = float(np.mean(np.log(np.maximum(chosen, 1e-300)))) - RIDGE * float((weights[1:] ** 2).sum())
        if likelihood < best - 1e-12:  # too long a step
            step = step / 2
            weights = weights - step
            continue
        if likelihood - best < 1e-9:
            break
        best = likelihood
        gradient = M.T @ (Y - p) / n
        gradient[1:] -= 2 * RIDGE * weights[1:]
        step = np.linalg.solve(information(M, M, p) + 2 * RIDGE * np.eye(weights.size), gradient.T.reshape(-1))
        step = step.reshape(n_classes - 1, r).T
        weights = weights + step
    return p, float(np.mean(np.log(np.maximum(chosen, 1e-300))))


def information(A: Floats, B: Floats, p: Floats) -> Floats:
    """Fisher's information of a row between coefficients of A and of B, (q·a, q·b), class by class."""
    n, q = p.shape
    a, b = A.shape[1], B.shape[1]
    out = np.zeros((a * b, q * q))
    rows = max(1, PIECE // (q * q))
    for start in range(0, n, rows):  # one product of all pairs of classes with all pairs of columns, in pieces of rows
        part = slice(start, start + rows)
        weights = -products(p[part], p[part])
        weights[:, :: q + 1] += p[part]
        out += products(A[part], B[part]).T @ weights
    return np.asarray((out / n).reshape(a, b, q, q).transpose(2, 0, 3, 1).reshape(q * a, q * b))


def score_test(P: Floats, M: Floats, classes: NDArray[np.int32], n_classes: int) -> tuple[float, int]:
    """(statistic, degrees) of the products P (n, k) beyond M (n, r)."""
    n = len(P)
    p = logistic(M, classes, n_classes)[0]
    Y = np.eye(n_classes)[classes][:, 1:]
    U = (P.T @ (Y - p) / n).T.reshape(-1)
    cross = information(P, M, p)
    inner = information(M, M, p) + 2 * RIDGE * np.eye(cross.shape[1])
    V = information(P, P, p) - cross @ np.linalg.solve(inner, cross.T)
    values, vectors = np.linalg.eigh((V + V.T) / 2)
    kept = values > 1e-7 * max(float(np.trace(V)) / len(V), 1e-12)
    projected = vectors[:, kept].T @ U
    return float(n * (projected**2 / values[kept]).sum()), int(kept.sum())


@dataclass(frozen=True, eq=False)
class PairTester:
    """Tests pairs of blocks against one target: classes, or columns of numbers E (n, q). Z (n, z) are covariates."""

    classes: NDArray[np.int32] | None
    n_classes: int
    E: Floats | None
    Z: Floats | None

    def test(self, u: Floats, v: Floats, in_products: tuple[int, int]) -> ProductTest:
        """u (n, m) and v (n, k) are the functions of two columns; the first of each go into products."""
        main, P = self._parts(u, v, in_products)
        if not P.shape[1]:
            return ProductTest(0.0, 1)
        if self.classes is not None:
            return ProductTest(*score_test(P, main, self.classes, self.n_classes))
        assert self.E is not None
        return ProductTest(*linear_score(P, self.E, main))

    def terms(self, u: Floats, v: Floats, in_products: tuple[int, int]) -> Terms:
        """What the two columns say alone and together, nats: likelihood ratios of the models that the test compares."""
        base = self._constant(len(u))
        alone = tuple(self._explained(orthonormal(block, base), base) for block in (u, v))
        main, P = self._parts(u, v, in_products)
        joint = self._explained(np.concatenate([main[:, base.shape[1] :], P], axis=1), base)
        return Terms(alone, joint, joint - sum(alone))

    def speaks_together(self, u: Floats, v: Floats, in_products: tuple[int, int], least: float) -> bool:
        """Whether the products explain at least so much of what both columns do, by Gaussian information less chance.

        In closed form, of the covariances of some ten columns: a hundredth of the test's cost.
        """
        n, E = len(u), self._forms
        base = self._constant(n)
        P = products(u[:, : in_products[0]], v[:, : in_products[1]])
        every = np.concatenate([base, u, v, P, E], axis=1)
        ends = np.cumsum([base.shape[1], u.shape[1] + v.shape[1], P.shape[1]])
        left, said = every.T @ every / n, []
        for start, end in pairwise((0, *ends)):
            left, rank, gain = swept(left, int(end - start), E.shape[1])
            said.append(gain - rank * E.shape[1] / (2 * n))
        _, alone, together = said
        return bool(together >= least * max(alone, 0.0))

    @cached_property
    def _forms(self) -> Floats:
        """(n, q) targets as numbers: classes by the marks of all but one."""
        return self.E if self.E is not None else np.eye(self.n_classes)[self.classes][:, 1:]

    def _constant(self, n: int) -> Floats:
        """(n, 1 + z) the constant and the covariates, orthonormal."""
        one = np.ones((n, 1))
        return one if self.Z is None else np.concatenate([one, orthonormal(self.Z, one)], axis=1)

    def _parts(self, u: Floats, v: Floats, in_products: tuple[int, int]) -> tuple[Floats, Floats]:
        """Main effects with the constant, and the products less what those explain."""
        base = self._constant(len(u))
        main = np.concatenate([base, orthonormal(u, base)], axis=1)
        main = np.concatenate([main, orthonormal(v, main)], axis=1)
        return main, orthonormal(products(u[:, : in_products[0]], v[:, : in_products[1]]), main)

    def _explained(self, block: Floats, base: Floats) -> float:
        """Information of an orthonormal block with the target given ``base``, nats."""
        if not block.shape[1]:
            return 0.0
        if self.classes is None:
            assert self.E is not None
            return explained(block, self.E, base)
        small = logistic(base, self.classes, self.n_classes)[1]
        return max(0.0, logistic(np.concatenate([base, block], axis=1), self.classes, self.n_classes)[1] - small)
