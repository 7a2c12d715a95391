"""Data health on a table made by hand."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from entropick.coding import code_target
from entropick.evaluation.health import DataHealth, data_health
from entropick.sources import as_table

N = 200
RANDOM = np.random.default_rng(0)
SIZE = RANDOM.normal(size=N)
TOWN = np.array(["York", "Bath", None], dtype=object)[RANDOM.integers(0, 3, N)]


@pytest.fixture(scope="module")
def health():
    frame = pd.DataFrame(
        {
            "size": SIZE,
            "copy": SIZE,
            "grown": np.exp(SIZE),
            "gaps": np.where(np.arange(N) < 20, np.nan, SIZE),
            "town": TOWN,
            "town again": TOWN,
            "code": pd.Series(TOWN).map({"York": 2, "Bath": 1}).fillna(7).astype(int),
            "flat": np.ones(N),
            "empty": np.full(N, np.nan),
            "half": np.where(np.arange(N) < 100, 1.0, np.nan),
            "zero": np.where(np.arange(N) < 100, 0.0, 1.0),
            "minus zero": np.where(np.arange(N) < 100, -0.0, 1.0),
            "id": [f"row {i}" for i in range(N)],
        }
    )
    return data_health(as_table(frame), code_target(np.repeat(["a", "b", "c"], [150, 45, 5])))


def cell(health, name, column):
    return health.columns.set_index("name").loc[name, column]


def test_kinds_missing_and_distinct(health):
    assert cell(health, "size", "kind") == "numeric"
    assert cell(health, "town", "kind") == "category"
    assert cell(health, "gaps", "missing") == 20
    assert cell(health, "town", "missing") == sum(town is None for town in TOWN)
    assert cell(health, "town", "distinct") == 2
    assert cell(health, "size", "distinct") == N
    assert cell(health, "size", "levels") == 5
    assert cell(health, "size", "bins") == "5 equal-frequency bins"
    assert cell(health, "gaps", "levels") == 6  # five bins and the missing


def test_constants(health):
    flat = health.columns.loc[health.columns["constant"], "name"].tolist()
    assert flat == ["flat", "empty"]  # not "half": there or not there is a difference


def test_copies(health):
    pairs = health.columns.set_index("name")["duplicate_of"]
    assert pairs[pairs != ""].to_dict() == {"copy": "size", "town again": "town", "minus zero": "zero"}
    assert cell(health, "grown", "remark") == "same order as size"
    assert cell(health, "code", "remark") == "same levels as town"
    assert cell(health, "half", "remark") == ""
    assert cell(health, "zero", "remark") == "same levels as half"
    assert cell(health, "id", "remark") == "row number or identifier"
    assert cell(health, "copy", "remark") == ""


def test_classes_and_notes(health):
    assert health.classes.values.tolist() == [["a", 150, 0.75], ["b", 45, 0.225], ["c", 5, 0.025]]
    assert health.notes == (
        "missing values in 5 columns (gaps, town, town again, empty, half)",
        "constant: 2 columns (flat, empty)",
        "copies of another column: 3 columns (copy, town again, minus zero)",
        "the class c has 5 rows",
        "classes are unbalanced: the largest has 30 times the rows of the smallest",
    )


def test_through_json(health):
    again = DataHealth.from_dict(json.loads(json.dumps(health.to_dict())))
    assert again == health
    assert (again.columns.dtypes == health.columns.dtypes).all()
    assert again != DataHealth(1, health.columns, health.classes, health.notes)


def test_bins_of_a_continuous_target():
    y = np.arange(100.0) + 0.5
    found = data_health(as_table(RANDOM.normal(size=(100, 2))), code_target(y))
    assert found.classes["count"].tolist() == [20, 20, 19, 20, 21]  # of equal width between the 1st and 99th hundredth
    assert found.classes["label"].tolist()[0].startswith("up to ")
    assert found.classes["label"].tolist()[-1].startswith("above ")
    assert found.notes == ()


@pytest.mark.parametrize(("n", "asked"), [(200, True), (40, False)])  # of few rows a column tells all by chance
def test_a_column_that_tells_the_target_is_asked_about(n, asked):
    y = np.arange(n) % 2
    frame = pd.DataFrame({"size": np.resize(SIZE, n), "refund": np.where(y == 1, 3.5, np.nan), "copy": 5 - y})
    note = "2 columns (refund, copy) each predict the target almost perfectly: possible leak"
    assert (note in data_health(as_table(frame), code_target(y)).notes) == asked
    one = data_health(as_table(frame[["size", "copy"]]), code_target(y)).notes
    assert ("'copy' alone predicts the target almost perfectly: possible leak" in one) == asked
