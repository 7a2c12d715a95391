"""From a table to what a measure asks: one function for each kind of statistics."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..coding import Candidate, Coder, GroupCoder, Target
from ..errors import InvalidParameter
from ..methods import Method
from ..sources import Table

if TYPE_CHECKING:
    from .run import Request


@dataclass(frozen=True)
class Collected:
    """Statistics, how the columns were coded for them, and what was noticed on the way."""

    statistics: Any
    coder: Any = None
    notes: tuple[str, ...] = ()
    arguments: dict[str, Any] = field(default_factory=dict)  # what the measure is told besides its options


def levels(
    table: Table,
    target: Target,
    weights: NDArray[np.float64] | None,
    candidates: list[Candidate],
    request: Request,
    options: dict[str, Any],
) -> Collected:
    """Coded columns; a group is coded by its joint levels."""
    from ..statistics.levels import LevelStatistics

    coder = Coder(request.discretizer, request.missing, request.n_jobs)
    coder.fit(table, target.codes, target.n_classes, weights)
    grouped = GroupCoder(coder, candidates).fit(table) if request.groups is not None else coder
    statistics = LevelStatistics(
        grouped.levels, target.n_classes, estimator=options.pop("estimator", "plugin"), n_jobs=request.n_jobs
    )
    statistics.update(lambda start, stop: grouped.codes(table, start, stop).T, target.codes, weights)
    return Collected(statistics, grouped, grouped.notes)


COLLECTORS = {"levels": levels}


def collect(
    method: Method,
    table: Table,
    target: Target,
    weights: NDArray[np.float64] | None,
    candidates: list[Candidate],
    request: Request,
    options: dict[str, Any],
) -> Collected:
    """The statistics that the method asks for. Options meant for them are taken out of ``options``."""
    if request.groups is not None and method.statistics != "levels":
        raise InvalidParameter(
            f"groups: {method.name!r} has no joint levels to judge a group by; take one of the discrete family"
        )
    return COLLECTORS[method.statistics](table, target, weights, candidates, request, options)
