"""HSIC and LSMI as the formulas read: loops over rows, one solve a model and fold, nothing shared."""

from __future__ import annotations

import math

import numpy as np


def distance(a, b):
    return math.sqrt(sum((x - y) ** 2 for x, y in zip(a, b, strict=True)))


def median_distance(rows):
    gaps = sorted(distance(rows[i], rows[j]) for i in range(len(rows)) for j in range(i))
    middle = gaps[len(gaps) // 2] if gaps else 0.0
    positive = [gap for gap in gaps if gap > 1e-10]
    return middle if middle > 1e-10 else (float(np.median(positive)) if positive else 1.0)


def gaussian(a, b, sigma):
    return math.exp(-(distance(a, b) ** 2) / (2 * sigma**2))


def target_kernel(classes, numbers):
    """L(i, j) of classes, or of numbers (rows of outputs)."""
    if numbers is None:
        return lambda i, j: float(classes[i] == classes[j])
    sigma = median_distance(numbers)
    return lambda i, j: gaussian(numbers[i], numbers[j], sigma)


def hsic(rows, classes, numbers=None, unbiased=False, sigma=None):
    n = len(rows)
    sigma = median_distance(rows) if sigma is None else sigma
    of_target = target_kernel(classes, numbers)
    K = np.array([[gaussian(a, b, sigma) for b in rows] for a in rows])
    L = np.array([[of_target(i, j) for j in range(n)] for i in range(n)])
    if not unbiased:
        H = np.eye(n) - 1.0 / n
        return float(np.trace(K @ H @ L @ H)) / (n - 1) ** 2
    np.fill_diagonal(K, 0.0)
    np.fill_diagonal(L, 0.0)
    one = np.ones(n)
    return float(
        np.trace(K @ L) + (one @ K @ one) * (one @ L @ one) / ((n - 1) * (n - 2)) - 2 / (n - 2) * (one @ K @ L @ one)
    ) / (n * (n - 3))


def smi_terms(rows, of_target, centres, sigma, members):
    """Ĥ by a double sum over pairs (i, j), ĥ by a sum over rows, of the members only."""
    b = len(centres)
    H, h = np.zeros((b, b)), np.zeros(b)
    in_x = {i: np.array([gaussian(rows[i], rows[c], sigma) for c in centres]) for i in members}
    in_y = {i: np.array([of_target(i, c) for c in centres]) for i in members}
    for i in members:
        for j in members:
            basis = in_x[i] * in_y[j]
            H += np.outer(basis, basis)
        h += in_x[i] * in_y[i]
    return H / len(members) ** 2, h / len(members)


def lsmi(rows, classes, numbers, centres, folds, factors, ridges):
    """(Î, factor, λ); folds is a list of lists of row numbers."""
    scale = median_distance(rows)
    n = len(rows)
    best = (math.inf, 0.0, 0.0)
    identity = np.eye(len(centres))

    def kernel(factor):
        if numbers is None:
            return target_kernel(classes, None)
        sigma = factor * median_distance(numbers)
        return lambda i, j: gaussian(numbers[i], numbers[j], sigma)

    for factor in factors:
        of_target = kernel(factor)
        for ridge in ridges:
            error = 0.0
            for fold in folds:
                rest = [i for i in range(n) if i not in fold]
                H, h = smi_terms(rows, of_target, centres, factor * scale, rest)
                alpha = np.linalg.solve(H + ridge * identity, h)
                H, h = smi_terms(rows, of_target, centres, factor * scale, fold)
                error += 0.5 * alpha @ H @ alpha - h @ alpha
            if error / len(folds) < best[0] - 1e-13:
                best = (error / len(folds), factor, ridge)
    _, factor, ridge = best
    H, h = smi_terms(rows, kernel(factor), centres, factor * scale, list(range(n)))
    return 0.5 * float(h @ np.linalg.solve(H + ridge * identity, h)) - 0.5, factor, ridge
