"""Gaussian criteria of a set of columns from scratch: covariances from rows, slogdet, inverse. Slow, obvious."""

from __future__ import annotations

import numpy as np

LOG_2PIE = np.log(2 * np.pi * np.e)


def standardise(X):
    return (X - X.mean(axis=0)) / X.std(axis=0)


def covariance(X):
    centred = X - X.mean(axis=0)
    return centred.T @ centred / len(X)


def entropy(sigma):
    return 0.5 * np.linalg.slogdet(sigma)[1] + 0.5 * len(sigma) * LOG_2PIE


def divergence(mean1, sigma1, mean2, sigma2):
    """KL(N(mean1, sigma1) || N(mean2, sigma2)), nats."""
    inverse = np.linalg.inv(sigma2)
    gap = mean2 - mean1
    logs = np.linalg.slogdet(sigma1)[1] - np.linalg.slogdet(sigma2)[1]
    return 0.5 * (np.trace(inverse @ sigma1) - logs - len(gap) + gap @ inverse @ gap)


def _classes(X, y, S):
    X = standardise(X)[:, list(S)]
    return X, [(float(np.mean(y == c)), X[y == c]) for c in np.unique(y)]


def gc_mi(X, y, S):
    """Eq. 8, min inside the sum."""
    if not len(S):
        return 0.0
    X, classes = _classes(X, y, S)
    total = entropy(covariance(X))
    inner = [(p, entropy(covariance(part))) for p, part in classes]
    return sum(p * min(total, h - np.log(p)) for p, h in inner) - sum(p * h for p, h in inner)


def gc_e(X, y, S):
    if not len(S):
        return 0.0
    X, classes = _classes(X, y, S)
    total = entropy(covariance(X))
    return sum(p * min(total, entropy(covariance(part)) - np.log(p)) for p, part in classes)


def gc_bound(X, y, S):
    """The true bound, min outside the sum."""
    if not len(S):
        return 0.0
    X, classes = _classes(X, y, S)
    inner = sum(p * entropy(covariance(part)) for p, part in classes)
    outer = sum(p * (entropy(covariance(part)) - np.log(p)) for p, part in classes)
    return min(entropy(covariance(X)), outer) - inner


def wilks(X, y, S):
    if not len(S):
        return 0.0
    X, classes = _classes(X, y, S)
    pooled = sum(p * covariance(part) for p, part in classes)
    return 0.5 * (np.linalg.slogdet(covariance(X))[1] - np.linalg.slogdet(pooled)[1])


def _one_against_all(X, y, S):
    X, _ = _classes(X, y, S)
    labels = np.unique(y)
    for c in labels:
        one, rest = X[y == c], X[y != c]
        yield (
            float(np.mean(y == c)),
            (one.mean(axis=0), covariance(one)),
            (rest.mean(axis=0), covariance(rest)),
        )


def gkl_mi(X, y, S):
    if not len(S):
        return 0.0
    return np.mean(
        [p * divergence(*one, *rest) + (1 - p) * divergence(*rest, *one) for p, one, rest in _one_against_all(X, y, S)]
    )


def gkl_e(X, y, S):
    if not len(S):
        return 0.0
    return gkl_mi(X, y, S) + np.mean(
        [p * entropy(one[1]) + (1 - p) * entropy(rest[1]) for p, one, rest in _one_against_all(X, y, S)]
    )


def regression_information(X, Y, S):
    """−½ log(1 − R²) by least squares; for several targets ½ log|cov Y| − ½ log|cov residuals|."""
    if not len(S):
        return 0.0
    Y = np.asarray(Y, dtype=float).reshape(len(X), -1)
    design = np.column_stack([np.ones(len(X)), X[:, list(S)]])
    residual = Y - design @ np.linalg.lstsq(design, Y, rcond=None)[0]
    return 0.5 * (np.linalg.slogdet(covariance(Y))[1] - np.linalg.slogdet(residual.T @ residual / len(X))[1])


def forward(criterion, X, y, k):
    """Greedy choice by a criterion of a set: indices and increments; ties to the lowest index."""
    chosen, scores, value = [], [], 0.0
    for _ in range(k):
        best, best_value = -1, -np.inf
        for j in range(X.shape[1]):
            if j not in chosen:
                v = criterion(X, y, [*chosen, j])
                if v > best_value + 1e-12:
                    best, best_value = j, v
        chosen.append(best)
        scores.append(best_value - value)
        value = best_value
    return chosen, scores


def monte_carlo_information(means, covariances, priors, n, rng):
    """I(X; Y) of a Gaussian mixture by sampling, nats, and its standard error."""
    values = []
    for c, p in enumerate(priors):
        x = rng.multivariate_normal(means[c], covariances[c], size=int(n * p))
        logs = np.array(
            [
                np.log(q)
                - 0.5 * np.linalg.slogdet(sigma)[1]
                - 0.5 * np.einsum("ij,jk,ik->i", x - mean, np.linalg.inv(sigma), x - mean)
                for q, mean, sigma in zip(priors, means, covariances, strict=True)
            ]
        )
        values.append(logs[c] - np.log(p) - np.logaddexp.reduce(logs, axis=0))
    values = np.concatenate(values)
    return values.mean(), values.std() / np.sqrt(len(values))


def quadratic_forward(X, y, k):
    """(features, values) of gc.mi by the quadratic algorithm of papers' §4.1.1, kept as a reference.

    |Σ_{S ∪ j}| = |Σ_S| (σ_j² − v' Σ_S⁻¹ v), the matrix determinant lemma twice, at O(|S|²) a candidate; the inverse
    follows a new feature by Sherman & Morrison's formula, twice.
    """
    Z = standardise(X)
    labels = np.unique(y)
    shares = np.array([np.mean(y == c) for c in labels])
    sigmas = [covariance(Z)] + [covariance(Z[y == c]) for c in labels]
    inverses = [np.zeros((0, 0)) for _ in sigmas]
    logs = np.zeros(len(sigmas))
    chosen, values = [], []
    while len(chosen) < k:
        best = (-np.inf, None, None)
        for j in range(X.shape[1]):
            if j in chosen:
                continue
            tried = logs.copy()
            for m, sigma in enumerate(sigmas):
                v = sigma[j, chosen]
                tried[m] += np.log(sigma[j, j] - v @ inverses[m] @ v)
            entropies = 0.5 * tried + 0.5 * (len(chosen) + 1) * LOG_2PIE
            capped = np.minimum(entropies[0], entropies[1:] - np.log(shares))
            value = shares @ capped - shares @ entropies[1:]
            if value > best[0] + 1e-12:
                best = (value, j, tried)
        value, j, logs = best
        for m, sigma in enumerate(sigmas):
            v = sigma[j, chosen]
            u = inverses[m] @ v
            rest = sigma[j, j] - v @ u
            grown = np.zeros((len(chosen) + 1, len(chosen) + 1))
            grown[:-1, :-1] = inverses[m] + np.outer(u, u) / rest
            grown[:-1, -1] = grown[-1, :-1] = -u / rest
            grown[-1, -1] = 1.0 / rest
            inverses[m] = grown
        chosen.append(j)
        values.append(value)
    return chosen, values
