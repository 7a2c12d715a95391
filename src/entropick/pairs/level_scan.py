"""All pairs of columns that have levels, for classes: the likelihood ratio of the three-way term.

    G² = 2 Σ n_abc log(n_abc / m_abc),  m the fit of the log-linear model with all pair margins and no three-way term

χ² of (a − 1)(b − 1)(C − 1) degrees where the two columns do not interact on the scale of log-odds, however strong they
are alone and however much they resemble each other (Bishop, Fienberg & Holland 1975; for genotypes Wan et al. 2010,
whose statistic PLINK's `--fast-epistasis boost` has). Three sieves, each exact in what it keeps: Kirkwood's fit without
logarithms for every pair, with logarithms for some, the iterative fit for few.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..threads import parallel
from .best import Best
from .chance import first_guess, least_statistic

Array = NDArray[np.int64]
Shares = tuple[NDArray[np.float32], NDArray[np.float32]]
CACHE = 512 << 10  # bytes of planes and counts that a tile may take
OWN = 64  # columns that meet a tile in one call
ROOM = 1 << 15


@dataclass(frozen=True, eq=False)
class LevelGroup:
    """Columns of one number of levels, packed side by side.

    ``columns`` (D,) their numbers in the table; ``planes`` (levels − 1, words, D); ``margins`` (levels, classes, D).
    """

    columns: Array
    planes: NDArray[np.uint64]
    margins: NDArray[np.int32]

    @property
    def levels(self) -> int:
        return len(self.margins)

    @cached_property
    def own(self) -> tuple[Any, ...]:
        """Planes (D, levels − 1, words), margins and shares (D, levels, classes): the same, by column."""
        turned = (np.moveaxis(part, -1, 0) for part in (self.planes, self.margins, *self.shares))
        return tuple(np.ascontiguousarray(part) for part in turned)

    @cached_property
    def shares(self) -> Shares:
        """p(class | level), and its inverse, 0 where it is 0."""
        totals = self.margins.sum(axis=1, keepdims=True)
        share = (self.margins / np.maximum(totals, 1)).astype(np.float32)
        return share, np.divide(1, share, out=np.zeros_like(share), where=share > 0)


@dataclass(frozen=True, eq=False)
class PackedLevels:
    """All columns that have levels, in groups, with the classes that their rows are sorted by."""

    groups: tuple[LevelGroup, ...]
    word_start: Array
    class_sizes: Array

    @property
    def n_columns(self) -> int:
        return sum(len(group.columns) for group in self.groups)

    @property
    def n_pairs(self) -> int:
        return self.n_columns * (self.n_columns - 1) // 2


def pack_levels(codes: NDArray[np.uint8], levels: Array, columns: Array, classes: NDArray[np.int32]) -> PackedLevels:
    """Planes of codes (columns, rows); columns of one level are left out: they say nothing with any other."""
    from ..kernels.pair_tables import planes_side_by_side

    sizes = np.bincount(classes).astype(np.int64)
    order = np.argsort(classes, kind="stable")
    class_start = np.concatenate([[0], np.cumsum(sizes)])
    word_start = np.concatenate([[0], np.cumsum(-(-sizes // 64))])
    groups = []
    for level in np.unique(levels[levels > 1]):
        own = np.flatnonzero(levels == level)
        planes = np.empty((int(level) - 1, int(word_start[-1]), own.size), np.uint64)
        margins = np.empty((int(level), sizes.size, own.size), np.int32)
        planes_side_by_side(codes, own, order, class_start, word_start, planes, margins)
        groups.append(LevelGroup(columns[own], planes, margins))
    return PackedLevels(tuple(groups), word_start, sizes)


@dataclass(frozen=True)
class _Tile:
    own: int
    other: int
    first: int
    last: int
    start: int
    stop: int


def _tiles(packed: PackedLevels) -> list[_Tile]:
    """All pairs of columns, each once, in pieces that fit into the cache."""
    tiles, words, n_classes = [], int(packed.word_start[-1]), packed.class_sizes.size
    for g, own in enumerate(packed.groups):
        for h in range(g, len(packed.groups)):
            other = packed.groups[h]
            column = 8 * words * (other.levels - 1) + 4 * own.levels * other.levels * n_classes
            width = int(np.clip(CACHE // column // 32 * 32, 32, 512))
            for start in range(0, len(other.columns), width):
                stop = min(start + width, len(other.columns))
                for first in range(0, stop - 1 if g == h else len(own.columns), OWN):
                    last = min(first + OWN, len(own.columns))
                    tiles.append(_Tile(g, h, first, last, start, stop))
    return tiles


def scan_levels(packed: PackedLevels, best: Best, threads: int) -> None:
    """Bring the best pairs of all into ``best``."""
    tiles = _tiles(packed)
    for group in packed.groups:
        _ = group.own  # before threads ask for it
    tests = max(packed.n_pairs, 1)
    guess = first_guess(best.keep, tests)
    while True:
        mine = Best(best.keep, 2, min(best.limit, guess))
        parallel(partial(_scan, packed, mine), tiles, threads)
        if len(mine.sets) >= min(best.keep, tests) or guess >= best.limit or guess >= 0:
            break
        guess = min(0.0, guess + 7.0)  # fewer than wanted are so unlikely: look again for the less unlikely
    best.add(mine.sets, mine.statistics, mine.df)


def _scan(packed: PackedLevels, best: Best, tile: _Tile) -> None:
    from ..kernels.pair_tables import screen_rows

    own, other = packed.groups[tile.own], packed.groups[tile.other]
    n_classes, width = packed.class_sizes.size, tile.stop - tile.start
    shape = (own.levels, other.levels, n_classes)
    df = (own.levels - 1) * (other.levels - 1) * (n_classes - 1)
    counts = np.empty((n_classes, own.levels * other.levels, width), np.int32)
    scratch = np.empty((5, width), np.float32)
    table, fit = np.empty(np.prod(shape)), np.empty(np.prod(shape))
    pairs, statistics = np.empty((ROOM, 2), np.int64), np.empty(ROOM)
    relative = np.asarray(packed.class_sizes.sum() / packed.class_sizes, np.float32)
    first = tile.first
    while first < tile.last:
        found, first = screen_rows(
            *own.own, other.planes, other.margins, *other.shares,
            packed.word_start, packed.class_sizes, relative, first, tile.last, tile.start, tile.stop,
            tile.own == tile.other, least_statistic(best.limit, df), counts, scratch, np.array(shape), table, fit,
            pairs, statistics,
        )  # fmt: skip
        if found:
            sets = np.stack([own.columns[pairs[:found, 0]], other.columns[pairs[:found, 1]]], 1)
            best.add(np.sort(sets, axis=1), statistics[:found].copy(), df)
