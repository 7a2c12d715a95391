"""Lifting by the kernel is what the plain formulas give."""

from __future__ import annotations

import numpy as np
import pytest

from entropick.coding.byte_coder import fit_numbers
from entropick.coding.byte_rules import LabelGroups, NumberGroups
from entropick.coding.lifted import COARSE, lift
from reference.binning import quantile_edges
from reference.lifted import LARGEST, indicators, polynomials


@pytest.mark.parametrize("groups", [9, 40, 255])
@pytest.mark.parametrize("gone", [False, True])
@pytest.mark.parametrize("itself", [False, True])
def test_numbers_are_lifted_into_orthonormal_polynomials(groups, gone, itself):
    random = np.random.default_rng(groups)
    mass = random.integers(1, 30, groups).astype(float)
    value = np.sort(random.exponential(size=groups)) * 1e6
    present = mass.copy()
    rule = NumberGroups(np.arange(groups - 1.0), groups if gone else -1, groups)
    if gone:
        mass, value = np.append(mass, 7.0), np.append(value, 0.0)
        present = np.append(present, 0.0)
    lifting = lift([rule], mass, mass * value if itself else None)
    curves, ranks = polynomials(present[None], value[None] if itself else None)
    expected = curves[:, 0]
    if gone:
        expected = np.vstack([expected, np.where(np.arange(groups + 1) == groups, LARGEST, 0)])
    assert np.abs(lifting.table(0).astype(int) - expected).max() <= 1  # a half may be rounded either way
    assert np.mean(lifting.table(0) != expected) < 0.01
    assert lifting.degrees.tolist() == [1, 2, 3] + [1] * itself + [1] * gone
    assert np.array_equal(lifting.coarse[:groups], np.minimum(ranks[0, :groups] * COARSE, COARSE - 1).astype(int))


@pytest.mark.parametrize("seed", range(20))
def test_few_levels_are_lifted_into_indicators(seed):
    random = np.random.default_rng(seed)
    groups = int(random.integers(1, 8))
    mass = random.integers(0, 12, groups).astype(float)
    mass[random.integers(groups)] += 10
    gone = bool(seed % 2)
    rule = LabelGroups(tuple("abcdefgh"[:groups]), -1, groups if gone else -1)
    held = np.append(mass, 9.0) if gone else mass
    lifting = lift([rule], held)
    expected, level = indicators(mass)
    table = lifting.table(0)[: len(expected)]
    assert np.array_equal(table[:, :groups], expected)
    assert np.array_equal(lifting.coarse[:groups], level)
    assert len(lifting.table(0)) == len(expected) + gone
    if gone:
        assert table[:, groups].max(initial=0) == 0
        assert lifting.table(0)[-1].tolist() == [0] * groups + [LARGEST]


def test_a_function_that_groups_cannot_tell_from_others_is_left_out():
    rule = NumberGroups(np.arange(8.0), -1, 9)
    value = np.arange(9.0)  # linear in ranks where groups are of equal weight
    assert len(lift([rule], np.full(9, 10.0), 10 * value).table(0)) == 3


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(
    ("n", "digits", "missing"), [(1, 3, 0), (300, 9, 0), (5000, 2, 0), (5000, 9, 0.3), (700, 0, 0.9)]
)
def test_groups_of_numbers_are_cut_at_their_definition(dtype, n, digits, missing):
    random = np.random.default_rng(n)
    values = random.normal(size=n).round(digits).astype(dtype)
    values[random.random(n) < missing] = np.nan
    rule, gone = fit_numbers(values, None)
    held = values[~np.isnan(values)].astype(float)
    distinct = np.unique(held)
    room = 256 - (gone > 0)
    few = len(distinct) <= room
    expected = distinct[:-1] if few else quantile_edges(held.tolist(), room)
    assert gone == n - len(held)
    assert rule.distinct == (len(distinct) if few else 257)
    np.testing.assert_array_equal(rule.edges, expected)
    assert rule.missing == (len(expected) + 1 if gone else -1)


def test_an_edge_at_the_largest_value_moves_below_it():
    values = np.append(np.linspace(0, 1, 1000), np.full(1000, 2.0))
    rule, _ = fit_numbers(values, None)
    assert rule.edges[-1] == 1.0
    np.testing.assert_array_equal(rule.edges, quantile_edges(values.tolist(), 256))
