"""What is remembered of coded columns: the codes themselves, packed, and every table they can be asked for.

Pairwise criteria need the joint table of any feature with any other and the class. D² tables would be too many
to keep, so the codes are kept instead, at ⌈log₂ levels⌉ bits an entry, and the tables of one feature with all the
others are counted when they are asked for (`LevelStatistics.pairs`). Counts are integers and entropies are sums
of integers (`kernels.entropy`), so any split into blocks and any order of merging gives the same bits.
"""

from __future__ import annotations

import json
import math
import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import InvalidInput, InvalidParameter
from ..kernels.entropy import fraction_bits, phi_of, phi_table
from ..kernels.groups import group_rows, level_sizes, tile_rows
from ..kernels.histogram import WIDTH, histogram_terms
from ..kernels.slices import LANES, MAX_SLICES, ROWS, pack, pair_terms, unpack
from ..threads import parallel, thread_count

Floats = NDArray[np.float64]
Codes = NDArray[Any] | Callable[[int, int], NDArray[Any]]
CHUNK = 512  # columns coded at a time on the way in
TASKS = 4  # a step is split into at least so many pieces, for any number of threads
CELLS = 4096  # cells (new, candidate) that a kernel holds at once, 2 KiB each


@dataclass(frozen=True)
class JointEntropies:
    """Entropies of one variable with each feature, (n_features,), nats; NaN where not asked for.

    ``feature[j]`` is H(V, X_j) and ``feature_class[j]`` H(V, X_j, Y) for the variable V. ``freedom`` and
    ``expected`` are the degrees of freedom and the chance expectation of 2n·I(X_j;Y|V); None without detail.
    """

    feature: Floats
    feature_class: Floats
    freedom: NDArray[np.int64] | None = None
    expected: Floats | None = None


@dataclass(frozen=True)
class _Place:
    """Where features are stored: ``features[k]`` is column k of the block. Wide blocks have no slices."""

    features: NDArray[np.intp]
    n_slices: int
    levels: int  # of the largest feature

    @property
    def wide(self) -> bool:
        return self.n_slices == 0

    @property
    def units(self) -> int:
        """Pieces of LANES candidates that the kernel works on."""
        return 1 if self.wide else -(-self.features.size // LANES)


@dataclass
class _Segment:
    """Rows that came in together. Sliced blocks end with the row of zeros that pads groups."""

    blocks: list[NDArray[Any]]
    classes: NDArray[np.int32]
    weights: Floats | None


def _places(levels: NDArray[np.int64], weighted: bool) -> list[_Place]:
    """Features by the number of slices they need, in blocks; all wide where rows are weighted."""
    bits = np.maximum(1, np.ceil(np.log2(np.maximum(levels, 2))).astype(int))
    places = []
    for n_slices in range(1, MAX_SLICES + 1):
        own = np.flatnonzero(bits == n_slices) if not weighted else np.empty(0, np.intp)
        # a row of one slice fills a cache line only with two pieces side by side
        size = 2 * LANES if n_slices == 1 else LANES
        for start in range(0, own.size, size):
            some = own[start : start + size]
            places.append(_Place(some, n_slices, max(2, int(levels[some].max()))))
    own = np.flatnonzero(bits > MAX_SLICES) if not weighted else np.arange(levels.size)
    own = own[np.argsort(levels[own], kind="stable")]  # features of like size share a histogram's width
    for start in range(0, own.size, WIDTH):
        some = own[start : start + WIDTH]
        places.append(_Place(some, 0, int(levels[some].max())))
    return places


def _aligned(shape: tuple[int, ...], dtype: Any) -> NDArray[Any]:
    """Zeros that start on a cache line."""
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    raw = np.zeros(size + 64, np.uint8)
    start = -raw.ctypes.data % 64
    return raw[start : start + size].view(dtype).reshape(shape)


class LevelStatistics:
    """Coded columns, packed, with their joint entropies on demand.

    Parameters
    ----------
    levels : (n_features,) number of levels of each feature, at most 65 536; codes are 0 … levels − 1.
    n_classes : number of classes of the target; its codes are 0 … n_classes − 1.
    estimator : ``"plugin"``, or ``"miller-madow"``, which adds (cells − 1) / 2n to every entropy.
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
        self._segments: list[_Segment] = []
        self._weighted = False
        self._ready: _Tables | None = None

    @property
    def n_features(self) -> int:
        return int(self.levels.size)

    # -- remembering -----------------------------------------------------------------------------------

    def update(self, codes: Codes, classes: ArrayLike, weights: ArrayLike | None = None) -> LevelStatistics:
        """Remember rows.

        ``codes`` is (n_features, n) integers, or a function (start, stop) -> (n, stop − start) that gives the
        codes of a range of columns row by row, so that they need never exist all at once. ``weights`` are
        frequencies: weight 2 is the row twice, weight 0 not at all.
        """
        own_classes = np.ascontiguousarray(classes, dtype=np.int32)
        rows = np.argsort(own_classes, kind="stable")  # a class is then a range of rows, which is kind to caches
        own_weights = None
        if weights is not None:
            own_weights = np.ascontiguousarray(weights, dtype=np.float64)
            rows = rows[own_weights[rows] > 0]
            own_weights = own_weights[rows]
        columns = codes if callable(codes) else _column_reader(np.asarray(codes))
        places = _places(self.levels, own_weights is not None)
        blocks = self._pack(columns, rows, places)
        self._weighted = self._weighted or own_weights is not None
        self._segments.append(_Segment(blocks, own_classes[rows], own_weights))
        self._ready = None
        return self

    def _pack(
        self, columns: Callable[[int, int], NDArray[Any]], rows: NDArray[np.intp], places: list[_Place]
    ) -> list[NDArray[Any]]:
        n = rows.size
        blocks: list[NDArray[Any]] = []
        for place in places:
            if place.wide:
                blocks.append(np.zeros((n, place.features.size), np.uint16))
            else:
                blocks.append(_aligned((n + 1, place.n_slices, place.units * LANES // 32), np.uint32))
        block_of = np.empty(self.n_features, np.intp)
        column_of = np.empty(self.n_features, np.intp)
        for number, place in enumerate(places):
            block_of[place.features] = number
            column_of[place.features] = np.arange(place.features.size)

        def fill(start: int) -> None:
            stop = min(start + CHUNK, self.n_features)
            chunk = columns(start, stop)
            for number in np.unique(block_of[start:stop]):
                own = np.flatnonzero(block_of[start:stop] == number)
                into = column_of[start + own]
                if places[number].wide:
                    blocks[number][:, into] = chunk[rows][:, own]
                else:
                    _pack_columns(chunk, own, into, rows, blocks[number])

        # two chunks may write into one 32-bit word of a block, so chunks go one after the other
        for start in range(0, self.n_features, CHUNK):
            fill(start)
        return blocks

    def merge(self, other: LevelStatistics) -> LevelStatistics:
        """Remember what another has seen; levels and classes must be the same."""
        if not np.array_equal(self.levels, other.levels) or self.n_classes != other.n_classes:
            raise InvalidInput("other: statistics of other levels or classes cannot be merged; code both alike")
        self._segments.extend(other._segments)
        self._weighted = self._weighted or other._weighted
        self._ready = None
        return self

    # -- keeping ---------------------------------------------------------------------------------------

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write to a file; `load` reads it. Nothing half-written is left behind."""
        arrays: dict[str, NDArray[Any]] = {"levels": self.levels}
        for s, segment in enumerate(self._segments):
            arrays[f"classes_{s}"] = segment.classes
            if segment.weights is not None:
                arrays[f"weights_{s}"] = segment.weights
            for b, block in enumerate(segment.blocks):
                arrays[f"block_{s}_{b}"] = block
        head = {"kind": "levels", "n_classes": self.n_classes, "estimator": self.estimator}
        arrays["head"] = np.array(json.dumps(head))
        target = Path(path)
        handle, temporary = tempfile.mkstemp(dir=target.parent or ".", prefix=target.name, suffix=".part")
        try:
            with os.fdopen(handle, "wb") as file:
                np.savez(file, allow_pickle=False, **arrays)
            os.replace(temporary, target)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise

    @classmethod
    def load(cls, path: str | os.PathLike[str], n_jobs: int | None = None) -> LevelStatistics:
        """Read what `save` wrote."""
        try:
            with np.load(path, allow_pickle=False) as file:
                arrays = {name: file[name] for name in file.files}
            head = json.loads(str(arrays["head"]))
            if head["kind"] != "levels":
                raise InvalidInput(f"path: {path} holds statistics of another kind ({head['kind']})")
            own = cls(arrays["levels"], head["n_classes"], estimator=head["estimator"], n_jobs=n_jobs)
            for s in range(sum(name.startswith("classes_") for name in arrays)):
                weights = arrays.get(f"weights_{s}")
                n_blocks = len(_places(own.levels, weights is not None))
                blocks = [arrays[f"block_{s}_{b}"] for b in range(n_blocks)]
                own._segments.append(_Segment(blocks, arrays[f"classes_{s}"], weights))
                own._weighted = own._weighted or weights is not None
        except (OSError, EOFError, ValueError, KeyError, TypeError, BadZipFile) as error:
            if isinstance(error, InvalidInput):
                raise
            raise InvalidInput(f"path: {path} is not a file of level statistics ({error})") from error
        return own

    # -- asking ----------------------------------------------------------------------------------------

    @property
    def tables(self) -> _Tables:
        """Everything in one piece, ready to be asked; made once, on the first question."""
        if self._ready is None:
            if not self._segments:
                raise InvalidInput("statistics: no rows yet; call update first")
            if len(self._segments) > 1:
                self._segments = [self._joined()]
            self._ready = _Tables(self.levels, self._segments[0], self._weighted)
        return self._ready

    def _joined(self) -> _Segment:
        """All segments as one; where any is weighted, all become so."""
        segments = self._segments
        if self._weighted:
            segments = [segment if segment.weights is not None else self._with_weights(segment) for segment in segments]
        places = _places(self.levels, self._weighted)
        blocks = []
        for number, place in enumerate(places):
            parts = [s.blocks[number] for s in segments]
            if place.wide:
                blocks.append(np.concatenate(parts))
                continue
            block = _aligned((sum(p.shape[0] - 1 for p in parts) + 1, *parts[0].shape[1:]), np.uint32)
            np.concatenate([p[:-1] for p in parts], out=block[:-1])
            blocks.append(block)
        weights = np.concatenate([s.weights for s in segments if s.weights is not None]) if self._weighted else None
        return _Segment(blocks, np.concatenate([s.classes for s in segments]), weights)

    def _with_weights(self, segment: _Segment) -> _Segment:
        tables = _Tables(self.levels, segment, weighted=False)
        blocks = []
        for place in _places(self.levels, weighted=True):
            blocks.append(np.column_stack([tables.codes(int(j)) for j in place.features]).astype(np.uint16))
        return _Segment(blocks, segment.classes, np.ones(segment.classes.size))

    @property
    def total(self) -> float:
        """Rows, or the sum of their weights."""
        return self.tables.total / self.tables.unit

    @property
    def target_entropy(self) -> float:
        """H(Y), nats."""
        tables = self.tables
        return tables.entropy(tables.class_phi, tables.n_seen_classes, self.estimator)

    @property
    def class_counts(self) -> Floats:
        """(n_classes,) rows of each class."""
        tables = self.tables
        weights = None if tables.weights.size == 0 else tables.weights / tables.unit
        return np.bincount(tables.classes, weights, minlength=self.n_classes).astype(np.float64)

    def codes(self, feature: int) -> NDArray[np.int32]:
        """(n_rows,) the codes of one feature, in the order in which rows are kept: by class in what came together."""
        return self.tables.codes(feature)

    @property
    def n_rows(self) -> int:
        """Rows kept; `total` counts their weight."""
        return int(self.tables.classes.size)

    def counted_together(self, features: NDArray[np.intp]) -> NDArray[np.bool_]:
        """(n_features,) which features are counted whenever one of these is: asking for them costs nothing."""
        tables = self.tables
        mask = np.zeros(self.n_features, bool)
        for number in np.unique(tables.where[features, 0]):
            mask[tables.places[number].features] = True
        return mask

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
            counts = counts[counts > 0]
            total = sum(int(phi_of(c, tables.phi, tables.bits)) for c in counts)
            return float(tables.entropy(total, counts.size, self.estimator))

        return entropy(alone), entropy(joint), int(cells.size)

    def singles(self, detail: bool = False) -> JointEntropies:
        """H(X_j) and H(X_j, Y) for every feature: those with a variable of one level."""
        return self.pairs_with(np.zeros(self.tables.classes.size, np.int32), 1, detail=detail)

    def pairs(
        self,
        feature: int,
        candidates: ArrayLike | None = None,
        *,
        by_class: bool = True,
        detail: bool = False,
    ) -> JointEntropies:
        """H(X_i, X_j) and H(X_i, X_j, Y) of one feature with the candidates (all, if None)."""
        return self.pairs_with(
            self.codes(feature), int(self.levels[feature]), candidates, by_class=by_class, detail=detail
        )

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
        tables = self.tables
        wanted = np.ones(self.n_features, bool)
        if candidates is not None:
            wanted[:] = False
            wanted[np.asarray(candidates, dtype=np.intp)] = True
        corrected = self.estimator == "miller-madow"
        terms = tables.terms(codes, n_levels, wanted, target_rows, by_class, detail or corrected, self.n_jobs)
        feature = tables.entropy(terms.joint, terms.cells, self.estimator)
        feature_class = tables.entropy(terms.joint_class, terms.cells_class, self.estimator)
        feature[~wanted] = np.nan
        feature_class[~wanted] = np.nan
        if not by_class:
            feature_class[:] = np.nan
        if not detail:
            return JointEntropies(feature, feature_class)
        return JointEntropies(feature, feature_class, terms.freedom, terms.expected)


@dataclass(frozen=True)
class _Terms:
    """Integer sums over the cells of the tables, one entry a feature; see `kernels.slices.pair_terms`."""

    joint: NDArray[np.int64]
    joint_class: NDArray[np.int64]
    cells: NDArray[np.int64]
    cells_class: NDArray[np.int64]
    freedom: NDArray[np.int64]
    expected: Floats

    @classmethod
    def zeros(cls, n: int) -> _Terms:
        joint, joint_class, cells, cells_class, freedom = np.zeros((5, n), np.int64)
        return cls(joint, joint_class, cells, cells_class, freedom, np.zeros(n))

    def add(self, features: NDArray[np.intp], part: _Terms) -> None:
        """Add the terms of some features."""
        for whole, some in zip(self.arrays(), part.arrays(), strict=True):
            whole[features] += some[: features.size]

    def arrays(self) -> tuple[NDArray[Any], ...]:
        return self.joint, self.joint_class, self.cells, self.cells_class, self.freedom, self.expected


class _Tables:
    """One segment with the orders and tables that the kernels need."""

    def __init__(self, levels: NDArray[np.int64], segment: _Segment, weighted: bool) -> None:
        self.places = _places(levels, weighted)
        self.blocks = segment.blocks
        self.classes = segment.classes
        self.class_rows = np.argsort(self.classes, kind="stable").astype(np.int32)
        self.every_row = np.arange(self.classes.size, dtype=np.int32)
        self.weights, self.unit = _whole_weights(segment.weights)
        self.total = int(self.weights.sum()) if self.weights.size else self.classes.size
        self.bits = fraction_bits(self.total)
        # counts of rows repeat and are looked up; sums of weights are large and seldom repeat
        self.phi = phi_table(min(self.total, 4 * self.classes.size) if self.unit == 1.0 else 0, self.bits)
        counts = np.zeros(int(self.classes.max(initial=0)) + 1, np.int64)
        np.add.at(counts, self.classes, self.weights if self.weights.size else 1)
        self.class_phi = sum(int(phi_of(c, self.phi, self.bits)) for c in counts if c > 0)
        self.n_classes = counts.size
        self.n_seen_classes = int(np.count_nonzero(counts))
        self.full_phi = int(phi_of(np.int64(self.total), self.phi, self.bits))
        self.where = np.empty((levels.size, 2), np.intp)
        for number, place in enumerate(self.places):
            self.where[place.features, 0] = number
            self.where[place.features, 1] = np.arange(place.features.size)

    def codes(self, feature: int) -> NDArray[np.int32]:
        number, column = self.where[feature]
        if self.places[number].wide:
            return self.blocks[number][:, column].astype(np.int32)
        out = np.empty(self.classes.size, np.int32)
        unpack(self.blocks[number], int(column), out)
        return out

    def entropy(self, sums: Any, cells: Any, estimator: str) -> Any:
        """(φ(N) − Σ φ(count)) / N in nats, from fixed point; never below zero."""
        plain = np.maximum(self.full_phi - np.asarray(sums), 0) / (self.total * math.ldexp(1.0, self.bits))
        if estimator == "miller-madow":
            plain = plain + (np.asarray(cells) - 1) / (2.0 * self.total / self.unit)
        return plain if np.ndim(plain) else float(plain)

    def terms(
        self,
        codes: NDArray[np.int32],
        n_levels: int,
        wanted: NDArray[np.bool_],
        target_rows: NDArray[np.intp] | None,
        by_class: bool,
        detail: bool,
        n_jobs: int | None,
    ) -> _Terms:
        classes, class_rows, weights = self.classes, self.class_rows, self.weights
        if target_rows is not None:
            classes = self.classes[target_rows]
            class_rows = np.argsort(classes, kind="stable").astype(np.int32)
            weights = self.weights[target_rows] if self.weights.size else self.weights
        n_classes = self.n_classes
        if not by_class:
            classes, class_rows, n_classes = np.zeros(codes.size, np.int32), self.every_row, 1

        sliced = [
            (number, unit)
            for number, place in enumerate(self.places)
            if not place.wide and wanted[place.features].any()
            for unit in range(place.units)
        ]
        wide = [number for number, place in enumerate(self.places) if place.wide and wanted[place.features].any()]
        total = _Terms.zeros(wanted.size)
        threads = thread_count(n_jobs)
        if sliced:
            pieces = self._pieces(codes, n_levels, class_rows, classes, n_classes, len(sliced))

            def count(task: tuple[int, int, _Pieces]) -> _Terms:
                number, unit, own = task
                out = _Terms.zeros(LANES)
                levels, offset = self.places[number].levels, unit * LANES // 8
                pair_terms(
                    self.blocks[number], offset, levels, *own, self.phi, by_class, detail, *out.arrays()
                )  # fmt: skip
                return out

            tasks = [(number, unit, own) for number, unit in sliced for own in pieces]
            for (number, unit, _), terms in zip(tasks, parallel(count, tasks, threads), strict=True):
                total.add(self.places[number].features[unit * LANES : (unit + 1) * LANES], terms)
        if wide:
            groups = group_rows(codes, n_levels, class_rows, classes)

            def increment(number: int) -> _Terms:
                block, levels = self.blocks[number], self.places[number].levels
                out = _Terms.zeros(block.shape[1])
                histogram_terms(
                    block, block.shape[1], levels, *groups, 0, n_levels, weights, self.unit, self.phi, self.bits,
                    by_class, detail, *out.arrays(),
                )  # fmt: skip
                return out

            for number, terms in zip(wide, parallel(increment, wide, threads), strict=True):
                total.add(self.places[number].features, terms)
        return total

    def _pieces(
        self,
        codes: NDArray[np.int32],
        n_levels: int,
        class_rows: NDArray[np.int32],
        classes: NDArray[np.int32],
        n_classes: int,
        n_units: int,
    ) -> list[_Pieces]:
        """The rows in the order of the kernel, in parts by level.

        Parts bound the kernel's memory, and there are enough of them to share out when features are few. They do
        not depend on the number of threads, so neither does any sum of floats.
        """
        widest = max(place.levels for place in self.places if not place.wide)
        most = max(1, CELLS // widest)
        n_parts = min(n_levels, max(-(-TASKS // n_units), -(-n_levels // most)))
        class_start = np.concatenate([[0], np.cumsum(np.bincount(classes, minlength=n_classes))])
        parts = []
        for part in range(n_parts):
            first, last = n_levels * part // n_parts, n_levels * (part + 1) // n_parts
            tile = max(256 * (last - first), min(512 * (last - first), 4096))
            rows = tile_rows(codes, first, last, class_rows, class_start, tile, ROWS, codes.size)
            parts.append((*rows, level_sizes(codes, classes, first, last, n_classes)))
        return parts


_Pieces = tuple[NDArray[Any], ...]


def _whole_weights(weights: Floats | None) -> tuple[NDArray[np.int64], float]:
    """Weights as integers, and how many of them make one row: exact for whole numbers, else 2^50 in all."""
    if weights is None:
        return np.empty(0, np.int64), 1.0
    if np.all(weights == np.rint(weights)) and weights.sum() < 2**50:
        return weights.astype(np.int64), 1.0
    unit = math.ldexp(1.0, min(1000, 50 - math.frexp(math.fsum(weights))[1]))
    return np.maximum(np.rint(weights * unit), 1).astype(np.int64), unit


def _column_reader(codes: NDArray[Any]) -> Callable[[int, int], NDArray[Any]]:
    return lambda start, stop: codes[start:stop].T


def _pack_columns(
    chunk: NDArray[Any],
    own: NDArray[np.intp],
    into: NDArray[np.intp],
    rows: NDArray[np.intp],
    block: NDArray[Any],
) -> None:
    """Columns ``own`` of a chunk of codes into the lanes ``into`` of a block, whole words of 32 lanes at a time."""
    start = 0
    while start < own.size:
        lane = into[start]
        lead = int(lane % 32)
        stop = own.size if lead == 0 else min(own.size, start + 32 - lead)
        some = own[start:stop]
        together = some[-1] - some[0] == some.size - 1
        part = chunk[:, some[0] : some[-1] + 1] if together else chunk[:, some]
        if lead or not (part.dtype == np.uint8 and part.strides[1] == 1):
            shifted = np.zeros((chunk.shape[0], lead + some.size), np.uint8)
            shifted[:, lead:] = part
            part = shifted
        if lead:
            fresh = np.zeros_like(block[:, :, :1])
            pack(part, rows, fresh, 0, 0, block.shape[1])
            block[:, :, lane // 32] |= fresh[:, :, 0]
        else:
            pack(part, rows, block, 0, int(lane), block.shape[1])
        start = stop
