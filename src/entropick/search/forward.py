"""Forward search: add what is worth most, one candidate at a time."""

from __future__ import annotations

from dataclasses import replace

from ..measures.measure import Exhaustible, Measure
from .choice import Choice, Outcome, choose, crowded_out, settled
from .task import Task


def forward(measure: Measure, task: Task) -> Outcome:
    """Add the best candidate until there are k.

    With ``evidence`` a candidate that is not distinguishable from chance is passed over, and the search ends when
    no other is left.
    """
    k, first, evidence = task.k, task.first, task.evidence
    left = task.able()
    exhaustible = measure if isinstance(measure, Exhaustible) else None
    choices: list[Choice] = []
    stopped = task.stopped
    for step in task.steps():
        forced = step < len(first)
        if not forced and exhaustible is not None and (reason := exhaustible.stop_reason()):
            stopped = reason
            break
        able = left if evidence is None or forced else left & evidence.significant(left)
        if evidence is not None and not able.any():
            stopped = evidence.rule
            break
        candidate, scores = (first[step], measure.gains()) if forced else settled(measure, able)
        left[candidate] = False
        choice = choose(measure, candidate, scores, able & left)
        p_value = None if evidence is None or forced else evidence.p_value(candidate)
        last = step == k - 1
        if not last:
            measure.add(candidate)
        if evidence is not None and not last:
            evidence.add(candidate)
        redundant = () if last else crowded_out(measure, left)
        told = redundant or p_value is not None
        choices.append(replace(choice, made_redundant=redundant, p_value=p_value) if told else choice)
    return Outcome(choices, stopped)
