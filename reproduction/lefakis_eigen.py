"""Lefakis, slides of the JMLR 2016 version: the eigensystem updated or from scratch, and how many samples it needs."""

from __future__ import annotations

import copy
import time

import numpy as np
from numpy.typing import NDArray

from entropick.threads import library_threads

from .paper_table import Means, Numbers, PaperTable, Settings, every_number

PAPER = "Lefakis, Information Theory and Feature Selection (slides; Lefakis & Fleuret, JMLR 2016)"
REPEATS = 15


def covariance(size: int, seed: int) -> NDArray[np.float64]:
    """A correlation matrix of correlated columns: 3 · size rows of five factors and noise."""
    random = np.random.default_rng(seed)
    rows = random.standard_normal((3 * size, 5)) @ random.standard_normal((5, size))
    return np.corrcoef(rows + random.standard_normal(rows.shape), rowvar=False).reshape(size, size)


def _cells_update(quick: bool) -> list[Settings]:
    return [{"size": size} for size in ((25, 50, 100) if quick else (25, 50, 100, 200, 400))]


def _compute_update(settings: Settings, means: Means) -> Numbers:
    """A system grown row by row to ``size``: the time of the last step, and how far it is from one made at once."""
    from entropick.measures.gaussian.eigensystem import EigenSystem

    size = settings["size"]
    matrix = covariance(size, 0)
    system = before = EigenSystem()
    update, scratch = [], []
    with library_threads(1):  # a second thread that has to wait for a busy core slows LAPACK most
        for k in range(size - 1):
            before.append(matrix[:k, k], matrix[k, k])
        for _ in range(REPEATS):
            system = copy.copy(before)  # append leaves the arrays alone
            start = time.perf_counter()
            system.append(matrix[:-1, -1], matrix[-1, -1])
            update.append(time.perf_counter() - start)
            start = time.perf_counter()
            np.linalg.eigh(matrix)
            scratch.append(time.perf_counter() - start)
    exact = np.linalg.eigvalsh(matrix)
    return {
        "update, ms": 1e3 * min(update),
        "scratch, ms": 1e3 * min(scratch),
        "scratch ÷ update": min(scratch) / min(update),
        "error of eigenvalues ÷ largest": float(np.abs(system.values - exact).max() / exact[-1]),
        "‖UᵀU − I‖": float(np.abs(system.vectors.T @ system.vectors - np.eye(size)).max()),
        "‖UΛUᵀ − Σ‖": float(np.abs((system.vectors * system.values) @ system.vectors.T - matrix).max()),
    }


UPDATE = PaperTable(
    "lefakis-eigensystem",
    "Eigensystem of a growing covariance: updated against made from scratch",
    PAPER,
    _cells_update,
    _compute_update,
    every_number("figure", size="size"),
    protocol=2,
    across="figure",
    digits=3,
    how="Grown from one row to `size`; times are of the last step on one thread, the best of 15. Errors are of the "
    "system after all updates. The slides print no numbers.",
    why="Errors stay at rounding, and the update is ahead of scratch in time, as in the slides. By a constant factor: "
    "its roots cost O(k²), but the product of eigenvectors is O(k³) like LAPACK's work, and at 400 rows the most of "
    "it.",
)


# -- how many samples: conditioning of the estimated covariance ----------------------------------------------

DIMENSION = 2048


def _cells_samples(quick: bool) -> list[Settings]:
    size = 256 if quick else DIMENSION
    return [{"size": size, "per": per, "rows": int(per * size)} for per in (1.05, 1.25, 1.5, 2, 3, 5, 10, 20)]


def _compute_samples(settings: Settings, means: Means) -> Numbers:
    """κ of the estimate from so many rows of a law whose κ is known, and the error of the estimate."""
    random = np.random.default_rng(0)
    size = settings["size"]
    scale = np.geomspace(1.0, 0.1, size)  # standard deviations: κ = 100 for the law itself
    rows = random.standard_normal((settings["rows"], size)) * scale
    estimate = rows.T @ rows / len(rows)
    values = np.linalg.eigvalsh(estimate)
    return {
        "κ of the estimate": float(values[-1] / values[0]),
        "κ of the law": 100.0,
        "‖Σ̂ − Σ‖ ÷ ‖Σ‖": float(np.linalg.norm(estimate - np.diag(scale**2), 2)),
    }


SAMPLES = PaperTable(
    "lefakis-conditioning",
    "Conditioning of an estimated covariance, by the number of samples",
    PAPER,
    _cells_samples,
    _compute_samples,
    every_number("figure", rows_per_feature="per", rows="rows"),
    across="figure",
    how="d = 2 048 as in the slides (256 with --quick), normal rows with standard deviations from 1 to 0.1. The slides "
    "show a figure of κ, no numbers.",
    why="With n = d · c rows κ grows by about ((√c + 1)/(√c − 1))² for equal variances (Marchenko & Pastur): it is not "
    "the estimate but its inverse that needs many rows.",
)
