"""ByteCoder: every column as one byte an entry. Fitted once, applied block by block."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidInput
from ..sources import Table
from ..threads import parallel
from .binning import quantile_edges
from .byte_entries import byte_entries, group_sums, learn_byte_entries
from .byte_rules import (
    GROUPS,
    ByteRule,
    LabelGroups,
    NumberGroups,
    label_groups,
    most_groups,
    number_groups,
)
from .entries import CodedEntries
from .shared import Shared

Array = NDArray[Any]
TOGETHER = 32  # columns taken out of the rows at a time


class ByteCoder:
    """Rules of all columns, and the bytes they give.

    Attributes (after `fit` or `adopt`): ``names``, ``kinds``, ``rules``, ``missing`` (n_columns,) rows without a value.
    """

    names: tuple[str, ...]
    kinds: tuple[str, ...]
    rules: Shared[ByteRule]
    missing: NDArray[np.int64]

    def adopt(
        self, names: Sequence[str], kinds: Sequence[str], rules: Sequence[ByteRule], missing: NDArray[np.int64]
    ) -> ByteCoder:
        """Take over rules that were found elsewhere."""
        self.names, self.kinds, self.rules, self.missing = tuple(names), tuple(kinds), Shared.of(rules), missing
        return self

    @property
    def groups(self) -> NDArray[np.int64]:
        """(n_columns,) groups of each column."""
        return self.rules.array(lambda rule: rule.groups)

    def fit_codes(
        self, table: Table, weights: NDArray[np.float64] | None, threads: int, *, sums: bool = False
    ) -> tuple[Array, NDArray[np.float64]]:
        """Learn the groups of every column and give its bytes and sums as in `codes`: each column is read once."""
        rules: list[Any] = [None] * table.n_columns
        missing = np.zeros(table.n_columns, np.int64)

        def learn(j: int, values: Array) -> ByteRule:
            fit = _fit_labels if table.kind(j) == "category" else fit_numbers
            rule, missing[j] = fit(values, weights)
            rules[j] = rule
            return rule

        found = _coded(table, learn, weights, threads, sums)
        self.adopt(table.names, [table.kind(j) for j in range(table.n_columns)], rules, missing)
        return found

    def fit_entries(
        self, table: Table, weights: NDArray[np.float64] | None, threads: int, *, sums: bool = False
    ) -> tuple[CodedEntries, NDArray[np.float64]] | None:
        """The same for a sparse table, at the cost of its entries; None of any other."""
        if table.csc is None:
            return None
        rules, missing = learn_byte_entries(table, threads, weights)
        self.adopt(table.names, table.kinds, rules, missing)
        entries = byte_entries(table, rules, table.names, threads)
        at = np.append(0, np.cumsum(self.groups)).astype(np.int64)
        return entries, group_sums(table, entries, at, weights) if sums else np.empty(0)

    def codes(
        self, table: Table, weights: NDArray[np.float64] | None, threads: int, *, sums: bool = False
    ) -> tuple[Array, NDArray[np.float64]]:
        """(n_columns, n_rows) uint8 of a block with the fitted columns.

        And, where ``sums`` are asked for, Σ weight · value of every group of numbers, one column after another.
        """
        if table.csc is not None and not sums:
            return byte_entries(table, self.rules, self.names, threads).by_column(0, table.n_columns), np.empty(0)
        return _coded(table, lambda j, _: self.rules[j], weights, threads, sums)

    def refuse_missing(self) -> None:
        """An error where any value is missing, for ``missing="error"``."""
        if self.missing.any():
            j = int(np.argmax(self.missing > 0))
            raise InvalidInput(
                f"X: Input X contains NaN: column {self.names[j]!r} has {self.missing[j]} missing value(s); fill them,"
                " or pass missing='level' to treat them as a category"
            )


def _coded(
    table: Table,
    rule_of: Callable[[int, Array], ByteRule],
    weights: NDArray[np.float64] | None,
    threads: int,
    sums: bool,
) -> tuple[Array, NDArray[np.float64]]:
    codes = np.empty((table.n_columns, table.n_rows), np.uint8)
    totals: list[Any] = [np.empty(0)] * table.n_columns

    def work(part: range) -> None:
        for j, values in _columns(table, part):
            rule = rule_of(j, values)
            if table.kind(j) == "category":
                _encode_labels(values, rule, codes[j])
            else:
                _encode_numbers(values, rule, table.names[j], codes[j])
            if sums:
                totals[j] = _group_sums(values, rule, codes[j], weights)

    parallel(work, _parts(table.n_columns), threads)
    return codes, np.concatenate(totals)


def _group_sums(
    values: Array, rule: ByteRule, codes: Array, weights: NDArray[np.float64] | None
) -> NDArray[np.float64]:
    """(groups,) Σ weight · value; 0 for labels and for missing values."""
    if isinstance(rule, LabelGroups):
        return np.zeros(rule.groups)
    held = np.nan_to_num(values.astype(np.float64)) if rule.missing >= 0 or rule.distinct == 0 else values
    return np.bincount(codes, held if weights is None else held * weights, rule.groups).astype(np.float64, copy=False)


def _parts(n_columns: int) -> list[range]:
    return [range(start, min(start + TOGETHER, n_columns)) for start in range(0, n_columns, TOGETHER)]


def _columns(table: Table, part: range) -> list[tuple[int, Array]]:
    """Columns as contiguous values."""
    if table.matrix is not None:
        block = np.ascontiguousarray(table.matrix[:, part.start : part.stop].T)
        short = block.dtype.kind == "f" and block.dtype.itemsize <= 4
        block = block.astype(np.float32 if short else np.float64, copy=False)
        return list(zip(part, block, strict=True))
    found = ((j, table.column(j)) for j in part)
    return [(j, v if table.kind(j) == "category" else v.astype(np.float64, copy=False)) for j, v in found]


def fit_numbers(values: Array, weights: NDArray[np.float64] | None) -> tuple[NumberGroups, int]:
    """The groups of (n,) numbers, NaN where missing, and how many are."""
    from ..kernels.lifted import cut_groups

    edges = np.empty(GROUPS)
    n_edges, held, distinct = cut_groups(np.sort(values), GROUPS, edges)
    gone = len(values) - held
    if weights is not None and distinct > GROUPS:
        there = ~np.isnan(values)
        room = most_groups(gone > 0)
        return number_groups(
            None, quantile_edges(values[there].astype(np.float64), room, weights[there]), gone > 0
        ), gone
    return NumberGroups(edges[:n_edges].copy(), n_edges + 1 if gone and held else -1, distinct), gone


def number_codes(values: Array, rule: NumberGroups, name: str) -> NDArray[np.uint8]:
    """(n,) the groups of numbers."""
    out = np.empty(len(values), np.uint8)
    _encode_numbers(values, rule, name, out)
    return out


def _encode_numbers(values: Array, rule: ByteRule, name: str, out: Array) -> None:
    from ..kernels.lifted import search_groups

    if not isinstance(rule, NumberGroups):
        if np.isnan(values).all():  # of a category of which this block has no value
            out[:] = max(rule.missing, 0)
            return
        raise InvalidInput(f"X: column {name!r} must be categorical, as when fitted, got numbers")
    if rule.distinct == 0:
        out[:] = 0
        return
    edges = np.full(GROUPS, np.inf)
    edges[: len(rule.edges)] = rule.edges
    if search_groups(values, edges, rule.missing, out):
        raise InvalidInput(f"X: column {name!r} contains NaN, but had none when the coding was fitted")


def _fit_labels(values: Array, weights: NDArray[np.float64] | None) -> tuple[LabelGroups, int]:
    import pandas as pd

    codes, found = pd.factorize(values)
    there = codes >= 0
    gone = int(len(codes) - np.count_nonzero(there))
    mass = np.bincount(codes[there], None if weights is None else weights[there], len(found))
    return label_groups(found.tolist(), mass.tolist(), gone > 0), gone


def _encode_labels(values: Array, rule: ByteRule, out: Array) -> None:
    import pandas as pd

    if not isinstance(rule, LabelGroups):
        raise InvalidInput("X: a column must be numeric, as when the coding was fitted, got categories")
    codes, found = pd.factorize(values)
    groups = np.array([*(rule.position.get(label, max(rule.other, 0)) for label in found), max(rule.missing, 0)])
    out[:] = groups[codes]
