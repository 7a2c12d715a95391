"""Spectral relaxation: weights on the unit sphere (Vinh et al. 2014, §3.1 and §3.4).

    max wᵀMw,  ‖w‖ = 1,  w ≥ 0

Where M has no negative entry the dominant eigenvector has one sign (Theorem 2), so it is the solution. Rounding below
zero is cut off. A dominant eigenvalue that is shared (reducible M, blocks alike) leaves a choice of eigenvectors: here
it is the projection of (1, …, 1) on their space, which is non-negative too and does not depend on chance. A Nyström
approximation may have negative entries, and then its eigenvector may have both signs; the ranking is then that of the
homogenised problem, over −1/+1 variables and one more that is always chosen:

    dominant eigenvector of [1ᵀM1  1ᵀM; M1  M], first entry positive.

k times the dominant eigenvalue bounds the value of every set of k from above.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...measures.quadratic.form import QuadraticForm
from ..choice import Outcome
from ..task import Task
from .weights import by_weight

Floats = NDArray[np.float64]
DENSE = 400  # candidates up to which all eigenvectors are cheap
SHARED = 1e-10  # eigenvalues this near to the largest, relative to it, are the same
ROUNDING = 1e-7  # of a unit eigenvector's entries


@dataclass(frozen=True)
class Dominant:
    """The largest eigenvalue and a unit vector of its eigenspace."""

    value: float
    vector: Floats


def spectral(measure: QuadraticForm, task: Task) -> Outcome:
    """The k candidates of the highest weight in the dominant eigenvector."""
    whole = task.taking_part
    top = dominant(measure, whole)
    details: dict[str, Any] = {
        "eigenvalue": top.value,
        "upper_bound": task.k * top.value if task.evidence is None else None,
    }
    if measure.factor is not None:
        details["upper_bound"] = None  # of the approximated form, which bounds nothing
    weights, homogenised = top.vector, False
    if weights.min() < -ROUNDING:
        weights, homogenised = homogeneous(measure, whole), True
    else:
        weights = np.maximum(weights, 0.0)
    details["homogenised"] = homogenised
    scores = np.full(measure.n_candidates, -np.inf)
    scores[whole] = weights
    details["weights"] = np.where(np.isfinite(scores), scores, 0.0)
    return by_weight(measure, scores, task, details=details)


def dominant(form: QuadraticForm, whole: NDArray[np.intp]) -> Dominant:
    """Of M among the candidates ``whole``."""
    n = whole.size
    if form.low_rank:
        assert form.factor is not None
        return _of_factor(form.factor[whole])
    if n <= DENSE:
        return _of_dense(form.block(whole))
    product = restricted(form, whole)
    start = np.full(n, n**-0.5)
    image = product(start)
    value = float(start @ image)
    if np.linalg.norm(image - value * start) <= 1e-12 * max(abs(value), np.abs(image).max()):
        return Dominant(value, start)  # every row has the same sum: Lanczos from here would have nowhere to go
    return _positive(*_largest(product, n, start))


def restricted(form: QuadraticForm, whole: NDArray[np.intp]) -> Any:
    """v -> M v among the candidates ``whole``."""
    if whole.size == form.n_candidates:
        return lambda v: form.times(np.asarray(v).reshape(-1))

    def product(v: Floats) -> Floats:
        full = np.zeros(form.n_candidates)
        full[whole] = np.asarray(v).reshape(-1)
        return form.times(full)[whole]

    return product


def homogeneous(form: QuadraticForm, whole: NDArray[np.intp]) -> Floats:
    """(n,) weights from the homogenised problem; they may be below zero."""
    if form.low_rank:
        assert form.factor is not None
        own = form.factor[whole]
        vector = _of_factor(np.vstack([own.sum(axis=0), own])).vector
    else:
        product = restricted(form, whole)

        def expanded(v: Floats) -> Floats:
            image = product(np.asarray(v).reshape(-1)[1:] + np.asarray(v).reshape(-1)[0])
            return np.concatenate([[image.sum()], image])

        n = whole.size + 1
        if n <= DENSE:
            vector = _of_dense(np.column_stack([expanded(column) for column in np.eye(n)])).vector
        else:
            vector = _largest(expanded, n, np.full(n, n**-0.5))[1]
    return vector[1:] * (1.0 if vector[0] >= 0 else -1.0)


def _of_dense(matrix: Floats) -> Dominant:
    values, vectors = np.linalg.eigh((matrix + matrix.T) / 2)
    shared = vectors[:, values >= values[-1] - SHARED * max(abs(values[-1]), abs(values[0]))]
    vector = shared @ shared.sum(axis=0)
    length = np.linalg.norm(vector)
    # where (1, …, 1) has no part in the eigenspace, no vector of it has one sign: the homogenised problem decides
    return _positive(float(values[-1]), vector / length if length > 1e-6 else shared[:, 0])


def _of_factor(factor: Floats) -> Dominant:
    """F u σ^(−½) with σ, u of FᵀF: the eigenvector of FFᵀ."""
    small = _of_dense(factor.T @ factor)
    vector = factor @ small.vector
    length = np.linalg.norm(vector)
    if length == 0.0:
        return Dominant(0.0, np.full(factor.shape[0], factor.shape[0] ** -0.5))
    return _positive(small.value, vector / length)


def _largest(product: Any, n: int, start: Floats) -> tuple[float, Floats]:
    """Lanczos from a fixed start; a dense decomposition where that does not converge."""
    from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigsh

    operator: Any = LinearOperator((n, n), matvec=product, dtype=np.float64)
    try:
        values, vectors = eigsh(operator, k=1, which="LA", v0=start, ncv=min(n, 20), tol=1e-10, maxiter=100)
        return float(values[0]), vectors[:, 0]
    except ArpackNoConvergence:
        values, vectors = np.linalg.eigh(np.column_stack([product(column) for column in np.eye(n)]))
        return float(values[-1]), vectors[:, -1]


def _positive(value: float, vector: Floats) -> Dominant:
    return Dominant(value, vector if vector.sum() >= 0 else -vector)
