"""Side by side with what pip installs: the same table, the same number of features, one run.

    make bench

A peer that is not installed is left out and said. Where the definition is the same, so must be the features.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import dataclass
from functools import partial
from io import StringIO
from typing import Any

import numpy as np
from measuring import best, forget_peak, machine, peak, resident, table

import entropick as ep

Data = tuple[np.ndarray, np.ndarray]
Call = Callable[[], Any]


@dataclass(frozen=True)
class Pair:
    """The same work by a peer and by us. ``both(X, y)`` gives the two calls, each returning scores or features.

    ``n`` and ``d`` are the size of the table; both are also run with a quarter and half of the columns, for the
    exponent with which their time grows. ``same`` is the number of best features that must agree, None where the
    peer defines something else.
    """

    task: str
    peer: str
    both: Callable[[np.ndarray, np.ndarray], tuple[Call, Call]]
    data: Callable[[int, int], Data]
    n: int
    d: int
    same: int | None = None


def levels(n: int, d: int) -> Data:
    """Five levels; y leans on eight columns, four of which have noisy copies."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 5, size=(n, d)).astype(np.uint8)
    for j in range(4):
        keep = rng.random(n) < 0.7
        X[keep, 20 + j] = X[keep, j]
    strength = sum((X[:, j] >= 3) * (1.0 + 0.1 * j) for j in range(8))
    return X, (strength + rng.normal(0, 1.5, n) > 4.0).astype(int)


def numbers(n: int, d: int) -> Data:
    """Two classes whose means differ in twenty columns."""
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, n)
    X = rng.normal(size=(n, d))
    X[:, :20] += y[:, None] * rng.uniform(0.2, 1.0, 20)
    return X, y


def quantity(n: int, d: int) -> Data:
    """A sum of ten columns, and noise."""
    rng = np.random.default_rng(2)
    X = rng.normal(size=(n, d))
    return X, X[:, :10] @ np.linspace(1, 2, 10) + rng.normal(size=n)


# -- the pairs --------------------------------------------------------------------------------------------------


def information(X: np.ndarray, y: np.ndarray) -> tuple[Call, Call]:
    from sklearn.feature_selection import mutual_info_classif

    return (
        partial(mutual_info_classif, X, y, discrete_features=True),
        partial(ep.mutual_information, X, y, discretizer=None, n_jobs=2),
    )


def neighbours(X: np.ndarray, y: np.ndarray) -> tuple[Call, Call]:
    from sklearn.feature_selection import mutual_info_classif

    return partial(mutual_info_classif, X, y, random_state=0, n_jobs=2), partial(ours, X, y, "infogain.knn", None)


def variance(X: np.ndarray, y: np.ndarray) -> tuple[Call, Call]:
    from sklearn.feature_selection import f_classif

    return lambda: f_classif(X, y)[0], partial(ours, X, y, "anova", None)


def correlation(X: np.ndarray, y: np.ndarray) -> tuple[Call, Call]:
    from sklearn.feature_selection import r_regression

    return lambda: np.abs(r_regression(X, y)), partial(ours, X, y, "pearson", None)


def mrmr(X: np.ndarray, y: np.ndarray) -> tuple[Call, Call]:
    import pandas as pd
    from mrmr import mrmr_classif

    frame, target = pd.DataFrame(X).rename(columns=str), pd.Series(y)
    return (
        lambda: mrmr_classif(frame, target, K=20, show_progress=False, n_jobs=2),
        partial(ours, X, y, "mrmr", 20),
    )


def itmo(name: str, X: np.ndarray, y: np.ndarray) -> tuple[Call, Call]:
    from ITMO_FS.filters.multivariate import MultivariateFilter

    def theirs() -> list[int]:
        chosen = MultivariateFilter(name, 5)
        chosen.fit(X.astype(int), y)
        return list(chosen.selected_features)

    return theirs, partial(ours, X, y, name.lower(), 5)


def relief(X: np.ndarray, y: np.ndarray) -> tuple[Call, Call]:
    from skrebate import ReliefF

    return (
        lambda: ReliefF(n_neighbors=10, n_jobs=2).fit(X, y).feature_importances_,
        partial(ours, X, y, "relieff", None),
    )


def hsic_lasso(X: np.ndarray, y: np.ndarray) -> tuple[Call, Call]:
    from pyHSICLasso import HSICLasso

    def theirs() -> list[int]:
        lasso = HSICLasso()
        lasso.input(X, y + 1)
        with redirect_stdout(StringIO()):
            lasso.classification(10, B=20, n_jobs=2)
        return list(lasso.get_index())

    return theirs, partial(ours, X, y, "hsic.forward", 10)


def subset(X: np.ndarray, y: np.ndarray) -> tuple[Call, Call]:
    from abess import LinearRegression

    def theirs() -> list[int]:
        return np.flatnonzero(LinearRegression(support_size=10, thread=2).fit(X, y).coef_).tolist()

    return theirs, partial(ours, X, y, "gc.mi", 10)


def ours(X: np.ndarray, y: np.ndarray, method: str, k: int | None) -> list[int]:
    coded = {"discretizer": None} if X.dtype == np.uint8 else {}
    return ep.select(X, y, method=method, k=k, n_jobs=2, random_state=0, **coded).indices.tolist()


PAIRS = (
    Pair("information of every feature", "scikit-learn mutual_info_classif", information, levels, 10_000, 1_000, 20),
    Pair("information by neighbours", "scikit-learn mutual_info_classif", neighbours, numbers, 1_000, 400, 10),
    Pair("analysis of variance", "scikit-learn f_classif", variance, numbers, 20_000, 1_000, 20),
    Pair("correlation", "scikit-learn r_regression", correlation, quantity, 20_000, 1_000, 10),
    Pair("mRMR, 20 features", "mrmr_selection (F statistic, correlation)", mrmr, levels, 5_000, 1_000),
    Pair("mRMR, 5 features", "ITMO_FS", partial(itmo, "MRMR"), levels, 1_000, 100, 5),
    Pair("JMI, 5 features", "ITMO_FS", partial(itmo, "JMI"), levels, 1_000, 100, 5),
    Pair("CMIM, 5 features", "ITMO_FS", partial(itmo, "CMIM"), levels, 1_000, 100, 5),
    Pair("ReliefF", "skrebate", relief, numbers, 1_000, 200, 20),
    Pair("ten features by HSIC", "pyHSICLasso (ℓ1, blocks of 20; ours forward)", hsic_lasso, numbers, 1_000, 200),
    Pair("ten features of a linear model", "abess (best subset; ours forward)", subset, quantity, 5_000, 2_000, 10),
)


# -- measuring --------------------------------------------------------------------------------------------------


def run(pair: Pair) -> list[str]:
    sizes = [pair.d // 4, pair.d // 2, pair.d]
    times: list[list[float]] = [[], []]
    for d in sizes:
        calls = pair.both(*pair.data(pair.n, d))
        calls[1]()  # kernels are loaded before the clock starts
        for found, call in zip(times, calls, strict=True):
            found.append(best(call, 3 if d == pair.d else 1, 30.0))
    told, memory = [], []
    for call in calls:
        forget_peak()
        before = resident()
        told.append(call())
        memory.append(max(0, peak() - before) / 2**20)
    slow, fast = times[0][-1], times[1][-1]
    ratio = slow / fast
    growth = [np.polyfit(np.log(sizes), np.log(found), 1)[0] for found in times]
    return [
        f"{pair.task}; n = {pair.n:,}, D = {pair.d:,}",
        pair.peer,
        f"{slow * 1e3:.0f} ms",
        f"{fast * 1e3:.1f} ms",
        f"{ratio:.0f}×" if ratio >= 10 else f"{ratio:.1f}×" if ratio >= 1 else f"**{ratio:.2f}× (slower)**",
        f"{memory[0]:.0f} / {memory[1]:.0f} MiB",
        f"{growth[0]:.1f} / {growth[1]:.1f}",
        agreement(pair, *told),
    ]


def agreement(pair: Pair, theirs: Any, own: Any) -> str:
    """Whether the best features are the same; scores are put in order first."""

    def chosen(found: Any) -> set[int]:
        found = np.asarray(found)
        order = np.argsort(-found, kind="stable") if found.dtype.kind == "f" else found
        return {int(one) for one in order[: pair.same or 10]}

    if pair.same is None:
        return "another definition"
    common = len(chosen(theirs) & chosen(own))
    return "same features" if common == pair.same else f"**{common} of {pair.same} features the same**"


def main() -> str:
    rows, missing = [], []
    for pair in PAIRS:
        print(f"  {pair.task}: {pair.peer}", file=sys.stderr, flush=True)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                rows.append(run(pair))
                print("   ", *rows[-1][2:], sep="  ", file=sys.stderr, flush=True)
        except ImportError as error:
            missing.append(f"{pair.peer} is left out: {error}.")
    head = ["task", "peer", "peer", "entropick", "faster", "memory, peer / entropick", "exponent in D", "features"]
    parts = [
        f"## Side by side ({machine()})",
        "Two threads. First calls, which compile, do not count. Memory is the peak beyond the table; the exponent says"
        " how the time grows with the number of columns (from a quarter of them to all; small times have small"
        " exponents because of what every call costs).",
        table(head, rows),
        *missing,
    ]
    return "\n\n".join(parts)


if __name__ == "__main__":
    print(main())
