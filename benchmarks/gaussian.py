"""Gaussian methods against the bare BLAS calls on the same data, in one run.

    python benchmarks/gaussian.py            all parts, about two minutes on two cores
    python benchmarks/gaussian.py --small    the same at a fraction of the size

Large: n = 50 000, D = 2 048, 10 classes, k = 100, float32. ``syrk`` is one dsyrk per class on float64 rows
that are already gathered and centred: what nobody can avoid. Small sample: n = 72, D = 50 000, 2 classes,
k = 100, against k products of a vector with the data. Every figure is the best of several repeats, taken in
turn so that a disturbance hits all alike.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
import warnings

import numpy as np
from scipy.linalg.blas import dsyrk

import entropick as ep
from entropick.measures.gaussian import GCMI
from entropick.measures.gaussian_auto import first
from entropick.measures.gaussian_kl import GKLMI
from entropick.statistics.moments import Moments


def clock(function) -> float:
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def data(n: int, d: int, classes: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, n)
    X = rng.standard_normal((n, d), dtype=np.float32)
    X[:, 1:] += 0.4 * X[:, :-1]
    X += 0.1 * rng.standard_normal((classes, d), dtype=np.float32)[y]
    return X, y


def large(n: int, d: int, classes: int, k: int, repeats: int) -> None:
    X, y = data(n, d, classes)
    gathered = [np.asarray(X[y == c], dtype=np.float64) for c in range(classes)]

    def syrk() -> None:
        for part in gathered:
            dsyrk(1.0, part.T, lower=1)

    times: dict[str, list[float]] = {
        name: [] for name in ("syrk", "moments", "gc.mi steps", "gkl.mi steps", "gc.mi", "gkl.mi", "wilks")
    }
    for _ in range(repeats):
        times["syrk"].append(clock(syrk))
        memory = Moments(d, classes)
        times["moments"].append(clock(lambda memory=memory: memory.update(X, y)))
        times["gc.mi steps"].append(clock(lambda memory=memory: first(GCMI(memory), k)))
        times["gkl.mi steps"].append(clock(lambda memory=memory: first(GKLMI(memory), k)))
        for method in ("gc.mi", "wilks", "gkl.mi"):
            times[method].append(clock(lambda method=method: ep.select(X, y, method=method, k=k)))
    best = {name: min(t) for name, t in times.items()}
    print(f"n = {n:,}, D = {d:,}, {classes} classes, k = {k}, float32 (best of {repeats})")
    for name, t in best.items():
        print(f"  {name:14} {t:7.3f} s")
    total = best["gc.mi"]
    print(f"  gc.mi end to end / bare syrk        {total / best['syrk']:.2f}   (at most 1.5)")
    print(f"  selection after the moments / total {best['gc.mi steps'] / total:.1%}   (at most 5 %)")
    print(f"  gkl.mi end to end / gc.mi           {best['gkl.mi'] / total:.2f}   (at most 2)")


def linear_steps(d: int, classes: int, k: int) -> None:
    """Time of the t-th step against t: a straight line, and what a square term would add."""
    X, y = data(20 * d, d, classes)
    memory = Moments(d, classes).update(X, y)
    print(f"cost of a step, D = {d:,}, {classes} classes, steps 1 … {k}")
    for kind in (GCMI, GKLMI):
        runs = []
        for _ in range(7):
            m, spent = kind(memory, shrinkage=None), []
            open_ = np.ones(d, dtype=bool)
            for _ in range(k):
                start = time.perf_counter()
                best = int(np.argmax(np.where(open_, m.gains(), -np.inf)))
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    m.add(best)
                spent.append(time.perf_counter() - start)
                open_[best] = False
            runs.append(spent)
        t = np.arange(1, k + 1)
        spent = np.min(runs, axis=0)
        slope, start = np.polyfit(t, spent, 1)
        power = np.polyfit(np.log(t[k // 4 :]), np.log(spent[k // 4 :]), 1)[0]
        fitted = start + slope * t
        r2 = 1 - ((spent - fitted) ** 2).sum() / ((spent - spent.mean()) ** 2).sum()
        print(
            f"  {kind.__name__:6} {1e3 * start:.2f} ms + {1e6 * slope:.1f} µs × |S|, R² {r2:.3f};"
            f" log-log slope over the last three quarters {power:.2f} (quadratic would be near 2)"
        )


SMALL_SAMPLE = """
import sys, time, tracemalloc, warnings
import numpy as np
import entropick as ep
n, d, k = (int(a) for a in sys.argv[1:4])
warnings.simplefilter("ignore")
rng = np.random.default_rng(0)
y = np.arange(n) % 2
X = rng.standard_normal((n, d))
X[:, ::500] += 0.8 * y[:, None]
v = rng.standard_normal(n)
ep.select(X[:, :50], y, method="gc.mi", k=3)        # imports
passes, selections = [], []
for _ in range(3):
    start = time.perf_counter()
    ep.select(X, y, method="gc.mi", k=k)
    selections.append(time.perf_counter() - start)
    start = time.perf_counter()
    for _ in range(k):
        v @ X
    passes.append(time.perf_counter() - start)
tracemalloc.start()                                  # after the timing, which it would slow down
ep.select(X, y, method="gc.mi", k=k)
print(min(selections), min(passes), tracemalloc.get_traced_memory()[1], X.nbytes)
"""


def small_sample(n: int, d: int, k: int) -> None:
    """In a process of its own, so that the peak of memory is this selection's."""
    out = subprocess.run(
        [sys.executable, "-c", SMALL_SAMPLE, str(n), str(d), str(k)], capture_output=True, text=True, check=True
    ).stdout
    selection, passes, extra, size = (float(x) for x in out.split())
    print(f"n = {n}, D = {d:,}, 2 classes, k = {k}, float64, rows on demand (best of 3)")
    print(f"  gc.mi {selection:.3f} s, {k} products with the data {passes:.3f} s")
    print(f"  ratio {selection / passes:.2f}   (under 3)")
    print(f"  peak memory, data included: {(size + extra) / size:.2f} × the data   (under 4)")


def pruning(d: int, classes: int, k: int) -> None:
    X, y = data(10 * d, d, classes)
    print(f"search='pruned' against 'forward', D = {d:,}, {classes} classes, k = {k}")
    for method in ("gc.mi", "wilks"):
        plain, cut = (ep.select(X, y, method=method, k=k, search=s) for s in ("forward", "pruned"))
        slow, fast = (
            min(clock(lambda s=s, m=method: ep.select(X, y, method=m, k=k, search=s)) for _ in range(2))
            for s in ("pruned", "forward")
        )
        same = "same features" if plain.names == cut.names else "DIFFERENT FEATURES"
        print(
            f"  {method:6} {same}; {cut.details['candidates_skipped']:.1%} of candidates skipped;"
            f" pruned {slow:.2f} s, forward {fast:.2f} s"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--small", action="store_true", help="a fraction of the size")
    parser.add_argument("--repeats", type=int, default=3)
    a = parser.parse_args()
    if a.small:
        large(5_000, 512, 10, 50, a.repeats)
        linear_steps(512, 5, 60)
        small_sample(72, 10_000, 50)
        pruning(200, 3, 20)
    else:
        large(50_000, 2_048, 10, 100, a.repeats)
        linear_steps(2_048, 5, 150)
        small_sample(72, 50_000, 100)
        pruning(500, 3, 30)


if __name__ == "__main__":
    main()
