"""Errors of ridge regressions on the folds left out, for every ridge at once.

One Householder reduction H = QTQᵀ serves every λ, since (H + λI)⁻¹h = Q(T + λI)⁻¹Qᵀh and the tridiagonal system is
solved in O(b). LAPACK's parts do the same, but for matrices of some dozen rows their calls cost more than their work.
"""

from __future__ import annotations

import numba as nb
import numpy as np

SUMS = {"contract", "reassoc", "nsz"}  # sums may be taken in lanes: fixed by the compiled code, so the same in each run


@nb.njit(fastmath=SUMS)
def _dot(a, b):
    total = 0.0
    for i in range(a.size):
        total += a[i] * b[i]
    return total


@nb.njit(fastmath=SUMS)
def _add(a, factor, b):
    """a += factor b."""
    for i in range(a.size):
        a[i] += factor * b[i]


@nb.njit(error_model="numpy", fastmath=SUMS)
def _reduce(H, h, diagonal, off, scales, work):
    """T and Qᵀh of a symmetric H, of which the upper triangle is read; reflector k is left beyond its diagonal."""
    size = diagonal.size
    for k in range(size - 1):
        diagonal[k] = H[k, k]
        v = H[k, k + 1 :]
        first, below = v[0], _dot(v[1:], v[1:])
        off[k], scales[k] = first, 0.0
        if below == 0.0:
            v[0] = 1.0
            continue
        length = -np.copysign(np.sqrt(first * first + below), first)
        off[k], scale = length, (length - first) / length
        scales[k] = scale
        for j in range(v.size):
            v[j] /= first - length
        v[0] = 1.0
        _add(h[k + 1 :], -scale * _dot(v, h[k + 1 :]), v)
        # w = scale (I − ½ scale vvᵀ) H v, and then H − vwᵀ − wvᵀ
        w = work[: v.size]
        w[:] = 0.0
        for i in range(v.size):
            row, along, part = H[k + 1 + i, k + 1 + i :], v[i:], w[i:]
            own, total = v[i], 0.0
            for j in range(row.size):
                total += row[j] * along[j]
                part[j] += own * row[j]
            part[0] += total - own * row[0]
        for j in range(w.size):
            w[j] *= scale
        _add(w, -0.5 * scale * _dot(w, v), v)
        for i in range(v.size):
            row, along, part = H[k + 1 + i, k + 1 + i :], v[i:], w[i:]
            of_v, of_w = v[i], w[i]
            for j in range(row.size):
                row[j] -= of_v * part[j] + of_w * along[j]
    diagonal[size - 1] = H[size - 1, size - 1]


@nb.njit(error_model="numpy", fastmath={"contract"})
def _solve_tridiagonal(diagonal, off, right, ridge, pivots, x):
    """x = (T + ridge I)⁻¹ right for a positive semi-definite tridiagonal T, by elimination."""
    size = diagonal.size
    pivots[0], x[0] = diagonal[0] + ridge, right[0]
    for i in range(1, size):
        factor = off[i - 1] / pivots[i - 1]
        # rounding may take a pivot of a singular T below the ridge, which exact arithmetic never does
        pivots[i] = max(diagonal[i] + ridge - factor * off[i - 1], ridge)
        x[i] = right[i] - factor * x[i - 1]
    x[size - 1] /= pivots[size - 1]
    for i in range(size - 2, -1, -1):
        x[i] = (x[i] - off[i] * x[i + 1]) / pivots[i]


@nb.njit(nogil=True, cache=True, error_model="numpy", fastmath=SUMS)
def held_out_errors(H, h, held_H, held_h, ridges, errors):
    """errors[s] += Σ_folds ½ αᵀ held_H α − held_hᵀ α, where α = (H + ridges[s] I)⁻¹ h of that fold.

    H, held_H : (n_folds, size, size) of the other folds and of the fold left out; H is spoilt.
    h, held_h : (n_folds, size); h is spoilt.
    """
    folds, size = h.shape
    diagonal, off, scales = np.empty(size), np.empty(size), np.empty(size)
    work, alpha = np.empty(size), np.empty(size)
    for k in range(folds):
        _reduce(H[k], h[k], diagonal, off, scales, work)
        for s in range(ridges.size):
            _solve_tridiagonal(diagonal, off, h[k], ridges[s], work, alpha)
            for i in range(size - 2, -1, -1):
                v, rest = H[k, i, i + 1 :], alpha[i + 1 :]
                _add(rest, -scales[i] * _dot(v, rest), v)
            for i in range(size):
                errors[s] += alpha[i] * (0.5 * _dot(held_H[k, i], alpha) - held_h[k, i])
