"""A convex quadratic program on the simplex, with a certificate.

    min ½ wᵀGw − cᵀw,    w ≥ 0,  Σ w = 1

Most weights are zero at the optimum, so only a working set is solved for: accelerated projected gradient, then Newton
steps on the support (active-set polishing). The gradient of all candidates then says who must join. With g = Gw − c

    gap = gᵀw − min_i g_i  ≥  objective(w) − optimum

for convex G, so the answer carries its own proof.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..simplex import project

Floats = NDArray[np.float64]
START = 256  # candidates of the first working set
ROUNDS = 100
GRADIENT_STEPS = 400  # before Newton steps take over


@dataclass(frozen=True)
class Optimum:
    """Weights (n,), the objective there, the duality gap and the gradient (n,)."""

    weights: Floats
    objective: float
    gap: float
    gradient: Floats


def minimise(
    block: Callable[[NDArray[np.intp]], Floats],
    columns: Callable[[NDArray[np.intp]], Floats],
    linear: Floats,
    diagonal: Floats,
    tolerance: float = 1e-9,
) -> Optimum:
    """The minimum over the simplex.

    block: index -> G among these; columns: index -> (n, len(index)) columns of G; linear: c; diagonal: of G.
    tolerance: of the gap, relative to the size of the objective's terms.
    """
    n = linear.size
    order = np.argsort(0.5 * diagonal - linear, kind="stable")
    working = np.sort(order[:START])
    weights = np.zeros(n)
    weights[order[0]] = 1.0
    for _ in range(ROUNDS):
        inner = block(working)
        weights_in = _solve(inner, linear[working], weights[working], 0.1 * tolerance)
        weights = np.zeros(n)
        weights[working] = weights_in
        found = optimum_at(weights, columns, linear)
        gradient, gap = found.gradient, found.gap
        support = np.flatnonzero(weights)
        level = float(gradient @ weights)
        fitted = float(linear @ weights)
        scale = found.objective + fitted + abs(fitted)
        outside = np.ones(n, bool)
        outside[working] = False
        violating = np.flatnonzero(outside & (gradient < level - 0.5 * tolerance * scale))
        if gap <= tolerance * scale or violating.size == 0:
            break
        worst = violating[np.argsort(gradient[violating], kind="stable")[: max(START, support.size)]]
        working = np.union1d(support, worst)
    return found


def optimum_at(weights: Floats, columns: Callable[[NDArray[np.intp]], Floats], linear: Floats) -> Optimum:
    """The weights with objective, gradient and gap."""
    support = np.flatnonzero(weights)
    image = columns(support) @ weights[support]
    gradient = image - linear
    gap = max(0.0, float(gradient @ weights) - float(gradient.min()))
    return Optimum(weights, 0.5 * float(weights @ image) - float(linear @ weights), gap, gradient)


def _solve(G: Floats, c: Floats, start: Floats, tolerance: float) -> Floats:
    """The program on a working set, from a feasible start (spread evenly where the start has no mass here)."""
    w = start / start.sum() if start.sum() > 0 else np.full(c.size, 1.0 / c.size)
    w = _descend(G, c, w, tolerance)
    return _polish(G, c, w, tolerance)


def _descend(G: Floats, c: Floats, w: Floats, tolerance: float) -> Floats:
    """Accelerated projected gradient with restarts (O'Donoghue & Candès); ends when the support has settled."""
    step = _curvature(G)
    if step <= 0.0:
        vertex = np.zeros(c.size)
        vertex[np.argmax(c)] = 1.0
        return vertex
    image = G @ w
    ahead, image_ahead, momentum = w, image, 1.0
    settled, support = 0, w > 0
    for _ in range(GRADIENT_STEPS):
        new = project(ahead - (image_ahead - c) / step)
        image_new = G @ new
        move = new - ahead
        if float(move @ (image_new - image_ahead)) > 1.0001 * step * float(move @ move):
            step *= 2.0  # the power method had not seen the steepest direction
            continue
        if float((ahead - new) @ (new - w)) > 0:
            ahead, image_ahead, momentum = w, image, 1.0
            if np.array_equal(new, w):
                break
            w, image = new, image_new
            ahead, image_ahead = w, image
            continue
        after = 0.5 * (1.0 + np.sqrt(1.0 + 4.0 * momentum**2))
        pull = (momentum - 1.0) / after
        ahead, image_ahead = new + pull * (new - w), image_new + pull * (image_new - image)
        w, image, momentum = new, image_new, after
        gradient = image - c
        if float(gradient @ w - gradient.min()) <= tolerance * (0.5 * float(w @ image) + abs(float(c @ w))):
            break
        now = w > 0
        settled = settled + 1 if np.array_equal(now, support) else 0
        support = now
        if settled >= 20:
            break
    return w


def _curvature(G: Floats) -> float:
    """Largest eigenvalue of G along the simplex (directions that sum to 0), from a dozen power steps."""
    v = np.cos(np.arange(1.0, G.shape[0] + 1.0))  # fixed, and in no one's way
    v -= v.mean()
    value = 0.0
    for _ in range(12):
        length = np.linalg.norm(v)
        if length == 0.0:
            return 0.0
        v = G @ (v / length)
        v -= v.mean()
        value = float(np.linalg.norm(v))
    return 1.1 * value


def _polish(G: Floats, c: Floats, w: Floats, tolerance: float) -> Floats:
    """Newton steps on the support: solve for it exactly, leave at the first weight that reaches zero, let the most
    wanted candidates join when the support is solved."""
    support = w > 0
    for _ in range(ROUNDS):
        index = np.flatnonzero(support)
        target = _equality(G, c, index)
        if target is None:
            return w
        own = w[index]
        if target.min() < 0.0:
            falling = target < own
            ratio = np.where(falling & (target < 0), own / np.where(falling, own - target, 1.0), np.inf)
            t = min(1.0, float(ratio.min()))
            moved = own + t * (target - own)
            moved[ratio <= t * (1 + 1e-12)] = 0.0
            if np.count_nonzero(moved <= 0) * 20 < moved.size and np.count_nonzero(target < 0) > 1:
                # many will leave: project, and keep the step if it is no worse than the careful one
                bold = project(np.maximum(target, 0.0) / np.maximum(target, 0.0).sum())
                if _objective(G, c, index, bold) <= _objective(G, c, index, moved):
                    moved = bold
            w = np.zeros(c.size)
            w[index] = np.maximum(moved, 0.0)
            w /= w.sum()
            support = w > 0
            continue
        w = np.zeros(c.size)
        w[index] = target / target.sum()
        gradient = G[:, index] @ w[index] - c
        level = float(gradient @ w)
        size = abs(float(c @ w)) + 0.5 * abs(level + float(c @ w))
        wanted = np.flatnonzero(~support & (gradient < level - tolerance * size))
        if wanted.size == 0:
            return w
        support = support.copy()
        support[wanted[np.argsort(gradient[wanted], kind="stable")[: max(1, index.size // 20)]]] = True
    return w


def _objective(G: Floats, c: Floats, index: NDArray[np.intp], w: Floats) -> float:
    return float(0.5 * w @ (G[np.ix_(index, index)] @ w) - c[index] @ w)


def _equality(G: Floats, c: Floats, index: NDArray[np.intp]) -> Floats | None:
    """min ½wᵀGw − cᵀw with Σw = 1 on the support, signs free; None where G is singular there."""
    from scipy.linalg import LinAlgError, cho_factor, cho_solve

    try:
        # adding 11ᵀ changes nothing where Σw = 1, and lifts the direction that G may be flat in
        factor = cho_factor(G[np.ix_(index, index)] + np.abs(G[index, index]).mean(), check_finite=False)
    except LinAlgError:
        return None
    solved = cho_solve(factor, np.column_stack([c[index], np.ones(index.size)]), check_finite=False)
    weight = (1.0 - solved[:, 0].sum()) / solved[:, 1].sum()
    target = solved[:, 0] + weight * solved[:, 1]
    return target if np.isfinite(target).all() else None
