"""The fill: what orders the candidates once every one of them reaches the bound, or the set itself has.

``pooled`` goes on with ½ log σ*²_{j|S} − ½ log σ_W²_{j|S}, one covariance for all classes; ``random`` is the paper's;
``criterion`` goes on with the criterion, where that still tells candidates apart (gc.e).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .base import TIE
from .conditional import Conditional

Floats = NDArray[np.float64]


class Fill(ABC):
    """An order of the candidates after saturation."""

    name: str
    pooled = False  # whether the covariance within all classes is all that it needs

    def room(self, n_candidates: int) -> Floats | None:
        """(D,) where the next step may write the pooled gains on its way over the columns."""
        return None

    @abstractmethod
    def gains(self, given: Conditional) -> Floats | None:
        """(D,) gains in nats, the caller's to change; None where the criterion goes on."""


class PooledFill(Fill):
    """½ log σ*²_{j|S} − ½ log σ_W²_{j|S}."""

    name = "pooled"
    pooled = True

    def __init__(self, random_state: Any = None) -> None:
        self._made: Floats | None = None

    def room(self, n_candidates: int) -> Floats | None:
        self._made = np.empty(n_candidates)
        return self._made

    def gains(self, given: Conditional) -> Floats:
        made, self._made = self._made, None
        return given.pooled_gains() if made is None else made


class RandomFill(Fill):
    """An order drawn once, worth less than anyone would call information."""

    name = "random"

    def __init__(self, random_state: Any = None) -> None:
        self.random_state = random_state
        self._order: Floats | None = None

    def gains(self, given: Conditional) -> Floats:
        if self._order is None:
            from sklearn.utils import check_random_state

            n = given.view.n_features
            self._order = (1.0 + check_random_state(self.random_state).permutation(n)) / n * 1e3 * TIE
        return self._order.copy()


class CriterionFill(Fill):
    """The criterion itself."""

    name = "criterion"

    def __init__(self, random_state: Any = None) -> None:
        pass

    def gains(self, given: Conditional) -> None:
        return None


FILLS: dict[str, type[PooledFill] | type[RandomFill] | type[CriterionFill]] = {
    fill.name: fill for fill in (PooledFill, RandomFill, CriterionFill)
}
