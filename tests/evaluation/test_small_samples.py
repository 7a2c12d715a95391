"""Small samples: drawn as said, and worse than large ones."""

from __future__ import annotations

import numpy as np
import pytest

from entropick.coding import code_target
from entropick.errors import InvalidInput, InvalidParameter
from entropick.evaluation.small_samples import sample, small_samples

RANDOM = np.random.default_rng(0)
Y = np.repeat([0, 1], 150)
X = RANDOM.normal(size=(300, 15))
X[:, :3] += 1.2 * Y[:, None]


@pytest.fixture(scope="module")
def found():
    return small_samples(X, Y, ["mim", "random"], k=3, sizes=[12, 0.2, 240], draws=8)


def test_error_and_stability_go_as_rows_go(found):
    assert found.sizes == (12, 60, 240)
    assert found.curves.shape == (2 * 3, 8)
    error, stability = found.error(), found.stability()
    assert error.loc["mim", 12] > error.loc["mim", 240]
    assert stability.loc["mim", 12] < stability.loc["mim", 60] <= stability.loc["mim", 240]
    assert stability.loc["mim", 240] > 0.95
    assert (stability.loc["random"].abs() < 0.25).all()
    assert error.loc["mim", 240] < error.loc["random", 240]
    inside = found.curves.query("low <= stability <= high")
    assert len(inside) == 6


@pytest.mark.parametrize("size", [6, 7, 20, 99])
def test_samples_keep_the_shares_and_every_class(size):
    """Shares of 80, 15 and 5 %, two rows a class at least, the rest to test."""
    target = code_target(np.repeat([0, 1, 2], [80, 15, 5]))
    rows = sample(target, size, [0])
    counts = np.bincount(target.codes[rows.train], minlength=3)
    assert rows.train.size == size
    assert (counts >= 2).all()
    assert (np.abs(counts - size * np.array([0.8, 0.15, 0.05])) <= 4).all()
    assert sorted([*rows.train, *rows.test]) == list(range(100))
    assert not np.array_equal(rows.train, sample(target, size, [1]).train) or size == 99


def test_the_same_on_any_number_of_processes(found, tmp_path):
    arguments = {"k": 3, "sizes": [12, 60, 240], "draws": 8}
    again = small_samples(X, Y, ["mim", "random"], n_jobs=2, resume=tmp_path, **arguments)
    assert again.curves.equals(found.curves)
    assert len(list(tmp_path.iterdir())) == 2 * 3 * 8


def test_default_sizes_and_a_regression():
    y = X[:, 0] + 0.2 * RANDOM.normal(size=300)
    found = small_samples(X, y, k=2, draws=3)
    assert found.sizes == (15, 30, 60, 120, 240)
    assert found.methods == ("joint", "jmi", "mrmr", "cmim", "gc.mi", "spec.cmi")
    assert found.error("3-NN").loc["mrmr", 240] < 0.8


@pytest.mark.parametrize(
    ("change", "error", "said"),
    [
        ({"k": [2, 3]}, InvalidParameter, "k: must be an integer"),
        ({"k": 16}, InvalidParameter, "k: must be from 1 to 15"),
        ({"draws": 1}, InvalidParameter, "draws: must be an integer of at least 2"),
        ({"sizes": [3]}, InvalidParameter, r"sizes: must be from 4 \(two rows a class\) to 299"),
        ({"sizes": [300]}, InvalidParameter, "got 300 rows"),
        ({"sizes": [1.5]}, InvalidParameter, "sizes: must be numbers of rows, or fractions"),
        ({"sizes": []}, InvalidParameter, "sizes: needs at least one"),
        ({"X": X[140:160], "y": np.repeat(np.arange(10), 2), "k": 2}, InvalidInput, "too few rows"),
    ],
)
def test_what_is_refused(change, error, said):
    with pytest.raises(error, match=said):
        small_samples(**{"X": X, "y": Y, "methods": ["mim"], "k": 2, **change})
