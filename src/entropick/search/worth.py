"""What a given set is worth: what the measure itself says of sets, else the scores of its members one after the other.

Of a criterion that is defined step by step (mrmr, jmi, cmim …) the sum depends on the order of the members.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any


def worth_of(measure: Any, members: Sequence[int], fresh: Callable[[], Any]) -> float:
    """Of the candidates ``members``; ``fresh()`` makes the measure again, with nothing chosen."""
    if hasattr(measure, "value_of"):
        return float(measure.value_of(list(members)))
    measure, total = fresh(), 0.0
    for member in members:
        total += float(measure.gains()[member])
        measure.add(member)
    return total
