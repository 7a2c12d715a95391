"""How one column becomes bytes: at most 256 groups, ties together, missing values a group of their own.

    numbers       each value a group where there are at most 256 of them, else groups of equal count
    categories    each label of enough rows a group, the most frequent ones where they are more than a byte holds;
                  all others together

Whatever a method wants of the column (levels, polynomials of ranks, indicators) is a look-up of the group.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
GROUPS = 256
ENOUGH = 5  # rows from which a level is told apart from other rare ones


@dataclass(frozen=True, eq=False)
class NumberGroups:
    """Group = number of edges below the value; ``missing`` is the last group, −1 where nothing was missing.

    ``distinct`` is how many values the column has, `GROUPS` + 1 where it has more than a byte can tell.
    """

    edges: Floats
    missing: int = -1
    distinct: int = GROUPS + 1

    @property
    def groups(self) -> int:
        return len(self.edges) + 1 + (self.missing >= 0)


@dataclass(frozen=True, eq=False)
class LabelGroups:
    """Group = position of the label; labels that are not listed share the group ``other`` (−1: there is none)."""

    labels: tuple[str, ...]
    other: int = -1
    missing: int = -1
    position: dict[str, int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "position", {label: group for group, label in enumerate(self.labels)})

    @property
    def groups(self) -> int:
        return len(self.labels) + (self.other >= 0) + (self.missing >= 0)


ByteRule = NumberGroups | LabelGroups


def number_groups(distinct: Floats | None, edges: Floats | None, gone: bool) -> NumberGroups:
    """From the ascending distinct values where they are few, else from edges of equal count."""
    if distinct is not None:
        if not len(distinct):
            return NumberGroups(np.empty(0), -1, 0)
        inner = distinct[:-1].astype(np.float64)
        return NumberGroups(inner, len(inner) + 1 if gone else -1, len(distinct))
    assert edges is not None
    return NumberGroups(edges, len(edges) + 1 if gone else -1)


def most_groups(gone: bool) -> int:
    """Groups that values may have beside that of missing ones."""
    return GROUPS - bool(gone)


def label_groups(labels: Sequence[str], mass: Sequence[float], gone: bool) -> LabelGroups:
    """From the labels and their weights, in any order."""
    order = sorted(range(len(labels)), key=lambda i: (-mass[i], labels[i]))
    room = GROUPS - 1 - bool(gone)
    frequent = [i for i in order if mass[i] >= ENOUGH]
    all_fit = len(frequent) == len(labels) <= room + 1
    kept = frequent if all_fit else (frequent or order[:1])[:room]
    named = tuple(sorted(labels[i] for i in kept))
    other = len(named) if len(kept) < len(labels) else -1
    return LabelGroups(named, other, len(named) + (other >= 0) if gone else -1)
