"""Stability selection and consensus: the bound holds in simulation, copies are told, rare picks are not hidden."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.feature_selection import SelectKBest, f_classif
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

import comparisons
from entropick import InvalidParameter, StableSelector, compare
from entropick.evaluation.consensus import consensus, wilson
from entropick.evaluation.stable import complementary_pairs_bound, halves


def planted(seed, n=200, p=60, true=4, effect=1.0):
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, p))
    y = (X[:, :true].sum(1) * effect + random.normal(size=n) > 0).astype(int)
    return X, y


def test_the_bounds_by_hand():
    """Shah & Samworth (2013), theorem 2 and equation 7, with numbers put in."""
    assert complementary_pairs_bound(7, 100, 0.9, 50, "worst case") == pytest.approx(49 / (0.8 * 100))
    assert complementary_pairs_bound(7, 100, 0.9, 50) == pytest.approx(4 * (0.1 + 0.01) / 1.02 * 49 / 100)
    assert complementary_pairs_bound(7, 100, 0.6, 50) == pytest.approx(0.49 / (2 * (0.2 - 0.01)))


@pytest.mark.parametrize("threshold", [0.6, 0.75, 0.9])
def test_the_bound_holds(threshold):
    """False picks over 12 draws, on average, with all the noise that the method likes to choose."""
    false = []
    for seed in range(12):
        X, y = planted(seed)
        found = StableSelector("mim", k=8, threshold=threshold, n_pairs=15, random_state=seed).fit(X, y)
        false.append(found.get_support()[4:].sum())
    assert np.mean(false) <= found.bound_
    assert found.bound_ < 8 * 8 / 60 / (2 * threshold - 1)


def test_what_is_real_is_found():
    X, y = planted(0, n=600, effect=2.0)
    found = StableSelector("jmi", max_false=1.0, n_pairs=20, random_state=0).fit(pd.DataFrame(X).rename(columns=str), y)
    assert found.get_support(indices=True)[:4].tolist() == [0, 1, 2, 3]
    assert found.bound_ <= 1.0
    assert (found.status_[:4] == "confirmed").all()
    assert found.transform(pd.DataFrame(X).rename(columns=str)).shape[1] == found.get_support().sum()


def test_foreign_and_two_processes():
    X, y = planted(1)
    one = StableSelector(SelectKBest(f_classif), k=6, n_pairs=5, random_state=3).fit(X, y)
    two = StableSelector(SelectKBest(f_classif), k=6, n_pairs=5, random_state=3, n_jobs=2).fit(X, y)
    np.testing.assert_array_equal(one.frequencies_, two.frequencies_)
    assert make_pipeline(one, LogisticRegression()).fit(X, y).score(X, y) > 0.7


def test_halves_share_no_row():
    from entropick.coding import code_target

    target = code_target(np.array([0] * 7 + [1] * 6))
    pairs = halves(target, 3, np.random.default_rng(0))
    for first, second in zip(pairs[::2], pairs[1::2], strict=True):
        assert sorted([*first, *second]) == list(range(13))
        assert abs(len(first) - len(second)) <= 2


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"threshold": 0.5}, "above 0.5"),
        ({"k": 99}, "from 1 to 60"),
        ({"bound": "none"}, "unimodal"),
        ({"max_false": 0}, "above 0"),
    ],
)
def test_what_is_refused(settings, words):
    X, y = planted(0)
    with pytest.raises(InvalidParameter, match=words):
        StableSelector("mim", n_pairs=2, **settings).fit(X, y)


@parametrize_with_checks([StableSelector("mim", k=1, n_pairs=2, random_state=0)])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def test_texts_and_gaps_pass_through():
    X, y = planted(0, n=120, p=3)
    frame = pd.DataFrame(X, columns=list("abc")).assign(colour=np.where(y, "red", "blue"))
    frame.loc[::5, "b"] = np.nan
    found = StableSelector("mim", k=1, n_pairs=4, random_state=0).fit(frame, y)
    assert found.get_feature_names_out().tolist() == ["colour"]
    assert found.set_output(transform="pandas").transform(frame)["colour"].equals(frame["colour"])


# -- consensus -----------------------------------------------------------------------------------------------


def test_wilson_beside_statsmodels_formula():
    from scipy.stats import binomtest

    low, high = wilson(7 / 12, 12)
    expected = binomtest(7, 12).proportion_ci(method="wilson")
    assert (low, high) == pytest.approx((expected.low, expected.high))


def test_consensus_by_hand():
    found = comparisons.comparison()
    table = found.consensus(2, "jmi")
    assert table["name"].tolist() == ["age", "height", "weight"]
    assert table["frequency"].tolist() == [1.0, 0.75, 0.25]
    assert table["status"].tolist() == ["confirmed", "tentative", "tentative"]  # 4 resamples say no more
    everybody = consensus(found, 2)
    assert everybody.set_index("name")["frequency"]["age"] == pytest.approx((0 + 1 + 0.75) / 3 + 0.25 / 3)


def test_copies_are_substitutes_and_rare_picks_are_told():
    random = np.random.default_rng(0)
    X = random.normal(size=(120, 8))
    y = (X[:, 2] > 0).astype(int)
    X[:, 5] = X[:, 2]
    X = np.round(X, 2)
    found = compare(X, y, "mim", k=[2, 5], cv=3, repeats=2, estimators="nearest mean")
    table = found.consensus(2).set_index("feature")
    assert table.loc[2, "substitutes"] == "x5"
    assert table.loc[5, "substitutes"] == "x2"
    assert table.loc[2, "status"] == "confirmed"
    five = found.consensus(5, "mim").set_index("name")["frequency"]
    told = " ".join(found.notes)
    for name in found.features:
        assert (f"{name} (" in told) == (five.get(name, 0) < 0.5 and found.best().k == 5)


def test_differences():
    found = comparisons.comparison()
    table = found.differences(4, "3-NN")
    assert table[["method", "other"]].to_numpy().tolist() == [["mim", "jmi"], ["mim", "mrmr"], ["jmi", "mrmr"]]
    np.testing.assert_allclose(table["difference"], [0.04, 0.02, -0.02])
    np.testing.assert_allclose(table[["better", "equivalent", "worse"]].sum(axis=1), 1)
    assert (table["worse"].iloc[:2] > 0.9).all()
