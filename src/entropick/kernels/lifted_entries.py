"""Sums of lifted columns from the entries of sparse ones: twins of `kernels.lifted`, at the cost of what is not zero.

All sums are of whole numbers, so they are those of the dense table to the last bit.
"""

from __future__ import annotations

import numpy as np

from .kernel import kernel
from .lifted import add_weighed


@kernel
def lift_counts(counts, counts_at, n_classes, first, last, group_at, table_at, tables, coarse, coarse_at, out, levels):
    """As `kernels.lifted.class_sums`, from counts (n_classes, groups) of columns first … last − 1, column j's at
    ``counts_at[j]``."""
    for j in range(first, last):
        groups = group_at[j + 1] - group_at[j]
        base = table_at[j, 0]
        for a in range(table_at[j, 1], table_at[j + 1, 1]):
            for c in range(n_classes):
                line, total = counts_at[j] + c * groups, np.int64(0)
                for g in range(groups):
                    total += np.int64(tables[base + g]) * counts[line + g]
                out[a, c] += total
            base += groups
        for g in range(groups):
            level = coarse_at[j] + coarse[group_at[j] + g]
            for c in range(n_classes):
                levels[level, c] += counts[counts_at[j] + c * groups + g]


@kernel
def lift_values(starts, rows, codes, zero, values, totals, first, last, group_at, table_at, tables, out):
    """As `kernels.lifted.value_sums`; values (q, n) whole numbers, totals (q,) their sums over rows."""
    tally = np.zeros(256, np.int64)
    for j in range(first, last):
        groups = group_at[j + 1] - group_at[j]
        for t in range(totals.size):
            own, left = values[t], totals[t]
            tally[:] = 0
            for e in range(starts[j], starts[j + 1]):
                tally[codes[e]] += own[rows[e]]
            for g in range(groups):
                if g != zero[j]:
                    left -= tally[g]
            tally[zero[j]] = left
            add_weighed(tables, table_at, j, groups, tally, out, t)


@kernel
def add_common(row_at, cells, picked, above, tally):
    """tally (cells, m) += above (entries, m), for all cells of the rows ``picked``: where a pick has entries."""
    m = above.shape[1]
    for t in range(picked.size):
        i = picked[t]
        own = above[t]
        for e in range(row_at[i], row_at[i + 1]):
            line = tally[cells[e]]
            for a in range(m):
                line[a] += own[a]


@kernel
def complete_products(tally, zero, spot, above, at_zero, sums, first, last, group_at, table_at, tables, out):
    """out (m, M): Σ u v over rows of a pick's functions u with all lifted columns v of columns first … last − 1.

    With u = u₀ + Δu, where u₀ (``at_zero``) is what u is at zero, Σ u v = Σ Δu Δv + v₀ Σ Δu + u₀ Σ v: the first from
    ``tally``, Σ Δu (``above``) and Σ v (``sums``) are known.
    """
    m = above.size
    for j in range(first, last):
        groups, base, own = group_at[j + 1] - group_at[j], table_at[j, 0], np.int64(zero[j])
        for b in range(table_at[j, 1], table_at[j + 1, 1]):
            low = np.int64(tables[base + own])
            for a in range(m):
                total = low * above[a] + at_zero[a] * sums[b]
                for g in range(groups):
                    if g != own:
                        total += (np.int64(tables[base + g]) - low) * tally[spot[j] + g - (g > own), a]
                out[a, b] = total
            base += groups


@kernel
def sum_groups(values, at, rows, codes, weights, group_at, out):
    """out[group] += weight · value, entry after entry; NaN is left out, ``weights`` may be empty."""
    for j in range(at.size - 1):
        for e in range(at[j], at[j + 1]):
            x = values[e]
            if x == x:
                out[group_at[j] + codes[e]] += x * weights[rows[e]] if weights.size else x
