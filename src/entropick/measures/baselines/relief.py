"""ReliefF and RReliefF: does a feature differ between near rows of different classes, and agree within a class?

    W_j = Σ_{c ≠ y_i} P(c) / (1 − P(y_i)) · mean over the k nearest rows of class c of diff_j(i, ·)
          − mean over the k nearest rows of the same class of diff_j(i, ·),       averaged over rows i

diff is |a − b| / range for numbers, 0 or 1 for categories; distance between rows is the sum of diffs (Kononenko
1994; Robnik-Šikonja & Kononenko 2003). For a continuous target (RReliefF), with d the target's difference over
its range and N the sums over rows and their neighbours:

    W_j = N(d · diff_j) / N(d) − (N(diff_j) − N(d · diff_j)) / (m − N(d))

A missing value's diff is its expectation over the values of the row's class: for categories 1 − P(value | class)
as in the paper, for numbers the mean |a − b|. Sees interaction, as neighbours are near in all features together;
no redundancy.
"""

from __future__ import annotations

from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...kernels import relief as kernel
from ...statistics.rows import RowStatistics
from ...threads import parallel, thread_count
from ..measure import Account, Scores
from .ordering import Weighing

BUFFER = 1 << 20  # bytes of rows that are scaled at a time
BLOCK = 32  # queries that a thread takes at a time: their distances to n rows are 128 n bytes
TILE = 256 << 10  # bytes of a block of rows whose distances to those of another are computed: both stay in cache
ROOM = 128  # places of a row's list beyond one a feature
MARGIN = 8  # rows beyond k kept by single-precision distance, then put in order exactly

Places = NDArray[np.intp]


class ReliefF(Weighing):
    """W_j above; classes or a continuous target.

    n_neighbors: k, of each class. samples: rows that look for neighbours, drawn at random (None: all). sigma: the
    neighbour of rank r has influence exp(−(r / sigma)²) (None: all k the same). A row of weight w is w rows: it
    fills w of the k places.

    Where all rows look for neighbours, the distance of two is computed once, for both. Memory beyond the rows: 4
    bytes a value (of 32, 64, … columns), and lists of n × classes × (k + 8) × 8 bytes. If those would take more than
    8 bytes a value and 1 KB a row, or with samples, 128 n bytes a thread instead.
    """

    def __init__(
        self,
        statistics: RowStatistics,
        *,
        n_neighbors: int = 10,
        samples: int | None = None,
        sigma: float | None = None,
        **how: Any,
    ) -> None:
        super().__init__(statistics, **how)
        self.n_neighbors, self.samples, self.sigma = int(n_neighbors), samples, sigma
        self._weights = np.zeros(self.n_candidates)

    def weigh(self, columns: NDArray[np.intp]) -> Scores:
        own = self.statistics
        groups = own.target is None
        order = np.argsort(own.codes, kind="stable") if groups else np.arange(own.n_rows)
        classes = own.codes[order].astype(np.int64) if groups else np.zeros(own.n_rows, np.int64)
        n_classes = own.n_classes if groups else 1
        weights = np.empty(0) if own.weights is None else own.weights[order]
        counts = np.bincount(classes, weights if weights.size else None, minlength=n_classes).astype(np.float64)
        data = _Columns(own, columns, order, classes, n_classes)
        target = np.empty(0) if own.target is None else _scaled_target(own.target[order])
        queries = np.arange(own.n_rows)
        if self.samples is not None and self.samples < own.n_rows:
            random = self._random or np.random.default_rng(0)
            queries = np.sort(random.choice(own.n_rows, int(self.samples), replace=False))
        k = min(self.n_neighbors, own.n_rows)
        influence = np.ones(k) if self.sigma is None else np.exp(-((np.arange(1, k + 1) / self.sigma) ** 2))
        influence = np.concatenate([[0.0], np.cumsum(influence)])
        least = min(1.0, float(weights.min())) if weights.size else 1.0
        widest = min(own.n_rows, int(np.ceil(k / least)) + MARGIN)
        starts = np.searchsorted(classes, np.arange(n_classes + 1))
        places = np.concatenate([[0], np.cumsum(np.minimum(np.diff(starts), widest))])
        threads = thread_count(self._n_jobs)
        # A distance costs by feature, its offers by place. With more places than this there is little to gain by
        # computing it once, and of thousands of classes the lists would be an n × n matrix.
        once = queries.size == own.n_rows and places[-1] <= ROOM + columns.size
        lists = nearest_of_all(data, starts, places, threads) if once else None

        def block(start: int) -> tuple[Any, Any, Any]:
            some = queries[start : start + BLOCK]
            found = nearest(data, starts, places, some) if lists is None else lists[start : start + BLOCK]
            hits, misses, tallies = data.zeros(), data.zeros(), np.zeros(2)
            kernel.block_scores(
                some, found, places, k, influence, starts, classes, counts / counts.sum(), weights, target,
                data.numbers, data.labels, data.holed, *data.law, hits, misses, tallies,
            )  # fmt: skip
            return data.joined(hits), data.joined(misses), tallies

        parts = parallel(block, range(0, queries.size, BLOCK), threads)
        hits, misses, tallies = (sum(part[g] for part in parts) for g in range(3))
        total = tallies[1]
        self._details = {"rows_asked": int(queries.size), "n_neighbors": k}
        scores: Scores
        if groups:
            scores = (misses - hits) / total
        else:
            near = max(tallies[0], 1e-300)
            scores = misses / near - (hits - misses) / max(total - tallies[0], 1e-300)
        self._weights[columns] = scores
        return scores

    def account(self, candidate: int) -> Account:
        return Account(relevance=float(self._weights[candidate]))


def _scaled_target(target: NDArray[np.float64]) -> NDArray[np.float64]:
    out: NDArray[np.float64] = (target - target.min()) / max(float(np.ptp(target)), 1e-300)
    return out


def nearest(data: _Columns, starts: Places, places: Places, queries: Places) -> NDArray[np.int64]:
    """(n_queries, places[-1]) lists of the nearest rows of each class, from the distances of these rows to all."""
    lists = _no_rows(queries.size, places[-1])
    kernel.offer(data.distances(queries, 0, data.n_rows).view(np.int32), queries, 0, starts, places, lists)
    return lists


def nearest_of_all(data: _Columns, starts: Places, places: Places, n_threads: int) -> NDArray[np.int64]:
    """The same of every row, each distance computed once and offered to both of its rows.

    Threads may meet at a block's lists: one offers at a time, in whatever order, as the lists do not depend on it.
    """
    lists = _no_rows(data.n_rows, places[-1])
    step = max(64, min(256, TILE // (data.row_bytes + 1)))
    blocks = [np.arange(start, min(start + step, data.n_rows)) for start in range(0, data.n_rows, step)]
    locks = [Lock() for _ in blocks]

    def tell(a: int, b: int, bits: NDArray[np.int32]) -> None:
        with locks[a]:
            kernel.offer(bits, blocks[a], b * step, starts, places, lists[a * step : (a + 1) * step])

    def tile(pair: tuple[int, int]) -> None:
        a, b = pair
        bits = data.distances(blocks[a], b * step, b * step + blocks[b].size).view(np.int32)
        tell(a, b, bits)
        if a != b:
            tell(b, a, bits.T)

    # Diagonal by diagonal: row by row all threads would meet at block a.
    parallel(tile, [(a, a + gap) for gap in range(len(blocks)) for a in range(len(blocks) - gap)], n_threads)
    return lists


def _no_rows(n: int, width: int) -> NDArray[np.int64]:
    """Empty lists: keys above those of rows, the largest first, so that places are filled from left to right."""
    return np.tile(np.iinfo(np.int64).max - np.arange(width), (n, 1))


class _Columns:
    """Columns as the kernel wants them: complete numbers scaled by range, complete categories, columns with holes."""

    def __init__(
        self,
        statistics: RowStatistics,
        columns: NDArray[np.intp],
        order: NDArray[np.intp],
        classes: NDArray[np.int64],
        n_classes: int,
    ) -> None:
        n = statistics.n_rows
        values = statistics.values
        holed = np.isnan(values.min(axis=0))[columns]
        lowest = np.fmin.reduce(values, axis=0)[columns]
        widths = np.fmax.reduce(values, axis=0)[columns] - lowest
        widths[~(widths > 0)] = 1.0  # constant, or nothing known
        category = statistics.categorical[columns]
        self._groups = [np.flatnonzero(~holed & ~category), np.flatnonzero(~holed & category), np.flatnonzero(holed)]
        plain, labels, holes = self._groups
        self.numbers = _padded(n, plain.size, np.float32)
        step = max(1, BUFFER // (8 * values.shape[1] + 1))
        for start in range(0, n, step):
            block = values[order[start : start + step]].take(columns[plain], axis=1)
            block -= lowest[plain]
            block /= widths[plain]
            self.numbers[start : start + step, : plain.size] = block
        self.labels = _padded(n, labels.size, np.int32)
        self.labels[:, : labels.size] = values[np.ix_(order, columns[labels])]
        scale = np.where(category[holes], 1.0, widths[holes])
        shift = np.where(category[holes], 0.0, lowest[holes])
        self.holed = np.ascontiguousarray((values[np.ix_(order, columns[holes])] - shift) / scale)
        self._classes = classes
        self.n_rows = n
        self.row_bytes = 4 * (self.numbers.shape[1] + self.labels.shape[1]) + 8 * holes.size
        self.law = self._law(category[holes], classes, n_classes)

    def _law(self, category: NDArray[np.bool_], classes: NDArray[np.int64], n_classes: int) -> tuple[Any, ...]:
        """Known values of each holed column, sorted within each class, their running sums, and where classes start."""
        n, h = self.holed.shape
        values, sums = np.zeros((h, n)), np.zeros((h, n + 1))
        starts, both = np.zeros((h, n_classes + 1), np.int64), np.zeros((h, n_classes, n_classes))
        for t in range(h):
            known = ~np.isnan(self.holed[:, t])
            column, own = self.holed[known, t], classes[known]
            column = column[np.lexsort((column, own))]
            values[t, : column.size] = column
            sums[t, 1 : column.size + 1] = np.cumsum(column)
            starts[t] = np.searchsorted(own, np.arange(n_classes + 1))
            kernel.both_missing(values[t], sums[t], bool(category[t]), starts[t], n_classes, both[t])
        return category, values, sums, starts, both

    def distances(self, queries: NDArray[np.intp], first: int, stop: int) -> NDArray[np.float32]:
        """(n_queries, stop − first) distances of some rows to the rows first … stop − 1."""
        out = np.empty((queries.size, stop - first), np.float32)
        kernel.distances(self.numbers, self.labels, queries, first, out)
        if self.holed.shape[1]:
            kernel.add_holed(self.holed, queries, first, self._classes, *self.law, out)
        return out

    def zeros(self) -> tuple[Scores, Scores, Scores]:
        """Sums a feature, one array a group."""
        return np.zeros(self.numbers.shape[1]), np.zeros(self.labels.shape[1]), np.zeros(self.holed.shape[1])

    def joined(self, sums: tuple[Scores, Scores, Scores]) -> Scores:
        """The groups' sums in the order of the columns."""
        out = np.zeros(sum(group.size for group in self._groups))
        for group, own in zip(self._groups, sums, strict=True):
            out[group] = own[: group.size]
        return out


def _padded(n: int, width: int, kind: type) -> NDArray[Any]:
    """Zeros for so many columns, and as many more as the kernels want: equal in all rows, they add nothing."""
    return np.zeros((n, -(-width // kernel.LANES) * kernel.LANES), kind)
