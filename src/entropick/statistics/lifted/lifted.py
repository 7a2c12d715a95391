"""LiftedStatistics: covariances of lifted columns with each other and with the target, from exact sums of bytes.

What a measure may ask, whatever the memory behind it:

    n, sizes, degrees     weight of the rows; lifted columns of each column, and their degrees
    own(columns)          covariances of the lifted columns of these columns among themselves
    rows(columns)         of these with all, (m, M): computed when asked for, never the whole matrix
    cross, target         with the target forms, (M, q), and of these, (q, q)
    n_order               how many of the target forms are for the order (the others are for tests)
    has_classes, quantity whether the target is classes, or a number (labels are neither)
    at_once               lifted columns whose rows are to be had for the price of one: a pass over the bytes
    information           of every column with the classes by counts, chance taken off
    smooth                lifted columns that are bounded, whatever the column: those that tests go by
    masses, leverages     weight of every class; Σ h² of every column over rows, what rare levels make large

Lifted columns have unit variance here. Sums over rows are whole numbers, so they do not depend on the order of rows, on
blocks or on threads, and equal columns have equal covariances.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...coding.lifted import LARGEST, Lifting
from .part import FIELDS, Products, Question, Targets, TargetSums, Whole, WholeRows, digits_for, shift

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
BATCH = 512  # columns whose groups are gone through together
KEPT = 1 << 28  # bytes of covariances that are kept once they were asked for


class LiftedStatistics:
    """From parts of the rows, wherever they are.

    ask(question): what every part answers, added up. counts (2, groups): rows and weight of every group. heaviest: the
    largest weight in whole numbers; unit: what weight 1 is in them.
    """

    def __init__(
        self,
        ask: Callable[[Question], Any],
        lifting: Lifting,
        counts: Integers,
        forms: tuple[int, bool, bool],
        heaviest: int = 1,
        unit: float = 1.0,
    ) -> None:
        self.lifting = lifting
        self._ask = ask
        self._counts = counts
        self._digits = digits_for(LARGEST * heaviest)
        self._unit = unit
        self.at_once = FIELDS // self._digits
        self.n_order, self.has_classes, self.quantity = forms
        self._kept: dict[tuple[int, ...], Floats] = {}
        self._prepare()

    def _prepare(self) -> None:
        lifting, (rows, mass) = self.lifting, self._counts
        first, last = lifting.group_at[:2]
        self._total = int(mass[first:last].sum())
        self.row_sums = np.zeros(lifting.n_lifted, np.int64)
        self._means = np.zeros(lifting.n_lifted)
        self._scale = np.ones(lifting.n_lifted)
        self._diagonals: dict[int, Floats] = {}
        self._place = np.zeros(lifting.n_columns, np.intp)
        for size in np.unique(lifting.sizes[lifting.sizes > 0]):
            columns = np.flatnonzero(lifting.sizes == size)
            self._place[columns] = np.arange(len(columns))
            parts = [columns[a : a + BATCH] for a in range(0, len(columns), BATCH)]
            self._diagonals[int(size)] = np.concatenate([self._own(part, int(size), rows, mass) for part in parts])

    def _own(self, columns: NDArray[np.intp], size: int, rows: Integers, mass: Integers) -> Floats:
        """(columns, size, size) covariances of each column's lifted columns; means and scales are noted on the way."""
        lifting = self.lifting
        groups = lifting.group_at[columns + 1] - lifting.group_at[columns]
        at = np.append(0, np.cumsum(groups))
        own = np.repeat(np.arange(len(columns)), groups)
        within = np.arange(at[-1]) - at[own]
        place = lifting.group_at[columns][own] + within
        values = [
            lifting.tables[lifting.at[columns, 0][own] + a * groups[own] + within].astype(np.int64) for a in range(size)
        ]
        lifted = lifting.at[columns, 1]
        sums = np.zeros((len(columns), size, size))
        for a, value in enumerate(values):
            self.row_sums[lifted + a] = np.add.reduceat(value * rows[place], at[:-1])
            weighted = value * mass[place]
            self._means[lifted + a] = np.add.reduceat(weighted, at[:-1]) / self._total
            for b in range(a + 1):
                sums[:, a, b] = sums[:, b, a] = np.add.reduceat(weighted * values[b], at[:-1])
        places = lifted[:, None] + np.arange(size)
        means = self._means[places]
        covariances = sums / self._total - means[:, :, None] * means[:, None, :]
        scale = 1.0 / np.sqrt(np.maximum(np.einsum("jaa->ja", covariances), 1e-300))
        self._scale[places] = scale
        return np.asarray(covariances * scale[:, :, None] * scale[:, None, :])

    # -- facts -----------------------------------------------------------------------------------------

    @property
    def n(self) -> float:
        """Weight of the rows."""
        return self._total / self._unit

    def whole(self) -> WholeRows | None:
        """The bytes of all rows, from wherever they are; None where only sums were kept."""
        found: WholeRows | None = self._ask(Whole(self._unit == 1.0))
        return found

    @property
    def sizes(self) -> Integers:
        return self.lifting.sizes

    @property
    def starts(self) -> Integers:
        """(D + 1,) the first lifted column of each column."""
        return self.lifting.at[:, 1]

    @property
    def degrees(self) -> Floats:
        return self.lifting.degrees

    # -- covariances of the columns --------------------------------------------------------------------

    def rows(self, columns: Sequence[int], against: Integers | None = None) -> Floats:
        """(m, M) covariances of the lifted columns of ``columns`` with all (0 where not among ``against``).

        Those with all are kept for the next who asks, as far as `KEPT` goes: order, tests and sets ask for the same.
        """
        if against is None and tuple(columns) in self._kept:
            return self._kept[tuple(columns)]
        asked = np.arange(self.lifting.n_columns) if against is None else np.asarray(against, np.int64)
        sums = self._ask(Products(self.lifting, tuple(columns), asked, self._digits))
        sums = sums - shift(self._digits) * self.row_sums
        own = self.lifted(columns)
        covariances = sums / self._total - np.outer(self._means[own], self._means)
        covariances *= self._scale[own][:, None] * self._scale
        if against is not None:
            mask = np.zeros(self.lifting.n_lifted, bool)
            mask[self.lifted(asked.tolist())] = True
            covariances[:, ~mask] = 0.0
        elif covariances.nbytes * (1 + len(self._kept)) <= KEPT:
            covariances.setflags(write=False)
            self._kept[tuple(columns)] = covariances
        return np.asarray(covariances)

    def owns(self, blocks: Sequence[tuple[int, ...]]) -> Floats:
        """(blocks, m, m) the same for blocks of m lifted columns each."""
        if all(len(columns) == 1 for columns in blocks):
            columns = np.array([columns[0] for columns in blocks])
            return np.asarray(self._diagonals[int(self.sizes[columns[0]])][self._place[columns]])
        return np.stack([self.own(columns) for columns in blocks])

    def own(self, columns: Sequence[int]) -> Floats:
        """(m, m) covariances of the lifted columns of these columns among themselves."""
        if len(columns) == 1:
            size = int(self.sizes[columns[0]])
            return self._diagonals[size][self._place[columns[0]]] if size else np.empty((0, 0))
        return self.rows(columns, np.asarray(columns, np.int64))[:, self.lifted(columns)]

    def lifted(self, columns: Sequence[int]) -> NDArray[np.intp]:
        """(m,) numbers of the lifted columns of these columns."""
        return np.concatenate([np.arange(self.starts[j], self.starts[j + 1]) for j in columns]).astype(np.intp)

    def lifted_of(self, blocks: Sequence[tuple[int, ...]]) -> list[NDArray[np.intp]]:
        """The same for every block."""
        every = np.split(np.arange(self.lifting.n_lifted), self.starts[1:-1])
        return [every[some[0]] if len(some) == 1 else self.lifted(some) for some in blocks]

    @cached_property
    def smooth(self) -> NDArray[np.bool_]:
        """(M,) all but the numbers themselves, which a number as target adds to the polynomials of their ranks."""
        lifting = self.lifting
        out = np.ones(lifting.n_lifted, bool)
        if not self.quantity:
            return out
        for j in np.flatnonzero(lifting.sizes > 1):
            start, stop = lifting.at[j, 1], lifting.at[j + 1, 1]
            after = np.flatnonzero(lifting.degrees[start:stop] > 1)
            if len(after):
                for a in range(int(after[-1]) + 1, int(stop - start)):  # what follows polynomials, missing values apart
                    out[start + a] = (
                        not np.any((table := lifting.table(int(j))[a]) % LARGEST) and table.max() == LARGEST
                    )
        return out

    @cached_property
    def leverages(self) -> Floats:
        """(D,) Σ h² over rows, h the leverage of a row in the column's lifted columns.

        Of the level of a category with c rows, h is 1/c − 1/n; polynomials of ranks have about those of a Gaussian,
        m(m + 2)/n² on average, which is taken for them.
        """
        lifting, mass, n = self.lifting, self._counts[1], self._total
        sizes = lifting.sizes.astype(np.float64)
        out = sizes * (sizes + 2.0) / self.n
        owner = np.repeat(np.arange(len(sizes)), lifting.sizes)
        last = np.full(len(sizes), -1)  # degree of the last one that is tested: 1 of indicators
        last[owner[self.smooth]] = lifting.degrees[self.smooth]
        for j in np.flatnonzero(last == 1):
            own = mass[lifting.group_at[j] : lifting.group_at[j + 1]]
            lifted = slice(lifting.at[j, 1], lifting.at[j + 1, 1])
            tested = self.smooth[lifted]
            values = ((lifting.table(int(j)) - self._means[lifted, None]) * self._scale[lifted, None])[tested]
            covariances = self.own((int(j),))[np.ix_(tested, tested)]
            h = np.einsum("ag,ag->g", values, np.linalg.lstsq(covariances, values, rcond=1e-12)[0]) / n
            out[j] = own @ h**2 * self._unit
        return out

    # -- the target ------------------------------------------------------------------------------------

    @cached_property
    def masses(self) -> Floats:
        """(C,) weight of the rows of every class."""
        return self._target_sums.totals / self._unit

    @cached_property
    def _target_sums(self) -> TargetSums:
        found: TargetSums = self._ask(Targets(self.lifting))
        return found

    @cached_property
    def cross(self) -> Floats:
        """(M, q) covariances of lifted columns with the target forms, in units of the forms."""
        sums = self._target_sums
        means = sums.totals / self._total
        return (sums.lifted / self._total - np.outer(self._means, means)) * self._scale[:, None]

    @cached_property
    def target(self) -> Floats:
        """(q, q) covariances of the target forms."""
        sums = self._target_sums
        means = sums.totals / self._total
        return sums.products / self._total - np.outer(means, means)

    @cached_property
    def target_entropy(self) -> float:
        """H(Y) of classes, nats; 0 for a number."""
        if not self.has_classes:
            return 0.0
        share = self._target_sums.counts[: self.lifting.coarse_at[1]].sum(axis=0) / self._total
        return float(-(share[share > 0] * np.log(share[share > 0])).sum())

    @cached_property
    def information(self) -> Floats:
        """(D,) I(X_j;Y) of the coarse levels with the classes, nats, chance taken off, never below 0."""
        counts = self._target_sums.counts / self._unit
        at, n = self.lifting.coarse_at, self.n
        classes = counts[at[0] : at[1]].sum(axis=0)
        present = max(int(np.count_nonzero(classes)), 1)

        def phi(x: Floats) -> Floats:
            return np.where(x > 0, x * np.log(np.where(x > 0, x, 1.0)), 0.0)

        levels = counts.sum(axis=1)
        by_level = phi(counts).sum(axis=1) - phi(levels)
        total = np.add.reduceat(by_level, at[:-1]) - phi(classes).sum() + phi(np.array(n))
        seen = np.add.reduceat((levels > 0).astype(float), at[:-1])
        return np.asarray(np.maximum(0.0, total / n - (seen - 1) * (present - 1) / (2 * n)))
