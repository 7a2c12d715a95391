"""Lifted statistics with products of columns beside them: blocks that only a pair of columns makes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...threads import library_threads
from .lifted import LiftedStatistics
from .part import WholeRows

Floats = NDArray[np.float64]
DEGREE = 2.0  # of a product
CURVES = 2  # functions of a number that go into products
TOGETHER = 64  # columns lifted at a time


class PairedStatistics:
    """`LiftedStatistics` whose lifted columns are followed by those of pairs; pair e is column ``n_columns + e``.

    The functions of a pair are all products of the functions of two columns (degrees 1 and 2 of a number), less what
    the two columns explain, orthonormal on the rows.
    """

    def __init__(self, base: LiftedStatistics, rows: WholeRows, pairs: Sequence[tuple[int, int]]) -> None:
        self.base, self.pairs, self._rows = base, tuple(pairs), rows
        n = rows.codes.shape[1]
        with library_threads(1):  # products of few columns: a second thread costs more than it gains
            blocks = [self._products(i, j) for i, j in self.pairs]
        self._values = np.concatenate(blocks, axis=1) if blocks else np.empty((n, 0))
        sizes = [block.shape[1] for block in blocks]
        self._starts = base.lifting.n_lifted + np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        self.sizes = np.concatenate([base.sizes, np.array(sizes, np.int64)])
        self.degrees = np.concatenate([base.degrees, np.full(sum(sizes), DEGREE)])
        targets = rows.targets.T.astype(float)
        if base.has_classes:
            targets = np.eye(base.cross.shape[1])[rows.targets]
        own = self._values.T @ (targets - targets.mean(axis=0)) / n
        self.cross = np.concatenate([base.cross, own])
        self._all = self._with_all()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.base, name)  # all that products do not change

    def functions(self, column: int) -> Floats:
        """(n, m) the lifted columns of one column, of mean 0 and variance 1."""
        values = self.base.lifting.table(column)[:, self._rows.codes[column]].T.astype(np.float64)
        values -= values.mean(axis=0)
        return np.asarray(values / np.maximum(values.std(axis=0), 1e-12))

    def _products(self, first: int, second: int) -> Floats:
        u, v = self.functions(first), self.functions(second)
        n, (m, k) = len(u), (self._in_products(j) for j in (first, second))
        P = (u[:, :m, None] * v[:, None, :k]).reshape(n, -1)
        main = np.concatenate([np.ones((n, 1)), u, v], axis=1)
        inverse = np.linalg.pinv(main.T @ main / n, rcond=1e-9, hermitian=True)
        for _ in range(2):  # twice: what is left of a product may be small
            P = P - main @ (inverse @ (main.T @ P / n))
        spread, vectors = np.linalg.eigh(P.T @ P / n)
        kept = spread > 1e-6
        return np.asarray(P @ (vectors[:, kept] / np.sqrt(spread[kept])))

    def _in_products(self, column: int) -> int:
        degrees = self.base.degrees[self.base.lifted((column,))]
        return CURVES if (degrees > 1).any() else len(degrees)

    def lifted(self, columns: Sequence[int]) -> NDArray[np.intp]:
        """(m,) numbers of the lifted columns of these columns, pairs among them."""
        D = self.base.lifting.n_columns
        parts = [
            self.base.lifted((j,)) if j < D else np.arange(self._starts[j - D], self._starts[j - D + 1])
            for j in columns
        ]
        return np.concatenate(parts).astype(np.intp)

    def lifted_of(self, blocks: Sequence[tuple[int, ...]]) -> list[NDArray[np.intp]]:
        """The same for every block."""
        return [self.lifted(columns) for columns in blocks]

    def own(self, columns: Sequence[int]) -> Floats:
        """(m, m) covariances of the lifted columns of these columns, or of one pair, among themselves."""
        if all(j < self.base.lifting.n_columns for j in columns):
            return self.base.own(columns)
        return self.rows(columns)[:, self.lifted(columns)]

    def owns(self, blocks: Sequence[tuple[int, ...]]) -> Floats:
        """(blocks, m, m) the same for blocks of m lifted columns each."""
        return np.stack([self.own(columns) for columns in blocks])

    @property
    def smooth(self) -> NDArray[np.bool_]:
        """(M,) lifted columns that tests go by: all those of pairs."""
        return np.append(self.base.smooth, np.ones(self._values.shape[1], bool))

    @cached_property
    def leverages(self) -> Floats:
        """(D + pairs,) Σ h² over rows, h the leverage of a row in the lifted columns of a column or a pair."""
        starts = self._starts[:-1] - self._starts[0]
        own = np.diff(self._starts) > 0
        found = np.zeros(len(self.pairs))
        h = np.add.reduceat(self._values**2, starts[own], axis=1) / len(self._values) if own.any() else None
        if h is not None:
            found[own] = (h**2).sum(axis=0)
        return np.concatenate([self.base.leverages, found])

    def rows(self, columns: Sequence[int], against: Any = None) -> Floats:
        """(m, M) covariances of the lifted columns of columns or of pairs with all, those of pairs too."""
        D, N = self.base.lifting.n_columns, self.base.lifting.n_lifted
        if all(j < D for j in columns):
            return np.concatenate([self.base.rows(columns, against), self._all[:, self.lifted(columns)].T], axis=1)
        return self._all[self.lifted(columns) - N]

    def covariances(self, first: int, second: int, pair: int) -> Floats:
        """(m, m) of the functions of two columns and of their products."""
        products = self._values[:, self.lifted((pair,)) - self.base.lifting.n_lifted]
        every = np.concatenate([self.functions(first), self.functions(second), products], axis=1)
        return np.asarray(every.T @ every / len(every))

    def _with_all(self) -> Floats:
        """(products, M) covariances of all products with all lifted columns, those of pairs too."""
        D, n, N = self.base.lifting.n_columns, len(self._values), self.base.lifting.n_lifted
        out = np.empty((self._values.shape[1], N + self._values.shape[1]))
        for start in range(0, D, TOGETHER):
            some = range(start, min(start + TOGETHER, D))
            out[:, self.base.lifted(some)] = self._values.T @ np.concatenate([self.functions(j) for j in some], 1) / n
        out[:, N:] = self._values.T @ self._values / n
        return out
