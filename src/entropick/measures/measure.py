"""What a search may ask of a measure. Nothing else is shared between the two.

A measure is worth-of-a-set with a memory: it knows the set chosen so far and answers what each candidate
would add. A candidate is a feature, or a group of features that enters as a whole.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

Scores = NDArray[np.float64]


@dataclass(frozen=True)
class Account:
    """Why a candidate scores what it does against the set chosen so far (units of the measure).

    ``redundancy`` and ``complementarity`` have one entry for each earlier pick, in the order of choice;
    ``None`` where the measure has no such term.
    """

    relevance: float | None = None
    redundancy: tuple[float, ...] | None = None
    complementarity: tuple[float, ...] | None = None
    extra: dict[str, Any] = field(default_factory=dict)


@runtime_checkable
class Measure(Protocol):
    """The least that every measure offers; ranking and forward search need no more."""

    n_candidates: int
    units: str

    def gains(self) -> Scores:
        """(n_candidates,) what adding each candidate to the current set is worth."""
        ...

    def add(self, candidate: int) -> None:
        """Put the candidate into the current set."""
        ...

    def account(self, candidate: int) -> Account:
        """Why the candidate scores what it does; asked before it is added."""
        ...


@runtime_checkable
class Lazy(Measure, Protocol):
    """A measure whose gains can only fall: bounds are cheap, and tightened where they matter."""

    pairs_counted: int

    def note(self, candidate: int) -> None:
        """Put the candidate into the current set; the others' gains become bounds."""
        ...

    def bounds(self) -> Scores:
        """(n_candidates,) upper bounds of the gains."""
        ...

    def up_to_date(self, candidate: int) -> bool:
        """Whether the candidate's bound is its gain."""
        ...

    def tighten(self, candidates: NDArray[np.intp]) -> None:
        """Bring these candidates' bounds nearer to their gains (at least one term each)."""
        ...


@runtime_checkable
class Pairing(Measure, Protocol):
    """A measure that knows what any two candidates say together."""

    def best_pair(self, allowed: NDArray[np.bool_]) -> tuple[int, int]:
        """The two allowed candidates that say most together, the lower number first."""
        ...

    def information(self, first: int, second: int) -> float:
        """What two candidates say together, nats."""
        ...

    def price(self, n_candidates: int) -> float:
        """What a pair must say more than another that was found step by step, as one of so many."""
        ...


@runtime_checkable
class Removable(Protocol):
    """A measure that can start from the full set and give features up."""

    n_candidates: int
    units: str

    def fill(self) -> None:
        """Make the full set the current one."""
        ...

    def contributions(self) -> Scores:
        """(n_candidates,) what each candidate adds to the others in the set."""
        ...

    def remove(self, candidate: int) -> None:
        """Take the candidate out of the current set."""
        ...


@runtime_checkable
class Crowding(Measure, Protocol):
    """A measure that can name the candidates the latest pick made redundant."""

    def made_redundant(self) -> NDArray[np.intp]:
        """Candidates that the latest pick made redundant, most relevant first."""
        ...


@runtime_checkable
class Hasty(Measure, Protocol):
    """A measure whose gains may be too high, for candidates that it has not looked at closely."""

    def settle(self, candidate: int) -> bool:
        """Look closely at the candidate: True where its gain stands; else ask `gains` again."""
        ...


@runtime_checkable
class Exhaustible(Measure, Protocol):
    """A measure that knows when it can judge no further."""

    def stop_reason(self) -> str | None:
        """Why no further candidate should be chosen, or None."""
        ...


@runtime_checkable
class Testable(Measure, Protocol):
    """A measure that can say how surprising a candidate would be if it carried nothing new."""

    def p_values(self) -> Scores:
        """(n_candidates,) probability of at least this much, given the current set, by chance."""
        ...


@runtime_checkable
class Evidence(Protocol):
    """Tells what is distinguishable from chance; kept beside a measure when the search is to stop by itself."""

    @property
    def rule(self) -> str:
        """Why the search ends when nothing is significant, in words."""
        ...

    def significant(self, allowed: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Which of the allowed candidates say more, given the current set, than chance would."""
        ...

    def p_value(self, candidate: int) -> float:
        """Of the candidate, as of the latest question."""
        ...

    def add(self, candidate: int) -> None:
        """Put the candidate into the current set."""
        ...
