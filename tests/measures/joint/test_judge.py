"""The judge and credible sets: against regressions from rows, on noise, and on tables whose truth is known."""

from __future__ import annotations

import numpy as np
import pytest

import entropick as ep
from reference import credible as reference

METHODS = ["joint", "jmi", "cmim", "anova", "lasso", "hsic.rank", "qpfs", "cfs"]


def chain(seed: int = 0, n: int = 240, D: int = 20, rho: float = 0.9) -> tuple[np.ndarray, np.ndarray]:
    """AR(1) columns; 4 and 13 matter, the second by its square."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, D))
    for j in range(1, D):
        X[:, j] = rho * X[:, j - 1] + np.sqrt(1 - rho**2) * X[:, j]
    return X, (X[:, 4] + X[:, 13] ** 2 - 1 + 0.5 * rng.normal(size=n) > 0).astype(int)


def test_weights_are_those_of_regressions_from_rows():
    X, y = chain()
    found = ep.select(X, y, method="joint", k="auto")
    picks = found.indices.tolist()
    assert len(picks) >= 2
    for pick, one in zip(picks, found.credible_sets, strict=True):
        expected = reference.weights(X, y, picks, pick)
        np.testing.assert_allclose(
            one.weights, expected[list(one.indices)], atol=0.02
        )  # groups are whole numbers to 127
        assert sum(expected[list(one.indices)]) >= 0.93


def test_a_lead_over_look_alikes_counts_for_less_beside_many_picks():
    X, _ = chain(n=160, D=40, rho=0.95)
    y = (X[:, 2:40:8].sum(axis=1) + 0.3 * np.random.default_rng(1).normal(size=160) > 0).astype(int)
    found = ep.select(X, y, method="joint", k="auto", interactions=False, level=0.99)
    picks = found.indices.tolist()
    assert len(picks) >= 3
    assert max(map(len, found.credible_sets)) >= 3
    for pick, one in zip(picks, found.credible_sets, strict=True):
        expected = reference.weights(X, y, picks, pick)
        np.testing.assert_allclose(one.weights, expected[list(one.indices)], atol=0.01)  # 0.02 off as plain likelihood


def test_sets_hold_the_true_columns():
    held = []
    for seed in range(6):
        X, y = chain(seed)
        held += [bool({4, 13} & set(one.indices)) for one in ep.select(X, y, method="joint", k="auto").credible_sets]
    assert len(held) >= 10
    assert np.mean(held) > 0.9


@pytest.mark.parametrize("method", METHODS)
def test_noise_is_left_alone_by_every_method(method):
    hits = 0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        hits += len(ep.select(rng.normal(size=(120, 10)), np.arange(120) % 2, method=method, k="auto")) > 0
    assert hits <= 4  # 5 % of 20; more than four has the chance 0.003


def test_rare_levels_and_rare_classes_are_left_alone():
    hits = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        X = rng.choice(6, (200, 200), p=[0.9, 0.05, 0.02, 0.01, 0.01, 0.01])
        y = rng.choice(3, 200, p=[0.8, 0.15, 0.05])
        hits += len(ep.select(X, y, method="joint", k="auto", interactions=False)) > 0
    assert hits <= 8  # 5 % of 60; more than eight has the chance 0.003


def test_p_values_of_noise_are_uniform_enough():
    p = []
    for seed in range(60):
        X, y = chain(seed, n=300, rho=0.0)
        p += ep.select(X, y, method="joint", k=4, include=[4, 13, 0, 9]).p_values[2:].tolist()
    assert 0.01 < np.mean(np.array(p) < 0.05) < 0.12
    assert 0.35 < np.mean(p) < 0.7


def test_a_copy_shares_the_weight_and_columns_may_be_permuted():
    X, y = chain(rho=0.0)
    twice = np.column_stack([X, X[:, 4]])
    found = ep.select(twice, y, method="joint", k="auto")
    one = next(s for s in found.credible_sets if 4 in s.indices)
    assert set(one.indices) == {4, 20}
    assert one.weights[0] == pytest.approx(one.weights[1], rel=1e-6)
    assert one.purity == pytest.approx(1.0, abs=1e-6)
    order = np.random.default_rng(1).permutation(20)
    there = ep.select(X[:, order], y, method="joint", k="auto").credible_sets
    here = ep.select(X, y, method="joint", k="auto").credible_sets
    assert {frozenset(order[list(s.indices)].tolist()) for s in there} == {frozenset(s.indices) for s in here}


def test_weight_two_is_the_row_twice():
    X, y = chain()
    w = np.arange(len(y)) % 3
    a = ep.select(X, y, method="joint", k="auto", sample_weight=w)
    b = ep.select(np.repeat(X, w, axis=0), np.repeat(y, w), method="joint", k="auto")
    assert a.indices.tolist() == b.indices.tolist()
    assert [s.indices for s in a.credible_sets] == [s.indices for s in b.credible_sets]


def test_a_fixed_k_tells_neighbours_from_news():
    X, y = chain()
    found = ep.select(X, y, method="jmi", k=8, level=0.9)
    assert ep.Selection.from_json(found.to_json()) == found
    real = [step for step in found if step.status != "not distinguishable from noise"]
    assert real
    assert all(step.credible_set.names and step.p_value < 0.01 for step in real)
    assert all(step.credible_set.level == 0.9 for step in found)
    assert sum(step.status == "not distinguishable from noise" for step in found) >= 3
    assert ep.select(X, y, method="jmi", k=8).credible_sets == ()
