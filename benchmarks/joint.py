"""joint beside the bare float32 products that it needs, beside wilks and random forest importance: seconds, memory.

python benchmarks/joint.py            # both tables
python benchmarks/joint.py small      # a tenth of the rows, to see that it runs
"""

from __future__ import annotations

import sys
import threading
import time
from pathlib import Path

import numpy as np
from sklearn.ensemble import RandomForestClassifier

import entropick as ep

REPEATS = 3


def problem(n: int, d: int, classes: int) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(0)
    X = random.normal(size=(n, d)).astype(np.float32)
    y = random.integers(0, classes, n)
    X[:, :40] += 0.1 * random.normal(size=(classes, 40))[y]
    return X, y


def seconds(*works) -> list[float]:
    """The least of several runs of each, taken in turn."""
    best = [np.inf] * len(works)
    for _ in range(REPEATS):
        for i, work in enumerate(works):
            start = time.perf_counter()
            work()
            best[i] = min(best[i], time.perf_counter() - start)
    return best


def peak_memory(work) -> int:
    """Bytes of this process beyond those before the work, looked at every millisecond."""

    def held() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1]) * 4096

    before, most, done = held(), 0, threading.Event()

    def look() -> None:
        nonlocal most
        while not done.wait(0.001):
            most = max(most, held())

    watcher = threading.Thread(target=look)
    watcher.start()
    work()
    done.set()
    watcher.join()
    return most - before


def main(small: bool) -> None:
    part = 10 if small else 1
    ep.select(*problem(500, 50, 3), method="joint", k=3, n_jobs=-1)  # compiled
    ep.select(*problem(500, 50, 3), method="wilks", k=3, n_jobs=-1)

    n, d, k, m = 50_000 // part, 2_048, 50, 3
    X, y = problem(n, d, 10)
    extra = peak_memory(lambda: ep.select(X, y, method="joint", k=k, n_jobs=-1))
    left, right = np.ones((k * m, n), np.float32), np.ones((n, d), np.float32)

    def bare() -> None:
        for _ in range(m):  # k·m rows of the lifted matrix against all m·D columns
            left @ right

    ours, products = seconds(lambda: ep.select(X, y, method="joint", k=k, n_jobs=-1), bare)
    print(
        f"{n} × {d}, 10 classes, k = {k}: joint {ours:.2f} s, bare products {products:.2f} s, {ours / products:.2f} ×"
    )
    print(f"memory beyond the input: {extra / 2**20:.0f} MB, {extra / (4 * X.size):.2f} of a float32 copy")

    n, d, k = 10_000 // part, 1_000, 20
    X, y = problem(n, d, 2)
    X = X.astype(np.float64)
    ours, wilks = seconds(*(lambda m=m: ep.select(X, y, method=m, k=k, n_jobs=-1) for m in ("joint", "wilks")))
    print(f"{n} × {d}, 2 classes, k = {k}: joint {ours:.2f} s, wilks {wilks:.2f} s, {ours / wilks:.2f} ×")
    start = time.perf_counter()
    RandomForestClassifier(n_jobs=-1, random_state=0).fit(X, y).feature_importances_.argsort()
    forest = time.perf_counter() - start
    print(f"random forest importance (100 trees): {forest:.1f} s, {forest / ours:.0f} times joint")


if __name__ == "__main__":
    main("small" in sys.argv[1:])
