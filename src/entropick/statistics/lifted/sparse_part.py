"""SparsePart: bytes of a sparse table as its entries; it answers what `LiftedPart` does, with the same whole numbers.

A column with all others costs the entries of the rows in which it has one itself. See `kernels.lifted_entries`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...coding.entries import CodedEntries
from ...coding.lifted import Lifting
from ...kernels.lifted_entries import add_common, complete_products, lift_counts, lift_values
from ...kernels.postings import count_margins
from ...threads import parallel
from .forms import TargetForms
from .part import TargetSums, shift

Integers = NDArray[np.int64]
SHARE = 1024  # columns that a thread takes at a time


@dataclass(frozen=True, eq=False)
class EntryBytes:
    """Bytes (D, n) of entries, written out column by column, or for a range of columns."""

    entries: CodedEntries

    @property
    def shape(self) -> tuple[int, int]:
        return self.entries.n_columns, self.entries.n_rows

    def __len__(self) -> int:
        return self.entries.n_columns

    def __getitem__(self, at: int | slice) -> NDArray[np.uint8]:
        if isinstance(at, slice):
            start, stop, _ = at.indices(len(self))
            return np.asarray(self.entries.by_column(start, stop))
        return np.asarray(self.entries.column(at))


@dataclass(frozen=True, eq=False)
class SparsePart:
    """entries: one byte each; weights (n,) whole numbers, or None where every row counts once; as `LiftedPart`."""

    entries: CodedEntries
    forms: TargetForms
    weights: Integers | None
    sums: NDArray[np.float64]
    threads: int = 1

    @property
    def n_rows(self) -> int:
        return self.entries.n_rows

    @property
    def codes(self) -> Any:
        """(D, n) all bytes, of which only those that somebody looks at are written out."""
        return EntryBytes(self.entries)

    def _share(self, work: Callable[[int, int], None]) -> None:
        n = self.entries.n_columns
        parallel(lambda first: work(first, min(first + SHARE, n)), range(0, n, SHARE), self.threads)

    def _margins(self, classes: NDArray[np.int32], n_classes: int, weights: Integers, first: int, last: int) -> Any:
        """(counts of columns first … last − 1 by class and group, where each column's begin)."""
        entries = self.entries
        totals = np.zeros(n_classes, np.int64)
        np.add.at(totals, classes, weights if weights.size else 1)
        assert entries.levels is not None
        own = entries.levels[first:last] * n_classes
        at = np.zeros(entries.n_columns + 1, np.int64)
        at[first + 1 : last + 1] = np.cumsum(own)
        counts = np.zeros(int(own.sum()), np.int64)
        count_margins(
            entries.at, entries.rows, entries.codes, entries.base, classes, weights, totals, first, last, at,
            entries.levels, counts,
        )  # fmt: skip
        return counts, at

    def counts(self, group_at: Integers) -> Integers:
        """(2, groups) rows of every group, and their weight."""
        out = np.empty((2, int(group_at[-1])), np.int64)
        together = np.zeros(self.n_rows, np.int32)

        def count(first: int, last: int) -> None:
            some = slice(int(group_at[first]), int(group_at[last]))
            out[0, some], _ = self._margins(together, 1, np.empty(0, np.int64), first, last)
            out[1, some] = out[0, some]
            if self.weights is not None:
                out[1, some], _ = self._margins(together, 1, self.weights, first, last)

        self._share(count)
        return out

    def target_sums(self, lifting: Lifting) -> TargetSums:
        """Every lifted column with every target form."""
        forms, entries = self.forms, self.entries
        weights = np.empty(0, np.int64) if self.weights is None else self.weights
        lifted = np.zeros((lifting.n_lifted, forms.n_classes), np.int64)
        counts = np.zeros((int(lifting.coarse_at[-1]), forms.n_classes), np.int64)
        if forms.classes is not None:
            classes = forms.classes

            def count(first: int, last: int) -> None:
                found, at = self._margins(classes, forms.n_classes, weights, first, last)
                lift_counts(
                    found, at, forms.n_classes, first, last, lifting.group_at, lifting.at, lifting.tables,
                    lifting.coarse, lifting.coarse_at, lifted, counts,
                )  # fmt: skip

            self._share(count)
            totals = np.bincount(classes, self.weights, forms.n_classes).astype(np.float64)
        if forms.values is None:
            return TargetSums(lifted, counts, totals, np.diag(totals))
        values = forms.values if self.weights is None else forms.values * self.weights
        lifted = np.zeros((lifting.n_lifted, len(values)), np.int64)
        sums = values.sum(axis=1)
        self._share(
            lambda first, last: lift_values(
                entries.at, entries.rows, entries.codes, entries.base, values, sums, first, last, lifting.group_at,
                lifting.at, lifting.tables, lifted,
            )
        )  # fmt: skip
        scaled, weighted = forms.values.astype(np.float64), values.astype(np.float64)
        return TargetSums(lifted, counts, weighted.sum(axis=1), weighted @ scaled.T)

    def products(self, lifting: Lifting, columns: Sequence[int], against: Integers, digits: int) -> Integers:
        """(m of columns, M) Σ (value + shift) · lifted value, as `LiftedPart.products` has it; with all columns."""
        rows, mass = self._sums_of(lifting)
        found = np.concatenate([self._products(lifting, j, mass) for j in columns])
        return np.asarray(found + shift(digits) * rows)

    def _products(self, lifting: Lifting, column: int, mass: Integers) -> Integers:
        entries, cells = self.entries, self.entries.cells
        held = slice(entries.at[column], entries.at[column + 1])
        table = lifting.table(column).astype(np.int64)
        at_zero = np.ascontiguousarray(table[:, entries.base[column]])
        rows, codes = entries.rows[held], entries.codes[held]
        there = np.flatnonzero(codes != entries.base[column])
        rows, codes = rows[there], codes[there]
        above = np.ascontiguousarray((table[:, codes] - at_zero[:, None]).T)
        if self.weights is not None:
            above *= self.weights[rows][:, None]
        tally = np.zeros((int(cells.spot[-1]) + 1, len(table)), np.int64)
        add_common(cells.at, cells.cells, rows, above, tally)
        out = np.empty((len(table), lifting.n_lifted), np.int64)
        total = above.sum(axis=0)
        self._share(
            lambda first, last: complete_products(
                tally, entries.base, cells.spot, total, at_zero, mass, first, last, lifting.group_at, lifting.at,
                lifting.tables, out,
            )
        )  # fmt: skip
        return out

    def _sums_of(self, lifting: Lifting) -> tuple[Integers, Integers]:
        """(M,) sums over rows of every lifted column, and the weighted ones; kept for the next pick."""
        kept = self.__dict__.get("_kept")
        if kept is None or kept[0] is not lifting:
            counts = self.counts(lifting.group_at)
            sums = np.zeros((2, lifting.n_lifted), np.int64)
            no_levels = np.zeros((int(lifting.coarse_at[-1]), 1), np.int64)
            for of, own in zip(counts, sums, strict=True):
                lift_counts(
                    of, lifting.group_at, 1, 0, lifting.n_columns, lifting.group_at, lifting.at, lifting.tables,
                    lifting.coarse, lifting.coarse_at, own[:, None], no_levels,
                )  # fmt: skip
            kept = (lifting, sums[0], sums[1])
            object.__setattr__(self, "_kept", kept)
        return kept[1], kept[2]
