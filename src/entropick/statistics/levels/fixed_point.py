"""Entropies from integer sums: what one sum of φ(count) is worth in nats. See `kernels.entropy`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...kernels.entropy import TABLE_LIMIT, fraction_bits, phi_of, phi_table
from ...kernels.links import nats

Floats = NDArray[np.float64]


class FixedPoint:
    """φ(x) = x log x in multiples of 2^−bits, for counts that add up to ``total``.

    A count is a number of rows, or a whole multiple of 1/``unit`` rows. Counts of rows repeat and are looked up in the
    table ``phi``; sums of weights are large and seldom repeat. ``every`` count of rows is in the table, which kernels
    that only look up rely on; without, the table ends where it would cost more than it saves.
    """

    def __init__(self, total: int, unit: float, n_rows: int, *, every: bool) -> None:
        self.total = total
        self.unit = unit
        self.bits = fraction_bits(total)
        size = min(total, 4 * n_rows) if unit == 1.0 else 0
        self.phi = phi_table(size, self.bits, max(size, TABLE_LIMIT) if every else TABLE_LIMIT)
        self.full_phi = self.sum(np.array([total]))

    def sum(self, counts: NDArray[np.int64]) -> int:
        """Σ φ(count) in fixed point."""
        return sum(int(phi_of(np.int64(count), self.phi, self.bits)) for count in counts if count > 0)

    def entropy(self, sums: Any, cells: Any, estimator: str) -> Any:
        """(φ(N) − Σ φ(count)) / N in nats, from fixed point; never below zero."""
        if estimator != "miller-madow" and isinstance(sums, np.ndarray):
            out = np.empty(sums.size)
            nats(sums, self.full_phi, self.total * math.ldexp(1.0, self.bits), out)
            return out
        plain = np.maximum(self.full_phi - np.asarray(sums), 0) / (self.total * math.ldexp(1.0, self.bits))
        if estimator == "miller-madow":
            plain = plain + (np.asarray(cells) - 1) / (2.0 * self.total / self.unit)
        return plain if np.ndim(plain) else float(plain)


def whole_unit(weights: Floats) -> float:
    """How many integers make one row: 1 for whole weights, else so many that all rows together have about 2^50."""
    if np.all(weights == np.rint(weights)) and weights.sum() < 2**50:
        return 1.0
    return unit_for(math.fsum(weights))


def unit_for(total: float) -> float:
    """The unit of weights that are not whole and add up to ``total``."""
    return math.ldexp(1.0, min(1000, 50 - math.frexp(total)[1]))


def whole_weights(weights: Floats, unit: float) -> NDArray[np.int64]:
    """Weights as integers, exact where they are whole; none becomes 0."""
    return weights.astype(np.int64) if unit == 1.0 else np.maximum(np.rint(weights * unit), 1).astype(np.int64)
