"""Pairs with a number in them: all of them screened by matrix products, the best of the screen tested."""

from __future__ import annotations

import math
from functools import lru_cache, partial

import numpy as np
from numpy.typing import NDArray

from ..threads import library_threads, parallel
from .best import Best
from .columns import LevelColumns
from .level_terms import Terms
from .lifted import Lifted, NumberBytes
from .product_scan import ScreenTarget, scan_products
from .product_test import PairTester, orthonormal
from .target import PairTarget

Floats = NDArray[np.float64]
SURVIVORS = 5  # times as many as are asked for pass the screen, at most
SLACK = 5.0  # a pair is tested where its screen is within exp(5) of what would be significant
TWICE = 2  # as many as are asked for are tested in any case


class ProductScan:
    """Screen and tests of one table and target."""

    def __init__(
        self,
        numbers: NumberBytes | None,
        levels: LevelColumns,
        target: PairTarget,
        Z: Floats | None,
        threads: int,
        screened: int | None = None,
    ) -> None:
        self.threads, self.has_numbers = threads, numbers is not None
        n = len(target.codes)
        order = np.arange(n) if target.classes is None else np.argsort(target.classes, kind="stable")
        part = order if screened is None or screened >= n else order[_sample(n, screened)]
        self.lifted = Lifted(numbers, levels, part, threads)
        self.screen = _screen_target(target, part, Z)
        E = None if target.columns is None else target.columns[order]
        classes = None if target.classes is None else target.classes[order]
        self.tester = PairTester(classes, target.n_classes, E, None if Z is None else Z[order])
        self._block = lru_cache(maxsize=4096)(lambda column: self.lifted.block(column, order))

    def tests(self, counted: bool) -> int:
        """Pairs that are tested here; where ``counted``, pairs of levels are not."""
        sizes = [len(group.columns) for group in self.lifted.groups]
        every = sum(sizes) * (sum(sizes) - 1) // 2
        of_levels = sum(sizes[self.has_numbers :])
        return every - (of_levels * (of_levels - 1) // 2 if counted else 0)

    def scan(self, best: Best, threshold: float, counted: bool, together: float = 0.0, most: int | None = None) -> None:
        """Bring the best pairs into ``best``; ``threshold`` is the chance below which a pair is significant.

        Only pairs whose products explain at least ``together`` times what the columns do are tested, and of those the
        ``most`` best of the screen.
        """
        tests = self.tests(counted)
        if not tests:
            return
        levels = range(int(self.has_numbers), len(self.lifted.groups))
        skip = frozenset((g, h) for g in levels for h in levels) if counted else frozenset()
        survivors = Best(SURVIVORS * best.keep, 2)
        scan_products(self.lifted, self.screen, survivors, skip, tests, self.threads)
        wanted = survivors.log_p <= math.log(threshold) + SLACK
        if not together:
            wanted[: TWICE * best.keep] = True
        sets = survivors.sets[wanted]
        with library_threads(1):
            if together > 0:
                told = partial(self._speaks_together, together)
                sets = sets[np.array(parallel(told, sets, self.threads), bool)][:most]
            tested = parallel(lambda pair: self.tester.test(*self._blocks(pair)), sets, self.threads)
        if tested:
            best.add(sets, np.array([one.statistic for one in tested]), np.array([one.df for one in tested]))

    def _speaks_together(self, least: float, pair: NDArray[np.int64]) -> bool:
        return self.tester.speaks_together(*self._blocks(pair), least)

    def terms(self, first: int, second: int) -> Terms:
        """What two columns say alone and together."""
        return self.tester.terms(*self._blocks((first, second)))

    def _blocks(self, pair: NDArray[np.int64] | tuple[int, int]) -> tuple[Floats, Floats, tuple[int, int]]:
        (u, m), (v, k) = (self._block(int(j)) for j in pair)
        return u, v, (m, k)


def _sample(n: int, size: int) -> NDArray[np.int64]:
    """(size,) of n rows, ascending: the same ones for the same table."""
    return np.sort(np.random.default_rng(0).choice(n, size, replace=False))


def _screen_target(target: PairTarget, rows: NDArray[np.int64], Z: Floats | None) -> ScreenTarget:
    """What the products of these rows are compared by."""
    Z = None if Z is None else Z[rows]
    if target.classes is None:
        assert target.columns is not None
        return ScreenTarget(None, _residuals(target.columns[rows], Z).T.astype(np.float32))
    classes = target.classes[rows]
    if Z is None:
        start = np.unique(np.searchsorted(classes, np.arange(target.n_classes + 1)))  # no empty class in a sample
        return ScreenTarget(start.astype(np.int64), None)
    marks = np.eye(target.n_classes)[classes][:, 1:]
    left = orthonormal(_residuals(marks - marks.mean(axis=0), Z))
    return ScreenTarget(None, left.T.astype(np.float32))


def _residuals(E: Floats, Z: Floats | None) -> Floats:
    """Targets less what the covariates explain, of unit variance."""
    if Z is None:
        return E
    base = np.concatenate([np.ones((len(Z), 1)), orthonormal(Z - Z.mean(axis=0))], axis=1)
    left = E - base @ (base.T @ E) / len(E)
    return np.asarray(left / np.maximum(left.std(axis=0), 1e-12))
