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

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..kernels import relief as kernel
from ..statistics.rows import RowStatistics
from ..threads import parallel, thread_count
from .measure import Account, Scores
from .ordering import Weighing

BLOCK = 32  # queries that a thread takes at a time: their distances to n rows are 128 n bytes
MARGIN = 8  # rows beyond k kept by single-precision distance, then put in order exactly


class ReliefF(Weighing):
    """W_j above; classes or a continuous target.

    n_neighbors: k, of each class. samples: rows that look for neighbours, drawn at random (None: all). sigma: the
    neighbour of rank r has influence exp(−(r / sigma)²) (None: all k the same). A row of weight w is w rows: it
    fills w of the k places. Memory beyond the rows: 4 bytes a value, and 128 n bytes a thread.
    """

    def __init__(
        self,
        statistics: RowStatistics,
        random: np.random.Generator | None = None,
        n_jobs: int | None = None,
        n_neighbors: int = 10,
        samples: int | None = None,
        sigma: float | None = None,
    ) -> None:
        super().__init__(statistics)
        self.n_neighbors, self.samples, self.sigma = int(n_neighbors), samples, sigma
        self._random = random
        self._n_jobs = n_jobs
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

        def block(start: int) -> tuple[Any, Any, Any]:
            some = queries[start : start + BLOCK]
            distance = np.empty((some.size, own.n_rows), np.float32)
            kernel.distances(data.numbers, data.labels, some, distance)
            if data.holed.shape[1]:
                kernel.add_holed(data.holed, some, classes, *data.law, distance)
            hits, misses, tallies = data.zeros(), data.zeros(), np.zeros(2)
            kernel.block_scores(
                some, distance, k, widest, influence, starts, classes, counts / counts.sum(), weights, target,
                data.numbers, data.labels, data.holed, *data.law, hits, misses, tallies,
            )  # fmt: skip
            return data.joined(hits), data.joined(misses), tallies

        parts = parallel(block, range(0, queries.size, BLOCK), thread_count(self._n_jobs))
        hits, misses, tallies = (sum(part[g] for part in parts) for g in range(3))
        total = tallies[1]
        self._details = {"rows_asked": int(queries.size), "n_neighbors": k}
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
    return (target - target.min()) / max(float(np.ptp(target)), 1e-300)


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
        lowest, widths, holed = np.empty(columns.size), np.empty(columns.size), np.zeros(columns.size, bool)
        for t, j in enumerate(columns):
            column = values[:, j]
            holed[t] = bool(np.isnan(column).any())
            known = column[~np.isnan(column)] if holed[t] else column
            lowest[t] = known.min() if known.size else 0.0
            widths[t] = known.max() - lowest[t] if known.size else 0.0
        widths[widths == 0] = 1.0
        category = statistics.categorical[columns]
        self._groups = [np.flatnonzero(~holed & ~category), np.flatnonzero(~holed & category), np.flatnonzero(holed)]
        plain, labels, holes = self._groups
        self.numbers = np.empty((n, plain.size), np.float32)
        step = max(1, (16 << 20) // (8 * max(plain.size, 1)))
        for start in range(0, n, step):
            rows = order[start : start + step]
            self.numbers[start : start + step] = (values[np.ix_(rows, columns[plain])] - lowest[plain]) / widths[plain]
        self.labels = np.ascontiguousarray(values[np.ix_(order, columns[labels])].astype(np.int32))
        scale = np.where(category[holes], 1.0, widths[holes])
        shift = np.where(category[holes], 0.0, lowest[holes])
        self.holed = np.ascontiguousarray((values[np.ix_(order, columns[holes])] - shift) / scale)
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

    def zeros(self) -> tuple[Scores, Scores, Scores]:
        """Sums a feature, one array a group."""
        return np.zeros(self._groups[0].size), np.zeros(self._groups[1].size), np.zeros(self._groups[2].size)

    def joined(self, sums: tuple[Scores, Scores, Scores]) -> Scores:
        """The groups' sums in the order of the columns."""
        out = np.zeros(sum(group.size for group in self._groups))
        for group, own in zip(self._groups, sums, strict=True):
            out[group] = own
        return out
