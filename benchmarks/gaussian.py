"""Gaussian methods against the bare BLAS calls on the same data, in one run.

    python benchmarks/gaussian.py            all parts, about two minutes on two cores
    python benchmarks/gaussian.py --small    the same at a fraction of the size
    python benchmarks/gaussian.py --part wide     one of large, steps, wide, pruning

Large: n = 50 000, D = 2 048, 10 classes, k = 100, float32. ``syrk`` is one dsyrk per class on float64 rows
that are already gathered and centred: what nobody can avoid. Small sample: n = 72, D = 50 000, 2 classes,
k = 100, against k products of a vector with the data. Every figure is the best of several repeats, taken in
turn so that a disturbance hits all alike.
"""

from __future__ import annotations

import argparse
import gc
import subprocess
import sys
import time
import warnings

import numpy as np
from scipy.linalg.blas import dsyrk

import entropick as ep
from entropick.measures.gaussian.auto import first
from entropick.measures.gaussian.compromise import GCMI
from entropick.measures.gaussian.divergence import GKLMI
from entropick.statistics.moments.moments import Moments


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


def step_seconds(measure, k: int) -> list[float]:
    """Seconds of each of k steps: the gains of all candidates, the choice, its taking in."""
    spent, open_ = [], np.ones(measure.n_candidates, dtype=bool)
    gc.disable()
    for _ in range(k):
        start = time.perf_counter()
        best = int(np.argmax(np.where(open_, measure.gains(), -np.inf)))
        measure.add(best)
        spent.append(time.perf_counter() - start)
        open_[best] = False
    gc.enable()
    return spent


def linear_steps(d: int, classes: int, k: int, repeats: int = 9, bins: int = 20) -> None:
    """Time of the t-th step against t: a straight line, and what a square would add to it.

    A step takes a millisecond or so and any interruption shows: the shortest of the repeats of a step, then the median
    of k/bins neighbouring steps.
    """
    X, y = data(4 * d, d, classes)
    memory = Moments(d, classes).update(X, y)
    print(
        f"cost of a step, D = {d:,}, {classes} classes, steps 1 … {k}, best of {repeats}, median of {k // bins} steps"
    )
    for kind in (GCMI, GKLMI):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            runs = [step_seconds(kind(memory, shrinkage=None), k) for _ in range(repeats)]
        t = np.arange(1, k + 1).reshape(bins, -1).mean(axis=1)
        spent = np.median(np.min(runs, axis=0).reshape(bins, -1), axis=1)
        line, square = (np.polynomial.Polynomial.fit(t, spent, degree).convert() for degree in (1, 2))
        r2, r2_square = (1 - ((spent - f(t)) ** 2).sum() / ((spent - spent.mean()) ** 2).sum() for f in (line, square))
        constant, slope = line.coef
        print(
            f"  {kind.__name__:6} {1e3 * constant:.2f} ms + {1e6 * slope:.2f} µs × |S|, R² {r2:.3f}; with a square"
            f" {r2_square:.3f}, its share of the last step {square.coef[2] * k**2 / square(k):.0%}"
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
for _ in range(9):
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
    print(f"n = {n}, D = {d:,}, 2 classes, k = {k}, float64, rows on demand (best of 9)")
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


PARTS = {"large": large, "steps": linear_steps, "wide": small_sample, "pruning": pruning}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--small", action="store_true", help="a fraction of the size")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--part", choices=PARTS, help="only this one")
    a = parser.parse_args()
    sizes = {
        "large": ((50_000, 2_048, 10, 100, a.repeats), (5_000, 512, 10, 50, a.repeats)),
        "steps": ((2_048, 5, 400), (512, 5, 100, 5)),
        "wide": ((72, 50_000, 100), (72, 10_000, 50)),
        "pruning": ((500, 3, 30), (200, 3, 20)),
    }
    for name in [a.part] if a.part else PARTS:
        PARTS[name](*sizes[name][a.small])


if __name__ == "__main__":
    main()
