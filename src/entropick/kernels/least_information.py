"""The joint distribution of two sources, each with its own pair with the target, in which both together say least."""

from __future__ import annotations

import math

import numpy as np

from .kernel import kernel


@kernel
def _fit(table, margin):
    """Rows of the table scaled to sum to the margin."""
    for a in range(table.shape[0]):
        total = 0.0
        for b in range(table.shape[1]):
            total += table[a, b]
        ratio = margin[a] / total if total > 0.0 else 0.0
        for b in range(table.shape[1]):
            table[a, b] *= ratio


@kernel
def least_information(first, second, classes, Q, R, rounds, fits, close):
    """min I_Q(Y; A, B) over Q with margins first (C, a) and second (C, b) within classes of shares (C,), nats.

    Q (C, a, b) and R (a, b) are filled on the way: R is the mixture of the Q of all classes, the Q of a class is R
    fitted to its two margins. Ends when a round gains less than ``close``.
    """
    n_classes, n_first, n_second = Q.shape
    for c in range(n_classes):
        for a in range(n_first):
            for b in range(n_second):
                Q[c, a, b] = first[c, a] * second[c, b]
    before = np.inf
    for _ in range(rounds):
        for a in range(n_first):
            for b in range(n_second):
                total = 0.0
                for c in range(n_classes):
                    total += classes[c] * Q[c, a, b]
                R[a, b] = total
        now = 0.0
        for c in range(n_classes):
            for a in range(n_first):
                for b in range(n_second):
                    if Q[c, a, b] > 0.0:
                        now += classes[c] * Q[c, a, b] * math.log(Q[c, a, b] / R[a, b])
        if before - now < close:
            return min(before, now)
        before = now
        for c in range(n_classes):
            for a in range(n_first):
                for b in range(n_second):
                    Q[c, a, b] = R[a, b]
            for _ in range(fits):
                _fit(Q[c], first[c])
                _fit(Q[c].T, second[c])
    return before
