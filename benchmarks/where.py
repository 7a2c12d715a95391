"""Where the time of a selection goes on a short, a long and a wide table, and how it grows. For docs/speed.md.

    python benchmarks/where.py

Milliseconds of processor time on one thread, the least of several calls, so that other processes disturb little.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from measuring import machine, table
from shapes import CODED, coded

import entropick as ep
from entropick.statistics.levels.levels import LevelStatistics


def least(work: Callable[[], Any], repeats: int = 5) -> float:
    work()
    found = float("inf")
    for _ in range(repeats):
        start = time.thread_time()
        work()
        found = min(found, time.thread_time() - start)
    return 1e3 * found


def stages(name: str) -> list[str]:
    n, d, levels, classes, k = CODED[name]
    X, y = coded(n, d, levels, classes)

    def packed() -> LevelStatistics:
        return LevelStatistics(np.full(d, levels), classes, n_jobs=1).update(lambda a, b: X[:, a:b], y)

    statistics = packed()
    statistics.singles()
    packing = least(packed)
    lines = least(lambda: packed().tables.side) - packing
    step = least(lambda: statistics.pairs(5), 30)
    whole = least(lambda: ep.select(X, y, method="jmi", k=k, discretizer=None, n_jobs=1))
    counting = (k - 1) * step
    rest = whole - packing - lines - counting
    shares = (whole, packing, lines, counting, rest)
    return [f"{name}: {n:,} × {d:,}, {levels} levels, k = {k}", *(f"{share:.1f}" for share in shares), f"{step:.3f}"]


def exponent(sizes: list[int], seconds: Callable[[int], float]) -> str:
    return f"{np.polyfit(np.log(sizes), np.log([seconds(size) for size in sizes]), 1)[0]:.2f}"


def growth() -> list[list[str]]:
    """Exponents of time around 20 000 rows, 1 000 columns, k = 20: over a fourfold span."""

    def call(n: int, d: int, k: int, method: str) -> float:
        X, y = coded(n, d, 5, 2)
        return least(lambda: ep.select(X, y, method=method, k=k, discretizer=None, n_jobs=1), 3)

    return [
        [
            method,
            exponent([10_000, 20_000, 40_000], lambda n: call(n, 500, 20, method)),  # noqa: B023
            exponent([500, 1_000, 2_000], lambda d: call(10_000, d, 20, method)),  # noqa: B023
            exponent([25, 50, 100], lambda k: call(10_000, 500, k, method)),  # noqa: B023
        ]
        for method in ("jmi", "cmim")
    ]


def main() -> str:
    head = ["table", "in all", "packing", "turning", "counting", "the rest", "a step"]
    return "\n\n".join([
        f"## Where the time goes ({machine()})",
        table(head, [stages(name) for name in ("short", "long", "wide")]),
        table(["criterion", "in rows", "in columns", "in k"], growth()),
    ])  # fmt: skip


if __name__ == "__main__":
    print(main())
