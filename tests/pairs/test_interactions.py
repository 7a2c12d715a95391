"""`interactions` from end to end: what it finds, what it says, what it refuses."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

import entropick as ep


@pytest.fixture(scope="module")
def mixed():
    """A pair of categories, one of numbers, one of both, for three targets; strong effects of single columns."""
    random = np.random.default_rng(0)
    n = 900
    frame = pd.DataFrame({f"n{j}": random.normal(size=n) for j in range(8)})
    for j in range(4):
        frame[f"c{j}"] = random.choice(["red", "green", "blue"], n)
    red = (frame.c0 == "red") ^ (frame.c1 == "blue")
    return frame, {
        "categories": np.where(red ^ (random.random(n) < 0.2), "yes", "no"),
        "numbers": (frame.n0 * frame.n1 + 0.5 * random.normal(size=n) > 0).astype(int),
        "both": np.where(frame.c2 == "red", frame.n2, -frame.n2) + 2 * frame.n5 + random.normal(size=n),
    }


def test_a_pair_of_each_kind_is_found_and_nothing_else(mixed):
    frame, targets = mixed
    for kind, pair, test in (
        ("categories", ("c0", "c1"), "levels"),
        ("numbers", ("n0", "n1"), "products"),
        ("both", ("n2", "c2"), "products"),
    ):
        found = ep.interactions(frame, targets[kind])
        assert found.tests == 66
        assert [one.features for one in found.significant] == [pair]
        assert found.pairs[0].test == test
        assert found.pairs[0].synergy > 5 * max(found.pairs[0].main_effects[:1])


def test_the_frame(mixed):
    frame, targets = mixed
    found = ep.interactions(frame, targets["categories"], top=12)
    told = found.to_frame()
    assert list(told.columns[:7]) == ["feature_1", "feature_2", "synergy", "statistic", "df", "p_value", "p_adjusted"]
    assert len(told) == 12
    assert told.p_value.is_monotonic_increasing
    assert 1 <= told.p_adjusted.iloc[0] / (66 * told.p_value.iloc[0]) < 1e3  # thin cells are allowed for
    shares = np.bincount(pd.factorize(targets["categories"])[0]) / 900
    assert told.share.iloc[0] == pytest.approx(told.synergy.iloc[0] / -(shares * np.log(shares)).sum())


def test_json_gives_an_equal_answer_back(mixed):
    frame, targets = mixed
    for kind in targets:
        found = ep.interactions(frame, targets[kind], top=5)
        assert ep.Interactions.from_json(found.to_json()) == found
        assert "c0" in found._repr_html_() or "n" in found._repr_html_()
    assert json.loads(found.to_json())["order"] == 2
    with pytest.raises(ep.InvalidInput, match="not Interactions"):
        ep.Interactions.from_json("{}")


def test_missing_values_are_a_level_or_refused():
    random = np.random.default_rng(3)
    X = pd.DataFrame({"a": random.integers(0, 2, 600).astype(float), "b": random.normal(size=600)})
    X["c"] = random.normal(size=600)
    gone = random.random(600) < 0.4
    X.loc[gone, "a"] = np.nan
    y = (gone ^ (X.b > 0)).astype(int)  # whether a is missing decides what b says
    found = ep.interactions(X, y)
    assert [one.features for one in found.significant] == [("a", "b")]
    with pytest.raises(ep.InvalidInput, match="missing"):
        ep.interactions(X, y, missing="error")


def test_covariates_are_taken_out():
    random = np.random.default_rng(4)
    n = 1500
    X = random.normal(size=(n, 5))
    z = X[:, 0] * X[:, 1]  # a covariate that is the whole interaction
    y = 2 * z + random.normal(size=n)
    assert [one.columns for one in ep.interactions(X, y).significant] == [(0, 1)]
    assert ep.interactions(X, y, given=z).significant == ()
    frame = pd.DataFrame(X, columns=list("abcde")).assign(z=z)
    named = ep.interactions(frame, y, given="z")
    assert "z" not in named.feature_names
    assert named.significant == ()
    assert ep.interactions(X, (y > 0).astype(int), given=z).significant == ()


def test_several_targets_are_judged_together():
    random = np.random.default_rng(5)
    X = random.normal(size=(800, 12))
    Y = random.normal(size=(800, 2))
    Y[:, 1] += X[:, 4] * X[:, 9]
    assert [one.columns for one in ep.interactions(X, Y).significant] == [(4, 9)]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"order": 4}, "order: must be 2"),
        ({"top": 0}, "top: must be"),
        ({"alpha": 1.0}, "alpha: must be"),
        ({"missing": "drop"}, "missing: must be"),
        ({"given": "nowhere"}, "given: X has no column"),
        ({"given": np.ones(3)}, "given: must have one row"),
        ({"n_jobs": 0}, "n_jobs: must be"),
    ],
)
def test_what_is_refused(arguments, words):
    X = np.random.default_rng(0).normal(size=(50, 3))
    with pytest.raises(ep.InvalidParameter, match=words):
        ep.interactions(X, np.arange(50) % 2, **arguments)


def test_one_column_has_no_pair():
    with pytest.raises(ep.InvalidInput, match="at least 2 columns"):
        ep.interactions(np.arange(20.0).reshape(-1, 1), np.arange(20) % 2)
