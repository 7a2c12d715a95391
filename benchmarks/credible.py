"""Do credible sets keep their promise? Simulations beside SuSiE, noise, and real tables cut in half.

    python benchmarks/credible.py sets [draws]     AR(1) columns, five of which matter; beside SuSiE (pip: pysusie)
    python benchmarks/credible.py noise [tables]   any pick from pure noise, by method and kind of noise
    python benchmarks/credible.py halves FOLDER    real tables: do the sets of one half meet those of the other?

Printed by ``sets``: cover, the share of sets that hold a true column; their size; power, the share of the five that
some set holds; false, the share of picks that are none of the five. FOLDER has .npz files with X and y.
"""

from __future__ import annotations

import sys
import warnings
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


def sets(draws: int = 20, sizes: tuple[int, ...] = (200, 500, 2000), D: int = 100) -> None:
    try:
        import pysusie
    except ImportError:
        pysusie = None
    print("    n  rho kind      task    false cover  size power | SuSiE cover  size power")
    for n in sizes:
        for rho in (0.0, 0.5, 0.8, 0.9, 0.95):
            for kind in ("linear", "quadratic", "mixed"):
                for task in ("number", "class"):
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
                    print(
                        f"{n:5} {rho:4} {kind:9} {task:7} {wrong / max(ours[0], 1):5.2f} {a[0]:5.2f} {a[1]:5.1f}"
                        f" {a[2]:5.2f} |       {b[0]:5.2f} {b[1]:5.1f} {b[2]:5.2f}",
                        flush=True,
                    )


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
    {"sets": sets, "noise": noise, "halves": halves}[command](*(int(word) if word.isdigit() else word for word in rest))
