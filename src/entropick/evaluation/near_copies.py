"""Columns of numbers that order the rows nearly as another does: degrees in two units, a value and its rounded twin."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..sources import Table

NEAR = 0.99  # |rank correlation| with an earlier column
ROWS = 20_000  # at most so many are compared, evenly spaced
FEWEST = 50  # rows; with fewer, columns are alike by chance
PRODUCTS = 1e11  # multiplications, for which the rows are thinned
BLOCK = 512  # columns compared together

Floats = NDArray[np.float64]


def near_copies(table: Table) -> dict[int, tuple[int, float]]:
    """By column number, the first earlier column of numbers with |Spearman's ρ| of at least `NEAR`, and that ρ.

    Rows where a value is missing stand in the middle of its column's order. With very many columns, of which too few
    rows could be compared, nothing is looked for.
    """
    numbers = [j for j in range(table.n_columns) if table.kind(j) in ("numeric", "integer")]
    n = min(table.n_rows, ROWS, int(PRODUCTS / max(1, len(numbers)) ** 2))
    if n < FEWEST or len(numbers) < 2:
        return {}
    some = table.select(numbers).take(np.linspace(0, table.n_rows - 1, n).astype(np.intp))
    ranks = np.column_stack([_ranks(some.column(j).astype(np.float64)) for j in range(len(numbers))])
    found: dict[int, tuple[int, float]] = {}
    for start in range(0, len(numbers), BLOCK):
        own = ranks[:, start : start + BLOCK]
        alike = own.T @ ranks[:, : start + own.shape[1]]
        for at, row in enumerate(alike, start=start):
            earlier = np.flatnonzero(np.abs(row[:at]) >= NEAR)
            if earlier.size:
                found[numbers[at]] = numbers[earlier[0]], float(row[earlier[0]])
    return found


def _ranks(values: Floats) -> Floats:
    """Mid-ranks, centred and of length 1; 0 where a value is missing, and everywhere where all are equal."""
    from scipy.stats import rankdata

    out = np.zeros(len(values))
    known = ~np.isnan(values)
    ranks = rankdata(values[known])
    out[known] = ranks - ranks.mean() if ranks.size else 0.0
    length = np.linalg.norm(out)
    return np.asarray(out / length) if length > 0 else out
