"""What brings printed figures about: each change does what it says, and to the picks that it says."""

from __future__ import annotations

import numpy as np
import pytest

import entropick as ep
from reproduction import jitkrittum_artefacts as own
from reproduction.paper_table import Means


def rows():
    """x2 and x4 are rare bits, of which most pairs of rows coincide; x0 tells the class nearly alone."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 120)
    X = rng.normal(size=(120, 5))
    X[:, 0] += 3 * y
    for j in (2, 4):
        X[:, j] = rng.random(120) < 0.05
    return X, y


def test_the_lowest_numbered_degenerate_feature_is_first():
    X, y = rows()
    plain = own.chosen(own.PLAIN, X, y, 3, "classification", 0, True)
    written = own.chosen(own.PLAIN, X, y, 3, "classification", 0, False)
    assert plain[:2].tolist() == [2, 4]  # both bits together coincide in most pairs, too
    assert plain[2] == written[0] == 0
    assert not {2, 4} & set(written[:2].tolist())


def test_cuts_at_the_deviation_are_the_discretizer():
    X, _ = rows()
    y = X[:, 0] + 0.3 * X[:, 3]
    cuts = np.array([-1.5, -0.5, 0.5, 1.5])
    classes = np.digitize(y, y.mean() + y.std() * cuts)
    found = own.chosen(own.SIGMA, X, y, 3, "regression", 0, True)
    assert found.tolist() == ep.select(X, classes, method="mrmr", k=3, discretizer="sigma").indices.tolist()


def test_new_centres_find_what_fixed_ones_do_and_differ_in_value():
    problem = ep.datasets.xor(120, random_state=0)
    X = problem.X[:, :4]
    assert sorted(own.chosen(own.FRESH, X, problem.y, 2, "classification", 0, True)) == [0, 1]
    from entropick.statistics.rows import RowStatistics

    measure = own.FreshCentres(RowStatistics(X, problem.y, 2), random=np.random.default_rng(0))
    measure.fill()
    assert not np.array_equal(measure.contributions(), measure.contributions())


def test_a_coarser_grid_is_that_of_the_options():
    problem = ep.datasets.and_or(120, random_state=0)
    found = own.chosen(own.GRID, problem.X, problem.y, 4, "classification", 0, True)
    same = ep.select(
        problem.X, problem.y, method="lsmi.backward", k=4, random_state=0,
        sigmas=[0.2, 0.5, 1, 2, 5], lambdas=[1e-4, 1e-3, 0.01, 0.1, 1],
    )  # fmt: skip
    assert found.tolist() == same.indices.tolist()
    assert same.details["lambdas"] == [1e-4, 1e-3, 0.01, 0.1, 1]


def test_one_cell_of_toys():
    numbers = own.ARTEFACTS.compute({"change": own.PLAIN, "data": "xor", "trial": 0}, Means())
    assert set(numbers) == {"changed", "as written", "chosen"}
    assert 0 <= numbers["changed"] <= 1


def test_figures():
    found = [
        ({"change": own.PLAIN, "data": "image", "trial": t}, {"changed": e, "as written": 0.05})
        for t, e in enumerate((0.1, 0.2))
    ]
    changed, written = own.ARTEFACTS.figures(found)
    assert changed.labels == {"change": own.PLAIN, "data": "image, error", "way": "changed"}
    assert (changed.ours, changed.paper, written.ours) == (pytest.approx(0.15), 0.17, pytest.approx(0.05))
