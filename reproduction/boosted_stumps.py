"""AdaBoost of decision stumps, one class against the rest, on binned features: fast enough for 50 000 images.

Freund & Schapire's discrete AdaBoost: round t takes the stump h_t of largest edge e = Σ_i w_i s_i h_t(x_i) (s_i = ±1),
with the vote α_t = ½ log((1 + e)/(1 − e)), and w_i ← w_i exp(−α_t s_i h_t(x_i)). Σ_t α_t h_t estimates half the log
odds of a class, so the class of the largest sum is the answer. scikit-learn's sorts every column again in every round,
and for several classes has stumps that name one class each, which is another and much weaker method.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

BINS = 256
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Stump:
    """vote × (+1 where the level of the feature is above the cut, else −1)."""

    feature: int
    cut: int
    vote: float


class BoostedStumps:
    """``fit``, ``predict`` and ``score`` as scikit-learn's; columns are cut at quantiles into at most 256 levels."""

    def __init__(self, rounds: int = 100) -> None:
        self.rounds = rounds

    def fit(self, X: NDArray[Any], y: NDArray[Any]) -> BoostedStumps:
        shares = np.linspace(0, 1, BINS + 1)[1:-1]
        self.edges_ = [np.unique(np.quantile(column, shares, method="lower")) for column in X.T]
        self.classes_ = np.unique(y)
        levels = self._levels(X)
        several = self.classes_.size > 2
        self.stumps_ = [
            _boost(levels, np.where(y == c, 1.0, -1.0), self.rounds)
            for c in (self.classes_ if several else self.classes_[1:])
        ]
        return self

    def decision(self, X: NDArray[Any]) -> Floats:
        """(rows, machines): the sum of votes for each class, of two classes for the second alone."""
        levels = self._levels(X)
        out = np.zeros((len(X), len(self.stumps_)))
        for c, stumps in enumerate(self.stumps_):
            for stump in stumps:
                out[:, c] += np.where(levels[stump.feature] > stump.cut, stump.vote, -stump.vote)
        return out

    def predict(self, X: NDArray[Any]) -> NDArray[Any]:
        votes = self.decision(X)
        out: NDArray[Any] = self.classes_[votes.argmax(axis=1) if votes.shape[1] > 1 else (votes[:, 0] > 0).astype(int)]
        return out

    def score(self, X: NDArray[Any], y: NDArray[Any]) -> float:
        """The share of rows that are told rightly."""
        return float(np.mean(self.predict(X) == y))

    def _levels(self, X: NDArray[Any]) -> list[NDArray[np.intp]]:
        """A value equal to an edge lies below it."""
        return [np.searchsorted(edges, column, side="left") for edges, column in zip(self.edges_, X.T, strict=True)]


def _boost(levels: list[NDArray[np.intp]], signs: Floats, rounds: int) -> list[Stump]:
    weights = np.full(signs.size, 1.0 / signs.size)
    stumps: list[Stump] = []
    for _ in range(rounds):
        pull = weights * signs
        below = np.cumsum([np.bincount(column, pull, minlength=BINS) for column in levels], axis=1)
        edges = pull.sum() - 2.0 * below
        best = np.argmax(np.round(np.abs(edges), 12))  # the first of equals, whatever their last bits
        feature, cut = (int(at) for at in np.unravel_index(best, edges.shape))
        edge = float(np.clip(edges[feature, cut], -1.0 + 1e-10, 1.0 - 1e-10))
        vote = 0.5 * np.log((1.0 + edge) / (1.0 - edge))
        stumps.append(Stump(feature, cut, float(vote)))
        if abs(edge) < 1e-12 or abs(edge) > 1.0 - 1e-9:  # nothing to gain, or nothing left to mend
            break
        weights *= np.exp(-signs * np.where(levels[feature] > cut, vote, -vote))
        weights /= weights.sum()
    return stumps
