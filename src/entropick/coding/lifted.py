"""Lifting: a column's groups as a few smooth functions of itself.

    a number      mid-ranks r in (0, 1), t = 2r − 1, and the Legendre polynomials t, (3t² − 1)/2, (5t³ − 3t)/2, made
                  orthonormal on the rows: degrees 1, 2, 3
    few values    at most eight, or a category: indicators of all but the most frequent level; those of fewer than five
                  rows together
    the number    for a number as target, the mean of its group after the polynomials, as of degree 1
    missing       an indicator of its own, 0 in the others

All follow from the counts of the groups. Values are whole numbers from −127 to 127 (a rank is known to one of 256
groups, so nothing is lost by that), and whoever adds them up gets exact sums. Scale and mean are taken off afterwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from .byte_rules import ENOUGH, ByteRule, NumberGroups
from .shared import Shared

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
DEGREE = 3
FEW = 8  # a number of at most so many values is taken by levels
LARGEST = 127  # of a value in a table
COARSE = 5  # levels of a number, where its information is counted


@dataclass(frozen=True, eq=False)
class Lifting:
    """Look-up tables of all columns, one after another.

    Attributes
    ----------
    group_at : (D + 1,) where the groups of each column begin, counted over all columns.
    at : (D + 1, 2) where its table begins in ``tables``, and its first lifted column.
    tables : int8; of column j an (m_j, G_j) array, the value of each lifted column in each group.
    degrees : (M,) of every lifted column; 1 for indicators.
    coarse, coarse_at : level of every group where information is counted, and where a column's levels begin.
    """

    group_at: Integers
    at: Integers
    tables: NDArray[np.int8]
    degrees: Floats
    coarse: NDArray[np.uint8]
    coarse_at: Integers

    @property
    def n_columns(self) -> int:
        return len(self.group_at) - 1

    @cached_property
    def sizes(self) -> Integers:
        """(D,) lifted columns of each column; 0 for one that is constant."""
        return np.diff(self.at[:, 1])

    @property
    def n_lifted(self) -> int:
        return int(self.at[-1, 1])

    def table(self, column: int) -> NDArray[np.int8]:
        """(m, G) values of one column's groups."""
        start, stop = self.at[column, 0], self.at[column + 1, 0]
        groups = self.group_at[column + 1] - self.group_at[column]
        return self.tables[start:stop].reshape(-1, int(groups))


def group_starts(rules: Sequence[ByteRule]) -> Integers:
    """(D + 1,) where the groups of each column begin, counted over all columns."""
    return np.append(0, np.cumsum(Shared.of(rules).array(lambda rule: rule.groups))).astype(np.int64)


def lift(rules: Sequence[ByteRule], mass: Floats, sums: Floats | None = None) -> Lifting:
    """The tables of all columns from the weight of every group, one column after another.

    With the ``sums`` of values of every group, a number is lifted into the mean of its group, too.
    """
    from ..kernels.lifted import fill_tables, lift_columns

    shared = Shared.of(rules)
    group_at = group_starts(shared)
    curved = shared.array(lambda rule: isinstance(rule, NumberGroups) and rule.distinct > FEW, bool)
    missing = shared.array(lambda rule: rule.missing)
    n_functions = DEGREE + (sums is not None)
    values = np.zeros((n_functions, int(group_at[-1])), np.int8)
    degrees = np.ones((len(rules), n_functions))
    coarse = np.zeros(int(group_at[-1]), np.uint8)
    sizes = np.zeros(len(rules), np.int64)
    held = np.empty(0) if sums is None else sums
    lift_columns(mass, held, group_at, curved, missing, ENOUGH, COARSE, values, degrees, coarse, sizes)
    table_at = np.append(0, np.cumsum(sizes * np.diff(group_at)))
    lifted_at = np.append(0, np.cumsum(sizes))
    tables = np.zeros(int(table_at[-1]), np.int8)
    fill_tables(mass, group_at, curved, missing, ENOUGH, values, coarse, sizes, table_at, tables)
    # of degree 1 are indicators: those of levels, and that of a missing value after a number's functions
    place = np.arange(lifted_at[-1]) - np.repeat(lifted_at[:-1], sizes)
    owner = np.repeat(np.arange(len(rules)), sizes)
    degree = np.where(place < n_functions, degrees[owner, np.minimum(place, n_functions - 1)], 1.0)
    levels = np.maximum.reduceat(coarse, group_at[:-1]).astype(np.int64) + 1
    return Lifting(
        group_at, np.stack([table_at, lifted_at], 1).astype(np.int64), tables, degree, coarse,
        np.append(0, np.cumsum(levels)).astype(np.int64),
    )  # fmt: skip
