"""Maximum-likelihood mutual information: the optimum certified, a general optimiser, closed forms."""

from __future__ import annotations

import numpy as np
import pytest

import entropick as ep
from entropick.measures.kernel.mlmi import GAP, MLMI, mixture_shares
from entropick.statistics.rows import RowStatistics
from reference import kernel_measures as reference

FACTORS = (0.6, 1.0, 2.0)


def made(X, y, regression=False, **options):
    codes = np.zeros(len(X), int) if regression else y
    rows = RowStatistics(X, codes, 1 if regression else int(max(y)) + 1, target=y if regression else None)
    return MLMI(rows, random=np.random.default_rng(0), **options), rows


@pytest.mark.parametrize("seed", range(6))
def test_shares_are_optimal(seed):
    """The bound of what is missing: no direction of the simplex gains, and weights are rows that come again."""
    rng = np.random.default_rng(seed)
    F, mass = rng.random((60, 25)) ** (1 + 3 * seed), rng.integers(1, 4, 60)
    shares = mixture_shares(F, mass.astype(float))
    assert shares.min() >= 0
    assert shares.sum() == pytest.approx(1)
    pull = (mass @ (F / (F @ shares)[:, None])) / mass.sum()
    assert pull.max() <= 1 + GAP
    again = mixture_shares(np.repeat(F, mass, axis=0), np.ones(mass.sum()))
    np.testing.assert_allclose(np.log(F @ again), np.log(F @ shares), atol=3e-3)
    started = mixture_shares(F, mass.astype(float), start=np.eye(25)[seed])
    assert mass @ np.log(F @ started) == pytest.approx(mass @ np.log(F @ shares), abs=2 * GAP * mass.sum())


@pytest.mark.parametrize("regression", [False, True])
def test_it_is_the_formula(regression):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(24, 2))
    y = X[:, 0] + 0.3 * rng.normal(size=24) if regression else (X[:, 0] * X[:, 1] > 0).astype(int)
    measure, rows = made(X, y, regression, centres=8, folds=3, sigmas=FACTORS)
    folds = [[int(i) for i in fold if i >= 0] for fold in measure.fit.rows]
    numbers = ((y - y.mean()) / y.std())[:, None].tolist() if regression else None
    expected, factor = reference.mlmi(
        rows.standardised.tolist(), None if regression else y.tolist(), numbers, measure.fit.centres, folds, FACTORS
    )
    found = measure.worth_of([0, 1])
    assert measure.fit.factors[found.factor] == factor
    assert found.value == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("rho", [0.0, 0.6, 0.9])
def test_close_to_the_information_of_a_gaussian(rho):
    apart = []
    for seed in range(2):
        rng = np.random.default_rng(seed)
        x = rng.normal(size=500)
        y = rho * x + np.sqrt(1 - rho**2) * rng.normal(size=500)
        r = np.corrcoef(x, y)[0, 1]
        apart.append(made(x[:, None], y, True)[0].value_of([0]) + 0.5 * np.log(1 - r**2))
    assert abs(np.mean(apart)) < 0.05


def test_two_classes_told_exactly_have_log_two():
    y = np.arange(80) % 2
    x = 4.0 * y + 0.1 * np.random.default_rng(0).normal(size=80)
    assert made(x[:, None], y)[0].value_of([0]) == pytest.approx(np.log(2), abs=0.01)


@pytest.mark.parametrize("search", ["forward", "backward"])
def test_pure_interaction_is_seen_from_the_whole_set(search):
    problem = ep.datasets.xor(150, random_state=0)
    X = problem.X[:, [0, 1, 3]]
    some = {"centres": 30, "sigmas": [0.3, 0.6, 1.0]}
    found = ep.select(X, problem.y, method=f"mlmi.{search}", k=2, random_state=0, **some)
    if search == "backward":
        assert sorted(found.indices) == [0, 1]
    both = ep.information(X, problem.y, [[0, 1], [0, 2]], measure="mlmi", **some)
    assert both[0] > both[1] + 0.2


def test_rows_that_nothing_reaches_and_single_classes():
    """A class without a centre has no basis function; the answer is finite all the same."""
    X, y = np.random.default_rng(0).normal(size=(30, 2)), np.r_[np.zeros(28, int), 1, 2]
    assert np.isfinite(made(X, y, centres=3)[0].value_of([0, 1]))
