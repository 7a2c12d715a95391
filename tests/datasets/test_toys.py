"""Generated problems against their definitions: truth tables exactly, chances within five standard errors."""

from __future__ import annotations

import itertools
from math import log2, sqrt

import numpy as np
import pytest

from entropick import datasets
from entropick.errors import InvalidParameter

BINARY = [datasets.and_or, datasets.xor, datasets.three_way, datasets.redundant_interaction]
ALL = [*BINARY, datasets.quad]
MANY = 20_000


def rate_is(values: np.ndarray, chance: float) -> bool:
    return abs(values.mean() - chance) < 5 * sqrt(chance * (1 - chance) / values.size)


@pytest.mark.parametrize("make", ALL)
def test_shape_names_and_answer(make):
    problem = make(random_state=0)
    assert problem.X.shape == (400, 10)
    assert problem.y.shape == (400,)
    assert problem.names == tuple(f"x{i}" for i in range(1, 11))
    assert all(0 <= i < 10 for i in problem.informative)
    assert problem.task == ("regression" if make is datasets.quad else "classification")
    assert problem.description
    assert make(n=7, random_state=0).X.shape == (7, 10)


@pytest.mark.parametrize("make", ALL)
def test_random_state_decides_everything(make):
    one, same, other = make(random_state=3), make(random_state=np.random.RandomState(3)), make(random_state=4)
    np.testing.assert_array_equal(one.X, same.X)
    np.testing.assert_array_equal(one.y, same.y)
    assert not np.array_equal(one.X, other.X)


@pytest.mark.parametrize(
    ("make", "truth"),
    [
        (datasets.and_or, lambda x: (x[0] and x[1]) or (x[2] and x[3])),
        (datasets.xor, lambda x: x[0] != x[1]),
        (datasets.three_way, lambda x: sum(x) % 2 == 1),
        (datasets.redundant_interaction, lambda x: x[0] != x[1]),
    ],
)
def test_truth_table(make, truth):
    problem = make(n=2000, random_state=1)
    bits = problem.X[:, problem.informative]
    for pattern in itertools.product([0, 1], repeat=len(problem.informative)):
        rows = (bits == pattern).all(axis=1)
        assert rows.any()
        assert set(problem.y[rows]) == {int(bool(truth(pattern)))}
    assert set(np.unique(problem.X)) == {0, 1}


def test_and_or_flips_a_fifth_of_each_copy_independently():
    problem = datasets.and_or(MANY, random_state=2)
    assert rate_is(problem.y, 7 / 16)
    flips = problem.X[:, 7:] != problem.y[:, None]
    for j in range(3):
        assert rate_is(flips[:, j], 0.2)
    assert rate_is(flips.all(axis=1), 0.2**3)
    for j in range(7):
        assert rate_is(problem.X[:, j], 0.5)


def test_xor_marginals():
    problem = datasets.xor(MANY, random_state=2)
    for j in range(10):
        assert rate_is(problem.X[:, j], 0.5 if j < 5 else 0.75)


def test_redundant_interaction_copies():
    problem = datasets.redundant_interaction(MANY, flip=0.1, random_state=2)
    for j in range(2, 8):
        assert rate_is(problem.X[:, j] != problem.X[:, 0 if j < 5 else 1], 0.1)
    exact = datasets.redundant_interaction(50, flip=0, random_state=2)
    np.testing.assert_array_equal(exact.X[:, 2:5], exact.X[:, [0, 0, 0]])
    np.testing.assert_array_equal(exact.X[:, 5:8], exact.X[:, [1, 1, 1]])


def test_quad_formula():
    problem = datasets.quad(MANY, random_state=2)
    x1, x2 = problem.X[:, 0], problem.X[:, 1]
    noise = (problem.y - (x1**2 + x2) / (0.5 + (x2 + 1.5) ** 2)) / 0.1
    assert abs(noise.mean()) < 5 / sqrt(MANY)
    assert noise.std() == pytest.approx(1, abs=5 / sqrt(2 * MANY))
    assert abs(np.corrcoef(noise, x1)[0, 1]) < 5 / sqrt(MANY)
    for j, source in ((8, x1), (9, x2)):
        rest = problem.X[:, j] - 0.5 * source
        assert rest.min() >= -1
        assert rest.max() <= 1
        assert rest.var() == pytest.approx(1 / 3, abs=0.02)
    for j in range(8):
        assert problem.X[:, j].std() == pytest.approx(1, abs=5 / sqrt(2 * MANY))


def entropy(*columns: np.ndarray) -> float:
    """In bits, of the joint frequencies."""
    _, counts = np.unique(np.column_stack(columns), axis=0, return_counts=True)
    p = counts / counts.sum()
    return float(-(p * np.log2(p)).sum())


def test_smoking_is_the_published_table():
    problem = datasets.smoking()
    s, g, c = problem.X[:, 0], problem.X[:, 1], problem.y
    assert len(c) == 80
    assert problem.names == ("S", "G")
    for value in (1, 2, 3, 4):
        assert np.mean(s == value) == 0.25
        assert set(c[s == value]) == {int(value >= 3)}
        assert np.mean((s == value) & (g == int(value >= 3))) == pytest.approx(0.2375)
    noise = 1 - (-(0.95 * log2(0.95) + 0.05 * log2(0.05)))
    assert entropy(s) == pytest.approx(2)
    assert entropy(s) + entropy(c) - entropy(s, c) == pytest.approx(1)
    assert entropy(g) + entropy(c) - entropy(g, c) == pytest.approx(noise)
    assert noise == pytest.approx(0.7136, abs=5e-5)
    assert entropy(s) + entropy(g) - entropy(s, g) == pytest.approx(noise)
    # I(G;C|S) = 0, I(S;C|G) = 0.2864 bits
    assert entropy(g, s) + entropy(c, s) - entropy(g, c, s) - entropy(s) == pytest.approx(0, abs=1e-12)
    assert entropy(s, g) + entropy(c, g) - entropy(s, c, g) - entropy(g) == pytest.approx(1 - noise)


def test_f_measure():
    problem = datasets.and_or(random_state=0)
    assert problem.f_measure([0, 1, 2, 3]) == 1
    assert problem.f_measure(np.array([7, 8, 9, 0])) == 0.25
    assert problem.f_measure([]) == 0
    assert problem.f_measure([0]) == pytest.approx(2 * 1 * 0.25 / 1.25)


def test_to_frame_has_the_target_last():
    frame = datasets.xor(random_state=0).to_frame("label")
    assert list(frame.columns) == [*(f"x{i}" for i in range(1, 11)), "label"]
    assert frame["label"].tolist() == (frame["x1"] ^ frame["x2"]).tolist()


@pytest.mark.parametrize("make", ALL)
@pytest.mark.parametrize(
    ("bad", "argument"), [({"n": 0}, "n"), ({"n": 2.5}, "n"), ({"random_state": "x"}, "random_state")]
)
def test_bad_arguments(make, bad, argument):
    with pytest.raises(InvalidParameter, match=f"^{argument}: "):
        make(**bad)


def test_bad_flip():
    with pytest.raises(InvalidParameter, match="flip"):
        datasets.redundant_interaction(flip=0.7)
