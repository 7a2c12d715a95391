"""From a coded table to its level statistics: packed rows, or the entries of a sparse table where these cost less."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...coding import Coder, GroupCoder
from ...sources import Table
from .adjusted import ORDINARY
from .counting_cost import POSTINGS
from .levels import LevelStatistics
from .mixed import MixedLevels
from .questions import LevelRows
from .sparse import SparseLevels


def collect_levels(
    coded: Coder | GroupCoder,
    table: Table,
    classes: NDArray[Any],
    n_classes: int,
    weights: NDArray[np.float64] | None,
    *,
    estimator: str = "plugin",
    n_jobs: int | None = None,
    growing: bool = False,
    known: bool = False,
) -> LevelRows:
    """Of all columns; ``growing`` statistics take in more rows later, which only packed ones can. ``known``: the table
    is the one that the coder was fitted on."""
    entries = coded.entries(table) if isinstance(coded, Coder) and not growing else None
    settings: dict[str, Any] = {"estimator": estimator, "n_jobs": n_jobs}
    if entries is None:
        statistics = LevelStatistics(coded.levels, n_classes, **settings)
        known = known and (weights is None or bool(weights.all()))
        by_row = partial(coded.by_row, known=True) if known and isinstance(coded, Coder) else coded.by_row
        return statistics.update(partial(by_row, table), classes, weights)
    full = entries.counts > POSTINGS * entries.n_rows
    if estimator == "auto" and (coded.levels > ORDINARY).any():  # chance is taken off where all features are together
        full[:] = entries.size > POSTINGS * entries.n_rows * entries.n_columns
    if not full.any():
        return SparseLevels(entries, coded.levels, classes, n_classes, weights, **settings)
    packed = LevelStatistics(coded.levels[full], n_classes, **settings)
    some = entries.select(np.flatnonzero(full))
    packed.update(some.by_row, classes, weights)
    if full.all():
        return packed
    rest = entries.select(np.flatnonzero(~full))
    return MixedLevels(SparseLevels(rest, coded.levels[~full], classes, n_classes, weights, **settings), packed, full)
