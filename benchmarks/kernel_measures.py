"""HSIC and LSMI: against pyHSICLasso, against a loop over candidates, and how ℓ1-LSMI grows, in one run.

    python benchmarks/kernel_measures.py            about five minutes on two cores
    python benchmarks/kernel_measures.py --small    the same at a fraction of the size

pyHSICLasso is timed where it is installed: ``.venv-bench/bin/pip install pyHSICLasso``, then run with
``.venv-bench/bin/python``. Each figure is the best of its repeats, and ratios are of times taken in one run.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import time

import numpy as np

from entropick.datasets import quad
from entropick.measures.kernel.distances import one_blas_thread
from entropick.measures.kernel.hsic import HSIC
from entropick.measures.kernel.lsmi import FACTORS, LSMI, RIDGES
from entropick.measures.kernel.weighted import WeightedLSMI
from entropick.search.forward import forward
from entropick.search.l1_path import l1_path
from entropick.search.ranking import ranking
from entropick.search.task import Task
from entropick.statistics.rows import RowStatistics


def clock(work, repeats=1, now=time.perf_counter) -> float:
    times = []
    for _ in range(repeats):
        begin = now()
        work()
        times.append(now() - begin)
    return min(times)


def additive(n: int, d: int, seed: int = 0):
    """Y = −2 sin 2X1 + X2² + X3 + e^−X4 + ε, the usual test of HSIC Lasso; the rest is noise."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    y = -2 * np.sin(2 * X[:, 0]) + X[:, 1] ** 2 + X[:, 2] + np.exp(-X[:, 3]) + rng.normal(size=n)
    return X, y


def numbers(X, y) -> RowStatistics:
    return RowStatistics(X, np.zeros(len(X), int), 1, target=y)


def against_hsic_lasso(n: int, d: int, k: int = 4, jobs: int = 2) -> None:
    print(f"\nHSIC, n = {n}, D = {d}, k = {k}, {jobs} threads")
    X, y = additive(n, d)
    every = np.ones(d, bool)

    def ours(search, **options):
        measure = HSIC(numbers(X, y), random=np.random.default_rng(0), n_jobs=jobs, **options)
        return [choice.candidate for choice in search(measure, k, every).choices]

    ours(ranking, block=20)  # compiles
    times: dict[str, float] = {}
    for name, search, options in (
        ("hsic.rank, blocks of 20", ranking, {"block": 20}),
        ("hsic.forward, blocks of 20", forward, {"block": 20}),
        ("hsic.rank, all pairs", ranking, {"block": None}),
        ("hsic.forward, all pairs", forward, {"block": None}),
    ):
        found: list = []
        times[name] = clock(lambda found=found, s=search, o=options: found.append(ours(s, **o)), 3)
        print(f"  {name:<34}{times[name]:8.2f} s   {sorted(found[0])}")
    try:
        from pyHSICLasso import HSICLasso
    except ImportError:
        print("  pyHSICLasso is not installed")
        return
    peer = HSICLasso()  # blocks only: with all pairs it holds n² × D numbers, 4 GB here
    with contextlib.redirect_stdout(io.StringIO()):
        peer.input(X, y)
        seconds = clock(lambda: peer.regression(k, B=20, M=3, n_jobs=jobs), 3)
    print(f"  {'pyHSICLasso, blocks of 20':<34}{seconds:8.2f} s   {sorted(int(j) for j in peer.get_index())}")
    for name, ours_took in times.items():
        print(f"  pyHSICLasso takes {seconds / ours_took:6.1f} × the time of {name}")


def plain_lsmi(x: np.ndarray, y: np.ndarray, fit) -> float:
    """LSMI of one set as one would write it in NumPy: distances anew, a solve for each σ, λ and fold."""
    n, b = len(x), fit.centres.size
    gaps = np.sqrt(((x[:, None] - x[None]) ** 2).sum(axis=2))
    scale = np.median(gaps[np.triu_indices(n, 1)])
    squared = ((x[:, None] - x[fit.centres][None]) ** 2).sum(axis=2)
    y = (y - y.mean()) / y.std()
    y_scale = np.median(np.abs(y[:, None] - y[None])[np.triu_indices(n, 1)])
    y_squared = (y[:, None] - y[fit.centres][None]) ** 2
    folds = [fold[fold >= 0] for fold in fit.rows]
    best = (np.inf, 0.0, 0.0)

    def terms(kx, ky):
        return (kx.T @ kx) * (ky.T @ ky) / len(kx) ** 2, (kx * ky).mean(axis=0)

    for factor in FACTORS:
        kx = np.exp(-squared / (2 * (factor * scale) ** 2))
        ky = np.exp(-y_squared / (2 * (factor * y_scale) ** 2))
        for ridge in RIDGES:
            error = 0.0
            for fold in folds:
                rest = np.setdiff1d(np.arange(n), fold)
                H, h = terms(kx[rest], ky[rest])
                alpha = np.linalg.solve(H + ridge * np.eye(b), h)
                H, h = terms(kx[fold], ky[fold])
                error += 0.5 * alpha @ H @ alpha - h @ alpha
            if error < best[0]:
                H, h = terms(kx, ky)
                best = (error, 0.5 * h @ np.linalg.solve(H + ridge * np.eye(b), h) - 0.5, factor)
    return best[1]


def batching(n: int) -> None:
    """A forward step against loops that call an estimator once a candidate: processor time on one thread each."""
    problem = quad(n, random_state=0)
    rows = numbers(problem.X, problem.y)
    one, two = (LSMI(rows, random=np.random.default_rng(0), n_jobs=jobs) for jobs in (1, 2))
    candidates = [j for j in range(10) if j != 1]
    x = rows.standardised
    for measure in (one, two):
        measure.add(1)
        measure.gains()

    def scratch(j: int) -> float:
        pair = numbers(problem.X[:, [1, j]], problem.y)
        return LSMI(pair, random=np.random.default_rng(0)).value_of([0, 1])

    print(f"\nA forward step of LSMI, n = {n}, 9 candidates, b = 100, {len(FACTORS)} × {len(RIDGES)} models, 5 folds")
    together = clock(one.gains, 5, time.process_time)
    print(f"  all candidates together, one thread       {together:8.3f} s")
    loops = (
        ("a plain NumPy estimator, one call each", lambda j: plain_lsmi(x[:, [1, j]], problem.y, one.fit), 1),
        ("our estimator from scratch, a call each", scratch, 5),
        ("the same, centres, folds, y kept", lambda j: one.value_of([1, j]), 5),
    )
    with one_blas_thread():
        for name, estimate, repeats in loops:
            seconds = clock(lambda e=estimate: [e(j) for j in candidates], repeats, time.process_time)
            print(f"  {name:<42}{seconds:8.3f} s   {seconds / together:5.1f} ×")
    threads = clock(one.gains, 5) / clock(two.gains, 5)
    print(f"  two threads make the step {threads:.1f} × as fast (wall clock), and each ratio that much larger")
    got, expected = one.value_of([0, 1]), plain_lsmi(x[:, [0, 1]], problem.y, one.fit)
    print(f"  same estimate: {got:.6f} and {expected:.6f}")


def growth(small: bool) -> None:
    """Processor time of a gradient and of a model selection, all that ℓ1-LSMI does; exponents by least squares."""
    print("\nℓ1-LSMI: milliseconds of a gradient and of a model selection; fitted exponent")
    base = {"n": 400, "m": 50, "b": 100}
    sweeps = {"n": (400, 800, 1600) if small else (400, 1600, 6400), "m": (50, 200, 800), "b": (50, 100, 200, 400)}
    for what, values in sweeps.items():
        gradient, select = [], []
        for value in values:
            size = {**base, what: value}
            if what == "b":
                size["n"] = 800
            X, y = additive(size["n"], max(4, size["m"]))
            measure = WeightedLSMI(numbers(X, y), random=np.random.default_rng(0), centres=size["b"])
            w = np.random.default_rng(1).dirichlet(np.ones(X.shape[1])) * 10
            with measure.session():
                model = measure.select_model(w)
                measure.gradient(w, model)
                gradient.append(clock(lambda m=measure, w=w, model=model: m.gradient(w, model), 9, time.process_time))
                select.append(clock(lambda m=measure, w=w: m.select_model(w), 5, time.process_time))
        slopes = [np.polyfit(np.log(values), np.log(times), 1)[0] for times in (gradient, select)]
        shown = "  ".join(
            f"{v}: {1e3 * g:.1f} / {1e3 * s:.1f}" for v, g, s in zip(values, gradient, select, strict=True)
        )
        print(f"  {what}   {shown}   exponents {slopes[0]:.2f} / {slopes[1]:.2f}")
    for n, m in ((400, 10), (400, 40)) if small else ((400, 10), (400, 40), (400, 160), (1600, 10)):
        problem = additive(n, m)
        measure = WeightedLSMI(numbers(*problem), random=np.random.default_rng(0), n_jobs=2, restarts=5)
        seconds = clock(lambda measure=measure, m=m: l1_path(measure, Task(4, np.ones(m, bool))))
        print(f"  whole search, n = {n}, m = {m}, k = 4, 5 restarts: {seconds:.1f} s")


def accuracy(small: bool) -> None:
    """LSMI against the SMI it estimates: mean error and standard deviation over trials."""
    print("\nLSMI − SMI, mean ± standard deviation over trials")
    grid = np.linspace(-8, 8, 801)
    x, y = np.meshgrid(grid, grid)
    for name, rho in (("bit, flipped with chance 0.2", None), ("Gaussian, ρ = 0.5", 0.5), ("Gaussian, ρ = 0.8", 0.8)):
        if rho is None:
            cells = np.array([[0.4, 0.1], [0.1, 0.4]])
            true = 0.5 * float(((cells / 0.25 - 1) ** 2 * 0.25).sum())
        else:
            joint = np.exp(-(x**2 - 2 * rho * x * y + y**2) / (2 * (1 - rho**2))) / (2 * np.pi * np.sqrt(1 - rho**2))
            product = np.exp(-(x**2 + y**2) / 2) / (2 * np.pi)
            true = 0.5 * float((joint**2 / product).sum() * (grid[1] - grid[0]) ** 2 - 1)
        line = f"  {name:<30} SMI {true:.4f}  "
        for n in (100, 300, 1000) if small else (100, 300, 1000, 5000):
            errors = []
            for trial in range(5 if small else 20):
                rng = np.random.default_rng(trial)
                if rho is None:
                    bits = rng.integers(0, 2, n)
                    rows = RowStatistics(bits[:, None], bits ^ (rng.random(n) < 0.2), 2)
                else:
                    u, v = rng.normal(size=(2, n))
                    rows = numbers(u[:, None], rho * u + np.sqrt(1 - rho**2) * v)
                errors.append(LSMI(rows, random=rng).value_of([0]) - true)
            line += f"  n {n}: {np.mean(errors):+.3f} ± {np.std(errors):.3f}"
        print(line, flush=True)


def large(n: int) -> None:
    X, y = additive(n, 20)
    rows = numbers(X, y)
    begin = time.perf_counter()
    found = forward(HSIC(rows, random=np.random.default_rng(0), n_jobs=2), Task(4, np.ones(20, bool)))
    seconds = time.perf_counter() - begin
    print(f"\nhsic.forward, n = {n}, D = 20, k = 4, blocks of 200: {seconds:.1f} s")
    print(f"  {sorted(choice.candidate for choice in found.choices)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--part", choices=("accuracy", "peer", "batching", "growth", "large"), help="only this one")
    chosen = parser.parse_args()
    small = chosen.small
    parts = {
        "accuracy": lambda: accuracy(small),
        "peer": lambda: against_hsic_lasso(*((300, 50) if small else (1000, 500))),
        "batching": lambda: batching(400),
        "growth": lambda: growth(small),
        "large": lambda: large(10_000 if small else 100_000),
    }
    for part in [chosen.part] if chosen.part else parts:
        parts[part]()


if __name__ == "__main__":
    main()
