"""The joint measure against its formula written out, and what must not change it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import entropick as ep
from reference.joint import Joint


def problem(seed, n=180, kind="class", missing=False):
    """Numbers, small integers, a flag, near-copies; the target is a class of three or a number."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, 9))
    X[:, 3] = np.round(3 * X[:, 3])  # ties
    X[:, 4] = X[:, 0] + 0.3 * random.normal(size=n)
    X[:, 5] = random.integers(0, 4, n)
    X[:, 6] = random.random(n) < 0.3
    X[:, 8] = np.where(random.random(n) < 0.01, 2, random.integers(0, 2, n))  # a rare level
    z = X[:, 0] + X[:, 1] ** 2 + 0.8 * X[:, 6] + 0.5 * (X[:, 5] == 2) + random.normal(size=n)
    y = z if kind == "number" else np.digitize(z, np.quantile(z, [0.3, 0.7]))
    if missing:
        X[random.random(n) < 0.15, 1] = np.nan
        X[random.random(n) < 0.1, 5] = np.nan
    return X, y


@pytest.mark.parametrize("kind", ["class", "number"])
@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_equals_the_formula(seed, kind, missing):
    X, y = problem(seed, kind=kind, missing=missing)
    found = ep.select(X, y, method="joint", k=7)
    chosen, scores = Joint(X, y).select(7)
    assert found.indices.tolist() == chosen
    np.testing.assert_allclose(found.scores, scores, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("kind", ["class", "number"])
def test_groups_are_blocks(kind):
    X, y = problem(5, kind=kind)
    groups = [[0, 4], [1], [2, 3, 5], [6], [7, 8]]
    found = ep.select(X, y, method="joint", k=4, groups=[0, 1, 2, 2, 0, 2, 3, 4, 4])
    chosen, scores = Joint(X, y, groups=groups).select(4)
    assert [groups.index(sorted(step.members)) for step in found.steps] == chosen
    np.testing.assert_allclose(found.scores, scores, rtol=1e-6)


def test_weight_two_is_the_row_twice():
    X, y = problem(1)
    w = np.random.default_rng(0).integers(0, 4, len(y))
    weighted = ep.select(X, y, method="joint", k=6, sample_weight=w)
    rows = np.repeat(X, w, axis=0), np.repeat(y, w)
    repeated = ep.select(*rows, method="joint", k=6)
    assert weighted.names == repeated.names
    np.testing.assert_allclose(weighted.scores, repeated.scores, rtol=1e-12)


def test_weights_with_fractions_equal_the_formula():
    X, y = problem(2)
    w = np.random.default_rng(1).random(len(y)) + 0.2
    found = ep.select(X, y, method="joint", k=5, sample_weight=w)
    chosen, scores = Joint(X, y, w).select(5)
    assert found.indices.tolist() == chosen
    np.testing.assert_allclose(found.scores, scores, rtol=1e-3)  # a rounded table may differ in a last digit


def test_permuted_columns_permute_the_answer():
    X, y = problem(3)
    order = np.random.default_rng(3).permutation(X.shape[1])
    plain, moved = (ep.select(Z, y, method="joint", k=6) for Z in (X, X[:, order]))
    assert order[moved.indices].tolist() == plain.indices.tolist()
    np.testing.assert_allclose(moved.scores, plain.scores, rtol=1e-12)


def test_strictly_increasing_functions_change_nothing():
    X, y = problem(4)
    other = X.copy()
    other[:, 0], other[:, 1] = np.exp(X[:, 0]), X[:, 1] ** 3
    a, b = (ep.select(Z, y, method="joint", k=6) for Z in (X, other))
    assert a.names == b.names
    np.testing.assert_array_equal(a.scores, b.scores)


def test_threads_and_copies_change_no_bit():
    random = np.random.default_rng(8)
    X = random.normal(size=(20_000, 60))
    X[:, 40] = X[:, 3]
    y = (X[:, 3] + X[:, 7] ** 2 + random.normal(size=len(X)) > 1).astype(int)
    one, two = (ep.select(X, y, method="joint", k=10, n_jobs=jobs) for jobs in (1, 2))
    np.testing.assert_array_equal(one.scores, two.scores)
    assert one.indices.tolist() == two.indices.tolist()
    assert one.indices[0] in (3, 7)
    assert 3 in one.indices[:2]  # and not its copy: ties go to the lowest number


def test_a_category_of_noise_is_not_chosen():
    random = np.random.default_rng(0)
    n = 5000
    signal = random.normal(size=n)
    flag = random.random(n) < 0.5
    y = (signal + flag + random.normal(size=n) > 0.5).astype(int)
    table = pd.DataFrame({"noise": [f"v{i}" for i in random.integers(0, 500, n)], "signal": signal, "flag": flag})
    assert ep.select(table, y, method="joint", k=2).names == ["signal", "flag"]


def test_own_shared_and_together_add_up():
    X, y = problem(0)
    for step in ep.select(X, y, method="joint", k=6).steps[1:]:
        own, shared, together = (step.extra[part] for part in ("own", "shared", "together"))
        assert own == pytest.approx(max(step.relevance - shared + together, 0), abs=1e-9) or step.relevance == 0
