"""Table 7 of Jitkrittum et al.: sampling, the error of support vector machines, and who is level with the best."""

from __future__ import annotations

import math

import numpy as np
import pytest

from reproduction import jitkrittum_real as table7
from reproduction.data import _obtained
from reproduction.paper_table import Means


def test_a_sample_is_stratified_and_standardised():
    y = np.repeat([0, 1], [900, 100])
    X = np.column_stack([np.arange(1000.0), np.ones(1000)])
    Z, z = table7.sample(X, y, "classification", 0)
    assert np.bincount(z).tolist() == [360, 40]
    np.testing.assert_allclose(Z[:, 0].std(), 1.0)
    assert (Z[:, 1] == 0).all()
    assert not np.array_equal(Z, table7.sample(X, y, "classification", 1)[0])


def test_few_rows_are_all_taken():
    X, y = np.random.default_rng(0).standard_normal((50, 2)), np.arange(50) % 2
    assert len(table7.sample(X, y, "classification", 3)[1]) == 50


def test_errors_of_separable_and_of_noise():
    random = np.random.default_rng(0)
    y = np.arange(60) % 2
    good = (y * 4.0 + 0.3 * random.standard_normal(60))[:, None]
    assert table7.lowest_error(good, y, "classification") == 0
    assert table7.lowest_error(random.standard_normal((60, 1)), y, "classification") > 0.25


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_giving_up_early_changes_no_error(task):
    """Against the whole grid by scikit-learn's own search."""
    from scipy.spatial.distance import pdist
    from sklearn.model_selection import GridSearchCV, KFold, StratifiedKFold
    from sklearn.svm import SVC, SVR

    random = np.random.default_rng(1)
    X = random.standard_normal((40, 2))
    y = (X[:, 0] + random.standard_normal(40) > 0).astype(int) if task == "classification" else X[:, 0] ** 3
    gammas = 0.5 / (np.array(table7.WIDTHS) * np.median(pdist(X))) ** 2
    model, folds, scoring = (
        (SVC(max_iter=table7.STEPS), StratifiedKFold, "accuracy")
        if task == "classification"
        else (SVR(max_iter=table7.STEPS), KFold, "neg_root_mean_squared_error")
    )
    grid = GridSearchCV(
        model, {"C": table7.COSTS, "gamma": gammas}, scoring=scoring, cv=folds(5, shuffle=True, random_state=0)
    ).fit(X, y)
    expected = 1 - grid.best_score_ if task == "classification" else -grid.best_score_
    assert table7.lowest_error(X, y, task) == pytest.approx(expected, rel=1e-6)


def test_error_of_a_regression_is_a_root_mean_square():
    x = np.linspace(-2, 2, 60)
    error = table7.lowest_error(x[:, None], 10 * np.sin(x), "regression")
    assert error < 0.5  # the standard deviation of the target is about 7


def test_level_with_the_best():
    """B differs from A by noise, C is worse every time, D is always the same as A plus a constant."""
    random = np.random.default_rng(0)
    base = random.random(20)
    errors = {
        "A": base,
        "B": base + random.normal(0, 0.01, 20),
        "C": base + 0.1 + 0.01 * random.random(20),
        "D": base + 0.2,
    }
    found = [
        ({"data": "x", "method": method, "trial": trial}, {"error": float(error)})
        for method, own in errors.items()
        for trial, error in enumerate(own)
    ]
    level = table7._level_with_the_best(found)["x"]
    assert {"A", "B"} == level


def test_a_cell_and_its_figure(tmp_path):
    _obtained.cache_clear()
    random = np.random.default_rng(0)
    y = np.arange(90) % 3
    X = random.standard_normal((90, 6))
    X[:, 2] += 3 * y
    np.savez(tmp_path / "l1lsmi_wine.npz", X=X, y=y)
    found = [
        (settings, table7.TABLE7.compute(settings, Means(tmp_path, 1)))
        for settings in table7.TABLE7.cells(True)
        if settings["data"] == "wine" and settings["trial"] == 0
    ]
    numbers = {settings["method"]: one for settings, one in found}
    assert list(numbers) == list(table7.METHODS)
    for one in numbers.values():
        assert 2 in one["chosen"]
        assert len(one["chosen"]) == 4
        assert one["error"] < 0.2
    figures = table7.TABLE7.figures(found)
    assert (figures[0].ours, figures[0].paper) == (numbers["PC"]["error"], 0.03)
    assert figures[0].labels["draws"] == "1"
    least = min(one["error"] for one in numbers.values())
    shares = figures[len(numbers) :]
    assert sum(f.ours for f in shares) == 1.0  # of one draw the first of the best
    assert numbers[[*numbers][[f.ours for f in shares].index(1.0)]]["error"] == least
    assert all(math.isnan(f.paper) for f in shares)  # one set is too few to compare
    _obtained.cache_clear()


def test_shares_on_top_of_most_sets():
    found = [({"data": data, "trial": 0, "method": "ℓ1-LSMI"}, {"error": 0.1}) for data in list(table7.PRINTED)[:12]]
    shares = table7.TABLE7.figures(found)[12:]
    assert [f.ours for f in shares] == [0.0] * 4 + [1.0] + [0.0] * 4
    assert shares[4].paper == pytest.approx(11 / 22)


def test_draws_are_told_where_methods_have_not_as_many():
    found = [({"data": "wine", "trial": t, "method": "PC"}, {"error": 0.1}) for t in range(3)]
    found += [({"data": "wine", "trial": 0, "method": "Relief"}, {"error": 0.3})]
    found += [({"data": "wine", "trial": 0, "method": "Lasso"}, {})]
    one, other = table7.TABLE7.figures(found)[:2]
    assert (one.labels["method"], one.labels["draws"], one.ours) == ("PC", "1–3", pytest.approx(0.1))
    assert other.labels["method"] == "Relief"  # and nothing of a method that is not for the task


def test_an_error_is_computed_once_for_the_same_columns(monkeypatch):
    calls = []
    monkeypatch.setattr(table7, "lowest_error", lambda X, y, task: calls.append((X.copy(), y.copy(), task)) or 0.5)
    table7._error_on.cache_clear()
    X, y = np.arange(6.0).reshape(3, 2), np.array([0, 1, 0])
    for _ in range(2):
        assert table7._error_on(X.tobytes(), y.tobytes(), str(y.dtype), "classification") == 0.5
    ((rows, target, task),) = calls
    np.testing.assert_array_equal(rows, X)
    np.testing.assert_array_equal(target, y)
    assert task == "classification"
    table7._error_on.cache_clear()


def test_printed_rows_are_complete():
    assert len(table7.PRINTED) == 22
    assert all(len(errors) == len(table7.METHODS) for _, errors in table7.PRINTED.values())
    assert math.isnan(table7.PRINTED["wine"][1][list(table7.METHODS).index("Lasso")])
