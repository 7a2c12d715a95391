"""The discrete family: one forward step against a plain counting loop, and a whole selection against its kernels.

    python benchmarks/discrete.py

n = 50 000 rows, D = 1 000 features, 2 classes, 2 threads. The plain loop fuses class and level of the new feature
into one code and makes one pass a pair, compiled by numba, on one thread.
"""

from __future__ import annotations

import numpy as np
from measuring import best, in_child, machine, table
from numba import njit

import entropick as ep
from entropick.statistics.levels.levels import LevelStatistics

N, D, CLASSES, K = 50_000, 1_000, 2, 50


@njit
def plain_step(codes, fused, levels, classes, log, joint, joint_class):
    """Σ x log x over the cells of (new, candidate) and (new, candidate, class), one candidate after the other."""
    cells = levels * levels
    histogram = np.zeros(classes * cells, np.int32)
    for j in range(codes.shape[0]):
        histogram[:] = 0
        column = codes[j]
        for t in range(fused.size):
            histogram[fused[t] + column[t]] += 1
        total = 0.0
        both = 0.0
        for cell in range(cells):
            count = 0
            for c in range(classes):
                total += log[histogram[c * cells + cell]]
                count += histogram[c * cells + cell]
            both += log[count]
        joint[j], joint_class[j] = both, total


def data(levels: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(levels)
    X = rng.integers(0, levels, size=(N, D), dtype=np.uint8)
    y = (rng.random(N) < 0.3 + 0.4 * (X[:, 3] >= levels / 2)).astype(np.int32)
    return X, y


def step(levels: int) -> list[str]:
    X, y = data(levels)
    columns = np.ascontiguousarray(X.T)
    fused = ((y * levels + columns[0]) * levels).astype(np.int32)
    x = np.arange(N + 1.0)
    log = x * np.log(np.maximum(x, 1.0))
    joint, joint_class = np.empty(D), np.empty(D)
    arguments = (columns, fused, levels, CLASSES, log, joint, joint_class)
    plain_step(columns[:2], fused, levels, CLASSES, log, joint, joint_class)
    statistics = LevelStatistics(np.full(D, levels), CLASSES, n_jobs=2).update(columns, y)
    found = statistics.pairs(0)
    slow = best(lambda: plain_step(*arguments), 3)
    np.testing.assert_allclose(found.feature, np.log(N) - joint / N, atol=1e-9)
    np.testing.assert_allclose(found.feature_class, np.log(N) - joint_class / N, atol=1e-9)
    fast = best(lambda: statistics.pairs(0), 30)
    statistics.n_jobs = 1
    single = best(lambda: statistics.pairs(0), 30)
    return [
        str(levels),
        f"{slow / N / D * 1e12:.0f}",
        f"{single / N / D * 1e12:.1f}",
        f"{fast / N / D * 1e12:.1f}",
        f"{slow / single:.0f}×",
        f"**{slow / fast:.0f}×**",
    ]


def whole(levels: int) -> list[str]:
    """Coded integers in, Selection out, against the same questions asked of the statistics alone."""
    X, y = data(levels)
    ep.select(X[:200], y[:200], method="jmi", k=3, discretizer=None, n_jobs=2)
    total = best(lambda: ep.select(X, y, method="jmi", k=K, discretizer=None, n_jobs=2), 5)
    chosen = ep.select(X, y, method="jmi", k=K, discretizer=None, n_jobs=2).indices
    statistics = LevelStatistics(np.full(D, levels), CLASSES, n_jobs=2).update(np.ascontiguousarray(X.T), y)

    def questions() -> None:
        statistics.singles()
        for i in chosen[:-1]:
            statistics.pairs(int(i))

    counting = best(questions, 5)
    packing = best(lambda: LevelStatistics(np.full(D, levels), CLASSES, n_jobs=2).update(lambda a, b: X[:, a:b], y), 5)
    memory = in_child(CHILD, str(levels))["bytes"]
    return [
        str(levels),
        f"{total * 1e3:.0f} ms",
        f"{counting * 1e3:.0f} ms",
        f"{packing * 1e3:.0f} ms",
        f"{total / counting:.2f}",
        f"**{total / (counting + packing):.2f}**",
        f"{memory / (N * D):.2f}",
    ]


CHILD = """
import json, sys
sys.path.insert(0, "benchmarks")
from discrete import data, K
from measuring import forget_peak, peak, resident
import entropick as ep
X, y = data(int(sys.argv[1]))
ep.select(X[:200], y[:200], method="jmi", k=3, discretizer=None, n_jobs=2)
forget_peak()
before = resident()
ep.select(X, y, method="jmi", k=K, discretizer=None, n_jobs=2)
print(json.dumps({"bytes": max(0, peak() - before)}))
"""


def main() -> str:
    parts = [
        f"## The discrete family ({machine()})",
        f"One forward step, n = {N:,}, D = {D:,}, {CLASSES} classes: picoseconds a row and candidate.",
        table(
            ["levels", "plain loop", "1 thread", "2 threads", "faster, 1 thread", "faster, 2 threads"],
            [step(levels) for levels in (2, 5, 10, 32)],
        ),
        f"A whole selection by jmi, coded integers in, {K} features out, 2 threads. Memory is the peak beyond the"
        " input, in bytes an entry.",
        table(
            ["levels", "in all", "counting", "packing", "÷ counting", "÷ counting and packing", "memory"],
            [whole(levels) for levels in (2, 5, 10, 32)],
        ),
    ]
    return "\n\n".join(parts)


if __name__ == "__main__":
    print(main())
