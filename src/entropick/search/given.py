"""Given: the measure orders all candidates at once, and the first k are taken."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..measures.measure import Evidence
from ..measures.ordering import Orders
from .choice import Choice, Outcome


def given(
    measure: Orders,
    k: int,
    allowed: NDArray[np.bool_],
    first: tuple[int, ...] = (),
    evidence: Evidence | None = None,
    verbose: int = 0,
) -> Outcome:
    """The first k of the order that the measure gives for the candidates allowed; ``first`` before them.

    With ``evidence`` (k="auto") as many as the method itself decides on, in addition to ``first``.
    """
    able = allowed.copy()
    able[list(first)] = True
    ordering = measure.order(k, able)
    scores = dict(zip(ordering.candidates.tolist(), ordering.scores.tolist(), strict=True))
    kept = ordering.candidates
    stopped = f"{k} chosen, as asked" if k < able.sum() else "every candidate is ranked"
    if evidence is not None and ordering.decided is not None:
        kept = kept[: ordering.decided]
        stopped = evidence.rule
    elif evidence is not None:
        kept = kept[evidence.significant(able)[kept]]
        stopped = evidence.rule
    sequence = [*first, *(int(j) for j in kept if j not in first)][:k]
    choices = []
    for step, candidate in enumerate(sequence):
        after = sequence[step + 1] if step + 1 < len(sequence) else None
        account = measure.account(candidate)  # type: ignore[attr-defined]
        choices.append(Choice(candidate, scores[candidate], after, None if after is None else scores[after], account))
    return Outcome(choices, stopped)
