"""LiftedPart: bytes of some rows, and the sums that are asked of them. Sums of parts add up to those of all rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ...coding.lifted import Lifting
from ...threads import parallel
from .forms import TargetForms

Integers = NDArray[np.int64]
SHARE = 16  # columns that a thread takes at a time, at least,
ENTRIES = 1 << 17  # and entries, so that calls are few
REPEATED = 16  # times as many rows as there are, where weights are rows
FIELDS = 12  # sums that one pass over the bytes makes, see `kernels.lifted`


@dataclass(frozen=True, eq=False)
class TargetSums:
    """Sums over rows: (M, q) of lifted columns times target forms, and (levels, q) counts by class.

    ``totals`` (q,) of the forms themselves, ``products`` (q, q) of one with another.
    """

    lifted: Integers
    counts: Integers
    totals: NDArray[np.float64]
    products: NDArray[np.float64]

    def __add__(self, other: TargetSums) -> TargetSums:
        return TargetSums(
            self.lifted + other.lifted, self.counts + other.counts, self.totals + other.totals,
            self.products + other.products,
        )  # fmt: skip


class Part(Protocol):
    """What questions ask of some rows: `LiftedPart`, or the entries of a sparse table."""

    @property
    def codes(self) -> NDArray[np.uint8]: ...
    @property
    def forms(self) -> TargetForms: ...
    @property
    def weights(self) -> Integers | None: ...
    @property
    def sums(self) -> NDArray[np.float64]: ...
    @property
    def n_rows(self) -> int: ...
    def counts(self, group_at: Integers) -> Integers: ...
    def target_sums(self, lifting: Lifting) -> TargetSums: ...
    def products(self, lifting: Lifting, columns: Sequence[int], against: Integers, digits: int) -> Integers: ...


@dataclass(frozen=True, eq=False)
class LiftedPart:
    """codes (D, n) uint8; weights (n,) whole numbers, or None where every row counts once."""

    codes: NDArray[np.uint8]
    forms: TargetForms
    weights: Integers | None
    sums: NDArray[np.float64]  # (groups,) Σ weight · value of every group; empty where nobody asks
    threads: int = 1

    @property
    def n_rows(self) -> int:
        return int(self.codes.shape[1])

    def _weights(self) -> Integers:
        return np.empty(0, np.int64) if self.weights is None else self.weights

    def _ranges(self, n: int) -> list[tuple[int, int]]:
        share = max(SHARE, ENTRIES // max(self.n_rows, 1))
        return [(a, min(a + share, n)) for a in range(0, n, share)]

    def counts(self, group_at: Integers) -> Integers:
        """(2, groups) rows of every group, and their weight."""
        from ...kernels.lifted import count_groups

        rows, mass = np.zeros((2, int(group_at[-1])), np.int64)
        parallel(
            lambda part: count_groups(self.codes, self._weights(), *part, group_at, rows, mass),
            self._ranges(len(self.codes)),
            self.threads,
        )
        return np.stack([rows, rows if self.weights is None else mass])

    def target_sums(self, lifting: Lifting) -> TargetSums:
        """Every lifted column with every target form."""
        from ...kernels.lifted import class_sums, value_sums

        forms, weights = self.forms, self._weights()
        at, tables = lifting.at, lifting.tables
        lifted = np.zeros((lifting.n_lifted, forms.n_classes), np.int64)
        counts = np.zeros((int(lifting.coarse_at[-1]), forms.n_classes), np.int64)
        if forms.classes is not None:
            parallel(
                lambda part: class_sums(
                    self.codes, forms.classes, weights, forms.n_classes, *part, lifting.group_at, at, tables,
                    lifting.coarse, lifting.coarse_at, lifted, counts,
                ),
                self._ranges(len(self.codes)),
                self.threads,
            )  # fmt: skip
            totals = np.bincount(forms.classes, self.weights, forms.n_classes).astype(np.float64)
        if forms.values is None:
            return TargetSums(lifted, counts, totals, np.diag(totals))
        values = forms.values if self.weights is None else forms.values * self.weights
        lifted = np.zeros((lifting.n_lifted, len(values)), np.int64)
        parallel(
            lambda part: value_sums(self.codes, values, *part, lifting.group_at, at, tables, lifted),
            self._ranges(len(self.codes)),
            self.threads,
        )
        scaled = forms.values.astype(np.float64)
        weighted = values.astype(np.float64)
        return TargetSums(lifted, counts, weighted.sum(axis=1), weighted @ scaled.T)

    def products(self, lifting: Lifting, columns: Sequence[int], against: Integers, digits: int) -> Integers:
        """(m of columns, M) of `products_with` for the lifted columns of some columns."""
        values = np.concatenate([lifting.table(j)[:, self.codes[j]] for j in columns]).astype(np.int64)
        return self.products_with(values if self.weights is None else values * self.weights, lifting, against, digits)

    def products_with(self, values: Integers, lifting: Lifting, against: Integers, digits: int) -> Integers:
        """(len(values), M) Σ (value + shift) · lifted value, for whole numbers (m, n), one a row.

        Numbers are taken apart into ``digits`` bytes from −128 to 127, so many that the largest fits, and each byte is
        shifted to 0 … 255: the sums have `shift(digits)` · Σ lifted value too much. Where a column is not among those
        asked ``against`` the result is 0.
        """
        from ...kernels.lifted import FIELD, SHIFT, WORDS

        fields: list[tuple[int, int, Integers]] = []  # place, factor, bytes
        for place, own in enumerate(values):
            for d in range(digits):
                digit = (own + SHIFT) % 256 - SHIFT if digits > 1 else own
                fields.append((place, 256**d, digit + SHIFT))
                own = (own - digit) // 256 if digits > 1 else own
        out = np.zeros((len(values), lifting.n_lifted), np.int64)
        for start in range(0, len(fields), FIELDS):
            some = fields[start : start + FIELDS]
            packed = np.zeros((self.n_rows, WORDS), np.int64)
            for f, (_, _, byte) in enumerate(some):
                packed[:, f % WORDS] |= byte << (FIELD * (f // WORDS))
            sums = np.zeros((lifting.n_lifted, FIELDS), np.int64)
            parallel(
                partial(_add_products, self.codes, packed.reshape(-1), against, lifting, sums),
                self._ranges(len(against)),
                self.threads,
            )
            for f, (place, factor, _) in enumerate(some):
                out[place] += factor * sums[:, f]
        return out


def _add_products(
    codes: NDArray[Any], packed: NDArray[np.int64], against: Any, lifting: Any, sums: Any, part: tuple[int, ...]
) -> None:
    from ...kernels.lifted import product_sums

    product_sums(codes, packed, against, *part, lifting.group_at, lifting.at, lifting.tables, sums)


def shift(digits: int) -> int:
    """What `LiftedPart.products_with` adds to every number."""
    return int(128 * ((256**digits - 1) // 255))


def digits_for(largest: int) -> int:
    """Bytes from −128 to 127 that hold every whole number from −largest to largest."""
    digits = 1
    while largest > 127 * ((256**digits - 1) // 255):
        digits += 1
    return digits


# -- questions, which can be sent to where the parts are ------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Counts:
    group_at: Integers

    def __call__(self, part: Part) -> Integers:
        return part.counts(self.group_at)


@dataclass(frozen=True, eq=False)
class Targets:
    lifting: Lifting

    def __call__(self, part: Part) -> TargetSums:
        return part.target_sums(self.lifting)


@dataclass(frozen=True, eq=False)
class Products:
    lifting: Lifting
    columns: tuple[int, ...]
    against: Integers
    digits: int

    def __call__(self, part: Part) -> Integers:
        return part.products(self.lifting, self.columns, self.against, self.digits)


@dataclass(frozen=True)
class Sums:
    def __call__(self, part: Part) -> NDArray[np.float64]:
        return part.sums


@dataclass(frozen=True, eq=False)
class WholeRows:
    """All bytes of some parts, and their targets: classes (n,), or values (q, n); None where rows are weighted."""

    codes: NDArray[np.uint8]
    targets: NDArray[Any]
    weighted: bool

    def __add__(self, other: WholeRows) -> WholeRows:
        return WholeRows(
            np.concatenate([self.codes, other.codes], axis=1),
            np.concatenate([self.targets, other.targets], axis=-1),
            self.weighted or other.weighted,
        )


@dataclass(frozen=True, eq=False)
class Whole:
    """The rows themselves, for what sums cannot tell: products of columns.

    A row of weight 2 is there twice, where weights are ``counts`` of rows and not very large.
    """

    counts: bool = False

    def __call__(self, part: Part) -> WholeRows:
        forms = part.forms
        targets = forms.classes if forms.classes is not None else forms.values
        assert targets is not None
        if self.counts and part.weights is not None and part.weights.sum() <= REPEATED * part.n_rows:
            return WholeRows(np.repeat(part.codes, part.weights, axis=1), np.repeat(targets, part.weights, -1), False)
        return WholeRows(part.codes, targets, part.weights is not None)


Question = Counts | Targets | Products | Sums | Whole


def added(one: Any, other: Any) -> Any:
    """Answers of two parts as one."""
    return one + other
