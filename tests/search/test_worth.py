"""Values of sets that are given, and the search through all sets."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

import entropick as ep
from entropick.errors import InvalidParameter, UnknownMethod
from entropick.methods import REGISTRY
from reference import discrete as reference

RNG = np.random.default_rng(0)
Y = RNG.integers(0, 2, 150)
X = RNG.normal(size=(150, 6)) + np.outer(Y, [0.8, 0.0, 0.5, 0.0, 0.3, 0.0])
X[:, 3] = X[:, 1] * np.where(Y, 1, -1) + 0.5 * RNG.normal(size=150)
EVERY = [name for name, method in REGISTRY.items() if "exhaustive" in method.searches]
SMALL = {"centres": 10, "sigmas": [0.6], "folds": 2}
OPTIONS = {"lsmi.forward": {**SMALL, "lambdas": [0.1]}, "mlmi.forward": SMALL}


@pytest.mark.parametrize("method", EVERY)
def test_the_best_of_all_sets(method):
    """Every set's value asked from the outside, one by one; the order of members does not matter."""
    options = OPTIONS.get(method, {})
    sets = [list(some) for some in combinations(range(5), 2)]
    values = ep.information(X[:, :5], Y, sets, measure=method, **options)
    turned = ep.information(X[:, :5], Y, [some[::-1] for some in sets], measure=method, **options)
    np.testing.assert_allclose(values, turned, atol=1e-9)
    found = ep.select(X[:, :5], Y, method=method, search="exhaustive", k=2, random_state=0, **options)
    best = np.flatnonzero(values >= values.max() - 1e-12)[0]
    assert sorted(found.indices) == sets[best]
    at = "upper_bound" if "upper_bound" in found.details else "value"
    assert found.details[at] == pytest.approx(values.max())


def test_what_enters_first_is_in_every_set():
    found = ep.select(X, Y, method="cmi", search="exhaustive", k=2, include=[5], exclude=[0])
    values = {j: ep.information(X, Y, [5, j], measure="cmi") for j in range(1, 5)}
    assert found.indices.tolist() == [5, max(values, key=values.get)]
    assert found.details["sets"] == 4


def test_too_many_sets_are_refused():
    wide = RNG.normal(size=(30, 60))
    with pytest.raises(InvalidParameter, match="5,461,512 of 5 out of 60 features"):
        ep.select(wide, Y[:30], method="gc.mi", search="exhaustive", k=5)
    with pytest.raises(InvalidParameter, match="auto"):
        ep.select(X, Y, method="gc.mi", search="exhaustive", k="auto", test="chi2")


def test_joint_information_by_counts():
    """H(X_S) + H(Y) − H(X_S, Y) from a table of counts, in nats; sums of scores for a criterion of steps."""
    codes = np.digitize(X, [-0.5, 0.7])
    joint = (codes[:, 0] * 3 + codes[:, 3]).tolist()
    expected = reference.information(joint, Y.tolist())
    assert ep.information(codes, Y, [0, 3], measure="cmi", discretizer=None) == pytest.approx(expected)
    picks = ep.select(X, Y, method="jmi", k=3)
    assert ep.information(X, Y, picks.indices, measure="jmi") == pytest.approx(picks.scores.sum())


def test_gaussian_information_in_closed_form():
    z = RNG.normal(size=4000)
    table = np.column_stack([z, RNG.normal(size=4000)])
    y = 0.8 * z + 0.6 * RNG.normal(size=4000)
    r = np.corrcoef(np.column_stack([table, y]).T)
    exact = -0.5 * np.log(np.linalg.det(r) / np.linalg.det(r[:2, :2]))
    assert ep.information(table, y, measure="gc.mi", task="regression") == pytest.approx(exact, rel=1e-9)
    assert ep.information(table, y, measure="joint", task="regression") == pytest.approx(exact, abs=0.05)


def test_names_sets_and_what_is_refused():
    import pandas as pd

    frame = pd.DataFrame(X, columns=list("abcdef"))
    one = ep.information(frame, Y, "c", measure="mim")
    assert one == pytest.approx(ep.mutual_information(X, Y)[2])
    assert ep.information(frame, Y, ["c", "a"], measure="hsic") == ep.information(X, Y, [0, 2], measure="hsic")
    assert ep.information(frame, Y, [["c"], ["a", "b"]], measure="mim").shape == (2,)
    with pytest.raises(InvalidParameter, match="ranks features only"):
        ep.information(X, Y, [0], measure="relieff")
    with pytest.raises(UnknownMethod, match="lsmj"):
        ep.information(X, Y, [0], measure="lsmj")
    with pytest.raises(InvalidParameter, match="at least one"):
        ep.information(X, Y, [[0], []])
    with pytest.raises(InvalidParameter, match="no feature 'z'"):
        ep.information(frame, Y, ["z"])


def test_the_record_of_a_selection_is_of_all_its_picks():
    """Not of all but the last, of which the search need not tell the measure."""
    for search in ("forward", "pruned"):
        found = ep.select(X, Y, method="gc.mi", k=3, search=search)
        assert found.details["criterion"] == pytest.approx(ep.information(X, Y, found.indices, measure="gc.mi"))
        assert found.details["criterion"] == pytest.approx(found.scores.sum())
        assert found.details["fano_floor"] == found.steps[-1].extra["fano_floor"]


def test_matrices_of_conditional_information():
    codes = np.digitize(X[:, :4], [-0.5, 0.7])
    Q = ep.conditional_information_matrix(codes, Y, discretizer=None)
    d = ep.conditional_information_distance(codes, Y, discretizer=None)
    for i in range(4):
        assert Q[i, i] == pytest.approx(reference.information(codes[:, i].tolist(), Y.tolist()))
        for j in range(i):
            pair = reference.information((codes[:, i] * 3 + codes[:, j]).tolist(), Y.tolist())
            expected = 2 * pair - Q[i, i] - Q[j, j]  # I(X_i;Y|X_j) = I(X_i X_j;Y) − I(X_j;Y)
            assert Q[i, j] == pytest.approx(expected / 2)
            assert d[i, j] == pytest.approx(expected)
    assert (np.diag(d) == 0).all()
