"""The questions about levels, answered from counts.

Whoever can count a variable with every feature, as integers, can answer them: rows that lie in parts on disk or on
other machines (`level_parts`), or tables that were saved without any rows (`pair_counts`). Entropies are taken from
the sums of the counts, with the same fixed point as in memory, so they are the same to the last bit.
"""

from __future__ import annotations

import copy
from abc import abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...errors import InvalidParameter
from ...kernels.counts import terms_of_counts
from ...threads import parallel, thread_count
from .adjusted import ORDINARY, Adjustment, Cells
from .fixed_point import FixedPoint
from .questions import Front, JointEntropies, Law, Levels
from .tables import Terms

Floats = NDArray[np.float64]
COUNT_BYTES = 64 << 20  # of counts that are asked for at a time
MOST_BYTES = 1 << 30  # of the counts of one pair of features
TOGETHER = 1 << 14  # features whose counts are turned into terms by one thread


@dataclass(frozen=True)
class Layout:
    """Where the counts of a variable with some features lie in one array; see `kernels.counts`.

    ``features`` (m,); the cells of feature k start at ``at[k]``, each (n_classes, n_levels, levels[k]).
    """

    features: NDArray[np.intp]
    levels: NDArray[np.int64]
    n_levels: int
    n_classes: int

    @cached_property
    def ends(self) -> NDArray[np.int64]:
        return np.cumsum(self.levels * (self.n_levels * self.n_classes))

    @cached_property
    def at(self) -> NDArray[np.int64]:
        return np.concatenate([[0], self.ends[:-1]]).astype(np.int64)

    @property
    def size(self) -> int:
        return int(self.ends[-1])

    @property
    def where(self) -> slice | NDArray[np.intp]:
        """The features, as a slice where they lie side by side."""
        first, last = int(self.features[0]), int(self.features[-1])
        return slice(first, last + 1) if last - first == self.features.size - 1 else self.features

    def table(self, counts: NDArray[np.int64], k: int) -> NDArray[np.int64]:
        """(n_classes, n_levels, levels[k]) the counts of feature k."""
        return counts[self.at[k] : self.ends[k]].reshape(self.n_classes, self.n_levels, -1)


Count = Callable[[Layout, bool], NDArray[np.int64]]  # of a variable with the features of a layout, by class or not


class CountedLevels(Levels):
    """Joint entropies on demand, from counts. Whoever has the counts says how in `_count`."""

    single_bytes = COUNT_BYTES  # of the counts of single features at a time

    def __init__(
        self,
        levels: ArrayLike,
        n_classes: int,
        n_rows: int,
        unit: float = 1.0,
        *,
        estimator: str = "plugin",
        n_jobs: int | None = None,
    ) -> None:
        self.levels = np.asarray(levels, dtype=np.int64)
        self.n_classes = n_classes
        self.n_rows = n_rows
        self.unit = unit
        self.estimator = estimator
        self.n_jobs = n_jobs

    @abstractmethod
    def _count(self, feature: int | None, layout: Layout, by_class: bool) -> NDArray[np.int64]:
        """(layout.size,) counts of one feature (of a variable with a single level, if None) with others."""

    # -- asking ----------------------------------------------------------------------------------------

    @cached_property
    def _class_counts(self) -> NDArray[np.int64]:
        own = self._layout(np.zeros(1, np.intp), 1, True)
        out: NDArray[np.int64] = own.table(self._count(None, own, True), 0).sum(axis=(1, 2))
        return out

    @cached_property
    def _fixed(self) -> FixedPoint:
        return FixedPoint(int(self._class_counts.sum()), self.unit, self.n_rows, every=False)

    @property
    def total(self) -> float:
        """Rows, or the sum of their weights."""
        return self._fixed.total / self.unit

    @property
    def target_entropy(self) -> float:
        """H(Y), nats."""
        counts = self._class_counts
        return float(self._fixed.entropy(self._fixed.sum(counts), np.count_nonzero(counts), self.estimator))

    @property
    def class_counts(self) -> Floats:
        """(n_classes,) rows of each class."""
        return self._class_counts / self.unit

    @property
    def counting_order(self) -> NDArray[np.intp]:
        return np.arange(self.n_features)

    def fronts(self, worth: Floats) -> list[Front]:
        """All features at once: what costs is going through the parts, not the number of features."""
        return [Front(np.arange(self.n_features), self.pairs)]

    def class_table(self, feature: int) -> Floats:
        """(levels, n_classes) rows of each level and class; levels without rows are left out."""
        own = self._layout(np.array([feature]), 1, True)
        table = own.table(self._count(None, own, True), 0)[:, 0].T
        out: Floats = table[table.sum(axis=1) > 0] / self.unit
        return out

    def singles(self, detail: bool = False) -> JointEntropies:
        """H(X_j) and H(X_j, Y) for every feature."""
        return self._entropies(partial(self._count, None), 1, None, True, detail)

    def pairs(
        self, feature: int, candidates: ArrayLike | None = None, *, by_class: bool = True, detail: bool = False
    ) -> JointEntropies:
        """H(X_i, X_j) and H(X_i, X_j, Y) of one feature with the candidates (all, if None)."""
        own = int(feature)
        return self._entropies(partial(self._count, own), int(self.levels[own]), candidates, by_class, detail, own)

    def _entropies(
        self,
        count: Count,
        n_levels: int,
        candidates: ArrayLike | None,
        by_class: bool,
        detail: bool,
        feature: int | None = None,
        *,
        shuffled: bool = False,
    ) -> JointEntropies:
        """From the counts of a variable of so many levels (a ``feature``), a batch of features at a time."""
        n = self.n_features
        wanted = np.arange(n) if candidates is None else np.unique(np.asarray(candidates, dtype=np.intp))
        corrected = self.estimator == "miller-madow"
        one, both = np.full((2, n), np.nan)
        law = Law.empty(n) if detail else None
        for layout in self._batches(wanted, n_levels, by_class, feature):
            terms = self._terms(layout, count(layout, by_class), by_class, detail or corrected)
            at = layout.where
            one[at] = self._fixed.entropy(terms.joint, terms.cells, self.estimator)
            if by_class:
                both[at] = self._fixed.entropy(terms.joint_class, terms.cells_class, self.estimator)
            if law is not None:
                law.put(at, terms.law)
        if not shuffled and self.estimator == "auto" and (self.levels > ORDINARY).any():
            self._adjust(count, n_levels, feature, wanted, one, both if by_class else None)
        return JointEntropies(one, both, law)

    def _terms(self, layout: Layout, counts: NDArray[np.int64], by_class: bool, detail: bool) -> Terms:
        n = layout.features.size
        terms = Terms(n)

        def add(first: int) -> None:
            some = slice(first, first + TOGETHER)
            terms_of_counts(
                counts, layout.at[some], layout.levels[some], layout.n_levels, layout.n_classes, self.unit,
                self._fixed.phi, self._fixed.bits, by_class, detail, *(own[some] for own in terms.arrays()),
            )  # fmt: skip

        parallel(add, range(0, n, TOGETHER), thread_count(self.n_jobs))
        return terms

    def _adjust(
        self,
        count: Count,
        n_levels: int,
        feature: int | None,
        wanted: NDArray[np.intp],
        one: Floats,
        both: Floats | None,
    ) -> None:
        """Take chance off the entropies of a variable with features, in place: see `adjusted`."""
        if feature is None and n_levels == 1:
            if both is not None:
                both[wanted] = self._adjustment.entropy_class[wanted]
            return
        some = wanted[self._adjustment.many(1 if feature is None else n_levels)[wanted]]
        self._adjustment.together(feature, n_levels, one, both, some, self._cells(count, n_levels, some, feature))

    @cached_property
    def _adjustment(self) -> Adjustment:
        plain = copy.copy(self)
        plain.estimator = "plugin"
        many = np.flatnonzero(self.levels > ORDINARY)
        cells = self._cells(partial(self._count, None), 1, many)
        return Adjustment(self.levels, self.class_counts, self.target_entropy, plain.singles(), cells)

    def _cells(
        self, count: Count, n_levels: int, others: NDArray[np.intp], feature: int | None = None
    ) -> Iterator[Cells]:
        """Of each of the others: how many rows every cell of it and a variable has."""
        for layout in self._batches(others, n_levels, False, feature):
            yield Cells.of(layout.features, count(layout, False), layout.ends, self.unit)

    def _layout(self, features: NDArray[np.intp], n_levels: int, by_class: bool) -> Layout:
        return Layout(features, self.levels[features], n_levels, self.n_classes if by_class else 1)

    def _batches(
        self, wanted: NDArray[np.intp], n_levels: int, by_class: bool, feature: int | None = None
    ) -> Iterator[Layout]:
        """The features in runs whose counts take little memory."""
        for start, stop in pairwise(self._starts(wanted, n_levels, by_class, feature)):
            yield self._layout(wanted[start:stop], n_levels, by_class)

    def _starts(self, wanted: NDArray[np.intp], n_levels: int, by_class: bool, feature: int | None) -> list[int]:
        """Where each run begins, and the end."""
        if not wanted.size:
            return []
        cells = self.levels[wanted]
        each = n_levels * (self.n_classes if by_class else 1)
        largest = int(np.argmax(cells))
        needed = 8 * int(cells[largest]) * each
        ends = np.cumsum(cells, out=cells)
        ends *= each
        room = COUNT_BYTES if n_levels > 1 else min(COUNT_BYTES, self.single_bytes)
        if ends[-1] * 8 <= room:
            return [0, wanted.size]
        if needed > MOST_BYTES:
            raise InvalidParameter(
                f"X: columns number {feature} and {wanted[largest]} have so many levels ({n_levels} and"
                f" {self.levels[wanted[largest]]}) that counts of both take {needed} bytes; exclude one, or raise"
                " memory so that the coded rows fit"
            )
        full = np.arange(room, ends[-1] * 8, room) // 8
        return [*np.unique([0, *np.searchsorted(ends, full, side="right")]).tolist(), wanted.size]
