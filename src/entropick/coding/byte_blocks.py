"""Groups of columns that are gone through in blocks: the very ones that `ByteCoder.fit_codes` finds in memory.

pass 1    summaries of all columns     distinct values where they are few, weights of labels, a sketch of the ranks
pass 2    equal-count edges made exact, only for numbers of more than 256 values
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..sources import Table
from ..sources.blocks import Blocks
from .binning import below_top
from .block_rows import used_rows
from .byte_coder import ByteCoder
from .byte_rules import GROUPS, ByteRule, label_groups, most_groups, number_groups
from .ranked_edges import bracketed, refined, sketched
from .summary import ColumnSummaries, Summarise

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class ByteSummaries:
    """``columns`` as for levels; ``distinct`` ascending values of a number, None beyond 256; ``labels`` and weights."""

    columns: ColumnSummaries
    distinct: dict[int, Floats | None]
    labels: dict[int, dict[str, float]]
    heaviest: float

    def __or__(self, other: ByteSummaries) -> ByteSummaries:
        distinct = {j: _together(values, other.distinct[j]) for j, values in self.distinct.items()}
        labels = {}
        for j, own in self.labels.items():
            labels[j] = dict(own)
            for label, mass in other.labels[j].items():
                labels[j][label] = labels[j].get(label, 0.0) + mass
        return ByteSummaries(self.columns | other.columns, distinct, labels, max(self.heaviest, other.heaviest))


def _together(one: Floats | None, other: Floats | None) -> Floats | None:
    if one is None or other is None:
        return None
    both = np.union1d(one, other)
    return both if len(both) <= GROUPS else None


def merge_byte_summaries(one: ByteSummaries, other: ByteSummaries) -> ByteSummaries:
    return one | other


@dataclass(frozen=True)
class SummariseBytes:
    """Makes the summary of a block; ``weight`` is a column number."""

    weight: int | None = None
    n_jobs: int | None = None

    def __call__(self, table: Table) -> ByteSummaries:
        columns = Summarise("quantile", None, self.weight, self.n_jobs)(table)
        table, weights = used_rows(table, self.weight)
        distinct: dict[int, Floats | None] = {}
        labels: dict[int, dict[str, float]] = {}
        for j in range(table.n_columns):
            if j == self.weight:
                continue
            if table.kind(j) == "category":
                labels[j] = _label_weights(table.column(j), weights)
            else:
                found = np.unique(table.column(j).astype(np.float64))
                found = found[~np.isnan(found)]
                distinct[j] = found if len(found) <= GROUPS else None
        heaviest = 1.0 if weights is None or not len(weights) else float(weights.max())
        return ByteSummaries(columns, distinct, labels, heaviest)


def _label_weights(column: NDArray[Any], weights: Floats | None) -> dict[str, float]:
    import pandas as pd

    codes, found = pd.factorize(column)
    there = codes >= 0
    mass = np.bincount(codes[there], None if weights is None else weights[there], len(found))
    return dict(zip(found.tolist(), mass.tolist(), strict=True))


@dataclass(frozen=True)
class ByteBlocks:
    """The rules of all columns, and what the passes noticed: rows, their weight, the heaviest one, whole or not."""

    coder: ByteCoder
    n_rows: int
    weight: float
    heaviest: float
    whole: bool


def find_bytes(
    blocks: Blocks, features: Sequence[int], weight: int | None, n_jobs: int | None = None, exact: bool = True
) -> ByteBlocks:
    """Rules of the columns ``features`` of the blocks; ``weight`` is the number of the column of weights."""
    seen = blocks.select([*features, *([] if weight is None else [weight])])
    at = None if weight is None else len(features)
    found = seen.reduce(SummariseBytes(at, n_jobs), merge_byte_summaries)
    summaries = found.columns
    rules: list[ByteRule | None] = [None] * len(features)
    cut: dict[int, int] = {}
    for j in range(len(features)):
        gone = bool(summaries.missing[j])
        if j in found.labels:
            labels = found.labels[j]
            rules[j] = label_groups(list(labels), list(labels.values()), gone)
            continue
        values = found.distinct[j]
        if values is not None and len(values) <= most_groups(gone):
            rules[j] = number_groups(values, None, gone)
        else:
            cut[j] = most_groups(gone)
    if exact:
        cuts = [bracketed(summaries, j, bins, weight is not None) for j, bins in cut.items()]
        edges = refined(seen, cuts, summaries, at) if cuts else []
    else:
        edges = [sketched(summaries, j, bins, weight is not None) for j, bins in cut.items()]
    for j, some in zip(cut, edges, strict=True):
        _, top, below = summaries.reach(j)
        rules[j] = number_groups(None, below_top(some, top, partial(float, below)), bool(summaries.missing[j]))
    coder = ByteCoder().adopt(
        [blocks.names[j] for j in features], [blocks.kinds[j] for j in features], rules,  # type: ignore[arg-type]
        summaries.missing[: len(features)],
    )  # fmt: skip
    return ByteBlocks(coder, summaries.n_rows, summaries.weight, found.heaviest, summaries.whole)
