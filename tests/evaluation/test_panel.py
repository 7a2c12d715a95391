"""ep.panel: which classes a set of features tells apart."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import roc_auc_score

import entropick as ep
from entropick.evaluation.panel import _auc, _each


def cells() -> tuple[pd.DataFrame, np.ndarray]:
    """Four types: g0 tells A, g1 tells B; C and D differ in nothing."""
    random = np.random.default_rng(0)
    y = np.repeat(["A", "B", "C", "D"], 60)
    X = pd.DataFrame(random.normal(size=(240, 5)), columns=[f"g{j}" for j in range(5)])
    X["g0"] += 4.0 * (y == "A")
    X["g1"] -= 4.0 * (y == "B")
    return X, y


def test_uncovered_pairs_are_named() -> None:
    X, y = cells()
    found = ep.panel(X, y, ["g0", "g1", "g2"])
    assert found.uncovered == [("C", "D")]
    auc = found.pairs.set_index(["first", "second"])
    assert auc.loc[("A", "B"), "auc"] > 0.99
    assert abs(auc.loc[("C", "D"), "auc"] - 0.5) < 0.15  # nothing tells them apart: rows are held out
    assert auc.loc[("A", "C"), "best"] == "g0"
    own = found.classes.set_index("class")
    assert own.loc["A", "speaks"].startswith("g0 +")
    assert own.loc["B", "speaks"].startswith("g1 −")
    assert own.loc["C", "nearest"] == "D"
    assert found.curve["k"].tolist() == [1, 2, 3]
    assert found.curve["uncovered"].tolist() == [3, 1, 1]
    assert "not told apart (AUC below 0.9)" in found.explain()
    assert "C – D" in found.explain()


def test_auc_is_that_of_scikit_learn() -> None:
    X, y = cells()
    first, second = y == "A", y == "C"
    both = first | second
    values = X.round(1).to_numpy()  # with ties
    for j, auc in enumerate(_each(values, first, second)):
        assert auc == pytest.approx(roc_auc_score(first[both], values[both, j]))
        assert _auc(values[:, j], first, second) == pytest.approx(auc)


def test_a_selection_and_an_existing_panel_are_scored_alike() -> None:
    X, y = cells()
    chosen = ep.select(X, y, k=2)
    assert ep.panel(X, y, chosen).pairs.equals(ep.panel(X, y, chosen.names).pairs)
    compared = ep.compare(X, y, {"joint": "joint", "ours": ["g3", "g4"]}, k=[2], repeats=1, cv=3)
    error = compared.curves().groupby("method")["mean"].min()
    assert error["joint"] < error["ours"]


def test_a_class_of_one_row_is_not_known() -> None:
    X, y = cells()
    y = y.copy()
    y[-59:] = "C"
    found = ep.panel(X, y, ["g0", "g1"])
    assert np.isnan(found.pairs.set_index(["first", "second"]).loc[("A", "D"), "auc"])
    assert ("A", "D") in found.uncovered


def test_picture() -> None:
    pytest.importorskip("matplotlib").use("Agg")
    X, y = cells()
    shown = ep.displays.PanelDisplay.from_panel(ep.panel(X, y, ["g0", "g1"])).plot()
    assert len(shown.frame()) == 6
    assert [text.get_text() for text in shown.ax_.texts] == [
        f"{ep.panel(X, y, ['g0', 'g1']).pairs['auc'].iloc[-1]:.2f}"
    ]


@pytest.mark.parametrize(
    ("features", "least", "word"),
    [(["g9"], 0.9, "no column 'g9'"), ([], 0.9, "at least one"), (["g0"], 0.2, "between 0.5 and 1")],
)
def test_unfit(features: list[str], least: float, word: str) -> None:
    X, y = cells()
    with pytest.raises((ep.InvalidParameter, ep.InvalidInput), match=word):
        ep.panel(X, y, features, least=least)
