"""All pairs of lifted columns by matrix products in float32: a screen for the tests of `product_test`.

    classes      T_c = Σ b_i b_j over the rows of class c, less n_c μ_ic μ_jc, what the two make of it alone;
                 n⁻¹ (Σ_c T_c² / p_c − (Σ_c T_c)²), summed over the functions of both columns
    numbers      n⁻¹ (Σ b_i b_j e)² for each whitened target e

Both are χ² of m_i m_j q degrees where columns and target have nothing to do with each other. The products of all
classes together cost as much as one product of all rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..threads import library_threads, parallel
from .best import Best
from .chance import first_guess, least_statistic
from .lifted import Lifted, LiftedGroup

Floats = NDArray[np.float64]
TILE = 256  # lifted columns of a tile: the products of two tiles stay in the second cache


@dataclass(frozen=True, eq=False)
class ScreenTarget:
    """Rows sorted by class with ``class_start`` (C + 1,), or whitened targets ``columns`` (q, n)."""

    class_start: NDArray[np.int64] | None
    columns: NDArray[np.float32] | None

    @property
    def q(self) -> int:
        if self.class_start is not None:
            return len(self.class_start) - 2
        assert self.columns is not None
        return len(self.columns)


@dataclass(frozen=True)
class _Tile:
    own: int
    other: int
    first: int
    start: int
    width: tuple[int, int]


def _tiles(lifted: Lifted, skip: frozenset[tuple[int, int]]) -> Iterator[_Tile]:
    for g, own in enumerate(lifted.groups):
        for h in range(g, len(lifted.groups)):
            if (g, h) in skip:
                continue
            other = lifted.groups[h]
            width = max(1, TILE // len(own.values)), max(1, TILE // len(other.values))
            for first in range(0, len(own.columns), width[0]):
                for start in range(first if g == h else 0, len(other.columns), width[1]):
                    yield _Tile(g, h, first, start, width)


def scan_products(
    lifted: Lifted, target: ScreenTarget, best: Best, skip: frozenset[tuple[int, int]], tests: int, threads: int
) -> None:
    """Bring the best pairs by this screen into ``best``; pairs of the groups in ``skip`` are left out."""
    tiles = list(_tiles(lifted, skip))
    guess = first_guess(best.keep, tests)
    means = [_class_means(group, target) for group in lifted.groups]
    with library_threads(1):  # tiles are fixed, and each is one thread's: the same sums on any number of threads
        while True:
            mine = Best(best.keep, 2, guess)
            parallel(partial(_screen, lifted, target, means, mine), tiles, threads)
            if len(mine.sets) >= min(best.keep, tests) or guess >= 0:
                break
            guess = min(0.0, guess + 7.0)
    best.add(mine.sets, mine.statistics, mine.df)


def _class_means(group: LiftedGroup, target: ScreenTarget) -> NDArray[np.float32] | None:
    """(C, m, d) sums over a class, divided by the root of its rows."""
    if target.class_start is None:
        return None
    starts = target.class_start
    return np.stack([group.values[:, :, a:b].sum(axis=2) / np.sqrt(np.float32(b - a)) for a, b in pairwise(starts)])


def _screen(lifted: Lifted, target: ScreenTarget, means: list[Any], best: Best, tile: _Tile) -> None:
    own, other = lifted.groups[tile.own], lifted.groups[tile.other]
    rows, columns = slice(tile.first, tile.first + tile.width[0]), slice(tile.start, tile.start + tile.width[1])
    left, right = own.values[:, rows], other.values[:, columns]
    (m, d, n), (k, e, _) = left.shape, right.shape
    left, right = left.reshape(m * d, n), right.reshape(k * e, n)
    squares = np.zeros((m * d, k * e), np.float32)
    if target.class_start is not None:
        whole = np.zeros_like(squares)
        for c, (a, b) in enumerate(pairwise(target.class_start)):
            part = left[:, a:b] @ right[:, a:b].T
            part -= np.outer(means[tile.own][c][:, rows].reshape(-1), means[tile.other][c][:, columns].reshape(-1))
            whole += part
            np.square(part, out=part)
            part *= np.float32(n / (b - a))
            squares += part
        squares -= np.square(whole, out=whole)
    else:
        assert target.columns is not None
        for column in target.columns:
            part = (left * column) @ right.T
            squares += np.square(part, out=part)
    statistic = squares.reshape(m, d, k, e).sum(axis=(0, 2)) / np.float32(n)
    df = m * k * target.q
    high = statistic >= np.float32(least_statistic(best.limit, df))
    if tile.own == tile.other and tile.first == tile.start:
        high &= ~np.tri(d, e, dtype=bool)
    at = np.argwhere(high)
    if len(at):
        sets = np.stack([own.columns[tile.first + at[:, 0]], other.columns[tile.start + at[:, 1]]], 1)
        best.add(np.sort(sets, axis=1), statistic[high].astype(np.float64), df)
