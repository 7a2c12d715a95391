"""Where real data are: ENTROPICK_DATA, or shared/data beside the checkout. Not distributed: tests skip."""

import os
from pathlib import Path

import numpy as np
import pytest


def folder():
    """The folder of real data, or None."""
    given = os.environ.get("ENTROPICK_DATA")
    place = Path(given) if given else Path(__file__).resolve().parents[2] / "shared" / "data"
    return place if place.is_dir() else None


def load(name):
    """(X, y) of the real data set; the test is skipped where it is not there."""
    place = folder()
    if place is None:
        pytest.skip("real data not found: set ENTROPICK_DATA to the folder of NAME.npz files")
    file = place / f"{name}.npz"
    if not file.is_file():
        pytest.skip(f"real data set {name!r} is not in the data folder")
    with np.load(file, allow_pickle=False) as stored:
        return stored["X"], stored["y"]
