"""Side by side with what pip installs: the same table, the same number of features, one run.

    make bench

A peer that is not installed is left out and said. Where the definition is the same, so must be the features.
"""

from __future__ import annotations

import warnings

import numpy as np
from measuring import best, machine, table

import entropick as ep

N, D, K = 10_000, 1_000, 20


def data() -> tuple[np.ndarray, np.ndarray]:
    """Five levels; y leans on eight columns, four of which have noisy copies."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 5, size=(N, D)).astype(np.uint8)
    for j in range(4):
        keep = rng.random(N) < 0.7
        X[keep, 20 + j] = X[keep, j]
    strength = sum((X[:, j] >= 3) * (1.0 + 0.1 * j) for j in range(8))
    return X, (strength + rng.normal(0, 1.5, N) > 4.0).astype(int)


def by_scikit_learn(X: np.ndarray, y: np.ndarray) -> list[list[str]]:
    from sklearn.feature_selection import mutual_info_classif

    theirs = mutual_info_classif(X, y, discrete_features=True)
    ours = ep.mutual_information(X, y, discretizer=None)
    same = bool(np.allclose(theirs, ours, atol=1e-9))
    slow = best(lambda: mutual_info_classif(X, y, discrete_features=True), 3)
    fast = best(lambda: ep.mutual_information(X, y, discretizer=None, n_jobs=2), 10)
    return [
        row("information of every feature", "scikit-learn mutual_info_classif", slow, fast, f"scores equal: {same}")
    ]


def by_mrmr_selection(X: np.ndarray, y: np.ndarray) -> list[list[str]]:
    import pandas as pd
    from mrmr import mrmr_classif

    frame, target = pd.DataFrame(X).rename(columns=str), pd.Series(y)
    slow = best(lambda: mrmr_classif(frame, target, K=K, show_progress=False, n_jobs=2), 2)
    fast = best(lambda: ep.select(X, y, method="mrmr", k=K, discretizer=None, n_jobs=2), 10)
    return [
        row(f"mRMR, {K} features", "mrmr_selection (F statistic and correlation)", slow, fast, "another definition")
    ]


def by_itmo_fs(X: np.ndarray, y: np.ndarray) -> list[list[str]]:
    from ITMO_FS.filters.multivariate import MultivariateFilter

    small = X[:, :100].astype(int)
    rows = []
    for name, method in (("MRMR", "mrmr"), ("JMI", "jmi"), ("CMIM", "cmim")):
        chosen = MultivariateFilter(name, 5)
        slow = best(lambda chosen=chosen: chosen.fit(small, y), 1)
        ours = ep.select(small, y, method=method, k=5, discretizer=None)
        fast = best(lambda method=method: ep.select(small, y, method=method, k=5, discretizer=None, n_jobs=2), 10)
        same = sorted(chosen.selected_features) == sorted(ours.indices.tolist())
        rows.append(row(f"{method}, 5 of 100 features", "ITMO_FS", slow, fast, f"same features: {same}"))
    return rows


def row(task: str, peer: str, slow: float, fast: float, remark: str) -> list[str]:
    ratio = slow / fast
    told = f"{ratio:.0f}×" if ratio >= 1 else f"**{ratio:.2f}× (slower)**"
    return [task, peer, f"{slow * 1e3:.0f} ms", f"{fast * 1e3:.1f} ms", told, remark]


def main() -> str:
    X, y = data()
    rows, missing = [], []
    for compare in (by_scikit_learn, by_mrmr_selection, by_itmo_fs):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                rows += compare(X, y)
        except ImportError as error:
            missing.append(f"{compare.__name__[3:]} is left out: {error}")
    parts = [
        f"## Side by side ({machine()})",
        f"n = {N:,}, D = {D:,}, 5 levels, 2 classes, 2 threads. First calls, which compile, do not count.",
        table(["task", "peer", "peer takes", "entropick takes", "faster", "remark"], rows),
        *missing,
    ]
    return "\n\n".join(parts)


if __name__ == "__main__":
    print(main())
