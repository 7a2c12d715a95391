"""HSIC and LSMI as the formulas read: loops over rows, one solve a model and fold, nothing shared."""

from __future__ import annotations

import math

import numpy as np
from scipy.optimize import minimize


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


def mlmi(rows, classes, numbers, centres, folds, factors):
    """(Î, factor): the likelihood of mixture shares by a general optimiser, kernels by loops."""
    scale = median_distance(rows)
    everybody = list(range(len(rows)))
    best = (-math.inf, 0.0)

    def bases(factor, members):
        """K_x ∘ K_y of the members, and the mean of every basis over all pairs of ``members``."""
        if numbers is None:
            of_target = target_kernel(classes, None)
        else:
            sigma = factor * median_distance(numbers)
            of_target = lambda i, j: gaussian(numbers[i], numbers[j], sigma)  # noqa: E731
        x = np.array([[gaussian(rows[i], rows[c], factor * scale) for c in centres] for i in everybody])
        y = np.array([[of_target(i, c) for c in centres] for i in everybody])
        pairs = [x[i] * y[j] for i in members for j in members]
        return x * y, np.mean(pairs, axis=0)

    def ratios(factor, members):
        """The fitted ratio at every row, from the members alone."""
        own, means = bases(factor, members)
        F = own[members] / means

        def loss(theta):  # shares as a softmax: no constraint is left
            shares = np.exp(theta - theta.max())
            shares /= shares.sum()
            inside = F @ shares
            pull = (F / inside[:, None]).mean(axis=0)
            return -float(np.log(inside).mean()), -shares * (pull - 1.0)

        theta = np.zeros(len(centres))
        for _ in range(20):  # L-BFGS, begun again where it stopped: shares at zero are far away
            theta = minimize(loss, theta, jac=True, method="L-BFGS-B", options={"maxiter": 5000, "gtol": 1e-12}).x
        shares = np.exp(theta - theta.max())
        return own @ (shares / shares.sum() / means)

    for factor in factors:
        told = []
        for fold in folds:
            found = ratios(factor, [i for i in everybody if i not in fold])
            told.append(np.mean([math.log(max(found[i], 1e-10)) for i in fold]))
        if np.mean(told) > best[0]:
            best = (float(np.mean(told)), factor)
    found = ratios(best[1], everybody)
    return float(np.mean(np.log(np.maximum(found, 1e-10)))), best[1]
