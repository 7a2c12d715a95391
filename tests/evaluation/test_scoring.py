"""Scores by any scorer: the same as scikit-learn's cross_val_score on the equivalent pipeline."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, f1_score, make_scorer
from sklearn.model_selection import GroupKFold, StratifiedKFold, TimeSeriesSplit, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from entropick import Comparison, InvalidParameter, Selector, compare
from entropick.evaluation.scoring import resolve_scoring

X, Y = make_classification(240, 12, n_informative=4, weights=[0.7], random_state=3)
SCORERS = ["roc_auc", "balanced_accuracy", "f1", "neg_log_loss", "average_precision", "accuracy"]
CV = StratifiedKFold(4, shuffle=True, random_state=1)


def by_hand(scoring, k=3, y=Y, cv=CV, **more):
    model = make_pipeline(Selector("jmi", k=k, task="classification"), StandardScaler(), LogisticRegression())
    return cross_val_score(model, X, y, scoring=scoring, cv=cv, **more)


@pytest.fixture(scope="module")
def found():
    return compare(X, Y, "jmi", k=[3, 6], estimators=LogisticRegression(), cv=CV, scoring=SCORERS)


def of(found, scoring, k=3):
    """(n_resamples,) the scores by one scorer."""
    if scoring == found.scoring[0]:
        return found.scores.query("k == @k")["score"].to_numpy()
    return found.other_scores.query("k == @k and scoring == @scoring")["score"].to_numpy()


@pytest.mark.parametrize("scoring", SCORERS)
def test_the_same_as_cross_val_score(found, scoring):
    np.testing.assert_allclose(of(found, scoring), by_hand(scoring), rtol=1e-12)
    np.testing.assert_allclose(of(found, scoring, 6), by_hand(scoring, 6), rtol=1e-12)


def test_two_processes(found):
    twice = compare(X, Y, "jmi", k=[3, 6], estimators=LogisticRegression(), cv=CV, scoring=SCORERS, n_jobs=2)
    assert twice.scores.equals(found.scores)
    assert twice.other_scores.equals(found.other_scores)


def test_the_first_decides(found):
    assert found.scoring == tuple(SCORERS)
    np.testing.assert_allclose(found.scores["error"], 1 - found.scores["score"])
    assert "ROC AUC" in found.best().words
    assert found.blind == pytest.approx(0.5)
    assert found.scored("f1")["mean"].iloc[0] == pytest.approx(by_hand("f1").mean())
    assert len(found.scored()) == 2 * len(SCORERS)


def test_losses():
    loss = compare(X, Y, "jmi", k=3, estimators=LogisticRegression(), cv=CV, scoring="neg_log_loss")
    np.testing.assert_allclose(loss.scores["error"], -by_hand("neg_log_loss"))
    assert "log loss" in loss.best().words
    share = Y.mean()
    assert loss.blind == pytest.approx(-share * np.log(share) - (1 - share) * np.log(1 - share), rel=1e-3)


def test_labels_of_ones_own():
    y = np.where(Y == 1, "ill", "well")
    scorer = make_scorer(f1_score, pos_label="ill")
    own = compare(X, y, "jmi", k=3, estimators=LogisticRegression(), cv=CV, scoring=scorer)
    np.testing.assert_allclose(own.scores["score"], by_hand(scorer, y=y))
    named = compare(X, y, "jmi", k=3, estimators=LogisticRegression(), cv=CV, scoring="f1")  # of 'well', the last
    np.testing.assert_allclose(named.scores["score"], by_hand(make_scorer(f1_score, pos_label="well"), y=y))


def test_a_function_of_ones_own():
    def by_thirds(estimator, X, y):
        return accuracy_score(y, estimator.predict(X)) ** 3

    own = compare(X, Y, "jmi", k=3, estimators=LogisticRegression(), cv=CV, scoring={"cubed": by_thirds})
    np.testing.assert_allclose(own.scores["score"], by_hand(by_thirds))
    assert own.scoring == ("cubed",)


@pytest.mark.parametrize(
    ("cv", "groups"), [(TimeSeriesSplit(4), None), (GroupKFold(4), np.arange(240) // 10)], ids=["time", "groups"]
)
def test_splitters(cv, groups):
    own = compare(
        X, Y, "jmi", k=3, estimators=LogisticRegression(), cv=cv, sample_groups=groups, scoring="balanced_accuracy"
    )
    np.testing.assert_allclose(own.scores["score"], by_hand("balanced_accuracy", cv=cv, groups=groups))


def test_weights():
    """A weight of 2 is the row twice, on both sides of the split."""
    weights = np.random.default_rng(0).integers(1, 3, len(Y))
    own = compare(
        X, Y, "jmi", k=3, estimators=LogisticRegression(tol=1e-10), cv=CV, scoring="roc_auc", sample_weight=weights
    )
    rows = np.repeat(np.arange(len(Y)), weights)
    place = np.concatenate([[0], np.cumsum(weights)])
    pairs = [
        tuple(np.concatenate([np.arange(place[i], place[i + 1]) for i in part]) for part in pair)
        for pair in CV.split(X, Y)
    ]
    by_copies = compare(
        X[rows], Y[rows], "jmi", k=3, estimators=LogisticRegression(tol=1e-10), cv=pairs, scoring="roc_auc"
    )
    assert [s.tolist() for s in own.sets("jmi", 3)] == [s.tolist() for s in by_copies.sets("jmi", 3)]
    np.testing.assert_allclose(
        own.scores["score"], by_copies.scores["score"], atol=2e-3
    )  # standardised without weights


# -- the default ---------------------------------------------------------------------------------------------


def test_few_positives_are_judged_by_what_sees_them():
    x, y = make_classification(600, 10, n_informative=4, n_redundant=0, weights=[0.93], class_sep=0.6, random_state=0)
    own = compare(x, y, ["jmi", "mim"], k=4, cv=3, repeats=1)
    assert own.scoring == ("roc_auc",)
    assert any("ROC AUC" in note and "93%" in note for note in own.notes)
    assert "guessing" not in own.best().words
    three = np.where(np.arange(600) % 30 == 0, 2, y)
    assert compare(x, three, "jmi", k=4, cv=3, repeats=1).scoring == ("balanced_accuracy",)


def test_balanced_classes_keep_accuracy():
    own = compare(X, Y, "jmi", k=3, cv=3, repeats=1)
    assert own.scoring == ("accuracy",)
    assert own.standard
    assert "scoring" not in own.settings
    assert not any("judged" in note or "ROC" in note for note in own.notes)


def test_kept_and_read_again(found):
    assert Comparison.from_json(found.to_json()) == found
    assert Comparison.from_json(found.to_json()).scoring == found.scoring


@pytest.mark.parametrize(
    ("scoring", "words"),
    [
        ("roc_au", "Did you mean 'roc_auc'"),
        ([], "at least one"),
        (3, "must be names"),
        (["f1", "f1"], "twice"),
        ([3], "must be a name or a scorer"),
    ],
)
def test_what_is_refused(scoring, words):
    with pytest.raises(InvalidParameter, match=words):
        compare(X, Y, "jmi", k=3, scoring=scoring)


def test_a_scorer_for_two_classes_only():
    with pytest.raises(InvalidParameter, match=r"'roc_auc' cannot score this target.*roc_auc_ovr"):
        compare(X, np.arange(240) % 3, "jmi", k=3, scoring="roc_auc")


def test_ideals():
    from entropick.coding import code_target

    target = code_target(Y)
    assert resolve_scoring(["neg_log_loss", "f1"], target).ideals == (0.0, 1.0)
    assert resolve_scoring(["neg_log_loss"], target).needs_probabilities
    assert not resolve_scoring(["roc_auc"], target).needs_probabilities
