"""A float64 as its bits and back, for functions that set exponents by hand."""

from __future__ import annotations

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
