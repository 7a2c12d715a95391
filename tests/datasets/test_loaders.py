"""Loaders: what comes along, and files found by name."""

from __future__ import annotations

import numpy as np
import pytest

from entropick.datasets import find, load_demo
from entropick.errors import InvalidInput, InvalidParameter


def test_demo_is_the_wisconsin_table():
    X, y = load_demo()
    assert X.shape == (569, 30)
    assert y.name == "diagnosis"
    assert y.value_counts().to_dict() == {"benign": 357, "malignant": 212}
    assert "worst perimeter" in X.columns


@pytest.fixture
def folder(tmp_path):
    X = np.arange(12).reshape(6, 2)
    np.savez(tmp_path / "plain.npz", X=X, y=np.arange(6) % 2)
    np.savez(tmp_path / "named.npz", X=X, y=np.linspace(0, 1, 6), feature_names=np.array(["a", "b"]), test=[4, 5])
    np.savez(tmp_path / "windows.npz", W=X, y=np.arange(6))
    np.savez(tmp_path / "crooked.npz", X=X, y=np.arange(5))
    np.savez(tmp_path / "misnamed.npz", X=X, y=np.arange(6), feature_names=np.array(["a"]))
    np.savez(tmp_path / "pickled.npz", X=np.array([{}], dtype=object), y=np.arange(1))
    (tmp_path / "broken.npz").write_bytes(b"PK\x03\x04 not really")
    (tmp_path / "empty.npz").write_bytes(b"")
    return tmp_path


def test_find_by_argument_and_by_variable(folder, monkeypatch):
    plain = find("plain", folder)
    assert plain.names == ("x0", "x1")
    assert plain.task == "classification"
    assert plain.informative == ()
    monkeypatch.setenv("ENTROPICK_DATA", str(folder))
    named = find("named")
    assert named.names == ("a", "b")
    assert named.task == "regression"
    assert named.extra["test"].tolist() == [4, 5]


def test_missing_set_lists_what_is_there(folder):
    with pytest.raises(InvalidInput, match=r"no data set 'plian'\. Did you mean 'plain'\?.*broken, crooked"):
        find("plian", folder)


def test_a_path_is_not_a_name(folder):
    (folder / "sub").mkdir()
    with pytest.raises(InvalidInput, match="no data set"):
        find("../" + folder.name + "/plain", folder / "sub")


def test_long_lists_are_cut(tmp_path):
    for i in range(45):
        (tmp_path / f"set{i:02}.npz").touch()
    with pytest.raises(InvalidInput, match="and 5 more"):
        find("other", tmp_path)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("windows", "must hold arrays X and y, got W, y"),
        ("crooked", "rows × features"),
        ("misnamed", "2 features and 1 feature_names"),
        ("pickled", "cannot be read"),
        ("broken", "cannot be read"),
        ("empty", "cannot be read"),
    ],
)
def test_unfit_files(folder, name, message):
    with pytest.raises(InvalidInput, match=message):
        find(name, folder)


def test_no_folder(monkeypatch, tmp_path):
    monkeypatch.delenv("ENTROPICK_DATA", raising=False)
    with pytest.raises(InvalidParameter, match="ENTROPICK_DATA"):
        find("plain")
    with pytest.raises(InvalidParameter, match=r"^data_dir: must name an existing folder"):
        find("plain", tmp_path / "nowhere")
    monkeypatch.setenv("ENTROPICK_DATA", str(tmp_path / "nowhere"))
    with pytest.raises(InvalidParameter, match=r"^ENTROPICK_DATA: must name an existing folder"):
        find("plain")


def test_empty_folder(tmp_path):
    with pytest.raises(InvalidInput, match=r"no \.npz file"):
        find("plain", tmp_path)
