"""Coded columns as tiles of bit planes, for `kernels.side_by_side`: made of the bit slices when first asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...kernels.side_by_side import TILE, fill_tile, pair_sums, planes_of_codes, turn_slices
from ...kernels.slices import LANES
from .storage import Place


@dataclass(frozen=True)
class Variable:
    """What candidates are counted against: a feature, or any variable given by its code in each row."""

    n_levels: int
    codes: Callable[[], NDArray[np.int32]]
    feature: int | None = None


@dataclass(frozen=True)
class NewVariable:
    """The same as planes (n_levels − 1, n_words) and rows (n_levels, n_classes), level 0 last."""

    planes: NDArray[np.uint64]
    sizes: NDArray[np.int64]


@dataclass(frozen=True)
class SideBySide:
    """Features in tiles of 256, those of like numbers of levels together.

    ``features[s]`` is the feature at place s, ``place[j]`` the place of feature j (−1 where it has none); arrays are
    those of `kernels.side_by_side.pair_sums`.
    """

    features: NDArray[np.intp]
    place: NDArray[np.intp]
    levels: NDArray[np.int64]  # of each tile
    own_levels: NDArray[np.int64]  # of each feature
    planes: NDArray[np.uint64]
    plane_at: NDArray[np.int64]
    margins: NDArray[np.uint64]
    margin_at: NDArray[np.int64]
    word_start: NDArray[np.int64]
    class_start: NDArray[np.int64]

    @property
    def n_tiles(self) -> int:
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

    @property
    def complete(self) -> bool:
        """Whether all features are here, in order."""
        return self.in_order and self.features.size == self.own_levels.size

    @cached_property
    def _together(self) -> tuple[NDArray[np.uint64], NDArray[np.int64], NDArray[np.int64]]:
        """Margins, where they start, and words, with all classes as one."""
        own = [self.margin(t).sum(axis=1).reshape(-1) for t in range(self.n_tiles)]
        return np.concatenate(own), _starts(self.levels * TILE), self.word_start[[0, -1]]

    def margin(self, t: int) -> NDArray[np.uint64]:
        """(levels, n_classes, TILE) of tile t."""
        start = self.margin_at[t]
        size = int(self.levels[t]) * self.n_classes * TILE
        return self.margins[start : start + size].reshape(-1, self.n_classes, TILE)

    def plane(self, t: int) -> NDArray[np.uint64]:
        """(levels − 1, n_words, TILE) of tile t."""
        start, levels = int(self.plane_at[t]), int(self.levels[t])
        return self.planes[start : start + (levels - 1) * self.n_words * TILE].reshape(-1, self.n_words, TILE)

    def new(self, variable: Variable) -> NewVariable:
        """The variable to count with."""
        if variable.feature is not None and self.place[variable.feature] >= 0:
            return self._of_feature(variable.feature)
        return self._coded(variable.codes(), variable.n_levels)

    def _of_feature(self, feature: int) -> NewVariable:
        tile, column = divmod(int(self.place[feature]), TILE)
        own = max(2, int(self.own_levels[feature]))
        planes = self.plane(tile)[: own - 1, :, column]
        margins = self.margin(tile)[:, :, column].astype(np.int64)
        return NewVariable(np.ascontiguousarray(planes), np.concatenate([margins[: own - 1], margins[-1:]]))

    def _coded(self, codes: NDArray[np.int32], n_levels: int) -> NewVariable:
        """A variable given by its code in each row, rows by class."""
        planes = planes_of_codes(codes, n_levels, self.class_start, self.word_start)
        sizes = np.zeros((n_levels, self.n_classes), np.int64)
        for c in range(self.n_classes):
            rows = codes[self.class_start[c] : self.class_start[c + 1]]
            sizes[:, c] = np.roll(np.bincount(rows, minlength=n_levels), -1)
        return NewVariable(planes, sizes)

    def room(self, n_levels: int) -> NDArray[np.uint64]:
        """What the kernel works in."""
        return np.empty(TILE * int(self.levels.max()) * (n_levels + 2), np.uint64)

    def count(
        self,
        new: NewVariable,
        phi: NDArray[np.int64],
        by_class: bool,
        first: int,
        last: int,
        joint: NDArray[np.int64],
        joint_class: NDArray[np.int64],
    ) -> None:
        """Add the sums of tiles first … last − 1 to arrays of TILE entries a tile."""
        margins, margin_at, words, sizes = self.margins, self.margin_at, self.word_start, new.sizes
        if not by_class:
            margins, margin_at, words = self._together
            sizes = sizes.sum(axis=1, keepdims=True)
        pair_sums(
            self.planes, margins, self.plane_at, margin_at, self.levels, words, new.planes, sizes, phi, by_class,
            first, last, self.room(sizes.shape[0]), joint, joint_class,
        )  # fmt: skip


class Gathered:
    """At most 256 features of any tiles in a tile of their own, copied when first counted."""

    def __init__(self, whole: SideBySide, features: NDArray[np.intp]) -> None:
        self.whole = whole
        self.features = features

    @cached_property
    def tile(self) -> SideBySide:
        whole, features = self.whole, self.features
        levels = max(2, int(whole.own_levels[features].max()))
        planes = np.zeros((levels - 1, whole.n_words, TILE), np.uint64)
        margins = np.zeros((levels, whole.n_classes, TILE), np.uint64)
        tile_of, column_of = np.divmod(whole.place[features], TILE)
        for t in np.unique(tile_of):
            into, columns = np.flatnonzero(tile_of == t), column_of[tile_of == t]
            own = min(levels, int(whole.levels[t]))  # what the tile has beyond is empty for these features
            planes[: own - 1, :, into] = whole.plane(t)[: own - 1, :, columns]
            margins[: own - 1, :, into] = whole.margin(t)[: own - 1, :, columns]
            margins[levels - 1, :, into] = whole.margin(t)[-1][:, columns].T
        nowhere, zero = np.full(whole.own_levels.size, -1, np.intp), np.zeros(1, np.int64)
        return SideBySide(
            features, nowhere, np.array([levels]), whole.own_levels, planes.reshape(-1), zero, margins.reshape(-1),
            zero, whole.word_start, whole.class_start,
        )  # fmt: skip


def _starts(sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.int64)


def side_by_side(
    levels: NDArray[np.int64],
    places: list[Place],
    blocks: list[NDArray[Any]],
    class_start: NDArray[np.int64],
) -> SideBySide:
    """The tiles of all features that are stored as bit slices."""
    sliced = [number for number, place in enumerate(places) if not place.wide]
    features = np.concatenate([places[number].features for number in sliced])
    block_of = np.repeat(sliced, [places[number].features.size for number in sliced])
    column_of = np.concatenate([np.arange(places[number].features.size) for number in sliced])
    order = np.lexsort((features, np.maximum(levels[features], 2)))
    features, block_of, column_of = features[order], block_of[order], column_of[order]
    n_tiles = -(-features.size // TILE)
    tile_levels = np.array([max(2, int(levels[features[t * TILE : (t + 1) * TILE]].max())) for t in range(n_tiles)])
    class_sizes = np.diff(class_start)
    word_start = np.concatenate([[0], np.cumsum(-(-class_sizes // 64))]).astype(np.int64)
    n_words, n_classes = int(word_start[-1]), class_sizes.size
    plane_sizes, margin_sizes = (tile_levels - 1) * n_words * TILE, tile_levels * n_classes * TILE
    planes = np.zeros(int(plane_sizes.sum()), np.uint64)
    margins = np.zeros(int(margin_sizes.sum()), np.uint64)
    plane_at, margin_at = _starts(plane_sizes), _starts(margin_sizes)
    tile_of, column_in = np.divmod(np.arange(features.size), TILE)
    for number in sliced:
        own = np.flatnonzero(block_of == number)
        turned = np.empty((places[number].n_slices, n_words, places[number].units * LANES), np.uint64)
        turn_slices(blocks[number], class_start, word_start, turned)
        for some in np.split(own, np.flatnonzero((np.diff(tile_of[own]) != 0) | (np.diff(own) != 1)) + 1):
            t = int(tile_of[some[0]])
            fill_tile(
                turned,
                column_of[some],
                int(column_in[some[0]]),
                class_sizes,
                word_start,
                planes[plane_at[t] : plane_at[t] + plane_sizes[t]].reshape(-1, n_words, TILE),
                margins[margin_at[t] : margin_at[t] + margin_sizes[t]].reshape(-1, n_classes, TILE),
            )
    place = np.full(levels.size, -1, np.intp)
    place[features] = np.arange(features.size)
    return SideBySide(
        features, place, tile_levels, levels, planes, plane_at, margins, margin_at, word_start, class_start
    )
