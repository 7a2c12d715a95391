"""Vinh et al., KDD 2014, figure 2: thousands of classes, nearest class mean, with and without Nyström's sampling.

The paper's handwritten Chinese characters are not to be had here; the classes are generated: features come in fours
that share what they say about the class and most of their noise, and differ in how clearly they say it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

import entropick as ep

from .paper_table import Figure, Found, Means, Numbers, PaperTable, Settings
from .variants import variant
from .vinh import PAPER

METHODS: dict[str, tuple[str, float | None]] = {
    "MRMR": ("mrmr", None),
    "EMRMR": ("jmi", None),
    "QPFS": ("qpfs", None),
    "QPFS+Nyström, γ = 0.2": ("qpfs", 0.2),
    "SPEC_CMI": ("spec.cmi", None),
    "SPEC_CMI+Nyström, γ = 0.1": ("spec.cmi", 0.1),
    "SPEC_CMI+Nyström, γ = 0.2": ("spec.cmi", 0.2),
    "SPEC_CMI+Nyström, γ = 0.5": ("spec.cmi", 0.5),
}
BINS = 10
HIDDEN, COPIES = 24, 4  # dimensions in which the class means differ; features that share one direction
NOISE, OWN = np.float32(2.0), np.float32(1.4)  # of a group, and of a single feature
Split = tuple[NDArray[np.float32], NDArray[np.intp], NDArray[np.float32], NDArray[np.intp]]


def writer(classes: int, features: int) -> Callable[[NDArray[np.intp]], NDArray[np.float32]]:
    """Draws rows of given classes, (n,) -> (n, features); always the same rows in turn."""
    random = np.random.default_rng(0)
    groups = features // COPIES
    mixing = random.standard_normal((HIDDEN, groups)) * (random.random((HIDDEN, groups)) < 0.3)
    centres = (random.standard_normal((classes, HIDDEN)) @ mixing).astype(np.float32)
    clear = random.uniform(0.5, 1.5, features).astype(np.float32)
    group = np.arange(features) % groups

    def drawn(y: NDArray[np.intp]) -> NDArray[np.float32]:
        shared = centres[y] + NOISE * random.standard_normal((len(y), groups), dtype=np.float32)
        return shared[:, group] * clear + OWN * random.standard_normal((len(y), features), dtype=np.float32)

    return drawn


@lru_cache(maxsize=1)
def characters(classes: int, train: int, test: int, features: int) -> Split:
    """X, y to select and learn from, and X, y to test on: so many rows of each class."""
    drawn = writer(classes, features)
    y, y_test = (np.repeat(np.arange(classes), rows) for rows in (train, test))
    return drawn(y), y, drawn(y_test), y_test


def class_mean_error(split: Split, columns: NDArray[np.intp]) -> float:
    """Error in % of the nearest class mean on these columns."""
    X, y, X_test, y_test = split
    counts = np.bincount(y)
    means = np.zeros((len(counts), len(columns)))
    np.add.at(means, y, X[:, columns])
    means /= counts[:, None]
    wrong = 0
    for start in range(0, len(y_test), 2000):
        rows = X_test[start : start + 2000, columns].astype(np.float64)
        nearest = np.argmin((means**2).sum(axis=1) - 2 * rows @ means.T, axis=1)
        wrong += int(np.sum(nearest != y_test[start : start + 2000]))
    return 100.0 * wrong / len(y_test)


def _cells(quick: bool) -> list[Settings]:
    shape = (
        {"classes": 200, "train": 300, "test": 20, "features": 48}
        if quick
        else {"classes": 2000, "train": 300, "test": 20, "features": 256}
    )
    return [{"method": name, **shape} for name in METHODS]


def _compute(settings: Settings, means: Means) -> Numbers:
    split = characters(*(settings[name] for name in ("classes", "train", "test", "features")))
    method, share = METHODS[settings["method"]]
    if share is not None:
        method = variant(f"{method}:nystrom={share:g}", method, nystrom=share)
    most = min(200, settings["features"])
    start = time.perf_counter()
    chosen = ep.select(
        split[0], split[1], method=method, k=most, task="classification", discretizer=BINS, random_state=0,
        n_jobs=means.n_jobs,
    ).indices  # fmt: skip
    seconds = time.perf_counter() - start
    sizes = [size for size in (10, 25, 50, 100, 150, 200) if size <= most]
    return {"seconds": seconds, "sizes": sizes, "errors": [class_mean_error(split, chosen[:size]) for size in sizes]}


def _figures(found: Found) -> list[Figure]:
    return [
        Figure({"features": size, "method": settings["method"]}, error)
        for settings, numbers in found
        for size, error in zip(numbers["sizes"], numbers["errors"], strict=True)
    ] + [
        Figure({"features": "seconds", "method": settings["method"]}, numbers["seconds"]) for settings, numbers in found
    ]


FIGURE2 = PaperTable(
    "vinh-figure2",
    "Figure 2: error of the nearest class mean with thousands of classes, in %, and seconds of the selection",
    PAPER,
    _cells,
    _compute,
    _figures,
    across="features",
    digits=1,
    how="Generated: 2 000 classes × 300 rows × 256 features (the paper: 3 740 × about 330 × 512, real characters; with "
    "--quick 200 × 300 × 48), 10 equal-frequency bins. The paper's figure prints no numbers.",
    why="At its true size, 1 201 600 rows × 512 features × 3 755 classes, generated in blocks and never held together, "
    "SPEC_CMI with Nyström's γ = 0.2 and memory='1GB' takes 116 s of processor time, generating the rows twice "
    "included; 6.7 minutes with 28 % of a core. The peak is 3.05 GiB, of which 2.3 are mapped pages of the rows, which "
    "it keeps in a file to read them again; with 150 200 rows it is 0.84 GiB (`python benchmarks/characters.py`).",
)
