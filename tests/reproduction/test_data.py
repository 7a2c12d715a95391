"""Data by name: a local file first, then OpenML, else a word on what was tried."""

from __future__ import annotations

from types import SimpleNamespace
from urllib.error import URLError

import numpy as np
import pandas as pd
import pytest

from reproduction.data import OPENML, MissingDataSet, _obtained, obtain


@pytest.fixture(autouse=True)
def _forgetful():
    _obtained.cache_clear()
    yield
    _obtained.cache_clear()


@pytest.fixture
def openml(monkeypatch):
    """What fetch_openml is asked, and an answer to give."""
    asked = []

    def answer(frame, target):
        def fetch(**settings):
            asked.append(settings["data_id"])
            return SimpleNamespace(data=frame, target=target)

        monkeypatch.setattr("sklearn.datasets.fetch_openml", fetch)

    return asked, answer


def test_a_local_file_comes_first(tmp_path, openml):
    asked, answer = openml
    answer(pd.DataFrame(), [])
    np.savez(tmp_path / "sonar.npz", X=np.ones((3, 2)), y=np.array([0, 1, 0]))
    assert obtain("sonar", tmp_path).X.shape == (3, 2)
    assert asked == []


def test_openml_comes_second(tmp_path, openml):
    asked, answer = openml
    frame = pd.DataFrame({f"v{i}": [0.5, 1.5, np.nan] for i in range(59)})
    frame["kind"] = pd.Categorical(["b", "a", None])
    answer(frame, pd.Series(["r", "m", "r"]))
    problem = obtain("sonar", tmp_path)
    assert asked == [OPENML["sonar"].number]
    assert problem.task == "classification"
    np.testing.assert_array_equal(problem.X[:, -1], [1.0, 0.0, np.nan])
    np.testing.assert_array_equal(problem.X[:, 0], [0.5, 1.5, np.nan])


def test_other_columns_than_the_papers_are_not_taken(tmp_path, openml):
    openml[1](pd.DataFrame({"v": [1.0]}), pd.Series(["r"]))
    with pytest.raises(MissingDataSet, match="has 1 features, not 60"):
        obtain("sonar", tmp_path)


def test_no_network(tmp_path, monkeypatch):
    """Through scikit-learn's own function, so that what it is asked is checked too."""

    def unreachable(*request, **settings):
        raise URLError("no route")

    monkeypatch.setattr("sklearn.datasets._openml.urlopen", unreachable)
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path / "empty"))
    with pytest.raises(MissingDataSet, match=r"no sonar.npz in the data folder, and OpenML 40 cannot be had.*no route"):
        obtain("sonar", tmp_path)


def test_neither(tmp_path, monkeypatch):
    monkeypatch.delenv("ENTROPICK_DATA", raising=False)
    with pytest.raises(MissingDataSet, match="lung_disc: no folder of data sets, and not on OpenML"):
        obtain("lung_disc")
