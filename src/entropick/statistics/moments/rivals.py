"""Rivals: halves of the rows, to choose pooling and marginals by what they select.

How far class covariances should be pooled, and whether features should be mapped to normal scores, cannot be
read off the covariances: a class covariance may differ for its tails alone. So each rival selects on one half
of the rows and its features are judged on the other half by how well two plain classifiers on them tell the
classes: linear (least squares, one against all) and quadratic (a Gaussian discriminant, class covariances
drawn a quarter towards the pooled one). The halves alternate within each class; both directions are used. The
two halves merge into the statistics of all rows, so the contest costs no second pass.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solve_triangular

from .centred_rows import CentredRows
from .form import remember
from .moments import Moments
from .normal_scores import exact_scores

Floats = NDArray[np.float64]

JUDGED = 20_000  # rows of a half that are judged at most
RIDGE = 1e-3  # of a feature's variance, on the diagonal of every judge
POOLED = 0.25  # how far the quadratic judge draws class covariances towards the pooled one


class Rivals:
    """The memories of two halves of the rows, for each kind of marginal.

    Parameters
    ----------
    X (n, D), codes (n,), n_classes, values (n, q) or None (continuous targets), weights (n,) or None.
    marginals : any of ``"raw"``, ``"copula"``.
    in_rows : the form of the memories; k : how many features are wanted, None where that is open.
    """

    def __init__(
        self,
        X: NDArray[Any],
        codes: NDArray[Any],
        n_classes: int,
        values: NDArray[Any] | None,
        weights: NDArray[Any] | None,
        marginals: tuple[str, ...],
        in_rows: bool,
        k: int | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.marginals = marginals
        self.k = k
        self.n_features = X.shape[1]
        self.n_targets = 0 if values is None else values.shape[1]
        self._X, self._codes, self._values = X, codes, values
        self._weights = np.ones(len(X)) if weights is None else np.asarray(weights, dtype=np.float64)
        self.half = halves(codes)
        self._memories: dict[str, list[Moments | CentredRows]] = {}
        for name in marginals:
            Z = X if name == "raw" else exact_scores(X, weights, n_jobs)
            self._memories[name] = [
                remember(Z, codes, n_classes, values, weights, in_rows, np.flatnonzero(self.half == h), n_jobs)
                for h in (0, 1)
            ]

    def part(self, marginal: str, h: int) -> Moments | CentredRows:
        """The memory of half h."""
        return self._memories[marginal][h]

    def whole(self, marginal: str) -> Moments | CentredRows:
        """The memory of all rows; the halves are spent."""
        parts = self._memories[marginal]
        if len(parts) == 2:
            self._memories[marginal] = parts = [parts[0].merge(parts[1])]  # type: ignore[arg-type]
        return parts[0]

    def release(self) -> None:
        """Let everything go that the memory of the winner does not need."""
        self._memories.clear()
        self._X = self._X[:0]

    def judge(self, columns: NDArray[np.intp], h: int) -> Floats:
        """(2, rows) marks on the other half of what half h teaches: linear judge, then quadratic.

        A mark is 1 for a class told rightly; for continuous targets, of which the judges are the same, it is 1
        less the squared error over the variance.
        """
        learn, test = np.flatnonzero(self.half == h), self._tested(h)
        A, B = (np.asarray(self._X[np.ix_(r, columns)], dtype=np.float64) for r in (learn, test))
        w, centre = self._weights[learn], np.average(A, axis=0, weights=self._weights[learn])
        scale = np.sqrt(np.average((A - centre) ** 2, axis=0, weights=w))
        scale[scale == 0] = 1.0
        A, B = (A - centre) / scale, (B - centre) / scale
        if self._values is not None:
            truth, mean = self._values[test], np.average(self._values[learn], axis=0, weights=w)
            variance = np.average((self._values[learn] - mean) ** 2, axis=0, weights=w)
            marks = (1 - (truth - _least_squares(A, self._values[learn], w, B)) ** 2 / variance).mean(axis=1)
            return np.array([marks, marks])
        classes = np.unique(self._codes[learn])
        one_hot = (self._codes[learn][:, None] == classes).astype(np.float64)
        told = [_least_squares(A, one_hot, w, B), _discriminant(A, self._codes[learn], classes, w, B)]
        return np.array([classes[np.argmax(t, axis=1)] == self._codes[test] for t in told], dtype=np.float64)

    def weights(self) -> Floats:
        """Weights of the rows as `judge` marks them, first those that half 0 teaches about."""
        return np.concatenate([self._weights[self._tested(h)] for h in (0, 1)])

    def _tested(self, h: int) -> NDArray[np.intp]:
        return np.flatnonzero(self.half != h)[:JUDGED]


def halves(codes: NDArray[Any]) -> NDArray[np.intp]:
    """(n,) 0 or 1, alternating within each class in the order of the rows."""
    half = np.empty(len(codes), dtype=np.intp)
    order = np.argsort(codes, kind="stable")
    starts = np.searchsorted(codes[order], codes[order])
    half[order] = (np.arange(len(codes)) - starts) % 2
    return half


def _least_squares(A: Floats, Y: Floats, w: Floats, B: Floats) -> Floats:
    """Predictions for B of the ridge regression of Y on A."""
    mean = np.average(Y, axis=0, weights=w)
    gram = (A.T * w) @ A / w.sum() + RIDGE * np.eye(A.shape[1])
    return mean + B @ np.linalg.solve(gram, (A.T * w) @ (Y - mean) / w.sum())


def _discriminant(A: Floats, y: NDArray[Any], classes: NDArray[Any], w: Floats, B: Floats) -> Floats:
    """(rows, classes) log posterior but for a constant, under one Gaussian a class."""
    k = A.shape[1]
    priors, means, covariances = [], [], []
    for c in classes:
        part, wc = A[y == c], w[y == c]
        mean = wc @ part / wc.sum()
        priors.append(wc.sum() / w.sum())
        means.append(mean)
        covariances.append(((part - mean).T * wc) @ (part - mean) / wc.sum())
    pooled = sum(p * s for p, s in zip(priors, covariances, strict=True))
    logs = np.empty((len(B), len(classes)))
    for c, (p, mean, sigma) in enumerate(zip(priors, means, covariances, strict=True)):
        lower = np.linalg.cholesky(POOLED * pooled + (1 - POOLED) * sigma + RIDGE * np.eye(k))
        z = (B - mean) @ solve_triangular(lower, np.eye(k), lower=True).T
        logs[:, c] = np.log(p) - np.log(lower.diagonal()).sum() - 0.5 * (z**2).sum(axis=1)
    return logs
