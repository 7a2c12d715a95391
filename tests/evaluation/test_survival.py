"""Events and times in `compare`: Harrell's C, Cox's model, and what methods are told that know no censored times."""

from __future__ import annotations

import importlib.util
from itertools import permutations

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.feature_selection import SelectKBest, f_regression
from sklearn.model_selection import cross_val_score
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import entropick as ep
from entropick.coding.survival import martingale_residuals
from entropick.errors import InvalidInput, InvalidParameter
from entropick.evaluation.resampling import resample
from entropick.evaluation.survival import OUTCOME, Concordance, CoxModel, censored, concordance


def drawn(n=160, d=7, seed=0, ties=False):
    """Times by hazards of the first three columns, about a third of them censored."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, d))
    time = random.exponential(np.exp(-(X[:, 0] - 0.8 * X[:, 1] + 0.5 * X[:, 2])))
    limit = random.exponential(2.0, n)
    y = np.empty(n, OUTCOME)
    y["event"], y["time"] = time <= limit, np.minimum(time, limit)
    if ties:
        y["time"] = np.ceil(y["time"] * 4)
    return X, y


X, Y = drawn()


def counted(y, risk, weights):
    """Harrell's C pair by pair."""
    pairs = right = 0.0
    for i, j in permutations(range(len(y)), 2):
        earlier = y["time"][i] < y["time"][j] or (y["time"][i] == y["time"][j] and not y["event"][j])
        if y["event"][i] and earlier:
            pairs += weights[i] * weights[j]
            right += weights[i] * weights[j] * (1.0 if risk[i] > risk[j] else 0.5 if risk[i] == risk[j] else 0.0)
    return right / pairs


@pytest.mark.parametrize("ties", [False, True])
def test_concordance_pair_by_pair(ties, monkeypatch):
    from entropick.evaluation import survival

    _, y = drawn(60, seed=3, ties=ties)
    random = np.random.default_rng(1)
    risk = np.round(random.normal(size=60), 1)
    ones, weights = np.ones(60), random.integers(0, 4, 60).astype(float)
    assert concordance(y, risk) == pytest.approx(counted(y, risk, ones), abs=1e-14)
    assert concordance(y, risk, weights) == pytest.approx(counted(y, risk, weights), abs=1e-14)
    monkeypatch.setattr(survival, "CELLS", 100)
    assert concordance(y, risk) == pytest.approx(counted(y, risk, ones), abs=1e-14)


def test_concordance_of_no_pair():
    y = np.array([(False, 1.0), (True, 2.0)], OUTCOME)
    assert np.isnan(concordance(y, np.array([1.0, 2.0])))


def penalised(beta, X, y, weights, alpha):
    """Breslow's partial likelihood, event by event, negative."""
    eta = X @ beta
    total = 0.5 * alpha * beta @ beta
    for i in np.flatnonzero(y["event"]):
        at_risk = y["time"] >= y["time"][i]
        total -= weights[i] * (eta[i] - np.log((weights * np.exp(eta))[at_risk].sum()))
    return total


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("alpha", [0.1, 1.0, 30.0])
def test_cox_is_the_maximum(ties, alpha):
    X, y = drawn(80, 4, seed=5, ties=ties)
    weights = np.random.default_rng(2).uniform(0.5, 2.0, 80)
    best = minimize(penalised, np.zeros(4), (X, y, weights, alpha), method="BFGS", options={"gtol": 1e-7})
    np.testing.assert_allclose(CoxModel(alpha).fit(X, y, weights).coef_, best.x, atol=2e-6)


def test_a_weight_of_two_is_the_row_twice():
    weights = np.random.default_rng(4).integers(1, 4, len(X))
    many = np.repeat(np.arange(len(X)), weights)
    np.testing.assert_allclose(CoxModel().fit(X, Y, weights).coef_, CoxModel().fit(X[many], Y[many]).coef_, atol=1e-9)


def test_cox_on_what_separates_and_on_nothing():
    order = np.argsort(Y["time"]).argsort()[:, None].astype(float)
    assert np.isfinite(CoxModel().fit(order, Y).coef_).all()  # a perfect order has no finite maximum without the ridge
    assert concordance(Y, CoxModel().fit(order, Y).predict(order)) == 1.0
    assert CoxModel().fit(np.zeros((len(X), 1)), Y).coef_ == 0.0
    with pytest.raises(InvalidInput, match="needs at least one event"):
        CoxModel().fit(X, np.array([(False, t) for t in Y["time"]], OUTCOME))


@pytest.mark.parametrize("n_jobs", [None, 2])
def test_figures_are_those_of_the_pipeline(n_jobs):
    found = ep.compare(X, Y, ["joint"], k=[3], cv=4, repeats=1, n_jobs=n_jobs)
    folds = [(rows.train, rows.test) for rows in resample(censored(Y, "auto"), 4, 1).resamples]
    pipeline = make_pipeline(ep.Selector("joint", k=3, task="survival"), StandardScaler(), CoxModel())
    expected = cross_val_score(pipeline, X, Y, cv=folds, scoring=Concordance())
    np.testing.assert_allclose(found.scores["score"], expected, atol=1e-12)
    assert found.scoring == ("c-index",)
    assert found.blind == 0.5
    assert "C-index" in found.best().words


def test_events_are_in_every_fold():
    target = censored(Y, "auto")
    share = Y["event"].mean()
    for rows in resample(target, 5, 2).resamples:
        assert abs(Y["event"][rows.test].mean() - share) < 0.04


def test_others_are_told_residuals_of_the_training_rows():
    from entropick.evaluation import ready_made

    made = ready_made.ready_made("SelectKBest.f", "survival")
    assert made.of_numbers
    folds = [(rows.train, rows.test) for rows in resample(censored(Y, "auto"), 3, 1).resamples]
    found = ep.compare(X, Y, ["jmi", "SelectKBest.f"], k=[2], cv=folds)
    for number, (train, _) in enumerate(folds):
        told = martingale_residuals(Y["event"][train], Y["time"][train])
        own = ep.select(X[train], told, method="jmi", k=2, task="regression").indices
        assert found.sets("jmi", 2)[number].tolist() == own.tolist()
        theirs = SelectKBest(f_regression, k=2).fit(X[train], told).get_support(indices=True)
        assert sorted(found.sets("SelectKBest.f", 2)[number]) == theirs.tolist()
    assert any("residuals of events and times" in note and "jmi, SelectKBest.f" in note for note in found.notes)

    def by_hand(X, y, k):
        assert y.dtype.names == ("event", "time")
        return range(k)

    assert ep.compare(X, Y, {"own": by_hand}, k=[2], cv=3, repeats=1).notes == ()


def test_what_comes_out(tmp_path):
    found = ep.compare(X, Y, ["joint", "jmi"], k=[1, 3], cv=3, repeats=1, scoring=["concordance"])
    assert found.task == "survival"
    assert ep.Comparison.from_json(found.to_json()) == found
    assert found.curves()["mean"].between(0, 0.6).all()
    found.report(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text("utf-8")
    assert "C-index" in page
    assert "RMSE" not in page.split("<script")[0]


def test_selectors():
    both = ep.compare(X, Y, ["joint"], k=[2], cv=3, repeats=1)
    assert both.selector().fit(X, Y).get_support().sum() == 2
    told = ep.compare(X, Y, ["jmi"], k=[2], cv=3, repeats=1)
    with pytest.raises(InvalidParameter, match="selector: 'jmi' was told residuals"):
        told.selector()
    assert ep.Comparison.from_json(told.to_json()) == told


def test_finished_trials_are_kept(tmp_path, monkeypatch):
    how = {"methods": ["joint", "jmi"], "k": [2], "cv": 3, "repeats": 1, "resume": tmp_path}
    found = ep.compare(X, Y, **how)
    assert len(list(tmp_path.iterdir())) == 6
    with monkeypatch.context() as patch:
        patch.setattr("entropick.evaluation.trials.run_trial", None)
        assert ep.compare(X, Y, **how).scores.equals(found.scores)
    later = Y.copy()
    later["time"] *= 2
    ep.compare(X, later, **how)
    assert len(list(tmp_path.iterdir())) == 12


def test_two_columns_and_no_censoring():
    pairs = np.column_stack([Y["event"], Y["time"]])
    how = {"methods": ["joint"], "k": [2], "cv": 3, "repeats": 1}
    assert ep.compare(X, pairs, task="survival", **how).scores.equals(ep.compare(X, Y, **how).scores)
    seen = Y.copy()
    seen["event"] = True
    assert ep.compare(X, seen, **how).scores["score"].min() > 0.5


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"scoring": "roc_auc"}, "scoring: censored times are scored by 'c-index', or a function, got 'roc_auc'"),
        ({"estimators": "ridge"}, "estimators: no estimator 'ridge'. Known for survival: Cox model, survival forest"),
        ({"estimators": KNeighborsRegressor()}, "must be a survival model for a survival target"),
        ({"methods": "fcbf", "task": "classification"}, "events and times are a survival target"),
    ],
)
def test_what_will_not_do(arguments, message):
    with pytest.raises((InvalidParameter, InvalidInput), match=message):
        ep.compare(X, Y, **{"methods": ["joint"], "k": [2], "cv": 3, "repeats": 1, **arguments})


def test_a_score_of_censored_times_needs_them():
    with pytest.raises(InvalidParameter, match="scoring: 'c-index' needs events and times as y"):
        ep.compare(X, Y["event"], ["jmi"], k=[2], scoring="c-index")


def test_a_missing_library_is_one_line(monkeypatch):
    find = importlib.util.find_spec
    monkeypatch.setattr(
        "entropick.evaluation.estimators.find_spec", lambda name: None if name == "sksurv" else find(name)
    )
    with pytest.raises(InvalidParameter) as told:
        ep.compare(X, Y, ["joint"], k=[2], estimators="survival forest")
    assert str(told.value).endswith("install with: pip install scikit-survival")
    assert "\n" not in str(told.value)
