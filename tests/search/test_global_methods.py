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


def test_correlation_has_no_rule_of_its_own(table):
    assert len(ep.select(*table, method="qpfs.correlation", k=3)) == 3
    assert 0 < len(ep.select(*table, method="qpfs.correlation", k="auto")) < 10
    with pytest.raises(ep.InvalidParameter, match=r"k: 'qpfs.correlation' has no stopping rule"):
        ep.select(*table, method="qpfs.correlation", k="auto", test="chi2")
    with pytest.raises(ep.InvalidParameter, match=r"similarity: .* use the method 'qpfs.correlation'"):
        ep.select(*table, method="qpfs", k=3, similarity="correlation")


def test_regression_and_groups():
    random = np.random.default_rng(0)
    X = random.standard_normal((200, 6))
    y = X[:, 1] + X[:, 4] + 0.1 * random.standard_normal(200)
    assert set(ep.select(X, y, method="qpfs", k=2).indices) == {1, 4}
    assert set(ep.select(X, y, method="qpfs.correlation", k=2).indices) == {1, 4}
    grouped = ep.select(X, y, method="spec.cmi", k=1, groups=[0, 1, 0, 2, 1, 2], discretizer=3)
    assert set(grouped.indices) == {1, 4}


@pytest.mark.parametrize("method", ["qpfs", "qpfs.correlation"])
def test_constant_columns_do_not_change_the_balance(method, table):
    X, y = table
    padded = np.hstack([X, np.ones((len(X), 60))])
    plain, among = (ep.select(data, y, method=method, k=8) for data in (X, padded))
    assert list(plain.indices) == list(among.indices)
    assert plain.details["alpha"] == pytest.approx(among.details["alpha"])


@pytest.mark.parametrize("method", NAMES)
@pytest.mark.parametrize("k", [3, "auto"])
def test_constant_columns_change_no_weight_of_others(method, k):
    rng = np.random.default_rng(4)
    y = rng.integers(0, 2, 300)
    X = np.column_stack([np.where(rng.random(300) < share, y, rng.integers(0, 3, 300)) for share in (0.5, 0.4, 0.3, 0)])
    how = {"method": method, "k": k, "discretizer": None, "random_state": 0}
    alone, among = ep.select(X, y, **how), ep.select(np.c_[X, np.ones((300, 5), int)], y, **how)
    assert alone.indices.tolist() == among.indices.tolist()
    np.testing.assert_allclose(alone.scores, among.scores, rtol=1e-9)
    assert len(alone) >= 2
    np.testing.assert_allclose(among.details["weights"][:4], alone.details["weights"], rtol=1e-9)


def test_nothing_but_constant_columns_is_nothing_chosen():
    assert len(ep.select(np.ones((30, 3), int), np.arange(30) % 2, method="spec.cmi", k="auto")) == 0
