"""joint with pairs: what speaks only together is chosen together, and the Selection says so."""

from __future__ import annotations

import numpy as np
import pytest

import entropick as ep


@pytest.fixture(scope="module")
def xor():
    random = np.random.default_rng(0)
    X = random.normal(size=(600, 30))
    X[:, 10:] = random.integers(0, 3, (600, 20))
    return X, random


def test_two_numbers_whose_product_is_the_class(xor):
    X, random = xor
    y = (X[:, 2] * X[:, 7] + 0.3 * random.normal(size=600) > 0).astype(int)
    found = ep.select(X, y, method="joint", k=2)
    assert set(found.indices.tolist()) == {2, 7}
    assert [step.extra["pair_with"] for step in found.steps] == [step.name for step in found.steps[::-1]]
    assert "selected as a pair with" in found.explain()
    assert set(ep.select(X, y, method="joint", k="auto").indices.tolist()) == {2, 7}
    without = ep.select(X, y, method="joint", k=2, interactions=False)
    assert set(without.indices.tolist()) != {2, 7}


@pytest.mark.parametrize("pair", [(12, 25), (4, 18)])
def test_levels_and_mixed_pairs_for_classes_and_numbers(xor, pair):
    X, random = xor
    a, b = X[:, pair[0]] > (1 if pair[0] >= 10 else 0), X[:, pair[1]] > 1
    y = (a ^ b) ^ (random.random(600) < 0.1)
    assert set(ep.select(X, y, method="joint", k=2).indices.tolist()) == set(pair)
    number = y + 0.3 * random.normal(size=600)
    assert set(ep.select(X, number, method="joint", k=2).indices.tolist()) == set(pair)


def test_a_pair_waits_where_there_is_room_for_one(xor):
    X = xor[0]
    y = (X[:, 2] * X[:, 7] > 0).astype(int)
    one = ep.select(X, y, method="joint", k=1)
    assert "pair_with" not in one.steps[0].extra
    assert 7 not in ep.select(X, y, method="joint", k=2, exclude=["x7"]).indices


def test_without_an_interaction_pairs_change_nothing():
    random = np.random.default_rng(1)
    X = random.normal(size=(400, 25))
    y = (X[:, 0] + X[:, 1] + random.normal(size=400) > 0).astype(int)
    with_pairs, without = (ep.select(X, y, method="joint", k=8, interactions=flag) for flag in (True, False))
    assert with_pairs.indices.tolist() == without.indices.tolist()
    assert with_pairs.scores == pytest.approx(without.scores, rel=1e-12)


def test_a_pair_is_confirmed_and_a_copy_of_one_of_its_columns_shares_its_place(xor):
    X, random = xor
    y = (X[:, 2] * X[:, 7] + 0.3 * random.normal(size=600) > 0).astype(int)
    found = ep.select(X, y, k="auto")
    assert [step.status for step in found] == ["confirmed", "confirmed"]
    assert (found.p_values < 1e-8).all()
    twice = np.column_stack([X, X[:, 7]])
    sets = {step.name: step.credible_set for step in ep.select(twice, y, k="auto")}
    assert set(sets) == {"x2", "x7"}
    assert set(sets["x7"].names) == {"x7", "x30"}
    assert sets["x7"].weights == pytest.approx((0.5, 0.5), abs=1e-6)
    assert set(sets["x2"].pairs) == {("x2", "x7"), ("x2", "x30")}
    assert sets["x2"].names == ("x2",)
    assert "x2 × x7 50 %" in ep.select(twice, y, k="auto").explain()


def test_pairs_that_say_the_same_are_one():
    """Ten noisy copies of each column of a pair: a hundred pairs pass the scan, one is real."""
    random = np.random.default_rng(3)
    a, b = random.normal(size=(2, 500))
    X = np.concatenate(
        [a[:, None] + 0.3 * random.normal(size=(500, 10)), b[:, None] + 0.3 * random.normal(size=(500, 10))], 1
    )
    y = (a * b > 0).astype(int)
    found = ep.select(X, y, k="auto")
    assert len(found.details["pairs"]) > 30
    assert 2 <= len(found) <= 6
    assert {j < 10 for j in found.indices.tolist()} == {True, False}
    kept = ep.Selection.from_json(found.to_json())
    assert kept == found
