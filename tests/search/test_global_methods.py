"""The global methods from end to end."""

import numpy as np
import pytest

import entropick as ep

NAMES = ("qpfs", "eqpfs", "spec.cmi", "sdp.cmi")


@pytest.fixture(scope="module")
def table():
    from sklearn.datasets import load_breast_cancer

    return load_breast_cancer(return_X_y=True)


@pytest.mark.parametrize("method", NAMES)
def test_a_set_and_a_ranking(method, table):
    found = ep.select(*table, method=method, k=5, random_state=0)
    assert len(set(found.indices)) == 5
    assert len(found.details["weights"]) == 30
    assert ep.Selection.from_json(found.to_json()) == found
    complete = ep.select(*table, method=method, k=None, random_state=0)
    assert sorted(complete.indices) == list(range(30))
    assert np.all(np.diff(complete.scores) <= 1e-12)


@pytest.mark.parametrize("method", NAMES)
@pytest.mark.parametrize("options", [{"nystrom": 0.4}, {"improve": "swap"}, {"k": "auto"}, {"n_jobs": 2}])
def test_options(method, options, table):
    asked = {"k": 4, "random_state": 3, **options}
    one, two = (ep.select(*table, method=method, **asked) for _ in range(2))
    assert list(one.indices) == list(two.indices)
    assert len(one) == 4 or options.get("k") == "auto"


def test_swaps_bring_spectral_and_semidefinite_together(table):
    spectral = ep.select(*table, method="spec.cmi", k=5, improve="swap")
    semidefinite = ep.select(*table, method="sdp.cmi", k=5, improve="swap", random_state=0)
    assert set(spectral.indices) == set(semidefinite.indices)
    assert semidefinite.details["value"] <= semidefinite.details["upper_bound"]


def test_correlation_needs_a_size(table):
    found = ep.select(*table, method="qpfs", k=3, similarity="correlation")
    assert len(found) == 3
    with pytest.raises(ep.InvalidParameter, match="auto"):
        ep.select(*table, method="qpfs", k="auto", similarity="correlation")


def test_regression_and_groups():
    random = np.random.default_rng(0)
    X = random.standard_normal((200, 6))
    y = X[:, 1] + X[:, 4] + 0.1 * random.standard_normal(200)
    assert set(ep.select(X, y, method="qpfs", k=2).indices) == {1, 4}
    assert set(ep.select(X, y, method="qpfs", k=2, similarity="correlation").indices) == {1, 4}
    grouped = ep.select(X, y, method="spec.cmi", k=1, groups=[0, 1, 0, 2, 1, 2], discretizer=3)
    assert set(grouped.indices) == {1, 4}


@pytest.mark.parametrize("options", [{}, {"similarity": "correlation"}])
def test_constant_columns_do_not_change_the_balance(options, table):
    X, y = table
    padded = np.hstack([X, np.ones((len(X), 60))])
    plain, among = (ep.select(data, y, method="qpfs", k=8, **options) for data in (X, padded))
    assert list(plain.indices) == list(among.indices)
    assert plain.details["alpha"] == pytest.approx(among.details["alpha"])
