"""`ep.benchmark` on eight tables with twelve selectors, ours and foreign: one command, one page with the diagram.

    ENTROPICK_DATA=FOLDER python benchmarks/twelve.py [--page benchmark.html] [--repeats 1] [--jobs 2]

Tables that are not in the folder are left out; scikit-learn's three are always there.
"""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits, load_wine

import entropick as ep

OURS = ["joint", "jmi", "mrmr", "cmim", "gc.mi", "spec.cmi", "relieff"]
FOREIGN = ["SelectKBest.f", "SelectKBest.mi", "forest", "rfe", "permutation_importance"]
FILES = ("ionosphere", "sonar", "vehicle", "spambase", "parkinsons")
MOST = 2000  # rows of a table


def tables() -> dict[str, Any]:
    """name -> (X, y), rows beyond `MOST` left out by a draw."""
    found = {
        "cells": load_breast_cancer(return_X_y=True),
        "wine": load_wine(return_X_y=True),
        "digits": load_digits(return_X_y=True),
    }
    folder = Path(os.environ.get("ENTROPICK_DATA", ""))
    for name in FILES:
        if (folder / f"{name}.npz").is_file():
            with np.load(folder / f"{name}.npz", allow_pickle=False) as file:
                found[name] = (file["X"].astype(float), file["y"])
    rng = np.random.default_rng(0)
    for name, (X, y) in found.items():
        rows = np.sort(rng.choice(len(y), min(MOST, len(y)), replace=False))
        found[name] = (X[rows], y[rows])
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--page", default="benchmark.html")
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    asked = parser.parse_args()
    begin = time.perf_counter()
    found = ep.benchmark(
        tables(), OURS + FOREIGN, k=[5, 10], cv=5, repeats=asked.repeats, n_jobs=asked.jobs, random_state=0,
        estimators=["3-NN", "linear SVM"],
    )  # fmt: skip
    found.report(asked.page)
    print(found.ranks().round(2).to_string(index=False))
    print(found)
    print(f"{len(found.comparisons)} tables, {len(found.methods)} selectors: {time.perf_counter() - begin:.0f} s")


if __name__ == "__main__":
    main()
