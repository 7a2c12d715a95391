"""Conditional variances of every candidate and their logarithms, at each step of a Gaussian search.

log is written out (exponent by bits, Taylor series of atanh) so that the compiler vectorises the loop; its relative
error is below 1e-15 beside that of 1 + x. NumPy calls the library's log one value at a time on machines without
AVX-512, four times slower, and then it is the dearest part of a step.
"""

from __future__ import annotations

import numba as nb
import numpy as np

from .float_bits import LN2_HIGH, LN2_LOW, bits_of, from_bits

ROOT_HALF = 0x3FE6A09E00000000  # bits of sqrt(1/2), the low half cleared
ONE = 0x3FF0000000000000
FRACTION = 0x000FFFFFFFFFFFFF
MAGIC = 0x4330000000000000  # bits of 2^52: an integer below it, put into its lowest bits, is 2^52 + the integer


@nb.njit(inline="always")
def _log(value):
    """log(value) for a normal number above 0: value = 2^k m with m from sqrt(1/2) to sqrt(2)."""
    bits = bits_of(value) + (ONE - ROOT_HALF)
    k = from_bits((bits >> 52) | MAGIC) - 4503599627371519.0  # 2^52 + 1023
    f = from_bits((bits & FRACTION) + ROOT_HALF) - 1.0
    s = f / (2.0 + f)
    w = s * s
    p = 1.0 / 21.0
    p = p * w + 1.0 / 19.0
    p = p * w + 1.0 / 17.0
    p = p * w + 1.0 / 15.0
    p = p * w + 1.0 / 13.0
    p = p * w + 1.0 / 11.0
    p = p * w + 1.0 / 9.0
    p = p * w + 1.0 / 7.0
    p = p * w + 1.0 / 5.0
    p = p * w + 1.0 / 3.0
    # log m = f − s (f − 2 w p): the part that is exact is added last
    return k * LN2_HIGH + (f - (s * (f - 2.0 * w * p) - k * LN2_LOW))


@nb.njit(nogil=True, cache=True, error_model="numpy", fastmath={"contract"})
def half_logs(values, floor, out):
    """out_j = ½ log max(values_j, floor), floor above 0."""
    for j in range(values.size):
        out[j] = 0.5 * _log(max(values[j], floor))


@nb.njit(nogil=True, cache=True, error_model="numpy", fastmath={"contract"})
def half_log_ratios(low, extra, floor, out):
    """out_j = ½ log (max(low_j + extra_j, floor) / max(low_j, floor))."""
    for j in range(low.size):
        out[j] = 0.5 * _log(max(low[j] + extra[j], floor) / max(low[j], floor))


@nb.njit(nogil=True, cache=True, error_model="numpy", fastmath={"contract"})
def take_away(variances, rows):
    """variances_j −= rows_j², not below 0: conditioning on one more feature."""
    for j in range(variances.size):
        variances[j] = max(variances[j] - rows[j] * rows[j], 0.0)


@nb.njit(nogil=True, cache=True, error_model="numpy", fastmath={"contract", "reassoc"})
def project_out(basis, column, out):
    """out[m] = column[m] less its products with basis[m, t], times these; returns |column[m]|² less their squares.

    basis (M, k, n); column, out (M, n). All products are with the column as it came (classical Gram–Schmidt): with a
    ridge the basis is orthonormal only together with coordinates that are not kept, and zero in the column.
    """
    left = np.empty(column.shape[0])
    for m in range(column.shape[0]):
        own, rest = column[m], out[m]
        left[m] = 0.0
        for j in range(own.size):
            left[m] += own[j] * own[j]
            rest[j] = own[j]
        for t in range(basis.shape[1]):
            axis = basis[m, t]
            inner = 0.0
            for j in range(own.size):
                inner += axis[j] * own[j]
            for j in range(own.size):
                rest[j] -= inner * axis[j]
            left[m] -= inner * inner
    return left


@nb.njit(nogil=True, cache=True, error_model="numpy", fastmath={"contract"})
def squared_lengths(lower, z, out):
    """out_j = |lower z_j|², lower (g, g) triangular, z (g, D). (BLAS could round by where a range of columns ends.)"""
    strip = np.empty(256)
    for first in range(0, out.size, strip.size):
        total = out[first : first + strip.size]
        entry = strip[: total.size]
        total[:] = 0.0
        for a in range(lower.shape[0]):
            entry[:] = 0.0
            for b in range(a + 1):
                factor, own = lower[a, b], z[b, first : first + strip.size]
                for j in range(entry.size):
                    entry[j] += factor * own[j]
            for j in range(entry.size):
                total[j] += entry[j] * entry[j]


@nb.njit(nogil=True, cache=True, error_model="numpy", fastmath={"contract"})
def less(values, factor, rows):
    """values_j −= factor × rows_j. (BLAS would wake its threads for it.)"""
    for j in range(values.size):
        values[j] -= factor * rows[j]


@nb.njit(nogil=True, cache=True, error_model="numpy", fastmath={"contract"})
def sweep(rows, factors, row, out):
    """rows[t, j] −= factors_t × row_j, and out_j = Σ_t rows[t, j]² of what is left.

    rows (k, D). SciPy's dger would wait for the threads of NumPy's BLAS, and be a pass of its own.
    """
    out[:] = 0.0
    for t in range(rows.shape[0]):
        own, factor = rows[t], factors[t]
        for j in range(row.size):
            left = own[j] - factor * row[j]
            own[j] = left
            out[j] += left * left
