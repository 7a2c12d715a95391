"""Selectors of other make: chosen and judged as scikit-learn's own pipelines would."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_classification
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.feature_selection import RFE, SelectFdr, SelectFromModel, SelectKBest, VarianceThreshold, f_classif
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from entropick import Comparison, InvalidParameter, Selector, UnknownMethod, compare
from entropick.evaluation import ready_made
from entropick.evaluation.ready_made import READY

X, Y = make_classification(160, 10, n_informative=4, n_redundant=2, random_state=1)
FRAME = pd.DataFrame(X, columns=[f"gene {j}" for j in range(10)])
CV = StratifiedKFold(3, shuffle=True, random_state=0)
TREES = ExtraTreesClassifier(20, random_state=0)
THREE = {
    "best": SelectKBest(f_classif),
    "rfe": RFE(LogisticRegression()),
    "trees": SelectFromModel(TREES, threshold=-np.inf, max_features=1),
    "after scaling": make_pipeline(VarianceThreshold(), StandardScaler(), SelectKBest(f_classif)),
}


def judged(methods, k=(2, 4), **more):
    return compare(FRAME, Y, methods, k=list(k), estimators=LogisticRegression(), cv=CV, scoring="roc_auc", **more)


def sized(selector, k):
    names = {"k", "n_features_to_select", "max_features"}
    last = selector.steps[-1][1] if hasattr(selector, "steps") else selector
    last.set_params(**dict.fromkeys(names & set(last.get_params(deep=False)), k))
    return selector


@pytest.fixture(scope="module")
def found():
    return judged({**THREE, "jmi": "jmi"})


@pytest.mark.parametrize("label", THREE)
@pytest.mark.parametrize("k", [2, 4])
def test_the_same_as_cross_val_score(found, label, k):
    from sklearn.base import clone

    model = make_pipeline(sized(clone(THREE[label]), k), StandardScaler(), LogisticRegression())
    expected = cross_val_score(model, FRAME, Y, cv=CV, scoring="roc_auc")
    np.testing.assert_allclose(found.scores.query("method == @label and k == @k")["score"], expected, rtol=1e-12)


def test_two_processes(found):
    assert judged({**THREE, "jmi": "jmi"}, n_jobs=2).scores.equals(found.scores)


def test_a_function_and_a_list_of_columns():
    def widest(table, y, k):
        assert list(table.columns) == list(FRAME.columns)
        return table.std().sort_values(ascending=False).index[:k]

    own = judged({"widest": widest, "panel": ["gene 3", "gene 1", "gene 8"], "selector": Selector("mim")})
    train, test = next(iter(CV.split(X, Y)))
    assert own.sets("widest", 2)[0].tolist() == np.argsort(-X[train].std(0))[:2].tolist()
    for k in (2, 4):  # a panel is what it is, whatever k
        assert [s.tolist() for s in own.sets("panel", k)] == [[3, 1, 8]] * 3
    model = make_pipeline(StandardScaler(), LogisticRegression()).fit(X[train][:, [3, 1, 8]], Y[train])
    from sklearn.metrics import roc_auc_score

    expected = roc_auc_score(Y[test], model.decision_function(X[test][:, [3, 1, 8]]))
    assert own.scores.query("method == 'panel' and resample == 0")["score"].tolist() == pytest.approx([expected] * 2)
    assert Comparison.from_json(own.to_json()) == own


def test_a_panel_is_counted_by_its_own_size():
    """The best by far, of three columns: named once, with three."""
    y = (FRAME["gene 0"] + FRAME["gene 5"] + FRAME["gene 9"] > 0).astype(int)
    own = compare(
        FRAME, y, {"panel": [0, 5, 9], "first": lambda X, y, k: range(1, 1 + k)}, k=[1, 2, 4], cv=3, repeats=1
    )
    best = own.best()
    assert (best.method, best.k) == ("panel", 4)
    assert "panel with 3 of 10" in best.words
    assert own.features == ["gene 0", "gene 5", "gene 9"]
    with pytest.raises(InvalidParameter, match="use your own selector directly"):
        own.selector()
    assert own.report


def test_a_number_of_its_own():
    own = judged({"fdr": SelectFdr(alpha=0.01)})
    train, _ = next(iter(CV.split(X, Y)))
    expected = np.flatnonzero(SelectFdr(alpha=0.01).fit(X[train], Y[train]).get_support())
    assert sorted(own.sets("fdr", 2)[0]) == expected.tolist()
    assert own.notes == ()


@pytest.mark.parametrize("name", READY)
def test_ready_made(name):
    if ready_made.find_spec(READY[name][0]) is None:
        with pytest.raises(InvalidParameter, match="install with"):
            judged([name])
        return
    random = np.random.default_rng(0)
    y = np.arange(90) % 2
    table = random.normal(size=(90, 6))
    table[:, 4] += 3 * y
    own = compare(table, y, [name], k=2, estimators="nearest mean", cv=3, repeats=1)
    assert own.methods == (name,)
    assert own.frequency(name, 2).query("frequency == 1")["feature"].tolist()[:1] == [4]


def test_what_is_not_installed_is_one_line(monkeypatch):
    monkeypatch.setattr(ready_made, "find_spec", lambda name: None)
    with pytest.raises(
        InvalidParameter, match="'boruta' needs the package boruta; install with: pip install Boruta"
    ) as e:
        judged(["boruta"])
    assert "\n" not in str(e.value)


@pytest.mark.parametrize(
    ("methods", "error", "words"),
    [
        (["borutta"], UnknownMethod, "Did you mean 'boruta'"),
        ({"panel": ["gene 1", "gene 77"]}, InvalidParameter, "got 'gene 77'"),
        ({"panel": [0, 10]}, InvalidParameter, "got 10"),
        ([LogisticRegression()], InvalidParameter, "must be selectors"),
    ],
)
def test_what_is_refused(methods, error, words):
    with pytest.raises(error, match=words):
        judged(methods)


def test_categories_and_gaps():
    frame = FRAME.assign(colour=np.where(Y, "red", "blue"))
    frame.loc[::7, "gene 2"] = np.nan
    own = compare(frame, Y, {"best": SelectKBest(f_classif)}, k=1, cv=3, repeats=1)
    assert own.features == ["colour"]


@pytest.mark.parametrize("named", [False, True])
@pytest.mark.parametrize("classes", [True, False])
def test_permuted_columns_at_once_are_those_of_scikit_learn(classes, named, monkeypatch):
    from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
    from sklearn.inspection import permutation_importance

    random = np.random.default_rng(0)
    X = random.normal(size=(90, 7))
    y = X[:, 0] + X[:, 1] ** 2
    X = pd.DataFrame(X, columns=list("abcdefg")) if named else X
    y = (y > 1).astype(int) if classes else y
    model = (RandomForestClassifier if classes else RandomForestRegressor)(20, random_state=0).fit(X, y)
    expected = permutation_importance(model, X, y, n_repeats=5, random_state=0).importances_mean
    np.testing.assert_allclose(ready_made.permuted(model, X, y), expected, rtol=0, atol=1e-14)
    monkeypatch.setattr(ready_made, "CELLS", 2 * 5 * 90 * 7)  # two columns at once
    np.testing.assert_allclose(ready_made.permuted(model, X, y), expected, rtol=0, atol=1e-14)
