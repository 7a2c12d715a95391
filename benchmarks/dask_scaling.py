"""Dask against the in-memory path on rows that fit, and from one worker to two.

    python benchmarks/dask_scaling.py [ROWS]

500 000 rows (or ROWS), 100 numeric columns, 4 classes, in 16 chunks that lie on the workers before the clock starts.
Workers are processes of one thread; in memory the same two cores are used by threads. All times of a line are taken
in one run, so that their ratios can be trusted where the times cannot.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from measuring import best, machine, table

import entropick as ep
from entropick.sources.dask_blocks import DaskBlocks

ROWS, COLUMNS, CLASSES, CHUNKS, K = 500_000, 100, 4, 16, 20
METHODS = ("mim", "jmi", "gc.mi", "fisher")


def data(n: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    y = rng.integers(0, CLASSES, n)
    X = rng.normal(size=(n, COLUMNS))
    X[:, ::5] += 0.3 * y[:, None]
    return X, y


@contextmanager
def workers(number: int) -> Iterator[Any]:
    from distributed import Client, LocalCluster

    settings = {"threads_per_worker": 1, "memory_limit": 0, "dashboard_address": None}
    with LocalCluster(n_workers=number, processes=True, **settings) as cluster, Client(cluster) as client:
        client.wait_for_workers(number)
        yield client


def seconds(X: Any, y: Any, method: str, n_jobs: int | None = None) -> float:
    return best(lambda: ep.select(X, y, method=method, k=K, n_jobs=n_jobs), 3, 60.0)


def with_dask(number: int, X: np.ndarray, y: np.ndarray) -> dict[tuple[str, bool], float]:
    """Seconds by method and whether coded rows stay on the workers."""
    import dask.array as da
    from distributed import wait

    rows = -(-len(X) // CHUNKS)
    found = {}
    with workers(number):
        lazy = da.from_array(X, chunks=(rows, COLUMNS)).persist()
        target = da.from_array(y, chunks=rows).persist()
        wait([lazy, target])
        ep.select(lazy[:rows], target[:rows], method="jmi", k=2)  # kernels are compiled and loaded
        for method in METHODS:
            for stay in (False, True) if method in ("mim", "jmi") else (False,):
                gathered, DaskBlocks.room = DaskBlocks.room, 0 if stay else DaskBlocks.room
                try:
                    found[method, stay] = seconds(lazy, target, method)
                finally:
                    DaskBlocks.room = gathered
    return found


def main(n: int = ROWS) -> str:
    X, y = data(n)
    ep.select(X[:1000], y[:1000], method="jmi", k=2)
    memory = {method: (seconds(X, y, method, 1), seconds(X, y, method, 2)) for method in METHODS}
    one, two = with_dask(1, X, y), with_dask(2, X, y)
    lines = []
    for (method, stay), slow in one.items():
        alone, both = memory[method]
        quick = two[method, stay]
        where = "workers" if stay else "gathered" if method in ("mim", "jmi") else "–"
        lines.append(
            [method, where, f"{alone:.2f}", f"{both:.2f}", f"{slow:.2f}", f"{quick:.2f}"]
            + [f"{ratio:.2f}" for ratio in (quick / both, alone / both, slow / quick)]
        )
    return "\n\n".join(
        [
            f"## Dask ({machine()})",
            f"n = {n:,}, D = {COLUMNS}, {CLASSES} classes, k = {K}, {CHUNKS} chunks on the workers. Seconds; overhead is"
            " two workers ÷ two threads in memory, scaling is one ÷ two of the same kind.",
            table(
                [
                    "method", "coded rows", "1 thread", "2 threads", "1 worker", "2 workers",
                    "overhead", "scaling of threads", "scaling of workers",
                ],
                lines,
            ),
        ]
    )  # fmt: skip


if __name__ == "__main__":
    print(main(*map(int, sys.argv[1:2])))
