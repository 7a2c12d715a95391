"""Lasso: the penalty is lowered until k features have a weight.

regression      min ‖y − Xw‖² / 2n + λ ρ Σ|w| + λ (1 − ρ) / 2 Σ w²
classification  min −mean log softmax(XW + b)[y] + λ ρ Σ|W| + λ (1 − ρ) / 2 Σ W²;  of two classes with
                loss="squares" that of the regression, y = ±1
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import InvalidParameter
from ...statistics.rows import RowStatistics
from ..measure import Scores
from .ordering import Ordering, Weighing
from .softmax import Softmax

FALL = 0.93  # λ from one point of the path to the next
LEAST = 1e-3  # the path ends at this share of the λ that lets the first feature in
POINTS = 100  # of the path of the elastic net


class Lasso(Weighing):
    """λ at which a feature enters the path: the lower bound of penalties that leave it out (Tibshirani 1996).

    Columns are standardised. Regression follows the exact path (LARS; Efron et al. 2004), chosen are the features
    with a weight at the first knot that has k of them. Classification, and l1_ratio ρ < 1 (elastic net; Zou &
    Hastie 2005), go down a grid of λ. Features that never enter follow by what is left of their correlation with
    the residual. Sees redundancy, as a copy of a feature in the model has nothing to explain; linear only.
    """

    def __init__(self, statistics: RowStatistics, *, l1_ratio: float = 1.0, loss: str = "auto", **how: Any) -> None:
        super().__init__(statistics, **how)
        self.l1_ratio = float(l1_ratio)
        self._target = statistics.target
        if loss == "squares" and statistics.target is None:
            if statistics.n_classes != 2:
                raise InvalidParameter(
                    f"loss: 'squares' is for numbers and two classes, got {statistics.n_classes} classes; take 'auto'"
                )
            self._target = 2.0 * statistics.codes.astype(np.float64) - 1.0

    def order(self, k: int, allowed: NDArray[np.bool_]) -> Ordering:
        columns = np.flatnonzero(allowed)
        X = self.statistics.standardised[:, columns]
        if self._target is None:
            lambdas, path, left = self._classes(X, k)
        else:
            lambdas, path, left = self._numbers(X, self._target, k)
        sizes = (path > 0).sum(axis=1)
        enough = np.flatnonzero(sizes >= k)
        last = int(enough[0]) if enough.size else len(path) - 1
        entered = (path > 0).any(axis=0)
        entry = np.where(entered, lambdas[np.argmax(path > 0, axis=0)], np.minimum(left, lambdas[-1]))
        order = np.lexsort((np.arange(columns.size), -path[last], -entry, ~entered, path[last] <= 0))
        self._details = {"lambda": float(lambdas[last]), "features_in_model": int(sizes[last])}
        return Ordering(columns[order], entry[order])

    def _classes(self, X: Scores, k: int) -> tuple[Scores, Scores, Scores]:
        """λ, size of each feature's weights at each, and the largest gradient of each at the end."""
        own = self.statistics
        loss = Softmax(X, own.codes, own.n_classes, own.weights)
        fit = loss.zero
        top = float(np.abs(fit.gradient).max()) / self.l1_ratio
        if top <= 1e-12:
            return np.zeros(1), np.zeros((1, X.shape[1])), np.zeros(X.shape[1])
        lambdas, sizes = [top], [np.zeros(X.shape[1])]
        while lambdas[-1] > LEAST * top and np.count_nonzero(sizes[-1]) < k:
            lam = lambdas[-1] * FALL
            fit = loss.fit(lam * self.l1_ratio, lam * (1.0 - self.l1_ratio), fit, tol=1e-3)
            lambdas.append(lam)
            sizes.append(np.abs(fit.weights).sum(axis=1))
        return np.array(lambdas), np.array(sizes), np.abs(fit.gradient).max(axis=1) / self.l1_ratio

    def _numbers(self, X: Scores, target: Scores, k: int) -> tuple[Scores, Scores, Scores]:
        from sklearn.exceptions import ConvergenceWarning
        from sklearn.linear_model import enet_path, lars_path

        v = np.ones(len(X)) if self.statistics.weights is None else self.statistics.weights
        root = np.sqrt(v * len(X) / v.sum())
        y = (target - np.average(target, weights=v)) / np.sqrt(np.cov(target, aweights=v, ddof=0))
        A, r = X * root[:, None], y * root
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # the path may end early where columns repeat
            if self.l1_ratio == 1.0:
                steps = k + 8
                while True:
                    lambdas, _, coefficients = lars_path(A, r, method="lasso", max_iter=steps)
                    most = (coefficients != 0).sum(axis=0).max()
                    if most >= k or len(lambdas) <= steps or steps > 8 * (k + 8):
                        break
                    steps *= 2
            else:
                top = float(np.abs(A.T @ r).max()) / len(A) / self.l1_ratio
                grid = top * np.geomspace(1.0, LEAST, POINTS)
                lambdas, coefficients, _ = enet_path(A, r, l1_ratio=self.l1_ratio, alphas=grid)
        left = np.abs(A.T @ (r - A @ coefficients[:, -1])) / len(A) / self.l1_ratio
        # a weight is seen one knot after its feature entered
        entered = np.concatenate([lambdas[:1], lambdas[:-1]]) if self.l1_ratio == 1.0 else lambdas
        return np.asarray(entered), np.abs(coefficients).T, left
