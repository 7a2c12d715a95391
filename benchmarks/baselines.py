"""Baselines against their peers and their targets; each part by name.

python benchmarks/baselines.py relieff      # against skrebate where it is installed: n = 1 000, D = 500
python benchmarks/baselines.py relieff-big  # n = 20 000, D = 1 000: seconds and memory beyond the data
python benchmarks/baselines.py sets         # fcbf and cfs: D = 10 000, n = 5 000
python benchmarks/baselines.py columns      # relieff for D = 250 … 2 000: linear in D
"""

from __future__ import annotations

import argparse
import resource
import time
from importlib.util import find_spec

import numpy as np

import entropick as ep


def rows(n: int, d: int, informative: int = 20, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    X = rng.normal(size=(n, d))
    X[:, :informative] += y[:, None] * rng.uniform(0, 0.8, informative)
    return X, y


def timed(X: np.ndarray, y: np.ndarray, **keywords: object) -> tuple[float, ep.Selection]:
    begin = time.perf_counter()
    found = ep.select(X, y, **keywords)
    return time.perf_counter() - begin, found


def relieff(threads: int) -> None:
    X, y = rows(1000, 500)
    timed(X[:100], y[:100], method="relieff", k=5)
    own, found = min((timed(X, y, method="relieff", k=None) for _ in range(3)), key=lambda pair: pair[0])
    print(f"entropick, one thread: {own:.3f} s")
    if find_spec("skrebate") is None:
        print("skrebate is not installed: no comparison")
        return
    from skrebate import ReliefF

    begin = time.perf_counter()
    peer = ReliefF(n_neighbors=10, n_jobs=1).fit(X, y)
    other = time.perf_counter() - begin
    order = np.argsort(-peer.feature_importances_, kind="stable")
    same = int((order == found.indices).sum())
    print(f"skrebate, one process: {other:.2f} s; ratio {other / own:.0f} ×; {same} of 500 ranks the same")


def relieff_big(threads: int) -> None:
    X, y = rows(20_000, 1_000)
    timed(X[:100], y[:100], method="relieff", k=5)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    seconds, found = timed(X, y, method="relieff", k=20, n_jobs=threads)
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    right = int((found.indices < 20).sum())
    more = (after - before) / 2**10
    print(f"n = 20 000, D = 1 000, {threads} threads: {seconds:.1f} s, {more:.0f} MiB beyond the data;")
    print(f"{right} of the 20 informative features among the first 20")


def columns(threads: int) -> None:
    for d in (250, 500, 1000, 2000):
        X, y = rows(2000, d)
        seconds, _ = timed(X, y, method="relieff", k=5, n_jobs=threads)
        print(f"n = 2 000, D = {d}: {seconds:.2f} s, {1e6 * seconds / d:.0f} µs a column")


def sets(threads: int) -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 5, 5000)
    X = rng.integers(0, 5, (5000, 10_000)).astype(np.uint8)
    for j in range(0, 400):
        base = y if j % 2 == 0 else X[:, j - 1]
        X[:, j] = np.where(rng.random(5000) < rng.uniform(0.05, 0.4), base, X[:, j])
    timed(X[:, :50], y, method="fcbf", k=3, discretizer=None)
    for method in ("fcbf", "cfs"):
        for k in ("auto", 100):
            seconds, found = timed(X, y, method=method, k=k, discretizer=None, n_jobs=threads)
            done, possible = found.details["pairs_computed"], found.details["pairs_possible"]
            print(f"{method} k={k}: {seconds:.1f} s, {len(found)} chosen, {done} of {possible} pairs")


PARTS = {"relieff": relieff, "relieff-big": relieff_big, "sets": sets, "columns": columns}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", nargs="*", choices=[*PARTS, []], default=list(PARTS))
    parser.add_argument("--threads", type=int, default=2)
    given = parser.parse_args()
    for part in given.part or PARTS:
        print(f"-- {part}")
        PARTS[part](given.threads)


if __name__ == "__main__":
    main()
