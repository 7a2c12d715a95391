"""What `Selector.partial_fit` has seen: statistics that grow a block at a time, and the answer they give so far."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..coding import Coder, Target, code_target
from ..coding.binning import check_weights
from ..coding.target_rule import TargetRule
from ..errors import InvalidInput, InvalidParameter
from ..sources import Table
from ..sources.targets import target_values
from .collect import Collected, Work, collect, levels_of, moment_arguments
from .run import Request, Run, answer, plan_for, target_notes


def _labels(classes: Any) -> NDArray[Any]:
    """The labels of all classes, ascending."""
    try:
        found = np.unique(target_values(classes))
    except InvalidInput as error:
        raise InvalidParameter(f"classes: must be the labels of y, got {classes!r} ({error})") from error
    if found.size == 0:
        raise InvalidParameter("classes: must be the labels of y, got none")
    return found


class Increments:
    """Statistics of the blocks so far.

    The first block fixes the classes (unless they are given) and, for methods that count, how columns become levels
    (unless a fitted coder is given). Means, covariances and single columns need no coding: their methods give what
    `fit` would on all rows together.
    """

    def __init__(self, request: Request, names: tuple[str, ...], classes: Sequence[Any] | None, coder: Coder | None):
        self.plan = plan_for(request, names)
        if self.plan.method.statistics == "rows" or self.plan.options.get("similarity") == "correlation":
            raise InvalidParameter(f"method: {request.method!r} needs all rows at once; use fit, or another method")
        options = self.plan.options
        if options.get("marginals", "raw") != "raw" or options.get("pooling") == "auto":
            raise InvalidParameter(
                f"method: {request.method!r} ranks or judges all rows at once; use fit, or give marginals='raw' and a"
                " number for pooling"
            )
        self.coder = coder
        self.rule: TargetRule | None = None
        if classes is not None:
            found = _labels(classes)
            self.rule = TargetRule("classification", found, np.zeros(len(found), np.int64))
        self.collected: Collected | None = None
        self.weight = 0.0

    def update(self, table: Table, y: NDArray[Any], sample_weight: Any = None) -> None:
        """Take in one more block."""
        weights = check_weights(sample_weight, table.n_rows)
        if weights is not None and not weights.all():
            used = np.flatnonzero(weights)
            table, y, weights = table.take(used), y[used], weights[used]
        if self.rule is None:
            first = code_target(y, self.plan.request.task, weights=weights)
            counts = np.zeros(first.n_classes if first.task == "classification" else 0, np.int64)
            self.rule = TargetRule(first.task, first.classes, counts)
        self.plan.check_task(self.rule.task)
        target = self.rule.code(y)
        self._take(table, target, weights)
        if self.rule.task == "classification":
            counts = self.rule.counts + np.bincount(target.codes, minlength=target.n_classes)
            self.rule = replace(self.rule, counts=counts)
        self.weight += float(table.n_rows if weights is None else weights.sum())

    def _take(self, table: Table, target: Target, weights: NDArray[np.float64] | None) -> None:
        from ..statistics.marginals import collect_marginals
        from ..statistics.moment_collect import collect_moments

        request, needed = self.plan.request, self.plan.method.statistics
        if needed == "moments":
            block: Any = collect_moments(table, target, weights, request.n_jobs, form="matrices")
        elif needed == "marginals":
            block = collect_marginals(table, target, weights, request.n_jobs)
        else:
            self._count(table, target, weights)
            return
        if self.collected is None:
            self.collected = Collected(block)
        else:
            self.collected.statistics.merge(block)

    def _count(self, table: Table, target: Target, weights: NDArray[np.float64] | None) -> None:
        if self.collected is None:
            work = Work(table, target, weights, self.plan.candidates, self.plan.request, dict(self.plan.options))
            self.collected = collect(self.plan.method, work) if self.coder is None else levels_of(work, self.coder)
            return
        coder = self.collected.coder
        self.collected.statistics.update(lambda start, stop: coder.by_row(table, start, stop), target.codes, weights)

    def answer(self) -> Run:
        """The selection from everything seen so far."""
        assert self.collected is not None
        assert self.rule is not None
        request, options, collected = self.plan.request, dict(self.plan.options), self.collected
        if self.plan.method.statistics == "moments":
            collected = replace(collected, arguments=moment_arguments(request, self.rule, options))
        elif self.plan.method.statistics == "pairs":
            collected = replace(collected, arguments={"random": request.generator(), "verbose": request.verbose})
        options.pop("estimator", None)
        notes = target_notes(self.rule.task, self.rule.classes, self.rule.counts)
        return answer(self.plan, collected, options, self.weight, self.rule.task, notes)
