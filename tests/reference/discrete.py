"""Discrete information and selection, slow and obvious: count in dictionaries, add with fsum, take logs.

Nothing here is shared with the library. Tables are (n, D), rows first; every value is a level, NaN and None
are one level more. Weights are frequencies, rows of weight 0 do not exist. Information is in nats.

    I(A;B|C) = Σ p(a,b,c) log[ p(a,b,c) p(c) / (p(a,c) p(b,c)) ]

fsum rounds the exact sum, so no result depends on the order of rows or of levels.
"""

from __future__ import annotations

import math
from collections import defaultdict

TIE = 1e-12
METHODS = (
    "mim",
    "mifs",
    "mrmr",
    "miq",
    "jmi",
    "jmim",
    "cmim",
    "icap",
    "cife",
    "condred",
    "disr",
    "linear",
    "cmi",
)
Y = "y"


def level(value):
    """The value as a dictionary key; all missing values are the same key."""
    return "missing" if value is None or value != value else value


def columns_of(X):
    """The columns of a table of rows, as tuples of levels."""
    return [tuple(level(value) for value in column) for column in zip(*X, strict=True)]


def joint(*columns):
    """Several columns as one variable."""
    return list(zip(*columns, strict=True))


def count(keys, weights=None):
    """Level -> its frequency; levels of no weight are left out."""
    cells = defaultdict(list)
    for row, key in enumerate(keys):
        cells[key].append(1 if weights is None else weights[row])
    return {key: math.fsum(values) for key, values in cells.items() if math.fsum(values) > 0}


def entropy(a, weights=None, estimator="plugin"):
    """H(A); Miller–Madow adds (non-empty cells − 1)/(2n)."""
    cells = count(a, weights)
    n = math.fsum(cells.values())
    plugin = math.fsum(-c / n * math.log(c / n) for c in cells.values())
    return plugin + (len(cells) - 1) / (2 * n) if estimator == "miller-madow" else plugin


def information(a, b, given=None, weights=None, estimator="plugin"):
    """I(A;B) or I(A;B|C), never below 0.

    Miller–Madow: from the four corrected entropies the corrections leave (K_ac + K_bc − K_abc − K_c)/(2n).
    """
    c = [()] * len(a) if given is None else given
    abc, ac, bc = (count(keys, weights) for keys in (joint(a, b, c), joint(a, c), joint(b, c)))
    cc = count(c, weights)
    n = math.fsum(cc.values())
    value = math.fsum(w / n * math.log(w * cc[z] / (ac[x, z] * bc[y, z])) for (x, y, z), w in abc.items())
    if estimator == "miller-madow":
        value += (len(ac) + len(bc) - len(abc) - len(cc)) / (2 * n)
    return max(0.0, value)


class Terms:
    """The terms that the criteria are made of, each computed once. Variables are column numbers, or Y."""

    def __init__(self, X, y, weights=None, estimator="plugin"):
        columns = columns_of(X)
        labels = [level(value) for value in y]
        keep = range(len(labels)) if weights is None else [r for r, w in enumerate(weights) if w > 0]
        self.columns = {i: [column[r] for r in keep] for i, column in enumerate(columns)}
        self.columns[Y] = [labels[r] for r in keep]
        self.weights = None if weights is None else [float(weights[r]) for r in keep]
        self.estimator = estimator
        self.size = len(columns)
        self.known = {}

    def variable(self, names):
        return joint(*(self.columns[name] for name in names)) if names else None

    def info(self, a, b, c=()):
        """I(A;B|C) of tuples of variables."""
        key = (*sorted([a, b], key=str), c)
        if key not in self.known:
            self.known[key] = information(
                self.variable(a), self.variable(b), self.variable(c), self.weights, self.estimator
            )
        return self.known[key]

    def entropy(self, a):
        return entropy(self.variable(a), self.weights, self.estimator)

    def relevance(self, i):
        return self.info((i,), (Y,))

    def redundancy(self, i, j):
        return self.info((min(i, j),), (max(i, j),))

    def conditional(self, i, j):
        """I(X_i;X_j|Y)"""
        return self.info((min(i, j),), (max(i, j),), (Y,))

    def left(self, i, j):
        """I(X_i;Y|X_j)"""
        return self.info((i,), (Y,), (j,))

    def together(self, i, j):
        """I(X_i X_j;Y)"""
        return self.info(tuple(sorted((i, j))), (Y,))

    def ratio(self, i, j):
        whole = self.entropy((i, j, Y))
        return self.together(i, j) / whole if whole > 0 else 0.0


def score(terms, method, i, chosen, beta=1.0, gamma=1.0):
    """What candidate i is worth beside the chosen, by the contract's table."""
    rel = terms.relevance(i)
    if not chosen or method == "mim":
        return rel
    size = len(chosen)
    if callable(beta):
        beta = beta(size)
    if callable(gamma):
        gamma = gamma(size)

    def red():
        return [terms.redundancy(i, j) for j in chosen]

    def cond():
        return [terms.conditional(i, j) for j in chosen]

    match method:
        case "mifs":
            return rel - beta * math.fsum(red())
        case "mrmr":
            return rel - math.fsum(red()) / size
        case "miq":
            return rel / max(math.fsum(red()) / size, 1e-6)
        case "jmi":
            return rel - math.fsum(r - c for r, c in zip(red(), cond(), strict=True)) / size
        case "cife":
            return rel - math.fsum(red()) + math.fsum(cond())
        case "condred":
            return rel + math.fsum(cond())
        case "linear":
            return rel - beta * math.fsum(red()) + gamma * math.fsum(cond())
        case "icap":
            return rel - math.fsum(max(0.0, r - c) for r, c in zip(red(), cond(), strict=True))
        case "cmim":
            return min([rel, *(terms.left(i, j) for j in chosen)])
        case "jmim":
            return min(terms.together(i, j) for j in chosen)
        case "disr":
            return math.fsum(terms.ratio(i, j) for j in chosen)
        case "cmi":
            return terms.info((i,), (Y,), tuple(sorted(chosen)))
    raise ValueError(method)


def best_of(scores):
    """The lowest index among those within TIE of the best. ``scores``: index -> score."""
    best = max(scores.values())
    return min(i for i, s in scores.items() if s >= best - TIE * max(1.0, abs(best)))


def worst_of(scores):
    """The highest index among those within TIE of the least, so that the lowest index survives."""
    least = min(scores.values())
    return max(i for i, s in scores.items() if s <= least + TIE * max(1.0, abs(least)))


def constants(terms):
    """Features of one level: they carry nothing, score 0 and come after all others, lowest number first."""
    return [i for i in range(terms.size) if abs(terms.entropy((i,))) < 1e-12]


def forward(X, y, method, k, weights=None, beta=1.0, gamma=1.0, estimator="plugin", include=(), exclude=(), terms=None):
    """(indices, scores) of the k features chosen one at a time; ``include`` enters first, in its order."""
    terms = terms or Terms(X, y, weights, estimator)
    constant = constants(terms)
    chosen, gained = [], []
    while len(chosen) < k:
        open_ = [i for i in range(terms.size) if i not in chosen and i not in exclude]
        forced = len(chosen) < len(include)
        if not forced and all(i in constant for i in open_):
            chosen.append(open_[0])
            gained.append(0.0)
            continue
        open_ = open_ if forced else [i for i in open_ if i not in constant]
        scores = {i: score(terms, method, i, chosen, beta, gamma) for i in open_}
        pick = include[len(chosen)] if len(chosen) < len(include) else best_of(scores)
        chosen.append(pick)
        gained.append(scores[pick])
    return chosen, gained


def backward(X, y, method, k, weights=None, beta=1.0, gamma=1.0, estimator="plugin", terms=None):
    """(indices, scores) of the k features that survive, the last survivor first.

    The contribution of i is its score beside the others still there. The score of a survivor is its
    contribution when it in turn would be removed; that of the last one is I(X_i;Y).
    """
    terms = terms or Terms(X, y, weights, estimator)
    constant = constants(terms)
    there = [i for i in range(terms.size) if i not in constant]
    removed = [(i, 0.0) for i in sorted(constant, reverse=True)]
    while there:
        scores = {i: score(terms, method, i, [j for j in there if j != i], beta, gamma) for i in there}
        out = worst_of(scores)
        removed.append((out, scores[out]))
        there.remove(out)
    survivors = removed[::-1][:k]
    return [i for i, _ in survivors], [s for _, s in survivors]


# -- Pearson's test ---------------------------------------------------------------------------------------


def square_test(a, y, given=None, weights=None):
    """(X², mean, variance, p) of A and Y within the strata of B, whose margins are held.

    Strata add up: X² = Σ (cell − expected)² / expected, the mean n (r − 1)(c − 1) / (n − 1) and Dawson's variance. p is
    of the gamma law up to twice the mean, beyond of the inverse Gaussian.
    """
    from scipy.stats import gamma, invgauss

    b = [()] * len(a) if given is None else given
    squares, means, variances = [], [], []
    for stratum in count(b, weights):
        rows = [r for r, value in enumerate(b) if value == stratum]
        w = None if weights is None else [weights[r] for r in rows]
        own_a, own_y = [a[r] for r in rows], [y[r] for r in rows]
        cells, na, ny = count(joint(own_a, own_y), w), count(own_a, w), count(own_y, w)
        n = math.fsum(na.values())
        if len(na) == 1 or len(ny) == 1:
            continue
        expected = {(i, j): na[i] * ny[j] / n for i in na for j in ny}
        squares.append(math.fsum((cells.get(cell, 0) - e) ** 2 / e for cell, e in expected.items()))
        means.append(n * (len(na) - 1) * (len(ny) - 1) / (n - 1))
        if n > 2:
            (v, ww), (v2, ww2) = (
                (
                    (n - len(m)) * (len(m) - 1) / (n - 1),
                    (n * math.fsum(1 / c for c in m.values()) - len(m) ** 2) / (n - 2),
                )
                for m in (na, ny)
            )
            first = 2 * n / (n - 3) * (v - ww) * (v2 - ww2) if n > 3 else 0.0
            variances.append(first + n * n / (n - 1) * ww * ww2)
    square, mean, variance = math.fsum(squares), math.fsum(means), math.fsum(variances)
    if variance < 1e-9:
        p = 1.0
    elif variance <= 2 * mean:
        p = gamma.sf(square, mean**2 / variance, scale=variance / mean)
    else:
        p = invgauss.sf(square, variance / mean**2, scale=mean**3 / variance)
    return square, mean, variance, float(p)
