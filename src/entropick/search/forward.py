"""Forward search: add what is worth most, one candidate at a time."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..measures.measure import Evidence, Exhaustible, Measure
from ..progress import track
from .choice import Choice, Outcome, choose, crowded_out, settled


def forward(
    measure: Measure,
    k: int,
    allowed: NDArray[np.bool_],
    first: tuple[int, ...] = (),
    evidence: Evidence | None = None,
    verbose: int = 0,
) -> Outcome:
    """Add the best candidate until there are k.

    ``first`` are chosen before any other, in that order. With ``evidence`` a candidate that is not
    distinguishable from chance is passed over, and the search ends when no other is left.
    """
    left = allowed.copy()
    left[list(first)] = True
    exhaustible = measure if isinstance(measure, Exhaustible) else None
    choices: list[Choice] = []
    stopped = f"{k} chosen, as asked" if k < left.sum() else "every candidate is ranked"
    for step in track(k, "selecting", verbose):
        forced = step < len(first)
        if not forced and exhaustible is not None and (reason := exhaustible.stop_reason()):
            stopped = reason
            break
        able = left
        if evidence is not None and not forced:
            able = left & evidence.significant(left)
            if not able.any():
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
        choices.append(replace(choice, made_redundant=redundant, p_value=p_value))
    return Outcome(choices, stopped)
