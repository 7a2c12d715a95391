"""A float64 as its bits and back, for functions that set exponents by hand."""

from __future__ import annotations

import numba as nb
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic


@intrinsic
def bits_of(typing_context, value):
    """The bits of a float64 as int64."""

    def generate(context, builder, signature, arguments):
        return builder.bitcast(arguments[0], ir.IntType(64))

    return types.int64(types.float64), generate


@intrinsic
def from_bits(typing_context, value):
    """The float64 of these bits."""

    def generate(context, builder, signature, arguments):
        return builder.bitcast(arguments[0], ir.DoubleType())

    return types.float64(types.int64), generate


LN2_HIGH = 6.93147180369123816490e-01  # log 2 in two parts: a small integer times the first is exact
LN2_LOW = 1.90821492927058770002e-10
LOG2E = 1.4426950408889634
SHIFT = 6755399441055744.0  # 1.5 × 2^52: adding it leaves the rounded value in the lowest bits
LEAST = -708.0  # below it exp is taken as 0 (it is under 1e-307)


@nb.njit(inline="always")
def exponential(value):
    """e^value for value < 709, relative error below 1e-14: range reduction, Taylor series, exponent set by bits."""
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
