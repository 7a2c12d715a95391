"""A time until an event: how well the chosen features order patients, beside what survival analysis would pick.

    python benchmarks/survival.py             # twenty splits of two tables, about ten minutes
    python benchmarks/survival.py 4           # four splits

Needs scikit-survival, whose tables these are. Per split 60 % of the rows choose the features and fit Cox's model and a
survival forest with the first of them; printed is Harrell's C on the other rows, the mean of both models, in points.
Univariate Cox ranks columns by the likelihood ratio of a model of one column, Coxnet by the order in which they enter
its path. Categories are indicators for both.
"""

from __future__ import annotations

import sys
import warnings

import numpy as np
import pandas as pd
from measuring import table

import entropick as ep

TABLES = {"breast_cancer": (3, 5, 10, 20), "whas500": (2, 4, 8)}
RIDGE = 0.1  # of Cox's model


def loaded(name: str) -> tuple[pd.DataFrame, np.ndarray]:
    """Columns, categories among them, and (event, time) of every row."""
    from sksurv import datasets

    X, y = getattr(datasets, f"load_{name}")()
    return X, y


def numbers(X: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """Columns as numbers, indicators for categories, on a common scale; and which column each is of."""
    from sklearn.preprocessing import StandardScaler

    parts, owner = [], []
    for j, name in enumerate(X.columns):
        column = X[name]
        coded = pd.get_dummies(column, drop_first=True) if column.dtype.kind not in "fiu" else column.to_frame()
        parts.append(coded.to_numpy(float))
        owner += [j] * coded.shape[1]
    return StandardScaler().fit_transform(np.concatenate(parts, axis=1)), np.array(owner)


def univariate(X: np.ndarray, owner: np.ndarray, y: np.ndarray, k: int) -> list[int]:
    from sksurv.linear_model import CoxPHSurvivalAnalysis
    from sksurv.linear_model.coxph import CoxPHOptimizer

    gains = np.zeros(owner.max() + 1)
    for j in range(len(gains)):
        part = X[:, owner == j]
        if not part.std(axis=0).all():
            continue
        model = CoxPHSurvivalAnalysis(alpha=1e-6).fit(part, y)
        event, time = (y[name] for name in y.dtype.names)
        loss = CoxPHOptimizer(part, event, time, alpha=np.zeros(part.shape[1]), ties="breslow")
        gains[j] = loss.nlog_likelihood(np.zeros(part.shape[1])) - loss.nlog_likelihood(model.coef_)
    return np.argsort(-gains, kind="stable")[:k].tolist()


def coxnet(X: np.ndarray, owner: np.ndarray, y: np.ndarray, k: int) -> list[int]:
    from sksurv.linear_model import CoxnetSurvivalAnalysis

    path = CoxnetSurvivalAnalysis(l1_ratio=1.0, n_alphas=200, alpha_min_ratio=0.005).fit(X, y).coef_
    order: list[int] = []
    for weights in path.T:
        for place in np.argsort(-np.abs(weights), kind="stable"):
            if weights[place] and owner[place] not in order:
                order.append(int(owner[place]))
    return (order + [j for j in range(owner.max() + 1) if j not in order])[:k]


def ordered(X: np.ndarray, y: np.ndarray, X_test: np.ndarray, y_test: np.ndarray, seed: int) -> float:
    """Mean C of Cox's model and a forest, points."""
    from sksurv.ensemble import RandomSurvivalForest
    from sksurv.linear_model import CoxPHSurvivalAnalysis

    models = (
        CoxPHSurvivalAnalysis(alpha=RIDGE * len(X)),
        RandomSurvivalForest(100, min_samples_leaf=10, random_state=seed, n_jobs=1),
    )
    return 100 * float(np.mean([model.fit(X, y).score(X_test, y_test) for model in models]))


def main(splits: int) -> None:
    from sklearn.model_selection import train_test_split

    warnings.simplefilter("ignore")
    for name, sizes in TABLES.items():
        X, y = loaded(name)
        values, owner = numbers(X)
        found: dict[str, list[list[float]]] = {"joint": [], "univariate Cox": [], "Coxnet": []}
        for seed in range(splits):
            learn, test = train_test_split(
                np.arange(len(y)), train_size=0.6, stratify=y[y.dtype.names[0]], random_state=seed
            )
            k = max(sizes)
            picks = {
                "joint": ep.select(X.iloc[learn], y[learn], k=k).indices.tolist(),
                "univariate Cox": univariate(values[learn], owner, y[learn], k),
                "Coxnet": coxnet(values[learn], owner, y[learn], k),
            }
            for method, chosen in picks.items():
                own = [np.isin(owner, chosen[:size]) for size in sizes]
                found[method].append(
                    [ordered(values[learn][:, at], y[learn], values[test][:, at], y[test], seed) for at in own]
                )
        rows = [[method, *(f"{value:.1f}" for value in np.mean(lines, axis=0))] for method, lines in found.items()]
        print(table([f"{name}: columns", *map(str, sizes)], rows), "\n", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20)
