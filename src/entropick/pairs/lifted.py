"""Columns for products: polynomials of ranks for numbers, contrasts of levels for others, from one byte an entry."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..coding.byte_coder import ByteCoder
from ..coding.lifted import Lifting, group_starts, lift
from ..sources import Table
from ..threads import parallel
from .columns import LevelColumns

Floats = NDArray[np.float64]
PRODUCTS = 2  # of a number in products: degrees 1 and 2
BATCH = 64


@dataclass(frozen=True, eq=False)
class LiftedGroup:
    """Columns with the same number of functions in products: ``columns`` (d,), ``values`` (m, d, n) float32."""

    columns: NDArray[np.int64]
    values: NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class NumberBytes:
    """Numbers as groups of their ranks: ``columns`` (d,) in the table, ``codes`` (d, n), and how they are lifted."""

    columns: NDArray[np.int64]
    codes: NDArray[np.uint8]
    lifting: Lifting
    places: NDArray[np.int64]  # (d,) of the columns in ``lifting``

    def functions(self, place: int) -> Floats:
        """(m, G) values of the functions of one column in each of its groups, of mean 0 and variance 1 on the rows."""
        table = self.lifting.table(int(self.places[place])).astype(np.float64)
        share = np.bincount(self.codes[place], minlength=table.shape[1]) / self.codes.shape[1]
        table = table - (table @ share)[:, None]
        return np.asarray(table / np.sqrt(np.maximum(table**2 @ share, 1e-300))[:, None])


def number_bytes(table: Table, numbers: NDArray[np.int64], threads: int) -> NumberBytes:
    """The groups and functions of these columns of a table."""
    part = table.select([int(j) for j in numbers]) if len(numbers) < table.n_columns else table
    coder = ByteCoder()
    codes = coder.fit_codes(part, None, threads)[0]
    starts = group_starts(coder.rules)
    counts = [np.bincount(codes[j], minlength=int(starts[j + 1] - starts[j])) for j in range(len(codes))]
    lifting = lift(coder.rules, np.concatenate(counts).astype(np.float64))
    return NumberBytes(numbers, codes, lifting, np.arange(len(numbers)))


def contrasts(codes: NDArray[Any], levels: int) -> Floats:
    """(levels − 1, n) orthonormal columns that tell the levels apart."""
    shares = np.bincount(codes, minlength=levels) / len(codes)
    own = np.flatnonzero(shares > 0)
    root = np.sqrt(shares[own])
    # an orthonormal basis of what is orthogonal to √p: a contrast takes the value basis / √p on each level
    basis = np.linalg.svd(np.eye(own.size) - np.outer(root, root))[0][:, : own.size - 1]
    table = np.zeros((own.size - 1, levels))
    table[:, own] = (basis / root[:, None]).T
    return table[:, codes]


class Lifted:
    """All columns of a scan, lifted: in groups for products, and one at a time for tests.

    ``order`` (n,) is the order of rows; ``levels`` are those that are no numbers.
    """

    def __init__(
        self, numbers: NumberBytes | None, levels: LevelColumns, order: NDArray[np.int64], threads: int
    ) -> None:
        self.numbers, self.levels, self.order = numbers, levels, order
        self._place = {} if numbers is None else {int(j): k for k, j in enumerate(numbers.columns)}
        self.groups = (*self._number_groups(threads), *self._level_groups())

    def _number_groups(self, threads: int) -> list[LiftedGroup]:
        if self.numbers is None or not len(self.numbers.columns):
            return []
        numbers = self.numbers
        out = np.zeros((PRODUCTS, len(numbers.columns), len(self.order)), np.float32)

        def fill(start: int) -> None:
            for place in range(start, min(start + BATCH, len(numbers.columns))):
                table = numbers.functions(place)[:PRODUCTS].astype(np.float32)
                out[: len(table), place] = table[:, numbers.codes[place][self.order]]

        parallel(fill, range(0, len(numbers.columns), BATCH), threads)
        return [LiftedGroup(numbers.columns, out)]

    def _level_groups(self) -> list[LiftedGroup]:
        groups = []
        sizes = self.levels.levels
        for size in np.unique(sizes[sizes > 1]):
            at = np.flatnonzero(sizes == size)
            values = np.stack([contrasts(self.levels.codes[k], int(size))[:, self.order] for k in at], 1)
            groups.append(LiftedGroup(self.levels.columns[at], values.astype(np.float32)))
        return groups

    def block(self, column: int, order: NDArray[np.int64]) -> tuple[Floats, int]:
        """(n, m) all functions of one column, rows in this order, and how many of the first go into products."""
        if column not in self._place:
            at = int(np.searchsorted(self.levels.columns, column))
            values = contrasts(self.levels.codes[at], int(self.levels.levels[at]))[:, order].T
            return values, values.shape[1]
        assert self.numbers is not None
        place = self._place[column]
        block = self.numbers.functions(place)[:, self.numbers.codes[place][order]].T
        return block, min(PRODUCTS, block.shape[1])
