"""Tables 2, 3 and figure 2 of Vinh et al. on tiny input."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from reproduction import vinh_large, vinh_times
from reproduction.data import _obtained
from reproduction.paper_table import Means


@pytest.fixture
def folder(tmp_path):
    _obtained.cache_clear()
    vinh_times.conditional_matrix.cache_clear()
    random = np.random.default_rng(0)
    y = random.integers(0, 2, 150)
    X = random.integers(0, 4, (150, 8))
    X[:, 0] = np.where(random.random(150) < 0.8, y, X[:, 0])
    np.savez(tmp_path / "promoter.npz", X=X.astype(np.uint8), y=y)
    yield tmp_path
    _obtained.cache_clear()
    vinh_times.conditional_matrix.cache_clear()


def entropy(*columns):
    counts = np.unique(np.column_stack(columns), axis=0, return_counts=True)[1]
    p = counts / counts.sum()
    return -(p * np.log(p)).sum()


def test_both_relaxations_of_one_case(folder):
    numbers = vinh_times.TABLE2.compute({"data": "Promoter", "k": 3}, Means(folder))
    Q, f = vinh_times.conditional_matrix("Promoter", str(folder))
    top = np.argsort(-np.abs(np.linalg.eigh(Q)[1][:, -1]))[:3]
    assert numbers["value SPEC_CMI"] == pytest.approx(Q[np.ix_(top, top)].sum())
    values = [Q[np.ix_(three, three)].sum() for three in combinations(range(8), 3)]
    assert min(abs(numbers["value SDP_CMI"] - value) for value in values) < 1e-9
    assert numbers["same"] is (abs(numbers["value SDP_CMI"] - numbers["value SPEC_CMI"]) < 1e-9)
    everything = vinh_times.TABLE2.compute({"data": "Promoter", "k": 8}, Means(folder))
    assert everything["same"] is True
    assert everything["value SDP_CMI"] == pytest.approx(Q.sum())
    with np.load(folder / "promoter.npz") as file:
        X, y = file["X"], file["y"]
    a, b = X[:, 0], X[:, 5]
    together = entropy(a, b) + entropy(y) - entropy(a, b, y)
    alone = [entropy(x) + entropy(y) - entropy(x, y) for x in (a, b)]
    assert Q[0, 5] == pytest.approx(together - np.mean(alone))
    np.testing.assert_allclose(f[[0, 5]], alone)


def test_figures_of_table_2():
    base = {"SDP_CMI": 1.0, "SPEC_CMI": 0.1}
    found = [
        ({"data": "Lung", "k": 1}, {**base, "value SDP_CMI": 2.0, "value SPEC_CMI": 2.0, "same": True}),
        ({"data": "Lung", "k": 2}, {**base, "value SDP_CMI": 2.0, "value SPEC_CMI": 1.0, "same": False}),
    ]
    shares = {f.labels["figure"]: (f.ours, f.paper) for f in vinh_times.TABLE2.figures(found)}
    assert shares["seconds of SDP_CMI"] == (1.0, 16.92)
    assert shares["the same set"] == (0.5, 379 / 442)
    assert shares["values within 0.5 %"][0] == 0.5
    assert shares["SDP_CMI higher, where they differ"][0] == 1.0
    assert len(vinh_times.TABLE2.cells(False)) == 442


def test_table_3_ranks_and_compares():
    numbers = vinh_times.TABLE3.compute({"features": 60, "matrix": 0}, Means())
    assert set(numbers) == {"QPFS", "SPEC_CMI", "MRMR"}
    figures = vinh_times.TABLE3.figures(
        [({"features": 1000, "matrix": 0}, {"QPFS": 4.0, "SPEC_CMI": 2.0, "MRMR": 1.0})]
    )
    ratio = next(f for f in figures if f.labels["method"] == "QPFS ÷ SPEC_CMI")
    assert (ratio.ours, ratio.paper) == (2.0, pytest.approx(27.0))


def test_greedy_mrmr_by_hand():
    """X0 first; X1 is as relevant as X2 but shares 0.5 with X0."""
    relevance = np.array([1.0, 0.9, 0.8])
    redundancy = np.array([[1.0, 0.5, 0.1], [0.5, 1.0, 0.0], [0.1, 0.0, 1.0]])
    assert vinh_times.greedy_mrmr(relevance, redundancy) == [0, 2, 1]


def test_matrices_are_positive_definite():
    assert np.linalg.eigvalsh(vinh_times.random_matrices(50, 0)[0])[0] > 0


def test_nearest_class_mean():
    X = np.array([[0.0, 5.0], [2.0, 5.0], [10.0, 5.0], [12.0, 5.0]], np.float32)
    y = np.array([0, 0, 1, 1])
    test = np.array([[4.0, 5.0], [9.0, 5.0], [7.0, 5.0]], np.float32)
    split = X, y, test, np.array([0, 1, 0])
    assert vinh_large.class_mean_error(split, np.array([0])) == pytest.approx(100 / 3)


def test_figure_2_on_a_few_classes():
    settings = {"method": "SPEC_CMI+Nyström, γ = 0.5", "classes": 6, "train": 40, "test": 10, "features": 24}
    numbers = vinh_large.FIGURE2.compute(settings, Means(n_jobs=1))
    assert numbers["sizes"] == [10]
    assert numbers["errors"][0] < 60  # by chance 83
    figures = vinh_large.FIGURE2.figures([(settings, numbers)])
    assert [f.labels["features"] for f in figures] == [10, "seconds"]
