"""Selectors that people have, by name, with the settings that their makers recommend; imported only when used."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np

from ..errors import InvalidParameter
from .foreign import Foreign

TREES = 200  # of a forest, and rounds of boosting
REPEATS = 5  # shuffles of a column
CELLS = 1 << 24  # of the tables that a model is asked for together


def ready_made(name: str, task: str) -> Foreign | None:
    """The selector of that name for the task, or None."""
    if name not in READY:
        return None
    package, pip, make = READY[name]
    if find_spec(package) is None:
        raise InvalidParameter(f"methods: {name!r} needs the package {package}; install with: pip install {pip}")
    thing = make(task == "classification")
    if hasattr(thing, "fit"):
        from .foreign import _size

        return Foreign(thing, _size(thing), told=name, of_numbers=True)
    return Foreign(thing, nested=True, told=name, of_numbers=True)


def _k_best_f(classes: bool) -> Any:
    from sklearn.feature_selection import SelectKBest, f_classif, f_regression

    return SelectKBest(f_classif if classes else f_regression)


class ByImportance:
    """The columns by falling importance: a function (X, y, k) that is told how importances are had."""

    def __init__(self, importances: Callable[[Any, Any, bool], Any], classes: bool) -> None:
        self.importances, self.classes = importances, classes

    def __call__(self, X: Any, y: Any, k: int) -> Any:
        return np.argsort(-np.asarray(self.importances(X, y, self.classes)), kind="stable")[:k]


def _information(X: Any, y: Any, classes: bool) -> Any:
    from sklearn.feature_selection import mutual_info_classif, mutual_info_regression

    return (mutual_info_classif if classes else mutual_info_regression)(X, y, random_state=0)


def _forest_model(classes: bool) -> Any:
    from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

    return (RandomForestClassifier if classes else RandomForestRegressor)(TREES, random_state=0, n_jobs=1)


def _forest(X: Any, y: Any, classes: bool) -> Any:
    return _forest_model(classes).fit(X, y).feature_importances_


def _boosting(X: Any, y: Any, classes: bool) -> Any:
    from lightgbm import LGBMClassifier, LGBMRegressor

    model = (LGBMClassifier if classes else LGBMRegressor)(
        n_estimators=TREES, importance_type="gain", random_state=0, n_jobs=1, verbose=-1, deterministic=True
    )
    return model.fit(np.asarray(X, dtype=np.float64), y).feature_importances_


def _permutation(X: Any, y: Any, classes: bool) -> Any:
    """A quarter of the rows is kept away from the forest and shuffled column by column."""
    from sklearn.model_selection import train_test_split

    stratify = y if classes and np.unique(y, return_counts=True)[1].min() > 1 else None
    fit_X, held_X, fit_y, held_y = train_test_split(X, y, test_size=0.25, random_state=0, stratify=stratify)
    model = _forest_model(classes).fit(fit_X, fit_y)
    return permuted(model, held_X, held_y)


def permuted(model: Any, X: Any, y: Any, seed: int = 0) -> Any:
    """(d,) what the score loses with each column shuffled, the mean of `REPEATS`.

    The shuffles and figures are those of scikit-learn's ``permutation_importance``; but the model is asked for many
    columns at once, as a forest takes long to begin.
    """
    from sklearn.base import is_classifier
    from sklearn.metrics import accuracy_score, r2_score
    from sklearn.utils import check_random_state

    score = accuracy_score if is_classifier(model) else r2_score
    random = check_random_state(check_random_state(seed).randint(np.iinfo(np.int32).max + 1))
    shuffled, order, orders = np.arange(len(y)), np.arange(len(y)), []
    for _ in range(REPEATS):
        random.shuffle(shuffled)
        order = order[shuffled]  # each shuffle is of the column as the one before left it
        orders.append(order)
    whole, d = np.asarray(X), X.shape[1]
    whole_score, lost = score(y, model.predict(X)), np.empty(d)
    at_once = max(1, CELLS // max(1, REPEATS * whole.size))
    for start in range(0, d, at_once):
        columns = range(start, min(start + at_once, d))
        tables = np.tile(whole, (len(columns) * REPEATS, 1, 1)).reshape(len(columns), REPEATS, *whole.shape)
        for at, j in enumerate(columns):
            for repeat, order in enumerate(orders):
                tables[at, repeat, :, j] = whole[order, j]
        stacked = tables.reshape(-1, d)
        guesses = model.predict(type(X)(stacked, columns=X.columns) if hasattr(X, "columns") else stacked)
        for j, own in zip(columns, guesses.reshape(len(columns), REPEATS, -1), strict=True):
            lost[j] = np.mean([whole_score - score(y, guess) for guess in own])
    return lost


def _linear(classes: bool) -> Any:
    from sklearn.linear_model import LogisticRegression, Ridge

    return LogisticRegression(max_iter=1000) if classes else Ridge()


def _rfe(classes: bool) -> Any:
    from sklearn.feature_selection import RFE
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    return make_pipeline(StandardScaler(), RFE(_linear(classes), step=0.1))


def _rfecv(classes: bool) -> Any:
    from sklearn.feature_selection import RFECV
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    return make_pipeline(StandardScaler(), RFECV(_linear(classes), step=0.1, cv=3))


class Boruta:
    """All that a forest finds more important than shuffled copies; its own number, the confirmed first."""

    def __init__(self, classes: bool) -> None:
        self.classes = classes

    def fit(self, X: Any, y: Any) -> Boruta:
        from boruta import BorutaPy

        model = _forest_model(self.classes).set_params(n_estimators=100, max_depth=5)
        found = BorutaPy(model, n_estimators="auto", max_iter=50, random_state=0)
        found.fit(np.asarray(X, dtype=np.float64), np.asarray(y))
        self.support_ = found.support_ | found.support_weak_ if not found.support_.any() else found.support_
        if not self.support_.any():
            self.support_ = np.asarray(found.ranking_) == np.min(found.ranking_)
        return self

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """As scikit-learn copies estimators."""
        return {"classes": self.classes}

    def set_params(self, **params: Any) -> Boruta:
        self.classes = params.get("classes", self.classes)
        return self


class MRMRSelection:
    """`mrmr_classif` or `mrmr_regression` of the package mrmr_selection: F statistic and correlation, in order."""

    def __init__(self, classes: bool) -> None:
        self.classes = classes

    def __call__(self, X: Any, y: Any, k: int) -> Any:
        import pandas as pd
        from mrmr import mrmr_classif, mrmr_regression

        table = pd.DataFrame(np.asarray(X))
        choose = mrmr_classif if self.classes else mrmr_regression
        return [int(j) for j in choose(table, pd.Series(np.asarray(y)), K=k, n_jobs=1, show_progress=False)]


# name -> the module it needs, what pip calls it, how it is made
READY: dict[str, tuple[str, str, Callable[[bool], Any]]] = {
    "SelectKBest.f": ("sklearn", "scikit-learn", _k_best_f),
    "SelectKBest.mi": ("sklearn", "scikit-learn", lambda classes: ByImportance(_information, classes)),
    "forest": ("sklearn", "scikit-learn", lambda classes: ByImportance(_forest, classes)),
    "permutation_importance": ("sklearn", "scikit-learn", lambda classes: ByImportance(_permutation, classes)),
    "rfe": ("sklearn", "scikit-learn", _rfe),
    "rfecv": ("sklearn", "scikit-learn", _rfecv),
    "lightgbm.gain": ("lightgbm", "lightgbm", lambda classes: ByImportance(_boosting, classes)),
    "boruta": ("boruta", "Boruta", Boruta),
    "mrmr_selection": ("mrmr", "mrmr_selection", MRMRSelection),
}
