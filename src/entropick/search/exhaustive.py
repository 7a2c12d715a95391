"""Every set of k: the exact maximum of a quadratic form, for few candidates.

Values of all 2^m sets of the m free candidates come by doubling: a set with b as its last member is a smaller set
plus what b adds, linear_b + M_bb + 2 Σ_j M_bj. That is what relaxations are measured against.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidParameter
from ..measures.quadratic.form import QuadraticForm
from .choice import TIE, Outcome
from .relaxations.weights import by_weight
from .task import Task

Floats = NDArray[np.float64]
MOST = 22  # free candidates: 4 million sets


def exhaustive(measure: QuadraticForm, task: Task) -> Outcome:
    """The best set of k, its members ordered by what each adds to the others."""
    k = task.k
    if task.evidence is not None:
        raise InvalidParameter("k: search='exhaustive' compares sets of one size; give a number instead of 'auto'")
    members = best_set(measure, k, task.taking_part, task.first)
    s = measure.scale(k)
    inside = np.zeros(measure.n_candidates)
    inside[members] = 1.0
    adds = s * measure.linear + measure.curvature * s * s * (2 * measure.times(inside) - measure.diagonal())
    value = measure.value(members)
    return by_weight(measure, adds, task, members=members, details={"upper_bound": value})


def best_set(form: QuadraticForm, k: int, whole: NDArray[np.intp], first: tuple[int, ...] = ()) -> NDArray[np.intp]:
    """The set of k of the highest value that holds ``first``; of equal ones that of the lowest numbers."""
    free = np.array([j for j in whole if j not in first], dtype=np.intp)
    if free.size > MOST:
        raise InvalidParameter(f"search: 'exhaustive' takes up to {MOST} candidates to choose from, got {free.size}")
    values, sizes = set_values(form, k, free, first)
    able = np.flatnonzero(sizes == k - len(first))
    top = values[able].max()
    good = able[values[able] >= top - TIE * max(1.0, abs(top))]
    bits = (good[:, None] >> np.arange(free.size)) & 1
    winner = bits[np.lexsort(-bits.T[::-1])[0]].astype(bool)
    return np.concatenate([np.array(first, dtype=np.intp), free[winner]])


def set_values(
    form: QuadraticForm, k: int, free: NDArray[np.intp], first: tuple[int, ...] = ()
) -> tuple[Floats, NDArray[np.int8]]:
    """Value of ``first`` with each subset of ``free`` (bit b of its number is free[b]), and the subset's size.

    Members weigh as in a set of k."""
    s, c = form.scale(k), form.curvature
    index = np.concatenate([np.array(first, dtype=np.intp), free])
    block = c * s * s * form.block(index)
    linear = s * form.linear[index]
    f = len(first)
    values = np.array([linear[:f].sum() + block[:f, :f].sum()])
    sizes = np.zeros(1, np.int8)
    for b in range(f, index.size):
        reach = np.array([block[b, :f].sum()])
        for j in range(f, b):
            reach = np.concatenate([reach, reach + block[b, j]])
        values = np.concatenate([values, values + linear[b] + block[b, b] + 2 * reach])
        sizes = np.concatenate([sizes, sizes + 1])
    return values, sizes
