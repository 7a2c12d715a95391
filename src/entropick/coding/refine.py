"""Rules of columns from their summaries, as `Coder.fit` and `code_target` find them in memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidInput, InvalidParameter, check_choice
from ..sources.blocks import Blocks
from ..sources.targets import MissingTarget
from .binning import below_top, even_edges, uniform_edges
from .coder import Coder
from .learn import Learned, categories, check_levels, cut_at, nothing_seen, too_fine, whole_numbers
from .lifted_coding import LiftedCoding
from .ranked_edges import bracketed, refined, sketched
from .rules import MOST_LEVELS, Single
from .summary import ColumnSummaries
from .target import HUNDREDTHS, TASKS, check_range, is_quantity, quantity_note
from .target_rule import TargetRule

Floats = NDArray[np.float64]
TARGET_BINS = 5  # of a continuous target, as in `code_target`


@dataclass(frozen=True)
class Coding:
    """What blocks are coded by: the features' coder, the target's rule, and how both are lifted where asked for."""

    coder: Coder | None
    target: TargetRule
    lifted: LiftedCoding | None = None

    @property
    def of_features(self) -> Coder:
        """The features' coder, where it was asked for."""
        assert self.coder is not None
        return self.coder


def find_coding(
    blocks: Blocks,
    summaries: ColumnSummaries,
    coder: Coder,
    features: Sequence[int],
    target: int,
    weight: int | None = None,
    task: str = "auto",
    exact: bool = True,
) -> Coding:
    """The rules of the features and of the target, as `Coder.fit` and `code_target` find them in memory."""
    rule, bins = coder.settings()
    asked, task = task, _task(summaries, blocks.kinds[target], target, task)
    wanted = {j: bins for j in features if _is_cut(summaries, j, blocks.kinds[j], rule)} if rule == "quantile" else {}
    if task == "regression":
        wanted[target] = HUNDREDTHS
    if exact:
        cuts = [bracketed(summaries, j, b, weight is not None) for j, b in wanted.items()]
        found = refined(blocks, cuts, summaries, weight)
    else:
        found = [sketched(summaries, j, b, weight is not None) for j, b in wanted.items()]
    edges = {}
    for j, some in zip(wanted, found, strict=True):
        _, top, below = summaries.reach(j)
        edges[j] = below_top(some, top, partial(float, below))
    if target in edges and len(edges[target]):
        edges[target] = even_edges(edges[target], TARGET_BINS)
    learned = [_learned(blocks, summaries, j, rule, bins, edges) for j in features]
    names, kinds = (tuple(some[j] for j in features) for some in (blocks.names, blocks.kinds))
    fitted = coder.adopt(names, kinds, learned, summaries.weight, blocks.notes) if features else None
    return Coding(fitted, _target_rule(summaries, target, task, edges.get(target), asked))


def recounted(coding: Coding, summaries: ColumnSummaries, target: int) -> Coding:
    """A coding that was found elsewhere, with the class counts of these rows."""
    _refuse_missing(summaries, target)
    rule, found = coding.target, summaries.distinct[target]
    if rule.task == "regression":
        return coding
    if found.values is None or found.counts is None:
        raise InvalidInput(f"y: has more than {found.most} classes, the given coding {rule.n_classes}")
    counts = np.zeros(rule.n_classes, np.int64)
    counts[rule.code(found.values).codes] = found.counts
    return replace(coding, target=replace(rule, counts=counts))


def _is_cut(summaries: ColumnSummaries, j: int, kind: str, rule: str | None) -> bool:
    """Whether a column of numbers has edges: it has values, and too many of them to be levels as they are."""
    if rule is None or kind in ("category", "boolean") or not summaries.mass[j]:
        return False
    return kind == "numeric" or summaries.distinct[j].values is None


def _learned(
    blocks: Blocks, summaries: ColumnSummaries, j: int, rule: str | None, bins: int, edges: dict[int, Floats]
) -> Learned:
    kind, name, total = blocks.kinds[j], blocks.names[j], summaries.weight
    n_missing = int(summaries.missing[j])
    if kind == "category":
        labels = summaries.labels[j]
        if labels.labels is not None:
            return categories(list(labels.labels), n_missing, rule, total, name)
        if rule is None or not too_fine(len(labels), total):
            check_levels(len(labels) + bool(n_missing), name)
        return Learned(Single("too fine"), n_missing, "fine", len(labels))
    if _is_cut(summaries, j, kind, rule):
        low, top, _ = summaries.reach(j)
        own = edges[j] if j in edges else uniform_edges(np.array([low, top]), bins)
        return cut_at(own, rule or "", n_missing, low == top)
    if not summaries.mass[j]:
        return nothing_seen(n_missing)
    distinct = summaries.distinct[j].values
    if distinct is None:
        distinct = np.arange(MOST_LEVELS + 1)  # more than a column may have, whatever they are
    whole = distinct.astype(np.float64 if n_missing or kind == "numeric" else np.int64)
    learned = whole_numbers(whole, n_missing, rule, total, name)
    assert learned is not None
    return learned


def _task(summaries: ColumnSummaries, kind: str, target: int, task: str) -> str:
    check_choice("task", task, TASKS)
    _refuse_missing(summaries, target)
    if task == "regression" and kind == "category":
        value = summaries.distinct[target].values
        raise InvalidInput(
            f"y: a regression target must be numbers, got {value[0] if value is not None else 'texts'!r};"
            " pass task='classification' for labels"
        )
    if task in ("multilabel", "survival"):
        raise InvalidParameter(f"task: {task!r} needs all rows at once, but they come in blocks; read them into memory")
    if task != "auto":
        return task
    found = summaries.distinct[target]
    distinct = found.most + 1 if found.values is None else len(found.values)
    many = kind in ("numeric", "integer") and is_quantity(distinct, summaries.n_rows, kind == "numeric")
    return "regression" if summaries.fractions or many else "classification"


def _refuse_missing(summaries: ColumnSummaries, target: int) -> None:
    missing = int(summaries.missing[target])
    if missing:
        raise MissingTarget(missing)


def _target_rule(summaries: ColumnSummaries, target: int, task: str, edges: Floats | None, asked: str) -> TargetRule:
    if task == "regression":
        assert edges is not None
        low, top, _ = summaries.reach(target)
        check_range(low, top)
        if not len(edges):
            raise InvalidInput(f"y: a regression target must not be constant, got {top:g} in every row (1 class)")
        distinct = summaries.distinct[target].values
        whole = asked == "auto" and not summaries.fractions
        note = quantity_note(len(distinct)) if whole and distinct is not None else ""
        return TargetRule(task, edges, np.empty(0, np.int64), note)
    found = summaries.distinct[target]
    if found.values is None:
        raise InvalidInput(
            f"y: has more than {found.most} classes; pass task='regression' if it is a quantity, or group them"
        )
    assert found.counts is not None
    if len(found.values) < 2:
        raise InvalidInput(f"y: needs at least two classes, got 1 class ({str(found.values[0])!r})")
    if len(found.values) == summaries.n_rows and len(found.values) > 2:
        raise InvalidInput(
            f"y: every one of the {summaries.n_rows} rows is a class of its own;"
            " pass task='regression' if y is a quantity"
        )
    return TargetRule(task, found.values, found.counts)
