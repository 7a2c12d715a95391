"""From a table to what a measure asks: one function for each kind of statistics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..coding import Candidate, Coder, GroupCoder, Target
from ..coding.target_rule import TargetRule
from ..errors import InvalidParameter
from ..methods import Method
from ..sources import Table

if TYPE_CHECKING:
    from .run import Request


@dataclass(frozen=True)
class Work:
    """What is to be remembered: the checked table and target, and what the user asked for."""

    table: Table
    target: Target
    weights: NDArray[np.float64] | None
    candidates: Sequence[Candidate]
    request: Request
    options: dict[str, Any]


@dataclass(frozen=True)
class Collected:
    """Statistics, how the columns were coded for them, and what was noticed on the way."""

    statistics: Any
    coder: Any = None
    notes: tuple[str, ...] = ()
    arguments: dict[str, Any] = field(default_factory=dict)  # what the measure is told besides its options
    log_trials: NDArray[np.float64] | None = None  # of codings that looked at the target, see `_log_trials`
    constant: NDArray[np.bool_] | None = None  # candidates that cannot say anything, where the statistics tell


def levels(work: Work) -> Collected:
    """Coded columns; a group is coded by its joint levels."""
    coder = Coder(work.request.discretizer, work.request.missing, work.request.n_jobs)
    return levels_of(work, coder.fit(work.table, work.target.codes, work.target.n_classes, work.weights))


def levels_of(work: Work, coder: Coder) -> Collected:
    """The same by a coder that is fitted already."""
    from ..statistics.levels import LevelStatistics

    grouped = GroupCoder(coder, work.candidates).fit(work.table) if work.request.groups is not None else coder
    statistics = LevelStatistics(
        grouped.levels,
        work.target.n_classes,
        estimator=work.options.pop("estimator", "plugin"),
        n_jobs=work.request.n_jobs,
    )
    statistics.update(lambda start, stop: grouped.by_row(work.table, start, stop), work.target.codes, work.weights)
    return Collected(
        statistics,
        grouped,
        grouped.notes,
        log_trials=_log_trials(work.table, coder, work.candidates),
        constant=np.asarray(grouped.levels) == 1,
    )


def _log_trials(table: Table, coder: Coder, candidates: Sequence[Candidate]) -> NDArray[np.float64] | None:
    """log of how many ways a supervised discretiser had to cut each candidate, for the tests of ``k="auto"``.

    Cuts chosen with the target in sight inform by construction. A column cut at c edges could have been cut in
    C(n − 1, c) ways; its p-value is multiplied by that number (Bonferroni over the codings).
    """
    if not (isinstance(coder.discretizer, str) and coder.discretizer == "mdl"):
        return None
    from scipy.special import gammaln

    n, cuts = table.n_rows, coder.n_cuts.astype(float)
    by_column = gammaln(n) - gammaln(cuts + 1) - gammaln(np.maximum(n - cuts, 1.0))
    return np.array([by_column[list(candidate.columns)].sum() for candidate in candidates])


def moments(work: Work) -> Collected:
    """Means and covariances of the classes, or the rows where those are cheaper."""
    from ..statistics.moment_collect import collect_moments

    statistics = collect_moments(
        work.table,
        work.target,
        work.weights,
        work.request.n_jobs,
        k=int(work.request.k) if isinstance(work.request.k, Integral) else None,
        marginals=work.options.get("marginals", "raw"),
        pooling=work.options.get("pooling", 0.0),
    )
    return Collected(statistics, arguments=moment_arguments(work.request, work.target, work.options))


def moment_arguments(request: Request, target: Target | TargetRule, options: dict[str, Any]) -> dict[str, Any]:
    """What a Gaussian measure is told besides its options."""
    arguments: dict[str, Any] = {"labels": target.classes if target.task == "classification" else None}
    if "fill" in options:
        arguments["random_state"] = int(request.generator().integers(2**31))
    return arguments


def rows(work: Work) -> Collected:
    """The rows themselves, for measures of distances between rows."""
    from ..statistics.rows import RowStatistics

    statistics = RowStatistics.collect(work.table, work.target, work.weights)
    return Collected(
        statistics,
        arguments={"random": work.request.generator(), "n_jobs": work.request.n_jobs},
        constant=(statistics.values == statistics.values[0]).all(axis=0),
    )


def pairs(work: Work) -> Collected:
    """Coded columns, or the rows where pairs are compared by correlation."""
    if work.options.get("similarity") == "correlation":
        if work.request.k == "auto":
            raise InvalidParameter("k: 'auto' tests informations; with similarity='correlation' give a number or None")
        if work.request.groups is not None:
            raise InvalidParameter("groups: have no correlation; take similarity='information'")
        work.options.pop("estimator", None)
        collected = rows(work)
    else:
        collected = levels(work)
    return replace(collected, arguments={"random": work.request.generator(), "verbose": work.request.verbose})


def marginals(work: Work) -> Collected:
    """Counts, means and squares of single columns."""
    from ..statistics.marginals import collect_marginals

    return Collected(collect_marginals(work.table, work.target, work.weights, work.request.n_jobs))


COLLECTORS = {"levels": levels, "pairs": pairs, "moments": moments, "marginals": marginals, "rows": rows}


def collect(method: Method, work: Work) -> Collected:
    """The statistics that the method asks for. Options meant for them are taken out of ``work.options``."""
    if work.request.groups is not None and method.statistics not in ("levels", "pairs"):
        raise InvalidParameter(
            f"groups: {method.name!r} has no joint levels to judge a group by; take one of the discrete family"
        )
    return COLLECTORS[method.statistics](work)
