"""MixedLevels: columns of many entries as packed rows, the others as entries; asked as one."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .levels import LevelStatistics
from .questions import Front, JointEntropies, Law, LevelRows, Question
from .sparse import SparseLevels

Floats = NDArray[np.float64]
Ask = Callable[[LevelRows, NDArray[np.intp] | None], JointEntropies]


def _of_the_first(name: str) -> Any:
    """What both parts would answer alike."""
    return property(lambda self: getattr(self._parts[0], name))


class MixedLevels(LevelRows):
    """sparse, packed: the statistics of the same rows; full (n_features,) which features are packed."""

    def __init__(self, sparse: SparseLevels, packed: LevelStatistics, full: NDArray[np.bool_]) -> None:
        self._parts: tuple[LevelRows, LevelRows] = (sparse, packed)
        self._features = (np.flatnonzero(~full), np.flatnonzero(full))
        self._part = full.astype(np.intp)
        self._place = np.empty(full.size, np.intp)
        self.levels = np.empty(full.size, np.int64)
        for part, features in zip(self._parts, self._features, strict=True):
            self._place[features] = np.arange(features.size)
            self.levels[features] = part.levels
        self.n_classes = sparse.n_classes

    @property
    def n_jobs(self) -> int | None:
        return self._parts[0].n_jobs

    @n_jobs.setter
    def n_jobs(self, n_jobs: int | None) -> None:
        self._set(n_jobs=n_jobs)

    @property
    def estimator(self) -> str:
        return self._parts[0].estimator

    @estimator.setter
    def estimator(self, estimator: str) -> None:
        self._set(estimator=estimator)

    def _set(self, **settings: Any) -> None:
        """Of a copy that is to be asked otherwise: its parts become copies, too."""
        sparse, packed = (copy.copy(part) for part in self._parts)
        for name, value in settings.items():
            setattr(sparse, name, value)
            setattr(packed, name, value)
        self._parts = (sparse, packed)

    total = _of_the_first("total")
    n_rows = _of_the_first("n_rows")
    target_entropy = _of_the_first("target_entropy")
    class_counts = _of_the_first("class_counts")

    @property
    def counting_order(self) -> NDArray[np.intp]:
        return np.concatenate([self._features[0], self._features[1][self._parts[1].counting_order]])

    def fronts(self, worth: Floats) -> list[Front]:
        return [Front(np.arange(self.n_features), self.pairs)]

    def class_table(self, feature: int) -> Floats:
        return self._own(feature).class_table(int(self._place[feature]))

    def codes(self, feature: int) -> NDArray[np.int32]:
        return self._own(feature).codes(int(self._place[feature]))

    def variable(self, codes: NDArray[np.int32], n_levels: int) -> tuple[float, float, int]:
        return self._parts[0].variable(codes, n_levels)

    def _own(self, feature: int) -> LevelRows:
        return self._parts[self._part[feature]]

    # -- asking both -----------------------------------------------------------------------------------

    def singles(self, detail: bool = False) -> JointEntropies:
        return self._both(lambda part, _: part.singles(detail), None, detail)

    def pairs(
        self, feature: int, candidates: ArrayLike | None = None, *, by_class: bool = True, detail: bool = False
    ) -> JointEntropies:
        own, place, n_levels = self._own(feature), int(self._place[feature]), int(self.levels[feature])

        def ask(part: LevelRows, some: NDArray[np.intp] | None) -> JointEntropies:
            if part is own:
                return part.pairs(place, some, by_class=by_class, detail=detail)
            return part.pairs_with(own.codes(place), n_levels, some, by_class=by_class, detail=detail)

        return self._both(ask, candidates, detail)

    def _answer(self, asked: Question) -> JointEntropies:
        return self._both(
            lambda part, some: part._answer(replace(asked, candidates=some)), asked.candidates, asked.detail
        )

    def _both(self, ask: Ask, candidates: ArrayLike | None, detail: bool) -> JointEntropies:
        """The answers of both parts in the places of their features."""
        n = self.n_features
        one, both = np.full((2, n), np.nan)
        law = Law.empty(n)
        for number, (part, features) in enumerate(zip(self._parts, self._features, strict=True)):
            some = None
            if candidates is not None:
                wanted = np.unique(np.asarray(candidates, dtype=np.intp))
                some = self._place[wanted[self._part[wanted] == number]]
                if not some.size:
                    continue
            found = ask(part, some)
            one[features], both[features] = found.feature, found.feature_class
            if found.law is not None:
                law.put(features, found.law)
        return JointEntropies(one, both, law if detail else None)
