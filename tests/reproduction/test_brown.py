"""Brown et al.'s experiments on tiny data: shapes, shared cells, and ranks by hand."""

from __future__ import annotations

import numpy as np
import pytest

from reproduction import brown
from reproduction.cells import Cells
from reproduction.data import _obtained
from reproduction.paper_table import Means, make


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Three classes, 12 columns of which the first three say something."""
    folder = tmp_path_factory.mktemp("brown")
    random = np.random.default_rng(0)
    y = np.arange(60) % 3
    X = random.standard_normal((60, 12))
    X[:, :3] += y[:, None] * [2.0, 1.5, 1.0]
    np.savez(folder / "wine.npz", X=X, y=y)
    np.savez(folder / "heart.npz", X=X[:, ::-1], y=y)
    np.savez(folder / "lung_disc.npz", X=np.sign(np.round(X)).astype(int)[:24], y=y[:24])
    _obtained.cache_clear()
    yield folder
    _obtained.cache_clear()


def test_three_tables_of_one_set_of_cells(folder, tmp_path):
    cells, means = Cells(tmp_path), Means(folder, 1)
    stability = make(brown.STABILITY, quick=True, cells=cells, means=means)
    assert stability.finished == 2
    assert any("sonar" in reason for reason in stability.skipped)
    assert len(stability.figures) == 2 * 9 * 5
    assert all(-1 <= f.ours <= 1 + 1e-12 for f in stability.figures)
    similarity = make(brown.SIMILARITY, quick=True, only_kept=True, cells=cells, means=means)
    assert similarity.finished == 2
    outliers = [f for f in similarity.figures if f.labels["figure"] == "outlier"]
    assert sum(f.ours for f in outliers) == sum(f.paper for f in outliers) == 8  # four by either index
    tradeoff = make(brown.TRADEOFF, quick=True, only_kept=True, cells=cells, means=means)
    ranks = [f.ours for f in tradeoff.figures if f.labels["figure"] == "mean rank of the error"]
    assert np.mean(ranks) == pytest.approx(5.0)  # of nine
    assert min(f.ours for f in tradeoff.figures if f.labels["figure"] == "front") == 1.0


def test_ranks_share_ties():
    np.testing.assert_array_equal(brown._ranks(np.array([[3.0, 1.0, 1.0]])), [[3.0, 1.5, 1.5]])


def test_small_samples_average_ranks_over_sets():
    def cell(data, swap):
        errors = [[0.1 * (9 - j if swap else j)] for j in range(9)]
        return {"data": data}, {"sizes": [20], "errors": errors}

    figures = brown.SMALL.figures([cell("a", False), cell("b", False), cell("c", True)])
    assert [f.ours for f in figures][:1] == [pytest.approx((1 + 1 + 9) / 3)]
    assert figures[4].ours == 5.0


def test_a_cell_of_small_samples(folder):
    settings = {"data": "heart", "sizes": "20 30", "draws": 2}
    numbers = brown.SMALL.compute(settings, Means(folder, 1))
    assert np.shape(numbers["errors"]) == (9, 2)
    assert np.all(np.array(numbers["errors"]) < 0.7)


def test_a_cell_of_extreme_samples(folder):
    numbers = brown.EXTREMES.compute({"data": "Lung", "criterion": "JMI"}, Means(folder, 1))
    assert len(numbers["errors"]) == len(brown.SIZES)
    assert all(0 <= error <= 100 for error in numbers["errors"])
    assert numbers["errors"][2] < 60  # by chance 67


def test_fifteen_sets_eleven_of_them_large():
    assert len(brown.DATA) == 15
    assert len(brown.ENOUGH_ROWS) == 11
