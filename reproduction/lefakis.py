"""Lefakis & Fleuret, AISTATS 2014: the Gaussian compromise drawn (figure 1), and the time of a selection (table 2)."""

from __future__ import annotations

import math
import time

import numpy as np
from numpy.typing import NDArray

import entropick as ep

from .paper_table import Figure, Found, Means, Numbers, PaperTable, Settings

PAPER = "Lefakis & Fleuret, Jointly Informative Feature Selection, AISTATS 2014"
HALF_LOG_2PIE = 0.5 * math.log(2 * math.pi * math.e)


# -- figure 1: two normal laws of variance 1, their means apart by a gap ------------------------------------

ROWS = 20_000


def mixture_entropy(gap: float) -> float:
    """−∫ f log f for f = ½ N(−gap/2, 1) + ½ N(gap/2, 1), nats, by quadrature."""
    from scipy.integrate import quad

    def integrand(x: float) -> float:
        a, b = (-0.5 * (x - sign * gap / 2) ** 2 - 0.5 * math.log(2 * math.pi) for sign in (-1, 1))
        log_f = np.logaddexp(a, b) - math.log(2)
        return float(-np.exp(log_f) * log_f)

    return 2 * quad(integrand, 0, gap / 2 + 10, limit=200)[0]


def compromise(gap: float) -> float:
    """gc.mi of two classes with exactly these means and variances, plus the entropy within the classes, nats."""
    y = np.repeat([0, 1], ROWS // 2)
    around = np.where(np.arange(ROWS) % 2 == 0, 1.0, -1.0)  # mean 0 and variance 1 in either class
    x = around + gap * (y - 0.5)
    return float(ep.select(x[:, None], y, method="gc.mi", k=1).scores[0]) + HALF_LOG_2PIE


def _cells_figure1(quick: bool) -> list[Settings]:
    return [{"gap": round(gap, 2)} for gap in np.linspace(0.0, 8.0, 9 if quick else 41).tolist()]


def _compute_figure1(settings: Settings, means: Means) -> Numbers:
    gap = settings["gap"]
    return {
        "mixture, by quadrature": mixture_entropy(gap),
        "Gaussian fitted to the mixture": HALF_LOG_2PIE + 0.5 * math.log1p(gap**2 / 4),
        "limit, components far apart": HALF_LOG_2PIE + math.log(2),
        "Gaussian compromise": compromise(gap),
    }


def _figures_figure1(found: Found) -> list[Figure]:
    out = []
    for settings, numbers in found:
        _, fitted, limit, _ = numbers.values()
        for curve, value in numbers.items():
            # the red curve is by definition the lesser of the blue and the black one
            paper = min(fitted, limit) if curve == "Gaussian compromise" else math.nan
            out.append(Figure({"difference of the means": settings["gap"], "curve": curve}, value, paper))
    return out


FIGURE1 = PaperTable(
    "lefakis-figure1",
    "Figure 1: entropy of a mixture of two normal laws, and what stands in for it",
    PAPER,
    _cells_figure1,
    _compute_figure1,
    _figures_figure1,
    across="curve",
    unit="nats",
    digits=4,
    how="The compromise is the score of `gc.mi` on rows with exactly these means and variances; beside it the paper's "
    "definition, the lesser of the fitted and the limit entropy. The figure prints no numbers.",
)


# -- table 2: time of selecting 100 features, as a ratio to mRMR in the same run ----------------------------

METHODS = {
    "FCBF": "fcbf",
    "MRMR": "mrmr",
    "SBMLR": "sbmlr",
    "Spec. Clus.": "qalpha",
    "CFS": "cfs",
    "CMTF": "cmtf",
    "Relieff": "relieff",
    "GC.E": "gc.e",
    "GC.MI": "gc.mi",
    "GKL.E": "gkl.e",
    "GKL.MI": "gkl.mi",
}
SHAPES = {"CIFAR": (50_000, 2_048, 10), "STL": (5_000, 4_096, 10), "INRIA": (12_180, 3_780, 2)}
SECONDS = {
    "CIFAR": (621, 901, 1449, 1379, 4262, 394, 1652, 79, 20, 486, 483),
    "STL": (68, 207, 1002, 367, 409, 208, 2089, 23, 5, 887, 856),
    "INRIA": (247, 579, 88, 1072, 2516, 459, 2413, 43, 43, 135, 131),
}
SELECTED = 100
FACTORS = 20
SMALLER = (10, 8)  # rows and features are divided by these with --quick


def generated(rows: int, features: int, classes: int, seed: int = 0) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Correlated columns, some of whose means differ by class: common factors, and noise of one's own."""
    random = np.random.default_rng(seed)

    def normal(*shape: int) -> NDArray[np.float32]:
        return random.standard_normal(shape, dtype=np.float32)

    y = random.integers(0, classes, rows)
    shifts = normal(classes, features) * random.gamma(0.3, 0.5, features).astype(np.float32)
    X = normal(rows, FACTORS) @ (normal(FACTORS, features) * np.float32(0.25))
    X += normal(rows, features) + shifts[y]
    return X, y


def _cells2(quick: bool) -> list[Settings]:
    by = SMALLER if quick else (1, 1)
    return [
        {"data": data, "method": method, "rows": rows // by[0], "features": features // by[1], "classes": classes}
        for data, (rows, features, classes) in SHAPES.items()
        for method in METHODS
    ]


def _compute2(settings: Settings, means: Means) -> Numbers:
    """Seconds of the method and of mRMR, one after the other on the same rows; compiling is not counted."""

    def seconds(method: str, X: NDArray[np.float32], y: NDArray[np.int64]) -> float:
        start = time.perf_counter()
        ep.select(X, y, method=METHODS[method], k=min(SELECTED, X.shape[1] // 2), random_state=0, n_jobs=means.n_jobs)
        return time.perf_counter() - start

    warm = generated(300, 40, settings["classes"])
    X, y = generated(settings["rows"], settings["features"], settings["classes"])
    taken = {}
    for method in ("MRMR", settings["method"]):
        seconds(method, *warm)
        taken[method] = seconds(method, X, y)
    return {"seconds": taken[settings["method"]], "mrmr": taken["MRMR"]}


def _figures2(found: Found) -> list[Figure]:
    out = []
    for settings, numbers in found:
        printed = dict(zip(METHODS, SECONDS[settings["data"]], strict=True))
        paper = printed[settings["method"]] / printed["MRMR"]
        labels = {"shape of": settings["data"], "rows × features": f"{settings['rows']} × {settings['features']}"}
        out.append(Figure({**labels, "method": settings["method"]}, numbers["seconds"] / numbers["mrmr"], paper))
        if settings["method"] == "MRMR":
            out.append(Figure({**labels, "method": "MRMR, s"}, numbers["mrmr"]))
    return out


TABLE2 = PaperTable(
    "lefakis-table2",
    "Table 2: time of selecting 100 features, as a ratio to MRMR in the same run",
    PAPER,
    _cells2,
    _compute2,
    _figures2,
    across="method",
    how="Generated data of the paper's three shapes (with --quick a tenth of the rows and an eighth of the features). "
    "Spec. Clus. is Wolf & Shashua's Q-α, `qalpha`.",
    why="Ratios of programs: the paper's are in C++, Java and Matlab, ours are all of one library. mRMR counts packed "
    "levels here, in seconds (in print 901, 207 and 579), so that most ratios to it are above the paper's.",
)
