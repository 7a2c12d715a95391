"""Chance in tables of many levels: against scikit-learn's expectation, plain frequencies, and what a user would see."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics.cluster import expected_mutual_information

import entropick as ep
from entropick.sources.blocks import LocalParts
from entropick.statistics.levels.adjusted import Chance, adjusted
from entropick.statistics.levels.levels import LevelStatistics
from entropick.statistics.levels.parts import PartitionedLevels

COUNTERS = ("mim", "mrmr", "jmi", "cmim", "jmim", "disr", "icap", "cife", "chi2", "infogain", "fcbf", "cfs", "spec.cmi")


@pytest.mark.parametrize("shares", [(0.5, 0.5), (0.9, 0.1), (0.6, 0.3, 0.07, 0.03)])
@pytest.mark.parametrize("sizes", [(1,) * 300 + (2,) * 200, (10,) * 60 + (100,), (3, 50, 600), (7,) * 100])
def test_chance_is_what_shuffled_classes_give(shares, sizes):
    n = sum(sizes)
    classes = np.diff(np.rint(np.cumsum([0, *shares]) * n)).astype(int)
    table = np.zeros((len(sizes), len(classes)), np.int64)  # any table of these margins
    left = classes.copy()
    for row, size in enumerate(sizes):
        for c in range(len(classes)):
            table[row, c] = min(left[c], size - table[row].sum())
            left[c] -= table[row, c]
    truth = expected_mutual_information(table, n)
    chance = Chance(classes.astype(float))
    assert chance.expected(chance.fine(np.array(sizes, float)).sum()) == pytest.approx(truth, rel=0.01, abs=2e-4)


def test_informations_between_nothing_and_everything():
    # H = 1: all of it stays all of it, chance alone is nothing, and beyond H/2 of chance the slope is 2
    found = adjusted(np.array([1.0, 0.4, 0.2, 0.7, 0.9]), np.array([0.4, 0.4, 0.4, 0.4, 0.8]), np.ones(5))
    np.testing.assert_allclose(found, [1.0, 0.0, 0.0, 0.5, 0.2], atol=1e-12)


def test_ten_levels_are_plain_frequencies():
    random = np.random.default_rng(0)
    codes, y = random.integers(0, 10, (6, 300)), random.integers(0, 4, 300)
    auto, plain = (LevelStatistics([10] * 6, 4, estimator=e).update(codes, y) for e in ("auto", "plugin"))
    for a, b in ((auto.singles(), plain.singles()), (auto.pairs(2), plain.pairs(2))):
        np.testing.assert_array_equal(a.feature, b.feature)
        np.testing.assert_array_equal(a.feature_class, b.feature_class)


def test_many_rows_a_cell_come_to_plain_frequencies():
    random = np.random.default_rng(1)
    y = random.integers(0, 3, 400_000)
    codes = np.array([(y * 7 + random.integers(0, 12, y.size)) % 20])
    auto, plain = (LevelStatistics([20], 3, estimator=e).update(codes, y).singles() for e in ("auto", "plugin"))
    assert auto.feature_class[0] == pytest.approx(plain.feature_class[0], abs=2e-4)


def planted(n, levels, seed):
    random = np.random.default_rng(seed)
    y = random.integers(0, 2, n)
    table = pd.DataFrame({"id": [f"v{i}" for i in random.integers(0, levels, n)]})
    for name, shift in (("strong", 0.6), ("weak", 0.4), ("nothing", 0.0)):
        table[name] = random.normal(size=n) + shift * y
    return table, y


@pytest.mark.parametrize("method", COUNTERS)
@pytest.mark.parametrize(("n", "levels"), [(2000, 200), (2000, 800)])
def test_a_category_of_noise_is_behind_what_says_something(method, n, levels):
    table, y = planted(n, levels, 3)
    sel = ep.select(table, y, method=method, k=2, n_jobs=1)
    assert set(sel.names) == {"strong", "weak"}
    if method in ("mim", "chi2"):  # which plain frequencies would not say
        assert ep.select(table, y, method=method, k=1, estimator="plugin", n_jobs=1).names == ["id"]


@pytest.mark.parametrize("method", ["mim", "jmi", "cmim", "mrmr"])
def test_a_category_that_decides_is_found(method):
    random = np.random.default_rng(5)
    town = random.integers(0, 100, 3000)
    y = (random.normal(size=100)[town] + 0.5 * random.normal(size=3000) > 0).astype(int)
    table = pd.DataFrame({"town": [f"t{i}" for i in town], "a": random.normal(size=3000) + 0.5 * y})
    assert ep.select(table, y, method=method, k=1, n_jobs=1).names == ["town"]
    plain, now = (ep.mutual_information(table[["town"]], y, estimator=e, n_jobs=1)[0] for e in ("plugin", "auto"))
    assert 0.9 * plain < now < plain


def test_a_copy_shares_all_and_noise_shares_little():
    random = np.random.default_rng(6)
    town = [f"t{i}" for i in random.integers(0, 300, 2000)]
    other = [f"o{i}" for i in random.integers(0, 30, 2000)]
    table = pd.DataFrame({"town": town, "copy": town, "other": other})
    plain, now = (ep.mutual_information_matrix(table, estimator=e, n_jobs=1) for e in ("plugin", "auto"))
    assert now[0, 1] == pytest.approx(now[0, 0])
    assert now[0, 2] < 0.1 * plain[0, 2]
    np.testing.assert_array_equal(now, now.T)


@pytest.mark.parametrize("weighting", [None, "whole", "fractions"])
def test_parts_give_the_same_bits(weighting):
    random = np.random.default_rng(7)
    levels = [3, 40, 300, 12]
    codes, y = np.array([random.integers(0, size, 900) for size in levels]), random.integers(0, 3, 900)
    weights = {None: None, "whole": random.integers(1, 4, 900) * 1.0, "fractions": random.random(900)}[weighting]
    whole = LevelStatistics(levels, 3, estimator="auto").update(codes, y, weights)
    kept = LocalParts(1 << 62)
    for start, stop in ((0, 500), (500, 900)):
        part = LevelStatistics(levels, 3)
        kept.append(part.update(codes[:, start:stop], y[start:stop], None if weights is None else weights[start:stop]))
    unit = 1.0 if weighting != "fractions" else whole.tables.unit
    parts = PartitionedLevels(kept, levels, 3, 900, unit, estimator="auto")
    same = np.testing.assert_array_equal if weighting != "fractions" else np.testing.assert_allclose
    for feature in range(4):
        one, other = whole.pairs(feature), parts.pairs(feature)
        same(one.feature, other.feature)
        same(one.feature_class, other.feature_class)
    same(whole.singles().feature_class, parts.singles().feature_class)


def test_weight_two_is_the_row_twice():
    table, y = planted(600, 90, 8)
    weights = np.random.default_rng(9).integers(1, 4, 600)
    twice = np.repeat(np.arange(600), weights)
    for method in ("jmi", "mrmr", "chi2"):
        one = ep.select(table, y, method=method, k=None, sample_weight=weights, discretizer=4, n_jobs=1)
        other = ep.select(table.iloc[twice], y[twice], method=method, k=None, discretizer=4, n_jobs=1)
        assert one.names == other.names
        np.testing.assert_allclose(one.scores, other.scores, rtol=1e-12)
