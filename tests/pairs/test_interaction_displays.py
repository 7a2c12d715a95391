"""Pictures of interactions: the numbers they hold, and what of them is drawn."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import entropick as ep
from entropick.displays import BestPairDisplay, InteractionNetworkDisplay

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402


@pytest.fixture(autouse=True)
def _closed():
    yield
    pyplot.close("all")


@pytest.fixture(scope="module")
def table():
    random = np.random.default_rng(0)
    X = pd.DataFrame(random.integers(0, 2, (800, 6)), columns=list("abcdef"))
    return X, np.where((X.a ^ X.b ^ (random.random(800) < 0.1)).astype(bool), "yes", "no")


def test_a_network_has_a_line_for_every_significant_pair(table):
    found = ep.interactions(*table)
    display = InteractionNetworkDisplay.from_interactions(found).plot()
    assert [tuple(ends) for ends in display.frame()[["feature_1", "feature_2"]].to_numpy()] == [("a", "b")]
    assert display.frame().synergy.tolist() == [found.pairs[0].synergy]
    assert len(display.ax_.lines) == 1
    assert {"a", "b"} <= {text.get_text() for text in display.ax_.texts}
    assert np.isfinite(display.places()).all()


def test_nothing_significant_is_told(table):
    X, y = table
    noise = ep.interactions(X[["c", "d", "e"]], y)
    with pytest.raises(ep.InvalidInput, match="none of 3 is significant"):
        InteractionNetworkDisplay.from_interactions(noise)


def test_the_best_pair_shows_shares_of_a_class_by_hand(table):
    X, y = table
    display = BestPairDisplay.from_interactions(ep.interactions(X, y)).plot()
    by_hand = pd.Series(y == "yes").groupby([X.a, X.b]).agg(["size", "mean"])
    assert display.what == "share of yes"
    assert display.rows.reshape(-1).tolist() == by_hand["size"].tolist()
    assert display.values.reshape(-1) == pytest.approx(by_hand["mean"].to_numpy())
    assert display.frame().columns.tolist() == ["a", "b", "rows", "share of yes"]
    no = BestPairDisplay.from_interactions(ep.interactions(X, y), label="no")
    assert no.values == pytest.approx(1 - display.values)
    with pytest.raises(ep.InvalidInput, match="label: must be one of no, yes"):
        BestPairDisplay.from_interactions(ep.interactions(X, y), label="maybe")


def test_a_number_is_shown_by_its_mean(table):
    X, _ = table
    random = np.random.default_rng(1)
    y = 3.0 * (X.c ^ X.d) + random.normal(size=len(X))
    display = BestPairDisplay.from_interactions(ep.interactions(X, y.to_numpy()))
    assert display.features == ["c", "d"]
    assert display.values.reshape(-1) == pytest.approx(y.groupby([X.c, X.d]).mean().to_numpy())
