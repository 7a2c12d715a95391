"""Stability indices: hand-made cases, published properties, and an independent implementation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from entropick.errors import InvalidInput, InvalidParameter
from entropick.evaluation.stability import (
    information_consistency,
    kuncheva,
    nogueira,
    nogueira_difference,
    overlap,
    symmetric_uncertainty,
)
from reference import stability as reference


@st.composite
def equal_sets(draw):
    n = draw(st.integers(3, 9))
    k = draw(st.integers(1, n - 1))
    number = draw(st.integers(2, 5))
    return [draw(st.permutations(range(n)))[:k] for _ in range(number)], n


@st.composite
def unequal_sets(draw):
    n = draw(st.integers(3, 7))
    sets = draw(st.lists(st.sets(st.integers(0, n - 1), min_size=1, max_size=n - 1), min_size=2, max_size=5))
    return [sorted(one) for one in sets], n


def random_sets(number, k, n, seed=0):
    random = np.random.default_rng(seed)
    return [random.choice(n, k, replace=False) for _ in range(number)]


# -- Kuncheva ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sets", "n", "value"),
    [
        ([[0, 1, 2], [2, 1, 0]], 10, 1.0),
        ([[0, 1], [2, 3]], 4, -1.0),  # disjoint, nothing left out: as unlike as can be
        ([[0, 1], [1, 2]], 4, 0.0),  # one in common is what chance gives
        ([[0, 1, 2, 3], [0, 1, 2, 9]], 10, (3 * 10 - 16) / (4 * 6)),
    ],
)
def test_kuncheva_by_hand(sets, n, value):
    assert kuncheva(sets, n).value == pytest.approx(value, abs=1e-15)


@given(equal_sets())
def test_kuncheva_is_the_definition_and_bounded(case):
    sets, n = case
    found = kuncheva(sets, n).value
    assert found == pytest.approx(reference.kuncheva(sets, n), abs=1e-12)
    assert -1.0 - 1e-12 <= found <= 1.0 + 1e-12


def test_kuncheva_refuses_sets_of_two_sizes():
    with pytest.raises(InvalidInput, match=r"of equal size, got \[1, 2\]; use nogueira"):
        kuncheva([[0, 1], [0]], 5)


@given(unequal_sets())
def test_overlap_is_the_correlation_of_membership(case):
    sets, n = case
    a, b = (np.array(one) for one in sets[:2])
    held = np.zeros((2, n))
    held[0, a] = held[1, b] = 1.0
    assert overlap(a, b, n) == pytest.approx(np.corrcoef(held)[0, 1], abs=1e-12)


@pytest.mark.parametrize("index", [kuncheva, nogueira])
def test_chance_is_zero(index):
    """4 950 pairs of 100 random sets; the mean of a pair's index has standard deviation about 0.002."""
    assert abs(index(random_sets(100, 5, 40), 40).value) < 0.01


# -- information consistency ---------------------------------------------------------------------------------


@given(unequal_sets(), st.integers(0, 100))
@settings(max_examples=40)
def test_consistency_is_the_best_pairing(case, seed):
    sets, n = case
    similarity = np.random.default_rng(seed).random((n, n))
    similarity = (similarity + similarity.T) / 2
    found = information_consistency(sets, similarity).value
    assert found == pytest.approx(reference.information_consistency(sets, similarity), abs=1e-12)
    assert 0.0 <= found <= 1.0


def test_a_redundant_copy_is_as_good():
    """Two sets without a common feature that say the same, which only this index sees."""
    random = np.random.default_rng(0)
    X = random.integers(0, 3, size=(500, 3))
    X = np.hstack([X, (X + 1) % 3])
    sets = [[0, 1, 2], [3, 4, 5]]
    assert information_consistency(sets, symmetric_uncertainty(X)).value == pytest.approx(1.0)
    assert kuncheva(sets, 6).value == pytest.approx(-1.0)


def test_symmetric_uncertainty_by_hand():
    """x uniform on 4, z its half: I = log 2, H = log 4 and log 2, so SU = 2/3; a constant is like nothing else."""
    x = np.arange(40) % 4
    found = symmetric_uncertainty(np.column_stack([x, x // 2, np.zeros(40, int)]))
    np.testing.assert_allclose(found, [[1, 2 / 3, 0], [2 / 3, 1, 0], [0, 0, 1]], atol=1e-12)


# -- Nogueira ------------------------------------------------------------------------------------------------


@given(unequal_sets())
def test_nogueira_is_the_definition(case):
    sets, n = case
    value, variance = reference.nogueira(sets, n)
    found = nogueira(sets, n)
    assert found.value == pytest.approx(value, abs=1e-10)
    assert found.variance == pytest.approx(variance, abs=1e-10)
    assert found.value <= 1.0 + 1e-12


@given(equal_sets())
def test_nogueira_is_kuncheva_for_equal_sizes(case):
    sets, n = case
    assert nogueira(sets, n).value == pytest.approx(kuncheva(sets, n).value, abs=1e-12)


PRESENCE = np.linspace(0.05, 0.95, 30)  # feature f is in a set with probability p_f


def drawn(p, seed, number=50):
    return [np.flatnonzero(row) for row in np.random.default_rng(seed).random((number, p.size)) < p]


def test_the_interval_covers_the_truth_and_the_test_keeps_its_level():
    """Φ = 1 − mean p(1 − p) / (p̄ (1 − p̄)) is known here: 95 % of the intervals have it, 5 % of the tests reject it."""
    p = PRESENCE
    truth = 1.0 - np.mean(p * (1 - p)) / (p.mean() * (1 - p.mean()))
    found = [nogueira(drawn(p, seed), 30, against=truth) for seed in range(400)]
    covered = np.mean([one.low <= truth <= one.high for one in found])
    rejected = np.mean([one.p_value < 0.05 for one in found])
    assert 0.92 < covered < 0.98
    assert rejected == pytest.approx(1 - covered)


def test_chance_is_rarely_rejected():
    """Random sets have Φ = 0; the estimate's first-order variance vanishes there, so the test is careful."""
    p_values = [nogueira(random_sets(60, 8, 30, seed), 30).p_value for seed in range(400)]
    assert np.mean(np.array(p_values) < 0.05) < 0.07


def test_the_test_of_two_keeps_its_level_and_sees_a_difference():
    mixed, sharp = PRESENCE, np.repeat([0.05, 0.95], 15)
    equal = [nogueira_difference(drawn(mixed, s), drawn(mixed, 1000 + s), 30).p_value for s in range(300)]
    assert 0.01 < np.mean(np.array(equal) < 0.05) < 0.11
    other = nogueira_difference(drawn(sharp, 0), drawn(mixed, 1), 30)
    assert other.p_value < 1e-6
    assert 0 < other.low < other.value < other.high


def test_equal_sets_leave_no_doubt():
    found = nogueira([[0, 1]] * 5, 6)
    assert (found.value, found.low, found.high, found.p_value) == (1.0, 1.0, 1.0, 0.0)
    assert nogueira([[0, 1]] * 5, 6, against=1.0).p_value == 1.0


def test_all_features_are_no_choice():
    for index in (kuncheva, nogueira):
        assert np.isnan(index([[0, 1, 2], [2, 1, 0]], 3).value)
    assert float(information_consistency([[0, 1], [1, 0]], np.eye(2))) == 1.0


# -- what is refused -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sets", "n", "error", "said"),
    [
        ([[0]], 3, InvalidInput, "at least two sets, got 1"),
        ([[0, 0], [1, 2]], 3, InvalidInput, "a repeat in set 0"),
        ([[0], [3]], 3, InvalidInput, "got 3 in set 1"),
        ([[0], [-1]], 3, InvalidInput, "got -1 in set 1"),
        ([["a"], ["b"]], 3, InvalidInput, "column numbers"),
        ([[0], [1]], 0, InvalidParameter, "n_features"),
    ],
)
def test_bad_sets(sets, n, error, said):
    for index in (kuncheva, nogueira):
        with pytest.raises(error, match=said):
            index(sets, n)


def test_bad_settings():
    with pytest.raises(InvalidParameter, match="confidence"):
        nogueira([[0], [1]], 3, confidence=1.0)
    with pytest.raises(InvalidInput, match="square"):
        information_consistency([[0], [1]], np.ones((2, 3)))
