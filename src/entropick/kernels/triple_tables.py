"""Tables of three columns and the classes, side by side, and a bound on what only all three make together.

Two columns are one of a · b levels; `pair_tables.count_tile` counts it with all others. The bound is that of pairs, a
term higher: Kirkwood's fit from all margins of three,

    q′ = p_abd · (p_abc p_a p_b / (p_ab p_ac p_bc)) · (p_adc / p_ad) · (p_bdc / p_bd) · (p_d p_c / p_dc)

has no term of all four, hence G² ≤ 2N log(η Σ p²/q′) with η = Σ q′.
"""

from __future__ import annotations

import math

import numpy as np

from .kernel import kernel
from .pair_tables import count_tile, fit_highest


@kernel
def both_planes(first, second, planes):
    """planes (levels², words) of two columns together from their planes (levels, words)."""
    n_levels = first.shape[0]
    for a in range(n_levels):
        for b in range(n_levels):
            for w in range(first.shape[1]):
                planes[a * n_levels + b, w] = first[a, w] & second[b, w]


@kernel
def bound_triples(counts, own, first, second, single, start, stop, scratch):
    """η and Σ p²/q′, times the rows, of the tables (classes, levels³, columns) in scratch[0] and scratch[1].

    ``own`` (levels², classes) is p_abc p_a p_b / (p_ab p_ac p_bc) of the two columns; ``first`` and ``second`` (levels,
    levels, classes, columns) the shares of the classes in each of them with the others; ``single`` (levels, classes,
    columns) p_d p_c / p_dc of the others.
    """
    n_levels, n_classes, m = single.shape[0], single.shape[1], stop - start
    eta, squares, both = scratch[0, :m], scratch[1, :m], scratch[2, :m]
    tiny = np.float32(1e-30)
    for j in range(m):
        eta[j] = 0.0
        squares[j] = 0.0
    for a in range(n_levels):
        for b in range(n_levels):
            for d in range(n_levels):
                cell = (a * n_levels + b) * n_levels + d
                for j in range(m):
                    both[j] = 0.0
                for c in range(n_classes):
                    count = counts[c, cell, :m]
                    for j in range(m):
                        both[j] += np.float32(count[j])
                for c in range(n_classes):
                    count, mine = counts[c, cell, :m], own[a * n_levels + b, c]
                    r, s, t = first[a, d, c, start:stop], second[b, d, c, start:stop], single[d, c, start:stop]
                    for j in range(m):
                        x = np.float32(count[j])
                        q = both[j] * (mine * r[j]) * (s[j] * t[j])
                        eta[j] += q
                        squares[j] += x * x / max(q, tiny)


@kernel
def screen_triples(
    full, planes, margins, shares, single, own_terms, pair_margins, word_start, levels, i, first_j, start, stop, limits,
    counts, scratch, together, shape, x, m, found_sets, found_statistics,
):  # fmt: skip
    """Triples (i, j, k), i < j < k, first_j ≤ j and start ≤ k < stop, whose G² reaches the limit of their degrees.

    ``full`` (columns, levels, words) planes of every level; ``planes`` and ``margins`` side by side, as in pairs;
    ``shares`` (columns, levels, levels, classes, columns); ``own_terms`` and ``pair_margins`` (columns, levels²,
    classes) of column i with each; ``levels`` (columns,) that each has; ``limits`` by degrees of freedom. Returns how
    many were found and the j to go on with: there may be no room for more.
    """
    n_classes, n = margins.shape[1], 0.0
    for c in range(n_classes):
        for a in range(margins.shape[0]):
            n += margins[a, c, 0]
    found = 0
    for j in range(first_j, stop - 1):
        begin = max(start, j + 1)
        if found + stop - begin > found_sets.shape[0]:
            return found, j
        both_planes(full[i], full[j], together)
        count_tile(together[: together.shape[0] - 1], pair_margins[j], planes, margins, word_start, begin, stop, counts)
        bound_triples(counts, own_terms[j], shares[i], shares[j], single, begin, stop, scratch)
        for at in range(stop - begin):
            k = begin + at
            df = (levels[i] - 1) * (levels[j] - 1) * (levels[k] - 1) * (n_classes - 1)
            bound = float(scratch[0, at]) * float(scratch[1, at]) / (n * n)
            if bound <= 0.0 or 2.0 * n * math.log(bound * (1.0 + 1e-4)) < limits[df]:
                continue
            for cell in range(counts.shape[1]):
                for c in range(n_classes):
                    x[cell * n_classes + c] = counts[c, cell, at]
            statistic = fit_highest(x, m, shape, 1e-8 * n, 10_000, limits[df])
            if statistic >= limits[df]:
                found_sets[found, 0] = i
                found_sets[found, 1] = j
                found_sets[found, 2] = k
                found_statistics[found] = statistic
                found += 1
    return found, stop
