"""Global selection, slow and obvious: counted cell by cell, enumerated set by set, solved by general solvers."""

from itertools import combinations

import numpy as np
from scipy.optimize import minimize


def entropy(*columns):
    """Joint entropy in nats."""
    _, counts = np.unique(np.column_stack(columns), axis=0, return_counts=True)
    p = counts / counts.sum()
    return float(-(p * np.log(p)).sum())


def information(a, b):
    return max(0.0, entropy(a) + entropy(b) - entropy(a, b))


def conditional_information(a, b, given):
    """I(A;B|G)."""
    return max(0.0, entropy(a, given) + entropy(b, given) - entropy(a, b, given) - entropy(given))


def matrices(codes, y):
    """f, H1, H2 and Q of Vinh et al. (2014) for codes (n_features, n_rows)."""
    d = len(codes)
    f = np.array([information(x, y) for x in codes])
    H1, H2, Q = np.zeros((3, d, d))
    for i in range(d):
        for j in range(d):
            a, b = codes[i], codes[j]
            H1[i, j] = entropy(a) if i == j else information(a, b)
            H2[i, j] = entropy(a, y) - entropy(y) if i == j else conditional_information(a, b, y)
            both = conditional_information(a, y, b) + conditional_information(b, y, a)
            Q[i, j] = f[i] if i == j else 0.5 * both
    return f, H1, H2, Q


def best_set(Q, k):
    """The set of k that maximises the sum of Q over it, by looking at every one."""
    return max(combinations(range(len(Q)), k), key=lambda s: Q[np.ix_(s, s)].sum())


def simplex_minimum(G, c):
    """min ½wᵀGw − cᵀw on the simplex by sequential least squares: (w, objective)."""
    n = len(c)
    found = minimize(
        lambda w: 0.5 * w @ G @ w - c @ w,
        np.full(n, 1 / n),
        jac=lambda w: G @ w - c,
        bounds=[(0, None)] * n,
        constraints={"type": "eq", "fun": lambda w: w.sum() - 1, "jac": lambda w: np.ones(n)},
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 1000},
    )
    return found.x, found.fun


def correlation(a, b):
    a, b = np.asarray(a, float), np.asarray(b, float)
    return 0.0 if np.ptp(a) == 0 or np.ptp(b) == 0 else abs(np.corrcoef(a, b)[0, 1])


def hall(a, b, a_category, b_category):
    """Hall's correlation of two columns, each a number or a category."""
    if not a_category and not b_category:
        return correlation(a, b)
    if a_category and not b_category:
        return sum(np.mean(a == v) * correlation(a == v, b) for v in np.unique(a))
    if b_category and not a_category:
        return hall(b, a, True, False)
    return sum(np.mean((a == v) & (b == u)) * correlation(a == v, b == u) for v in np.unique(a) for u in np.unique(b))


def waveform(n=2000, seed=0):
    """Breiman's waveforms: 21 features, 3 classes of mixtures of two of three triangles, noise of variance 1."""
    random = np.random.default_rng(seed)
    t = np.arange(1, 22)
    h1 = np.maximum(6 - np.abs(t - 11), 0)
    h2, h3 = np.maximum(6 - np.abs(t - 15), 0), np.maximum(6 - np.abs(t - 7), 0)
    pairs = np.array([[h1, h2], [h1, h3], [h2, h3]])
    y = random.integers(0, 3, n)
    u = random.random((n, 1))
    return u * pairs[y, 0] + (1 - u) * pairs[y, 1] + random.standard_normal((n, 21)), y


def quantile_codes(X, bins=5):
    """(n_features, n_rows) codes of equal frequency."""
    ranks = np.argsort(np.argsort(X, axis=0, kind="stable"), axis=0)
    return (ranks * bins // len(X)).T.astype(np.uint8)
