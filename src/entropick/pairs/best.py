"""Best: the few pairs of the smallest chance among all that were looked at, whoever brings them in whatever order."""

from __future__ import annotations

from threading import Lock

import numpy as np
from numpy.typing import NDArray

from .chance import log_chance

Array = NDArray[np.int64]


class Best:
    """At most ``keep`` sets of columns, by chance, then statistic, then column numbers.

    ``limit`` is the log of a chance above which nothing can enter any more. It only falls, so a scan that leaves out
    what is above it finds the same sets on any number of threads, in any order.
    """

    def __init__(self, keep: int, order: int, limit: float = 0.0) -> None:
        self.keep, self.limit = keep, limit
        self.sets = np.empty((0, order), np.int64)
        self.statistics = np.empty(0)
        self.df = np.empty(0, np.int64)
        self.log_p = np.empty(0)
        self._lock = Lock()

    def add(self, sets: Array, statistics: NDArray[np.float64], df: Array | int) -> None:
        """Take in sets (r, order), their statistics (r,) and degrees of freedom."""
        if not len(sets):
            return
        df = np.broadcast_to(np.asarray(df, np.int64), len(sets))
        log_p = log_chance(statistics, df)
        with self._lock:
            sets = np.concatenate([self.sets, sets])
            statistics = np.concatenate([self.statistics, statistics])
            df, log_p = np.concatenate([self.df, df]), np.concatenate([self.log_p, log_p])
            keys = [sets[:, k] for k in range(sets.shape[1] - 1, -1, -1)]
            order = np.lexsort((*keys, -statistics, log_p))[: self.keep]
            self.sets, self.statistics, self.df, self.log_p = sets[order], statistics[order], df[order], log_p[order]
            if len(order) == self.keep:
                self.limit = min(self.limit, float(self.log_p[-1]))
