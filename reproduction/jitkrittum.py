"""Jitkrittum, Hachiya & Sugiyama, IEICE 2013: F-measures on toy data (table 4), LSMI of all subsets (table 5)."""

from __future__ import annotations

from itertools import combinations

import numpy as np

import entropick as ep
from entropick.datasets import and_or, quad, xor

from .paper_table import Figure, Found, Means, Numbers, PaperTable, Settings, averaged
from .variants import serves

PAPER = "Jitkrittum et al., Feature Selection via ℓ1-Penalized Squared-Loss Mutual Information, IEICE 2013"
SAMPLES = 400
DATA = {"and-or": and_or, "quad": quad, "xor": xor}

# method -> (name in the paper, mean F on and-or, quad, xor)
PRINTED = {
    "pearson": ("PC", (0.25, 0.57, 0.25)),
    "hsic.forward": ("F-HSIC", (0.25, 0.95, 0.52)),
    "lsmi.forward": ("F-LSMI", (0.57, 1.00, 0.53)),
    "hsic.backward": ("B-HSIC", (0.25, 0.95, 1.00)),
    "lsmi.backward": ("B-LSMI", (0.85, 1.00, 1.00)),
    "hsic.l1": ("ℓ1-HSIC", (0.25, 0.64, 1.00)),
    "lsmi.l1": ("ℓ1-LSMI", (1.00, 1.00, 1.00)),
    "mrmr": ("mRMR", (0.25, 1.00, 0.28)),
    "qpfs.correlation": ("QPFS", (0.41, 0.64, 0.25)),
    "lasso": ("Lasso", (0.21, 0.66, 0.26)),
    "relieff": ("Relief", (0.55, 1.00, 1.00)),
}

# the four-feature subsets of X1 … X4, X8 … X10 as printed: 34 of the 35, {1, 4, 8, 10} is missing there
PRINTED_SUBSETS = {
    (1, 2, 3, 4): 0.496, (1, 2, 3, 8): 0.365, (1, 2, 3, 9): 0.381, (1, 2, 3, 10): 0.357, (1, 2, 4, 8): 0.376,
    (1, 2, 4, 9): 0.384, (1, 2, 4, 10): 0.372, (1, 2, 8, 9): 0.346, (1, 2, 8, 10): 0.330, (1, 2, 9, 10): 0.336,
    (1, 3, 4, 8): 0.382, (1, 3, 4, 9): 0.376, (1, 3, 4, 10): 0.392, (1, 3, 8, 9): 0.325, (1, 3, 8, 10): 0.330,
    (1, 3, 9, 10): 0.333, (1, 4, 8, 9): 0.342, (1, 4, 9, 10): 0.341, (2, 3, 4, 8): 0.367, (2, 3, 4, 9): 0.382,
    (2, 3, 4, 10): 0.390, (2, 3, 8, 9): 0.341, (2, 3, 8, 10): 0.312, (2, 3, 9, 10): 0.322, (2, 4, 8, 9): 0.340,
    (2, 4, 8, 10): 0.328, (2, 4, 9, 10): 0.328, (3, 4, 8, 9): 0.356, (3, 4, 8, 10): 0.349, (3, 4, 9, 10): 0.353,
    (1, 8, 9, 10): 0.330, (2, 8, 9, 10): 0.334, (3, 8, 9, 10): 0.303, (4, 8, 9, 10): 0.335,
}  # fmt: skip


# -- table 4 ------------------------------------------------------------------------------------------------


def _cells4(quick: bool) -> list[Settings]:
    trials = 2 if quick else 50
    return [{"data": d, "method": m, "trial": t, "n": SAMPLES} for d in DATA for m in PRINTED for t in range(trials)]


def _compute4(settings: Settings, means: Means) -> Numbers:
    """The F-measure of one method on one draw; the trial is the seed of both."""
    method, trial = settings["method"], settings["trial"]
    problem = DATA[settings["data"]](settings["n"], random_state=trial)
    if not serves(method, problem.task):
        return {"f": None}
    chosen = ep.select(
        problem.X, problem.y, method=method, k=len(problem.informative), task=problem.task, random_state=trial,
        n_jobs=means.n_jobs,
    )  # fmt: skip
    return {"f": problem.f_measure(chosen.indices)}


def _figures4(found: Found) -> list[Figure]:
    out = []
    for (data, method), (mean, spread) in averaged(found, ("data", "method"), "f").items():
        name, printed = PRINTED[method]
        out.append(Figure({"data": data, "method": name}, mean, printed[list(DATA).index(data)], spread))
    return out


TABLE4 = PaperTable(
    "lsmi-table4",
    "Table 4: F-measure on and-or, quad and xor",
    PAPER,
    _cells4,
    _compute4,
    _figures4,
    across="data",
    alone=False,
    how="50 draws of 400 rows (2 with --quick), as many features as are true. QPFS by correlation, as there.",
    why="ReliefF here is RReliefF for the regression problem, and takes all rows as seeds.",
)


# -- table 5 ------------------------------------------------------------------------------------------------


def _cells5(quick: bool) -> list[Settings]:
    return [{"n": SAMPLES, "seed": 0}]


def _compute5(settings: Settings, means: Means) -> Numbers:
    """LSMI of the 35 four-feature subsets of X1 … X4, X8 … X10 in one draw of and-or."""
    from entropick.measures.kernel.lsmi import LSMI
    from entropick.statistics.rows import RowStatistics

    problem = and_or(settings["n"], random_state=settings["seed"])
    measure = LSMI(RowStatistics(problem.X, problem.y, 2), random=np.random.default_rng(settings["seed"]))
    subsets = combinations((1, 2, 3, 4, 8, 9, 10), 4)
    return {" ".join(map(str, s)): measure.value_of([number - 1 for number in s]) for s in subsets}


def _figures5(found: Found) -> list[Figure]:
    ((_, values),) = found
    ordered = sorted(values.items(), key=lambda item: -item[1])
    printed = {" ".join(map(str, subset)): value for subset, value in PRINTED_SUBSETS.items()}
    return [Figure({"features": names}, value, printed.get(names, np.nan)) for names, value in ordered]


TABLE5 = PaperTable(
    "lsmi-table5",
    "Table 5: LSMI of the four-feature subsets of and-or",
    PAPER,
    _cells5,
    _compute5,
    _figures5,
    digits=3,
    why="One draw of 400 rows each, and not the same; the paper leaves out {1, 4, 8, 10}.",
)
