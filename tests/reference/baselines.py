"""Baselines written out slowly and obviously; no kernel, no statistics of the package."""

from __future__ import annotations

import heapq
from collections import Counter
from math import exp, log, sqrt

import numpy as np


def entropy(values):
    n = len(values)
    return -sum(c / n * log(c / n) for c in Counter(values).values())


def uncertainty(a, b):
    ha, hb, joint = entropy(a), entropy(b), entropy(list(zip(a, b, strict=True)))
    return 2 * max(ha + hb - joint, 0.0) / (ha + hb) if ha + hb > 0 else 0.0


# -- ReliefF -----------------------------------------------------------------------------------------------


def difference(column, category, i, j, classes, width):
    """diff of rows i and j; a missing value is averaged over the known values of its row's class."""

    def apart(a, b):
        return float(a != b) if category else abs(a - b) / width

    def known(c):
        return [v for v, own in zip(column, classes, strict=True) if own == c and not np.isnan(v)]

    firsts = [column[i]] if not np.isnan(column[i]) else known(classes[i])
    seconds = [column[j]] if not np.isnan(column[j]) else known(classes[j])
    if not firsts or not seconds:
        return 1.0 if category else 0.5
    return float(np.mean([apart(a, b) for a in firsts for b in seconds]))


def relieff(X, y, k=10, category=None, target=None, sigma=None):
    n, d = X.shape
    category = [False] * d if category is None else category
    classes = [0] * n if target is not None else list(y)
    widths = [float(np.nanmax(X[:, j]) - np.nanmin(X[:, j])) or 1.0 for j in range(d)]
    diff = np.array(
        [[[difference(X[:, t], category[t], i, j, classes, widths[t]) for t in range(d)] for j in range(n)]
         for i in range(n)]
    )  # fmt: skip
    distance = diff.sum(axis=2)
    share = {c: classes.count(c) / n for c in set(classes)}
    W, both, near, gaps = np.zeros(d), np.zeros(d), np.zeros(d), 0.0
    for i in range(n):
        for c in sorted(share):
            others = sorted((j for j in range(n) if j != i and classes[j] == c), key=lambda j: (distance[i, j], j))[:k]
            if not others:
                continue
            ranks = range(1, len(others) + 1)
            influence = np.array([1.0 if sigma is None else exp(-((r / sigma) ** 2)) for r in ranks])
            influence /= influence.sum()
            mean = influence @ diff[i, others]
            if target is not None:
                gap = np.abs(target[i] - target[others]) / np.ptp(target)
                gaps += float(influence @ gap)
                near += mean
                both += (influence * gap) @ diff[i, others]
            else:
                W += -mean if c == classes[i] else share[c] / (1 - share[classes[i]]) * mean
    return W / n if target is None else both / gaps - (near - both) / (n - gaps)


# -- FCBF and CFS ------------------------------------------------------------------------------------------


def fcbf(columns, y):
    """Predominant features in the order of Yu & Liu's list."""
    su = [uncertainty(c, y) for c in columns]
    left = sorted((j for j in range(len(columns)) if su[j] > 0), key=lambda j: (-su[j], j))
    chosen = []
    while left:
        top = left.pop(0)
        chosen.append(top)
        left = [j for j in left if uncertainty(columns[top], columns[j]) < su[j]]
    return chosen


def merit(columns, y, members):
    if not members:
        return 0.0
    relevance = sum(uncertainty(columns[j], y) for j in members)
    shared = sum(uncertainty(columns[i], columns[j]) for i in members for j in members if i < j)
    return relevance / sqrt(len(members) + 2 * shared)


def cfs_best_first(columns, y, stale=5):
    """All children of every expanded set in one queue."""
    queue, seen, best, worth, idle, arrived = [(0.0, 0, ())], {frozenset()}, (), -np.inf, 0, 0
    while queue and idle < stale:
        _, _, members = heapq.heappop(queue)
        improved = False
        for j in range(len(columns)):
            child = (*members, j)
            if j in members or frozenset(child) in seen:
                continue
            seen.add(frozenset(child))
            value = merit(columns, y, child)
            arrived += 1
            heapq.heappush(queue, (-value, arrived, child))
            if value > worth + 1e-12:
                best, worth, improved = child, value, True
        idle = 0 if improved else idle + 1
    return best, worth


# -- graphs and windows ------------------------------------------------------------------------------------


def laplacian_score(X, S):
    """f̃ᵀLf̃ / f̃ᵀDf̃ of every column with dense matrices."""
    D = np.diag(S.sum(axis=1))
    L = D - S
    one = np.ones(len(X))
    out = []
    for f in X.T:
        centred = f - (f @ D @ one) / (one @ D @ one)
        out.append((centred @ L @ centred) / (centred @ D @ centred))
    return np.array(out)


def spec_scores(X, S):
    """φ1 and φ2 from the eigenvectors of the normalised Laplacian."""
    root = np.sqrt(S.sum(axis=1))
    values, vectors = np.linalg.eigh(np.eye(len(X)) - S / np.outer(root, root))
    first = root / np.linalg.norm(root)
    phi1, phi2 = [], []
    for f in X.T:
        hat = root * f / np.linalg.norm(root * f)
        phi1.append(float(((vectors.T @ hat) ** 2) @ values))
        phi2.append(phi1[-1] / (1 - (hat @ first) ** 2))
    return np.array(phi1), np.array(phi2)


def qalpha(M, q, rounds=300, seed=0):
    """The iteration with G and A written out; M has unit columns."""
    Q = np.linalg.qr(np.random.default_rng(seed).standard_normal((len(M), q)))[0]
    alpha = np.full(M.shape[1], M.shape[1] ** -0.5)
    for _ in range(rounds):
        G = (M.T @ M) * (M.T @ Q @ Q.T @ M)
        alpha = G @ alpha
        alpha /= np.linalg.norm(alpha)
        A = (M * alpha) @ M.T
        Q = np.linalg.qr(A @ Q)[0]
    return alpha, G


def parzen_information(x, z, h):
    """Windows exp(−½ dᵀ S⁻¹ d / h²) / (2π h² √|S|), S the sample covariance; of one dimension likewise."""
    n = len(x)
    S = np.cov(x, z, bias=True)
    inverse = np.linalg.inv(S)
    total = 0.0
    for i in range(n):
        d = np.stack([x[i] - x, z[i] - z])
        joint = np.exp(-0.5 * np.einsum("ai,ab,bi->i", d, inverse, d) / h**2).mean() / np.sqrt(np.linalg.det(S))
        a = np.exp(-0.5 * d[0] ** 2 / S[0, 0] / h**2).mean() / np.sqrt(S[0, 0])
        b = np.exp(-0.5 * d[1] ** 2 / S[1, 1] / h**2).mean() / np.sqrt(S[1, 1])
        total += log(joint / (a * b))
    return total / n


def parzen_relevance(x, y, h):
    n = len(x)
    total = 0.0
    for i in range(n):
        window = [exp(-0.5 * ((x[i] - x[j]) / h) ** 2) for j in range(n)]
        for c in set(y):
            p = sum(w for w, own in zip(window, y, strict=True) if own == c) / sum(window)
            total += p * log(p) / n if p > 0 else 0.0
    return entropy(list(y)) + total


# -- tasks that share features: rows of W are features, columns tasks --------------------------------------


def multitask_objective(X, Y, W, gamma):
    """Σ_t mean_i (y_ti − x_iᵀw_t)² + γ (Σ_j ‖w_j‖)²."""
    return ((Y - X @ W) ** 2).sum() / len(X) + gamma * sum(np.linalg.norm(w) for w in W) ** 2


def multitask_descent(X, Y, gamma, sweeps):
    """The best w_j for all others as they are, feature after feature, from the rows themselves."""
    n, d = X.shape
    W = np.zeros((d, Y.shape[1]))
    for _ in range(sweeps):
        for j in range(d):
            others = [other for other in range(d) if other != j]
            r = X[:, j] @ (Y - X[:, others] @ W[others]) / n
            rest = sum(np.linalg.norm(W[other]) for other in others)
            length = max(np.linalg.norm(r) - gamma * rest, 0.0) / (X[:, j] @ X[:, j] / n + gamma)
            W[j] = length * r / np.linalg.norm(r) if length > 0 else 0.0
    return W


def multitask_alternation(X, Y, gamma, rounds=3000, smooth=1e-9):
    """Argyriou, Evgeniou & Pontil's own: ridge regressions with the penalty γ ‖w_j‖² / d_j, then d_j ∝ ‖w_j‖."""
    n, d = X.shape
    share = np.full(d, 1.0 / d)
    for _ in range(rounds):
        kernel = (X * share) @ X.T / n
        W = share[:, None] * (X.T @ np.linalg.solve(kernel + gamma * np.eye(n), Y)) / n
        norms = np.sqrt((W**2).sum(axis=1) + smooth**2)
        share = norms / norms.sum()
    return W


# -- multinomial logistic regression -----------------------------------------------------------------------


def softmax(margin):
    e = np.exp(margin - margin.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def softmax_objective(X, y, v, W, l1, l2):
    """X with a first column of ones, whose weights are free."""
    loss = -sum(v[i] * log(p[y[i]]) for i, p in enumerate(softmax(X @ W)))
    return loss + l1 * np.abs(W[1:]).sum() + 0.5 * l2 * (W[1:] ** 2).sum()


def softmax_sweep(X, y, v, W, trust, l1, l2):
    """One pass over all weights, each step by the probabilities of the moment; W and trust in place."""
    worst = 0.0
    for j in range(X.shape[1]):
        first, second = (l1, l2) if j else (0.0, 0.0)
        for c in range(W.shape[1]):
            w, radius, p = W[j, c], trust[j, c], softmax(X @ W)[:, c]
            slope = sum(v[i] * X[i, j] * (p[i] - (y[i] == c)) for i in range(len(X)))
            total = slope + second * w
            violation = abs(total + first * np.sign(w)) if w else max(abs(total) - first, 0.0)
            worst = max(worst, violation)
            if violation == 0.0:
                trust[j, c] = radius / 2
                continue
            curve = 0.0
            for i in range(len(X)):
                reach = radius * abs(X[i, j])
                near = p[i] * (1 - p[i]) * (1 + reach + reach**2)
                curve += v[i] * X[i, j] ** 2 * (min(near, 0.25) if reach < 1.5 else 0.25)
            point = curve * w - slope
            step = np.sign(point) * max(abs(point) - first, 0.0) / (curve + second) - w
            step = min(max(step, -radius), radius)
            W[j, c] += step
            trust[j, c] = max(2 * abs(step), radius / 2)
    return worst
