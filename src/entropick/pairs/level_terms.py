"""What the columns of a pair or triple say alone and together, counted; and the table that a display draws."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .best import Best
from .chance import expected_ratio, log_chance
from .columns import LevelColumns

Codes = NDArray[Any]


@dataclass(frozen=True)
class Terms:
    """Informations in nats: of each column, of all together, and what is left of it when smaller sets are taken off."""

    alone: tuple[float, ...]
    joint: float
    synergy: float


def information(columns: Sequence[Codes], classes: Codes) -> float:
    """I(X_1 … X_k; Y) as counted, nats."""
    cell = np.zeros(len(classes), np.int64)
    for codes in columns:
        cell = cell * (int(codes.max()) + 1) + codes
    cell = np.unique(cell, return_inverse=True)[1].reshape(-1)
    n_classes = int(classes.max()) + 1
    table = np.bincount(cell * n_classes + classes, minlength=(int(cell.max()) + 1) * n_classes)
    p = table.reshape(-1, n_classes) / len(classes)
    expected = p.sum(axis=1, keepdims=True) * p.sum(axis=0)
    seen = p > 0
    return max(float((p[seen] * np.log(p[seen] / expected[seen])).sum()), 0.0)


def level_terms(columns: Sequence[Codes], classes: Codes) -> Terms:
    """Terms of two or three columns of levels.

    Synergy is the alternating sum over subsets (Möbius): for three columns I(123) − I(12) − I(13) − I(23) + I(1) +
    I(2) + I(3).
    """
    k = len(columns)
    alone = tuple(information([c], classes) for c in columns)
    joint = information(columns, classes)
    synergy = joint + (-1) ** (k - 1) * sum(alone)
    if k == 3:
        synergy -= sum(information(pair, classes) for pair in combinations(columns, 2))
    return Terms(alone, joint, float(synergy))


def sober_chance(columns: Sequence[Codes], classes: Codes, statistic: float) -> float:
    """log of the chance of a statistic, divided by what it is on average where a table has many thin cells."""
    table = counted(columns, classes)
    df = int(np.prod([size - 1 for size in table.shape]))
    return float(log_chance(statistic / max(1.0, expected_ratio(fit(table)) / df), df))


def sober_chances(best: Best, levels: LevelColumns, classes: Codes | None) -> NDArray[np.float64]:
    """log of the chances of all in ``best``; where the target has ``classes``, sober ones of sets of levels alone."""
    out = best.log_p.copy()
    if classes is None:
        return out
    of_levels = {int(j) for j in levels.columns}
    for place, columns in enumerate(best.sets):
        if of_levels.issuperset(int(j) for j in columns):
            out[place] = sober_chance([levels.of(int(j)) for j in columns], classes, best.statistics[place])
    return out


def counted(columns: Sequence[Codes], classes: Codes) -> NDArray[np.float64]:
    """Rows of every combination of levels, one axis a column and the classes as the last."""
    shape = [int(codes.max()) + 1 for codes in (*columns, classes)]
    cell = np.ravel_multi_index([codes.astype(np.int64) for codes in (*columns, classes)], shape)
    return np.bincount(cell, minlength=int(np.prod(shape))).reshape(shape).astype(np.float64)


def fit(table: NDArray[np.float64], rounds: int = 50) -> NDArray[np.float64]:
    """The table with the same margins of one axis fewer and no term of all axes; fitted as far as averages need it."""
    out = np.ones_like(table)
    for _ in range(rounds):
        for axis in range(table.ndim):
            have = out.sum(axis=axis, keepdims=True)
            want = table.sum(axis=axis, keepdims=True)
            out = out * np.divide(want, have, out=np.zeros_like(have), where=have > 0)
    return out
