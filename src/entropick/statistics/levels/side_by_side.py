"""Coded columns as lines of eight, for `kernels.side_by_side`: made of the bit slices when first asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...kernels.side_by_side import (
    AHEAD,
    LINE,
    PLANES,
    copy_columns,
    line_margins,
    pair_sums,
    planes_of_codes,
    planes_of_column,
    room_for,
    turn_slices,
)
from ...kernels.vectors import SMALL
from ...threads import parallel
from .storage import Place, aligned

Ints = NDArray[np.int64]
Words = NDArray[np.uint64]


@dataclass(frozen=True)
class Variable:
    """What candidates are counted against: a feature, or any variable given by its code in each row."""

    n_levels: int
    codes: Callable[[], NDArray[np.int32]]
    feature: int | None = None


@dataclass(frozen=True)
class NewVariable:
    """The same as planes of its levels from 1 on (n_planes, n_words) and rows (n_levels, n_classes)."""

    planes: Words
    sizes: Words


@dataclass(frozen=True)
class Phi:
    """x log x of counts, and byte k of that of small ones, (8, SMALL)."""

    table: Ints
    by_byte: NDArray[np.uint8]


def with_bytes(table: Ints) -> Phi:
    small = np.zeros(SMALL, np.uint64)
    small[: min(SMALL, table.size)] = table[:SMALL].view(np.uint64)
    by_byte = (small >> (8 * np.arange(8, dtype=np.uint64))[:, None]).astype(np.uint8)
    return Phi(table, np.ascontiguousarray(by_byte))


@dataclass(frozen=True)
class PlaneLines:
    """Features in lines of eight, those of like numbers of levels together.

    ``features[s]`` is the feature at place s, ``place[j]`` the place of feature j (−1 where it has none); arrays are
    those of `kernels.side_by_side.pair_sums`.
    """

    features: NDArray[np.intp]
    place: NDArray[np.intp]
    levels: Ints  # of each line
    own_levels: Ints  # of each feature
    lines: Words
    line_at: Ints
    margins: Words
    margin_at: Ints
    word_start: Ints
    class_start: Ints

    @property
    def n_lines(self) -> int:
        return int(self.levels.size)

    @property
    def n_words(self) -> int:
        return int(self.word_start[-1])

    @property
    def n_classes(self) -> int:
        return int(self.word_start.size - 1)

    @cached_property
    def in_order(self) -> bool:
        """Whether the features lie as they are numbered, so that terms need not be moved."""
        return bool((self.features == np.arange(self.features.size)).all())

    @cached_property
    def complete(self) -> bool:
        """Whether all features are here."""
        return self.features.size == self.own_levels.size

    @cached_property
    def most_levels(self) -> int:
        return int(self.levels.max())

    @cached_property
    def _together(self) -> tuple[Words, Ints, Ints]:
        """Margins, where they start, and words, with all classes as one."""
        own, first = [], np.flatnonzero(np.diff(self.levels, prepend=-1))  # of lines in a row with as many levels
        for levels, part in zip(self.levels[first], np.split(self.margins, self.margin_at[first[1:]]), strict=True):
            own.append(part.reshape(-1, int(levels), self.n_classes, LINE).sum(axis=2).reshape(-1))
        return np.concatenate(own), _starts(self.levels * LINE), self.word_start[[0, -1]]

    def margin(self, v: int) -> Words:
        """(levels, n_classes, LINE) of line v."""
        start = self.margin_at[v]
        size = int(self.levels[v]) * self.n_classes * LINE
        return self.margins[start : start + size].reshape(-1, self.n_classes, LINE)

    @cached_property
    def columns(self) -> tuple[Ints, Ints, Ints]:
        """Of every place: where its column begins, how far its words are apart, and its slices."""
        return _columns(self.line_at, self.levels, self.features.size)

    def new(self, variable: Variable) -> NewVariable:
        """The variable to count with."""
        if variable.feature is not None and self.place[variable.feature] >= 0:
            return self._of_feature(variable.feature)
        return self._coded(variable.codes(), variable.n_levels)

    def _of_feature(self, feature: int) -> NewVariable:
        place, own = self.place[feature], max(2, int(self.own_levels[feature]))
        line, lane = divmod(int(place), LINE)
        at, step, slices = self.columns
        planes = np.empty((_padded(own), self.n_words), np.uint64)
        planes_of_column(self.lines, at[place], step[place], slices[place], planes)
        return NewVariable(planes, np.ascontiguousarray(self.margin(line)[:own, :, lane]))

    def _coded(self, codes: NDArray[np.int32], n_levels: int) -> NewVariable:
        """A variable given by its code in each row, rows by class."""
        planes = np.zeros((_padded(n_levels), self.n_words), np.uint64)
        sizes = np.zeros((n_levels, self.n_classes), np.uint64)
        if n_levels > 1:
            planes_of_codes(codes, self.class_start, self.word_start, planes)
        for c in range(self.n_classes):
            rows = codes[self.class_start[c] : self.class_start[c + 1]]
            sizes[:, c] = np.bincount(rows, minlength=n_levels)
        return NewVariable(planes, sizes)

    def count(
        self, new: NewVariable, phi: Phi, by_class: bool, first: int, last: int, joint: Ints, joint_class: Ints
    ) -> None:
        """Add the sums of lines first … last − 1 to arrays of LINE entries a line."""
        margins, margin_at, words, sizes = self.margins, self.margin_at, self.word_start, new.sizes
        if not by_class:
            margins, margin_at, words = self._together
            sizes = sizes.sum(axis=1, keepdims=True, dtype=np.uint64)
        room = np.empty(room_for(sizes.shape[0], self.most_levels), np.uint64)
        pair_sums(
            self.lines, self.line_at, self.levels, margins, margin_at, words, new.planes, sizes, phi.table,
            phi.by_byte, by_class, first, last, room, joint, joint_class,
        )  # fmt: skip


class GatheredLines:
    """Some features of any lines in lines of their own, copied when first counted."""

    def __init__(self, whole: PlaneLines, features: NDArray[np.intp]) -> None:
        self.whole = whole
        self.features = features

    @cached_property
    def own(self) -> PlaneLines:
        whole, features = self.whole, self.features
        levels = _line_levels(whole.own_levels[features])
        lines, line_at = _room(levels, whole.n_words)
        places = whole.place[features]
        at, step, slices = (of[places] for of in whole.columns)
        to, into_step, _ = _columns(line_at, levels, features.size)
        held = slices_of(whole.own_levels[features])  # a line may have more than its column needs
        copy_columns(whole.lines, at, step, np.minimum(slices, held), whole.n_words, lines, to, into_step)
        nowhere = np.full(whole.own_levels.size, -1, np.intp)
        return _with_margins(
            features, nowhere, levels, whole.own_levels, lines, line_at, whole.word_start, whole.class_start
        )


def plane_lines(
    levels: Ints, places: list[Place], blocks: list[NDArray[Any]], class_start: Ints, threads: int = 1
) -> PlaneLines:
    """The lines of all features that are stored as bit slices."""
    sliced = [number for number, place in enumerate(places) if not place.wide]
    features = np.concatenate([places[number].features for number in sliced])
    features = features[np.lexsort((features, np.maximum(levels[features], 2)))]
    place = np.full(levels.size, -1, np.intp)
    place[features] = np.arange(features.size)
    line_levels = _line_levels(levels[features])
    words = -(-np.diff(class_start) // 64)
    word_start = np.concatenate([[0], np.cumsum(words)]).astype(np.int64)
    lines, line_at = _room(line_levels, int(word_start[-1]))
    at, step, _ = _columns(line_at, line_levels, features.size)

    def turn(number: int) -> None:
        own = place[places[number].features]
        turn_slices(blocks[number].view(np.uint64), class_start, word_start, at[own], step[own], lines)

    parallel(turn, sliced, threads)
    return _with_margins(features, place, line_levels, levels, lines, line_at, word_start, class_start, threads)


def _with_margins(
    features: NDArray[np.intp],
    place: NDArray[np.intp],
    levels: Ints,
    own_levels: Ints,
    lines: Words,
    line_at: Ints,
    word_start: Ints,
    class_start: Ints,
    threads: int = 1,
) -> PlaneLines:
    sizes = np.diff(class_start)
    n_words = int(word_start[-1])
    rows = np.zeros(64 * n_words, np.uint8)
    for start, size in zip(word_start, sizes, strict=False):
        rows[64 * start : 64 * start + size] = 1
    valid = np.packbits(rows, bitorder="little").view(np.uint64).reshape(1, n_words)
    margin_sizes = levels * sizes.size * LINE
    margins, margin_at = np.zeros(int(margin_sizes.sum()), np.uint64), _starts(margin_sizes)
    rows_of = sizes.astype(np.uint64)
    step = -(-levels.size // threads)
    parallel(
        lambda at: line_margins(
            lines, line_at, levels, word_start, rows_of, valid, margins, margin_at, at, min(at + step, levels.size)
        ),
        range(0, levels.size, step),
        threads,
    )
    return PlaneLines(features, place, levels, own_levels, lines, line_at, margins, margin_at, word_start, class_start)


def _line_levels(levels: Ints) -> Ints:
    """The most levels of each eight features."""
    return np.maximum(2, np.maximum.reduceat(levels, np.arange(0, levels.size, LINE)))


def _room(levels: Ints, n_words: int) -> tuple[Words, Ints]:
    """Zeros for lines of so many levels, and where each begins."""
    sizes = slices_of(levels) * n_words * LINE
    return aligned((int(sizes.sum()) + AHEAD,), np.uint64), _starts(sizes)


def _columns(line_at: Ints, levels: Ints, n: int) -> tuple[Ints, Ints, Ints]:
    """Of n places: where the column begins, how far its words are apart, and its slices."""
    line, lane = np.divmod(np.arange(n), LINE)
    slices = slices_of(levels)[line]
    return line_at[line] + lane, slices * LINE, slices


def slices_of(levels: Ints) -> Ints:
    """⌈log₂ levels⌉, at least 1."""
    return np.maximum(1, np.ceil(np.log2(np.maximum(levels, 2)))).astype(np.int64)


def _padded(n_levels: int) -> int:
    """Planes of so many levels: 1, 2 or a multiple of four."""
    return max(1, n_levels - 1) if n_levels <= 3 else -(-(n_levels - 1) // PLANES) * PLANES


def _starts(sizes: Ints) -> Ints:
    return np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.int64)
