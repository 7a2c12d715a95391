"""Which methods choose alike? Mean consistency on the same resamples, and a map of it (Brown et al. 2012, figure 5)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from .stability import Set

Floats = NDArray[np.float64]


def agreement(runs: Sequence[Sequence[Set]], alike: Callable[[Set, Set], float]) -> Floats:
    """(n_methods, n_methods) mean over resamples of the index between what two methods chose from the same rows.

    ``runs[m][r]`` is what method m chose in resample r. The diagonal is a set with itself.
    """
    n = len(runs)
    out = np.empty((n, n))
    for a in range(n):
        for b in range(a, n):
            out[a, b] = out[b, a] = np.mean([alike(x, y) for x, y in zip(runs[a], runs[b], strict=True)])
    return out


def classical_scaling(distances: Floats, dimensions: int = 2) -> Floats:
    """(n, dimensions) points whose distances are near those given: classical multidimensional scaling.

    −½ J D² J = V Λ Vᵀ with the centring J; points are the columns of V √Λ of the largest eigenvalues. Directions of
    negative eigenvalues (distances that no space has) are 0. Each axis points so that its largest entry is positive,
    which makes the map the same every time.
    """
    n = len(distances)
    centring = np.eye(n) - 1.0 / n
    values, vectors = np.linalg.eigh(-0.5 * centring @ (distances**2) @ centring)
    points = np.zeros((n, dimensions))
    for axis, at in enumerate(np.argsort(-values, kind="stable")[:dimensions]):
        vector = vectors[:, at] * np.sqrt(max(values[at], 0.0))
        points[:, axis] = vector * (1.0 if vector[np.argmax(np.abs(vector))] >= 0 else -1.0)
    return points
