"""What a block of rows is made of: features, coded target, weights."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..sources import Table
from .binning import check_weights
from .target import Target
from .target_rule import TargetRule

Floats = NDArray[np.float64]


def used_rows(table: Table, weight: int | None) -> tuple[Table, Floats | None]:
    """The rows whose weight, in the column of that number, is not 0, and their weights; all rows where it is None."""
    if weight is None:
        return table, None
    given = table.column(weight)
    if table.kind(weight) != "category" and not given.any():  # of one block that is no error
        return table.take(np.empty(0, np.intp)), np.empty(0)
    weights = check_weights(given, table.n_rows)
    assert weights is not None
    used = np.flatnonzero(weights)
    return (table, weights) if len(used) == table.n_rows else (table.take(used), weights[used])


@dataclass(frozen=True)
class RowReader:
    """Takes blocks apart: which columns are the features, the target and, if there is one, the weight."""

    features: tuple[int, ...]
    target: int
    rule: TargetRule
    weight: int | None = None

    def __call__(self, table: Table) -> tuple[Table, Target, Floats | None]:
        """Features, coded target and weights (or None) of the rows that count."""
        table, weights = used_rows(table, self.weight)
        return table.select(self.features), self.rule.code(table.column(self.target)), weights
