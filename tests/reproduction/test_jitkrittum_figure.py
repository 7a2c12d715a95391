"""Figure 1 on a tiny set: the machinery, and that an error is that of the features chosen."""

from __future__ import annotations

import numpy as np
import pytest

import entropick as ep
from reproduction import jitkrittum_figure as own
from reproduction.data import _obtained
from reproduction.jitkrittum_real import lowest_error, sample
from reproduction.paper_table import Means


def test_errors_against_the_number_of_features(tmp_path, monkeypatch):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 40)
    X = rng.normal(size=(40, 4))
    X[:, 2] += 2 * y
    np.savez(tmp_path / "l1lsmi_wine.npz", X=X, y=y)
    _obtained.cache_clear()
    monkeypatch.setattr(own, "SHOWN", ("PC", "Relief"))
    numbers = own.FIGURE1.compute({"data": "wine", "trial": 0}, Means(tmp_path, 1))
    _obtained.cache_clear()
    assert numbers["sizes"] == [1, 2, 3, 4]
    rows, target = sample(X, y, "classification", 0)
    one = ep.select(rows, target, method="pearson", k=1).indices
    assert numbers["PC"][0] == pytest.approx(lowest_error(rows[:, one], target, "classification"))
    assert numbers["PC"][-1] == numbers["Relief"][-1]  # all four features
    figures = own.FIGURE1.figures([({"data": "wine", "trial": t}, numbers) for t in (0, 1)])
    assert len(figures) == 8
    assert figures[0].labels == {"data": "wine", "k": 1, "method": "PC"}
    assert figures[0].spread == 0
