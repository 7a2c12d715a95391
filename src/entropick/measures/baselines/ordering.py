"""Measures that order the candidates all at once: models with weights, paths, neighbours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from ...errors import InvalidInput
from ...statistics.rows import RowStatistics
from ..measure import Account, Scores

MOST_ROWS = 10**7  # that weights may make of the rows


@dataclass(frozen=True)
class Ordering:
    """Candidates, best first, with their scores; ``decided`` is how many the method itself would keep, if it says."""

    candidates: NDArray[np.intp]
    scores: Scores
    decided: int | None = None


@runtime_checkable
class Orders(Protocol):
    """What the search ``given`` asks."""

    n_candidates: int
    units: str

    def order(self, k: int, allowed: NDArray[np.bool_]) -> Ordering:
        """At least k of the allowed candidates, best first; the others are as if they were not there."""
        ...


class Weighing:
    """A model of the allowed columns that weighs each once; subclasses say how in ``weigh``."""

    units: ClassVar[str] = ""

    def __init__(
        self, statistics: RowStatistics, random: np.random.Generator | None = None, n_jobs: int | None = None
    ) -> None:
        self.statistics = statistics
        self.n_candidates = statistics.n_features
        self._random, self._n_jobs = random, n_jobs
        self._details: dict[str, Any] = {}

    def weigh(self, columns: NDArray[np.intp]) -> Scores:
        """(columns.size,) what each of these columns is worth."""
        return np.zeros(columns.size)

    def decided(self, weights: Scores) -> int | None:
        """How many the method itself would keep; None where it does not say."""
        return None

    def order(self, k: int, allowed: NDArray[np.bool_]) -> Ordering:
        columns = np.flatnonzero(allowed)
        weights = self.weigh(columns)
        best = np.argsort(-weights, kind="stable")
        return Ordering(columns[best], weights[best], self.decided(weights))

    def account(self, candidate: int) -> Account:
        return Account()

    def details(self) -> dict[str, Any]:
        """What only this method reports."""
        return self._details


class OwnRule:
    """Evidence of a method that says itself how many features it keeps; `given` then asks the ordering."""

    own = True  # the measure decides, not this

    def __init__(self, rule: str) -> None:
        self.rule = rule

    def significant(self, allowed: NDArray[np.bool_]) -> NDArray[np.bool_]:
        return allowed

    def p_value(self, candidate: int) -> float:
        return float("nan")

    def add(self, candidate: int) -> None:
        """Nothing to keep."""


def whole_rows(statistics: RowStatistics) -> NDArray[np.intp]:
    """Row numbers, each as often as its weight says, for methods that cannot weigh rows."""
    if statistics.weights is None:
        return np.arange(statistics.n_rows)
    whole = np.rint(statistics.weights)
    if np.any(np.abs(whole - statistics.weights) > 1e-9):
        raise InvalidInput("sample_weight: this method repeats rows, so weights must be whole numbers")
    if whole.sum() > MOST_ROWS:
        raise InvalidInput(
            f"sample_weight: this method repeats rows, so weights must add up to at most {MOST_ROWS},"
            f" got {whole.sum():g}"
        )
    return np.repeat(np.arange(statistics.n_rows), whole.astype(np.intp))


class SparseWeighing(Weighing):
    """A model that gives most columns no weight: ``k="auto"`` takes those that have one."""

    def own_rule(self) -> OwnRule:
        return OwnRule("all other features have weight zero")

    def decided(self, weights: Scores) -> int:
        return int(np.count_nonzero(weights > 0))
