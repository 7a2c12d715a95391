"""Sums of Gaussian kernels over pairs of rows, in one pass and without a temporary of that size.

exp is written out (range reduction, Taylor series, exponent set by bits) so that the compiler vectorises the
loop; its relative error is below 1e-14. Calling the library's exp, one value at a time, was five times slower.
"""

from __future__ import annotations

import numba as nb
import numpy as np

from .float_bits import LN2_HIGH, LN2_LOW, bits_of, from_bits

LOG2E = 1.4426950408889634
SHIFT = 6755399441055744.0  # 1.5 × 2^52: adding it leaves the rounded value in the lowest bits
LEAST = -708.0  # below it exp is taken as 0 (it is under 1e-307)


@nb.njit(inline="always")
def _exp(value):
    """e^value for value ≤ 0."""
    kept = max(value, LEAST)
    shifted = kept * LOG2E + SHIFT
    whole = shifted - SHIFT
    r = (kept - whole * LN2_HIGH) - whole * LN2_LOW
    p = 1.0 / 6227020800.0
    p = p * r + 1.0 / 479001600.0
    p = p * r + 1.0 / 39916800.0
    p = p * r + 1.0 / 3628800.0
    p = p * r + 1.0 / 362880.0
    p = p * r + 1.0 / 40320.0
    p = p * r + 1.0 / 5040.0
    p = p * r + 1.0 / 720.0
    p = p * r + 1.0 / 120.0
    p = p * r + 1.0 / 24.0
    p = p * r + 1.0 / 6.0
    p = p * r + 0.5
    p = p * r + 1.0
    p = p * r + 1.0
    scale = from_bits((bits_of(shifted) + 1023) << 52)
    return p * scale if value > LEAST else 0.0


@nb.njit(fastmath={"contract"})
def _exp_row(distances, rate, out):
    """out_i = exp(−rate distances_i). Apart, since it compiles in a fraction of the time it takes inside a nest."""
    for i in range(distances.size):
        out[i] = _exp(-rate * distances[i])


@nb.njit(fastmath={"contract", "reassoc"})
def _dot(a, b):
    """Σ a_i b_i. Apart, since leave to reorder sums must not reach `_exp`: it would cancel its SHIFT."""
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


def exp_of(distances, rates):
    """(n_rates, *shape) exp(−rate × distance), for a float64 array of distances from 0 on (infinity gives 0)."""
    flat = np.ascontiguousarray(distances, dtype=np.float64)
    out = np.empty((len(rates), flat.size))
    exponentials(flat.reshape(-1), np.asarray(rates, dtype=np.float64), out)
    return out.reshape(len(rates), *flat.shape)
