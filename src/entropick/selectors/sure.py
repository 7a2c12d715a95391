"""Where k="auto" stops, and how sure it is: the judge on lifted columns, beside whatever measure and search are run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..catalogue.search import SEARCH_ENTRIES
from ..coding import Candidate
from ..measures.joint.credible import Verdict, verdicts
from ..measures.joint.judge import OF_PAIRS, Judge
from ..measures.joint.tested import Problem
from ..search import Outcome, Task
from ..selection import CredibleSet, Step
from .gather import JUDGE, MOST, Gathered

LEVEL = 0.95
CONFIRMED, ONE_OF, NOISE = "confirmed", "one of these", "not distinguishable from noise"
Run = Callable[[Task], Outcome]  # of the method's search, on a fresh measure each time


def judge_of(gathered: Gathered, measure: Any) -> Judge | None:
    """The judge, where its statistics were gathered and are wanted; of pairs too where the measure knows any."""
    plan, judged = gathered.plan, gathered.judged
    request = plan.request
    if judged is None or not (plan.judged or (request.sure and request.k not in (None, "auto") and plan.k <= MOST)):
        return None
    options, alpha = judged.options, float(request.alpha)
    pairs = getattr(measure, "products", {})
    statistics = measure.statistics if pairs else judged.statistics
    problem = Problem.of(statistics, options["blocks"], options["given"], pairs)
    allowed = plan.allowed.copy()
    allowed[list(plan.first)] = True
    return Judge(problem, allowed, alpha, measure.entering(OF_PAIRS * alpha) if pairs else ())


def stopped_by(judge: Judge, gathered: Gathered, task: Task, run: Run) -> Outcome:
    """The outcome of the method's search where the judge says when it ends; see `measures.joint.judge`."""
    plan, first = gathered.plan, task.first
    own = plan.method.statistics == JUDGE
    if own or SEARCH_ENTRIES[plan.search].sized:
        found = judge.search(first)
        if not found:
            return Outcome([], judge.rule)
        rule = judge.rule
        allowed = task.allowed.copy()
        if own:
            allowed[:] = False
            allowed[found] = True
        outcome = replace(run(replace(task, k=len(found), allowed=allowed)), stopped=rule)
        if own:
            return outcome
    else:
        outcome = run(replace(task, evidence=judge))
    picks = [choice.candidate for choice in outcome.choices]
    kept, _ = judge.kept(picks, first)
    if kept == picks:
        return outcome
    if not kept:
        return Outcome([], outcome.stopped)
    # once more without those that the others explain, so that every step is told in terms of the steps before it
    again = replace(task, k=len(kept), first=tuple(kept))
    return replace(run(again), stopped=outcome.stopped)


def told(steps: tuple[Step, ...], judge: Judge, gathered: Gathered, picks: Sequence[int]) -> tuple[Step, ...]:
    """The steps with p-values, statuses and credible sets."""
    plan = gathered.plan
    level = LEVEL if plan.request.level is None else float(plan.request.level)
    found = verdicts(judge, picks, plan.allowed, level)
    return tuple(
        replace(
            step, p_value=verdict.p_value, status=status(verdict), credible_set=_set(verdict, level, plan.candidates)
        )
        for step, verdict in zip(steps, found, strict=True)
    )


def status(verdict: Verdict) -> str:
    if not verdict.real:
        return NOISE
    return CONFIRMED if len(verdict.members) == 1 and len(verdict.pairs) < 2 else ONE_OF


def _set(verdict: Verdict, level: float, candidates: Sequence[Candidate]) -> CredibleSet:
    members = [candidates[j] for j in verdict.members]
    return CredibleSet(
        names=tuple(member.name for member in members),
        indices=tuple(int(member.columns[0]) for member in members),
        weights=tuple(np.round(verdict.weights, 12).tolist()),
        purity=verdict.purity,
        level=level,
        pairs=tuple((candidates[i].name, candidates[j].name) for i, j in verdict.pairs),
        pair_weights=tuple(np.round(verdict.pair_weights, 12).tolist()),
    )
