"""Which method for which table: accuracy on held-out rows, beside the selectors that people use instead.

    python benchmarks/choosing.py --resume trials.jsonl             # half an hour; what is there is not run again
    python benchmarks/choosing.py --resume trials.jsonl --splits 1  # one split of each set
    python benchmarks/choosing.py --resume trials.jsonl --write     # the tables into docs/choosing.md

Both tables of docs/choosing.md: what to start with, and the regrets it follows from. Data sets come from the folder
that ENTROPICK_DATA names; one that is missing is left out and said. Per set and split at most 600 rows and 1 000
columns, 60 % of the rows to learn from: features are chosen from them alone; a linear model, 5-NN and boosting learn
from the first 5, 10 and 20 of them and are tested on the other rows. Regret is what a method is below the best of all
in the same cell, in points of accuracy (of a quantity: of R², none below −1). The rivals need lightgbm, boruta and
mrmr_selection.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import warnings
from collections.abc import Callable, Collection
from itertools import takewhile
from pathlib import Path

import numpy as np
import pandas as pd
from measuring import table

import entropick as ep
from entropick.datasets.loaders import find

KINDS = {
    "few rows, many columns": ("colon_alon", "leukemia_golub", "dlbcl_shipp", "tissue_gene"),
    "sensors and images": ("sonar", "musk1", "semeion", "libras"),
    "categories and counts": ("dna", "krvskp", "promoter", "congress"),
    "few columns": ("ionosphere", "german", "dermatology", "l1lsmi_vehicle"),
    "a quantity to predict": ("bloodbrain", "geo_music", "housing", "friedman_c4_1000_100"),
}
METHODS = ("joint", "cmim", "jmi", "jmim", "mrmr", "disr", "mim", "fcbf", "cfs", "wilks", "gc.auto", "spec.cmi",
           "relieff", "lasso", "random")  # fmt: skip
STARTS = {
    "anything: mixed columns, categories, gaps, or you do not know": tuple(KINDS),
    "few rows, thousands of columns": ("few rows, many columns",),
    "measurements: sensors, images, spectra": ("sensors and images",),
    "categories and counts": ("categories and counts",),
    "up to some thirty columns": ("few columns",),
    "a quantity to predict": ("a quantity to predict",),
}
ALONE_NOTHING = ("xor", "xor copies", "three-way")  # problems of `what-each-sees` in which no feature speaks alone
ROWS, COLUMNS, KS = 600, 1_000, (5, 10, 20)

Chooser = Callable[[np.ndarray, np.ndarray, int, int], np.ndarray]


# -- rivals: (X, y, k, seed) -> columns in order ---------------------------------------------------------------


def quantity(y: np.ndarray) -> bool:
    return y.dtype.kind == "f"


def boosted(y: np.ndarray, seed: int, n: int = 100):
    import lightgbm

    kind = lightgbm.LGBMRegressor if quantity(y) else lightgbm.LGBMClassifier
    return kind(n_estimators=n, importance_type="gain", n_jobs=1, verbose=-1, random_state=seed)


def forest(y: np.ndarray, seed: int, **options):
    from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

    return (RandomForestRegressor if quantity(y) else RandomForestClassifier)(n_jobs=1, random_state=seed, **options)


def descending(scores: np.ndarray, k: int) -> np.ndarray:
    return np.argsort(-np.nan_to_num(scores), kind="stable")[:k]


def by_forest(X, y, k, seed):
    return descending(forest(y, seed, n_estimators=300).fit(X, y).feature_importances_, k)


def by_gain(X, y, k, seed):
    return descending(boosted(y, seed).fit(X, y).feature_importances_, k)


def by_shap(X, y, k, seed):
    model = boosted(y, seed).fit(X, y)
    values = np.abs(np.asarray(model.predict(X, pred_contrib=True))).mean(axis=0)
    return descending(values.reshape(-1, X.shape[1] + 1)[:, :-1].sum(axis=0), k)


def by_elimination(X, y, k, seed):
    """A fifth of what is left goes in each round."""
    left, gone = np.arange(X.shape[1]), []
    while len(left) > 1:
        worst = np.argsort(boosted(y, seed, 50).fit(X[:, left], y).feature_importances_, kind="stable")
        worst = worst[: max(1, len(left) // 5)]
        gone += left[worst].tolist()
        left = np.delete(left, worst)
    return np.array([*left, *gone[::-1]])[:k]


def by_rfecv(X, y, k, seed):
    """What cross-validation keeps by gain, then what was dropped last."""
    from sklearn.feature_selection import RFECV

    found = RFECV(boosted(y, seed, 50), step=0.1, cv=3, min_features_to_select=5).fit(X, y)
    gain = boosted(y, seed).fit(X, y).feature_importances_
    return np.lexsort((-gain, found.ranking_))[:k]


def by_boruta(X, y, k, seed):
    """Confirmed before tentative before rejected, each by importance in a forest."""
    from boruta import BorutaPy

    found = BorutaPy(forest(y, seed, max_depth=5), n_estimators=100, max_iter=20, random_state=seed).fit(X, y)
    return np.lexsort((-forest(y, seed, n_estimators=300).fit(X, y).feature_importances_, found.ranking_))[:k]


def by_mrmr_selection(X, y, k, seed):
    import mrmr

    choose = mrmr.mrmr_regression if quantity(y) else mrmr.mrmr_classif
    frame = pd.DataFrame(X, columns=[str(j) for j in range(X.shape[1])])
    found = [int(j) for j in choose(frame, pd.Series(y), K=min(k, X.shape[1]), n_jobs=1, show_progress=False)]
    return np.array(found + [j for j in range(X.shape[1]) if j not in found])[:k]


def by_f(X, y, k, seed):
    from sklearn.feature_selection import f_classif, f_regression

    return descending((f_regression if quantity(y) else f_classif)(X, y)[0], k)


def by_information(X, y, k, seed):
    from sklearn.feature_selection import mutual_info_classif, mutual_info_regression

    return descending((mutual_info_regression if quantity(y) else mutual_info_classif)(X, y, random_state=seed), k)


RIVALS: dict[str, Chooser] = {
    "random forest": by_forest,
    "LightGBM, gain": by_gain,
    "LightGBM, SHAP": by_shap,
    "LightGBM, RFE": by_elimination,
    "LightGBM, RFECV": by_rfecv,
    "Boruta": by_boruta,
    "mrmr_selection": by_mrmr_selection,
    "SelectKBest, F": by_f,
    "SelectKBest, mutual information": by_information,
}


def chooser(name: str) -> Chooser:
    if name in RIVALS:
        return RIVALS[name]
    return lambda X, y, k, seed: ep.select(X, y, method=name, k=k, random_state=seed, n_jobs=1).indices


# -- trials ----------------------------------------------------------------------------------------------------


def drawn(name: str, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Rows to learn from and rows to test on; what is missing is the column's median for all."""
    from sklearn.model_selection import train_test_split

    problem = find(name)
    X, y = np.asarray(problem.X, float), np.asarray(problem.y)
    random = np.random.default_rng(seed)
    X = X[:, np.sort(random.choice(X.shape[1], min(X.shape[1], COLUMNS), replace=False))]
    rows = np.sort(random.choice(len(X), min(len(X), ROWS), replace=False))
    X, y = X[rows], y[rows]
    X = np.where(np.isfinite(X), X, np.nan_to_num(np.nanmedian(X, axis=0)))
    if not quantity(y):
        _, y, counts = np.unique(y, return_inverse=True, return_counts=True)
        X, y = X[counts[y] >= 6], np.unique(y[counts[y] >= 6], return_inverse=True)[1]
    learn, test = train_test_split(
        np.arange(len(y)), train_size=0.6, stratify=None if quantity(y) else y, random_state=seed
    )
    return X[learn], y[learn], X[test], y[test]


def scores(X, y, X_test, y_test, seed: int) -> list[float]:
    """Accuracy, or R², of a linear model, 5-NN and boosting; points."""
    from sklearn.linear_model import LogisticRegression, Ridge
    from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
    from sklearn.preprocessing import StandardScaler

    scale = StandardScaler().fit(X)
    A, B = scale.transform(X), np.clip(scale.transform(X_test), -10, 10)
    linear, near = (
        (Ridge(), KNeighborsRegressor(5))
        if quantity(y)
        else (LogisticRegression(max_iter=300), KNeighborsClassifier(5))
    )
    trees = boosted(y, seed, 60).set_params(num_leaves=7, min_child_samples=5)
    found = linear.fit(A, y).score(B, y_test), near.fit(A, y).score(B, y_test), trees.fit(X, y).score(X_test, y_test)
    return [100 * max(-1.0, float(one)) for one in found]


def trial(name: str, seed: int, method: str) -> dict[str, list[float]]:
    X, y, X_test, y_test = drawn(name, seed)
    ks = [k for k in KS if k < 0.8 * X.shape[1]]
    choose = chooser(method)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        order = choose(X, y, max(ks), seed)
        return {str(k): scores(X[:, order[:k]], y, X_test[:, order[:k]], y_test, seed) for k in ks}


def trials(path: Path, splits: int, sets: Collection[str]) -> tuple[pd.DataFrame, list[str]]:
    """A row for each set, split, size and model with the score of each method; and what could not be run."""
    done = [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []
    known = {(one["set"], one["split"], one["method"]): one["points"] for one in done}
    missing = []
    for kind, names in KINDS.items():
        for name in [name for name in names if name in sets]:
            start = time.monotonic()
            for seed in range(splits):
                for method in (*METHODS, *RIVALS):
                    if (name, seed, method) in known:
                        continue
                    try:
                        points = trial(name, seed, method)
                    except (ep.EntropickError, ImportError) as error:
                        missing.append(f"{name}, {method}: {error}")
                        points = {}
                    known[name, seed, method] = points
                    with path.open("a", encoding="utf-8") as file:
                        file.write(json.dumps({"set": name, "split": seed, "method": method, "points": points}) + "\n")
            print(f"{kind}: {name} {time.monotonic() - start:.0f} s", file=sys.stderr, flush=True)
    cells = [
        (name, seed, int(k), model, method, value)
        for (name, seed, method), points in known.items()
        for k, values in points.items()
        for model, value in enumerate(values)
    ]
    frame = pd.DataFrame(cells, columns=["set", "split", "k", "model", "method", "points"])
    return frame.pivot_table(index=["set", "split", "k", "model"], columns="method", values="points"), missing


def regrets(points: pd.DataFrame) -> pd.DataFrame:
    """Methods × kinds: mean points below the best of all, a set counting as much as another."""
    lost = points.rsub(points.max(axis=1), axis=0).groupby("set").mean()
    kinds = {
        f"{kind} ({lost.index.isin(names).sum()} sets)": lost[lost.index.isin(names)].mean()
        for kind, names in KINDS.items()
    }
    frame = pd.DataFrame(kinds)
    return frame.assign(mean=frame.mean(axis=1)).sort_values("mean", kind="stable")


# -- tables ----------------------------------------------------------------------------------------------------


def starts(regret: pd.DataFrame, sight: pd.DataFrame) -> list[list[str]]:
    """Rows of the decision table: our three methods of the least regret, with it; for interaction those that see it.

    regret: methods × kinds, as printed. sight: methods × problems, the share of true features found.
    """
    ours = regret[[name in set(METHODS) for name in regret.index]]
    rows = []
    for table_of, kinds in STARTS.items():
        mean = ours[list(kinds)].mean(axis=1).dropna().sort_values(kind="stable")
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


def shown(value: float, bold: bool) -> str:
    if not np.isfinite(value):
        return "–"
    return f"**{value:.1f}**" if bold else f"{value:.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--resume", type=Path, required=True)
    parser.add_argument("--splits", type=int, default=2)
    parser.add_argument("--sets", nargs="*", default=[name for names in KINDS.values() for name in names])
    parser.add_argument("--write", action="store_true", help="put the tables into docs/choosing.md")
    asked = parser.parse_args()
    points, missing = trials(asked.resume, asked.splits, asked.sets)
    frame = regrets(points).round(1)
    docs = Path(__file__).parent.parent / "docs"
    sight = read_table(docs / "sight.md", "| method | linear")
    plain = frame.rename(columns=lambda name: name.partition(" (")[0])  # as printed, so that a test can follow
    best = frame.le(frame.min() + 0.5)
    cells = [[f"`{m}`" if m in METHODS else m, *map(shown, frame.loc[m], best.loc[m])] for m in frame.index]
    made = {
        "| your table": table(["your table", "start with"], starts(plain, sight)),
        "| method | few rows": table(["method", *frame.columns], cells),
    }
    print("\n\n".join(made.values()), *missing, sep="\n")
    if asked.write:
        page = docs / "choosing.md"
        text = page.read_text("utf-8")
        for first, lines in made.items():
            start = text.index(first)
            text = text[:start] + lines.strip("\n") + text[text.index("\n\n", start) :]
        page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
