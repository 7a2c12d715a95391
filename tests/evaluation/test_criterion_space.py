"""The plane of linear criteria: the same choices as the method `linear`, and criteria where the paper has them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from entropick import select
from entropick.coding import Coder, code_target
from entropick.datasets import redundant_interaction
from entropick.errors import InvalidParameter
from entropick.evaluation.compare import compare
from entropick.evaluation.criterion_space import CRITERIA, Plane, criterion_space
from entropick.evaluation.resampling import Resample
from entropick.sources import as_table

RANDOM = np.random.default_rng(0)
Y = np.repeat([0, 1], 60)
X = RANDOM.normal(size=(120, 10))
X[:, :2] += Y[:, None]
X[:, 2:5] = X[:, :1] + 0.3 * RANDOM.normal(size=(120, 3))
X[:, 9] = 1.0  # constant: never chosen, as in `select`
SOME = [0.0, 0.5, 1.0]


@pytest.fixture(scope="module")
def space():
    return criterion_space(X, Y, k=3, beta=SOME, gamma=SOME, cv=4, repeats=2)


@pytest.mark.parametrize("k", [3, 10])
def test_choices_are_those_of_the_method(k):
    rows = Resample(np.arange(0, 120, 2), np.arange(1, 120, 2))
    points = [(b, g) for b in SOME for g in SOME]
    plane = Plane(as_table(X), code_target(Y), (*points, *CRITERIA.values()), k, None, Coder(), 0)
    found = list(plane.choices(rows))
    for (beta, gamma), columns in zip(points, found, strict=False):
        own = select(X[rows.train], Y[rows.train], method="linear", k=k, beta=beta, gamma=gamma)
        assert columns == own.indices.tolist()
    for method, columns in zip(CRITERIA, found[len(points) :], strict=True):
        assert columns == select(X[rows.train], Y[rows.train], method=method, k=k).indices.tolist()


def test_errors_are_those_of_compare(space):
    entries = {f"{b} {g}": {"method": "linear", "beta": b, "gamma": g} for b in SOME for g in SOME}
    compared = compare(X, Y, {**entries, "jmi": "jmi"}, k=3, cv=4, repeats=2, estimators="3-NN").curves()
    by_label = compared.set_index("method")
    for beta, gamma, error, se in space.grid.itertuples(index=False):
        own = by_label.loc[f"{beta} {gamma}"]
        assert (error, se) == pytest.approx((own["mean"], own["se"]))
    jmi = space.criteria.set_index("method").loc["jmi"]
    assert jmi["error"] == pytest.approx(by_label.loc["jmi", "mean"])


def test_where_the_criteria_are(space):
    assert space.known == {
        "mim": (0.0, 0.0),
        "mifs": (1.0, 0.0),
        "mrmr": (0.5, 0.0),  # 1/|S| when the third is chosen
        "jmi": (0.5, 0.5),
        "cife": (1.0, 1.0),
        "condred": (0.0, 1.0),
    }
    corner = space.criteria.set_index("method")["error"]
    plane = space.matrix()
    assert corner["mim"] == plane.loc[0.0, 0.0]
    assert corner["cife"] == plane.loc[1.0, 1.0]
    assert corner["condred"] == plane.loc[0.0, 1.0]
    assert plane.shape == (3, 3)
    assert plane.loc[space.best()] == plane.to_numpy().min()


def test_an_interaction_wants_gamma():
    """xor with copies: without γ nothing but luck, with both it is found."""
    problem = redundant_interaction(400, random_state=0)
    plane = criterion_space(problem.X, problem.y, 4, beta=[0, 1], gamma=[0, 1], cv=3).matrix()
    assert plane.loc[1.0, 1.0] < plane.loc[0.0, 0.0] - 0.1
    assert plane.loc[1.0, 1.0] < plane.loc[1.0, 0.0] - 0.1


def test_the_same_on_any_number_of_processes(space):
    again = criterion_space(X, Y, k=3, beta=SOME, gamma=SOME, cv=4, repeats=2, n_jobs=2)
    pd.testing.assert_frame_equal(again.grid, space.grid)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"k": [3]}, "k: must be an integer"),
        ({"beta": []}, "beta: needs at least one"),
        ({"gamma": [np.inf]}, "gamma: must be finite numbers"),
        ({"gamma": ["a"]}, "gamma: must be finite numbers"),
        ({"estimator": ["3-NN", "QDA"]}, "estimator: must be one, got 3-NN, QDA"),
    ],
)
def test_what_is_refused(change, said):
    with pytest.raises(InvalidParameter, match=said):
        criterion_space(X, Y, **{"k": 2, **change})
