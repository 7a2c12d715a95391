"""Semidefinite relaxation of the best set of k (Vinh et al. 2014, §3.2).

    max 𝒬•Y,   diag(Y) = 1,   Σ_i Y_0i = 2k − n,   Y ⪰ 0,      𝒬 = [1ᵀM1  1ᵀM; M1  M]

Y stands for yyᵀ with y_i = +1 for members, −1 for others and y_0 = 1; 𝒬•yyᵀ = 4 · value. (With a unit diagonal the
size constraint of the paper, 𝓘•Y = 4k, is the sum above.) The set is the best of random projections of Y's factor, by
the value of the form, and no worse than the spectral one; weights are (1 + Y_0i)/2, the relaxed indicator. Any point
of the dual

    min 1ᵀd + 2(2k − n)μ,    Diag(d) + μE − 𝒬 ⪰ 0,     E_0i = E_i0 = 1

bounds the value of every set of k: ``upper_bound`` is the least that was proven, so ``gap`` says how far from the
best set this one can be. The paper's relaxation knows the size of the set only through Y's first row, and its bound is
a third or more above the best set. Sets of k also have qᵀy = 0, q = (n − 2k, 1, …, 1), so 𝒬 may be replaced by
𝒬 − ρqqᵀ without a change to any set; with a large ρ the relaxation is often tight, and the set then proven the best.
``tight=False`` gives the paper's relaxation and its rounding: the rows of Y nearest, by the cosine, to random vectors.
Those are nearer to each other than the rows of its factor, so its sets are mostly the spectral ones. A complete
ranking has no size: it is solved for half of the candidates.
"""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import InvalidParameter
from ...measures.quadratic.form import QuadraticForm
from ...threads import library_threads
from ..choice import Outcome
from ..task import Task
from .spectral import dominant
from .weights import by_weight

Floats = NDArray[np.float64]
INTERIOR = 300  # candidates up to which the interior-point method is the faster one
THREADED = 3000  # candidates from which a product is worth more than one thread
PENALTY = {"interior": 10.0, "low-rank": 1.0}  # ρ in units of the largest Q_ii; more is slower to solve


@dataclass(frozen=True)
class Relaxed:
    """A solution: the factor V (n + 1, r) of Y = VVᵀ, its value and a proven upper bound, both of the form."""

    factor: Floats
    value: float
    bound: float
    iterations: int


def semidefinite(measure: QuadraticForm, task: Task) -> Outcome:
    """The best of the rounded solutions of the relaxation for sets of k."""
    if measure.per_size or measure.linear.any() or measure.curvature != 1.0:
        raise InvalidParameter("search: 'semidefinite' maximises a form without a linear term; take 'program'")
    whole = task.taking_part
    n = whole.size
    complete = task.complete or task.evidence is not None
    size = max(1, n // 2) if complete else task.k
    scores = np.full(measure.n_candidates, -np.inf)
    if n == 1:
        scores[whole] = 1.0
        return by_weight(measure, scores, task, details={"size": 1})
    solver = measure.solver if measure.solver != "auto" else "interior" if n <= INTERIOR else "low-rank"
    # threads spend their time waiting for each other where products are small
    with library_threads(1) if n < THREADED else nullcontext():
        relaxed = relax(measure, whole, size, solver, measure.tight)
    scores[whole] = np.clip(0.5 * (1.0 + relaxed.factor[1:] @ relaxed.factor[0]), 0.0, 1.0)
    top = dominant(measure, whole)
    nearness = projected(measure, relaxed.factor, top.vector) if measure.tight else row_cosines(measure, relaxed.factor)
    members = rounded(measure, whole, nearness, size, task.first)
    value = measure.value(members)
    approximate = measure.factor is not None
    bound = min(relaxed.bound, size * top.value)
    details: dict[str, Any] = {
        "weights": np.where(np.isfinite(scores), scores, 0.0),
        "solver": solver,
        "size": size,
        "iterations": relaxed.iterations,
        "relaxed_value": relaxed.value,
        "upper_bound": None if approximate or complete else bound,
        "gap": None if approximate or complete or bound <= 0 else max(0.0, 1.0 - value / bound),
    }
    return by_weight(measure, scores, task, members=None if complete else members, details=details)


def relax(form: QuadraticForm, whole: NDArray[np.intp], size: int, solver: str, tight: bool = True) -> Relaxed:
    """The relaxation for sets of ``size`` (less than all), by the named solver."""
    penalty = PENALTY[solver] * float(np.abs(form.diagonal()[whole]).max()) if tight else 0.0
    if solver == "low-rank":
        from .semidefinite_low_rank import low_rank

        return low_rank(form, whole, size, penalty)
    from .semidefinite_interior import interior

    return interior(form.block(whole), size, penalty)


def size_vector(n: int, goal: float) -> Floats:
    """q = (−goal, 1, …, 1), orthogonal to the y of every set when goal = 2k − n."""
    return np.append(-goal, np.ones(n))


def expanded(matrix: Floats) -> Floats:
    """𝒬 of a matrix."""
    sums = matrix.sum(axis=1)
    out = np.empty((sums.size + 1, sums.size + 1))
    out[1:, 1:], out[0, 1:], out[1:, 0], out[0, 0] = matrix, sums, sums, sums.sum()
    return out


def projected(form: QuadraticForm, factor: Floats, weights: Floats) -> Floats:
    """(n, projections + 2) nearness of each candidate's row of the factor to random directions and to that of the dummy
    variable, and last the ``weights`` of another relaxation: the answer is then no worse than its."""
    directions = form.random.standard_normal((factor.shape[1], form.projections))
    directions *= np.where(factor[0] @ directions < 0, -1.0, 1.0)  # the dummy is always chosen
    return np.column_stack([factor[1:] @ np.column_stack([factor[0], directions]), weights])


def row_cosines(form: QuadraticForm, factor: Floats) -> Floats:
    """(n, projections) cosine of each candidate's row of Y = VVᵀ to random vectors of n + 1 entries."""
    directions = factor.T @ form.random.standard_normal((factor.shape[0], form.projections))
    lengths = np.sqrt(np.einsum("ij,ij->i", factor @ (factor.T @ factor), factor))
    cosines = (factor @ directions) / lengths[:, None]
    out: Floats = cosines[1:] * np.where(cosines[0] < 0, -1.0, 1.0)
    return out


def rounded(
    form: QuadraticForm, whole: NDArray[np.intp], nearness: Floats, size: int, first: tuple[int, ...]
) -> NDArray[np.intp]:
    """The best by value of the sets that the columns of ``nearness`` (n, r) put first; ``first`` are in each."""
    place = {int(j): i for i, j in enumerate(whole)}
    distance = -nearness
    distance[[place[j] for j in first]] = -np.inf
    members = np.argsort(distance, axis=0, kind="stable")[:size]
    indicators = np.zeros((form.n_candidates, nearness.shape[1]))
    indicators[whole[members], np.arange(nearness.shape[1])] = 1.0
    values = np.einsum("ij,ij->j", indicators, form.times(indicators))
    return whole[members[:, int(np.argmax(values))]]
