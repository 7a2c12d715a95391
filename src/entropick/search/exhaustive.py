"""Every set of k: the exact maximum of a measure of sets, for few candidates.

A measure is asked for the worth of one set after the other (`worth`), up to `SETS` of them. Of a quadratic form values
of all 2^m sets of the m free candidates come by doubling: a set with b as its last member is a smaller set plus what b
adds, linear_b + M_bb + 2 Σ_j M_bj. That is what relaxations are measured against.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidParameter
from ..measures.quadratic.form import QuadraticForm
from ..progress import track
from .choice import TIE, Outcome
from .forward import forward
from .relaxations.weights import by_weight
from .task import Task
from .worth import worth_of

Floats = NDArray[np.float64]
MOST = 22  # free candidates of a quadratic form: 4 million sets
SETS = 100_000  # of other measures, each of which is asked for


def exhaustive(measure: Any, task: Task) -> Outcome:
    """The best set of k; of equal ones that of the lowest numbers.

    Members of a quadratic form are ordered by what each adds to the others, else as forward search takes them.
    """
    return _form(measure, task) if isinstance(measure, QuadraticForm) else _sets(measure, task)


def _sets(measure: Any, task: Task) -> Outcome:
    assert task.fresh is not None or hasattr(measure, "value_of")
    fresh = task.fresh or (lambda: measure)
    free = [int(j) for j in task.taking_part if j not in task.first]
    wanted = task.k - len(task.first)
    number = comb(len(free), wanted)
    if number > SETS:
        raise InvalidParameter(
            f"search: 'exhaustive' looks at up to {SETS:,} sets, got {number:,} of {wanted} out of {len(free)}"
            " features; exclude some, or take search='forward'"
        )
    best: tuple[int, ...] = ()
    top = -np.inf
    for members in track(list(combinations(free, wanted)), "looking at sets", task.verbose):
        value = worth_of(measure, (*task.first, *members), fresh)
        if not best or value > top + TIE * max(1.0, abs(top)):
            best, top = (*task.first, *members), value
    among = np.zeros(measure.n_candidates, bool)
    among[list(best)] = True
    outcome = forward(measure, replace(task, allowed=among))
    return replace(outcome, details={"value": top, "sets": number})


def _form(measure: QuadraticForm, task: Task) -> Outcome:
    k = task.k
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
