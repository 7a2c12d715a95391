"""Counts of pairs by one increment a row: the twin of `kernels.slices.pair_counts` and `kernels.counts`."""

from __future__ import annotations

import numpy as np


def pair_table(first, second, classes, weights, n_first, n_second, n_classes):
    """(n_classes, n_first, n_second) weight of the rows in each cell."""
    table = np.zeros((n_classes, n_first, n_second), dtype=np.int64)
    for a, b, c, w in zip(first, second, classes, weights, strict=True):
        table[c, a, b] += w
    return table


def entropy(table, total):
    """−Σ p log p in nats, p = count / total."""
    counts = table[table > 0].astype(float)
    return float(-(counts / total * np.log(counts / total)).sum())
