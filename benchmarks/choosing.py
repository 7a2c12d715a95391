"""Which method for which table: mean rank of the cross-validated error over real data sets, kind by kind.

    python benchmarks/choosing.py --resume FOLDER > table.md

Both tables of docs/choosing.md: what to start with, and the ranks it follows from. Data sets come from the folder that
ENTROPICK_DATA names; one that is missing is left out and said. At most 500 rows and 1 000 columns of each are used,
drawn with a fixed seed: a quarter of an hour.
"""

from __future__ import annotations

import argparse
import sys
import time
import warnings
from itertools import takewhile
from pathlib import Path

import numpy as np
import pandas as pd
from measuring import table

import entropick as ep
from entropick.datasets.loaders import find

KINDS = {
    "few rows, many columns": ("colon_alon", "leukemia_golub", "dlbcl_shipp", "glioma", "nci60_islr"),
    "sensors and images": ("isolet", "coil20", "musk1", "pd_speech", "semeion"),
    "categories and counts": ("dna", "krvskp", "cnae9", "congress", "promoter"),
    "few columns": ("l1lsmi_segment", "l1lsmi_vehicle", "ionosphere", "german", "dermatology"),
    "a quantity to predict": ("bloodbrain", "geo_music", "friedman_c4_1000_100", "housing", "l1lsmi_triazines"),
}
METHODS = ("jmi", "mrmr", "cmim", "jmim", "disr", "mim", "fcbf", "gc.mi", "wilks", "gc.auto", "spec.cmi", "qpfs",
           "relieff", "fisher", "pearson", "lasso", "random")  # fmt: skip
# your table -> the kinds whose mean rank counts; for tables of any columns only methods that count levels
STARTS = {
    "anything: mixed columns, categories, gaps, or you do not know": tuple(KINDS),
    "few rows, thousands of columns": ("few rows, many columns",),
    "measurements: sensors, images, spectra": ("sensors and images",),
    "categories and counts": ("categories and counts",),
    "up to some thirty columns": ("few columns",),
    "a quantity to predict": ("a quantity to predict",),
}
ALONE_NOTHING = ("xor", "xor copies", "three-way")  # problems of `what-each-sees` in which no feature speaks alone
ROWS, COLUMNS, KS, SEED = 500, 1_000, (5, 10, 20), 0


def ranks(name: str, resume: Path, jobs: int) -> pd.Series:
    """Mean rank of each method, 1 the best, over numbers of features and classifiers."""
    X, y = drawn(name)
    task = "regression" if np.asarray(y).dtype.kind == "f" and len(np.unique(y)) > 20 else "classification"
    able = [m for m in METHODS if task in ep.methods().loc[m, "tasks"]]
    ks = [k for k in KS if k < X.shape[1]] or [max(1, X.shape[1] // 2)]
    found = ep.compare(
        X, y, able, k=ks, task=task, cv=5, repeats=1, random_state=SEED, n_jobs=jobs, resume=resume / name,
        estimators=["3-NN", "ridge"] if task == "regression" else ["3-NN", "linear SVM"],
    )  # fmt: skip
    curves = found.curves()
    return curves.groupby(["estimator", "k"])["mean"].rank().groupby(curves["method"]).mean()


def drawn(name: str) -> tuple[np.ndarray, np.ndarray]:
    problem = find(name)
    rng = np.random.default_rng(SEED)
    X, y = np.asarray(problem.X), np.asarray(problem.y)
    rows = np.sort(rng.choice(len(X), min(len(X), ROWS), replace=False))
    columns = np.sort(rng.choice(X.shape[1], min(X.shape[1], COLUMNS), replace=False))
    X, y = X[np.ix_(rows, columns)], y[rows]
    if y.dtype.kind != "f":
        _, at, counts = np.unique(y, return_inverse=True, return_counts=True)
        X, y = X[counts[at] >= 5], y[counts[at] >= 5]  # five folds
    return X, y


def starts(ranks: pd.DataFrame, sight: pd.DataFrame) -> list[list[str]]:
    """Rows of the decision table: the three methods of the least mean rank, with it; for interaction those that see it.

    ranks: methods × kinds. sight: methods × problems, the share of true features found.
    """
    known = ep.methods()
    counting = [name for name in ranks.index if known.loc[name, "family"] == "discrete"]
    rows = []
    for table_of, kinds in STARTS.items():
        able = ranks.loc[counting] if len(kinds) > 1 else ranks
        mean = able[list(kinds)].mean(axis=1).sort_values(kind="stable")
        rows.append([table_of, ", ".join(f"`{name}` {value:.1f}" for name, value in mean.head(3).items())])
    seeing = sight.index[(sight[list(ALONE_NOTHING)] >= 0.9).all(axis=1)]
    rows.append(["features that speak only in combination", ", ".join(f"`{name}`" for name in seeing)])
    return rows


def read_table(page: Path, first: str) -> pd.DataFrame:
    """The table of a Markdown page whose heading begins with `first`, as numbers; NaN for –."""
    lines = page.read_text("utf-8").splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith(first))
    cells = [[cell.strip(" *`") for cell in line.strip("|").split("|")] for line in takewhile(bool, lines[at:])]
    frame = pd.DataFrame(cells[2:], columns=cells[0]).set_index(cells[0][0]).apply(pd.to_numeric, errors="coerce")
    return frame.rename(columns=lambda name: name.partition(" (")[0])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--resume", type=Path, required=True)
    parser.add_argument("--jobs", type=int, default=-1)
    asked = parser.parse_args()
    shown, missing = {}, []
    for kind, names in KINDS.items():
        rows = []
        for name in names:
            start = time.monotonic()
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    rows.append(ranks(name, asked.resume, asked.jobs))
            except ep.EntropickError as error:
                missing.append(f"{name}: {error}")
            print(f"{kind}: {name} {time.monotonic() - start:.0f} s", file=sys.stderr, flush=True)
        shown[f"{kind} ({len(rows)} sets)"] = pd.concat(rows, axis=1).mean(axis=1) if rows else pd.Series(dtype=float)
    frame = pd.DataFrame(shown).reindex(METHODS)
    sight = read_table(Path(__file__).parent.parent / "docs" / "sight.md", "| method | linear")
    plain = frame.round(1).rename(columns=lambda name: name.partition(" (")[0])  # as printed, so that a test can follow
    print(table(["your table", "start with"], starts(plain, sight)), "\n")
    best = frame.le(frame.min() + 0.5)
    cells = [
        [
            f"`{m}`",
            *(
                ("**%.1f**" if best.loc[m, c] else "%.1f") % v if np.isfinite(v) else "–"
                for c, v in frame.loc[m].items()
            ),
        ]
        for m in METHODS
    ]
    print(table(["method", *frame.columns], cells))
    print("\n".join(missing))


if __name__ == "__main__":
    main()
