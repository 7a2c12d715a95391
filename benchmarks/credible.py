"""Do credible sets keep their promise? Simulations beside SuSiE and knockoffs, noise, and real tables cut in half.

    python benchmarks/credible.py sets [draws] [n,n,...] [D]    AR(1) columns, five of which matter; beside SuSiE
    python benchmarks/credible.py picks [draws]    single picks at 2 000 rows; beside knockoffs of hidimstat
    python benchmarks/credible.py noise [tables]   any pick from pure noise, by method and kind of noise
    python benchmarks/credible.py uniform [tables] [FILE.png]   p-values of null columns, given 0, 3 and 10 true picks
    python benchmarks/credible.py halves FOLDER    real tables: do the sets of one half meet those of the other?
    python benchmarks/credible.py cost             seconds of the sets beside those of the selection

Peers are from PyPI: pysusie, hidimstat. Printed by ``sets``: cover, the share of sets that hold a true column; their
size; power, the share of the five that some set holds; false, the share of picks that are none of the five; last, over
all and of the worst cell of at least 40 sets. FOLDER has .npz files with X and y.
"""

from __future__ import annotations

import sys
import time
import warnings
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

import entropick as ep

REAL = 5
TABLES = ("ionosphere", "musk1", "phoneme_esl", "leukemia_golub", "prostate_ge")


def problem(random: np.random.Generator, n: int, D: int, rho: float, kind: str, task: str) -> tuple[Any, Any, set[int]]:
    """Columns, target, and the columns that matter."""
    X = random.normal(size=(n, D))
    for j in range(1, D):
        X[:, j] = rho * X[:, j - 1] + np.sqrt(1 - rho**2) * X[:, j]
    true, signal = random.choice(D, REAL, replace=False), np.zeros(n)
    for i, j in enumerate(true):
        curved = kind == "quadratic" or (kind == "mixed" and i % 2)
        signal += random.choice([-1, 1]) * ((X[:, j] ** 2 - 1) / np.sqrt(2) if curved else X[:, j])
    z = signal / signal.std() + random.normal(size=n)
    return X, (z if task == "number" else (z > 0).astype(int)), {int(j) for j in true}


def counted(sets: list[set[int]], true: set[int]) -> np.ndarray:
    held = true & set().union(*sets)
    return np.array([len(sets), sum(bool(s & true) for s in sets), sum(map(len, sets)), len(held)], dtype=float)


def sets(draws: int = 20, sizes: str = "200,500,2000", D: int = 100) -> None:
    try:
        import pysusie
    except ImportError:
        pysusie = None
    total, worst = np.zeros(4), 1.0
    print("    n    D  rho kind      task    false cover  size power | SuSiE cover  size power")
    for n, rho, kind, task in product(
        map(int, str(sizes).split(",")),
        (0.0, 0.5, 0.8, 0.9, 0.95),
        ("linear", "quadratic", "mixed"),
        ("number", "class"),
    ):
        ours, theirs, wrong = np.zeros(4), np.zeros(4), 0
        for draw in range(draws):
            X, y, true = problem(np.random.default_rng([draw, n, int(100 * rho)]), n, D, rho, kind, task)
            found = ep.select(X, y, method="joint", k="auto")
            wrong += len(set(found.indices.tolist()) - true)
            ours += counted([set(one.indices) for one in found.credible_sets], true)
            if pysusie is not None:
                fit = pysusie.susie_get_cs(pysusie.susie(X, y.astype(float), L=10), X)["cs"] or []
                theirs += counted([{int(j) for j in one} for one in fit], true)
        a, b = ((f[1] / max(f[0], 1), f[2] / max(f[0], 1), f[3] / REAL / draws) for f in (ours, theirs))
        total += ours
        worst = min(worst, a[0]) if ours[0] >= 40 else worst
        print(
            f"{n:5} {D:4} {rho:4} {kind:9} {task:7} {wrong / max(ours[0], 1):5.2f} {a[0]:5.2f} {a[1]:5.1f}"
            f" {a[2]:5.2f} |       {b[0]:5.2f} {b[1]:5.1f} {b[2]:5.2f}",
            flush=True,
        )
    print(f"cover over all {total[1] / max(total[0], 1):.3f}, of the worst cell {worst:.2f}")


def picks(draws: int = 20, n: int = 2000, D: int = 100) -> None:
    """Share of false single picks and power, ours at alpha = 0.05 and knockoffs at a false-discovery
    rate of 0.2: at 0.05 these choose twenty columns or none."""
    try:
        from hidimstat import ModelXKnockoff
    except ImportError:
        ModelXKnockoff = None
    for rho, kind in product((0.0, 0.5, 0.8), ("linear", "mixed")):
        rates = {"entropick": np.zeros(3), "knockoffs": np.zeros(3)}
        for draw in range(draws):
            X, y, true = problem(np.random.default_rng([draw, n, int(100 * rho)]), n, D, rho, kind, "number")
            chosen = {"entropick": set(ep.select(X, y, method="joint", k="auto").indices.tolist())}
            if ModelXKnockoff is not None:
                knockoff = ModelXKnockoff(random_state=draw).fit(X, y)
                knockoff.importance(X, y)
                chosen["knockoffs"] = set(np.flatnonzero(knockoff.fdr_selection(fdr=0.2)).tolist())
            for name, found in chosen.items():
                rates[name] += len(found), len(found - true), len(found & true)
        told = (f"{name} false {r[1] / max(r[0], 1):.3f} power {r[2] / REAL / draws:.2f}" for name, r in rates.items())
        print(f"rho {rho} {kind:7}", *told, flush=True)


def null_p_values(random: np.random.Generator, n: int, D: int, classes: int, given: int) -> list[float]:
    """p-values of five null columns given so many true picks; 0 classes: a number as target."""
    X = random.normal(size=(n, D))
    signal = X[:, :given].sum(axis=1) / max(np.sqrt(given), 1) + random.normal(size=n)
    if classes:
        rank = np.argsort(np.argsort(signal))
        y = rank * classes // n
    else:
        y = signal
    found = []
    for null in range(given, given + 5):
        picks = [*range(given), null]
        chosen = ep.select(X, y, k=given + 1, include=picks, interactions=False)
        found.append(float(chosen.p_values[chosen.indices.tolist().index(null)]))
    return found


def uniform(tables: int = 40, file: str = "") -> None:
    """Share of p-values below 0.05 and 0.5, and Kolmogorov's test on the side where they are too small."""
    from scipy.stats import kstest

    drawn = {}
    for n, classes, D, given in product((100, 300, 1000), (0, 2, 5, 10), (50, 500), (0, 3, 10)):
        random = np.random.default_rng([n, classes, D, given])
        p = np.array(
            [value for _ in range(max(tables // 5, 1)) for value in null_p_values(random, n, D, classes, given)]
        )
        drawn[n, classes, D, given] = p
        small = kstest(p, "uniform", alternative="greater").pvalue
        kind = f"{classes} classes" if classes else "a number"
        print(
            f"{n:5} rows {D:4} columns {kind:10} given {given:2}: below 0.05 {np.mean(p < 0.05):.3f}, below 0.5"
            f" {np.mean(p < 0.5):.2f}, too small? p = {small:.2g}",
            flush=True,
        )
    if file:
        import matplotlib.pyplot as plt

        figure, axes = plt.subplots(1, 3, figsize=(11, 3.8), sharey=True)
        for ax, n in zip(axes, (100, 300, 1000), strict=True):
            for (rows, *_), p in drawn.items():
                if rows == n:
                    ax.plot((np.arange(len(p)) + 0.5) / len(p), np.sort(p), color="#4477aa", alpha=0.3)
            ax.plot([0, 1], [0, 1], color="black", linewidth=0.8)
            ax.set(title=f"{n} rows", xlabel="expected p-value")
        axes[0].set_ylabel("p-value of a null column")
        figure.savefig(file, dpi=120, bbox_inches="tight")


def cost() -> None:
    """How much of a selection of 20 features is p-values and sets."""
    from entropick.selectors import answer

    spent, told = [0.0], answer.told

    def timed(*arguments: Any) -> Any:
        start = time.perf_counter()
        steps = told(*arguments)
        spent[0] = time.perf_counter() - start
        return steps

    answer.told = timed  # type: ignore[attr-defined]
    random = np.random.default_rng(0)
    for n, D in ((50_000, 2048), (100, 20_000)):
        X = random.normal(size=(n, D)).astype(np.float32)
        y = (X[:, :20].sum(axis=1) + random.normal(size=n) > 0).astype(int)
        ep.select(X[:, :50], y, k=3)
        start = time.perf_counter()
        ep.select(X, y, k=20, interactions=False)
        whole = time.perf_counter() - start
        print(f"{n} rows × {D} columns: selection {whole - spent[0]:.2f} s, sets of 20 picks {spent[0]:.2f} s")


def noise_tables(random: np.random.Generator) -> dict[str, tuple[Any, Any]]:
    """Tables in which nothing says anything about the target."""
    import pandas as pd

    n, D = 300, 30
    plain, heavy = random.normal(size=(n, D)), random.standard_t(2, size=(n, D))
    classes = random.integers(0, 3, n)
    copies = np.repeat(random.normal(size=(n, D // 3)), 3, axis=1) + 0.01 * random.normal(size=(n, D))
    labels = pd.DataFrame({f"c{j}": random.integers(0, 500, n).astype(str) for j in range(D)})
    tiny = np.where(np.arange(n) < 2, 2, np.arange(n) % 2)
    return {
        "normal, 3 classes": (plain, classes),
        "t of 2 degrees, a number of the same": (heavy, random.standard_t(2, size=n)),
        "500 levels": (labels, classes),
        "near-copies": (copies, classes),
        "a class of two rows": (plain, tiny),
    }


def noise(tables: int = 200, methods: tuple[str, ...] = ("joint", "jmi", "cmim", "relieff", "lasso")) -> None:
    for method in methods:
        hits: dict[str, int] = {}
        for draw in range(tables):
            for name, (X, y) in noise_tables(np.random.default_rng(draw)).items():
                if name == "500 levels" and method in ("relieff", "lasso"):
                    continue
                hits[name] = hits.get(name, 0) + bool(len(ep.select(X, y, method=method, k="auto", random_state=0)))
        print(method, {name: f"{count} of {tables}" for name, count in hits.items()}, flush=True)


def halves(folder: str, names: tuple[str, ...] = TABLES) -> None:
    from sklearn.datasets import load_breast_cancer
    from sklearn.feature_selection import f_classif
    from sklearn.model_selection import train_test_split

    for name in ("breast_cancer", *names):
        if name == "breast_cancer":
            X, y = load_breast_cancer(return_X_y=True)
        else:
            file = np.load(Path(folder) / f"{name}.npz", allow_pickle=False)
            X, y = file["X"].astype(float), np.unique(file["y"].astype(int), return_inverse=True)[1]
        X = X[:, [len(np.unique(x)) > 20 for x in X.T]]
        X = X[:, np.argsort(-f_classif(X, y)[0], kind="stable")[:300]]
        found = met = size = 0
        for seed in range(6):
            rows = np.random.RandomState(seed).permutation(len(y))[:1200]
            both = train_test_split(rows, train_size=0.5, stratify=y[rows], random_state=seed)
            one, other = (
                [set(s.indices) for s in ep.select(X[part], y[part], method="joint", k="auto").credible_sets]
                for part in both
            )
            for mine, theirs in ((one, other), (other, one)):
                found, size = found + len(mine), size + sum(map(len, mine))
                met += sum(bool(s & set().union(*theirs)) for s in mine)
        size, met = size / max(found, 1), met / max(found, 1)
        print(f"{name} {X.shape}: {found / 12:.1f} picks, sets of {size:.1f}, met again {met:.2f}", flush=True)


if __name__ == "__main__":
    warnings.filterwarnings("ignore")
    command, *rest = sys.argv[1:] or ["sets"]
    commands = {"sets": sets, "picks": picks, "noise": noise, "uniform": uniform, "halves": halves, "cost": cost}
    commands[command](*(int(word) if word.isdigit() else word for word in rest))
