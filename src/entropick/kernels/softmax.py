"""One pass of coordinate descent over the weights of a multinomial logistic regression."""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(nogil=True, cache=True, error_model="numpy")
def sweep(columns, classes, v, weights, trust, e, norm, l1, l2, penalised, only_present):
    """Lower the objective in every weight once; returns the largest violation of optimality met on the way.

    columns (d, n) features as rows; classes (n,); v (n,) row weights; weights, trust (d, C); e (C, n) with the
    sums norm (n,): e / norm are the class probabilities, kept current. penalised (d,): 0 for intercepts. Each step
    minimises a quadratic that bounds the objective within ±trust (Genkin, Lewis & Madigan 2007), so none raises
    it: the curvature p(1 − p) = 1 / (2 + O + 1/O) of odds O is at most 1 / (2 + O (1 − δ)) within δ, or ¼.
    """
    d, n = columns.shape
    worst = 0.0
    for j in range(d):
        x = columns[j]
        first, second = l1 * penalised[j], l2 * penalised[j]
        for c in range(weights.shape[1]):
            w = weights[j, c]
            if only_present and w == 0.0 and penalised[j] > 0:
                continue
            own = e[c]
            slope = 0.0
            curve = 0.0
            radius = trust[j, c]
            for i in range(n):
                p = own[i] / norm[i]
                slope += v[i] * x[i] * (p - (1.0 if classes[i] == c else 0.0))
                odds = p / (1.0 - p) if p > 0.5 else (1.0 - p) / max(p, 1e-300)
                reach = radius * abs(x[i])
                bound = 0.25
                if reach < 1.0:
                    bound = min(bound, 1.0 / (2.0 + odds * (1.0 - reach)))
                curve += v[i] * x[i] * x[i] * bound
            total = slope + second * w
            violation = max(abs(total) - first, 0.0)
            if w != 0.0:
                violation = abs(total + (first if w > 0 else -first))
            worst = max(worst, violation)
            if violation == 0.0 or curve <= 0.0:
                trust[j, c] = max(radius * 0.5, 1e-6)
                continue
            point = curve * w - slope
            fresh = max(abs(point) - first, 0.0) / (curve + second)
            step = (fresh if point > 0 else -fresh) - w
            step = min(max(step, -radius), radius)
            trust[j, c] = max(2.0 * abs(step), 0.5 * radius)
            if step != 0.0:
                weights[j, c] = w + step
                for i in range(n):
                    after = own[i] * np.exp(step * x[i])
                    norm[i] += after - own[i]
                    own[i] = after
    return worst
