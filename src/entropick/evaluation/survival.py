"""A time until an event: Cox's model as what judges features, and Harrell's C as the score.

    C = share of comparable pairs of which the one with the higher risk had its event first   (Harrell et al. 1982)

A pair is comparable where the earlier of its two times is an event; a tie of the risks counts one half. 1 is the right
order, ½ chance. What is told of a row is a structured array of (event, time), as scikit-survival has it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from ..coding import Target
from ..coding.binning import even_edges, quantile_edges
from ..coding.survival import events_and_times, survival_target
from ..coding.target import HUNDREDTHS
from ..errors import InvalidInput

Floats = NDArray[np.float64]
OUTCOME = np.dtype([("event", bool), ("time", float)])
BINS = 5  # of the residuals, where they are counted
STEPS, CLOSE = 50, 1e-9  # of Newton's method
CELLS = 1 << 22  # pairs looked at together


@dataclass(frozen=True)
class Censored(Target):
    """A target of events and times: residuals, cut into bins as a number is; ``outcome`` (n,) is what was given."""

    outcome: NDArray[Any] = None  # type: ignore[assignment]


def censored(y: NDArray[Any], task: str) -> Censored:
    """Of events and times as `entropick.select` takes them."""
    coded = survival_target(y, task, None)
    event, time = events_and_times(y)
    outcome = np.empty(len(event), OUTCOME)
    outcome["event"], outcome["time"] = event, time
    assert coded.values is not None
    edges = even_edges(quantile_edges(coded.values, HUNDREDTHS, None), BINS)
    codes = np.searchsorted(edges, coded.values, side="left").astype(np.int32)
    return Censored(codes, edges, len(edges) + 1, "survival", coded.values, coded.note, outcome)


def residuals(y: NDArray[Any], weights: Floats | None) -> Floats:
    """(n,) what methods that know no censored times are told: the time itself where all events were seen."""
    found = survival_target(y, "survival", weights).values
    assert found is not None
    return found


class CoxModel(BaseEstimator):
    """Cox's proportional hazards with a ridge: max Σ_events (ηᵢ − log Σ_{t ≥ tᵢ} exp η) − ½ α |β|², η = Xβ.

    Ties by Breslow. ``predict`` gives η: the higher, the sooner the event. By Newton's method with halved steps.

    Attributes
    ----------
    coef_
        (n_features,) β.
    """

    def __init__(self, alpha: float = 1.0) -> None:
        self.alpha = alpha

    def fit(self, X: Floats, y: NDArray[Any], sample_weight: Floats | None = None) -> CoxModel:
        """From rows (n, d), and their events and times."""
        event, time = events_and_times(np.asarray(y))
        if not event.any():
            raise InvalidInput("y: Cox's model needs at least one event, got none")
        weights = np.ones(len(time)) if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
        order = np.argsort(-time, kind="stable")
        problem = _Partial(
            np.asarray(X, dtype=np.float64)[order], event[order], time[order], weights[order], self.alpha
        )
        beta = np.zeros(problem.X.shape[1])
        value, gradient, hessian = problem.at(beta)
        for _ in range(STEPS):
            step = np.linalg.solve(hessian, gradient)
            gain, size = gradient @ step, 1.0
            if gain < CLOSE * (1.0 + abs(value)):  # so near that a whole step is the right one
                beta = beta + step
                break
            while (new := problem.at(beta + size * step))[0] < value and size > 1e-6:
                size /= 2
            beta, (value, gradient, hessian) = beta + size * step, new
        self.coef_ = beta
        return self

    def predict(self, X: Floats) -> Floats:
        """(n,) the log of the hazard, up to a constant."""
        risk: Floats = np.asarray(X, dtype=np.float64) @ self.coef_
        return risk


@dataclass(frozen=True, eq=False)
class _Partial:
    """The penalised partial likelihood of rows by falling time."""

    X: Floats
    event: NDArray[np.bool_]
    time: Floats
    weights: Floats
    alpha: float

    def at(self, beta: Floats) -> tuple[float, Floats, Floats]:
        """(value, gradient, −Hessian); sums over rows at risk are running sums up to the last row of equal time."""
        X, weights = self.X, self.weights
        eta = X @ beta
        top = eta.max(initial=0.0)
        risk = weights * np.exp(eta - top)
        last = np.searchsorted(-self.time, -self.time[self.event], side="right") - 1
        counted = weights[self.event]
        total = np.cumsum(risk)[last]
        means = np.cumsum(risk[:, None] * X, axis=0)[last] / total[:, None]
        value = counted @ (eta[self.event] - top - np.log(total)) - 0.5 * self.alpha * beta @ beta
        gradient = counted @ (X[self.event] - means) - self.alpha * beta
        # Σ_events Σ_at risk risk x xᵀ / total: each row counts in the events that are not before it
        share = np.bincount(last, counted / total, len(eta))
        own = risk * np.cumsum(share[::-1])[::-1]
        hessian = X.T @ (own[:, None] * X) - means.T @ (counted[:, None] * means)
        return float(value), gradient, hessian + self.alpha * np.eye(len(beta))


def concordance(y: NDArray[Any], risk: Floats, sample_weight: Floats | None = None) -> float:
    """Harrell's C; NaN where no pair is comparable. A pair of rows counts the product of their weights.

    >>> outcome = np.array([(True, 1.0), (False, 2.0), (True, 3.0)], OUTCOME)
    >>> concordance(outcome, np.array([3.0, 1.0, 2.0]))
    1.0
    """
    event, time = events_and_times(y)
    weights = np.ones(len(time)) if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
    pairs = right = 0.0
    seen = np.flatnonzero(event)
    each = max(1, CELLS // max(1, len(time)))
    for start in range(0, len(seen), each):
        i = seen[start : start + each, None]
        later = (time > time[i]) | ((time == time[i]) & ~event)
        held = later * weights * weights[i]
        pairs += held.sum()
        right += (held * ((risk < risk[i]) + 0.5 * (risk == risk[i]))).sum()
    return float(right / pairs) if pairs > 0 else float("nan")


class Concordance:
    """Harrell's C as a scorer."""

    _sign, _score_func = 1, staticmethod(concordance)

    def __call__(self, estimator: Any, X: Floats, y: NDArray[Any], sample_weight: Floats | None = None) -> float:
        return concordance(y, np.asarray(estimator.predict(X), dtype=np.float64), sample_weight)


class Chance(BaseEstimator):
    """The same risk for every row."""

    def predict(self, X: Floats) -> Floats:
        return np.zeros(len(X))
