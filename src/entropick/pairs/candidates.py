"""Pairs for the joint measure: the significant ones of all, found on the bytes that the measure has anyway.

The scan is made where it costs about a second: rows × columns² at most `PRODUCTS_COST` for numbers, `COUNTS_COST` for
levels, which are counted 64 rows at a time. Where rows are many, numbers are screened on the first of a fixed shuffle
of them, at least `FEWEST`, and the survivors are tested on all. Beyond that no pairs are looked for.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..coding.lifted import Lifting
from ..threads import thread_count
from .best import Best
from .chance import holm
from .columns import LevelColumns, most_levels, rarest_together
from .level_scan import pack_levels, scan_levels
from .level_terms import sober_chances
from .lifted import NumberBytes
from .products import ProductScan
from .target import PairTarget, fenced, whitened

PRODUCTS_COST = 3.2e10
COUNTS_COST = 5e11
FEWEST = 1000  # rows of a screen
BYTES = 1 << 29  # of all rows
TESTS_COST = 1e7  # rows × classes² × tests of pairs of numbers, of which each takes that long
TESTS = 30, 500  # at least and at most
KEEP = 100
ALPHA = 0.05
TOGETHER = 0.5  # of what two numbers say, that their products must say to be tested: half of the measure's own rule,
# which has a ridge. Among many classes most pairs fail it, and their tests are the dearest


@dataclass(frozen=True)
class PairCandidate:
    """Two columns that say something only together: chance of one such pair, and of any in the scan."""

    columns: tuple[int, int]
    p_value: float
    p_adjusted: float


def joint_pairs(statistics: Any, n_features: int, allowed: NDArray[np.bool_], n_jobs: int | None) -> Any:
    """(statistics with the products of significant pairs of ``allowed`` columns, those pairs); or None without any.

    ``statistics`` are `LiftedStatistics`. None also where the scan is too dear or rows are weighted.
    """
    from ..statistics.lifted.paired import PairedStatistics

    lifting, n = statistics.lifting, int(statistics.n)
    curved = _curved(lifting)[:n_features]
    numbers, levels = int(curved.sum()), int((statistics.sizes[:n_features][~curved] > 0).sum())
    if n * n_features > BYTES or not affordable(n, numbers, levels, statistics.has_classes):
        return None
    rows = statistics.whole()
    if rows is None or rows.weighted:
        return None
    found = pair_candidates(rows.codes[:n_features], lifting, _target(rows.targets, statistics), thread_count(n_jobs))
    kept = [pair for pair in found or () if allowed[list(pair.columns)].all()]
    if not kept:
        return None
    paired = PairedStatistics(statistics, rows, [pair.columns for pair in kept])
    return paired, [(pair.columns, pair.p_value, pair.p_adjusted) for pair in kept]


def _target(targets: NDArray[Any], statistics: Any) -> PairTarget:
    if statistics.has_classes:
        return PairTarget(targets.astype(np.int32), int(targets.max()) + 1, "classification")
    values = targets[: statistics.n_order].T.astype(np.float64)
    return PairTarget(np.zeros(len(values), np.int32), 1, "regression", columns=whitened(fenced(values)), values=values)


def _curved(lifting: Lifting) -> NDArray[np.bool_]:
    """(D,) whether a column is lifted as a number."""
    return np.array([(lifting.degrees[a:b] > 1).any() for a, b in pairwise(lifting.at[:, 1])])


def affordable(n_rows: int, numbers: int, levels: int, classes: bool) -> int:
    """Rows that the products of a scan may use; 0 where pairs are too dear altogether."""
    counted = levels if classes else 0
    multiplied = numbers + (0 if classes else levels)
    if n_rows * float(counted) ** 2 > COUNTS_COST:
        return 0
    pairs = float(multiplied) ** 2 + 2.0 * multiplied * counted
    rows = n_rows if pairs == 0 else int(min(n_rows, PRODUCTS_COST / pairs))
    return rows if rows >= min(n_rows, FEWEST) else 0


def bytes_apart(codes: NDArray[np.uint8], lifting: Lifting, target: PairTarget) -> tuple[NumberBytes, LevelColumns]:
    """The numbers among columns of bytes, and the levels of the others."""
    numbers = np.flatnonzero(_curved(lifting)[: len(codes)])
    others = np.setdiff1d(np.arange(len(codes)), numbers)
    most = most_levels(codes.shape[1], max(target.n_classes, 2))
    found = np.empty((others.size, codes.shape[1]), np.uint8)
    levels = np.empty(others.size, np.int64)
    for place, j in enumerate(others):
        level = lifting.coarse[lifting.group_at[j] : lifting.group_at[j + 1]][codes[j]]
        there = np.bincount(level) > 0
        level = (np.cumsum(there) - 1)[level]
        count = int(level.max()) + 1
        found[place], levels[place] = (rarest_together(level, most), most) if count > most else (level, count)
    return NumberBytes(numbers, codes[numbers], lifting, numbers), LevelColumns(others, found, levels)


def pair_candidates(
    codes: NDArray[np.uint8], lifting: Lifting, target: PairTarget, threads: int
) -> tuple[PairCandidate, ...] | None:
    """The significant pairs of columns (D, n) of bytes, best first; None where a scan is too dear."""
    numbers, levels = bytes_apart(codes, lifting, target)
    useful = levels.levels > 1
    levels = replace(levels, columns=levels.columns[useful], codes=levels.codes[useful], levels=levels.levels[useful])
    counted = target.classes is not None
    rows = affordable(codes.shape[1], len(numbers.columns), len(levels.columns), counted)
    if not rows:
        return None
    best, tests = Best(KEEP, 2), 0
    if counted and len(levels.columns) > 1:
        packed = pack_levels(levels.codes, levels.levels, levels.columns, target.codes)
        scan_levels(packed, best, threads)
        tests += packed.n_pairs
    if len(numbers.columns) or not counted:
        scan = ProductScan(numbers if len(numbers.columns) else None, levels, target, None, threads, rows)
        tests += scan.tests(counted)
        wanted = TESTS_COST / (codes.shape[1] * max(target.n_classes - 1, 1) ** 2)
        scan.scan(best, ALPHA / max(tests, 1), counted, TOGETHER, int(np.clip(wanted, *TESTS)))
    sober = sober_chances(best, levels, target.classes)
    adjusted = holm(sober, tests)
    with np.errstate(under="ignore"):
        chances = np.exp(sober)
    return tuple(
        PairCandidate((int(i), int(j)), float(p), float(q))
        for (i, j), p, q in zip(best.sets, chances, adjusted, strict=True)
        if q <= ALPHA
    )
