"""How many features there are in the end, where that is not what was asked for."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import entropick as ep
from entropick.errors import InvalidInput, InvalidParameter


@pytest.fixture(scope="module")
def noise():
    random = np.random.default_rng(0)
    return pd.DataFrame(random.normal(size=(60, 3)), columns=list("abc")), np.arange(60) % 2


@pytest.fixture(scope="module")
def numbered():
    """One column that follows the target, one that numbers the rows, one id of texts, one constant."""
    random = np.random.default_rng(1)
    y = random.integers(0, 2, 80)
    return pd.DataFrame(
        {
            "signal": y + random.normal(scale=0.3, size=80),
            "Row_No": np.arange(1, 81),
            "who": [f"p{i}" for i in range(80)],
            "same": 1.0,
            "y": y,
        }
    )


def test_k_above_the_number_of_features_takes_all(noise):
    found = ep.select(*noise, method="mim", k=9)
    assert sorted(found.names) == ["a", "b", "c"]
    assert "k = 9 is above the 3 features available, so all are selected" in found.notes


@pytest.mark.parametrize("method", ["jmi", "joint"])
def test_row_numbers_and_ignored_columns_are_never_chosen(numbered, method):
    found = ep.select(numbered, "y", method=method, k=4)
    assert found.names == ["signal"]
    assert any("'Row_No'" in note and "ignored unless named with include" in note for note in found.notes)
    asked = ep.select(numbered, "y", method=method, k=2, include=["Row_No"])
    assert asked.names == ["Row_No", "signal"]


def test_rows_without_a_target_are_left_out(numbered):
    y = numbered["y"].astype(object)
    y[[3, 9]] = None
    X = numbered[["signal", "same"]]
    found = ep.select(X.assign(y=y), "y", method="jmi", k=1)
    known = y.notna()
    expected = ep.select(X[known], y[known].astype(int), method="jmi", k=1)
    assert found.scores.tolist() == expected.scores.tolist()
    assert "2 of 80 rows left out: no value of 'y'" in found.notes
    with pytest.raises(InvalidInput, match="contains NaN"):
        ep.select(X, y, method="jmi", k=1)


def test_nothing_chosen_is_an_error_with_its_remedy(noise):
    X, y = noise
    with pytest.raises(InvalidInput, match="pass k_min=1"):
        ep.Selector("jmi", k_min=0).fit(X, y).transform(X)
    chosen = ep.Selector("jmi", k_min=1).fit(X, y)
    best = ep.select(X, y, method="jmi", k=1)
    assert chosen.selection_.names == best.names
    assert any("k_min=1" in note for note in chosen.selection_.notes)
    with pytest.raises(InvalidParameter, match="k_min: must be an integer of at least 0"):
        ep.select(X, y, k_min=-1)
