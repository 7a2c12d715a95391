"""x log x in fixed point: sums of integers do not depend on their order.

An entropy is (φ(N) − Σ φ(count)) / N with φ(x) = x log x, the sum over the cells of a table. In floating point the
sum depends on the order of the cells, so a feature and its relabelled copy could differ in the last bit and a
tie would not be a tie. Here φ is rounded once to a multiple of 2^−bits and summed as int64: exact, in any
order, on any number of threads. ``bits`` is chosen so that N log N just fits.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from .kernel import kernel

TABLE_LIMIT = 1 << 24  # entries; larger counts are computed


def fraction_bits(total: int) -> int:
    """Bits after the point so that φ(total) and any sum below it fit in 62 bits."""
    return 61 - max(1, math.ceil(math.log2(max(2.0, total * math.log(max(2, total))))))


def phi_table(total: int, bits: int, limit: int = TABLE_LIMIT) -> NDArray[np.int64]:
    """φ(0), …, φ(total) in fixed point, as far as ``limit``."""
    x = np.arange(min(total, limit) + 1, dtype=np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        values = x * np.log(x)
    values[0] = 0.0
    return np.rint(np.ldexp(values, bits)).astype(np.int64)


@kernel
def reciprocal(count, unit):
    """unit / count as a multiple of 2^−40: sums of these, too, do not depend on their order."""
    return np.int64(np.rint(math.ldexp(unit / count, 40)))


@kernel
def square_law(size, rows, columns, row_inverse, column_inverse):
    """Mean and variance of Pearson's X² where nothing but chance puts the rows of a table together with its columns.

    Exact for given margins (Haldane 1940, Dawson 1954): size, from 2 on (lighter rows have no law), how many rows and
    columns, and Σ 1/margin of both.
    """
    mean = size / (size - 1.0) * (rows - 1.0) * (columns - 1.0)
    if size <= 2.0:
        return mean, 0.0
    a = (size * row_inverse - rows * rows) / (size - 2.0)
    b = (size * column_inverse - columns * columns) / (size - 2.0)
    variance = size * size / (size - 1.0) * a * b
    if size > 3.0:
        c = (size - rows) * (rows - 1.0) / (size - 1.0) - a
        d = (size - columns) * (columns - 1.0) / (size - 1.0) - b
        variance += 2.0 * size / (size - 3.0) * c * d
    return mean, max(variance, 0.0)


@kernel
def phi_of(count, table, bits):
    """φ(count) in fixed point: from the table where it reaches, computed the same way beyond."""
    if count < table.size:
        return table[count]
    if count == 0:
        return np.int64(0)
    x = float(count)
    return np.int64(np.rint(math.ldexp(x * math.log(x), bits)))
