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
from functools import partial
from typing import Any

import numpy as np
from measuring import best, machine, table

import entropick as ep
from entropick.selectors.answer import run
from entropick.selectors.request import Request
from entropick.sources import as_blocks

ROWS, COLUMNS, CLASSES, CHUNKS, K = 500_000, 100, 4, 16, 20
COUNTED = ("mim", "jmi")
METHODS = (*COUNTED, "gc.mi", "fisher")


def lazy_data(n: int) -> tuple[Any, Any]:
    """(X, y) as Dask arrays, made where they are asked for; the same numbers every time."""
    import dask.array as da

    rows = -(-n // CHUNKS)
    rng = da.random.default_rng(0)
    y = rng.integers(0, CLASSES, n, chunks=rows)
    X = rng.normal(size=(n, COLUMNS), chunks=(rows, COLUMNS))
    return X + y[:, None] * np.where(np.arange(COLUMNS) % 5, 0.0, 0.3), y


@contextmanager
def workers(number: int) -> Iterator[Any]:
    from distributed import Client, LocalCluster

    settings = {"threads_per_worker": 1, "memory_limit": 0, "dashboard_address": None}
    with LocalCluster(n_workers=number, processes=True, **settings) as cluster, Client(cluster) as client:
        client.wait_for_workers(number)
        yield client


def with_dask(number: int, n: int) -> dict[tuple[str, bool], float]:
    """Seconds by method and whether coded rows stay on the workers."""
    import dask
    from distributed import wait

    found = {}
    with workers(number):
        X, y = dask.persist(*lazy_data(n))
        wait([X, y])
        ep.select(X, y, method="jmi", k=2)  # kernels are compiled and loaded
        for method in METHODS:
            for stay in (False, True) if method in COUNTED else (False,):
                blocks, target = as_blocks(X, y)
                blocks.room = 0 if stay else blocks.room
                found[method, stay] = best(partial(run, blocks, target, Request(method, K)), 3)
    return found


def main(n: int = ROWS) -> str:
    X, y = (array.compute() for array in lazy_data(n))
    ep.select(X[:1000], y[:1000], method="jmi", k=2)
    memory = {
        method: [best(partial(ep.select, X, y, method=method, k=K, n_jobs=jobs), 3) for jobs in (1, 2)]
        for method in METHODS
    }
    one, two = with_dask(1, n), with_dask(2, n)
    lines = []
    for (method, stay), slow in one.items():
        alone, both = memory[method]
        quick = two[method, stay]
        where = "workers" if stay else "gathered" if method in COUNTED else "–"
        lines.append(
            [method, where, f"{alone:.2f}", f"{both:.2f}", f"{slow:.2f}", f"{quick:.2f}"]
            + [f"{ratio:.2f}" for ratio in (quick / both, alone / both, slow / quick)]
        )
    return "\n\n".join(
        [
            f"## Dask ({machine()})",
            f"n = {n:,}, D = {COLUMNS}, {CLASSES} classes, k = {K}, {CHUNKS} chunks on the workers. Seconds; overhead"
            " is two workers ÷ two threads in memory, scaling is one ÷ two of the same kind.",
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
