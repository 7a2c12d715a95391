"""Models against their optimality conditions and scikit-learn; graphs and windows against dense ones."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.feature_selection import mutual_info_classif, mutual_info_regression
from sklearn.linear_model import Lasso as Peer
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import kneighbors_graph

import entropick as ep
from entropick.errors import InvalidInput, InvalidParameter
from entropick.measures.baselines import spectral_relevance
from entropick.measures.baselines.continuous import GaussianMRMR, NeighbourMRMR
from entropick.measures.baselines.lasso import Lasso
from entropick.measures.baselines.parzen import ParzenMRMR
from entropick.measures.baselines.softmax import Softmax
from entropick.measures.baselines.sparse_logistic import SBMLR
from entropick.measures.baselines.spectral_graph import Laplacian, Spec
from entropick.measures.baselines.spectral_relevance import QAlpha
from entropick.statistics.rows import RowStatistics
from reference import baselines as reference

ROWS = ("relieff", "lasso", "sbmlr", "cmtf", "qalpha", "spec", "laplacian", "mrmr.gaussian", "mrmr.knn", "mrmr.parzen",
        "infogain.knn", "rfe.svm", "stumps")  # fmt: skip


def data(n=200, d=12, classes=3, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, n).astype(np.int32)
    X = rng.normal(size=(n, d))
    X[:, 2] += 1.5 * y
    X[:, 5] += np.where(y == 1, 1.5, 0)
    X[:, 6] = X[:, 5] + 0.2 * rng.normal(size=n)
    return X, y, 2 * X[:, 0] - X[:, 3] + 0.5 * X[:, 7] + 0.5 * rng.normal(size=n)


def order(measure, k=None):
    d = measure.n_candidates
    return measure.order(d if k is None else k, np.ones(d, bool))


def by_column(ordering):
    out = np.empty(ordering.candidates.size)
    out[ordering.candidates] = ordering.scores
    return out


# -- ℓ1 ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("l1", "l2"), [(0.05, 0.0), (0.01, 0.0), (0.02, 0.02)])
@pytest.mark.parametrize("weighted", [False, True])
def test_softmax_is_optimal(l1, l2, weighted):
    X, y, _ = data()
    v = np.random.default_rng(1).integers(1, 5, len(X)).astype(float) if weighted else np.ones(len(X))
    fit = Softmax(X, y, 3, v).fit(l1, l2, tol=1e-7)
    margin = X @ fit.weights + fit.intercept
    p = np.exp(margin - margin.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    residual = (v / v.sum())[:, None] * (p - np.eye(3)[y])
    gradient = X.T @ residual + l2 * fit.weights
    present = fit.weights != 0
    assert np.abs(gradient + l1 * np.sign(fit.weights))[present].max() < 1e-6 * l1
    assert (np.abs(gradient[~present]) <= l1 * (1 + 1e-6)).all()
    assert np.abs(residual.sum(axis=0)).max() < 1e-6
    repeated = Softmax(np.repeat(X, v.astype(int), axis=0), np.repeat(y, v.astype(int)), 3).fit(l1, l2, tol=1e-7)
    np.testing.assert_allclose(repeated.weights, fit.weights, atol=1e-5)


@pytest.mark.parametrize("classes", [2, 4])
def test_the_way_to_a_fit_does_not_show(classes):
    """Weights of a feature may all be shifted by a number: the middle of the best shifts is taken."""
    X, y, _ = data(classes=classes)
    own = Softmax(X, y, classes)
    straight = own.fit(0.01, tol=1e-8)
    around = own.fit(0.01, start=own.fit(0.002, start=own.fit(0.05)), tol=1e-8)
    np.testing.assert_allclose(straight.weights, around.weights, atol=1e-5)
    assert ((straight.weights != 0) == (around.weights != 0)).all()
    if classes == 2:
        np.testing.assert_allclose(straight.weights[:, 0], -straight.weights[:, 1], atol=1e-15)


def test_softmax_objective_of_scikit_learn():
    X, y, _ = data(n=120, d=8)
    l1 = 0.02
    before = {"penalty": "elasticnet"} if getattr(LogisticRegression(), "penalty", "") == "l2" else {}  # to 1.7
    settings = {"solver": "saga", "l1_ratio": 1.0, "tol": 1e-8, "max_iter": 20000, **before}
    peer = LogisticRegression(C=1 / (l1 * len(X)), **settings).fit(X, y)
    np.testing.assert_allclose(Softmax(X, y, 3).fit(l1, tol=1e-7).weights.T, peer.coef_, atol=2e-3)


def test_lasso_regression_is_the_path():
    X, _, target = data()
    own = Lasso(RowStatistics(X, np.zeros(200), 1, target=target))
    ordering = order(own, 3)
    assert set(ordering.candidates[:3]) == {0, 3, 7}
    Z, t = (X - X.mean(axis=0)) / X.std(axis=0), (target - target.mean()) / target.std()
    assert ordering.scores[0] == pytest.approx(np.abs(Z.T @ t).max() / 200)
    for rank in (1, 2, 3):
        entry = ordering.scores[rank]  # just above it the feature has no weight, just below it has
        assert np.count_nonzero(Peer(alpha=entry * 1.001, tol=1e-10).fit(Z, t).coef_) == rank
        assert Peer(alpha=entry * 0.999, tol=1e-10).fit(Z, t).coef_[ordering.candidates[rank]] != 0
    assert (np.diff(ordering.scores) <= 1e-12).all()


def test_lasso_finds_k_in_every_form():
    X, y, target = data()
    copy = np.column_stack([X, X[:, 2], X[:, 0]])
    for ratio in (1.0, 0.5):
        found = ep.select(copy, y, method="lasso", k=2, l1_ratio=ratio)
        assert found.indices.tolist()[0] in (2, 12)
        assert len(ep.select(X, target, method="lasso", k=None, l1_ratio=ratio)) == 12
    assert set(ep.select(copy, target, method="lasso", k=3).indices) == {0, 3, 7}  # a copy has nothing to add


@pytest.mark.parametrize("classes", [2, 3])
def test_sbmlr_rests_where_its_conditions_hold(classes):
    X, y, _ = data(classes=classes)
    own = SBMLR(RowStatistics(X, y, classes))
    ordering = order(own)
    told = own.details()
    assert told["optimality_violation"] <= 1e-5
    assert told["alpha_of_weights"] == pytest.approx(told["alpha"], rel=1.5 / told["weights_not_zero"])
    for _, before, after in told["objective_trace"]:
        assert after <= before + 1e-9 * abs(before)
    assert {2, 5} <= set(ordering.candidates[: ordering.decided]) or {2, 6} <= set(
        ordering.candidates[: ordering.decided]
    )
    assert (ordering.scores[ordering.decided :] <= 0).all()
    assert len(ep.select(X, y, method="sbmlr", k="auto", test="chi2")) == ordering.decided


def test_sbmlr_of_noise():
    rng = np.random.default_rng(0)
    found = ep.select(rng.normal(size=(300, 5)), np.arange(300) % 2, method="sbmlr", k=None)
    assert sorted(found.indices) == [0, 1, 2, 3, 4]
    assert len(ep.select(np.ones((20, 3)), np.arange(20) % 2, method="sbmlr", k="auto")) == 0


# -- graphs ------------------------------------------------------------------------------------------------


def test_laplacian_score():
    X, y, _ = data(n=80)
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    near = kneighbors_graph(Z, 5, mode="distance").toarray()
    near = np.where(near > 0, np.exp(-(near**2) / (near[near > 0] ** 2).mean()), 0)
    own = by_column(order(Laplacian(RowStatistics(X, y, 3))))
    np.testing.assert_allclose(-own, reference.laplacian_score(Z, np.maximum(near, near.T)), rtol=1e-9)


@pytest.mark.parametrize("graph", ["class", "rbf"])
def test_spec(graph):
    X, y, _ = data(n=80)
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    if graph == "class":
        S = (y[:, None] == y) / np.bincount(y)[y]
    else:
        S = np.exp(-((Z[:, None] - Z) ** 2).sum(axis=2) / (2 * Z.shape[1]))
    phi1, phi2 = reference.spec_scores(Z, S)
    rows = RowStatistics(X, y, 3)
    np.testing.assert_allclose(-by_column(order(Spec(rows, graph=graph, score="phi1"))), phi1, rtol=1e-9)
    np.testing.assert_allclose(-by_column(order(Spec(rows, graph=graph))), phi2, rtol=1e-9)


def test_spec_on_classes_orders_as_fisher_does():
    X, y, _ = data()
    a, b = (ep.select(X, y, method=m, k=None).indices.tolist() for m in ("spec", "fisher"))
    assert a == b


def test_qalpha_is_the_iteration_and_its_weights_an_eigenvector():
    X, y, _ = data(n=60)
    M = X - X.mean(axis=0)
    M = M / np.linalg.norm(M, axis=0)
    expected, G = reference.qalpha(M, 3)
    found = by_column(order(QAlpha(RowStatistics(X, y, 3), random=np.random.default_rng(5))))
    np.testing.assert_allclose(found, expected, atol=1e-6)
    np.testing.assert_allclose(G @ found, (found @ G @ found) * found, atol=1e-6)
    assert (found > -1e-9).all()


@pytest.mark.parametrize("method", ["spec", "laplacian"])
@pytest.mark.parametrize("graph", ["class", "rbf", "knn"])
@pytest.mark.parametrize("tied", [False, True])
def test_on_graphs_a_row_of_weight_two_is_the_row_twice(method, graph, tied):
    rng = np.random.default_rng(11)
    X, y = rng.standard_normal((40, 6)), rng.integers(0, 2, 40)
    X[:, 0] += 2 * y
    if tied:
        X = np.round(X)
    weights = rng.integers(1, 5, 40)
    once = ep.select(X, y, method=method, graph=graph, k=None, sample_weight=weights)
    twice = ep.select(np.repeat(X, weights, axis=0), np.repeat(y, weights), method=method, graph=graph, k=None)
    assert once.indices.tolist() == twice.indices.tolist()
    np.testing.assert_allclose(once.scores, twice.scores, rtol=1e-9)


def test_as_near_as_the_last_neighbour_is_near():
    """Four corners of a square and k = 1: each has two neighbours, whichever comes first among the rows."""
    X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    found = by_column(order(Laplacian(RowStatistics(X, np.array([0, 1, 0, 1]), 2), n_neighbors=1)))
    near = np.exp(-1.0) * np.array([[0, 1, 1, 0], [1, 0, 0, 1], [1, 0, 0, 1], [0, 1, 1, 0]])
    np.testing.assert_allclose(-found, reference.laplacian_score(2 * X - 1, near), rtol=1e-9)


@pytest.mark.parametrize("options", [{}, {"clusters": 9}, {"supervised": True, "clusters": 2}])
@pytest.mark.parametrize("n", [60, 8])
def test_qalpha_without_rows_is_qalpha_with_rows(monkeypatch, options, n):
    """Frames by eigenvectors of a Gram matrix and by QR of the rows, also where there are too few dimensions."""
    X, y, _ = data(n=n)
    X[:, 8:] = X[:, :4]
    found = []
    for near in (spectral_relevance.NEAR, 2.0):  # no ratio is above 2
        monkeypatch.setattr(spectral_relevance, "NEAR", near)
        found.append(by_column(order(QAlpha(RowStatistics(X, y, 3), random=np.random.default_rng(0), **options))))
    np.testing.assert_allclose(found[0], found[1], atol=1e-9)


def test_supervised_qalpha_prefers_what_tells_classes():
    X, y, _ = data(n=300)
    own = QAlpha(RowStatistics(X, y, 3), supervised=True, random=np.random.default_rng(0))
    assert order(own).candidates[0] == 2


# -- information without bins ------------------------------------------------------------------------------


def test_neighbours_are_those_of_scikit_learn():
    X, y, target = data()
    classes = NeighbourMRMR(RowStatistics(X, y, 3))
    np.testing.assert_allclose(classes.relevance, mutual_info_classif(X, y, random_state=0), atol=1e-6)
    numbers = NeighbourMRMR(RowStatistics(X, y, 3, target=target))
    np.testing.assert_allclose(numbers.relevance, mutual_info_regression(X, target, random_state=0), atol=1e-6)
    classes.add(5)
    shared = np.array(classes.account(6).redundancy)
    np.testing.assert_allclose(shared, mutual_info_regression(X[:, [6]], X[:, 5], random_state=0), atol=1e-6)
    assert classes.gains()[6] == pytest.approx(classes.relevance[6] - shared[0])


def test_windows():
    X, y, target = data(n=50)
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    t = (target - target.mean()) / target.std()
    h = 50 ** (-1 / 6)
    classes = ParzenMRMR(RowStatistics(X, y, 3))
    numbers = ParzenMRMR(RowStatistics(X, y, 3, target=target))
    classes.add(5)
    for j in (0, 2, 6):
        assert classes.relevance[j] == pytest.approx(reference.parzen_relevance(Z[:, j], y, h), abs=1e-9)
        assert numbers.relevance[j] == pytest.approx(reference.parzen_information(Z[:, j], t, h), abs=1e-9)
        expected = reference.parzen_information(Z[:, j], Z[:, 5], h)
        assert classes.account(j).redundancy[0] == pytest.approx(expected, abs=1e-9)


def test_windows_of_a_strongly_correlated_pair():
    """The window has the covariance of the pair: at ρ = 0.99 a product of two windows gives about half of the truth."""
    rho, rng = 0.99, np.random.default_rng(0)
    x = rng.normal(size=1000)
    z = rho * x + np.sqrt(1 - rho**2) * rng.normal(size=1000)
    measure = ParzenMRMR(RowStatistics(np.stack([x, z], 1), rng.integers(0, 2, 1000), 2))
    measure.add(0)
    truth = -0.5 * np.log(1 - rho**2)  # 1.96
    assert measure.account(1).redundancy[0] == pytest.approx(truth, rel=0.06)


def test_gaussian_information():
    rng = np.random.default_rng(0)
    y = np.arange(40000) % 2
    a = rng.normal(size=40000) * np.where(y == 1, 3.0, 1.0)
    b = 0.8 * a / a.std() + 0.6 * rng.normal(size=40000)
    own = GaussianMRMR(RowStatistics(np.column_stack([a, b]), y, 2))
    assert own.relevance[0] == pytest.approx(0.5 * np.log(5.0) - 0.5 * np.log(3.0), abs=0.02)
    own.add(0)
    assert own.account(1).redundancy[0] == pytest.approx(-0.5 * np.log(1 - 0.64), abs=0.02)


# -- all of them -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ROWS)
def test_contract(method):
    X, y, target = data()
    full = ep.select(X, y, method=method, k=None, random_state=0)
    assert sorted(full.indices) == list(range(12))
    assert np.isfinite(full.scores).all()
    held = ep.select(X, y, method=method, k=3, include=[9], exclude=[2], random_state=0)
    assert held.indices[0] == 9
    assert 2 not in held.indices
    assert len(held) == 3
    assert ep.Selection.from_json(full.to_json()).indices.tolist() == full.indices.tolist()
    constant = np.column_stack([np.full(200, 7.0), X])
    assert ep.select(constant, y, method=method, k=3, random_state=0).indices.tolist().count(0) == 0
    if method not in ("sbmlr", "cmtf"):
        with pytest.raises(InvalidParameter, match="k"):
            ep.select(X, y, method=method, k="auto", test="chi2")
    if method != "relieff":
        holed = X.copy()
        holed[3, 4] = np.nan
        with pytest.raises(InvalidInput, match="NaN"):
            ep.select(holed, y, method=method, k=2)
    if "regression" in ep.methods().loc[method, "tasks"]:
        assert len(ep.select(X, target, method=method, k=2, random_state=0)) == 2


@pytest.mark.parametrize(
    "method", ["lasso", "sbmlr", "cmtf", "spec", "mrmr.gaussian", "mrmr.parzen", "mrmr.knn", "qalpha"]
)
def test_weights_are_frequencies(method):
    X, y, _ = data(n=70)
    w = np.random.default_rng(3).integers(1, 4, 70)
    a = ep.select(X, y, method=method, k=3, sample_weight=w, random_state=0)
    b = ep.select(np.repeat(X, w, axis=0), np.repeat(y, w), method=method, k=3, random_state=0)
    assert a.indices.tolist() == b.indices.tolist()
    if method != "mrmr.knn":  # ties are broken by another draw of noise
        np.testing.assert_allclose(a.scores, b.scores, rtol=1e-3, atol=1e-6)
