"""Best-first search: grow the best set seen so far that has not been grown; give up after some in vain.

    open: sets by falling worth. Take the best, look at all sets with one feature more, put them among the open
    ones. End after ``STALE`` expansions in a row that brought no better set (Hall 2000, five).

Only the best child of each expanded set waits in the queue; the next one follows when it is taken. That is the
same order as keeping all D children of every set.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ..measures.measure import Measure, Scores
from .choice import TIE, Choice, Outcome
from .forward import forward
from .task import Task

STALE = 5  # expansions without a better set before the search ends
BATCH = 64  # children of a set that are kept in order; more are asked for when these are used up


class AsksMerits(Measure, Protocol):
    """A measure that can be asked about any set."""

    def merits(self, members: Sequence[int]) -> Scores:
        """(n_candidates,) worth of the set with each candidate added; −∞ for its own members."""
        ...


def best_first(measure: AsksMerits, task: Task) -> Outcome:
    """The best set found, in the order in which it was grown, up to k.

    Where it has fewer than k, forward search goes on from it. With ``evidence`` (k="auto") the set is the answer,
    of candidates that alone are distinguishable from chance.
    """
    k, first, evidence = task.k, task.first, task.evidence
    able = task.allowed.copy()
    if evidence is not None:
        able &= evidence.significant(task.allowed)
    able[list(first)] = False
    found, expanded = _search(measure, tuple(first), able)
    details: dict[str, Any] = {"sets_expanded": expanded, "best_set_size": len(found)}
    order = list(found[: max(k, len(first))])
    grown = replace(task, k=k if evidence is None else len(order), first=tuple(order), evidence=None)
    outcome = forward(measure, grown)
    if evidence is None:
        if len(order) == k:
            return Outcome(outcome.choices, outcome.stopped, details)
        return Outcome(outcome.choices, f"{len(order)} chosen best first, then forward to {k}", details)
    choices = [
        Choice(c.candidate, c.score, c.runner_up, c.runner_up_score, c.account, c.made_redundant,
               None if c.candidate in first else evidence.p_value(c.candidate))
        for c in outcome.choices
    ]  # fmt: skip
    rule = evidence.rule if not able.any() else f"{STALE} expansions in a row found no better set"
    return Outcome(choices, rule, details)


def _search(measure: AsksMerits, start: tuple[int, ...], able: NDArray[np.bool_]) -> tuple[tuple[int, ...], int]:
    """The best set, in the order grown, and how many sets were expanded."""
    best, worth = start, -np.inf
    queue: list[tuple[float, int, tuple[int, ...], list[tuple[float, int]], int]] = []
    seen = {frozenset(start)}
    expanded = stale = arrived = 0

    def children(members: tuple[int, ...], skip: int) -> list[tuple[float, int]]:
        scores = np.where(able, measure.merits(members), -np.inf)
        numbers = np.flatnonzero(np.isfinite(scores))
        order = numbers[np.argsort(-scores[numbers], kind="stable")]
        return [(float(scores[j]), int(j)) for j in order[skip : skip + BATCH]]

    def wait(members: tuple[int, ...], kept: list[tuple[float, int]], at: int) -> None:
        nonlocal arrived
        if at and at % BATCH == 0:
            kept = children(members, at)
        if at % BATCH < len(kept):
            heapq.heappush(queue, (-kept[at % BATCH][0], arrived, members, kept, at))
            arrived += 1

    current = start
    while True:
        kept = children(current, 0)
        expanded += 1
        wait(current, kept, 0)
        if kept and kept[0][0] > worth + TIE * max(1.0, abs(worth) if np.isfinite(worth) else 1.0):
            worth, best, stale = kept[0][0], (*current, kept[0][1]), 0
        else:
            stale += 1
        if stale >= STALE:
            return best, expanded
        while queue:
            _, _, members, kept, at = heapq.heappop(queue)
            wait(members, kept, at + 1)
            current = (*members, kept[at % BATCH][1])
            if frozenset(current) not in seen:
                seen.add(frozenset(current))
                break
        else:
            return best, expanded
