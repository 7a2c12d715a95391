"""Selection from rows that come in blocks: on this machine, within a memory limit, or on the workers of an engine.

    pass 1    summaries of all columns                           rules of columns and target follow from them
    pass 2    equal-frequency edges made exact                   left out with coding="sketch"
    pass 3    the statistics that the method asks for            levels · moments · marginals

Then measure and search run as in memory. Coded rows are gathered into one `LevelStatistics` where they fit, else they
stay in parts and are counted there, once for every feature chosen (`PartitionedLevels`). Counts are integers, so the
scores are those of `run` to the last bit; sums of floats (moments, marginals) differ by rounding.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..coding import Coder
from ..coding.block_rows import RowReader
from ..coding.refine import Coding, find_coding, recounted
from ..coding.summary import Summarise, merge_summaries
from ..errors import InvalidInput, InvalidParameter, closest
from ..sources import Table, TableSource, as_table, split_target
from ..sources.blocks import Blocks, LocalBlocks
from .collect import Collected, moment_arguments
from .origin import InBlocks, located
from .run import Plan, Request, Run, answer, plan_for, run, target_notes

CODINGS = ("exact", "sketch")
GIB = 1 << 30
ROW_NUMBERS = 1 << 31  # rows that one LevelStatistics can number


@dataclass(frozen=True)
class Roles:
    """Which columns of the blocks are the features, the target and the weight."""

    features: tuple[int, ...]
    target: int
    weight: int | None


def find_roles(blocks: Blocks, target: str, sample_weight: str | None) -> Roles:
    """By name; an error names the nearest column."""
    at = find_column(blocks.names, "y", target)
    weight = None if sample_weight is None else find_column(blocks.names, "sample_weight", sample_weight)
    features = tuple(j for j in range(len(blocks.names)) if j not in (at, weight))
    if not features:
        raise InvalidInput(f"X: no column is left as a feature besides the target {target!r}")
    return Roles(features, at, weight)


def find_column(names: Sequence[str], argument: str, name: Any) -> int:
    """The number of the column of that name."""
    if not isinstance(name, str):
        raise InvalidInput(f"{argument}: must be the name of a column where rows come in blocks, got {name!r:.60}")
    if name not in names:
        some = ", ".join(names[:8]) + (", …" if len(names) > 8 else "")
        raise InvalidInput(f"{argument}: X has no column {name!r}.{closest(name, names)} Its columns: {some}")
    return list(names).index(name)


def run_blocks(
    blocks: Blocks,
    target: str,
    request: Request,
    sample_weight: str | None = None,
    coding: str | Coding = "exact",
) -> Run:
    """Select features of the blocks for the column ``target``; ``sample_weight`` names a column of frequencies.

    ``coding``: ``"exact"`` (one more pass over the rows finds the very edges that `run` would), ``"sketch"`` (edges
    of ranks known to a fraction of a percent), or the rules of another run.
    """
    roles = find_roles(blocks, target, sample_weight)
    plan = plan_for(request, tuple(blocks.names[j] for j in roles.features))
    _check(plan, blocks, coding)
    with ExitStack() as parts, in_range():
        counted = plan.method.statistics in ("levels", "pairs")
        rows = CodedRows(blocks, roles, request, coding, features=counted)
        plan.check_task(rows.coding.target.task)
        options = dict(plan.options)
        collected = COLLECTORS[plan.method.statistics](rows, plan, options, parts)
        rule = rows.coding.target
        notes = target_notes(rule.task, rule.classes, rule.counts)
        return answer(plan, collected, options, rows.weight, rule.task, notes)


def run_anywhere(
    X: Any, y: Any, request: Request, sample_weight: Any = None, memory: Any = None, coding: Any = "exact"
) -> Run:
    """Select features of whatever holds rows: `run` in memory, `run_blocks` where rows come in blocks.

    ``coding`` may also be the statistics of another run, or their file: its levels are used again.
    """
    from .saved import as_coding

    coding = as_coding(coding)
    with located(X, y, request.method, memory) as where:
        if isinstance(coding, Coding) and not isinstance(where, InBlocks):
            where = InBlocks(LocalBlocks(TableSource(as_table(where))), y)
        if isinstance(where, InBlocks):
            return run_blocks(where.blocks, where.target, request, sample_weight, coding)
        table, values, _ = split_target(where, y)
        if isinstance(sample_weight, str):
            table, sample_weight = _split_weight(table, sample_weight)
        return run(table, values, request, sample_weight)


def _split_weight(table: Table, name: str) -> tuple[Table, Any]:
    """The table without the column of weights, and that column."""
    at = find_column(table.names, "sample_weight", name)
    if table.n_columns == 1:
        raise InvalidInput(f"X: no column is left as a feature besides the weights {name!r}")
    return table.select([j for j in range(table.n_columns) if j != at]), table.column(at)


def _check(plan: Plan, blocks: Blocks, coding: str | Coding) -> None:
    """Everything that blocks cannot do is said before the first pass."""
    request, name = plan.request, plan.method.name
    if isinstance(coding, str) and coding not in CODINGS:
        raise InvalidParameter(f"coding: must be 'exact' or 'sketch', got {coding!r}")
    if isinstance(coding, Coding) and coding.coder is not None:
        check_columns(coding.coder, plan.names)
    if request.groups is not None:
        raise InvalidParameter("groups: need whole columns, and rows come in blocks; read them into memory first")
    if request.test == "permutation" and request.k == "auto":
        raise InvalidParameter("test: 'permutation' shuffles rows in memory; in blocks take test='chi2', or a number k")
    if plan.method.statistics == "rows" or plan.options.get("similarity") == "correlation":
        raise InvalidParameter(
            f"method: {name!r} works on the rows themselves, which come in blocks; read them into memory"
            " (entropick.sources), or take a method on counts or moments, see entropick.methods()"
        )
    if "auto" in (plan.options.get("marginals"), plan.options.get("pooling")):
        raise InvalidParameter(
            f"method: {name!r} judges rivals on halves of the rows in memory; in blocks give pooling and marginals"
            " ('raw' or 'copula'), as for gc.mi"
        )
    rule, _ = Coder(request.discretizer, request.missing).settings()
    if plan.method.statistics in ("levels", "pairs") and rule in ("mdl", "kmeans", "transformer"):
        raise InvalidParameter(
            f"discretizer: {request.discretizer!r} needs whole columns, and rows come in blocks; take 'quantile',"
            " 'uniform', a number of bins or None"
        )


class CodedRows:
    """The blocks, and what the first passes found: rules, number of rows, weight.

    Where the rules are given, or only the target's are asked for (``features`` False), that takes a pass over the
    target alone.
    """

    def __init__(
        self, blocks: Blocks, roles: Roles, request: Request, coding: str | Coding, *, features: bool = True
    ) -> None:
        self.blocks = blocks
        self.roles = roles
        self.exact = coding != "sketch"
        coder = Coder(request.discretizer, request.missing, request.n_jobs)
        rule, _ = coder.settings()
        seen, columns, target, weight = blocks, roles.features, roles.target, roles.weight
        if isinstance(coding, Coding) or not features:
            own = [target] if weight is None else [target, weight]
            seen, columns, target, weight = blocks.select(own), (), 0, None if weight is None else 1
        summaries = seen.reduce(Summarise(rule, target, weight, request.n_jobs), merge_summaries)
        if not summaries.n_rows:
            raise InvalidInput("sample_weight: must not all be zero, got 0 in every row")
        self.n_rows, self.weight, self.whole = summaries.n_rows, summaries.weight, summaries.whole
        if isinstance(coding, Coding):
            self.coding = recounted(coding, summaries, target)
        else:
            self.coding = find_coding(seen, summaries, coder, columns, target, weight, request.task, self.exact)

    @property
    def names(self) -> tuple[str, ...]:
        """Of the features."""
        return tuple(self.blocks.names[j] for j in self.roles.features)

    @property
    def reader(self) -> RowReader:
        return RowReader(self.roles.features, self.roles.target, self.coding.target, self.roles.weight)


def check_columns(coder: Coder, names: tuple[str, ...]) -> None:
    """A given coding is of these columns."""
    if coder.names != names:
        odd = next((name for name in (*names, *coder.names) if (name in names) != (name in coder.names)), "their order")
        raise InvalidInput(f"coding: must be of the same columns in the same order, they differ in {odd!r}")


@contextmanager
def in_range() -> Iterator[None]:
    """Numbers too large to be squared are an error, not infinities in the scores."""
    try:
        with np.errstate(over="raise"):
            yield
    except FloatingPointError as error:
        raise InvalidInput(
            "X: some numbers are too large to compute with; rescale the column, or take a method that works on levels"
        ) from error


# -- statistics ----------------------------------------------------------------------------------------------


def _levels(rows: CodedRows, plan: Plan, options: dict[str, Any], parts: ExitStack) -> Collected:
    """Packed codes, in one piece where they fit."""
    from ..statistics.fixed_point import unit_for
    from ..statistics.level_parts import CodeRows, PartitionedLevels, merge_levels, row_bytes

    request, coder, target = plan.request, rows.coding.coder, rows.coding.target
    assert coder is not None
    estimator = options.pop("estimator", "plugin")
    make = CodeRows(rows.reader, coder, estimator, request.n_jobs)
    size = rows.n_rows * row_bytes(coder.levels, rows.roles.weight is not None)
    statistics: Any
    if size <= rows.blocks.room and rows.n_rows < ROW_NUMBERS:
        statistics = rows.blocks.reduce(make, merge_levels)
    else:
        unit = 1.0 if rows.roles.weight is None or rows.whole else unit_for(rows.weight)
        kept = parts.enter_context(rows.blocks.keep(make))
        statistics = PartitionedLevels(
            kept, coder.levels, target.n_classes, rows.n_rows, unit, estimator=estimator, n_jobs=request.n_jobs
        )
    notes = coder.notes
    if not rows.exact:
        notes = (*notes, "bins are cut at ranks from a sketch (coding='sketch'), not at exact ones")
    return Collected(statistics, coder, notes, constant=np.asarray(coder.levels) == 1)


def _pairs(rows: CodedRows, plan: Plan, options: dict[str, Any], parts: ExitStack) -> Collected:
    if rows.blocks.memory is not None:
        options["memory"] = min(options["memory"], rows.blocks.memory / 4 / GIB)
    request = plan.request
    arguments = {"random": request.generator(), "verbose": request.verbose}
    return replace(_levels(rows, plan, options, parts), arguments=arguments)


def _moments(rows: CodedRows, plan: Plan, options: dict[str, Any], parts: ExitStack) -> Collected:
    """Means and covariances of the classes."""
    from ..statistics.moment_parts import TakeMoments, TakeRanks, merge_moments, merge_ranks

    request, target = plan.request, rows.coding.target
    d = len(rows.roles.features) + (target.task == "regression")
    n_matrices = 1 if target.task == "regression" else target.n_classes
    needed = 3 * 8 * n_matrices * d * d  # a block's own, the sum so far, their sum
    if rows.blocks.memory is not None and needed > rows.blocks.memory:
        raise InvalidParameter(
            f"memory: {plan.method.name!r} keeps {n_matrices} covariance(s) of {d} columns, {needed} bytes, got a"
            f" limit of {rows.blocks.memory}; raise it, leave columns out, or take a method on counts"
        )
    ranks, notes = None, tuple[str, ...]()
    if options.get("marginals") == "copula":
        ranks = rows.blocks.reduce(TakeRanks(rows.reader), merge_ranks)
        notes = ("normal scores are taken by ranks from a sketch, known to within about half a percent",)
    statistics = rows.blocks.reduce(TakeMoments(rows.reader, request.n_jobs, ranks), merge_moments)
    return Collected(statistics, notes=notes, arguments=moment_arguments(request, target, options))


def _marginals(rows: CodedRows, plan: Plan, options: dict[str, Any], parts: ExitStack) -> Collected:
    """Counts, means and squares of single columns."""
    from ..statistics.marginals import TakeMarginals, merge_marginals

    return Collected(rows.blocks.reduce(TakeMarginals(rows.reader, plan.request.n_jobs), merge_marginals))


COLLECTORS = {"levels": _levels, "pairs": _pairs, "moments": _moments, "marginals": _marginals}
