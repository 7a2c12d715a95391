"""The joint measure as its formula reads: whole matrices, determinants of every set, nothing remembered."""

from __future__ import annotations

from itertools import chain, pairwise

import numpy as np
from scipy.stats import chi2


def lifted(x, w=None, raw=False):
    """(n, m) whole numbers and their degrees: polynomials of mid-ranks; indicators where values are at most eight."""
    w = np.ones(len(x)) if w is None else np.asarray(w, float)
    gone = np.isnan(x)
    values = np.unique(x[~gone])
    weight = np.array([w[x == v].sum() for v in values])
    columns, degrees = [], []
    if len(values) > 8:
        rank = {v: (weight[:i].sum() + weight[i] / 2) / weight.sum() for i, v in enumerate(values)}
        t = np.array([2 * rank[v] - 1 for v in values])
        share = weight / weight.sum()
        basis = [np.ones(len(t))]
        functions = [(1, t), (2, (3 * t**2 - 1) / 2), (3, (5 * t**3 - 3 * t) / 2)] + [(1, values)] * raw
        for degree, p in functions:
            for b in basis:
                p = p - b * (share @ (b * p)) / (share @ (b * b))
            basis.append(p)
            whole = np.rint(127 * p / np.abs(p).max())
            columns.append(np.array([0 if np.isnan(v) else whole[np.searchsorted(values, v)] for v in x]))
            degrees.append(degree)
    elif len(values) > 1:
        most = values[np.argmax(weight)]
        rare = [v for v, c in zip(values, weight, strict=True) if c < 5 and v != most]
        told = [[v] for v in values if v != most and v not in rare]
        if rare and (w[np.isin(x, rare)].sum() >= 5 or not told):
            told.append(rare)
        told.sort()
        for level in told:
            columns.append(np.isin(x, level) * 127.0)
            degrees.append(1)
    if w[gone].sum() >= 5 and len(values):
        columns.append(gone * 127.0)
        degrees.append(1)
    return np.array(columns).reshape(len(columns), len(x)).T, np.array(degrees, float)


def leaky(gain):
    return gain if gain > 0 else 0.001 * gain


def covariance(A, B, w):
    a, b = A - np.average(A, 0, w), B - np.average(B, 0, w)
    return (a * w[:, None]).T @ b / w.sum()


class Joint:
    """All matrices of a table X (n, D), NaN where missing; y classes (integers) or numbers (floats)."""

    def __init__(self, X, y, w=None, groups=None, given=None, ridge=2.0):
        self.w = np.ones(len(X)) if w is None else np.asarray(w, float)
        n = self.n = self.w.sum()
        given = np.empty((len(X), 0)) if given is None else given
        number = y.dtype.kind == "f"
        parts = [lifted(x, w, number) for x in np.column_stack([X, given]).T]
        ends = np.cumsum([0] + [len(d) for _, d in parts])
        own = [list(range(a, b)) for a, b in pairwise(ends)]
        D = X.shape[1]
        groups = [[j] for j in range(D)] if groups is None else groups
        self.blocks = [list(chain(*(own[j] for j in group))) for group in groups]
        self.given = list(chain(*own[D:]))
        Z = np.concatenate([p for p, _ in parts], 1)
        degrees = np.concatenate([d for _, d in parts])
        self.classes = None if y.dtype.kind == "f" else np.unique(y, return_inverse=True)[1]
        E = (
            y.reshape(len(y), -1).astype(float)
            if self.classes is None
            else np.eye(self.classes.max() + 1)[self.classes]
        )
        T = covariance(Z, Z, self.w)
        scale = 1 / np.sqrt(np.diag(T))
        T = T * np.outer(scale, scale)
        C = covariance(E, Z, self.w) * scale
        S = covariance(E, E, self.w)
        self.q = np.linalg.matrix_rank(S, tol=1e-9 * np.trace(S))
        W = T - C.T @ np.linalg.pinv(S, rcond=1e-10) @ C
        penalty = ridge * degrees ** (2 if number else 1) * np.sqrt(np.log(max(len(groups), 3)) / n)
        penalty[self.given] = 1e-6
        self.T, self.W, self.penalty = T + np.diag(penalty), W + np.diag(penalty), penalty
        self.X, self.y, self.groups = X, y, groups

    def value(self, columns):
        at = np.ix_(columns, columns)
        return 0.5 * (np.linalg.slogdet(self.T[at])[1] - np.linalg.slogdet(self.W[at])[1]) if columns else 0.0

    def gain(self, j, chosen):
        """Of block j, given the chosen blocks and the covariates."""
        noise = self.left(j, chosen).sum() if self.classes is None else len(self.blocks[j])
        return self.plain(j, chosen) - noise * self.q / (2 * self.n)

    def plain(self, j, chosen):
        """The same, chance not taken off."""
        before = self.given + list(chain(*(self.blocks[s] for s in chosen)))
        return self.value(before + self.blocks[j]) - self.value(before)

    def left(self, j, chosen):
        """What the ridge leaves of each function of the block: v / (v + λ), v its variance given the set."""
        before = self.given + list(chain(*(self.blocks[s] for s in chosen)))
        own = self.blocks[j]
        schur = self.T[np.ix_(own, own)]
        if before:
            B = self.T[np.ix_(before, own)]
            schur = schur - B.T @ np.linalg.solve(self.T[np.ix_(before, before)], B)
        return 1 - self.penalty[own] / np.diag(schur)

    def p_value(self, j, chosen):
        """That noise gains so much: c χ²_f, c = Σh² / Σh, f = q (Σh)² / Σh²."""
        h = self.left(j, chosen)
        if not len(h):
            return 1.0
        scale = (h**2).sum() / h.sum()
        return chi2.sf(2 * self.n * self.plain(j, chosen) / scale, self.q * h.sum() / scale)

    def information(self, j):
        """By counts, of a single column, chance taken off."""
        x = self.X[:, j]
        gone = np.isnan(x)
        values = np.unique(x[~gone])
        weight = np.array([self.w[x == v].sum() for v in values])
        if len(values) > 8:
            middle = (np.cumsum(weight) - weight / 2) / weight.sum()
            level = {v: int(5 * m) for v, m in zip(values, middle, strict=True)}
        else:
            most = values[np.argmax(weight)]
            rare = [v for v, c in zip(values, weight, strict=True) if c < 5 and v != most]
            apart = [v for v in values if v not in rare and v != most]
            home = "rare" if rare and (self.w[np.isin(x, rare)].sum() >= 5 or not apart) else most
            level = {v: home if v in rare else v for v in values}
        codes = ["gone" if g else level[v] for v, g in zip(x, gone, strict=True)]
        table = {}
        for a, b, weight_ in zip(codes, self.classes, self.w, strict=True):
            table[a, b] = table.get((a, b), 0.0) + weight_
        rows, columns = {}, {}
        for (a, b), c in table.items():
            rows[a], columns[b] = rows.get(a, 0) + c, columns.get(b, 0) + c
        found = sum(c / self.n * np.log(c * self.n / rows[a] / columns[b]) for (a, b), c in table.items())
        return max(0.0, found - (len(rows) - 1) * (len(columns) - 1) / (2 * self.n))

    def calibration(self):
        """One factor a block, without covariates; of a group the mean of its columns', by what each says alone."""
        if self.classes is None:
            return np.ones(len(self.blocks))
        if any(len(group) > 1 for group in self.groups):
            single = Joint(self.X, self.y, self.w)
            noise = [len(b) * self.q / (2 * self.n) for b in single.blocks]
            alone = np.array([max(single.gain(j, []), 0) + noise[j] for j in range(len(noise))])
            return np.array([np.average(single.calibration()[g], weights=alone[g]) for g in self.groups])
        out = []
        for j, block in enumerate(self.blocks):
            chance = 10 * len(block) * self.q / (2 * self.n)
            alone = max(self.gain(j, []), 0)
            out.append(np.clip((self.information(j) + chance) / (alone + chance), 0.1, 10) if block else 1.0)
        return np.array(out)

    def select(self, k):
        """(chosen, scores)."""
        factor = self.calibration()
        worth = factor * np.array([leaky(self.gain(j, [])) for j in range(len(self.blocks))])
        chosen, scores, D = [], [], len(self.blocks)
        alone = [self.p_value(j, []) for j in range(D)]
        for _ in range(k):
            score = []
            for j in range(D):
                if j in chosen:
                    score.append(-np.inf)
                    continue
                believed = 1 / (1 + 20 * D * min(alone[j], self.p_value(j, chosen)))
                score.append(believed * factor[j] * leaky(self.gain(j, chosen)) + 0.05 * worth[j])
            best = int(np.argmax(np.array(score) > max(score) - 1e-12))
            chosen.append(best)
            scores.append(score[best])
        return chosen, scores
