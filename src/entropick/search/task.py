"""What every search is asked: how many, of which, which ones first, and when nothing more is worth choosing."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..measures.measure import Evidence
from ..progress import track


@dataclass(frozen=True)
class Task:
    """k candidates of those ``allowed`` (a mask), ``first`` before any other and in that order, allowed or not.

    evidence: for k="auto", tells what is distinguishable from chance; k is then the most that may be chosen.
    fresh: makes the measure again, with nothing chosen, for searches that look at many sets.

    >>> task = Task(2, np.array([True, False, True, True]), first=(1,))
    >>> task.taking_part.tolist(), task.stopped
    ([0, 1, 2, 3], '2 chosen, as asked')
    """

    k: int
    allowed: NDArray[np.bool_]
    first: tuple[int, ...] = ()
    evidence: Evidence | None = None
    verbose: int = 0
    fresh: Callable[[], Any] | None = None

    @property
    def n_candidates(self) -> int:
        return int(self.allowed.size)

    def able(self) -> NDArray[np.bool_]:
        """(n_candidates,) the allowed and the first, a copy that the search may cross out in."""
        mask = self.allowed.copy()
        mask[list(self.first)] = True
        return mask

    @cached_property
    def taking_part(self) -> NDArray[np.intp]:
        """Numbers of the candidates that are weighed; the others are as if not there."""
        return np.flatnonzero(self.able())

    @property
    def n_taking_part(self) -> int:
        """How many they are."""
        return int(np.count_nonzero(self.able()))

    @property
    def complete(self) -> bool:
        """Whether every candidate is asked for, so that only the order is open."""
        return self.k >= self.n_taking_part

    @property
    def stopped(self) -> str:
        """Why there are no more, where the search went through."""
        return "every feature is ranked" if self.complete else f"{self.k} chosen, as asked"

    def steps(self, doing: str = "selecting") -> Iterable[int]:
        """0 … k − 1, with a progress display where it is wanted."""
        return track(self.k, doing, self.verbose)
