"""Sums of Gaussian kernels over pairs of rows, in one pass and without a temporary of that size.

exp is written out (`float_bits`) so that the compiler vectorises the loop. Calling the library's exp, one value at a
time, was five times slower.
"""

from __future__ import annotations

import numba as nb
import numpy as np
from numpy.typing import ArrayLike, NDArray

from .float_bits import exponential


@nb.njit(fastmath={"contract"})
def _exp_row(distances, rate, out):
    """out_i = exp(−rate distances_i). Apart, since it compiles in a fraction of the time it takes inside a nest."""
    for i in range(distances.size):
        out[i] = exponential(-rate * distances[i])


@nb.njit(fastmath={"contract", "reassoc"})
def _dot(a, b):
    """Σ a_i b_i. Apart, since leave to reorder sums must not reach `exponential`: it would cancel its SHIFT."""
    total = 0.0
    for i in range(a.size):
        total += a[i] * b[i]
    return total


@nb.njit(nogil=True, cache=True, error_model="numpy", fastmath={"contract"})
def pair_sum(base, column, sign, weights, starts, rate):
    """Σ weights_ij exp(−rate (base_ij + sign (x_i − x_j)²)) over the pairs i < j within each block of rows.

    base, weights : packed, the pairs of block 0 row by row, then those of block 1, ...
    column : (n_rows,) the feature that is added (sign 1) or taken away (−1)
    starts : (n_blocks + 1,) first row of each block
    """
    total = 0.0
    at = 0
    longest = 0
    for block in range(starts.size - 1):
        longest = max(longest, starts[block + 1] - starts[block])
    distance, kernel = np.empty(longest), np.empty(longest)
    for block in range(starts.size - 1):
        stop = starts[block + 1]
        for i in range(starts[block], stop):
            own = column[i]
            length = stop - i - 1
            x, d, t, k = column[i + 1 : stop], base[at : at + length], distance[:length], kernel[:length]
            for j in range(length):
                gap = x[j] - own
                t[j] = max(d[j] + sign * gap * gap, 0.0)
            _exp_row(t, rate, k)
            total += _dot(weights[at : at + length], k)
            at += length
    return total


@nb.njit(nogil=True, cache=True, error_model="numpy", fastmath={"contract"})
def pair_distances(base, column, sign, starts):
    """base_ij += sign (x_i − x_j)² in place, not below 0."""
    at = 0
    for block in range(starts.size - 1):
        stop = starts[block + 1]
        for i in range(starts[block], stop):
            own = column[i]
            length = stop - i - 1
            x, d = column[i + 1 : stop], base[at : at + length]
            for j in range(length):
                gap = x[j] - own
                d[j] = max(d[j] + sign * gap * gap, 0.0)
            at += length


@nb.njit(nogil=True, cache=True, error_model="numpy", fastmath={"contract"})
def exponentials(distances, rates, out):
    """out[s, i] = exp(−rates[s] distances[i])."""
    for s in range(rates.size):
        _exp_row(distances, rates[s], out[s])


def exp_of(distances: NDArray[np.float64], rates: ArrayLike) -> NDArray[np.float64]:
    """(n_rates, *shape) exp(−rate × distance), for a float64 array of distances from 0 on (infinity gives 0)."""
    flat = np.ascontiguousarray(distances, dtype=np.float64)
    each = np.asarray(rates, dtype=np.float64)
    out = np.empty((each.size, flat.size))
    exponentials(flat.reshape(-1), each, out)
    return out.reshape(each.size, *flat.shape)
