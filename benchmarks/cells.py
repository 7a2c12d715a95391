"""Panels of genes: how well unseen cells are told apart by the first 5, 10, 20, 50 genes.

python benchmarks/cells.py                      # scanpy's pbmc68k_reduced: 700 cells, the 765 genes of raw, 10 types
python benchmarks/cells.py joint balanced jmi   # some ways only
python benchmarks/cells.py --splits 10 14       # these splits instead of 0 to 4

Needs scanpy and lightgbm. A split keeps 40 % of the cells of every type away; genes are chosen from the others;
logistic regression, 5-NN and LightGBM learn from them. Printed are the means over splits and models, in percent:
accuracy, then balanced accuracy.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable

import numpy as np
import pandas as pd

import entropick as ep

SIZES = (5, 10, 20, 50)


def cells() -> tuple[np.ndarray, np.ndarray, list[str]]:
    """(cells, genes) of `raw`, the type of each cell, and the names of the genes."""
    import scanpy

    data = scanpy.datasets.pbmc68k_reduced()
    return (
        data.raw.X.toarray().astype(np.float64),
        np.asarray(data.obs["bulk_labels"].astype(str)),
        [*data.raw.var_names],
    )


# -- ways to choose: (X, y) -> column numbers, the best first -------------------------------------------------


def entropick(method: str, **settings: object) -> Callable[[np.ndarray, np.ndarray], list[int]]:
    return lambda X, y: ep.select(X, y, method=method, k=SIZES[-1], **settings).indices.tolist()


def wilcoxon_in_turn(X: np.ndarray, y: np.ndarray) -> list[int]:
    """scanpy's markers by Wilcoxon's rank sum of each type against all others, in turn, the largest type first."""
    import anndata
    import scanpy

    data = anndata.AnnData(X, obs=pd.DataFrame({"type": pd.Categorical(y)}, index=[str(i) for i in range(len(y))]))
    scanpy.tl.rank_genes_groups(data, "type", method="wilcoxon")
    names = data.uns["rank_genes_groups"]["names"]
    types, counts = np.unique(y, return_counts=True)
    order = [str(types[t]) for t in np.argsort(-counts, kind="stable")]
    return list(dict.fromkeys(int(names[t][place]) for place in range(X.shape[1]) for t in order))


def boosting_gain(X: np.ndarray, y: np.ndarray) -> list[int]:
    from lightgbm import LGBMClassifier

    model = LGBMClassifier(n_estimators=100, importance_type="gain", random_state=0, n_jobs=1, verbose=-1)
    return np.argsort(-model.fit(X, y).feature_importances_, kind="stable").tolist()


WAYS: dict[str, Callable[[np.ndarray, np.ndarray], list[int]]] = {
    "joint": entropick("joint"),
    "balanced": entropick("joint", class_weight="balanced"),
    "jmi": entropick("jmi"),
    "Wilcoxon": wilcoxon_in_turn,
    "LightGBM": boosting_gain,
    "all genes": lambda X, y: list(range(X.shape[1])),
}


# -- judging -------------------------------------------------------------------------------------------------


def judged(X: np.ndarray, y: np.ndarray, new_X: np.ndarray, new_y: np.ndarray) -> np.ndarray:
    """(models, 2) accuracy and balanced accuracy on new cells."""
    from lightgbm import LGBMClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import accuracy_score, balanced_accuracy_score
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.preprocessing import StandardScaler

    scale = StandardScaler().fit(X)
    A, B = scale.transform(X), np.clip(scale.transform(new_X), -10, 10)
    models = (
        LogisticRegression(max_iter=200),
        KNeighborsClassifier(5),
        LGBMClassifier(n_estimators=60, num_leaves=7, min_child_samples=5, n_jobs=1, verbose=-1),
    )
    said = [model.fit(A, y).predict(B) for model in models]
    return np.array([[accuracy_score(new_y, s), balanced_accuracy_score(new_y, s)] for s in said])


def main() -> None:
    from sklearn.model_selection import train_test_split

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ways", nargs="*", metavar="WAY", help=", ".join(WAYS))
    parser.add_argument("--splits", nargs=2, type=int, default=(0, 4), metavar=("FIRST", "LAST"))
    chosen = parser.parse_args()
    warnings.filterwarnings("ignore")
    X, y, _ = cells()
    print("accuracy, then balanced accuracy, with", *SIZES, "genes; seconds to choose 50")
    for way in chosen.ways or WAYS:
        figures, seconds = [], 0.0
        for split in range(chosen.splits[0], chosen.splits[1] + 1):
            train, new = train_test_split(np.arange(len(y)), test_size=0.4, stratify=y, random_state=split)
            start = time.perf_counter()
            order = WAYS[way](X[train], y[train])
            seconds += time.perf_counter() - start
            sizes = (X.shape[1],) if way == "all genes" else SIZES
            figures.append([judged(X[np.ix_(train, order[:k])], y[train], X[np.ix_(new, order[:k])], y[new]).mean(0)
                            for k in sizes])  # fmt: skip
        accuracy, balanced = 100 * np.mean(figures, axis=0).T
        cells_ = "  ".join(" ".join(f"{value:5.1f}" for value in row) for row in (accuracy, balanced))
        print(f"{way:10} {cells_}  {seconds / len(figures):6.2f} s", flush=True)


if __name__ == "__main__":
    main()
