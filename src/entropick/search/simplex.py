"""The nearest weights that are not negative and add up to so much."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def project(v: Floats, total: float = 1.0) -> Floats:
    """The point nearest to v with 1ᵀw = total, w ≥ 0: everything falls by the same amount, not below 0.

    >>> project(np.array([2.0, 1.5, -1.0]))
    array([0.75, 0.25, 0.  ])
    """
    ordered = np.sort(v)[::-1]
    excess = np.cumsum(ordered) - total
    last = np.flatnonzero(ordered * np.arange(1, v.size + 1) > excess)[-1]
    out: Floats = np.maximum(v - excess[last] / (last + 1), 0.0)
    return out


def project_within(v: Floats, total: float) -> Floats:
    """The point nearest to v with 1ᵀw ≤ total, w ≥ 0.

    >>> project_within(np.array([2.0, 1.0, -1.0]), 1.0)
    array([1., 0., 0.])
    >>> project_within(np.array([0.2, 0.3, -1.0]), 1.0)
    array([0.2, 0.3, 0. ])
    """
    positive = np.maximum(v, 0.0)
    return positive if positive.sum() <= total else project(positive, total)
