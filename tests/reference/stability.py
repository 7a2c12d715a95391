"""Stability indices by their definitions: sets, loops, every permutation."""

from __future__ import annotations

import math
import statistics
from itertools import combinations, permutations


def kuncheva(sets, n_features):
    """(observed overlap − expected) / (largest − expected), expected k²/D for two random sets of k out of D."""
    values = []
    for a, b in combinations(sets, 2):
        k = len(a)
        expected = k * k / n_features
        values.append((len(set(a) & set(b)) - expected) / (k - expected))
    return statistics.fmean(values)


def matching(a, b, similarity):
    """The best one-to-one pairing by trying them all."""
    short, long = sorted([list(a), list(b)], key=len)
    best = max(sum(similarity[i][j] for i, j in zip(short, order, strict=False)) for order in permutations(long))
    return best / len(long)


def information_consistency(sets, similarity):
    return statistics.fmean(matching(a, b, similarity) for a, b in combinations(sets, 2))


def nogueira(sets, n_features):
    """Definition 4 and theorem 7 of Nogueira, Sechidis & Brown (2018): (Φ, variance)."""
    d, m = n_features, len(sets)
    z = [[1 if f in one else 0 for f in range(d)] for one in sets]
    columns = list(zip(*z, strict=True))
    share = [statistics.fmean(column) for column in columns]
    k = [sum(row) for row in z]
    kbar = statistics.fmean(k)
    chance = kbar / d * (1 - kbar / d)
    phi = 1 - statistics.fmean(statistics.variance(column) for column in columns) / chance
    own = []
    for row, size in zip(z, k, strict=True):
        first = sum(zf * pf for zf, pf in zip(row, share, strict=True)) / d - size * kbar / d**2
        second = phi / 2 * (2 * kbar * size / d**2 - size / d - kbar / d + 1)
        own.append((first + second) / chance)
    return phi, 4 / m**2 * math.fsum((value - statistics.fmean(own)) ** 2 for value in own)


def fronts(costs):
    """Take away what nothing dominates, again and again."""

    def dominates(a, b):
        return all(x <= y for x, y in zip(a, b, strict=True)) and any(x < y for x, y in zip(a, b, strict=True))

    ranks = [0] * len(costs)
    rank = 0
    while 0 in ranks:
        rank += 1
        left = [i for i, r in enumerate(ranks) if r == 0]
        for i in left:
            if not any(dominates(costs[j], costs[i]) for j in left):
                ranks[i] = rank
    return ranks
