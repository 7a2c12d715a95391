"""The gatherer: from wherever the rows are to the statistics that the method asks for.

    request ──> plan ──> kind: why not? ──> kind: of_table · of_blocks · extended · of_saved ──> Gathered ──> answer

One function a way. Each checks the request against the columns, asks the kind (`statistics/kind.py`) whether it can be
had this way, codes the target, and has the kind make the statistics. What differs between kinds is known to them alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..coding import Coder, Target, code_target
from ..coding.binning import check_weights
from ..coding.class_weights import CountClasses, Weigh, WeighedBlocks, summed, weighted_rows, weights_of_classes
from ..coding.coded_blocks import CodedBlocks, find_column, find_roles
from ..coding.refine import Coding
from ..coding.target_rule import TargetRule
from ..errors import InvalidInput, InvalidParameter
from ..methods import get_method
from ..sources import Table, TableSource, as_table, split_target
from ..sources.blocks import LocalBlocks
from ..sources.labelled import labelled
from ..sources.origin import InBlocks
from ..sources.roles import LOOKED_AT, row_labels
from ..sources.targets import MissingTarget, target_values
from ..sources.values import listed
from ..statistics.kind import Collected, Increment, Kind, Mergeable, Way, kind_of
from ..statistics.saved import Statistics, as_coding
from .request import Plan, Request, plan_for, several

Floats = NDArray[np.float64]
JUDGE = "lifted"  # the kind that the judge of k="auto" and credible sets are made of
MOST = 100  # picks that are told how sure they are without being asked for
HUGE = 1e100  # a weight from which it is to blame for sums that overflow


@dataclass(frozen=True)
class Gathered:
    """Statistics and all that the answer needs besides; ``counts`` are rows of each class, ``weight`` that of all.

    ``judged`` are the lifted columns that say where to stop and how sure it is: those of the method itself where it
    works on them, others where they are wanted, else None.
    """

    plan: Plan
    collected: Collected
    target: Target | TargetRule
    counts: NDArray[np.int64]
    weight: float
    judged: Collected | None = None


@contextmanager
def gather(X: Any, y: Any, request: Request, sample_weight: Any = None) -> Iterator[Gathered]:
    """The statistics of whatever holds rows; X, y and ``sample_weight`` as in `entropick.select`.

    What was opened or left on workers is there until the end of the ``with`` block.
    """
    if isinstance(X, Statistics):
        yield _of_saved(X, y, request, sample_weight)
        return
    get_method(request.method).check_weights(sample_weight is not None, request.class_weight is not None)
    rules = as_coding(request.coding)
    with request.located(X, y, sample_weight) as where, ExitStack() as parts:
        if isinstance(rules, Coding) and not isinstance(where, InBlocks):
            where = InBlocks(LocalBlocks(TableSource(as_table(where))), y)
        if isinstance(where, InBlocks):
            with _in_range(_too_large_in_blocks):
                try:
                    found = _of_blocks(where, request, sample_weight, rules, parts)
                except MissingTarget:
                    if not isinstance(where.blocks, LocalBlocks):
                        raise
                    known = labelled(where.blocks.source, where.target)
                    where = replace(where, blocks=LocalBlocks(known, where.blocks.memory))
                    found = _of_blocks(where, request, sample_weight, rules, parts)
                yield found
        else:
            beside = [one for one in (sample_weight, request.given) if one is not None and not _is_named(one)]
            table, values, _ = split_target(where, y, labelled=not beside)  # rows beside must stay beside
            if isinstance(sample_weight, str):
                table, sample_weight = _split_weight(table, sample_weight)
            table, given = _split_given(table, request.given)
            table, values, weights, given = _used(table, values, sample_weight, given)
            with _in_range(lambda: _too_large(table, weights)):
                yield _of_table(table, values, weights, request, given)


def _planned(request: Request, names: tuple[str, ...], way: Way) -> Plan:
    """What will run, once the kind has nothing against it."""
    plan = plan_for(request, names)
    asked = replace(plan.asked, given=request.given)
    reason = plan.kind.why_not(asked, way)
    if reason is None and plan.judged:
        reason = kind_of(JUDGE).why_not(asked, way)
    if reason is not None:
        raise InvalidParameter(reason)
    return plan


def _judged(plan: Plan, collected: Collected, collect: Callable[[Kind], Collected]) -> Collected | None:
    """What the judge is asked of: rows as they are, whatever their classes weigh in the order."""
    if plan.method.statistics == JUDGE and plan.request.class_weight is None:
        return collected
    sure = plan.method.statistics == JUDGE and plan.request.k is not None and plan.k <= MOST
    return collect(kind_of(JUDGE)) if plan.judged or sure else None


def _mergeable(plan: Plan) -> Mergeable:
    assert isinstance(plan.kind, Mergeable)  # any other has said why not
    return plan.kind


# -- the ways ------------------------------------------------------------------------------------------------


def _of_table(table: Table, y: NDArray[Any], weights: Floats | None, request: Request, given: Table | None) -> Gathered:
    request, told = _without_labels(request, row_labels(table) if table.named else (), table.names)
    plan = _planned(request, table.names, "table")
    many = plan.method.several
    target = plan.asked.shared(
        ("target", request.task, many), lambda: code_target(y, request.task, weights=weights, several=many)
    )
    plan.check_task(target.task)
    asked = replace(plan.asked, given=given)
    weighed = weights
    if request.class_weight is not None:
        weighed = weighted_rows(request.class_weight, target.classes, target.codes, weights)
    collected = plan.kind.of_table(table, target, weighed, asked)
    judged = _judged(plan, collected, lambda kind: kind.of_table(table, target, weights, asked))
    collected = replace(collected, notes=tuple(dict.fromkeys((*table.notes, *told, *collected.notes))))
    counts = np.bincount(target.codes, minlength=target.n_classes)
    return Gathered(plan, collected, target, counts, float(table.n_rows if weights is None else weights.sum()), judged)


def _of_blocks(
    where: InBlocks, request: Request, sample_weight: Any, coding: str | Coding, parts: ExitStack
) -> Gathered:
    roles = find_roles(where.blocks, where.target, sample_weight, _given_names(request.given))
    names = tuple(where.blocks.names[j] for j in roles.features)
    if where.needed and not isinstance(plan_for(request, names).kind, Mergeable):
        raise InvalidParameter(
            f"memory: {request.method!r} needs all rows in memory ({where.needed} bytes), got a limit of"
            f" {where.blocks.memory}; raise it, or use a method that streams, see entropick.methods()"
        )
    told: tuple[str, ...] = ()
    if isinstance(where.blocks, LocalBlocks):
        first = next(where.blocks.source.blocks(LOOKED_AT, roles.features), None)
        request, told = _without_labels(request, () if first is None else row_labels(first), names)
    plan = _planned(request, names, "blocks")
    kind = _mergeable(plan)
    counted = kind.coded and not kind.own_coding
    rows = CodedBlocks(where.blocks, roles, plan.asked.coder(), request.task, coding, features=counted)
    rule = rows.coding.target
    plan.check_task(rule.task)
    weighed = rows if request.class_weight is None else _weighed(rows, plan, coding, counted)
    collected = kind.of_blocks(weighed, plan.asked, parts)
    collected = replace(collected, notes=tuple(dict.fromkeys((*where.blocks.notes, *told, *collected.notes))))
    judged = _judged(plan, collected, lambda kind: kind.of_blocks(rows, plan.asked, parts))  # type: ignore[attr-defined]
    return Gathered(plan, collected, rule, rule.counts, rows.weight, judged)


def _weighed(rows: CodedBlocks, plan: Plan, coding: str | Coding, counted: bool) -> CodedBlocks:
    """The same rows, each of which weighs what its class does besides."""
    request, weight = plan.request, rows.roles.weight
    reader = replace(rows.reader, features=())
    seen = rows.blocks.select([reader.target, *([] if weight is None else [weight])])
    totals = seen.reduce(CountClasses(replace(reader, target=0, weight=None if weight is None else 1)), summed)
    by_class = weights_of_classes(request.class_weight, reader.rule.classes, totals)
    blocks = WeighedBlocks(rows.blocks, Weigh(reader, tuple(by_class.tolist())))
    roles = replace(rows.roles, weight=len(rows.blocks.names))
    return CodedBlocks(blocks, roles, plan.asked.coder(), request.task, coding, features=counted)


def _of_saved(saved: Statistics, y: Any, request: Request, sample_weight: Any) -> Gathered:
    """Target and coding are those recorded."""
    if y is not None and not (isinstance(y, str) and y == saved.target):
        raise InvalidParameter(f"y: these statistics are for the target {saved.target!r}, got {y!r:.60}")
    plain = Request()
    for name in ("task", "discretizer", "missing", "coding"):
        if getattr(request, name) != getattr(plain, name):
            raise InvalidParameter(f"{name}: was fixed when the statistics were gathered; omit it")
    if request.class_weight is not None:
        raise InvalidParameter("class_weight: needs the rows, which statistics do not have; omit it")
    if sample_weight is not None:
        raise InvalidParameter("sample_weight: weights were applied when the statistics were gathered; omit it")
    coder, rule = saved.coder, saved.coding.target
    request = replace(request, task=rule.task, discretizer=coder.discretizer, missing=coder.missing)
    plan = _planned(request, saved.names, "saved")
    plan.check_task(rule.task)
    part = saved.parts.get(plan.method.statistics)
    if part is None:
        raise InvalidParameter(
            f"method: {request.method!r} needs numbers in every cell, and these statistics are of columns with"
            " categories or gaps; take one of the discrete family"
        )
    collected = _mergeable(plan).of_saved(part, saved.coding, plan.asked)
    notes = tuple(dict.fromkeys((*saved.notes, *collected.notes))) if plan.kind.coded else collected.notes
    judged = _judged(plan, collected, lambda kind: _saved_judge(kind, saved, plan))
    return Gathered(plan, replace(collected, notes=notes), rule, rule.counts, saved.weight, judged)


def _saved_judge(kind: Kind, saved: Statistics, plan: Plan) -> Collected:
    assert isinstance(kind, Mergeable)
    if (part := saved.parts.get(JUDGE)) is None:
        raise InvalidParameter(
            "k: 'auto' and level ask for products of all lifted columns, which these statistics are too wide for;"
            " give k a number, or take test='chi2'"
        )
    return kind.of_saved(part, saved.coding, plan.asked)


class Increments:
    """What `Selector.partial_fit` has seen: statistics that grow a block at a time.

    The first block fixes the classes (unless they are given) and, for methods that count, how columns become levels
    (unless a fitted coder is given). Means, covariances and single columns need no coding: their methods give what
    `fit` would on all rows together.
    """

    def __init__(
        self, request: Request, names: tuple[str, ...], classes: Sequence[Any] | None, coder: Coder | None
    ) -> None:
        self.plan = _planned(request, names, "increments")
        if request.class_weight is not None:
            raise InvalidParameter("class_weight: needs all rows at once; use fit, or weigh rows by sample_weight")
        self.coder = coder
        self.rule: TargetRule | None = None
        if classes is not None:
            found = _labels(classes)
            self.rule = TargetRule("classification", found, np.zeros(len(found), np.int64))
        self.collected: Collected | None = None
        self.judged: Collected | None = None
        self.weight = 0.0

    def update(self, table: Table, y: NDArray[Any], sample_weight: Any = None) -> None:
        """Take in one more block."""
        self.plan.method.check_weights(sample_weight is not None)
        table, y, weights, _ = _used(table, y, sample_weight)
        if self.rule is None:
            first = code_target(y, self.plan.request.task, weights=weights)
            counts = np.zeros(first.n_classes if first.task == "classification" else 0, np.int64)
            self.rule = TargetRule(first.task, first.classes, counts)
        self.plan.check_task(self.rule.task)
        target, plan = self.rule.code(y), self.plan
        block = Increment(table, target, weights, self.coder)
        self.collected = _mergeable(plan).extended(self.collected, block, plan.asked)
        if plan.judged and plan.method.statistics != JUDGE:
            kind = kind_of(JUDGE)
            assert isinstance(kind, Mergeable)
            self.judged = kind.extended(self.judged, replace(block, coder=None), plan.asked)
        if self.rule.task == "classification":
            counts = self.rule.counts + np.bincount(target.codes, minlength=target.n_classes)
            self.rule = replace(self.rule, counts=counts)
        self.weight += float(table.n_rows if weights is None else weights.sum())

    def gathered(self) -> Gathered:
        """Everything so far."""
        assert self.collected is not None
        assert self.rule is not None
        own = self.plan.method.statistics == JUDGE
        judged = self.collected if own else self.judged
        return Gathered(self.plan, self.collected, self.rule, self.rule.counts, self.weight, judged)


# -- rows ----------------------------------------------------------------------------------------------------


def _used(
    table: Table, y: NDArray[Any], sample_weight: Any, given: Table | None = None
) -> tuple[Table, NDArray[Any], Floats | None, Table | None]:
    """The rows whose weight is not 0, and their weights."""
    weights = check_weights(sample_weight, table.n_rows)
    if weights is None or weights.all():
        return table, y, weights, given
    used = np.flatnonzero(weights)
    return table.take(used), y[used], weights[used], None if given is None else given.take(used)


def _split_given(table: Table, given: Any) -> tuple[Table, Table | None]:
    """The table without the covariates that are columns of it, and the covariates."""
    if given is None:
        return table, None
    if _is_named(given):
        at = [find_column(table.names, "given", name) for name in _given_names(given)]
        rest = [j for j in range(table.n_columns) if j not in at]
        if not rest:
            raise InvalidInput("given: leaves no column to select from; name fewer")
        return table.select(rest), table.select(at) if at else None
    beside = as_table(np.asarray(given).reshape(-1, 1) if np.ndim(given) == 1 else given)
    if beside.n_rows != table.n_rows:
        raise InvalidInput(f"given: must have one row per row of X ({table.n_rows}), got {beside.n_rows}")
    return table, beside


def _without_labels(request: Request, labels: Sequence[str], names: Sequence[str]) -> tuple[Request, tuple[str, ...]]:
    """The request without columns that number or name the rows, unless they are asked for; and a note on them."""
    groups = request.groups
    if isinstance(groups, Mapping):
        members = _by_name([one for own in groups.values() for one in several(own)], names)
        labels = [name for name in labels if name not in members]
    if not labels or not isinstance(groups, Mapping | None) or request.k is None:
        return request, ()
    excluded = several(request.exclude)
    wanted, gone = _by_name(several(request.include), names), _by_name(excluded, names)
    more = [name for name in labels if name not in wanted and name not in gone]
    if not more or len(gone) + len(more) >= len(names):
        return request, ()
    what = "numbers or names the rows and is" if len(more) == 1 else "number or name the rows and are"
    return (
        replace(request, exclude=[*excluded, *more]),
        (f"{listed(more)} {what} ignored unless named with include",),
    )


def _by_name(columns: Sequence[Any], names: Sequence[str]) -> set[Any]:
    """Columns given by name or number, by name."""
    return {names[int(one)] if isinstance(one, Integral) and 0 <= int(one) < len(names) else one for one in columns}


def _is_named(given: Any) -> bool:
    """Whether these are names of columns rather than values."""
    return isinstance(given, str) or (isinstance(given, (list, tuple)) and all(isinstance(one, str) for one in given))


def _given_names(given: Any) -> tuple[str, ...]:
    """Names of covariates, where rows come in blocks."""
    if given is None:
        return ()
    names = (given,) if isinstance(given, str) else tuple(given)
    if not all(isinstance(name, str) for name in names):
        raise InvalidParameter("given: must be column names when rows come in blocks")
    return names


def _split_weight(table: Table, name: str) -> tuple[Table, Any]:
    """The table without the column of weights, and that column."""
    at = find_column(table.names, "sample_weight", name)
    if table.n_columns == 1:
        raise InvalidInput(f"X: no column is left to select from besides the weights {name!r}")
    return table.select([j for j in range(table.n_columns) if j != at]), table.column(at)


def _labels(classes: Any) -> NDArray[Any]:
    """The labels of all classes, ascending."""
    try:
        found: NDArray[Any] = np.unique(target_values(classes))
    except InvalidInput as error:
        raise InvalidParameter(f"classes: must be the labels of y, got {classes!r} ({error})") from error
    if found.size == 0:
        raise InvalidParameter("classes: must be the labels of y, got none")
    return found


@contextmanager
def _in_range(blame: Callable[[], str]) -> Iterator[None]:
    """Numbers too large to be squared are an error, not infinities in the scores."""
    try:
        with np.errstate(over="raise"):
            yield
    except FloatingPointError as error:
        raise InvalidInput(blame()) from error


def _too_large_in_blocks() -> str:
    return "X: some numbers are too large to compute with; rescale the column, or use a discrete method"


def _too_large(table: Table, weights: Floats | None) -> str:
    """What is to blame."""
    if weights is not None and weights.max() > HUGE:
        return f"sample_weight: too large to compute with, got {weights.max():g}; rescale all weights"
    numbers = [j for j in range(table.n_columns) if table.kind(j) != "category"]
    largest = [float(np.nanmax(np.abs(table.column(j).astype(float)), initial=0)) for j in numbers]
    at = int(np.argmax(largest))
    return (
        f"X: column {table.names[numbers[at]]!r} has numbers up to {largest[at]:g}, too large to compute with;"
        " rescale it, or use a discrete method"
    )
