"""What every search leaves behind, and how it breaks ties."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from ..measures.measure import Account, Measure, Scores

TIE = 1e-12  # scores this near to the best, relative to it where it is above 1, are as good
MOST_REDUNDANT = 5  # candidates named in a step


@dataclass(frozen=True)
class Choice:
    """One candidate chosen, with what was known at that moment."""

    candidate: int
    score: float
    runner_up: int | None = None
    runner_up_score: float | None = None
    account: Account = field(default_factory=Account)
    made_redundant: tuple[int, ...] = ()
    p_value: float | None = None


@dataclass(frozen=True)
class Outcome:
    """The choices in order, and why there are no more."""

    choices: list[Choice]
    stopped: str
    details: dict[str, object] = field(default_factory=dict)


def best(scores: Scores, allowed: NDArray[np.bool_]) -> int:
    """The allowed candidate with the highest score; the lowest number among those as good."""
    at = scores.argmax()  # methods: NumPy's functions of the same name take longer than some tables
    top = float(scores[at])
    if allowed[at] and isfinite(top):
        return int(((scores >= top - TIE * max(1.0, abs(top))) & allowed).argmax())
    able = np.where(allowed, scores, -np.inf)
    top = float(able[able.argmax()])
    return int((able >= top - TIE * max(1.0, abs(top)) if isfinite(top) else allowed).argmax())


def settled(measure: Measure, allowed: NDArray[np.bool_]) -> tuple[int, Scores]:
    """The best candidate and the scores by which it is, after a closer look where the measure is hasty."""
    while True:
        scores = measure.gains()
        candidate = best(scores, allowed)
        if not hasattr(measure, "settle") or measure.settle(candidate):  # hasattr for speed: see `crowded_out`
            return candidate, scores


def worst(scores: Scores, allowed: NDArray[np.bool_]) -> int:
    """The allowed candidate with the lowest score; the highest number among those as bad."""
    return scores.size - 1 - best(-scores[::-1], allowed[::-1])


def choose(
    measure: Measure, candidate: int, scores: Scores, rest: NDArray[np.bool_], runner_up: int | None = None
) -> Choice:
    """A choice with its runner-up among the rest, where it is not known; the measure must not have added it yet."""
    score, account = float(scores[candidate]), measure.account(candidate)
    if runner_up is None:
        if not rest.any():
            return Choice(candidate, score, account=account)
        others = scores.copy()
        others[candidate] = -np.inf
        runner_up = best(others, rest)
    return Choice(candidate, score, runner_up, float(scores[runner_up]), account)


def crowded_out(measure: Measure, allowed: NDArray[np.bool_]) -> tuple[int, ...]:
    """Candidates that the latest pick made redundant, as far as the measure can tell."""
    if not hasattr(measure, "made_redundant"):  # not isinstance of Crowding, which costs more than some steps
        return ()
    found = np.asarray(measure.made_redundant(), dtype=np.intp)
    return tuple(found[allowed[found]][:MOST_REDUNDANT].tolist()) if found.size else ()
