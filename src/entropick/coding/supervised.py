"""Supervised cutting: Fayyad & Irani's MDL partition of a column, given the coded target."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .binning import between
from .rules import MOST_LEVELS

Floats = NDArray[np.float64]
WHOLE = 1 << 24  # up to this total weight x ln x is read from a table


class Supervisor:
    """The target as the MDL kernel needs it: made once, used for every column, from any thread."""

    def __init__(self, codes: NDArray[Any], n_classes: int, weights: Floats | None) -> None:
        from ..kernels.entropy import fraction_bits, phi_table

        self._codes = np.ascontiguousarray(codes, dtype=np.int32)
        self._n_classes = int(n_classes)
        self._weights = weights
        total = float(len(codes)) if weights is None else float(weights.sum())
        bits = fraction_bits(int(np.ceil(total)))
        self._scale = 2.0**bits
        whole = weights is None or bool((weights == np.rint(weights)).all())
        self._table = np.zeros(0, dtype=np.int64)
        if whole and total <= WHOLE:
            self._table = phi_table(int(total), bits)

    def edges(self, values: Floats) -> Floats:
        """Inner edges for (n,) values of all rows, NaN where missing."""
        from ..kernels.mdl import mdl_cuts

        order = np.argsort(values)
        order = order[: len(order) - np.count_nonzero(np.isnan(values))]  # NaN come last
        values = values[order]
        weights = np.zeros(0) if self._weights is None else self._weights[order]
        cuts = mdl_cuts(values, self._codes[order], weights, self._n_classes, self._table, self._scale, MOST_LEVELS - 2)
        return between(values, np.sort(cuts) + 1)
