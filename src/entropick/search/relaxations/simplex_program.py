"""The simplex-constrained quadratic program of QPFS: weights that sum to 1.

    max linearᵀw + curvature · wᵀMw,    w ≥ 0,  Σ w = 1,    curvature ≤ 0

An indefinite M is made convex by adding ``convex_shift`` to its diagonal, the least that suffices; it is reported.
``duality_gap`` bounds how far the weights are from the optimum of the convex program. A candidate of weight 0 scores
less its multiplier, how far its gradient is from entering, so that the ranking goes on below the support. Of a flat
optimum the point is taken at which candidates that cannot be told apart weigh the same (`exchangeable`).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...measures.quadratic.form import QuadraticForm
from ..choice import Outcome
from ..task import Task
from .exchangeable import share_weights
from .simplex_solver import minimise, optimum_at
from .spectral import restricted
from .weights import by_weight

Floats = NDArray[np.float64]
DENSE = 300  # candidates up to which all eigenvalues are cheap
MARGIN = 1e-10  # of the shift: at the edge of convexity itself the active-set steps lose half of their digits


def simplex_program(measure: QuadraticForm, task: Task) -> Outcome:
    """The k candidates of the highest weight in the program's solution."""
    whole = task.taking_part
    least = 0.0 if measure.low_rank or measure.curvature == 0 else least_eigenvalue(measure, whole)
    shift = max(0.0, -least) * (1.0 + MARGIN)
    weight = -2.0 * measure.curvature

    def block(index: NDArray[np.intp]) -> Floats:
        own = weight * measure.block(whole[index])
        own[np.diag_indices(index.size)] += weight * shift
        return own

    def columns(index: NDArray[np.intp]) -> Floats:
        own = weight * measure.rows(whole[index])[:, whole].T
        own[index, np.arange(index.size)] += weight * shift
        return own

    diagonal = weight * (measure.diagonal()[whole] + shift)
    optimum = minimise(block, columns, measure.linear[whole], diagonal)
    rows = columns(np.flatnonzero(optimum.weights)).T
    shared = share_weights(optimum.weights, rows, block, measure.linear[whole], diagonal)
    if not np.array_equal(shared, optimum.weights):
        optimum = optimum_at(shared, columns, measure.linear[whole])
    level = float(optimum.gradient @ optimum.weights)
    scores = np.full(measure.n_candidates, -np.inf)
    scores[whole] = np.where(optimum.weights > 0, optimum.weights, np.minimum(level - optimum.gradient, 0.0))
    weights = np.zeros(measure.n_candidates)
    weights[whole] = optimum.weights
    details: dict[str, Any] = {
        "weights": weights,
        "support": int(np.count_nonzero(weights)),
        "objective": optimum.objective,
        "duality_gap": optimum.gap,
        "convex_shift": shift,
        "least_eigenvalue": least,
    }
    return by_weight(measure, scores, task, details=details)


def least_eigenvalue(form: QuadraticForm, whole: NDArray[np.intp]) -> float:
    """Of M among the candidates; where Lanczos found it below zero, less by what it leaves open."""
    n = whole.size
    if n <= DENSE:
        return float(np.linalg.eigvalsh(form.block(whole))[0])
    from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigsh

    product = restricted(form, whole)
    start = np.cos(np.arange(1.0, n + 1.0))
    # from above: ‖M‖ from its entries' row sums, so that the least eigenvalue becomes the largest of what is left
    top = float(np.abs(product(np.ones(n))).max())
    operator: Any = LinearOperator((n, n), matvec=lambda v: top * v.reshape(-1) - product(v), dtype=np.float64)
    try:
        _, vectors = eigsh(operator, k=1, which="LA", v0=start, ncv=min(n, 24), tol=1e-4, maxiter=40)
    except ArpackNoConvergence as stopped:
        vectors = stopped.eigenvectors if stopped.eigenvectors.size else start[:, None]
    vector = vectors[:, 0] / np.linalg.norm(vectors[:, 0])
    image = product(vector)
    value = float(vector @ image)
    return value if value >= 0 else value - float(np.linalg.norm(image - value * vector))
