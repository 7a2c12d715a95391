"""Tables 4 and 5 of Vinh et al. on tiny data: the machinery, not the paper's numbers."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer

from entropick.datasets.problem import Problem
from reproduction import vinh
from reproduction.cells import Cells
from reproduction.data import _obtained
from reproduction.paper_table import Means, make


@pytest.fixture
def folder(tmp_path):
    _obtained.cache_clear()
    X, y = load_breast_cancer(return_X_y=True)
    np.savez(tmp_path / "promoter.npz", X=(X[:120, :12] > np.median(X[:120, :12], axis=0)).astype(np.uint8), y=y[:120])
    yield tmp_path
    _obtained.cache_clear()


def test_table_5_of_what_is_there(folder, monkeypatch):
    monkeypatch.setattr(vinh, "METHODS", {name: vinh.METHODS[name] for name in ("maxRel", "MIQ")})
    result = make(vinh.TABLE5, quick=True, cells=Cells(folder / "cells"), means=Means(folder, 1))
    assert result.finished == 2
    assert [f.labels["method"] for f in result.figures] == ["maxRel", "MIQ"]
    assert [f.paper for f in result.figures] == [8.7, 8.9]
    assert all(0 <= f.ours <= 50 for f in result.figures)
    assert any("lung_disc" in reason for reason in result.skipped)


def test_table_4(folder):
    result = make(vinh.TABLE4, quick=True, cells=Cells(folder / "cells"), means=Means(folder))
    (figure,) = result.figures
    assert figure.labels == {"data": "Promoter", "shape": "120 × 12", "paper's": "106 × 57"}
    assert figure.paper == 16.0


def test_a_coarse_curve_has_the_mean_of_the_straight_lines():
    assert vinh.sizes_of(5000, 1) == list(range(10, 101))
    assert vinh.sizes_of(57, 10) == [10, 20, 30, 40, 50, 57]
    assert vinh.sizes_of(4, 10) == [4]
    mean, spread = vinh.mean_error([10, 20], [0.0, 10.0])
    assert mean == pytest.approx(5.0)
    assert spread == pytest.approx(np.std(np.arange(11)))


def test_errors_of_a_perfect_and_a_useless_feature():
    y = np.arange(60) % 2
    X = np.column_stack([np.zeros(60), y])
    wrong, right = vinh.curve(X, y, np.array([0, 1]), [1, 2])
    assert wrong > 40
    assert right == 0


def test_arrhythmia_as_the_paper_had_it():
    """Class 16 goes, incomplete and constant columns go, normal is told from the rest."""
    X = np.array([[1.0, np.nan, 5.0], [2.0, 1.0, 5.0], [3.0, 1.0, 5.0], [9.0, 1.0, 5.0]])
    problem = Problem(
        X, np.array([0, 1, 2, 3]), (), ("a", "b", "c"), "", extra={"classes": np.array(["1", "10", "16", "2"])}
    )
    kept, y = vinh._arrhythmia(problem)
    np.testing.assert_array_equal(kept, [[1.0], [2.0], [9.0]])
    assert y.tolist() == [0, 1, 1]


def test_every_method_has_a_printed_error():
    assert all(len(entry.errors) == len(vinh.METHODS) for entry in vinh.DATASETS.values())


def test_printed_marks_add_up_to_the_printed_row():
    """#W/T/L of table 5, in the order of its columns."""
    counts = {name: "/".join(str(marks.count(sign)) for sign in "+=−") for name, marks in vinh.MARKS.items()}
    assert counts == {
        "maxRel": "10/4/1", "MIQ": "11/2/2", "CIFE": "14/1/0", "MRMR": "4/9/2", "EMRMR": "4/8/3", "QPFS": "9/4/2",
    }  # fmt: skip
    assert set(vinh.MARKED) == set(vinh.DATASETS)


def test_wins_ties_and_losses():
    curves = {"SPEC_CMI": [3.0, 2.0, 1.0, 1.2], "MRMR": [5.0, 4.1, 2.9, 3.3], "QPFS": [3.1, 1.9, 1.1, 1.1]}
    found = [
        ({"data": data, "method": name, "step": 5}, {"sizes": [10, 11, 12, 13], "errors": errors})
        for data in ("Lung", "Colon")
        for name, errors in curves.items()
    ]
    told = {(f.labels["data"], f.labels["method"]): (f.ours, f.paper) for f in vinh.TABLE5.figures(found)}
    assert told["wins of SPEC_CMI", "MRMR"] == (2, 1)  # the paper: + on Lung, = on Colon
    assert told["ties", "QPFS"] == (2, 0)
    assert told["marks as printed, of 2", "MRMR"][0] == 1
    assert vinh.mark([1.0, 1.0], [1.0, 1.0]) == "="
