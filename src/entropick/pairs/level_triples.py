"""All triples of columns that have levels, for classes: the likelihood ratio of the term of all three with the class.

G² as in `level_scan`, a term higher: the fit has the margins of any three of (a, b, d, class). χ² of the product of
(a − 1), (b − 1), (d − 1), (C − 1) degrees where three columns say what their pairs say. Every triple is counted; the
iterative fit is for those that a bound leaves.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import zip_longest

import numpy as np
from numpy.typing import NDArray

from ..threads import parallel
from .best import Best
from .chance import first_guess, least_statistic
from .columns import LevelColumns
from .level_scan import pack_levels, scan_levels
from .level_terms import information
from .target import PairTarget

Array = NDArray[np.int64]
TILE = 256
EXHAUSTIVE = 400  # columns of which every triple is tested: ten million
MEMORY = 1 << 29
ROOM = 1 << 14


@dataclass(frozen=True, eq=False)
class PackedTriples:
    """Columns padded to the same number of levels, with all that a triple's bound needs of its pairs."""

    columns: Array
    levels: Array
    full: NDArray[np.uint64]
    planes: NDArray[np.uint64]
    margins: NDArray[np.int32]
    word_start: Array
    shares: NDArray[np.float32]
    single: NDArray[np.float32]
    pairs: NDArray[np.int32]

    @property
    def n_triples(self) -> int:
        d = len(self.columns)
        return d * (d - 1) * (d - 2) // 6


def memory(n_columns: int, levels: int, n_classes: int) -> int:
    """Bytes of the pair tables that `pack_triples` keeps."""
    return 8 * n_columns**2 * levels**2 * n_classes


def pack_triples(codes: NDArray[np.uint8], levels: Array, columns: Array, classes: NDArray[np.int32]) -> PackedTriples:
    """Planes and pair tables of codes (columns, rows); constant columns are left out."""
    from ..kernels.pair_tables import count_tile, planes_side_by_side

    own = np.flatnonzero(levels > 1)
    most, sizes = int(levels[own].max(initial=2)), np.bincount(classes).astype(np.int64)
    class_start = np.concatenate([[0], np.cumsum(sizes)])
    word_start = np.concatenate([[0], np.cumsum(-(-sizes // 64))])
    planes = np.empty((most, int(word_start[-1]), own.size), np.uint64)  # the last, of a level that is not there, is 0
    margins = np.empty((most + 1, sizes.size, own.size), np.int32)
    planes_side_by_side(codes, own, np.argsort(classes, kind="stable"), class_start, word_start, planes, margins)
    full, margins = np.ascontiguousarray(planes.transpose(2, 0, 1)), np.ascontiguousarray(margins[:most])
    planes = np.ascontiguousarray(planes[: most - 1])
    pairs = np.empty((own.size, sizes.size, most * most, own.size), np.int32)
    for i in range(own.size):
        mine = np.ascontiguousarray(margins[:, :, i])
        count_tile(full[i, : most - 1], mine, planes, margins, word_start, 0, own.size, pairs[i])
    tables = pairs.reshape(own.size, sizes.size, most, most, own.size).transpose(0, 2, 3, 1, 4)
    shares = (tables / np.maximum(tables.sum(axis=3, keepdims=True), 1)).astype(np.float32)
    totals = margins.sum(axis=1, keepdims=True).astype(float)
    single = totals * sizes[None, :, None] / (np.maximum(margins, 1) * sizes.sum())
    single = np.where(margins > 0, single, 0.0).astype(np.float32)
    return PackedTriples(columns[own], levels[own], full, planes, margins, word_start, shares, single, pairs)


def scan_triples(packed: PackedTriples, best: Best, threads: int) -> None:
    """Bring the best triples of all into ``best``."""
    tests, d = packed.n_triples, len(packed.columns)
    if not tests:
        return
    guess = first_guess(best.keep, tests)
    while True:
        mine = Best(best.keep, 3, min(best.limit, guess))
        parallel(partial(_scan, packed, mine), range(d - 2), threads)
        if len(mine.sets) >= min(best.keep, tests) or guess >= best.limit or guess >= 0:
            break
        guess = min(0.0, guess + 7.0)
    best.add(mine.sets, mine.statistics, mine.df)


def _scan(packed: PackedTriples, best: Best, i: int) -> None:
    from ..kernels.triple_tables import screen_triples

    most, n_classes, d = len(packed.margins), packed.margins.shape[1], len(packed.columns)
    tables = packed.pairs[i].reshape(n_classes, most * most, d).transpose(2, 1, 0)
    pair_margins = np.ascontiguousarray(tables)
    own_terms = _own_terms(tables.reshape(d, most, most, n_classes).astype(float))
    counts, scratch = np.empty((n_classes, most**3, TILE), np.int32), np.empty((3, TILE), np.float32)
    together = np.empty((most * most, packed.planes.shape[1]), np.uint64)
    shape = np.array([most, most, most, n_classes])
    x, m = np.empty(most**3 * n_classes), np.empty(most**3 * n_classes)
    sets, statistics = np.empty((ROOM, 3), np.int64), np.empty(ROOM)
    degrees = (np.unique(packed.levels) - 1)[:, None]
    for start in range(i + 2, d, TILE):
        stop, j = min(start + TILE, d), i + 1
        while j < stop - 1:
            limits = np.full((most - 1) ** 3 * (n_classes - 1) + 1, np.inf)
            for df in np.unique(degrees * degrees.T)[:, None] * degrees.T * (n_classes - 1):
                limits[df] = [least_statistic(best.limit, int(one)) for one in df]
            found, j = screen_triples(
                packed.full, packed.planes, packed.margins, packed.shares, packed.single, own_terms, pair_margins,
                packed.word_start, packed.levels, i, j, start, stop, limits, counts, scratch, together, shape, x, m,
                sets, statistics,
            )  # fmt: skip
            if found:
                df = np.prod(packed.levels[sets[:found]] - 1, axis=1) * (n_classes - 1)
                best.add(packed.columns[sets[:found]], statistics[:found].copy(), df)


def _own_terms(tables: NDArray[np.float64]) -> NDArray[np.float32]:
    """(D, levels², classes) p_abc p_a p_b / (p_ab p_ac p_bc) of tables (D, levels, levels, classes), 0 where empty."""
    a, b = tables.sum(axis=(2, 3), keepdims=True), tables.sum(axis=(1, 3), keepdims=True)
    below = tables.sum(axis=3, keepdims=True) * tables.sum(axis=2, keepdims=True) * tables.sum(axis=1, keepdims=True)
    out = np.divide(tables * a * b, below, out=np.zeros_like(tables), where=below > 0)
    return np.ascontiguousarray(out.reshape(len(tables), -1, tables.shape[3]).astype(np.float32))


def triple_columns(levels: LevelColumns, target: PairTarget, threads: int) -> tuple[Array, tuple[str, ...]]:
    """Positions of the columns whose triples are tested, and a note where that is not all of them.

    Up to `EXHAUSTIVE` columns, as far as their pair tables take `MEMORY` bytes, all. Of more, by turns, the columns of
    the best pairs and those that say most alone: a triple of which no pair and no column says anything is lost.
    """
    useful = np.flatnonzero(levels.levels > 1)
    room = EXHAUSTIVE
    while memory(room, int(levels.levels.max(initial=2)), target.n_classes) > MEMORY:
        room = room * 9 // 10
    if useful.size <= room:
        return useful, ()
    best = Best(2 * room, 2)
    scan_levels(pack_levels(levels.codes, levels.levels, levels.columns, target.codes), best, threads)
    of_pairs = np.searchsorted(levels.columns, best.sets.reshape(-1)).tolist()
    alone = np.array([information([levels.codes[k]], target.codes) for k in useful])
    strong = useful[np.argsort(-alone, kind="stable")].tolist()
    by_turns = [column for both in zip_longest(of_pairs, strong) for column in both if column is not None]
    note = (
        f"triples of {room} of {useful.size} columns were tested: those in the best pairs and the most informative"
        " alone; a triple with no informative pair or column is not found"
    )
    return np.sort(list(dict.fromkeys(by_turns))[:room]), (note,)
