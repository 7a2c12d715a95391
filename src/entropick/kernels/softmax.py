"""One pass of coordinate descent over the weights of a multinomial logistic regression.

Loops over rows are apart from each other and free of branches, so that the compiler vectorises them.
"""

from __future__ import annotations

import numba as nb

from .float_bits import exponential

SUMS = {"contract", "reassoc", "nsz"}  # sums may be taken in lanes: fixed by the compiled code, so the same in each run
NUDGE = 0.03  # largest change of a margin that a short series follows to rounding


@nb.njit(fastmath=SUMS)
def _slope(x, v, own, inverse):
    """Σ v x p of the probabilities p = own · inverse."""
    total = 0.0
    for i in range(x.size):
        total += v[i] * x[i] * (own[i] * inverse[i])
    return total


@nb.njit(fastmath=SUMS)
def _curve(x, v, own, inverse, radius):
    """Σ v x² times a bound of p (1 − p) within ±radius.

    The margin moves by at most δ = radius |x|, and p (1 − p) by a factor of at most e^δ, since its logarithm has the
    slope 1 − 2p; e^δ ≤ 1 + δ + δ² up to δ = 1.79. It is never above ¼.
    """
    total = 0.0
    for i in range(x.size):
        p = own[i] * inverse[i]
        reach = radius * abs(x[i])
        bound = min(p * (1.0 - p) * (1.0 + reach + reach * reach), 0.25)
        total += v[i] * x[i] * x[i] * (bound if reach < 1.5 else 0.25)
    return total


@nb.njit(error_model="numpy", fastmath={"contract"})
def _move(x, step, own, inverse):
    """Margins of one class by step · x; apart from the sums, as reordering must not reach the exponential."""
    for i in range(x.size):
        after = own[i] * exponential(min(step * x[i], 700.0))
        inverse[i] = inverse[i] / (1.0 + (after - own[i]) * inverse[i])
        own[i] = after


@nb.njit(fastmath={"contract"})
def _nudge(x, step, own, inverse):
    """The same for |step · x| ≤ NUDGE, by series to rounding: no division, a third of the time."""
    for i in range(x.size):
        z = step * x[i]
        more = own[i] * z * (1.0 + z * (0.5 + z * (1 / 6 + z * (1 / 24 + z * (1 / 120 + z * (1 / 720))))))
        u = more * inverse[i]
        square = u * u
        fourth = square * square
        own[i] += more
        inverse[i] *= (1.0 - u) * (1.0 + square) * (1.0 + fourth) * (1.0 + fourth * fourth)


@nb.njit(nogil=True, cache=True, error_model="numpy")
def sweep(columns, reach, v, goals, weights, trust, e, inverse, l1, l2, live, least):
    """Lower the objective in every live weight once; returns the largest violation of optimality met on the way.

    columns (d, n) features as rows, the first of ones for the intercepts, which have no penalty; reach (d,) largest
    |entry| of each; v (n,) row weights; goals (d, C) = Σ v x [class is c]; weights, trust (d, C); e (C, n) and inverse
    (n,) the inverse of its sums: e · inverse are the class probabilities, kept current. live (d, C): which weights to
    look at; those whose violation is at most ``least`` stay. Each step minimises a quadratic that bounds the objective
    within ±trust (as Genkin, Lewis & Madigan 2007, with a closer bound), so none raises it.
    """
    worst = 0.0
    for j in range(columns.shape[0]):
        x = columns[j]
        first, second = (l1, l2) if j > 0 else (0.0, 0.0)
        for c in range(weights.shape[1]):
            if not live[j, c]:
                continue
            w, radius, own = weights[j, c], trust[j, c], e[c]
            slope = _slope(x, v, own, inverse) - goals[j, c]
            total = slope + second * w
            violation = max(abs(total) - first, 0.0)
            if w != 0.0:
                violation = abs(total + (first if w > 0 else -first))
            worst = max(worst, violation)
            curve = _curve(x, v, own, inverse, radius) if violation > least else 0.0
            if curve <= 0.0:
                trust[j, c] = max(radius * 0.5, 1e-6)
                continue
            point = curve * w - slope
            fresh = max(abs(point) - first, 0.0) / (curve + second)
            step = (fresh if point > 0 else -fresh) - w
            step = min(max(step, -radius), radius)
            trust[j, c] = max(2.0 * abs(step), 0.5 * radius)
            if step != 0.0:
                weights[j, c] = w + step
                if abs(step) * reach[j] <= NUDGE:
                    _nudge(x, step, own, inverse)
                else:
                    _move(x, step, own, inverse)
    return worst
