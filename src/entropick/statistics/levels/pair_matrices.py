"""All pairs at once: the matrices of the global methods, from coded columns.

    redundancy    H1_ij = I(X_i;X_j)                               H1_ii = H(X_i)
    conditional   H2_ij = I(X_i;X_j|C)                             H2_ii = H(X_i|C)
    total         H1 − β H2                                        0 on the diagonal
    complement    Q_ij  = ½ {I(X_i;C|X_j) + I(X_j;C|X_i)}          Q_ii = I(X_i;C)

Nats; every information is clipped at 0. A matrix is filled tile by tile, each pair counted once, on as many threads
as the statistics have. Beyond the memory limit it lives in a temporary file that vanishes with it. `rows` counts only
the rows that are asked for, which is all that a Nyström approximation reads.
"""

from __future__ import annotations

import copy
import os
import tempfile
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ...errors import InvalidParameter
from ...files import room_for
from ...progress import track
from ...threads import parallel, thread_count
from .questions import JointEntropies, Levels

Floats = NDArray[np.float64]
TILE = 256  # rows that are mirrored together: a run of 2 KiB in the other triangle, kind to caches and disks
GIB = 1 << 30


def allocate(n: int, memory: float) -> Floats:
    """(n, n) zeros: in memory up to ``memory`` GiB, beyond in a file without a name."""
    if n * n * 8 <= memory * GIB:
        return np.zeros((n, n))
    with tempfile.TemporaryFile(prefix="entropick-") as file, room_for("memory: matrices beyond the limit"):
        os.posix_fallocate(file.fileno(), 0, n * n * 8)  # a page without room on the disk would end the process
        return np.memmap(file, np.float64, "w+", shape=(n, n))


class LevelPairs:
    """Relevance of every feature and the matrices of all pairs, on demand.

    Attributes
    ----------
    relevance : (n,) I(X_i;C).
    self_redundancy : (n,) H(X_i).
    """

    kinds = ("redundancy", "conditional", "total", "complement")

    def __init__(self, statistics: Levels) -> None:
        singles = statistics.singles()
        self.statistics = statistics
        self.n_features = statistics.n_features
        self.self_redundancy = singles.feature
        self._with_class = singles.feature_class
        self._target = statistics.target_entropy
        self.relevance = np.maximum(singles.feature + self._target - singles.feature_class, 0.0)
        self._one_thread = copy.copy(statistics)  # rows run side by side, so a row must not ask for threads itself
        self._one_thread.n_jobs = 1

    def diagonal(self, kind: str) -> Floats:
        """(n,) what stands on the diagonal."""
        if kind == "redundancy":
            return self.self_redundancy.copy()
        if kind == "conditional":
            return np.maximum(self._with_class - self._target, 0.0)
        return self.relevance.copy() if kind == "complement" else np.zeros(self.n_features)

    def rows(self, kind: str, features: NDArray[np.intp], *, beta: float = 1.0, verbose: int = 0) -> Floats:
        """(len(features), n) those rows of the matrix, and no other pair is counted."""
        combine = self._combine(kind, beta)
        threads = thread_count(self.statistics.n_jobs)
        diagonal = self.diagonal(kind)
        out = np.empty((features.size, self.n_features))

        def fill(row: int) -> None:
            feature = int(features[row])
            terms = self._one_thread.pairs(feature, by_class=kind != "redundancy")
            out[row] = combine(feature, terms)
            out[row, feature] = diagonal[feature]

        for start in track(range(0, features.size, TILE), "counting pairs", verbose):
            parallel(fill, range(start, min(start + TILE, features.size)), threads)
        return out

    def matrix(self, kind: str, *, beta: float = 1.0, memory: float = 4.0, verbose: int = 0) -> Floats:
        """(n, n) the whole matrix; a `numpy.memmap` where it takes more than ``memory`` GiB."""
        combine = self._combine(kind, beta)
        n = self.n_features
        threads = thread_count(self.statistics.n_jobs)
        out = allocate(n, memory)
        # in the order of storage a feature meets only the blocks from its own on, so half of them are never counted
        order = self.statistics.counting_order
        tile = np.zeros((TILE, n))
        for start in track(range(0, n, TILE), "counting pairs", verbose):
            own = order[start : start + TILE]
            rest = order[start:]

            def fill(row: int, start: int = start, own: NDArray[np.intp] = own) -> None:
                feature = int(own[row])
                after = order[start + row + 1 :]
                tile[row, : start + row + 1] = 0.0
                if after.size:
                    terms = self._one_thread.pairs(feature, after, by_class=kind != "redundancy")
                    tile[row, start + row + 1 :] = combine(feature, terms)[after]

            parallel(fill, range(own.size), threads)
            upper = tile[: own.size, start:]
            upper[:, : own.size] += upper[:, : own.size].T.copy()
            out[np.ix_(own, rest)] = upper
            out[np.ix_(rest, own)] = upper.T
        np.fill_diagonal(out, self.diagonal(kind))
        return out

    def most_informative(self, allowed: NDArray[np.bool_]) -> tuple[int, int]:
        """The pair of ``allowed`` features with the largest I(X_iX_j;C), ascending; of equal ones the lowest numbers.

        No matrix is kept: each row leaves its best.
        """
        threads = thread_count(self.statistics.n_jobs)
        order = [int(j) for j in self.statistics.counting_order if allowed[j]]

        def best(place: int) -> tuple[float, int, int]:
            own, rest = order[place], np.sort(order[place + 1 :])
            terms = self._one_thread.pairs(own, rest)
            found = terms.feature[rest] + self._target - terms.feature_class[rest]
            top = float(found.max())
            other = int(rest[np.argmax(found >= top - 1e-12)])
            return -top, min(own, other), max(own, other)

        rows = parallel(best, range(len(order) - 1), threads)
        top = min(rows)[0]
        return min((i, j) for value, i, j in rows if value <= top + 1e-12)

    def _combine(self, kind: str, beta: float) -> Callable[[int, JointEntropies], Floats]:
        """From the entropies of one feature with all others to its row."""
        h, hc, c = self.self_redundancy, self._with_class, self._target

        def redundancy(i: int, terms: JointEntropies) -> Floats:
            out: Floats = np.maximum(h + h[i] - terms.feature, 0.0)
            return out

        def conditional(i: int, terms: JointEntropies) -> Floats:
            out: Floats = np.maximum(hc + hc[i] - terms.feature_class - c, 0.0)
            return out

        def total(i: int, terms: JointEntropies) -> Floats:
            return redundancy(i, terms) - beta * conditional(i, terms)

        def complement(i: int, terms: JointEntropies) -> Floats:
            other_given_own = np.maximum(terms.feature + hc[i] - terms.feature_class - h[i], 0.0)
            own_given_other = np.maximum(terms.feature + hc - terms.feature_class - h, 0.0)
            out: Floats = 0.5 * (other_given_own + own_given_other)
            return out

        known = dict(zip(self.kinds, (redundancy, conditional, total, complement), strict=True))
        if kind not in known:
            raise InvalidParameter(f"kind: must be one of {', '.join(self.kinds)}, got {kind!r}")
        return known[kind]
