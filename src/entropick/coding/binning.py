"""Where to cut a column of numbers. Every rule gives inner edges; the level of x is the number of edges < x.

    equal frequency   edge_k = smallest value whose cumulative weight is ≥ k/B of the total, k = 1 … B−1
    equal width       edge_k = min + k (max − min)/B
    around the mean   edges at μ + {−1.5, −0.5, 0.5, 1.5} σ, as many as there are below the largest value
    even              equal width between the 1st and the 99th hundredth, at edges of hundredths: for a target
    k-means           midway between the means of neighbouring clusters (Lloyd's algorithm in one dimension)
    MDL               Fayyad & Irani, IJCAI 1993: see `kernels.mdl`

Edges are ascending and distinct. A weight of 2 is the same as the row twice.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidInput

Floats = NDArray[np.float64]
LLOYD_ROUNDS = 300


def check_weights(weights: Any, n_rows: int) -> Floats | None:
    """(n_rows,) float64, finite, none negative, not all zero; or None."""
    if weights is None:
        return None
    try:
        given: Floats = np.ascontiguousarray(weights, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InvalidInput(f"sample_weight: must be numbers, got {weights!r:.60}") from error
    if given.shape != (n_rows,):
        raise InvalidInput(f"sample_weight: must have one weight per row ({n_rows}), got shape {given.shape}")
    bad = np.flatnonzero(~np.isfinite(given) | (given < 0))
    if bad.size:
        value, row = given[bad[0]], int(bad[0])
        raise InvalidInput(f"sample_weight: must be finite and not negative, got {value:g} in row {row}")
    if not given.any():
        raise InvalidInput("sample_weight: must not all be zero, got 0 in every row")
    return given


def quantile_edges(values: Floats, bins: int, weights: Floats | None = None) -> Floats:
    """Inner edges of equal-frequency bins of (n,) values without NaN; fewer where values repeat much.

    An edge at the largest value would cut nothing off: it moves to the largest value below, so that a column
    of two values always has two levels.
    """
    if weights is None:
        n = len(values)
        at = [-(-k * n // bins) - 1 for k in range(1, bins)]  # the ⌈kn/B⌉-th smallest
        edges = np.partition(values, sorted(set(at)))[at]
        top = values.max()
    else:
        order = np.argsort(values, kind="stable")
        total = np.cumsum(weights[order])
        used = np.flatnonzero(np.diff(total, prepend=0.0) > 0)  # rows of weight 0 are not there
        # n_rows × B as the reference: products of integers, so integer weights compare exactly
        at = [int(np.searchsorted(total * bins, k * total[-1], side="left")) for k in range(1, bins)]
        edges = values[order[at]]
        values = values[order[used]]
        top = values[-1]
    return below_top(edges, top, lambda: values[values < top].max(initial=-np.inf))


def below_top(edges: Floats, top: float, below: Callable[[], float]) -> Floats:
    """Distinct edges, none at the largest value ``top``; ``below()`` is the largest value less than that, or −∞."""
    edges = np.unique(edges).astype(np.float64)
    if edges[-1] == top:
        second = below()
        edges = np.unique(np.append(edges[:-1], second)) if second > -np.inf else edges[:0]
    return edges


def uniform_edges(values: Floats, bins: int, weights: Floats | None = None) -> Floats:
    """Inner edges of equal-width bins between the least and the largest value."""
    if weights is not None:
        values = values[weights > 0]
    low, high = float(values.min()), float(values.max())
    if low == high:
        return np.empty(0)
    k = np.arange(1, bins) / bins
    edges = np.unique(low * (1 - k) + high * k)  # high − low could overflow
    return edges[(edges >= low) & (edges < high)]


def sigma_edges(values: Floats, bins: int, weights: Floats | None = None) -> Floats:
    """Inner edges at μ + {−1.5, −0.5, 0.5, 1.5} σ for five bins, in general one σ apart and the middle bin on μ."""
    if weights is not None:
        values, weights = values[weights > 0], weights[weights > 0]
    low, high = float(values.min()), float(values.max())
    if low == high:
        return np.empty(0)
    scale = max(abs(low), abs(high))  # squares could overflow
    mean = float(np.average(values / scale, weights=weights))
    spread = float(np.sqrt(np.average((values / scale - mean) ** 2, weights=weights)))
    edges = np.unique((mean + spread * (np.arange(1, bins) - bins / 2)) * scale)
    return edges[(edges >= low) & (edges < high)]


def even_edges(hundredths: Floats, bins: int) -> Floats:
    """Inner edges of bins of equal width between the 1st and the last of the `quantile_edges` of a hundred groups.

    Each edge is the nearest of these from below, so that no bin is empty or has much less than a hundredth of the rows;
    one row in a hundred may be as far out as it likes.
    """
    wanted = hundredths[0] + np.arange(1, bins) / bins * (hundredths[-1] - hundredths[0])
    return np.unique(hundredths[np.searchsorted(hundredths, wanted, side="right") - 1])


def kmeans_edges(values: Floats, bins: int, weights: Floats | None = None) -> Floats:
    """Inner edges between the clusters of k-means, begun at evenly spaced ones of the distinct values.

    Clusters begun at evenly spaced points of the range would be empty where values are skewed.
    """
    distinct, inverse = np.unique(values, return_inverse=True)
    mass = np.bincount(inverse, weights, len(distinct)).astype(np.float64)
    distinct, mass = distinct[mass > 0], mass[mass > 0]
    if len(distinct) <= bins:
        return middles(distinct)
    centre = 0.5 * (distinct[0] + distinct[-1])
    scale = distinct[-1] - centre
    scaled = (distinct - centre) / scale  # in [−1, 1], so that sums neither overflow nor cancel
    total, moment = np.append(0.0, np.cumsum(mass)), np.append(0.0, np.cumsum(mass * scaled))
    means = scaled[(2 * np.arange(bins) + 1) * len(scaled) // (2 * bins)]
    cuts = np.zeros(0, dtype=np.intp)
    for _ in range(LLOYD_ROUNDS):
        before, cuts = cuts, np.searchsorted(scaled, middles(means), side="right")
        if np.array_equal(before, cuts):
            break
        bounds = np.concatenate([[0], cuts, [len(scaled)]])
        held = np.diff(total[bounds])
        means = np.diff(moment[bounds])[held > 0] / held[held > 0]  # an empty cluster is given up
    return between(distinct, np.unique(cuts[(cuts > 0) & (cuts < len(distinct))]))


def middles(values: Floats) -> Floats:
    """(n − 1,) midway between neighbours of ascending values."""
    return between(values, np.arange(1, len(values)))


def between(values: Floats, at: NDArray[np.intp]) -> Floats:
    """Edges midway between values[at − 1] and values[at]; rounding never lets one reach the upper value."""
    low, high = values[at - 1], values[at]
    middle = low / 2 + high / 2
    return np.where((middle >= low) & (middle < high), middle, low)
