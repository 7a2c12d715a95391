"""Roots and eigenvectors of a diagonal matrix with one border: the secular equation of an arrowhead.

    [ Λ   q ]          g(λ) = λ − d + Σ_i q_i² / (λ_i − λ) = 0,     which rises between its poles λ_i:
    [ qᵀ  d ]          one root below them, one between each two, one above

A root is sought as μ, its distance from the nearer pole, so that λ_i − λ = (λ_i − pole) − μ keeps full relative
precision. At each step g is replaced by a constant and the poles on both sides, with g, g′ and g″ as they are at μ
(Borges & Gragg 1993; beyond the outer poles infinity is one too). Their weights are never negative, so the quadratic
has one root between the poles, and of an error e about e³ / (distance to the nearer pole)² is left. The root stays in a
bracket: a step that leaves it, or that comes late, is a halving.

Input is scaled so that the largest of |λ|, |q|, |d| is about 1; gaps and couplings are above 1e-15, or they would have
been deflated. Nothing below leaves the range of floats then.
"""

from __future__ import annotations

import math

import numba as nb

from .kernel import kernel

ROUNDING = 8 * 2.0**-52
NEAR = 1e-6  # a step this small beside the distances to the poles leaves an error of its cube
PATIENCE = 8  # evaluations before every second step halves the bracket
LIMIT = 160  # PATIENCE, and twice the halvings that bring any bracket down to neighbouring floats


@nb.njit(nogil=True, cache=True, error_model="numpy", fastmath={"contract", "reassoc"})
def _evaluate(squares, gaps, corner, mu):
    """g, g′ and ½ g″ at mu, and the size of what g is a sum of; ``gaps`` and ``corner`` are less the pole.

    gaps_i = λ_i − pole come as an array: computed here, (λ_i − pole) − mu might be regrouped with the sums.
    """
    value = size = slope = bend = 0.0
    for i in range(squares.size):
        inverse = 1.0 / (gaps[i] - mu)
        term = squares[i] * inverse
        value += term
        size += abs(term)
        slope += term * inverse
        bend += term * inverse * inverse
    return (mu - corner) + value, 1.0 + slope, bend, abs(mu) + abs(corner) + size


@kernel
def _crossing(a, b, c):
    """The root of a x² − b x + c at which it falls."""
    root = math.sqrt(max(b * b - 4.0 * a * c, 0.0))
    if b > 0.0:
        return 2.0 * c / (b + root)
    return (b - root) / (2.0 * a)


@kernel
def _refine(squares, gaps, corner, j, mu, low, high):
    """μ of root j, from a first guess within (low, high), both of one sign; and the evaluations it took."""
    m = squares.size
    for count in range(1, LIMIT):
        g, slope, bend, size = _evaluate(squares, gaps, corner, mu)
        if g > 0.0:
            high = mu
        else:
            low = mu
        if j == 0:
            near = gaps[0] - mu
            a, b, c = slope - near * bend, near * slope - g, -near * g
        elif j == m:
            near = gaps[m - 1] - mu
            a, b, c = near * bend - slope, g - near * slope, near * g
        else:
            left, right = gaps[j - 1] - mu, gaps[j] - mu
            both = left * right
            a = g - slope * (left + right) + bend * both
            b, c = g * (left + right) - both * slope, both * g
            near = min(-left, right)
        ahead = mu + _crossing(a, b, c)
        inside = low < ahead < high
        # by Newton's step: far too near to a pole a, b and c are all rounding, and the step may be small by chance
        if abs(g) <= NEAR * abs(near) * slope or abs(g) <= ROUNDING * size:
            return (ahead if inside else mu), count
        if not inside or (count > PATIENCE and count % 2 == 0):
            # geometric, so that a small distance is met to its last digit
            ahead = math.copysign(math.sqrt(abs(low)) * math.sqrt(abs(high)), mu)
            if not low < ahead < high:
                return mu, count
        mu = ahead
    return mu, LIMIT


@kernel
def _reach(corner, square):
    """How far above a single pole at 0, with this coupling, its upper root lies."""
    half = 0.5 * corner
    root = math.sqrt(half * half + square)
    return half + root if half > 0.0 else square / (root - half)


@kernel
def bordered(poles, couplings, corner, squares, gaps, weights, roots, vectors):
    """Roots (m + 1,) ascending and eigenvectors (m + 1, m + 1), rows, of the bordered diagonal.

    poles (m,), m > 0, ascending and distinct; couplings (m,), none 0; three more of (m,) are for work. Returns how
    often g was evaluated: a test can tell a slow iteration by it.

    A vector is (q_i / (λ − λ_i), 1) with the couplings for which these roots are exact (Gu & Eisenstat 1995), else
    vectors of near roots would not be orthogonal:

        q_i² = Π_j |root_j − λ_i| / Π_{j≠i} |λ_j − λ_i|

    where the roots on both sides of λ_i stand alone and each other is over the pole that lies between it and λ_i. So
    no ratio is below 1, their product is at most q_i² over the two distances that stand alone, and logarithms are not
    needed to keep it within range.
    """
    m = poles.size
    total = 0.0
    for i in range(m):
        squares[i] = couplings[i] * couplings[i]
        weights[i] = 1.0
        total += squares[i]
    evaluations = 0
    for j in range(m + 1):
        below, above = max(j - 1, 0), min(j, m - 1)
        pole = poles[below]
        if below == above:
            side = -1.0 if j == 0 else 1.0
            # all couplings at this pole would bring the root further away, its own alone less far
            mu = _reach(side * (corner - pole), total)
            low, high = 0.99 * _reach(side * (corner - pole), squares[below]), 1.01 * mu
        else:
            width = poles[above] - pole
            g, _, _, size = _evaluate(squares, poles, corner, pole + 0.5 * width)
            evaluations += 1
            # a first guess: the couplings of both poles as they are, all else as it is halfway
            left, right = squares[below], squares[above]
            rest = g + (left - right) / (0.5 * width)
            side, near = 1.0, left
            if g < 0.0:
                side, near, pole = -1.0, right, poles[above]
            mu = side * _crossing(rest, side * rest * width + left + right, side * near * width)
            low, high = 0.25 * near / size, 0.6 * width
        if not low < mu < high:
            mu = math.sqrt(low) * math.sqrt(high)
        for i in range(m):
            gaps[i] = poles[i] - pole
        if side < 0.0:
            mu, low, high = -mu, -high, -low
        mu, count = _refine(squares, gaps, corner - pole, j, mu, low, high)
        evaluations += count
        roots[j] = pole + mu
        row, left, right = vectors[j], poles[below], poles[above]
        for i in range(m):
            away = mu - gaps[i]
            gap = (left if i < j else right) - poles[i]
            row[i] = away
            weights[i] *= abs(away / (gap if gap != 0.0 else 1.0))
    for i in range(m):
        weights[i] = math.copysign(math.sqrt(weights[i]), couplings[i])
    for j in range(m + 1):
        row = vectors[j]
        row[m] = 1.0
        for i in range(m):
            row[i] = weights[i] / row[i]
        shrink = 1.0 / math.sqrt(_length(row))
        for i in range(m + 1):
            row[i] *= shrink
    return evaluations


@nb.njit(nogil=True, cache=True, error_model="numpy", fastmath={"contract", "reassoc"})
def _length(values):
    """|values|²."""
    total = 0.0
    for i in range(values.size):
        total += values[i] * values[i]
    return total
