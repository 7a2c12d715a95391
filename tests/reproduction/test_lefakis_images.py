"""Tables 3–5 of Lefakis & Fleuret: the protocol on a small generated split."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB

from reproduction import lefakis_images
from reproduction.cells import Cells
from reproduction.lefakis_printed import PRINTED
from reproduction.paper_table import Means, make


@pytest.fixture
def tiny(monkeypatch):
    """Two classes told apart by the first of 120 columns."""
    random = np.random.default_rng(0)
    y = np.arange(400) % 2
    X = random.standard_normal((400, 120)).astype(np.float32)
    X[:, 0] += 6 * y
    split = X[:300], y[:300], X[300:], y[300:]
    monkeypatch.setitem(lefakis_images.DATA, "CIFAR", lambda means: split)
    lefakis_images._split.cache_clear()
    yield split
    lefakis_images._split.cache_clear()


def test_quick_table(tiny, tmp_path, monkeypatch):
    simple = dict.fromkeys(lefakis_images.classifiers(), GaussianNB)  # the protocol is what is tested here
    monkeypatch.setattr(lefakis_images, "classifiers", lambda: simple)
    result = make(lefakis_images.TABLE4, quick=True, cells=Cells(tmp_path), means=Means(cache_dir=tmp_path, n_jobs=1))
    assert result.finished == 5
    assert len(result.figures) == 5 * 4 * 4
    first = result.figures[0]
    assert first.labels == {"data": "CIFAR", "method": "Fisher", "on": "AdaBoost, 10"}
    assert first.paper == 29.23
    assert first.ours > 95
    assert (tmp_path / "features" / "CIFAR.npz").is_file()


def test_accuracy_of_the_right_and_the_wrong_features(tiny):
    good = lefakis_images.accuracies(tiny, np.arange(100), ("SVMLinear",))
    bad = lefakis_images.accuracies(tiny, np.arange(20, 120), ("SVMLinear",))
    assert list(good) == ["SVMLinear"]
    assert good["SVMLinear"][0] > 95 > 75 > bad["SVMLinear"][0]


def test_qda_needs_rows(tiny):
    X, y, X_test, y_test = tiny
    few = X[:60], y[:60], X_test, y_test  # 30 rows of a class, 50 features
    found = lefakis_images.accuracies(few, np.arange(100), ("QDA",))["QDA"]
    assert found[0] > 90
    assert all(np.isnan(value) or value >= 0 for value in found)


def test_the_kernel_machine_learns_from_fewer_rows(tiny, monkeypatch):
    seen = {}

    class Counting(GaussianNB):
        def fit(self, X, y):
            seen.setdefault(self.called, set()).add(len(y))
            return super().fit(X, y)

    def called(name):
        model = Counting()
        model.called = name
        return model

    monkeypatch.setattr(lefakis_images, "KERNEL_ROWS", 90)
    monkeypatch.setattr(
        lefakis_images, "classifiers", lambda: {name: (lambda name=name: called(name)) for name in ("SVMRBF", "QDA")}
    )
    lefakis_images.accuracies(tiny, np.arange(100))
    assert seen == {"SVMRBF": {90}, "QDA": {300}}


def test_shares_of_inria_are_the_papers(tmp_path, monkeypatch):
    """What says background to every window is right on 80.01 % of the paper's."""
    rng = np.random.default_rng(0)
    people = np.tile([0, 1], 500)
    test = np.repeat([0, 1], 500)
    windows = rng.integers(0, 255, (1000, 128, 64), dtype=np.uint8)
    np.savez(tmp_path / "inria_64x128_gray.npz", W=windows, y=people, test=test)
    monkeypatch.setattr(lefakis_images, "gradient_histograms", lambda windows: windows[:, 0, :2].astype(np.float32))
    X, y, X_test, y_test = lefakis_images.DATA["INRIA"](Means(tmp_path))
    assert len(X) == len(y) == 300
    assert abs(np.mean(y == 0) - 12180 / (12180 + 2416)) < 0.005
    assert abs(np.mean(y_test == 0) - 0.8001) < 0.005
    assert len(X_test) == len(y_test)
    kept = {tuple(pair) for pair in windows[people == 0][:, 0, :2].tolist()}
    assert kept <= {tuple(pair) for pair in np.concatenate([X, X_test]).astype(int).tolist()}


def test_stl_is_skipped_and_said(tmp_path):
    result = make(lefakis_images.TABLE5, cells=Cells(tmp_path), means=Means(cache_dir=tmp_path))
    assert result.finished == 0
    assert "stl10" in result.skipped[0]


def test_printed_tables_are_complete():
    assert set(PRINTED) == {"INRIA", "CIFAR", "STL"}
    for table in PRINTED.values():
        assert list(table) == list(lefakis_images.METHODS)
        assert all(len(row) == 16 and 15 < min(row) <= max(row) < 100 for row in table.values())


@pytest.mark.filterwarnings("ignore::entropick.errors.EntropickWarning")  # few rows are what is asked for
def test_selection_from_fewer_rows(tiny, tmp_path):
    numbers = lefakis_images.ROWS.compute({"rows": 100}, Means(cache_dir=tmp_path))
    assert list(numbers) == ["10", "25", "50", "100"]
    assert numbers["10"] > 95
