"""Swaps: exchange one member of a set for one outside as long as the form's value rises.

A swap i → j changes the value by

    s (linear_j − linear_i) + c s² (M_jj + 2 r_j − 2 M_ij − 2 r_i + M_ii),     r = M 1_S

with s the weight of a member and c the curvature. The best swap is taken each time, so the end is a set that no
single exchange improves.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...measures.quadratic.form import QuadraticForm
from ..choice import TIE

STRIPE = 256  # members looked at together


@dataclass(frozen=True)
class Swapped:
    """The improved set, in no order, and how many swaps it took."""

    members: NDArray[np.intp]
    swaps: int


def swap(
    form: QuadraticForm,
    members: NDArray[np.intp],
    whole: NDArray[np.intp],
    fixed: tuple[int, ...] = (),
    limit: int | None = None,
) -> Swapped:
    """The set that no single exchange with a candidate of ``whole`` improves; ``fixed`` members stay.

    limit: swaps at most, ten a member if None.
    """
    inside = np.zeros(form.n_candidates, bool)
    inside[members] = True
    able = np.zeros(form.n_candidates, bool)
    able[whole] = True
    loose = inside.copy()
    loose[list(fixed)] = False
    s, c = form.scale(members.size), form.curvature
    diagonal = form.diagonal()
    alone = s * form.linear + c * s * s * diagonal
    reach = form.times(inside.astype(np.float64))
    value = form.value(members)
    done = 0
    for _ in range(10 * members.size if limit is None else limit):
        outside = np.flatnonzero(able & ~inside)
        gain_in = alone[outside] + 2 * c * s * s * reach[outside]
        best, pair = TIE * max(1.0, abs(value)), None
        removable = np.flatnonzero(loose)
        loss_out = 2 * c * s * s * (reach[removable] - diagonal[removable]) + alone[removable]
        for start in range(0, removable.size, STRIPE):
            some = removable[start : start + STRIPE]
            change = gain_in - loss_out[start : start + STRIPE, None] - 2 * c * s * s * form.rows(some)[:, outside]
            at = int(np.argmax(change))
            top = float(change.flat[at])
            if top > best:
                best, pair = top, (int(some[at // outside.size]), int(outside[at % outside.size]))
        if pair is None:
            break
        out, into = pair
        inside[out], inside[into] = False, True
        loose[out], loose[into] = False, True
        both = form.rows(np.array(pair, dtype=np.intp))
        reach += both[1] - both[0]
        value += best
        done += 1
    return Swapped(np.flatnonzero(inside), done)
