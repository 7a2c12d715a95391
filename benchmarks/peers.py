"""Side by side with what pip installs: the same table, the same number of features, one run.

    make bench

A peer that is not installed is left out and said. Where the definition is the same, so must be the features. Every
peer, and we for every task, have a process of our own; the two are asked in turn, so that noise meets both.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from contextlib import redirect_stdout, suppress
from dataclasses import dataclass
from functools import partial
from io import StringIO
from typing import Any

import numpy as np
from measuring import Caller, machine, table

import entropick as ep

Data = tuple[np.ndarray, np.ndarray]
Call = Callable[[], Any]

LIMIT = 60.0  # seconds of one call, after which it is given up
ROUND = 0.1  # seconds that a side is asked for at a time, if its call is shorter
ENOUGH = 8.0  # seconds of all rounds of a pair
SOUND = 0.02  # seconds below which a time says nothing of growth
LARGEST = 800 << 20  # bytes of a table


@dataclass(frozen=True)
class Pair:
    """The same work by a peer and by us. ``both(X, y)`` gives the two calls, each returning scores or features.

    ``n`` and ``d`` are the size of the table; ``same`` is the number of best features that must agree, None where
    the peer defines something else.
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
    X[:, :20] += y[:, None] * rng.uniform(0.2, 1.0, 20)[:d]
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


def number_neighbours(X: np.ndarray, y: np.ndarray) -> tuple[Call, Call]:
    from sklearn.feature_selection import mutual_info_regression

    return partial(mutual_info_regression, X, y, random_state=0, n_jobs=2), partial(ours, X, y, "infogain.knn", None)


def counts(X: np.ndarray, y: np.ndarray) -> tuple[Call, Call]:
    from sklearn.feature_selection import chi2
    from sklearn.preprocessing import OneHotEncoder

    def theirs() -> np.ndarray:
        """Of all levels of a feature: by itself chi2 takes levels for frequencies."""
        encoder = OneHotEncoder().fit(X)
        starts = np.cumsum([0, *(len(found) for found in encoder.categories_[:-1])])
        return np.add.reduceat(chi2(encoder.transform(X), y)[0], starts)

    return theirs, partial(ours, X, y, "chi2", 20)


def variance(X: np.ndarray, y: np.ndarray) -> tuple[Call, Call]:
    from sklearn.feature_selection import f_classif

    return lambda: f_classif(X, y)[0], partial(ours, X, y, "anova", 20)


def correlation(X: np.ndarray, y: np.ndarray) -> tuple[Call, Call]:
    from sklearn.feature_selection import r_regression

    return lambda: np.abs(r_regression(X, y)), partial(ours, X, y, "pearson", 20)


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


def scikit_feature(name: str, X: np.ndarray, y: np.ndarray) -> tuple[Call, Call]:
    from importlib import import_module

    theirs = import_module(f"skfeature.function.information_theoretical_based.{name}")
    call = partial(getattr(theirs, name.lower()), X.astype(int), y, mode="index", n_selected_features=5)
    return call, partial(ours, X, y, name.lower(), 5)


def scikit_feature_relief(X: np.ndarray, y: np.ndarray) -> tuple[Call, Call]:
    from skfeature.function.similarity_based.reliefF import reliefF

    return partial(reliefF, X, y, mode="raw", k=10), partial(ours, X, y, "relieff", None)


def fast_mrmr(X: np.ndarray, y: np.ndarray) -> tuple[Call, Call]:
    from fast_select import mRMR

    return lambda: mRMR(20, backend="cpu").fit(X, y).top_features_, partial(ours, X, y, "mrmr", 20)


def fast_relief(X: np.ndarray, y: np.ndarray) -> tuple[Call, Call]:
    from fast_select import ReliefF

    def theirs() -> np.ndarray:
        return ReliefF(n_features_to_select=20, n_neighbors=10, backend="cpu", n_jobs=2).fit(X, y).feature_importances_

    return theirs, partial(ours, X, y, "relieff", None)


def fast_cfs(X: np.ndarray, y: np.ndarray) -> tuple[Call, Call]:
    from fast_select import CFS

    def theirs() -> list[int]:
        return np.flatnonzero(CFS(backend="cpu").fit(X, y).get_support()).tolist()

    return theirs, partial(ours, X, y, "cfs", "auto")


def mixtures(X: np.ndarray, y: np.ndarray) -> tuple[Call, Call]:
    from infoselect import SelectVars, get_gmm

    def theirs() -> list[int]:
        chosen = SelectVars(get_gmm(X, y, y_cat=True, num_comps=[2, 5]), "forward")
        chosen.fit(X, y, verbose=False)
        return list(chosen.get_info()["features"].iloc[k])

    k = min(10, X.shape[1])
    return theirs, partial(ours, X, y, "gc.mi", k)


def hsic_lasso(X: np.ndarray, y: np.ndarray) -> tuple[Call, Call]:
    from pyHSICLasso import HSICLasso

    def theirs() -> list[int]:
        lasso = HSICLasso()
        lasso.input(X, y + 1)
        with redirect_stdout(StringIO()):
            lasso.classification(10, B=20, n_jobs=2)
        return list(lasso.get_index())

    return theirs, partial(ours, X, y, "hsic.forward", 10, block=20)


def subset(X: np.ndarray, y: np.ndarray) -> tuple[Call, Call]:
    from abess import LinearRegression

    def theirs() -> list[int]:
        return np.flatnonzero(LinearRegression(support_size=10, thread=2).fit(X, y).coef_).tolist()

    return theirs, partial(ours, X, y, "gc.mi", 10)


def ours(X: np.ndarray, y: np.ndarray, method: str, k: int | str | None, **options: Any) -> list[int]:
    """The k best, or all in order; a ranking's `details` have the scores of all features, as its peers return."""
    coded = {"discretizer": None} if X.dtype == np.uint8 else {}
    return ep.select(X, y, method=method, k=k, n_jobs=2, random_state=0, **coded, **options).indices.tolist()


PAIRS = (
    Pair("information of every feature", "scikit-learn mutual_info_classif", information, levels, 10_000, 1_000, 20),
    Pair("information by neighbours", "scikit-learn mutual_info_classif", neighbours, numbers, 1_000, 400, 10),
    Pair(
        "information by neighbours, y a number",
        "scikit-learn mutual_info_regression",
        number_neighbours,
        quantity,
        1_000,
        400,
        10,
    ),
    Pair("χ² of every feature", "scikit-learn OneHotEncoder, chi2", counts, levels, 10_000, 1_000, 20),
    Pair("analysis of variance", "scikit-learn f_classif", variance, numbers, 20_000, 1_000, 20),
    Pair("correlation", "scikit-learn r_regression", correlation, quantity, 20_000, 1_000, 10),
    Pair("mRMR, 20 features", "mrmr_selection (F statistic, correlation)", mrmr, levels, 5_000, 500),
    Pair("mRMR, 5 features", "ITMO_FS", partial(itmo, "MRMR"), levels, 1_000, 100, 5),
    Pair("JMI, 5 features", "ITMO_FS", partial(itmo, "JMI"), levels, 1_000, 100, 5),
    Pair("CMIM, 5 features", "ITMO_FS", partial(itmo, "CMIM"), levels, 1_000, 100, 5),
    Pair("CMIM, 5 features", "scikit-feature", partial(scikit_feature, "CMIM"), levels, 1_000, 100, 5),
    Pair("DISR, 5 features", "scikit-feature", partial(scikit_feature, "DISR"), levels, 1_000, 100, 5),
    Pair("mRMR, 20 features", "fast-select", fast_mrmr, levels, 10_000, 400, 20),
    Pair("CFS, best first", "fast-select", fast_cfs, levels, 10_000, 400, 8),
    Pair("ReliefF", "skrebate", relief, numbers, 1_000, 200, 20),
    Pair("ReliefF", "scikit-feature (columns not scaled)", scikit_feature_relief, numbers, 1_000, 200),
    Pair("ReliefF", "fast-select", fast_relief, numbers, 2_000, 400, 20),
    Pair(
        "ten features by HSIC", "pyHSICLasso (ℓ1; ours forward; both in blocks of 20)", hsic_lasso, numbers, 1_000, 200
    ),
    Pair("ten of 20 features jointly", "infoselect (mixtures; ours one law a class)", mixtures, numbers, 1_000, 20),
    Pair("ten features of a linear model", "abess (best subset; ours forward)", subset, quantity, 5_000, 2_000, 10),
)


# -- measuring --------------------------------------------------------------------------------------------------


@dataclass
class Side:
    """The peer or us: seconds of the fastest call, bytes of memory, exponent of growth; why there are none."""

    seconds: float = float("inf")
    memory: int = 0
    told: Any = None
    growth: float | None = None
    failed: str = ""


def call_of(number: int, side: int, d: int) -> Call:
    """The call of one side of a pair, on d columns."""
    pair = PAIRS[number]
    return pair.both(*pair.data(pair.n, d))[side]


def measure(number: int) -> tuple[Side, Side]:
    """Both sides of a pair, in turn."""
    pair, sides = PAIRS[number], (Side(), Side())
    with Caller(partial(call_of, number, 0), LIMIT) as theirs, Caller(partial(call_of, number, 1), LIMIT) as own:
        both = list(zip((theirs, own), sides, strict=True))
        for caller, side in both:
            try:
                caller.prepare(pair.d // 4)
                caller.seconds()  # libraries and kernels are loaded before anything counts
                caller.prepare(pair.d)
                side.told, side.memory = caller.once()
            except (TimeoutError, RuntimeError) as error:
                side.failed = str(error)
        end = time.perf_counter() + ENOUGH
        for step in range(3):
            for caller, side in both:
                if not side.failed and (step == 0 or time.perf_counter() < end):
                    repeats = int(np.clip(ROUND / side.seconds, 1, 20)) if step else 1
                    side.seconds = min(side.seconds, caller.seconds(repeats))
        for caller, side in both:
            if not side.failed:
                with suppress(TimeoutError):
                    side.growth = exponent(caller, pair, side.seconds)
    return sides


def exponent(caller: Caller, pair: Pair, seconds: float) -> float | None:
    """a of time ~ D^a over three sizes, the least of which takes long enough.

    None where a table would be too large, or where more columns took less time: then it is noise that was measured.
    ``seconds`` are of the pair's own size.
    """
    known = {pair.d: seconds}

    def at(d: int) -> float:
        if d not in known:
            caller.prepare(d)
            first = caller.seconds()
            known[d] = first if first > 1.0 else min(first, caller.seconds(int(np.clip(0.5 / first, 2, 10))))
        return known[d]

    for least in (pair.d // 4, pair.d, 4 * pair.d):
        sizes = [least, 2 * least, 4 * least]
        if 8 * pair.n * sizes[-1] > LARGEST:
            return None
        if at(least) >= SOUND:
            times = [at(d) for d in sizes]
            return float(np.polyfit(np.log(sizes), np.log(times), 1)[0]) if times == sorted(times) else None
    return None


def row(pair: Pair, theirs: Side, own: Side) -> list[str]:
    """A line of the table."""
    ratio = (LIMIT if theirs.failed else theirs.seconds) / own.seconds
    times = f"{ratio:.0f}×" if ratio >= 10 else f"{ratio:.1f}×" if ratio >= 1 else f"**{ratio:.2f}× (slower)**"
    return [
        f"{pair.task}; n = {pair.n:,}, D = {pair.d:,}",
        pair.peer,
        theirs.failed or f"{theirs.seconds * 1e3:.0f} ms",
        own.failed or f"{own.seconds * 1e3:.1f} ms",
        f"more than {times}" if theirs.failed else times,
        " / ".join("–" if side.failed else f"{side.memory / 2**20:.0f}" for side in (theirs, own)) + " MiB",
        " / ".join("–" if side.growth is None else f"{side.growth:.1f}" for side in (theirs, own)),
        "–" if theirs.failed or own.failed else agreement(pair, theirs.told, own.told),
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
    for number, pair in enumerate(PAIRS):
        print(f"  {pair.task}: {pair.peer}", file=sys.stderr, flush=True)
        try:
            rows.append(row(pair, *measure(number)))
            print("   ", *rows[-1][2:], sep="  ", file=sys.stderr, flush=True)
        except ImportError as error:
            missing.append(f"{pair.peer} is left out: {error}.")
    head = ["task", "peer", "peer", "entropick", "faster", "memory, peer / entropick", "exponent in D", "features"]
    parts = [
        f"## Side by side ({machine()})",
        "Two threads. First calls, which compile, do not count. Memory is the peak beyond the table, in the calling"
        " process. The exponent says how the time grows with the number of columns, over a fourfold span whose least"
        f" time is {SOUND * 1e3:.0f} ms or more; – where that would take a table above {LARGEST >> 20} MiB, or where"
        " noise was larger than growth.",
        table(head, rows),
        *missing,
        "mifs is not on PyPI. mRMR, JMI and the other sums of scikit-feature's last release (skfeature-chappers 1.2.1)"
        " return places instead of features, and are left out.",
    ]
    return "\n\n".join(parts)


if __name__ == "__main__":
    print(main())
