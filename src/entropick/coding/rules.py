"""How one column becomes levels. A rule is small, frozen and pickled with the estimator.

Levels are 0, 1, …; ``missing`` is the level of missing values (always the last), −1 where there
were none.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

MOST_LEVELS = 65_536


@dataclass(frozen=True, eq=False)
class Levels:
    """Numbers as they are: level = position among the ascending values that occur."""

    values: NDArray[Any]  # int64, or float64 where the column is of floats
    missing: int = -1
    text: str = "as it is"

    @property
    def levels(self) -> int:
        return len(self.values) + (self.missing >= 0)

    @property
    def dense(self) -> bool:
        """Whether no integer between the least and the largest value is left out."""
        return int(self.values[-1]) - int(self.values[0]) == len(self.values) - 1


@dataclass(frozen=True, eq=False)
class Labels:
    """Categories: level = position among the sorted labels that occur."""

    labels: tuple[str, ...]
    missing: int = -1
    text: str = "as it is"
    position: dict[str, int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "position", {label: level for level, label in enumerate(self.labels)})

    @property
    def levels(self) -> int:
        return len(self.labels) + (self.missing >= 0)


@dataclass(frozen=True, eq=False)
class Bins:
    """Numbers by ascending edges: level = number of edges below the value."""

    edges: NDArray[np.float64]
    missing: int = -1
    text: str = ""

    @property
    def levels(self) -> int:
        return len(self.edges) + 1 + (self.missing >= 0)


@dataclass(frozen=True, eq=False)
class Single:
    """One level, whatever the value: the column is constant or cannot inform."""

    text: str = "one level"
    missing: int = -1

    @property
    def levels(self) -> int:
        return 1


@dataclass(frozen=True, eq=False)
class Transformed:
    """Levels as in ``after``, of what the user's transformer makes of the column (its ``at``-th)."""

    after: Levels
    at: int
    text: str
    missing: int = -1

    @property
    def levels(self) -> int:
        return self.after.levels


Rule = Levels | Labels | Bins | Single | Transformed
