"""Estimators by name, and columns as numbers learned from the training rows alone."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.svm import SVC

from entropick.errors import InvalidParameter
from entropick.evaluation.estimators import NAMES, Numbers, resolve, seeded
from entropick.evaluation.resampling import Resample
from entropick.sources import as_table

ROWS = Resample(np.arange(4), np.arange(4, 7))
FRAME = pd.DataFrame(
    {
        "size": [1.0, 2.0, 3.0, 2.0, 100.0, np.nan, 2.0],
        "gaps": [np.nan, 1.0, 3.0, 2.0, np.nan, 2.0, 4.0],
        "town": ["York", None, "Bath", "York", "Leeds", None, "Bath"],
        "flat": [5, 5, 5, 5, 5, 6, 5],
        "yes": [True, False, True, False, True, False, True],
    }
)


@pytest.fixture
def numbers():
    return Numbers(as_table(FRAME), ROWS)


def test_numbers_are_standardised_by_the_training_rows(numbers):
    train, test = numbers.matrices([0])
    spread = np.sqrt(0.5)  # of 1, 2, 3, 2
    np.testing.assert_allclose(train[:, 0], np.array([-1, 0, 1, 0]) / spread)
    np.testing.assert_allclose(test[:, 0], [98 / spread, 0.0, 0.0])  # missing in a test row only: the mean


def test_missing_numbers_take_the_mean_and_are_flagged(numbers):
    train, test = numbers.matrices([1])
    spread = np.sqrt(2 / 3)  # of 1, 3, 2
    np.testing.assert_allclose(train, np.array([[0, 1], [-1 / spread, 0], [1 / spread, 0], [0, 0]]))
    np.testing.assert_allclose(test, np.array([[0, 1], [0, 0], [2 / spread, 0]]))


def test_categories_are_one_hot_and_missing_is_one(numbers):
    train, test = numbers.matrices([2])
    np.testing.assert_array_equal(train, [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 0]])  # York, missing, Bath
    np.testing.assert_array_equal(test, [[0, 0, 0], [0, 1, 0], [0, 0, 1]])  # Leeds was never seen


def test_constant_columns_do_no_harm(numbers):
    train, test = numbers.matrices([3, 4])
    np.testing.assert_array_equal(train[:, 0], 0.0)
    np.testing.assert_array_equal(test[:, 0], [0, 1, 0])
    np.testing.assert_array_equal(train[:, 1], [1, -1, 1, -1])


def test_test_rows_teach_nothing():
    other = FRAME.copy()
    other.loc[4:, ["size", "gaps"]] = 1e6
    other.loc[4:, "town"] = "Wells"
    columns = range(5)
    train, _ = Numbers(as_table(other), ROWS).matrices(columns)
    np.testing.assert_array_equal(train, Numbers(as_table(FRAME), ROWS).matrices(columns)[0])


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_every_name_learns(task):
    random = np.random.default_rng(0)
    X = random.normal(size=(80, 3))
    X[:, 0] += 2 * np.sign(X[:, 0])
    y = (X[:, 0] > 0).astype(int) if task == "classification" else X[:, 0]
    for name, estimator in resolve(NAMES[task], task).items():
        guess = seeded(estimator, 0).fit(X[:60], y[:60]).predict(X[60:])
        missed = np.mean((guess - y[60:]) ** 2) / np.var(y[60:])
        assert missed < 0.6, name


def test_spelling_does_not_matter_and_labels_are_kept():
    assert list(resolve("3nn", "classification")) == ["3-NN"]
    assert list(resolve(["LINEAR_SVM", "rbf-svm"], "classification")) == ["linear SVM", "RBF SVM"]
    own = resolve({"soft": SVC(C=0.1), "near": "3-NN"}, "classification")
    assert list(own) == ["soft", "near"]
    assert own["soft"].C == 0.1
    assert list(resolve([LogisticRegression()], "classification")) == ["LogisticRegression"]


def test_seeds_fill_only_what_the_user_left_open():
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.pipeline import make_pipeline

    assert seeded(RandomForestClassifier(), 3).random_state == 3
    assert seeded(RandomForestClassifier(random_state=7), 3).random_state == 7
    assert seeded(make_pipeline(RandomForestClassifier()), 3)[0].random_state == 3
    assert not hasattr(seeded(Ridge(), 3), "seed")


@pytest.mark.parametrize(
    ("given", "task", "said"),
    [
        ("4-NN", "classification", "no estimator '4-NN'. Did you mean '3-NN'"),
        ("nearest mean", "regression", "Known for regression: 3-NN, ridge"),
        ([], "classification", "needs at least one"),
        (["3-NN", "3nn"], "classification", "'3-NN' appears twice"),
        (3, "classification", "must be names or scikit-learn estimators"),
        ([Ridge()], "classification", "'Ridge' must be a classifier for a classification target"),
        ([SVC()], "regression", "'SVC' must be a regressor for a regression target"),
        ([SVC], "classification", "must be an estimator with fit and predict"),
    ],
)
def test_what_is_refused(given, task, said):
    with pytest.raises(InvalidParameter, match=said):
        resolve(given, task)
