"""Wrappers: features that a learner of scikit-learn keeps."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import InvalidInput
from ...statistics.rows import RowStatistics
from ..measure import Scores
from .ordering import Ordering, Weighing

LIGHTEST = 1e-100  # of a row whose loss is squared: below, and above its inverse, the solver goes on for ever


class RFE(Weighing):
    """Recursive feature elimination by a linear support vector machine (Guyon et al. 2002).

    Fit, drop the share ``step`` of the features with the least Σ_c w_jc², fit again, down to one. The score is the
    share of the rounds that a feature outlived; those dropped together are ordered by w². C is the machine's.
    Columns are standardised. Sees redundancy as far as weights do; linear only.
    """

    def __init__(self, statistics: RowStatistics, *, step: float = 0.1, C: float = 1.0, **how: Any) -> None:
        super().__init__(statistics, **how)
        self.step, self.C = float(step), float(C)
        heaviest = self.C * (1.0 if statistics.weights is None else float(statistics.weights.max()))
        if not LIGHTEST <= heaviest <= 1 / LIGHTEST:
            raise InvalidInput(
                f"sample_weight: times C, the largest must be from {LIGHTEST:g} to {1 / LIGHTEST:g} for a support"
                f" vector machine, got {heaviest:g}; rescale all weights, or C"
            )

    def order(self, k: int, allowed: NDArray[np.bool_]) -> Ordering:
        left = np.flatnonzero(allowed)
        gone: list[NDArray[np.intp]] = []
        while left.size > 1:
            squares = self._squares(left)
            ranked = np.argsort(-squares, kind="stable")
            keep = left.size - max(1, int(self.step * left.size))
            gone.append(left[ranked[keep:]])
            left = left[np.sort(ranked[:keep])]
        gone.append(left)
        self._details = {"fits": len(gone) - 1}
        scores = [np.full(part.size, (r + 1) / len(gone)) for r, part in enumerate(gone)]
        return Ordering(np.concatenate(gone[::-1]), np.concatenate(scores[::-1]))

    def _squares(self, columns: NDArray[np.intp]) -> Scores:
        from sklearn.svm import LinearSVC, LinearSVR

        own = self.statistics
        machine: Any
        if own.target is None:
            machine = LinearSVC(C=self.C, dual="auto")
        else:
            machine = LinearSVR(C=self.C, dual="auto", loss="squared_epsilon_insensitive")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an order is wanted, not the last digit, and classes may be small
            machine.set_params(random_state=0)
            target = own.codes if own.target is None else own.target
            machine.fit(own.standardised[:, columns], target, sample_weight=own.weights)
        out: Scores = (np.atleast_2d(machine.coef_) ** 2).sum(axis=0)
        return out


class Stumps(Weighing):
    """Features that boosted stumps split on (AdaBoost; Freund & Schapire 1997, as Viola & Jones 2001 select).

    The score is a feature's importance in the ensemble of ``rounds`` stumps; when that has fewer than k features,
    another is grown on the columns left, and its importances count from −1, −2, … Sees any dependence that one
    threshold at a time can show.
    """

    def __init__(self, statistics: RowStatistics, *, rounds: int = 100, **how: Any) -> None:
        super().__init__(statistics, **how)
        self.rounds = int(rounds)
        self._seed = int((self._random or np.random.default_rng(0)).integers(2**31))

    def order(self, k: int, allowed: NDArray[np.bool_]) -> Ordering:
        left = np.flatnonzero(allowed)
        order: list[int] = []
        scores: list[float] = []
        ensembles = 0
        while left.size:
            importance = self._importance(left)
            used = np.flatnonzero(importance > 0)
            if not used.size or len(order) >= k:
                used = np.arange(left.size)  # nothing more to split on: as the table has them
            best = used[np.argsort(-importance[used], kind="stable")]
            order.extend(left[best].tolist())
            scores.extend((importance[best] - ensembles).tolist())
            left = np.delete(left, used)
            ensembles += 1
        self._details = {"ensembles": ensembles}
        return Ordering(np.array(order, dtype=np.intp), np.array(scores))

    def _importance(self, columns: NDArray[np.intp]) -> Scores:
        from sklearn.ensemble import AdaBoostClassifier, AdaBoostRegressor
        from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

        own = self.statistics
        X = own.standardised[:, columns]
        if not X.any():
            return np.zeros(columns.size)
        model: Any
        if own.target is None:
            model = AdaBoostClassifier(DecisionTreeClassifier(max_depth=1), n_estimators=self.rounds)
        else:
            model = AdaBoostRegressor(DecisionTreeRegressor(max_depth=1), n_estimators=self.rounds)
        model.set_params(random_state=self._seed)
        with warnings.catch_warnings(), np.errstate(invalid="ignore"):
            warnings.simplefilter("ignore")  # classes of a row or two, and ensembles of stumps that all guess
            model.fit(X, own.codes if own.target is None else own.target, sample_weight=own.weights)
            out: Scores = np.nan_to_num(model.feature_importances_)
            return out
