"""`compare`: what is in the frames, that it does not depend on how it is run, and what is refused."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KBinsDiscretizer, StandardScaler

from entropick import Selector, select
from entropick.errors import InvalidInput, InvalidParameter, UnknownMethod
from entropick.evaluation.compare import compare
from entropick.evaluation.comparison import Comparison
from entropick.evaluation.trials import nested
from entropick.methods import REGISTRY
from entropick.selectors.request import Request

RANDOM = np.random.default_rng(0)
Y = np.repeat([0, 1, 2], [40, 40, 30])
X = RANDOM.normal(size=(110, 12))
X[:, 3] += Y
X[:, 7] += 1.5 * (Y == 2)
METHODS = ["jmi", "mim", "lasso", "random"]
TWO = {"cv": 3, "repeats": 2, "estimators": ["3-NN", "nearest mean"]}
FOLDS = {"cv": 3, "repeats": 2, "estimators": "nearest mean"}


@pytest.fixture(scope="module")
def found():
    return compare(
        X, Y, ["jmi", "mim", "lasso", "random"], k=[4, 2], cv=3, repeats=2, estimators=["3-NN", "nearest mean"]
    )


def same(a, b):
    """Everything but the clock."""
    return a.scores.equals(b.scores) and a.chosen.equals(b.chosen) and a.final == b.final


# -- what is in it -------------------------------------------------------------------------------------------


def test_frames(found):
    assert (found.methods, found.ks) == (("jmi", "mim", "lasso", "random"), (2, 4))
    assert found.estimators == ("3-NN", "nearest mean")
    assert (found.n_samples, found.n_resamples, found.task) == (110, 6, "classification")
    assert found.classes == (("0", 40), ("1", 40), ("2", 30))
    assert found.scores.shape == (4 * 2 * 2 * 6, 6)
    assert not found.scores.duplicated(["method", "estimator", "k", "resample"]).any()
    np.testing.assert_allclose(found.scores["score"], 1 - found.scores["error"])
    runs = found.chosen.groupby(["method", "resample", "k"]).size()
    assert (runs == runs.index.get_level_values("k")).all()
    one_run = runs.groupby("method").size()
    assert one_run.to_dict() == {"jmi": 6, "mim": 6, "random": 6, "lasso": 12}  # lasso: a run for each k
    assert found.times.groupby("part")["seconds"].sum().gt(0).all()
    assert set(found.seconds()) == {"selection", "estimation"}


def test_a_cell_is_what_one_gets_by_hand(found):
    """The first fold of the first repeat with scikit-learn alone: select, standardise, fit, score on the fold."""
    state = int(np.random.default_rng([0, 1, 0]).integers(2**31))
    train, test = next(iter(StratifiedKFold(3, shuffle=True, random_state=state).split(X, Y)))
    from sklearn.neighbors import KNeighborsClassifier

    model = make_pipeline(Selector("jmi", k=4, task="classification"), StandardScaler(), KNeighborsClassifier(3))
    score = model.fit(X[train], Y[train]).score(X[test], Y[test])
    cell = found.scores.query("method == 'jmi' and estimator == '3-NN' and k == 4 and resample == 0")
    assert cell["score"].item() == score
    assert found.sets("jmi", 4)[0].tolist() == select(X[train], Y[train], method="jmi", k=4).indices.tolist()


def test_curves_by_hand(found):
    own = found.scores.query("method == 'mim' and estimator == '3-NN' and k == 2")["error"].to_numpy()
    row = found.curves().query("method == 'mim' and estimator == '3-NN' and k == 2").iloc[0]
    assert row["mean"] == pytest.approx(own.mean())
    assert row["std"] == pytest.approx(own.std(ddof=1))
    share = np.mean([37 / 73, 37 / 73, 36 / 74])  # of 110 rows in three folds
    assert row["se"] == pytest.approx(own.std(ddof=1) * np.sqrt(1 / 6 + share), rel=1e-3)


def test_stability_and_similarity(found):
    table = found.stability(4).set_index("method")
    np.testing.assert_allclose(table["kuncheva"], table["nogueira"], atol=1e-12)
    assert table.loc["random", "low"] < 0.25
    assert (table.loc["mim", "nogueira"] > table.loc["random", ["kuncheva", "nogueira"]]).all()
    assert table["consistency"].between(0, 1).all()
    for index in ("kuncheva", "consistency"):
        alike = found.similarity(4, index)
        np.testing.assert_allclose(np.diag(alike), 1.0)
        np.testing.assert_allclose(alike, alike.T)
        assert alike.loc["jmi", "mim"] > alike.loc["jmi", "random"]
    assert list(found.map().columns) == ["method", "x", "y"]


def test_frequencies_and_fronts(found):
    table = found.frequency("mim", 2)
    assert table["frequency"].is_monotonic_decreasing
    assert table["frequency"].sum() == pytest.approx(2.0)
    assert {3, 7} <= set(table["feature"][:3])
    assert table["name"].tolist() == [f"x{j}" for j in table["feature"]]
    fronts = found.pareto(2, "3-NN").set_index("method")
    errors = found.curves().query("k == 2 and estimator == '3-NN'").set_index("method")["mean"]
    np.testing.assert_allclose(fronts["error"], errors[fronts.index])
    assert fronts.loc["random", "front"] > 1
    both = found.pareto(2)
    mean = found.curves().query("k == 2").groupby("method")["mean"].mean()
    np.testing.assert_allclose(both["error"], mean[both["method"]])


def test_the_answer(found):
    best = found.best()
    means = found.curves()
    lowest = means.loc[means["mean"].idxmin()]
    assert best.lowest == (lowest["method"], lowest["k"], lowest["estimator"])
    assert best.error <= lowest["mean"] + lowest["se"]
    assert best.candidates[0] == (best.method, best.k, best.estimator)
    assert best.method != "random"
    assert f"{best.method} with {best.k} of 12 features" in best.words
    assert found.features == found.final.names[: best.k]
    assert found.best("3-NN").estimator == "3-NN"
    assert str(best.k) in repr(found)


def test_the_selector_is_ready(found):
    selector = found.selector()
    assert selector.fit(X, Y).selection_.names[: found.best().k] == found.features
    assert make_pipeline(selector, LogisticRegression()).fit(X, Y).score(X, Y) > 0.5


def test_json_in_and_out(found):
    again = Comparison.from_json(found.to_json())
    assert again == found
    for name in ("scores", "chosen", "times", "consistency"):
        pd.testing.assert_frame_equal(getattr(again, name), getattr(found, name))
    assert again.best() == found.best()
    assert again.path == found.path
    assert again.selector().get_params() == found.selector().get_params()
    assert again != 3
    for text in ("", "[]", '{"format": 99}', '{"format": 1}'):
        with pytest.raises(InvalidInput, match="text"):
            Comparison.from_json(text)


# -- however it is run ---------------------------------------------------------------------------------------


def test_processes_and_company_make_no_difference(found):
    assert same(compare(X, Y, METHODS, k=[2, 4], n_jobs=2, **TWO), found)
    alone = compare(X, Y, ["random"], k=[2, 4], **TWO)
    np.testing.assert_array_equal(alone.chosen, found.chosen[found.chosen["method"] == "random"])
    other = compare(X, Y, ["random"], k=[2, 4], random_state=1, **TWO)
    assert not other.chosen.equals(alone.chosen)


def test_kinds_of_tables_make_no_difference():
    frame = pd.DataFrame(X, columns=[f"x{j}" for j in range(12)]).assign(label=np.array(["a", "b", "c"])[Y])
    by_name = compare(frame, "label", ["jmi"], k=2, **FOLDS)
    pd.testing.assert_frame_equal(by_name.chosen, compare(X, Y, ["jmi"], k=2, **FOLDS).chosen)
    assert by_name.classes[0] == ("a", 40)
    assert by_name.settings["target"] == "label"


def test_progress_is_shown_where_asked_for(capsys):
    compare(X, Y, ["mim"], k=2, **FOLDS)
    assert capsys.readouterr() == ("", "")
    compare(X, Y, ["mim"], k=2, verbose=2, **FOLDS)
    assert capsys.readouterr().err.splitlines()[-1] == "comparing: 6/6"


def test_sizes_in_any_order_and_twice():
    assert same(compare(X, Y, ["jmi"], k=[4, 2, 4], **FOLDS), compare(X, Y, ["jmi"], k=(2, 4), **FOLDS))


@pytest.mark.parametrize("name", REGISTRY)
def test_one_run_serves_every_k_where_it_is_said_to(name):
    """The first k of a longer run are the run of k; for the others the two may differ, so each k has its own run."""
    few = {"centres": 10} if name.startswith(("lsmi.", "mlmi.")) and name != "lsmi.l1" else {}
    options = {**few, **({"sigmas": [0.6, 1.0], "folds": 2} if name.startswith("mlmi.") else {})}
    options |= {"rounds": 5} if name == "stumps" else {}
    if not nested(Request(name)):
        assert name in ("gc.auto", "lasso", "sdp.cmi", "hsic.l1", "lsmi.l1")
        return
    long, short = (
        select(X[:, :8], Y, method=name, k=k, task="classification", random_state=3, **options).indices for k in (5, 2)
    )
    assert long[:2].tolist() == short.tolist()


def test_sets_of_one_size():
    """What is not nested is run for each k: the set of 3 need not hold the set of 2."""
    found = compare(X, Y, {"swapped": {"method": "qpfs", "improve": "swap"}, "qpfs": "qpfs"}, k=[2, 3], **FOLDS)
    assert found.chosen.groupby("method")["k"].unique().map(list).to_dict() == {"swapped": [2, 3], "qpfs": [3]}
    for k in (2, 3):
        assert all(len(one) == k for one in found.sets("swapped", k))


# -- kinds of data -------------------------------------------------------------------------------------------


def mixed():
    town = np.array(["York", "Bath", "Wells"], dtype=object)[Y]
    town[::7] = None
    frame = pd.DataFrame(X[:, :6].copy(), columns=list("abcdef"))
    frame.loc[::5, "d"] = np.nan
    return frame.assign(town=town, flat=1)


def test_categories_and_missing_values():
    found = compare(mixed(), Y, k=[1, 3], **FOLDS)
    assert found.methods == ("joint", "jmi", "mrmr", "cmim", "spec.cmi")
    assert found.notes == ("gc.mi is left out: it needs numbers, got categories in 'town'",)
    assert found.features[0] == "town"
    assert found.curves()["mean"].min() < 0.2


def test_a_regression():
    y = X[:, 3] + 0.5 * X[:, 7] ** 2 + 0.1 * RANDOM.normal(size=110)
    found = compare(X, y, ["jmi", "pearson", "lasso"], k=[2, 4], cv=3)
    assert found.task == "regression"
    assert found.classes == ()
    assert found.estimators == ("3-NN", "ridge")
    best = found.scores.query("method == 'jmi' and estimator == '3-NN' and k == 2")
    assert best["error"].mean() < 0.7
    assert (best["score"] <= 1).all()
    assert "standard deviations of the target" in found.best().words
    assert Comparison.from_json(found.to_json()) == found


def test_bootstraps_and_groups():
    groups = np.arange(110) // 2
    found = compare(X, Y, ["mim"], k=3, bootstraps=5, sample_groups=groups, estimators="nearest mean")
    assert found.n_resamples == 5
    assert found.resampling == "5 bootstraps, tested on the rows left out"


def test_all_features_are_no_choice():
    found = compare(X[:, :3], Y, ["jmi"], k=[2, 3], **FOLDS)
    row = found.stability(3).iloc[0]
    assert np.isnan(row["nogueira"])
    assert np.isnan(row["kuncheva"])
    assert row["consistency"] == 1.0
    assert np.isfinite(found.map(3)[["x", "y"]].to_numpy()).all()
    assert Comparison.from_json(found.to_json()) == found


def test_options_and_labels():
    entries = {"mild": {"method": "mifs", "beta": 0.1}, "harsh": {"method": "mifs", "beta": 5.0, "discretizer": 3}}
    found = compare(X, Y, entries, k=4, **FOLDS)
    assert found.methods == ("mild", "harsh")
    assert not np.array_equal(found.sets("mild", 4), found.sets("harsh", 4))
    assert found.settings["methods"]["harsh"]["discretizer"] == 3
    assert found.selector().options["beta"] in (0.1, 5.0)
    again = found.selector().fit(X, Y).selection_
    assert again.indices.tolist() == found.final.indices.tolist()


def test_a_discretizer_of_ones_own():
    bins = KBinsDiscretizer(3, encode="ordinal", strategy="uniform")
    found = compare(X, Y, ["mim"], k=2, discretizer=bins, **FOLDS)
    assert found.selector().discretizer is bins
    assert Comparison.from_json(found.to_json()) == found  # told by its text there


# -- what goes wrong -----------------------------------------------------------------------------------------


class Picky(ClassifierMixin, BaseEstimator):
    """Refuses more than two columns."""

    def fit(self, X, y):
        if X.shape[1] > 2:
            raise ValueError("too many columns")
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.zeros(len(X), int)


def test_an_estimator_that_cannot_be_fitted_is_left_out():
    found = compare(X, Y, ["mim"], k=[2, 4], cv=3, estimators={"picky": Picky(), "near": "nearest mean"})
    assert found.notes == ("picky could not be fitted in 6 of 12 cases, which are ignored",)
    curves = found.curves().set_index(["estimator", "k"])["mean"]
    assert np.isnan(curves["picky", 4])
    assert not curves.drop(("picky", 4)).isna().any()
    assert all(estimator == "near" for _, k, estimator in found.best().candidates if k == 4)
    assert Comparison.from_json(found.to_json()) == found
    hopeless = {"cv": 3, "repeats": 1, "estimators": {"picky": Picky()}}
    with pytest.raises(InvalidInput, match="no estimator could be fitted"):
        compare(X, Y, ["mim"], k=4, **hopeless)


def test_a_method_that_stops_early():
    """cmi ends where the joint table of its picks has too few rows a cell: sets of several sizes, or of none."""
    found = compare(X, Y, ["cmi", "mim"], k=[2, 8], **FOLDS)
    assert found.notes == ("cmi selected fewer features than asked for in 6 resamples",)
    assert {len(one) for one in found.sets("cmi", 8)} <= {1, 2, 3, 4, 5, 6, 7}
    assert found.stability(8)["kuncheva"].between(-1, 1).all()
    assert found.similarity(8).loc["cmi", "mim"] < 1
    assert found.pareto(8)["front"].min() == 1
    assert Comparison.from_json(found.to_json()) == found


def test_a_method_that_fails_is_left_out():
    """exhaustive search takes up to 22 candidates, which only the search itself knows."""
    wide = np.hstack([X, RANDOM.normal(size=(110, 20))])
    entries = {"all sets": {"method": "qpfs", "search": "exhaustive"}, "mim": "mim"}
    found = compare(wide, Y, entries, k=2, **FOLDS)
    assert found.methods == ("mim",)
    assert found.notes[0].startswith("all sets is left out: it failed in 6 of 6 resamples (search: 'exhaustive' takes")
    with pytest.raises(InvalidInput, match="methods: none succeeded; all sets failed: search"):
        compare(wide, Y, {"all sets": entries["all sets"]}, k=2, **FOLDS)


@pytest.mark.parametrize(
    ("change", "error", "said"),
    [
        ({"methods": ["jmi", "nmi"]}, UnknownMethod, "no method 'nmi'"),
        ({"methods": []}, InvalidParameter, "methods: needs at least one"),
        ({"methods": 3}, InvalidParameter, "methods: must be names"),
        ({"methods": ["jmi", "jmi"]}, InvalidParameter, "'jmi' appears twice"),
        ({"methods": [{"beta": 1}]}, InvalidParameter, "a dict with 'method'"),
        ({"methods": {"a": {"method": "jmi", "beta": 1}}}, InvalidParameter, "'jmi' has no such option"),
        ({"methods": {"a": {"method": "jmi", "search": "l1"}}}, InvalidParameter, "supports"),
        ({"k": 13}, InvalidParameter, "k: must be from 1 to 12, the number of features, got 13"),
        ({"k": [2, 0]}, InvalidParameter, "k: must be an integer of at least 1, got 0"),
        ({"k": "auto"}, InvalidParameter, "k: must be an integer"),
        ({"k": [0.5]}, InvalidParameter, "k: must be an integer"),
        ({"k": []}, InvalidParameter, "k: needs at least one"),
        ({"cv": 31}, InvalidInput, "got 30 of class 2 for 31 folds"),
        ({"estimators": "5-NN"}, InvalidParameter, "no estimator '5-NN'"),
        ({"estimators": "ridge"}, InvalidParameter, "Known for classification"),
        ({"random_state": None}, InvalidParameter, "random_state: must be an integer of at least 0, got None"),
        ({"random_state": -1}, InvalidParameter, "random_state"),
        ({"task": "guess"}, InvalidParameter, "task"),
        ({"missing": "drop"}, InvalidParameter, "missing: must be 'level' or 'error'"),
        ({"discretizer": "best"}, InvalidParameter, "discretizer: must be"),
        ({"y": np.zeros(110, int)}, InvalidInput, "at least two classes"),
        ({"X": mixed(), "methods": ["fisher"]}, InvalidInput, "'fisher' needs numbers, got categories in 'town'"),
        ({"X": mixed().drop(columns="town"), "methods": ["gc.mi"]}, InvalidInput, "22 missing values in 'd'"),
        (
            {"X": mixed().drop(columns="town").assign(c=[None, *range(109)]), "methods": ["gc.mi"]},
            InvalidInput,
            "got 1 missing value in 'c' and 1 more column; drop those columns",
        ),
        ({"X": mixed(), "missing": "error"}, InvalidInput, "has missing='error', got 22 missing values in 'd'"),
        (
            {"y": X[:, 0], "methods": ["fisher"], "estimators": None},
            InvalidInput,
            "is for classification, got a regression target",
        ),
        ({"y": X[:, 0], "estimators": "QDA", "methods": ["mim"]}, InvalidParameter, "Known for regression"),
    ],
)
def test_what_is_refused(change, error, said):
    arguments = {"X": X, "y": Y, "methods": ["jmi"], "k": [2], **FOLDS, **change}
    with pytest.raises(error, match=said):
        compare(**arguments)


def test_questions_about_what_was_not_compared(found):
    with pytest.raises(InvalidParameter, match="k: must be one of those compared, 2, 4, got 3"):
        found.stability(3)
    with pytest.raises(InvalidParameter, match="method: must be one of jmi"):
        found.sets("jmin")
    with pytest.raises(InvalidParameter, match="estimator: must be one of"):
        found.best("5-NN")
    with pytest.raises(InvalidParameter, match="index: must be one of kuncheva, consistency"):
        found.similarity(index="jaccard")


def test_default_sizes():
    assert compare(X, Y, ["mim"], **FOLDS).ks == (1, 2, 3, 5, 8, 12)
    assert compare(X[:, :5], Y, ["mim"], **FOLDS).ks == (1, 2, 3, 5)
