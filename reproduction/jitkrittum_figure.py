"""Jitkrittum, Hachiya & Sugiyama, IEICE 2013, figure 1: errors against the number of features.

Support vector machines as in table 7, over 20 draws, for k in five steps that grow with the number of columns. The
figure prints no numbers.
"""

from __future__ import annotations

import numpy as np

import entropick as ep
from entropick.methods import get_method

from .data import obtain
from .jitkrittum import PAPER
from .jitkrittum_real import FILES, METHODS, PRINTED, QUICK, WITHOUT_EXCHANGES, lowest_error, sample
from .paper_table import Figure, Found, Means, Numbers, PaperTable, Settings, averaged
from .variants import serves, variant

SHOWN = ("PC", "ℓ1-HSIC", "ℓ1-LSMI", "mRMR", "QPFS", "Lasso", "Relief")
TRIALS = 20
STEPS, SHARE = 5, 0.1  # numbers of features, and the last of them as a share of the columns
LEAST = 5  # the last is at least so many


def sizes_of(columns: int) -> list[int]:
    """The numbers of features that are tried.

    >>> sizes_of(13), sizes_of(166), sizes_of(4)
    ([1, 2, 3, 4, 5], [3, 6, 9, 12, 15], [1, 2, 3, 4])
    """
    step = max(1, int(max(LEAST, SHARE * columns) / STEPS))
    return [size for size in range(step, STEPS * step + 1, step) if size <= columns]


def _cells(quick: bool) -> list[Settings]:
    """Draw by draw, so that a run that was stopped has some of every set."""
    return [
        {"data": data, "trial": trial}
        for trial in range(2 if quick else TRIALS)
        for data in (QUICK if quick else PRINTED)
    ]


def _compute(settings: Settings, means: Means) -> Numbers:
    data, trial = settings["data"], settings["trial"]
    problem = obtain(FILES.get(data, f"l1lsmi_{data}"), means.data_dir)
    X, y = sample(problem.X, np.asarray(problem.y), problem.task, trial)
    errors: dict[tuple[int, ...], float] = {}  # methods often choose the same
    sizes = sizes_of(X.shape[1])
    out: Numbers = {"sizes": sizes}
    for name in SHOWN:
        method = METHODS[name]
        if not serves(method, problem.task):
            continue
        if method in WITHOUT_EXCHANGES:
            method = variant(f"{method}:2013", method, improve=False)
        nested = get_method(method).nested_with(None, {})
        found: dict[int, tuple[int, ...]] = {}
        for k in sizes[-1:] if nested else sizes:
            chosen = ep.select(
                X, y, method=method, k=k, task=problem.task, random_state=trial, n_jobs=means.n_jobs
            ).indices.tolist()
            found |= {size: tuple(sorted(chosen[:size])) for size in (sizes if nested else [k])}
        for columns in found.values():
            if columns not in errors:
                errors[columns] = lowest_error(X[:, columns], y, problem.task)
        out[name] = [errors[found[size]] for size in sizes]
    return out


def _figures(found: Found) -> list[Figure]:
    single = [
        ({"data": settings["data"], "k": size, "method": name}, {"error": error})
        for settings, numbers in found
        for name in SHOWN
        if name in numbers
        for size, error in zip(numbers["sizes"], numbers[name], strict=True)
    ]
    return [
        Figure({"data": data, "k": k, "method": method}, mean, spread=spread)
        for (data, k, method), (mean, spread) in averaged(single, ("data", "k", "method"), "error").items()
    ]


FIGURE1 = PaperTable(
    "lsmi-figure1",
    "Figure 1: errors of support vector machines against the number of features",
    PAPER,
    _cells,
    _compute,
    _figures,
    across="method",
    alone=False,
    how="As table 7, 20 draws (with --quick 2, of wine and glass), k in five steps up to five features or a tenth of "
    "the columns. The figure prints no numbers.",
)
