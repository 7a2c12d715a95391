"""describe: how each column is read and why, and what to check."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

import entropick as ep
from entropick.evaluation.near_copies import near_copies
from entropick.sources import as_table, open_source

RANDOM = np.random.default_rng(0)
N = 200


@pytest.fixture(scope="module")
def frame():
    y = RANDOM.integers(0, 2, N)
    celsius = RANDOM.normal(20, 5, N)
    frame = pd.DataFrame(
        {
            "row": np.arange(N),
            "celsius": celsius,
            "fahrenheit": 32 + 1.8 * celsius,
            "rounded": celsius.round(1),
            "cold": -celsius,
            "again": celsius,
            "one": 1,
            "town": np.array(["Ulm", "Bonn"])[RANDOM.integers(0, 2, N)],
            "paid": [f"${value:,.2f}" for value in RANDOM.uniform(1, 9999, N)],
            "since": [f"{day:02d}.03.2020" for day in RANDOM.integers(1, 29, N)],
            "refund": 5 * y,
            "y": np.array(["no", "sure"])[y],
        }
    )
    frame["gaps"] = np.where(np.arange(N) % 4 == 0, np.nan, RANDOM.normal(size=N))
    return frame


def remarks(found):
    return dict(zip(found.columns["name"], found.columns["remark"], strict=True))


def test_remarks(frame):
    found = ep.describe(frame, "y")
    assert found.target == "y"
    assert "y" not in set(found.columns["name"])
    told = remarks(found)
    assert told["row"] == "row number or identifier"
    assert told["fahrenheit"] == "same order as celsius"
    assert told["rounded"] == "almost the same order as celsius"
    assert told["cold"] == "reverse order of celsius"
    assert told["again"] == "copy of celsius"
    assert told["one"].startswith("constant")
    assert told["refund"] == "predicts the target almost perfectly"
    assert told["celsius"] == told["town"] == told["paid"] == told["gaps"] == ""
    columns = found.columns.set_index("name")
    assert columns.loc["gaps", "missing"] == 0.25
    assert columns.loc["town", "distinct"] == 2
    assert columns.loc["paid", "kind"] == columns.loc["since", "kind"] == "numeric"
    assert columns.loc["paid", "why"] == "numbers with '$'"
    assert columns.loc["since", "why"] == "dates"


def test_without_a_target(frame):
    found = ep.describe(frame)
    assert found.target is None
    assert len(found.columns) == frame.shape[1]
    assert remarks(found)["refund"] == ""
    assert json.loads(found.to_json())["rows"] == N


def test_why_of_a_file(tmp_path, frame):
    frame.to_csv(tmp_path / "a.csv", index=False)
    why = dict(ep.describe(tmp_path / "a.csv").columns[["name", "why"]].itertuples(index=False))
    assert why["paid"] == "numbers with '$'"
    assert why["since"] == "dates"
    assert why["celsius"] == "numbers"
    assert why["row"] == "whole numbers"
    assert why["town"] == "texts"
    with open_source(tmp_path / "a.csv", categorical=["refund"]) as source:
        columns = ep.describe(source).columns.set_index("name")
        assert columns.loc["refund", "why"] == "as asked"
        assert columns.loc["refund", "kind"] == "category"


def test_more_than_fits(tmp_path, frame):
    pd.concat([frame] * 100).to_csv(tmp_path / "a.csv", index=False)
    found = ep.describe(tmp_path / "a.csv", "y", memory="4MB")
    assert 1000 <= found.n_rows < 100 * N
    assert any("only the first" in note for note in found.notes)


def test_near_copies_are_those_of_spearman():
    from scipy.stats import spearmanr

    base = RANDOM.normal(size=(300, 4))
    near = base[:, 2] + 0.01 * RANDOM.normal(size=300)
    X = np.column_stack([base, base[:, 1] ** 3, near, -base[:, 0], base[:, 3] ** 2])
    found = near_copies(as_table(X))
    expected = spearmanr(X).statistic
    pairs = np.argwhere(np.tril(np.abs(expected) >= 0.99, -1)).tolist()
    truth = dict(reversed(pairs))
    assert {j: i for j, (i, _) in found.items()} == truth == {4: 1, 5: 2, 6: 0}
    for j, (i, rho) in found.items():
        assert rho == pytest.approx(expected[j, i], abs=1e-12)
