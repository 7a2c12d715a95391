"""Joint tables as counts: for rows in parts, whose counts are added up before any entropy is taken.

The cells of a variable V with a feature X_j are kept one feature after the other, each (n_classes, n_levels of V,
levels of X_j); ``at[j]`` is where a feature starts and ``levels[j]`` how many levels it has. Counts are int64, of rows
or of whole multiples of 1/unit rows.
"""

from __future__ import annotations

import numpy as np

from .entropy import phi_of, reciprocal, square_law
from .kernel import kernel

SMALL = 2.0**-40  # the unit of `entropy.reciprocal`


@kernel
def count_wide(block, columns, codes, classes, weights, n_levels, at, levels, out):
    """Count rows one by one. ``block`` (features, rows); ``columns`` says which features, ``weights`` may be empty."""
    for k in range(columns.size):
        candidate = block[columns[k]]
        for t in range(codes.size):
            cell = at[k] + (np.int64(classes[t]) * n_levels + codes[t]) * levels[k] + candidate[t]
            out[cell] += weights[t] if weights.size else np.int64(1)


@kernel
def terms_of_counts(
    counts, at, levels, n_levels, n_classes, unit, table, bits, by_class, detail,
    joint, joint_class, cells, cells_class, square, mean, variance,
):  # fmt: skip
    """Add the terms of `slices.pair_terms`, one entry a feature."""
    both = np.zeros(levels.max(), np.int64)
    for k in range(levels.size):
        width = levels[k]
        for a in range(n_levels):
            both[:width] = 0
            size = 0.0
            classes = 0
            class_inverse = 0.0
            for c in range(n_classes):
                start = at[k] + (c * n_levels + a) * width
                in_class = np.int64(0)
                for b in range(width):
                    count = counts[start + b]
                    if count:
                        in_class += count
                        both[b] += count
                        if by_class:
                            joint_class[k] += phi_of(count, table, bits)
                            cells_class[k] += 1
                if in_class:
                    size += in_class / unit
                    classes += 1
                    class_inverse += unit / in_class
            seen = np.int64(0)
            inverse = np.int64(0)
            for b in range(width):
                if both[b]:
                    joint[k] += phi_of(both[b], table, bits)
                    seen += 1
                    if detail:
                        inverse += reciprocal(both[b], unit)
            cells[k] += seen
            if detail and by_class and seen > 1 and classes > 1 and size >= 2.0:
                shares = 0.0
                for c in range(n_classes):
                    start = at[k] + (c * n_levels + a) * width
                    in_class, share = np.int64(0), 0.0
                    for b in range(width):
                        count = counts[start + b]
                        if count:
                            in_class += count
                            share += float(count) * count / both[b]
                    if in_class:
                        shares += share / in_class
                one, other = square_law(size, seen, classes, inverse * SMALL, class_inverse)
                square[k] += size * (shares - 1.0)
                mean[k] += one
                variance[k] += other
