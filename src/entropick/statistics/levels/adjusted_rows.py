"""Chance in tables of many levels, where the coded rows are at hand: see `adjusted`."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .adjusted import ORDINARY, Adjustment, Cells, Summed
from .questions import JointEntropies, LevelRows
from .side_by_side import Variable
from .tables import Tables

Floats = NDArray[np.float64]
TOGETHER = 64  # features whose tables are held at once


class CodedRows(LevelRows):
    """Coded rows in one piece, with their tables."""

    @property
    @abstractmethod
    def tables(self) -> Tables:
        """Everything, ready to be asked."""


def adjust(
    rows: CodedRows,
    variable: Variable,
    wanted: NDArray[np.bool_] | None,
    feature: Floats,
    feature_class: Floats | None,
) -> None:
    """Take chance off the entropies of a variable with features, in place; all of them where none are ``wanted``."""
    tables = rows.tables
    if variable.n_levels == 1 and variable.feature is None:
        if feature_class is not None:
            feature_class[:] = adjustment_of(rows).entropy_class
        return
    adjustment = adjustment_of(rows)
    many = adjustment.many(variable.n_levels if variable.feature is not None else 1)
    some = np.flatnonzero(many if wanted is None else many & wanted)
    together: Iterable[Cells | Summed] = ()
    if feature_class is not None and some.size:
        together = cells(tables, variable, some) if tables.weights.size else [summed(rows, variable, some, adjustment)]
    adjustment.together(variable.feature, variable.n_levels, feature, feature_class, some, together)


def summed(rows: CodedRows, variable: Variable, some: NDArray[np.intp], adjustment: Adjustment) -> Summed:
    """The kernel that counts tables, with c in the place of x log x."""
    tables = rows.tables
    if tables.of_chance is None:
        tables.of_chance = tables.with_table(adjustment.chance.fine(np.arange(rows.n_rows + 1.0)))
    wanted = np.zeros(rows.levels.size, bool)
    wanted[some] = True
    return Summed(some, tables.of_chance.terms(variable, wanted, None, False, False, rows.n_jobs).joint[some])


def adjustment_of(rows: CodedRows) -> Adjustment:
    """Made once for the rows that there are."""
    tables = rows.tables
    if tables.adjustment is None:
        one = Variable(1, lambda: np.zeros(rows.n_rows, np.int32))
        terms = tables.terms(one, None, None, True, False, rows.n_jobs)
        alone = JointEntropies(*(tables.fixed.entropy(sums, 0, "plugin") for sums in (terms.joint, terms.joint_class)))
        many = np.flatnonzero(rows.levels > ORDINARY)
        tables.adjustment = Adjustment(
            rows.levels, rows.class_counts, rows.target_entropy, alone, cells(tables, one, many)
        )
    return tables.adjustment


def cells(tables: Tables, variable: Variable, features: NDArray[np.intp]) -> Iterator[Cells]:
    """Of each feature: how many rows every cell of it and a variable has."""
    own = variable.codes().astype(np.int64)
    weights = tables.weights if tables.weights.size else None

    def counts(j: int) -> NDArray[Any]:
        codes, size = own * int(tables.levels[j]) + tables.codes(j), variable.n_levels * int(tables.levels[j])
        if size > 4 * codes.size:  # most cells would be empty
            kept, codes = np.unique(codes, return_inverse=True)
            size = kept.size
        return np.bincount(codes, weights, minlength=size)

    for start in range(0, features.size, TOGETHER):
        some = features[start : start + TOGETHER]
        found = [counts(j) for j in some.tolist()]
        yield Cells.of(some, np.concatenate(found), np.cumsum([len(one) for one in found]), tables.unit)
