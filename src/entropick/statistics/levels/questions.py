"""What may be asked of coded columns, whoever holds them.

Levels      joint entropies of pairs of features and the class: counts are enough
LevelRows   those of any variable given row by row: the coded rows are needed
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Law:
    """Pearson's X² of each feature with the class, (n_features,), and its mean and variance by chance.

    Sums over the levels of a variable, whose margins are held.
    """

    square: Floats
    mean: Floats
    variance: Floats

    @classmethod
    def empty(cls, n: int) -> Law:
        return cls(*np.zeros((3, n)))

    def put(self, where: slice | NDArray[np.intp], part: Law) -> None:
        """The law of some features."""
        self.square[where], self.mean[where], self.variance[where] = part.square, part.mean, part.variance


@dataclass(frozen=True)
class JointEntropies:
    """Entropies of one variable with each feature, (n_features,), nats; NaN where not asked for.

    ``feature[j]`` is H(V, X_j) and ``feature_class[j]`` H(V, X_j, Y) for the variable V. ``law`` is of X_j and Y within
    the levels of V; None without detail.
    """

    feature: Floats
    feature_class: Floats
    law: Law | None = None


@dataclass(frozen=True)
class Front:
    """Some features, and their joint entropies with one feature at a time: ``pairs(i)`` has them in this order."""

    features: NDArray[np.intp]
    pairs: Callable[[int], JointEntropies]


@dataclass(frozen=True)
class Question:
    """What `LevelRows.pairs_with` is asked."""

    codes: NDArray[np.int32]
    n_levels: int
    candidates: ArrayLike | None
    target_rows: NDArray[np.intp] | None
    by_class: bool
    detail: bool


class Levels(ABC):
    """Joint entropies of features and class, on demand.

    Attributes
    ----------
    levels : (n_features,) number of levels of each; n_classes : those of the target.
    estimator : ``"plugin"``, ``"miller-madow"`` or ``"auto"``; n_jobs : threads.
    """

    levels: NDArray[np.int64]
    n_classes: int
    estimator: str
    n_jobs: int | None

    @property
    def n_features(self) -> int:
        return int(self.levels.size)

    @property
    @abstractmethod
    def total(self) -> float:
        """Rows, or the sum of their weights."""

    @property
    @abstractmethod
    def target_entropy(self) -> float:
        """H(Y), nats."""

    @property
    @abstractmethod
    def class_counts(self) -> Floats:
        """(n_classes,) rows of each class."""

    @property
    @abstractmethod
    def counting_order(self) -> NDArray[np.intp]:
        """(n_features,) an order in which it is cheap to ask about all features."""

    @abstractmethod
    def fronts(self, worth: Floats) -> list[Front]:
        """All features in portions that are counted together, those of most ``worth`` first where storage allows."""

    @abstractmethod
    def class_table(self, feature: int) -> Floats:
        """(levels, n_classes) rows of each level and class; levels without rows are left out."""

    @abstractmethod
    def singles(self, detail: bool = False) -> JointEntropies:
        """H(X_j) and H(X_j, Y) for every feature."""

    @abstractmethod
    def pairs(
        self, feature: int, candidates: ArrayLike | None = None, *, by_class: bool = True, detail: bool = False
    ) -> JointEntropies:
        """H(X_i, X_j) and H(X_i, X_j, Y) of one feature with the candidates (all, if None)."""


class LevelRows(Levels):
    """Coded rows in one piece: any variable may be counted with the features."""

    @property
    @abstractmethod
    def n_rows(self) -> int:
        """Rows, whatever they weigh."""

    @abstractmethod
    def codes(self, feature: int) -> NDArray[np.int32]:
        """(n_rows,) the codes of one feature, in the order in which rows are kept."""

    @abstractmethod
    def variable(self, codes: NDArray[np.int32], n_levels: int) -> tuple[float, float, int]:
        """H(V), H(V, Y) in nats and the number of occupied cells of (V, Y), for any variable given by codes."""

    def pairs_with(
        self,
        codes: NDArray[np.int32],
        n_levels: int,
        candidates: ArrayLike | None = None,
        *,
        target_rows: NDArray[np.intp] | None = None,
        by_class: bool = True,
        detail: bool = False,
    ) -> JointEntropies:
        """As `pairs`, for any variable given by its code in each row.

        ``target_rows`` says whose target and weight each row gets, for permutation tests. Without ``by_class``
        classes are not told apart, which is cheaper; ``feature_class`` is then NaN.
        """
        return self._answer(Question(codes, n_levels, candidates, target_rows, by_class, detail))

    @abstractmethod
    def _answer(self, asked: Question) -> JointEntropies: ...
