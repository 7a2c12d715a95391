"""Coordinate descent, one feature at a time, for least squares of several tasks under γ (Σ_j ‖w_j‖)²."""

from __future__ import annotations

import numba as nb
import numpy as np


@nb.njit(fastmath={"contract"})
def _add(a, factor, b):
    """a += factor b."""
    for i in range(a.size):
        a[i] += factor * b[i]


@nb.njit(nogil=True, cache=True, error_model="numpy", fastmath={"contract"})
def settle(gram, pull, weights, gamma, tol, most):
    """Minimise in one feature after another until a sweep breaks no condition by more than tol; how far it did.

    gram (d, d) = XᵀX; weights (T, d), and pull (T, d) = Xᵀ(Y − XW), kept current. The conditions of the minimum, with
    the bound γ Σ‖w_i‖: pull_j = bound · w_j / ‖w_j‖, or ‖pull_j‖ ≤ bound where w_j = 0; they are measured in units of
    the bound, before each step. A feature without a weight stays so while it is within tol: copies of a feature would
    otherwise come in by rounding. At most ``most`` sweeps.
    """
    tasks, d = weights.shape
    norms, r = np.empty(d), np.empty(tasks)
    worst = np.inf
    for _ in range(most):
        total = 0.0
        for j in range(d):
            square = 0.0
            for t in range(tasks):
                square += weights[t, j] * weights[t, j]
            norms[j] = np.sqrt(square)
            total += norms[j]
        worst = 0.0
        for j in range(d):
            own, curve, bound = norms[j], gram[j, j], gamma * total
            square, off = 0.0, 0.0
            for t in range(tasks):
                r[t] = pull[t, j] + curve * weights[t, j]
                square += r[t] * r[t]
                if own > 0.0:
                    gap = pull[t, j] - bound * weights[t, j] / own
                    off += gap * gap
            length = np.sqrt(square)
            off = np.sqrt(off) if own > 0.0 else max(length - bound, 0.0)
            if off <= (0.0 if own > 0.0 else tol * bound):
                continue
            worst = max(worst, off / bound if bound > 0.0 else np.inf)
            fresh = max(length - gamma * (total - own), 0.0) / (curve + gamma)
            for t in range(tasks):
                after = r[t] * (fresh / length) if fresh > 0.0 else 0.0
                step = after - weights[t, j]
                weights[t, j] = after
                _add(pull[t], -step, gram[j])
            total += fresh - own
            norms[j] = fresh
        if worst <= tol:
            break
    return worst
