"""Joint tables by one increment a row: for many levels and for weighted rows.

Candidates are stored row by row, WIDTH side by side, so that the increments of one row go to different
histograms and none waits for another. A histogram is one group's: it is read out and cleared by the group's own
rows when those are fewer than the levels, so that 65 536 levels and thousands of classes need no dense table.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from .entropy import phi_of, reciprocal

WIDTH = 16  # candidates side by side; 16 codes of two bytes are half a cache line


@njit(nogil=True, cache=True)
def histogram_terms(
    block, width, levels, rows, group_start, level_start, first, last, weights, unit, table, bits,
    by_class, detail, joint, joint_class, cells, cells_class, freedom, expected,
):  # fmt: skip
    """Add the terms of levels [first, last) of the new feature against the candidates of ``block``.

    Terms are those of `slices.pair_terms`, groups those of `groups.group_rows`. ``weights`` is (n_rows,) int64, or
    empty for ones; a weight is a multiple of 1/``unit`` rows.
    """
    one = np.zeros((width, levels), np.int64)
    both = np.zeros((width, levels), np.int64)
    seen = np.zeros(width, np.int64)
    inverse = np.zeros(width, np.int64)
    weighted = weights.size > 0
    for level in range(first, last):
        size = 0.0
        class_inverse = 0.0
        start, stop = level_start[level], level_start[level + 1]
        if start == stop:
            continue
        for g in range(start, stop):
            own = rows[group_start[g] : group_start[g + 1]]
            total = np.int64(0)
            for t in range(own.size):
                row = block[own[t]]
                weight = weights[own[t]] if weighted else np.int64(1)
                total += weight
                for q in range(width):
                    one[q, row[q]] += weight
            size += total / unit
            class_inverse += unit / total
            if own.size < levels:
                for t in range(own.size):
                    row = block[own[t]]
                    for q in range(width):
                        count = one[q, row[q]]
                        if count > 0:
                            one[q, row[q]] = 0
                            both[q, row[q]] += count
                            if by_class:
                                joint_class[q] += phi_of(count, table, bits)
                                cells_class[q] += 1
            else:
                for q in range(width):
                    for b in range(levels):
                        count = one[q, b]
                        if count > 0:
                            one[q, b] = 0
                            both[q, b] += count
                            if by_class:
                                joint_class[q] += phi_of(count, table, bits)
                                cells_class[q] += 1
        seen[:] = 0
        inverse[:] = 0
        for g in range(start, stop):
            own = rows[group_start[g] : group_start[g + 1]]
            for t in range(own.size):
                row = block[own[t]]
                for q in range(width):
                    count = both[q, row[q]]
                    if count > 0:
                        both[q, row[q]] = 0
                        joint[q] += phi_of(count, table, bits)
                        cells[q] += 1
                        seen[q] += 1
                        inverse[q] += reciprocal(count, unit)
        if detail and by_class:
            for q in range(width):
                free = (seen[q] - 1) * (stop - start - 1)
                if free > 0:
                    freedom[q] += free
                    extra = (size * math.ldexp(inverse[q], -40) - 1.0) * (size * class_inverse - 1.0) / (6.0 * size)
                    expected[q] += free + extra * (1.0 + min(1.0, 3.0 * seen[q] * (stop - start) / size))
