"""Candidates that a program cannot tell apart share their weight.

Exchanging i and j leaves  ½ wᵀGw − cᵀw  alone where c_i = c_j, G_ii = G_jj and G_il = G_jl for every l of the support.
The program is convex, so the mean over all exchanges is as good as any other optimum, and it is the one that does not
depend on the way of a solver: copies of a column weigh the same, and the first of them comes first.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
SAME = 1e-10  # difference of two entries, relative to the largest, that is rounding


def share_weights(
    weights: Floats, rows: Floats, block: Callable[[NDArray[np.intp]], Floats], linear: Floats, diagonal: Floats
) -> Floats:
    """(n,) the weights, equal within each group of exchangeable candidates.

    rows: (s, n) rows of G for the support, in its order; block: index -> G among these.
    """
    shared = weights.copy()
    support = np.flatnonzero(weights)
    near_linear = SAME * max(float(np.abs(linear).max(initial=0.0)), 1e-300)
    near = SAME * max(float(np.abs(diagonal).max(initial=0.0)), float(np.abs(rows).max(initial=0.0)), 1e-300)
    done = np.zeros(weights.size, bool)
    for place, i in enumerate(support):
        if done[i]:
            continue
        alike = (np.abs(linear - linear[i]) <= near_linear) & (np.abs(diagonal - diagonal[i]) <= near) & ~done
        alike[i] = False
        group = [int(i)]
        for j in np.flatnonzero(alike):
            gaps = np.abs(rows[:, i] - rows[:, j])
            gaps[place] = 0.0  # G_ii against G_ij
            gaps[support == j] = 0.0
            if gaps.max(initial=0.0) <= near:
                group.append(int(j))
        if len(group) == 1:
            continue
        index = np.sort(np.array(group, dtype=np.intp))
        between = block(index)[~np.eye(index.size, dtype=bool)]
        if np.ptp(between) <= near:
            shared[index] = weights[index].mean()
            done[index] = True
    return shared
