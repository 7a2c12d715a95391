"""Rules × entries -> codes of a sparse table: the twin of `encode`, at the cost of what is not zero."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidInput
from ..sources import Table
from ..threads import parallel
from .encode import encode_numbers, unknown_value
from .entries import CodedEntries, chunk_values, portions
from .rules import Bins, Labels, Levels, Rule, Single
from .shared import Shared

Array = NDArray[Any]
EXACT = 2**53  # whole numbers below it are floats as well
ANYTHING = -2  # in place of the level of missing values: one level for all


def encode_entries(
    table: Table,
    start: int,
    stop: int,
    rules: Shared[Rule],
    levels: NDArray[np.int64],
    names: Sequence[str],
    threads: int,
) -> CodedEntries:
    """Columns start to stop of a sparse table, of so many levels each; a value unknown to its rule is an error."""
    csc, which = table.csc, rules.which[start:stop]
    used = np.flatnonzero(np.bincount(which, minlength=len(rules.known)))
    of = _places(used, len(rules.known))[which]
    known = [rules.known[i] for i in used]
    if any(isinstance(rule, Labels) for rule in known):
        j = start + int(np.argmax([isinstance(rules[j], Labels) for j in range(start, stop)]))
        raise InvalidInput(f"X: column {names[j]!r} must be categorical, as when fitted, got numbers")
    at = csc.indptr[start : stop + 1].astype(np.int64)
    dtype = np.uint16 if max((rule.levels for rule in known), default=1) > 256 else np.uint8
    codes = np.empty(int(at[-1] - at[0]), dtype)
    zero = _code_of_zero(known, csc.dtype)
    base = zero[of]
    short = np.flatnonzero((base < 0) & (np.diff(at) < csc.shape[0]))
    if short.size:
        j = start + int(short[0])
        raise unknown_value(table.column(j), rules[j], names[j])
    coded = _Rules(known, csc.dtype.kind == "f")

    def work(part: tuple[int, int]) -> int:
        first, last = part
        values, own_at = chunk_values(csc, start + first, start + last)
        into = codes[at[first] - at[0] : at[last] - at[0]]
        unknown = coded.encode(values, own_at, of[first:last], into)
        return first + unknown if unknown >= 0 else stop

    unknown = min(parallel(work, portions(at), threads), default=stop)
    if unknown < stop - start:
        j = start + unknown
        raise unknown_value(table.column(j), rules[j], names[j])
    rows = np.asarray(csc.indices[at[0] : at[-1]], np.int32)
    base = np.maximum(base, 0).astype(dtype)
    whole = stop - start == table.n_columns and table.csr is not None and coded.in_one is not None
    by_row = partial(_cells_of_rows, table.csr, coded, of, base, threads) if whole else None
    return CodedEntries(csc.shape[0], at - at[0], rows, codes, base, levels, by_row)


def _cells_of_rows(
    csr: Any, coded: _Rules, of: Array, base: Array, threads: int, spot: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """The cells of a matrix by rows, whose values are known to the rules."""
    from ..kernels.entries import cells_of_rows

    at = csr.indptr.astype(np.int64)
    cells = np.empty(int(at[-1]), np.int32)
    assert coded.in_one is not None
    rule_at, known = coded.in_one

    def work(part: tuple[int, int]) -> None:
        some = slice(at[part[0]], at[part[1]])
        values, _ = chunk_values(csr, *part)
        cells_of_rows(values, csr.indices[some], of, rule_at, known, coded.missing, base, spot, cells[some])

    parallel(work, portions(at), threads)
    return at, cells


def _places(used: NDArray[np.intp], n: int) -> NDArray[np.int32]:
    out = np.full(n, -1, np.int32)
    out[used] = np.arange(used.size)
    return out


def _code_of_zero(known: Sequence[Rule], dtype: np.dtype[Any]) -> NDArray[np.int64]:
    """(rules,) the code of zero; −1 where a rule does not know it."""
    zero = np.zeros((1, 1), dtype)
    out = np.empty(len(known), np.int64)
    row, level = np.zeros(1, np.int64), np.empty((1, 1), np.uint16)
    for i, rule in enumerate(known):
        try:
            encode_numbers(zero, [rule], [""], row, level, 1)
            out[i] = level[0, 0]
        except InvalidInput:
            out[i] = -1
    return out


class _Rules:
    """The different rules of some columns as the kernels want them: those that cut, and those that match."""

    def __init__(self, known: Sequence[Rule], floats: bool) -> None:
        dtype = np.float64 if floats else np.int64
        cut = [rule.edges if isinstance(rule, Bins) else np.empty(0) for rule in known]
        match = [rule.values.astype(dtype) if isinstance(rule, Levels) else np.empty(0, dtype) for rule in known]
        self.matches = np.array([isinstance(rule, Levels) for rule in known])
        self.missing = np.array([ANYTHING if isinstance(rule, Single) else rule.missing for rule in known], np.int64)
        self.edges_at, self.edges = _flat(cut)
        self.known_at, self.known = _flat(match)
        self.in_one: tuple[NDArray[np.int64], Array] | None = None  # edges and values that match, alike
        if floats or not self.edges.size or np.abs(self.edges).max() < EXACT:
            ends = [edges if len(edges) else own for edges, own in zip(cut, match, strict=True)]
            self.in_one = _flat([np.floor(own).astype(dtype) if not floats else own for own in ends])

    def encode(self, values: Array, at: NDArray[np.int64], of: Array, out: Array) -> int:
        """Codes of a chunk; the first column with a value that is not known, or −1."""
        from ..kernels.entries import code_numbers, match_values

        matched = self.matches[of]
        unknown = -1
        if not matched.all():
            cut = of if not matched.any() else np.where(matched, -1, of).astype(np.int32)
            unknown = code_numbers(values, at, cut, self.edges_at, self.edges, self.missing, out)
        if unknown < 0 and matched.any():
            own = of if matched.all() else np.where(matched, of, -1).astype(np.int32)
            unknown = match_values(values, at, own, self.known_at, self.known, self.missing, out)
        return int(unknown)


def _flat(parts: Sequence[Array]) -> tuple[NDArray[np.int64], Array]:
    return np.cumsum([0, *map(len, parts)], dtype=np.int64), np.concatenate(parts)
