"""Unique, redundant, synergistic: what two sources say about a target, taken apart.

    I(Y; A, B) = unique of A + unique of B + redundant + synergistic

by Bertschinger, Rauh, Olbrich, Jost & Ay (Entropy 2014), BROJA: whether A says something that B does not may depend on
the pairs (A, Y) and (B, Y) only, since that is all that a decision by A alone or by B alone can use. So synergy is what
vanishes in that joint distribution with the same two pairs in which A and B together say least:

    synergistic = I(Y; A, B) − min_Q I_Q(Y; A, B),   unique of A = min_Q I_Q(Y; A, B) − I(Y; B)

Of the decompositions on offer it is the one whose parts are never negative and have a meaning for decisions; that of
Williams & Beer calls sources redundant that say equally much about different things. The minimum of I_Q =
min_R Σ_y p(y) KL(Q(·|y) ‖ R) is found by turns (Csiszár & Tusnády 1984): R is the mixture of the Q(·|y), Q(·|y) is R
fitted to the two margins.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
ROUNDS = 20_000
FITS = 8  # of margins in a round
CLOSE = 1e-10  # nats that a round still gains when it is over


@dataclass(frozen=True)
class Decomposition:
    """Parts of I(Y; A, B) in nats."""

    unique: tuple[float, float]
    redundant: float
    synergistic: float


def decompose(table: NDArray[np.float64]) -> Decomposition:
    """Of counts or probabilities (levels of A, levels of B, classes)."""
    p = table / table.sum()
    classes = p.sum(axis=(0, 1))
    p = p[:, :, classes > 0]
    classes = classes[classes > 0]
    joint = _information(p.reshape(-1, len(classes)))
    alone = _information(p.sum(axis=1)), _information(p.sum(axis=0))
    first, second = (p.sum(axis=1) / classes).T, (p.sum(axis=0) / classes).T  # margins within each class
    least = min(_least(first, second, classes), joint)
    unique = max(least - alone[1], 0.0), max(least - alone[0], 0.0)
    return Decomposition(unique, max(alone[0] - unique[0], 0.0), max(joint - least, 0.0))


def _least(first: Floats, second: Floats, classes: Floats) -> float:
    """min I_Q(Y; A, B) over joint distributions with margins first (C, a) and second (C, b) within the classes."""
    from ..kernels.least_information import least_information

    shape = len(classes), first.shape[1], second.shape[1]
    first, second = np.ascontiguousarray(first), np.ascontiguousarray(second)
    return float(least_information(first, second, classes, np.empty(shape), np.empty(shape[1:]), ROUNDS, FITS, CLOSE))


def _information(p: Floats) -> float:
    """I of a table (cells, classes) of probabilities."""
    outer = p.sum(axis=1, keepdims=True) * p.sum(axis=0, keepdims=True)
    seen = p > 0
    return max(float((p[seen] * np.log(p[seen] / outer[seen])).sum()), 0.0)
