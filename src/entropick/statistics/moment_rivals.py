"""Rivals: halves of the rows, to choose pooling and marginals by what they select.

How far class covariances should be pooled, and whether features should be mapped to normal scores, cannot be
read off the covariances: a class covariance may differ for its tails alone. So each rival selects on one half
of the rows and its features are judged on the other half by how well a Gaussian discriminant on them, with
one covariance or one a class, tells the classes. The halves alternate within each class; both directions are
used; no row judges a selection it took part in. The two halves merge into the statistics of all rows, so the
contest costs no second pass.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solve_triangular

from .moment_form import remember
from .moment_rows import CentredRows
from .moments import Moments
from .normal_scores import exact_scores

Floats = NDArray[np.float64]

JUDGED = 20_000  # rows of a half that are judged at most
RIDGE = 1e-3  # of a feature's variance, on every discriminant's diagonal


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
        X: NDArray,
        codes: NDArray,
        n_classes: int,
        values: NDArray | None,
        weights: NDArray | None,
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
                remember(Z, codes, n_classes, values, weights, in_rows, np.flatnonzero(self.half == h))
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

    def judge_both(self, columns: NDArray[np.intp]) -> tuple[Floats, Floats]:
        """Marks and weights of all rows, each by the discriminant of the half it is not in."""
        (a, wa), (b, wb) = self.judge(columns, 0), self.judge(columns, 1)
        return np.concatenate([a, b]), np.concatenate([wa, wb])

    def judge(self, columns: NDArray[np.intp], h: int) -> tuple[Floats, Floats]:
        """How well a discriminant learnt on half h does on the other: (rows,) marks and weights.

        A mark is 1 for a class told rightly, by one covariance or by one a class, whichever tells more
        rows; for continuous targets it is 1 less the squared error over the variance.
        """
        learn = np.flatnonzero(self.half == h)
        test = np.flatnonzero(self.half != h)[:JUDGED]
        A, B = (np.asarray(self._X[np.ix_(r, columns)], dtype=np.float64) for r in (learn, test))
        w, centre = self._weights[learn], np.average(A, axis=0, weights=self._weights[learn])
        scale = np.sqrt(np.average((A - centre) ** 2, axis=0, weights=w))
        scale[scale == 0] = 1.0
        A, B = (A - centre) / scale, (B - centre) / scale
        if self._values is not None:
            return _linear_marks(A, self._values[learn], w, B, self._values[test]), self._weights[test]
        marks = _discriminant_marks(A, self._codes[learn], w, B, self._codes[test])
        totals = [float(m @ self._weights[test]) for m in marks]
        return marks[int(np.argmax(totals))], self._weights[test]


def halves(codes: NDArray) -> NDArray[np.intp]:
    """(n,) 0 or 1, alternating within each class in the order of the rows."""
    half = np.empty(len(codes), dtype=np.intp)
    order = np.argsort(codes, kind="stable")
    starts = np.searchsorted(codes[order], codes[order])
    half[order] = (np.arange(len(codes)) - starts) % 2
    return half


def _linear_marks(A: Floats, YA: Floats, w: Floats, B: Floats, YB: Floats) -> Floats:
    mean = np.average(YA, axis=0, weights=w)
    variance = np.average((YA - mean) ** 2, axis=0, weights=w)
    gram = (A.T * w) @ A / w.sum() + RIDGE * np.eye(A.shape[1])
    slopes = np.linalg.solve(gram, (A.T * w) @ (YA - mean) / w.sum())
    return (1 - (YB - mean - B @ slopes) ** 2 / variance).mean(axis=1)


def _discriminant_marks(A: Floats, yA: NDArray, w: Floats, B: Floats, yB: NDArray) -> list[Floats]:
    """Marks of one pooled covariance, and of class covariances drawn a quarter towards it."""
    k = A.shape[1]
    classes = np.unique(yA)
    priors, means, covariances = [], [], []
    for c in classes:
        part, wc = A[yA == c], w[yA == c]
        mean = wc @ part / wc.sum()
        priors.append(wc.sum() / w.sum())
        means.append(mean)
        covariances.append(((part - mean).T * wc) @ (part - mean) / wc.sum())
    pooled = sum(p * s for p, s in zip(priors, covariances, strict=True)) + RIDGE * np.eye(k)
    marks = []
    for share in (1.0, 0.25):
        logs = np.empty((len(classes), len(B)))
        for c, (p, mean, sigma) in enumerate(zip(priors, means, covariances, strict=True)):
            lower = np.linalg.cholesky(share * pooled + (1 - share) * (sigma + RIDGE * np.eye(k)))
            z = solve_triangular(lower, np.eye(k), lower=True) @ (B - mean).T
            logs[c] = np.log(p) - np.log(lower.diagonal()).sum() - 0.5 * (z**2).sum(0)
        marks.append((classes[np.argmax(logs, axis=0)] == yB).astype(np.float64))
    return marks
