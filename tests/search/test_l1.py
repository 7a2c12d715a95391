"""The ℓ1 search: projection, ascent, bisection, exchanges."""

from __future__ import annotations

import math

import numpy as np
import pytest

import entropick as ep
from entropick.datasets import and_or, quad, redundant_interaction, xor
from entropick.errors import InvalidParameter
from entropick.measures.kernel.weighted import WeightedHSIC, WeightedLSMI
from entropick.search.l1_path import _Path, ascend, l1_path
from entropick.search.task import Task
from entropick.statistics.rows import RowStatistics


def measure_of(problem, kind=WeightedLSMI, seed=0, **options):
    classes = problem.task == "classification"
    rows = RowStatistics(
        problem.X,
        problem.y if classes else np.zeros(len(problem.y), int),
        int(problem.y.max()) + 1 if classes else 1,
        target=None if classes else problem.y,
    )
    return kind(rows, random=np.random.default_rng(seed), **{"restarts": 8, **options})


def chosen(outcome):
    return [choice.candidate for choice in outcome.choices]


ALL = np.ones(10, bool)


@pytest.mark.parametrize("radius", [0.3, 12.0])
def test_ascent_climbs_and_stays_feasible(radius):
    measure = measure_of(quad(150, random_state=0), centres=40)
    start = np.random.default_rng(1).dirichlet(np.ones(10)) * radius
    with measure.session():
        peak = ascend(measure, start, radius, ALL, math.inf)
    assert peak.weights.min() >= 0
    assert peak.weights.sum() <= radius * (1 + 1e-9)
    assert peak.value >= measure.value(start, measure.select_model(start)) - 1e-9


@pytest.mark.parametrize(("make", "k"), [(and_or, 4), (quad, 2), (xor, 2), (redundant_interaction, 2)])
def test_l1_lsmi_finds_the_true_features(make, k):
    problem = make(400, random_state=11)
    outcome = l1_path(measure_of(problem), Task(k, ALL))
    assert sorted(chosen(outcome)) == list(problem.informative)
    scores = [choice.score for choice in outcome.choices]
    assert scores == sorted(scores, reverse=True)
    assert not outcome.details["timed_out"]


def test_l1_hsic_sees_interaction():
    problem = xor(400, random_state=11)
    assert sorted(chosen(l1_path(measure_of(problem, WeightedHSIC), Task(2, ALL)))) == [0, 1]


def test_a_smaller_radius_keeps_fewer():
    problem = and_or(300, random_state=1)
    measure = measure_of(problem, centres=50)
    starts = np.random.default_rng(0).dirichlet(np.ones(10), 6)
    with measure.session():
        sizes = [
            np.mean([len(ascend(measure, radius * w, radius, ALL, math.inf).features()) for w in starts])
            for radius in (0.005, 12.0)
        ]
    assert sizes[0] < sizes[1]


@pytest.mark.parametrize("k", [1, 3, 8])
def test_exactly_k_whatever_the_radius_gives(k):
    outcome = l1_path(measure_of(and_or(120, random_state=0), centres=30, restarts=3), Task(k, ALL))
    assert len(set(chosen(outcome))) == k


def test_forced_and_forbidden_features():
    allowed = ALL.copy()
    allowed[0] = False
    outcome = l1_path(measure_of(and_or(120, random_state=0), centres=30, restarts=3), Task(3, allowed, (5,)))
    assert chosen(outcome)[0] == 5
    assert 0 not in chosen(outcome)
    assert len(outcome.choices) == 3


def test_all_features_are_ranked_by_contribution():
    outcome = l1_path(measure_of(and_or(120, random_state=0), WeightedHSIC), Task(10, ALL))
    assert sorted(chosen(outcome)) == list(range(10))
    assert outcome.stopped == "every feature is ranked"


def test_exchanges_mend_a_bad_set():
    problem = and_or(400, random_state=2)
    path = _Path(measure_of(problem), Task(4, ALL), math.inf)
    better, exchanges = path.improve((0, 1, 2, 8))
    assert better == (0, 1, 2, 3)
    assert exchanges >= 1


def test_tie_rules_of_algorithm_1():
    path = _Path(measure_of(xor(60, random_state=0), WeightedHSIC), Task(3, ALL), math.inf)
    path.sets = {(0, 1): 0.1, (2, 3): 0.2, (0, 1, 2, 3): 0.9, (5,): 5.0}
    assert path.nearest() == (2, 3)  # as near as four features, but smaller; worth more than the other pair
    path.sets[(4, 5, 6)] = -1.0
    assert path.nearest() == (4, 5, 6)


def test_time_limit_is_kept():
    outcome = l1_path(measure_of(and_or(400, random_state=0), time_limit=0.05, restarts=500), Task(2, ALL))
    assert outcome.details["timed_out"]
    assert len(outcome.choices) == 2


def test_same_answer_for_any_number_of_threads():
    problem = and_or(150, random_state=4)
    one, two = (l1_path(measure_of(problem, centres=30, restarts=2, n_jobs=jobs), Task(4, ALL)) for jobs in (1, 2))
    assert chosen(one) == chosen(two)
    assert [c.score for c in one.choices] == [c.score for c in two.choices]


def test_auto_is_left_to_the_joint_rule():
    problem = xor(50, random_state=0)
    with pytest.raises(InvalidParameter, match="k: 'auto' with search='l1' needs test='joint'"):
        ep.select(problem.X, problem.y, method="hsic.l1", k="auto", test="chi2")


@pytest.mark.parametrize("kind", [WeightedHSIC, WeightedLSMI])
def test_degenerate_table(kind):
    rows = RowStatistics(np.ones((20, 3)), np.arange(20) % 2, 2)
    outcome = l1_path(kind(rows, random=np.random.default_rng(0), restarts=2), Task(2, np.ones(3, bool)))
    assert len(outcome.choices) == 2
    assert np.isfinite([choice.score for choice in outcome.choices]).all()
