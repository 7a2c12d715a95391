"""CIFAR-10 through the Gaussian methods: accuracy of a linear SVM on k of 2 048 features after Coates & Ng.

Features and classifier are those of `entropick reproduce lefakis-table4`, whose data it takes: ENTROPICK_DATA names a
folder with cifar10.npz (see cifar10.py). 20 000 images to learn from, 10 000 to test.
"""

from __future__ import annotations

import argparse
import time
import warnings

import numpy as np

import entropick as ep
from reproduction.lefakis_images import classifiers, split, spread, standardised
from reproduction.paper_table import Means

TRAIN = 20_000

METHODS = {
    "fisher": ("fisher", {}),
    "gc.mi, random fill": ("gc.mi", {"fill": "random", "random_state": 0}),
    "gc.mi": ("gc.mi", {}),
    "gc.mi, copula": ("gc.mi", {"marginals": "copula"}),
    "gc.mi, pooling 0.5": ("gc.mi", {"pooling": 0.5}),
    "gc.mi, pooling 0.5, copula": ("gc.mi", {"pooling": 0.5, "marginals": "copula"}),
    "wilks": ("wilks", {}),
    "wilks, copula": ("wilks", {"marginals": "copula"}),
    "gc.auto": ("gc.auto", {}),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-k", type=int, nargs="+", default=[10, 25, 50, 100])
    parser.add_argument("--methods", nargs="+", default=None, help=f"of: {'; '.join(METHODS)}")
    arguments = parser.parse_args()
    X, y, X_test, y_test = split("CIFAR", Means())
    some = spread(len(y), TRAIN)
    X, y, X_test, y_test = standardised((X[some], y[some], X_test, y_test))
    top = max(arguments.k)
    chosen = {(f"random {s}", top): np.random.default_rng(s).permutation(X.shape[1])[:top] for s in range(3)}
    for name, (method, options) in METHODS.items():
        if arguments.methods and name not in arguments.methods:
            continue
        for k in arguments.k if method == "gc.auto" else [top]:  # the choice of gc.auto is about k features
            start = time.perf_counter()
            selection = ep.select(X, y, method=method, k=k, n_jobs=-1, **options)
            seconds = time.perf_counter() - start
            chosen[name, k] = selection.indices
            print(f"{name}, k = {k}: {seconds:.1f} s, saturated at {selection.saturated_at}", end="")
            if method == "gc.auto":
                print(f"; took {selection.details['marginals']}, pooling {selection.details['pooling']:g}", end="")
            print(flush=True)
    print(f"\n{'':28}" + "".join(f"k={k:<7}" for k in arguments.k))
    accuracy: dict[str, list[float]] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in dict.fromkeys(name for name, _ in chosen):
            accuracy[name] = []
            for k in arguments.k:
                columns = chosen.get((name, k), chosen[name, top][:k])
                model = classifiers()["SVMLinear"]().fit(X[:, columns], y)
                accuracy[name].append(100 * model.score(X_test[:, columns], y_test))
            if not name.startswith("random "):
                print(f"{name:28}" + "".join(f"{a:<9.2f}" for a in accuracy[name]), flush=True)
    drawn = np.mean([accuracy[n] for n in accuracy if n.startswith("random ")], axis=0)
    print(f"{'random (mean of 3)':28}" + "".join(f"{a:<9.2f}" for a in drawn))


if __name__ == "__main__":
    main()
