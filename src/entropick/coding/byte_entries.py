"""Bytes of a sparse table from its entries: the groups that `ByteCoder` finds in the dense table, and their codes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidInput
from ..sources import Table
from ..threads import parallel
from .binning import quantile_edges
from .byte_rules import GROUPS, ByteRule, LabelGroups, NumberGroups, most_groups, number_groups
from .entries import CodedEntries, chunk_values, ordered_values, portions
from .shared import Shared

Array = NDArray[Any]
COLUMNS = 4096  # cut together
FINE = 2.0**20  # weights of classes are whole parts of 1 / FINE


def learn_byte_entries(
    table: Table, threads: int, weights: NDArray[np.float64] | None = None
) -> tuple[Shared[ByteRule], NDArray[np.int64]]:
    """The groups of every column, and how many of its values are missing."""
    from ..kernels.entries import cut_entries, tell_numbers

    csc, exact = table.csc, weights is None or _exact(weights)
    known: list[NumberGroups] = []
    places: dict[Any, int] = {}
    which, missing = np.empty(table.n_columns, np.int32), np.zeros(table.n_columns, np.int64)
    for start, stop in portions(csc.indptr, columns=COLUMNS):
        values, at = chunk_values(csc, start, stop)
        values, n = values.astype(np.float64, copy=False), stop - start
        negative, positive, gone = np.empty((3, n), np.int64)
        tell_numbers(values, at, negative, positive, gone, np.empty(n))
        ordered, into = ordered_values(values, at, np.arange(n), negative + positive, threads)
        edges = np.empty((n, GROUPS))
        n_edges, distinct = np.empty((2, n), np.int64)
        held = csc.shape[0] - gone
        cut_entries(ordered, into, negative, held, gone, GROUPS, edges, n_edges, distinct)
        missing[start:stop] = gone
        for j in range(n):
            if weights is not None and distinct[j] > GROUPS:
                which[start + j] = len(known)
                known.append(_weighted_groups(table, start + j, weights, exact))
                continue
            own, apart = edges[j, : n_edges[j]], bool(gone[j] and held[j])
            key = own.tobytes(), apart, int(distinct[j])
            if key not in places:
                places[key] = len(known)
                known.append(NumberGroups(own.copy(), len(own) + 1 if apart else -1, key[2]))
            which[start + j] = places[key]
    return Shared(known, which), missing


def _weighted_groups(table: Table, column: int, weights: NDArray[np.float64], exact: bool) -> NumberGroups:
    """The groups of a column of many values; zeros are one value of their weight together, if sums are ``exact``."""
    csc, own = table.csc, weights
    if exact:
        some = slice(csc.indptr[column], csc.indptr[column + 1])
        values, own = csc.data[some].astype(np.float64), weights[csc.indices[some]]
        zeros = float(weights.sum() - own.sum())
        if zeros:
            values, own = np.append(values, 0.0), np.append(own, zeros)
    else:
        values = table.column(column).astype(np.float64)
    there = ~np.isnan(values)
    gone = not there.all()
    return number_groups(None, quantile_edges(values[there], most_groups(gone), own[there]), gone)


def _exact(weights: NDArray[np.float64]) -> bool:
    """Whether weights are whole parts of one number, so few that none of their sums is rounded."""
    parts = weights * FINE
    return bool(parts.sum() < 2.0**53 / GROUPS and (parts == np.rint(parts)).all())


def byte_entries(table: Table, rules: Sequence[ByteRule], names: Sequence[str], threads: int) -> CodedEntries:
    """The bytes of a sparse table by its rules."""
    from ..kernels.entries import code_numbers

    csc, shared = table.csc, Shared.of(rules)
    for rule in shared.known:
        if isinstance(rule, LabelGroups):
            j = int(np.argmax([isinstance(one, LabelGroups) for one in shared]))
            raise InvalidInput(f"X: column {names[j]!r} must be categorical, as when fitted, got numbers")
    known: list[Any] = list(shared.known)
    edges_at = np.cumsum([0, *(len(rule.edges) for rule in known)], dtype=np.int64)
    edges = np.concatenate([rule.edges for rule in known])
    missing = np.array([rule.missing if rule.distinct else -2 for rule in known], np.int64)
    at = csc.indptr.astype(np.int64)
    codes = np.empty(int(at[-1]), np.uint8)

    def work(part: tuple[int, int]) -> int:
        values, own_at = chunk_values(csc, *part)
        own = codes[at[part[0]] : at[part[1]]]
        numbers, which = values.astype(np.float64, copy=False), shared.which[part[0] : part[1]]
        found = code_numbers(numbers, own_at, which, edges_at, edges, missing, own)
        return part[0] + int(found) if found >= 0 else table.n_columns

    unknown = min(parallel(work, portions(at), threads), default=table.n_columns)
    if unknown < table.n_columns:
        raise InvalidInput(f"X: column {names[unknown]!r} contains NaN, but had none when the coding was fitted")
    zero = np.array([0 if rule.distinct == 0 else int(np.searchsorted(rule.edges, 0.0)) for rule in known])
    base = zero[shared.which].astype(np.uint8)
    levels = shared.array(lambda rule: rule.groups)
    return CodedEntries(table.n_rows, at, np.asarray(csc.indices, np.int32), codes, base, levels)


def group_sums(
    table: Table, entries: CodedEntries, group_at: NDArray[np.int64], weights: NDArray[np.float64] | None
) -> NDArray[np.float64]:
    """Σ weight · value of every group, one column after another; zeros add nothing."""
    from ..kernels.lifted_entries import sum_groups

    out = np.zeros(int(group_at[-1]))
    held = np.empty(0) if weights is None else np.ascontiguousarray(weights, np.float64)
    for start, stop in portions(entries.at):
        values, at = chunk_values(table.csc, start, stop)
        some = slice(entries.at[start], entries.at[stop])
        sum_groups(
            values.astype(np.float64, copy=False), at, entries.rows[some], entries.codes[some], held,
            group_at[start : stop + 1], out,
        )  # fmt: skip
    return out


def with_columns(entries: CodedEntries, codes: Array, groups: NDArray[np.int64]) -> CodedEntries:
    """The entries, and after them columns of bytes (k, n) all of whose rows are entries."""
    k, n = codes.shape
    at = np.append(entries.at, entries.at[-1] + n * np.arange(1, k + 1))
    assert entries.levels is not None
    return CodedEntries(
        n, at, np.concatenate([entries.rows, np.tile(np.arange(n, dtype=np.int32), k)]),
        np.concatenate([entries.codes, codes.reshape(-1)]), np.append(entries.base, np.zeros(k, np.uint8)),
        np.append(entries.levels, groups),
    )  # fmt: skip
