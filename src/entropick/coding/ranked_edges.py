"""Equal-frequency edges of columns that are gone through in blocks, as exact as if all rows had been in memory.

An equal-frequency edge is a value of a known rank. The sketch says between which two values it lies; one more pass
counts the rows below those and gathers the few between, and the edge is found among them. Where too many would have
to be gathered (very many rows, weights), a pass that only counts makes the brackets narrower first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidParameter
from ..sources import Table
from ..sources.arrays import MatrixTable
from ..sources.blocks import Blocks
from .block_rows import used_rows
from .coder import Coder
from .learn import Learned
from .rules import Bins
from .summary import ColumnSummaries

Array = NDArray[Any]
Floats = NDArray[np.float64]
GATHERED = 16  # bytes of a gathered value and its weight
ROOM = 256 << 20  # bytes that gathered values may take where memory is not limited
SPLITS = 64  # parts that a bracket is cut into when it is narrowed
ROUNDS = 12  # of narrowing: 64^12 parts are more than there are doubles


@dataclass(frozen=True)
class Bracket:
    """The k-th of B edges lies in (low, high]; ``rows`` at most so many rows lie there."""

    k: int
    low: float
    high: float
    rows: float


@dataclass(frozen=True)
class Cut:
    """An equal-frequency cut of one column, on the way to being exact."""

    column: int
    bins: int
    mass: float  # of the rows that have a value
    brackets: tuple[Bracket, ...]

    def bounds(self) -> Floats:
        """Ends of the brackets, ascending: odd buckets are inside one, even ones outside. The last is +∞."""
        ends: list[float] = []
        for bracket in sorted(self.brackets, key=lambda one: one.low):
            if ends and bracket.low <= ends[-1]:
                ends[-1] = max(ends[-1], bracket.high)
            else:
                ends += [bracket.low, bracket.high]
        return np.array([*ends, np.inf])


@dataclass(frozen=True)
class Found:
    """What a pass found: the mass of every bucket, (n_cuts, n_buckets), and what lay inside the brackets.

    ``inside`` has arrays (cuts, values, masses), of which several stand side by side until they are many.
    """

    mass: Floats
    inside: tuple[tuple[NDArray[np.int32], Floats, Floats], ...]

    def __or__(self, other: Found) -> Found:
        inside = self.inside + other.inside
        return Found(self.mass + other.mass, (_together(inside),) if len(inside) > SPLITS else inside)


def _together(parts: Sequence[tuple[Array, ...]]) -> tuple[NDArray[np.int32], Floats, Floats]:
    """One set of arrays, ascending by cut and value, each value once."""
    cuts, values, masses = (np.concatenate(some) for some in zip(*parts, strict=True))
    order = np.lexsort((values, cuts))
    cuts, values, masses = cuts[order], values[order], masses[order]
    first = np.flatnonzero(np.append(True, (cuts[1:] != cuts[:-1]) | (values[1:] != values[:-1])))
    if len(values) == 0:
        return cuts, values, masses
    return cuts[first], values[first], np.add.reduceat(masses, first)


def merge_found(one: Found, other: Found) -> Found:
    return one | other


@dataclass(frozen=True)
class Look:
    """Counts a block by buckets; ``gather`` also takes what lies in the odd ones."""

    coder: Coder  # of the columns that are cut, its edges the ends of buckets
    columns: tuple[int, ...]
    gather: bool
    weight: int | None

    def __call__(self, table: Table) -> Found:
        table, weights = used_rows(table, self.weight)
        n_buckets = int(self.coder.levels.max())
        mass = np.zeros((len(self.columns), n_buckets))
        if not table.n_rows:
            return Found(mass, ())
        matrix = table.select(self.columns).dense(0, len(self.columns))
        codes = self.coder.by_row(MatrixTable(matrix, self.coder.names), 0, len(self.columns))
        for row, code in zip(mass, codes.T, strict=True):
            row += np.bincount(code, weights, minlength=n_buckets)
        if not self.gather:
            return Found(mass, ())
        rows, cuts = np.nonzero(codes & 1)
        masses = np.ones(len(rows)) if weights is None else weights[rows]
        return Found(mass, (_together([(cuts.astype(np.int32), matrix[rows, cuts], masses)]),))


def _look(blocks: Blocks, cuts: Sequence[Cut], bounds: Sequence[Floats], gather: bool, weight: int | None) -> Found:
    columns = tuple(cut.column for cut in cuts)
    # the missing level is the last: with an odd number of ends an even one, so never inside
    learned = [Learned(Bins(ends, len(ends) + 1)) for ends in bounds]
    coder = Coder().adopt(
        tuple(blocks.names[j] for j in columns), tuple(blocks.kinds[j] for j in columns), learned, 0.0
    )
    return blocks.reduce(Look(coder, columns, gather, weight), merge_found)


def refined(blocks: Blocks, cuts: Sequence[Cut], summaries: ColumnSummaries, weight: int | None) -> list[Floats]:
    """The exact edges of every cut, with repetitions."""
    if all(bracket.rows == 0 for cut in cuts for bracket in cut.brackets):  # the sketch has every value
        return [np.array([bracket.high for bracket in cut.brackets]) for cut in cuts]
    room = ROOM if blocks.memory is None else blocks.memory // 8
    for _ in range(ROUNDS):
        if sum(bracket.rows for cut in cuts for bracket in cut.brackets) * GATHERED <= room:
            break
        cuts = _narrowed(blocks, cuts, summaries, weight)
    bounds = [cut.bounds() for cut in cuts]
    found = _look(blocks, cuts, bounds, True, weight)
    at, values, masses = _together(found.inside)
    ends = np.searchsorted(at, np.arange(len(cuts) + 1))
    edges = []
    for c, (cut, bound) in enumerate(zip(cuts, bounds, strict=True)):
        own, mass = values[ends[c] : ends[c + 1]], masses[ends[c] : ends[c + 1]]
        bucket = np.searchsorted(bound, own, side="left")
        outside = np.where(np.arange(found.mass.shape[1]) % 2 == 0, found.mass[c], 0.0)
        reached = np.cumsum(mass) + np.cumsum(outside)[bucket]  # mass up to each value that was gathered
        places = np.searchsorted(reached * cut.bins, np.arange(1, cut.bins) * cut.mass, side="left")
        edges.append(own[np.minimum(places, len(own) - 1)])
    return edges


def _narrowed(blocks: Blocks, cuts: Sequence[Cut], summaries: ColumnSummaries, weight: int | None) -> list[Cut]:
    """The same cuts with brackets cut into parts, and only the part kept that has the edge."""
    bounds = []
    for cut in cuts:
        low, top, _ = summaries.reach(cut.column)
        known = summaries.sketch.ranks(summaries.ranked.index(cut.column))[0]
        parts: list[Floats] = []
        for bracket in cut.brackets:
            first, last = max(bracket.low, low), min(bracket.high, top)
            inner = known[(known > first) & (known < last)]
            parts.append(inner[:: max(1, len(inner) // SPLITS)])
            share = np.arange(1, SPLITS) / SPLITS
            parts.append(first * (1 - share) + last * share)
            parts.append(np.array([bracket.low, bracket.high]))
        bounds.append(np.unique(np.concatenate(parts)))
    found = _look(blocks, cuts, bounds, False, weight)
    narrowed = []
    for c, (cut, ends) in enumerate(zip(cuts, bounds, strict=True)):
        reached = np.cumsum(found.mass[c, : len(ends) + 1])
        brackets = []
        for bracket in cut.brackets:
            bucket = int(np.searchsorted(reached * cut.bins, bracket.k * cut.mass, side="left"))
            low = ends[bucket - 1] if bucket else -np.inf
            high = ends[bucket] if bucket < len(ends) else np.inf
            rows = found.mass[c, bucket] / cut.mass * summaries.n_rows
            brackets.append(replace(bracket, low=low, high=high, rows=rows))
        narrowed.append(replace(cut, brackets=tuple(brackets)))
    return narrowed


def bracketed(summaries: ColumnSummaries, column: int, bins: int, weighted: bool) -> Cut:
    """Where the sketch says that the edges of a column lie; anywhere, where rows are weighted."""
    mass = float(summaries.mass[column])
    if weighted:
        anywhere = (Bracket(k, -np.inf, np.inf, summaries.n_rows / bins) for k in range(1, bins))
        return Cut(column, bins, mass, tuple(anywhere))
    sketch = summaries.sketch
    values, ranks = sketch.ranks(summaries.ranked.index(column))
    brackets = []
    for k in range(1, bins):
        rank = -(-k * int(mass) // bins)
        before = int(np.searchsorted(ranks, rank - sketch.low, side="left")) - 1
        after = int(np.searchsorted(ranks, rank + sketch.high, side="left"))
        low = values[before] if before >= 0 else -np.inf
        high = values[after] if after < len(values) else np.inf
        between = (ranks[after] if after < len(values) else mass) - (ranks[before] if before >= 0 else 0)
        exact = sketch.low == sketch.high == 0
        brackets.append(Bracket(k, low, high, 0 if exact else float(between + sketch.low + sketch.high)))
    return Cut(column, bins, mass, tuple(brackets))


def sketched(summaries: ColumnSummaries, column: int, bins: int, weighted: bool) -> Floats:
    """Edges straight from the sketch, of ranks known to within its bounds; weights are not looked at."""
    values, ranks = summaries.sketch.ranks(summaries.ranked.index(column))
    if weighted:
        raise InvalidParameter("coding: 'sketch' does not support weights; use 'exact'")
    wanted = np.arange(1, bins) * (summaries.mass[column] / bins)
    out: Floats = values[np.minimum(np.searchsorted(ranks, wanted, side="left"), len(values) - 1)]
    return out
