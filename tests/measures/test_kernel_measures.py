"""HSIC and LSMI against formulas written as loops, closed forms, and what must not change them."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest

from entropick.datasets import and_or, quad, xor
from entropick.kernels.kernel_sums import exp_of, pair_sum
from entropick.kernels.ridge_paths import held_out_errors
from entropick.measures.kernel.hsic import HSIC
from entropick.measures.kernel.lsmi import LSMI
from entropick.measures.kernel.weighted import WeightedHSIC, WeightedLSMI
from entropick.search.backward import backward
from entropick.search.forward import forward
from entropick.search.ranking import ranking
from entropick.search.task import Task
from entropick.statistics.rows import RowStatistics
from reference import kernel_measures as reference

MEASURES = [HSIC, LSMI]


def statistics(X, y, task="classification", weights=None):
    if task == "regression":
        return RowStatistics(X, np.zeros(len(X), int), 1, target=y, weights=weights)
    return RowStatistics(X, y, int(np.max(y)) + 1, weights=weights)


def of(problem, **extra):
    return statistics(problem.X, problem.y, problem.task, **extra)


def small(task, n=26, outputs=1, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4))
    if task == "classification":
        return X, (X[:, 0] * X[:, 1] > 0).astype(int) + (X[:, 2] > 1)
    y = np.column_stack([X[:, 0] ** 2 + 0.1 * rng.normal(size=n), X[:, 1]])[:, :outputs]
    return X, y[:, 0] if outputs == 1 else y


def target(rows):
    """Classes, and standardised numbers or None, as the reference takes them."""
    if rows.target is None:
        return rows.codes.tolist(), None
    y = rows.target.reshape(rows.n_rows, -1)
    return None, ((y - y.mean(axis=0)) / y.std(axis=0)).tolist()


tasks = pytest.mark.parametrize(("task", "outputs"), [("classification", 1), ("regression", 1), ("regression", 2)])


# -- compiled loops ---------------------------------------------------------------------------------------


def test_exponential_is_that_of_the_library():
    values = np.concatenate([[0.0, 1e-300, np.inf, 750.0], np.random.default_rng(0).uniform(0, 700, 5000)])
    with np.errstate(under="ignore"):
        expected = np.exp(-values)
    np.testing.assert_allclose(exp_of(values, [1.0])[0], expected, rtol=1e-14, atol=1e-300)


@pytest.mark.parametrize("starts", [[0, 31], [0, 10, 20, 31]])
def test_pair_sum_is_a_double_loop(starts):
    rng = np.random.default_rng(1)
    x = rng.normal(size=31)
    pairs = [(i, j) for a, b in pairwise(starts) for i in range(a, b) for j in range(i + 1, b)]
    base, weights = rng.uniform(1, 2, len(pairs)), rng.normal(size=len(pairs))
    for sign in (1.0, -0.01):
        expected = sum(
            w * np.exp(-0.3 * (d + sign * (x[i] - x[j]) ** 2))
            for w, d, (i, j) in zip(weights, base, pairs, strict=True)
        )
        assert pair_sum(base, x, sign, weights, np.array(starts), 0.3) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("size", [1, 2, 3, 17, 60])
@pytest.mark.parametrize("kind", ["singular", "diagonal", "zero", "tiny", "dense"])
def test_errors_of_every_ridge_are_those_of_one_solve_each(size, kind):
    rng = np.random.default_rng(size)
    rank = {"singular": max(1, size // 2), "zero": 0}.get(kind, size + 1)
    half = rng.normal(size=(3, rank, size)) * (1e-150 if kind == "tiny" else 1.0)
    H = np.einsum("kri,krj->kij", half, half) * (np.eye(size) if kind == "diagonal" else 1.0)
    held, h, held_h = rng.normal(size=H.shape), rng.normal(size=(3, size)), rng.normal(size=(3, size))
    held, ridges, errors = held + held.transpose(0, 2, 1), np.array([1e-4, 0.1, 3.0]), np.ones(3)
    expected = np.ones(3)
    for s, ridge in enumerate(ridges):
        for k in range(3):
            alpha = np.linalg.solve(H[k] + ridge * np.eye(size), h[k])
            expected[s] += 0.5 * alpha @ held[k] @ alpha - held_h[k] @ alpha
    held_out_errors(H.copy(), h.copy(), held, held_h, ridges, errors)
    np.testing.assert_allclose(errors, expected, rtol=1e-7)


# -- estimates --------------------------------------------------------------------------------------------


@tasks
@pytest.mark.parametrize("unbiased", [False, True])
def test_hsic_is_its_formula(task, outputs, unbiased):
    rows = statistics(*small(task, outputs=outputs), task)
    measure = HSIC(rows, random=np.random.default_rng(0), unbiased=unbiased)
    for features in ([0], [1, 3], [0, 1, 2, 3]):
        expected = reference.hsic(rows.standardised[:, features].tolist(), *target(rows), unbiased=unbiased)
        assert measure.value_of(features) == pytest.approx(expected, rel=1e-9, abs=1e-12)


@tasks
def test_lsmi_is_its_formula(task, outputs):
    rows = statistics(*small(task, outputs=outputs), task)
    grid = {"sigmas": (0.5, 1.0), "lambdas": (0.01, 0.1)}
    measure = LSMI(rows, random=np.random.default_rng(3), centres=8, folds=3, **grid)
    fit = measure.fit
    folds = [[int(i) for i in fold if i >= 0] for fold in fit.rows]
    assert sorted(i for fold in folds for i in fold) == list(range(rows.n_rows))
    assert len(set(fit.centres.tolist())) == 8
    for features in ([0], [0, 1], [0, 1, 2, 3]):
        expected, factor, ridge = reference.lsmi(
            rows.standardised[:, features].tolist(), *target(rows), fit.centres.tolist(), folds, *grid.values()
        )
        got = measure.worth_of(features)
        assert got.value == pytest.approx(expected, rel=1e-8, abs=1e-10)
        assert (fit.factors[got.factor], got.ridge) == (factor, ridge)


@pytest.mark.parametrize("kind", MEASURES)
@pytest.mark.parametrize("task", ["classification", "regression"])
def test_searches_see_the_values_of_sets(kind, task):
    rows = statistics(*small(task, 60), task)
    measure = kind(rows, random=np.random.default_rng(0))
    alone = measure.gains()
    np.testing.assert_allclose(alone, [measure.value_of([j]) for j in range(4)], rtol=1e-9)
    measure.add(2)
    expected = [0.0 if j == 2 else measure.value_of([2, j]) - measure.value_of([2]) for j in range(4)]
    np.testing.assert_allclose(measure.gains(), expected, rtol=1e-8, atol=1e-10)
    assert measure.account(0).relevance == alone[0]
    measure.fill()
    measure.remove(1)
    whole = measure.value_of([0, 2, 3])
    expected = [0.0 if j == 1 else whole - measure.value_of([f for f in (0, 2, 3) if f != j]) for j in range(4)]
    np.testing.assert_allclose(measure.contributions(), expected, rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("unbiased", [False, True])
@pytest.mark.parametrize("task", ["classification", "regression"])
def test_hsic_weight_two_is_the_row_twice(task, unbiased):
    X, y = small(task, 40)
    times = np.random.default_rng(5).integers(1, 4, 40)
    once = HSIC(statistics(X, y, task, weights=times.astype(float)), unbiased=unbiased)
    often = HSIC(statistics(np.repeat(X, times, axis=0), np.repeat(y, times, axis=0), task), unbiased=unbiased)
    for features in ([0], [1, 2, 3]):
        assert once.value_of(features) == pytest.approx(often.value_of(features), rel=1e-6)


def test_lsmi_weights_of_one_change_nothing():
    X, y = small("classification", 60)
    plain = LSMI(statistics(X, y), random=np.random.default_rng(0)).value_of([0, 1])
    ones = LSMI(statistics(X, y, weights=np.ones(60)), random=np.random.default_rng(0)).value_of([0, 1])
    assert ones == pytest.approx(plain, rel=1e-9)


def test_blocks_average_hsic_and_stay_near_all_pairs():
    problem = quad(2000, random_state=0)
    exact = HSIC(of(problem), random=np.random.default_rng(0), block=None, unbiased=True)
    blocks = HSIC(of(problem), random=np.random.default_rng(0), block=100, unbiased=True)
    assert blocks.details()["rows_per_block"] == 100
    assert blocks.value_of([0, 1]) == pytest.approx(exact.value_of([0, 1]), rel=0.05)
    assert abs(blocks.value_of([4])) < 2e-3


def test_smi_of_discrete_variables_in_closed_form():
    """X determines Y with two classes: SMI = ½(C − 1) = ½. An independent X: 0."""
    problem = xor(2000, random_state=0)
    measure = LSMI(of(problem), random=np.random.default_rng(0))
    assert measure.value_of([0, 1]) == pytest.approx(0.5, abs=0.02)
    assert measure.value_of([4]) == pytest.approx(0.0, abs=0.01)


def test_unbiased_hsic_of_noise_is_zero_on_average():
    rng = np.random.default_rng(0)
    values = [
        HSIC(statistics(rng.normal(size=(30, 1)), rng.integers(0, 2, 30)), unbiased=True).value_of([0])
        for _ in range(200)
    ]
    assert abs(np.mean(values)) < 4 * np.std(values) / np.sqrt(200)


# -- gradients --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [WeightedHSIC, WeightedLSMI])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("task", ["classification", "regression"])
def test_gradient_is_that_of_finite_differences(kind, task, weighted):
    X, y = small(task, 50)
    weights = np.random.default_rng(2).integers(1, 3, 50).astype(float) if weighted else None
    options = {"block": 20} if kind is WeightedHSIC else {"centres": 15}
    measure = kind(statistics(X, y, task, weights=weights), random=np.random.default_rng(0), **options)
    w = np.array([0.7, 0.4, 0.0, 1.1])
    model = measure.select_model(w)
    value, slope = measure.gradient(w, model)
    assert value == pytest.approx(measure.value(w, model), rel=1e-12)
    step = 1e-5
    for f in range(4):
        move = step * np.eye(4)[f]
        difference = (measure.value(w + move, model) - measure.value(w - move, model)) / (2 * step)
        assert slope[f] == pytest.approx(difference, rel=1e-5, abs=1e-8)


@pytest.mark.parametrize("kind", [WeightedHSIC, WeightedLSMI])
def test_equal_weights_are_the_set(kind):
    X, y = small("classification", 50)
    measure = kind(statistics(X, y), random=np.random.default_rng(0))
    w = np.array([2.0, 0.0, 2.0, 0.0])
    model = measure.select_model(w)
    assert measure.value(w, model) == pytest.approx(measure.value_of([0, 2]), rel=1e-9)


# -- searches on problems with a known answer ---------------------------------------------------------------


def chosen(outcome):
    return [choice.candidate for choice in outcome.choices]


@pytest.mark.parametrize("kind", MEASURES)
def test_backward_sees_interaction_that_ranking_cannot(kind):
    problem = xor(400, random_state=3)
    assert sorted(chosen(backward(kind(of(problem), random=np.random.default_rng(0)), Task(2, np.ones(10, bool))))) == [
        0,
        1,
    ]


def test_forward_lsmi_sees_what_is_not_linear():
    problem = quad(400, random_state=0)
    found = forward(LSMI(of(problem), random=np.random.default_rng(0)), Task(2, np.ones(10, bool)))
    assert sorted(chosen(found)) == [0, 1]
    assert found.choices[1].score > 0


def and_or_smi(features):
    """SMI of and-or's features (0 … 3 the true ones, 7 … 9 the flipped copies of Y) from their joint law."""
    joint, cells = {}, {}
    for bits in product((0, 1), repeat=4):
        y = (bits[0] & bits[1]) | (bits[2] & bits[3])
        for flips in product((0, 1), repeat=3):
            row = (*bits, 0, 0, 0, *(y ^ flip for flip in flips))
            cell = tuple(row[j] for j in features)
            mass = 0.2 ** sum(flips) * 0.8 ** (3 - sum(flips)) / 16
            joint[cell, y] = joint.get((cell, y), 0.0) + mass
            cells[cell] = cells.get(cell, 0.0) + mass
    of_y = {y: sum(mass for (_, other), mass in joint.items() if other == y) for y in (0, 1)}
    return 0.5 * sum(mass**2 / (cells[cell] * of_y[y]) for (cell, y), mass in joint.items()) - 0.5


def test_forward_on_and_or_takes_the_copies_as_smi_itself_would():
    """Why forward search cannot have more than 0.25 here: the copies come first on the true law, too."""
    path, steps = [], []
    for _ in range(4):
        worth = {j: and_or_smi([*path, j]) for j in (0, 1, 2, 3, 7, 8, 9) if j not in path}
        path.append(max(worth, key=worth.get))
        steps.append(worth[path[-1]])
    assert sorted(path[:3]) == [7, 8, 9]
    np.testing.assert_allclose(steps, [0.1782, 0.2638, 0.3295, 0.3451], atol=5e-5)
    problem = and_or(1_000, random_state=0)
    found = forward(LSMI(of(problem), random=np.random.default_rng(0)), Task(3, np.ones(10, bool)))
    assert sorted(chosen(found)) == [7, 8, 9]


def test_same_answer_for_any_number_of_threads():
    problem = and_or(200, random_state=0)
    one, two = (LSMI(of(problem), random=np.random.default_rng(0), n_jobs=jobs).gains().tolist() for jobs in (1, 2))
    assert one == two


# -- degenerate input ---------------------------------------------------------------------------------------


DEGENERATE = {
    "constant columns": (np.column_stack([np.ones(30), np.arange(30) % 2, np.zeros(30)]), np.arange(30) % 2),
    "all distances zero": (np.ones((20, 2)), np.arange(20) % 2),
    "duplicate rows": (np.repeat([[0.0, 1.0], [1.0, 0.0]], 15, axis=0), np.repeat([0, 1], 15)),
    "one class": (np.random.default_rng(0).normal(size=(20, 3)), np.zeros(20, int)),
    "fewer rows than centres and folds": (np.array([[0.0, 1.0], [1.0, 1.0], [2.0, 0.0]]), np.array([0, 1, 1])),
    "one row": (np.array([[1.0, 2.0]]), np.array([0])),
}


@pytest.mark.parametrize("kind", [HSIC, LSMI, WeightedHSIC, WeightedLSMI])
@pytest.mark.parametrize("name", DEGENERATE)
@pytest.mark.parametrize("task", ["classification", "regression"])
def test_degenerate_input_gives_numbers(kind, name, task):
    X, y = DEGENERATE[name]
    rows = statistics(X, y.astype(float) if task == "regression" else y, task)
    measure = kind(rows, random=np.random.default_rng(0))
    with np.errstate(invalid="raise", divide="raise", over="raise"):
        assert np.isfinite(measure.gains()).all()
        measure.fill()
        assert np.isfinite(measure.contributions()).all()
        if kind in (WeightedHSIC, WeightedLSMI):
            w = np.ones(X.shape[1])
            value, slope = measure.gradient(w, measure.select_model(w))
            assert np.isfinite(value)
            assert np.isfinite(slope).all()


@pytest.mark.parametrize("kind", MEASURES)
def test_copies_tie_and_the_lowest_number_wins(kind):
    X, y = small("classification", 80)
    twins = np.column_stack([X[:, 3], X[:, 0], X[:, 0], X[:, 0]])
    scores = kind(statistics(twins, y), random=np.random.default_rng(0)).gains()
    assert scores[1] == scores[2] == scores[3]
    order = chosen(ranking(kind(statistics(twins, y), random=np.random.default_rng(0)), Task(4, np.ones(4, bool))))
    assert [j for j in order if j] == [1, 2, 3]
