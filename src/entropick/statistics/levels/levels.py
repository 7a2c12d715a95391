"""What is remembered of coded columns: the codes themselves, packed, and every table they can be asked for.

Pairwise criteria need the joint table of any feature with any other and the class. D² tables would be too many
to keep, so the codes are kept instead, at ⌈log₂ levels⌉ bits an entry, and the tables of one feature with all the
others are counted when they are asked for (`LevelStatistics.pairs`). Counts are integers and entropies are sums
of integers (`kernels.entropy`), so any split into blocks and any order of merging gives the same bits.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...errors import InvalidInput, InvalidParameter
from .adjusted import ORDINARY
from .adjusted_rows import CodedRows, adjust
from .questions import Front, JointEntropies, Question
from .side_by_side import Variable
from .storage import Columns, Segment, aligned, pack_rows, places_for, threads_for
from .tables import Sums, Tables

Floats = NDArray[np.float64]
Codes = NDArray[Any] | Columns


class LevelStatistics(CodedRows):
    """Coded columns, packed, with their joint entropies on demand.

    Parameters
    ----------
    levels : (n_features,) number of levels of each feature, at most 65 536; codes are 0 … levels − 1.
    n_classes : number of classes of the target; its codes are 0 … n_classes − 1.
    estimator : ``"plugin"``; ``"miller-madow"``, which adds (cells − 1) / 2n to every entropy; or ``"auto"``, which
        takes chance off where columns have many levels (`adjusted`).
    n_jobs : threads, as in scikit-learn.
    """

    def __init__(
        self,
        levels: ArrayLike,
        n_classes: int,
        *,
        estimator: str = "plugin",
        n_jobs: int | None = None,
    ) -> None:
        self.levels = np.asarray(levels, dtype=np.int64)
        self.n_classes = int(n_classes)
        self.estimator = estimator
        self.n_jobs = n_jobs
        if self.levels.ndim != 1 or self.levels.size == 0 or self.levels.min() < 1 or self.levels.max() > 65536:
            raise InvalidParameter("levels: needs one number from 1 to 65536 for each feature")
        self._segments: list[Segment] = []
        self._weighted = False
        self._ready: Tables | None = None

    # -- remembering -----------------------------------------------------------------------------------

    def update(self, codes: Codes, classes: ArrayLike, weights: ArrayLike | None = None) -> LevelStatistics:
        """Remember rows.

        ``codes`` is (n_features, n) integers, or a function (start, stop) -> (n, stop − start) that gives the
        codes of a range of columns row by row, so that they need never exist all at once. ``weights`` are
        frequencies: weight 2 is the row twice, weight 0 not at all.
        """
        own_classes = np.ascontiguousarray(classes, dtype=np.int32)
        rows = np.argsort(own_classes, kind="stable")  # kept by class, so that a class is a range of rows
        own_weights = None
        if weights is not None:
            own_weights = np.ascontiguousarray(weights, dtype=np.float64)
            rows = rows[own_weights[rows] > 0]
            own_weights = own_weights[rows]
        columns = codes if callable(codes) else _column_reader(np.asarray(codes))
        places = places_for(self.levels, own_weights is not None)
        threads = threads_for(rows.size * self.levels.size, self.n_jobs)
        blocks = pack_rows(self.levels, columns, rows, places, threads)
        self._weighted = self._weighted or own_weights is not None
        self._segments.append(Segment(blocks, own_classes[rows], own_weights))
        self._ready = None
        return self

    def merge(self, other: LevelStatistics) -> LevelStatistics:
        """Remember what another has seen; levels and classes must be the same."""
        if not np.array_equal(self.levels, other.levels) or self.n_classes != other.n_classes:
            raise InvalidInput("other: statistics of other levels or classes cannot be merged; code both alike")
        self._segments.extend(Segment(list(s.blocks), s.classes, s.weights) for s in other._segments)
        self._weighted = self._weighted or other._weighted
        self._ready = None
        return self

    def merged(self, other: LevelStatistics) -> LevelStatistics:
        """What both have seen; both stay as they are, and rows are shared, not copied."""
        both = LevelStatistics(self.levels, self.n_classes, estimator=self.estimator, n_jobs=self.n_jobs)
        return both.merge(self).merge(other)

    # -- keeping ---------------------------------------------------------------------------------------

    # -- asking ----------------------------------------------------------------------------------------

    @property
    def segments(self) -> tuple[Segment, ...]:
        """The rows as they came in."""
        return tuple(self._segments)

    @property
    def tables(self) -> Tables:
        """Everything in one piece, ready to be asked; made once, on the first question."""
        if self._ready is None:
            if not self._segments:
                raise InvalidInput("statistics: no rows yet; call update first")
            if len(self._segments) > 1:
                self._segments = [self._joined()]
            self._ready = Tables(self.levels, self.n_classes, self._segments[0], self.n_jobs)
        return self._ready

    def _joined(self) -> Segment:
        """All segments as one; where any is weighted, all become so. The segments are used up on the way.

        Their rows are by class already, so a class of a segment moves as a whole, and a block of a segment is let go
        as soon as it has moved: never are there two copies of everything.
        """
        segments, self._segments = self._segments, []
        if self._weighted:
            segments = [segment if segment.weights is not None else self._with_weights(segment) for segment in segments]
        places = places_for(self.levels, self._weighted)
        sizes = np.array([np.bincount(s.classes, minlength=self.n_classes) for s in segments])
        starts = np.concatenate([[0], np.cumsum(sizes.sum(axis=0))[:-1]]) + np.cumsum(sizes, axis=0) - sizes
        runs = [  # of every segment: where the rows of each class are, and where they go
            [
                (slice(int(own), int(own + size)), slice(int(to), int(to + size)))
                for own, to, size in zip(np.cumsum(of) - of, into, of, strict=True)
                if size
            ]
            for of, into in zip(sizes, starts, strict=True)
        ]
        n_rows = int(sizes.sum())
        blocks = []
        for number, place in enumerate(places):
            shape = segments[0].blocks[number].shape
            if place.wide:
                block: NDArray[Any] = np.empty((shape[0], n_rows), np.uint16)
            else:
                block = aligned((n_rows + 1, *shape[1:]), np.uint32)
            rows_of = block.T if place.wide else block
            for segment, moves in zip(segments, runs, strict=True):
                part = segment.blocks[number].T if place.wide else segment.blocks[number]
                for own, to in moves:
                    rows_of[to] = part[own]
                segment.blocks[number] = np.empty(0)
            blocks.append(block)
        weights = None
        if self._weighted:
            weights = np.empty(n_rows)
            for segment, moves in zip(segments, runs, strict=True):
                assert segment.weights is not None
                for own, to in moves:
                    weights[to] = segment.weights[own]
        return Segment(blocks, np.repeat(np.arange(self.n_classes, dtype=np.int32), sizes.sum(axis=0)), weights)

    def _with_weights(self, segment: Segment) -> Segment:
        tables = Tables(self.levels, self.n_classes, segment)
        blocks = []
        for place in places_for(self.levels, weighted=True):
            blocks.append(np.stack([tables.codes(int(j)) for j in place.features]).astype(np.uint16))
        return Segment(blocks, segment.classes, np.ones(segment.classes.size))

    @property
    def total(self) -> float:
        """Rows, or the sum of their weights."""
        return self.tables.total / self.tables.unit

    @property
    def target_entropy(self) -> float:
        """H(Y), nats."""
        tables = self.tables
        out: float = tables.fixed.entropy(tables.class_phi, tables.n_seen_classes, self.estimator)
        return out

    @property
    def class_counts(self) -> Floats:
        """(n_classes,) rows of each class."""
        tables = self.tables
        weights = None if tables.weights.size == 0 else tables.weights / tables.unit
        return np.bincount(tables.classes, weights, minlength=self.n_classes).astype(np.float64)

    def codes(self, feature: int) -> NDArray[np.int32]:
        """(n_rows,) the codes of one feature, in the order in which rows are kept: by class."""
        return self.tables.codes(feature)

    @property
    def n_rows(self) -> int:
        """Rows kept; `total` counts their weight."""
        return int(self.tables.classes.size)

    def fronts(self, worth: Floats) -> list[Front]:
        """The features in portions that are counted together, those worth most first where storage allows."""
        if not self._plain:  # cells are not counted in portions
            return [Front(np.arange(self.n_features), self.pairs)]
        return [Front(features, partial(self._front_entropies, count)) for features, count in self.tables.fronts(worth)]

    def _front_entropies(self, count: Callable[[Variable], Sums], feature: int) -> JointEntropies:
        fixed = self.tables.fixed
        return JointEntropies(*(fixed.entropy(sums, 0, "plugin") for sums in count(self.tables.variable(feature))))

    @property
    def counting_order(self) -> NDArray[np.intp]:
        """(n_features,) features in the order in which they are kept: neighbours are counted together."""
        return np.concatenate([place.features for place in self.tables.places])

    def class_table(self, feature: int) -> Floats:
        """(levels, n_classes) rows of each level and class of one feature; levels without rows are left out."""
        tables, n_classes = self.tables, self.n_classes
        weights = tables.weights / tables.unit if tables.weights.size else None
        codes = self.codes(feature)
        seen = np.bincount(codes, minlength=int(self.levels[feature])) > 0
        cells = (np.cumsum(seen) - 1)[codes] * n_classes + tables.classes
        table = np.bincount(cells, weights, minlength=int(seen.sum()) * n_classes)
        return table.reshape(-1, n_classes).astype(np.float64)

    def variable(self, codes: NDArray[np.int32], n_levels: int) -> tuple[float, float, int]:
        """H(V), H(V, Y) in nats and the number of occupied cells of (V, Y), for any variable given by codes."""
        tables = self.tables
        weights = tables.weights if tables.weights.size else np.int64(1)
        alone = np.zeros(n_levels, np.int64)
        np.add.at(alone, codes, weights)
        cells, inverse = np.unique(codes.astype(np.int64) * self.n_classes + tables.classes, return_inverse=True)
        joint = np.zeros(cells.size, np.int64)
        np.add.at(joint, inverse, weights)

        def entropy(counts: NDArray[np.int64]) -> float:
            occupied = int(np.count_nonzero(counts))
            return float(tables.fixed.entropy(tables.fixed.sum(counts), occupied, self.estimator))

        return entropy(alone), entropy(joint), int(cells.size)

    def singles(self, detail: bool = False) -> JointEntropies:
        """H(X_j) and H(X_j, Y) for every feature: those with a variable of one level."""
        return self.pairs_with(np.zeros(self.tables.classes.size, np.int32), 1, detail=detail)

    def pairs(
        self, feature: int, candidates: ArrayLike | None = None, *, by_class: bool = True, detail: bool = False
    ) -> JointEntropies:
        """H(X_i, X_j) and H(X_i, X_j, Y) of one feature with the candidates (all, if None)."""
        return self._entropies(self.tables.variable(feature), candidates, None, by_class, detail)

    def _answer(self, asked: Question) -> JointEntropies:
        variable = Variable(asked.n_levels, lambda: asked.codes)
        return self._entropies(variable, asked.candidates, asked.target_rows, asked.by_class, asked.detail)

    def _entropies(
        self,
        variable: Variable,
        candidates: ArrayLike | None,
        target_rows: NDArray[np.intp] | None,
        by_class: bool,
        detail: bool,
    ) -> JointEntropies:
        tables = self.tables
        plain = candidates is None and target_rows is None and not detail and self._plain
        if plain and (sums := tables.sums(variable, by_class, self.n_jobs)) is not None:
            joint = tables.fixed.entropy(sums[0], 0, "plugin")
            with_class = tables.fixed.entropy(sums[1], 0, "plugin") if by_class else np.full(joint.size, np.nan)
            return JointEntropies(joint, with_class)
        wanted = None
        if candidates is not None:
            wanted = np.zeros(self.n_features, bool)
            wanted[np.asarray(candidates, dtype=np.intp)] = True
        corrected = self.estimator == "miller-madow"
        terms = tables.terms(variable, wanted, target_rows, by_class, detail or corrected, self.n_jobs)
        feature = tables.fixed.entropy(terms.joint, terms.cells, self.estimator)
        if by_class:
            feature_class = tables.fixed.entropy(terms.joint_class, terms.cells_class, self.estimator)
        else:
            feature_class = np.full(self.n_features, np.nan)
        if self.adjusts and target_rows is None:
            adjust(self, variable, wanted, feature, feature_class if by_class else None)
        if wanted is not None:
            feature[~wanted] = np.nan
            feature_class[~wanted] = np.nan
        if not detail:
            return JointEntropies(feature, feature_class)
        return JointEntropies(feature, feature_class, terms.law)

    # -- columns of many levels ------------------------------------------------------------------------

    @property
    def adjusts(self) -> bool:
        """Whether chance is taken off some tables."""
        return self.estimator == "auto" and self._many

    @cached_property
    def _many(self) -> bool:
        """Whether there are columns of many levels."""
        return bool((self.levels > ORDINARY).any())

    @property
    def _plain(self) -> bool:
        """Whether entropies are those of relative frequencies, all of them."""
        return self.estimator == "plugin" or (self.estimator == "auto" and not self._many)


def _column_reader(codes: NDArray[Any]) -> Callable[[int, int], NDArray[Any]]:
    return lambda start, stop: codes[start:stop].T
