"""Sums over rows from the entries of sparse columns; what is no entry adds to counts only."""

from __future__ import annotations

import numpy as np

from .kernel import kernel


@kernel
def column_moments(values, at, rows, classes, weights, origin, counts, first, last, means, squares):
    """Means (C, D) less ``origin`` and Σ w (x − mean)² of every class and column first … last − 1.

    counts (C,): weight of each class; ``weights`` may be empty. A column whose origin is not 0 has entries in all rows.
    """
    held, mean, square = np.zeros(counts.size), np.zeros(counts.size), np.zeros(counts.size)
    for j in range(first, last):
        held[:], mean[:], square[:] = 0.0, 0.0, 0.0
        for e in range(at[j], at[j + 1]):
            c = classes[rows[e]]
            w = weights[rows[e]] if weights.size else 1.0
            held[c] += w
            mean[c] += w * (values[e] - origin[j])
        for c in range(counts.size):
            mean[c] = mean[c] / counts[c] if counts[c] > 0 else 0.0
        for e in range(at[j], at[j + 1]):
            c = classes[rows[e]]
            w = weights[rows[e]] if weights.size else 1.0
            square[c] += w * (values[e] - origin[j] - mean[c]) ** 2
        full = at[j + 1] - at[j] == classes.size
        for c in range(counts.size):
            means[c, j] = mean[c]
            squares[c, j] = square[c] if full else square[c] + max(counts[c] - held[c], 0.0) * mean[c] ** 2


@kernel
def add_rows(row_at, columns, values, picked, own, classes, origin, out):
    """out (C, D) += own · (value − origin) over the entries of the rows ``picked``, class by class."""
    for t in range(picked.size):
        i, x = picked[t], own[t]
        line = out[classes[i]]
        for e in range(row_at[i], row_at[i + 1]):
            j = columns[e]
            line[j] += x * (values[e] - origin[j])


@kernel
def target_products(values, at, rows, targets, origin, out):
    """out (q, D) = Σ target · (value − origin); targets (q, n) are centred: rows without an entry add nothing."""
    for j in range(at.size - 1):
        for t in range(targets.shape[0]):
            total = 0.0
            for e in range(at[j], at[j + 1]):
                total += targets[t, rows[e]] * (values[e] - origin[j])
            out[t, j] = total
