"""Cut points of Fayyad & Irani, "Multi-interval discretization of continuous-valued attributes", IJCAI 1993.

An interval S of N rows is cut into S1, S2 where the class entropy left is least, if the cut pays for its own
description (logarithms to base 2, k, k1, k2 = number of classes present in S, S1, S2):

    H(S) − |S1|/N H(S1) − |S2|/N H(S2)  >  log(N − 1)/N + Δ/N
    Δ = log(3^k − 2) − (k H(S) − k1 H(S1) − k2 H(S2))

and both parts are cut again. Terms x ln x are held as integers (fixed point): running sums of integers do not
drift, so ties are found and the lowest cut wins.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

LOG2, LOG3 = math.log(2.0), math.log(3.0)
STACK = 128  # the smaller part is cut first, so no more than log2(n) intervals wait


@njit(nogil=True, cache=True)
def _term(x, table, scale):
    """x ln x in fixed point; from the table, where it has whole numbers."""
    if x <= 0:
        return np.int64(0)
    if table.size > 0:
        return table[np.int64(x)]
    return np.int64(np.rint(x * math.log(x) * scale))


@njit(nogil=True, cache=True)
def mdl_cuts(values, codes, weights, n_classes, table, scale, most):
    """Positions i, in no order: cut between values[i] and values[i + 1]; at most ``most`` of them.

    ``values`` (n,) float64 ascending, ``codes`` (n,) int32 and ``weights`` (n,) float64 (or (0,) for weights
    of 1) in the same order; ``table[m]`` = m ln m · scale for whole weights, or (0,).
    """
    left, right = np.zeros(n_classes), np.zeros(n_classes)
    term_left, term_right = np.zeros(n_classes, dtype=np.int64), np.zeros(n_classes, dtype=np.int64)
    seen = np.zeros(n_classes, dtype=np.int64)
    round_ = 0
    bit = scale * LOG2
    cuts = np.empty(min(most, max(len(values) - 1, 0)), dtype=np.int64)
    found = 0
    begins, ends = np.empty(STACK, dtype=np.int64), np.empty(STACK, dtype=np.int64)
    begins[0], ends[0], depth = 0, len(values), 1
    while depth > 0 and found < len(cuts):
        depth -= 1
        a, b = begins[depth], ends[depth]
        if b - a < 2 or values[a] == values[b - 1]:
            continue
        round_ += 1
        classes, total = 0, 0.0
        for i in range(a, b):
            c, w = codes[i], weights[i] if weights.size > 0 else 1.0
            if seen[c] != round_:  # a class is cleared when it is met: others may be thousands
                seen[c] = round_
                classes += 1
                left[c], right[c], term_left[c] = 0.0, 0.0, 0
            right[c] += w
            total += w
        if classes < 2 or total <= 1.0:
            continue
        round_ += 1
        sum_all = np.int64(0)
        for i in range(a, b):
            c = codes[i]
            if seen[c] != round_:
                seen[c] = round_
                term_right[c] = _term(right[c], table, scale)
                sum_all += term_right[c]

        sum_left, sum_right, n_left = np.int64(0), sum_all, 0.0
        best, best_left, best_right, best_n = np.int64(-1), np.int64(0), np.int64(0), 0.0
        best_cost = np.int64(0)
        slack = 2 * classes + 4  # rounded terms: a difference this small is a tie, as in 4 ln 4 = 8 ln 2
        for i in range(a, b - 1):
            c, w = codes[i], weights[i] if weights.size > 0 else 1.0
            left[c] += w
            right[c] -= w
            n_left += w
            now_left, now_right = _term(left[c], table, scale), _term(right[c], table, scale)
            sum_left += now_left - term_left[c]
            sum_right += now_right - term_right[c]
            term_left[c], term_right[c] = now_left, now_right
            if values[i + 1] != values[i]:
                cost_left = _term(n_left, table, scale) - sum_left
                cost_right = _term(total - n_left, table, scale) - sum_right
                if best < 0 or cost_left + cost_right < best_cost - slack:
                    best, best_cost, best_n = np.int64(i), cost_left + cost_right, n_left
                    best_left, best_right = cost_left, cost_right

        cost_all = _term(total, table, scale) - sum_all
        gain = (cost_all - best_cost) / bit  # N times the gain, bits
        # from 3^40 on the 2 is beyond double precision, and from 3^647 the power is
        choices = math.log(3.0**classes - 2.0) / LOG2 if classes < 40 else classes * LOG3 / LOG2
        price = math.log(total - 1.0) / LOG2 + choices - classes * (cost_all / bit / total)
        if gain <= price:  # what the parts' entropies add makes it no cheaper
            continue
        round_ += 1
        k1, k2 = 0, 0
        for i in range(a, best + 1):
            if seen[codes[i]] != round_:
                seen[codes[i]] = round_
                k1 += 1
        round_ += 1
        for i in range(best + 1, b):
            if seen[codes[i]] != round_:
                seen[codes[i]] = round_
                k2 += 1
        price += k1 * (best_left / bit / best_n) + k2 * (best_right / bit / (total - best_n))
        if gain > price:
            cuts[found] = best
            found += 1
            larger_left = best + 1 - a >= b - best - 1
            begins[depth], ends[depth] = (a, best + 1) if larger_left else (best + 1, b)
            begins[depth + 1], ends[depth + 1] = (best + 1, b) if larger_left else (a, best + 1)
            depth += 2
    return cuts[:found]
