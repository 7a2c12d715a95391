"""All triples: equal to brute force, and found where no pair and no column says anything."""

from __future__ import annotations

import numpy as np
import pytest

import entropick as ep
from reference import interactions as plain


@pytest.mark.parametrize(("seed", "n", "levels", "classes"), [(0, 300, [2] * 7, 2), (1, 900, [2, 3, 3, 2, 3, 2], 3)])
def test_every_triple_is_what_brute_force_counts(seed, n, levels, classes):
    random = np.random.default_rng(seed)
    X = np.stack([random.permutation(np.arange(n) % k) for k in levels], 1)
    y = (X[:, 0] + X[:, 1] * X[:, 2] + (random.random(n) < 0.5) * random.integers(0, classes, n)) % classes
    truth = plain.all_sets(X, y, order=3)
    found = ep.interactions(X, y, order=3, top=1000)
    plain.check(found, truth)


def test_parity_of_three_is_found_and_threads_change_nothing():
    random = np.random.default_rng(3)
    X = random.integers(0, 2, (600, 60))
    y = X[:, 7] ^ X[:, 20] ^ X[:, 41] ^ (random.random(600) < 0.1)
    one, two = (ep.interactions(X, y, order=3, top=20, n_jobs=jobs) for jobs in (1, 2))
    assert one == two
    assert one.tests == 60 * 59 * 58 // 6
    assert [triple.columns for triple in one.significant] == [(7, 20, 41)]
    assert list(one.to_frame().columns[:3]) == ["feature_1", "feature_2", "feature_3"]
    assert "triples" in one.explain()


def test_numbers_are_cut_for_triples():
    random = np.random.default_rng(4)
    X = random.normal(size=(1500, 12))
    y = np.prod(X[:, [2, 5, 9]], axis=1) > 0
    found = ep.interactions(X, y, order=3)
    assert [triple.columns for triple in found.significant] == [(2, 5, 9)]


def test_of_many_columns_some_are_tested_and_it_is_said(monkeypatch):
    monkeypatch.setattr("entropick.pairs.level_triples.EXHAUSTIVE", 20)
    random = np.random.default_rng(5)
    X = random.integers(0, 2, (800, 80))
    y = ((X[:, 3] & X[:, 30] & X[:, 60]) ^ (random.random(800) < 0.05)).astype(int)
    found = ep.interactions(X, y, order=3)
    assert found.tests == 20 * 19 * 18 // 6
    assert found.pairs[0].columns == (3, 30, 60)
    assert any("is not found" in note for note in found.notes)
