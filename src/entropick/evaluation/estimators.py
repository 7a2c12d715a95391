"""What judges the chosen features: classifiers and regressors by name, or any of scikit-learn's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidParameter, closest
from ..sources import Table
from .resampling import Resample
from .survival import CoxModel

Floats = NDArray[np.float64]
DEFAULT = {"classification": ("3-NN", "linear SVM"), "regression": ("3-NN", "ridge"), "survival": ("Cox model",)}
QUADRATIC = ("3-NN", "RBF SVM")
MOST = 5_000  # rows that these learn from, and are tested on
NAMES = {
    "classification": ("3-NN", "linear SVM", "logistic regression", "RBF SVM", "QDA", "boosted stumps", "nearest mean"),
    "regression": ("3-NN", "ridge", "RBF SVM", "boosted stumps"),
    "survival": ("Cox model", "survival forest"),
}


def make(name: str, task: str) -> Any:
    """The estimator of that name for the task, unfitted."""
    from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis
    from sklearn.ensemble import GradientBoostingClassifier, GradientBoostingRegressor
    from sklearn.linear_model import LogisticRegression, Ridge
    from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor, NearestCentroid
    from sklearn.svm import SVC, SVR, LinearSVC

    if task == "survival":
        return CoxModel() if name == "Cox model" else _survival_forest()
    if task == "regression":
        regressors = {
            "3-NN": KNeighborsRegressor(3),
            "ridge": Ridge(),
            "RBF SVM": SVR(),
            "boosted stumps": GradientBoostingRegressor(max_depth=1),
        }
        return regressors[name]
    classifiers = {
        "3-NN": KNeighborsClassifier(3),
        "linear SVM": LinearSVC(),
        "logistic regression": LogisticRegression(max_iter=1000),
        "RBF SVM": SVC(),
        "QDA": QuadraticDiscriminantAnalysis(reg_param=0.01),  # a class may have fewer rows than features
        "boosted stumps": GradientBoostingClassifier(max_depth=1),
        "nearest mean": NearestCentroid(),
    }
    return classifiers[name]


def _survival_forest() -> Any:
    if find_spec("sksurv") is None:
        raise InvalidParameter(
            "estimators: 'survival forest' needs the package scikit-survival; install with: pip install scikit-survival"
        )
    from sksurv.ensemble import RandomSurvivalForest

    return RandomSurvivalForest(min_samples_leaf=5, low_memory=True)


def resolve(estimators: Any, task: str, probabilities: bool = False) -> dict[str, Any]:
    """Label -> unfitted estimator, checked against the task.

    ``estimators``: None for `DEFAULT`; a name of `NAMES` (capitals, spaces and hyphens do not matter) or an estimator;
    a list of them; or a dict from labels of one's own. ``probabilities``: by default those that have them.
    """
    if task not in DEFAULT:
        raise InvalidParameter(f"task: methods are judged by classes or numbers, got a {task} target")
    resolved: dict[str, Any] = {}
    for label, one in _labelled(estimators, task, probabilities):
        if label in resolved:
            raise InvalidParameter(f"estimators: {label!r} appears twice; pass a dict with a label for each")
        resolved[label] = make(_known(one, task), task) if isinstance(one, str) else _checked(label, one, task)
    return resolved


def limits(estimators: Any, task: str, probabilities: bool = False) -> dict[str, int]:
    """Label -> the most rows that it learns from, of those that are asked for by name and take rows × rows."""
    pairs = _labelled(estimators, task, probabilities)
    return {label: MOST for label, one in pairs if isinstance(one, str) and _known(one, task) in QUADRATIC}


def _labelled(estimators: Any, task: str, probabilities: bool) -> list[tuple[str, Any]]:
    if estimators is None:
        estimators = ("3-NN", "logistic regression") if probabilities and task == "classification" else DEFAULT[task]
    if isinstance(estimators, str) or hasattr(estimators, "fit"):
        estimators = [estimators]
    if isinstance(estimators, Mapping):
        pairs = [(str(label), one) for label, one in estimators.items()]
    elif isinstance(estimators, Iterable):
        pairs = [(_known(one, task) if isinstance(one, str) else type(one).__name__, one) for one in estimators]
    else:
        raise InvalidParameter(f"estimators: must be names or scikit-learn estimators, got {estimators!r}")
    if not pairs:
        raise InvalidParameter("estimators: needs at least one, got none")
    return pairs


def _known(name: str, task: str) -> str:
    """The name as it is written in `NAMES`."""
    by_letters = {_letters(known): known for known in NAMES[task]}
    found = by_letters.get(_letters(name))
    if found is None:
        near = closest(name, NAMES[task]) or f" Known for {task}: {', '.join(NAMES[task])}"
        raise InvalidParameter(f"estimators: no estimator {name!r}.{near}")
    return found


def _letters(name: str) -> str:
    return "".join(c for c in name.lower() if c.isalnum())


def _checked(label: str, estimator: Any, task: str) -> Any:
    from sklearn.base import clone, is_classifier, is_regressor

    if isinstance(estimator, type) or not (hasattr(estimator, "fit") and hasattr(estimator, "predict")):
        raise InvalidParameter(f"estimators: {label!r} must be an estimator with fit and predict, got {estimator!r}")
    known = {"classification": is_classifier, "regression": is_regressor}
    if any(kind != task and is_one(estimator) for kind, is_one in known.items()):
        wanted = {"classification": "classifier", "regression": "regressor"}.get(task, "survival model")
        raise InvalidParameter(f"estimators: {label!r} must be a {wanted} for a {task} target; see task=")
    return clone(estimator)


def seeded(estimator: Any, seed: int) -> Any:
    """A fresh copy whose random parts, unless fixed by the user, depend on the seed."""
    from sklearn.base import clone

    own = clone(estimator)
    loose = {name: seed for name, value in own.get_params().items() if name.endswith("random_state") and value is None}
    return own.set_params(**loose)


class Numbers:
    """Columns as estimators want them: numbers, all of similar size. Everything is learned from the training rows.

    Numbers are standardised; missing ones take the training mean, and a column of 0 and 1 says where. Categories
    become one column of 0 and 1 for each label seen in training, all 0 for others; missing is a label.
    """

    def __init__(self, table: Table, rows: Resample) -> None:
        self._table, self._rows = table, rows
        self._ready: dict[int, tuple[Floats, Floats]] = {}

    def matrices(self, columns: Iterable[int]) -> tuple[Floats, Floats]:
        """(n_train, d) and (n_test, d) of these columns side by side."""
        nothing = np.empty((self._rows.train.size, 0)), np.empty((self._rows.test.size, 0))
        parts = [nothing, *(self._column(int(j)) for j in columns)]
        return np.hstack([train for train, _ in parts]), np.hstack([test for _, test in parts])

    def _column(self, j: int) -> tuple[Floats, Floats]:
        if j not in self._ready:
            values = self._table.column(j)
            train, test = values[self._rows.train], values[self._rows.test]
            category = self._table.kind(j) == "category"
            self._ready[j] = _one_hot(train, test) if category else _standardised(train, test)
        return self._ready[j]


def _standardised(train: NDArray[Any], test: NDArray[Any]) -> tuple[Floats, Floats]:
    train, test = train.astype(np.float64), test.astype(np.float64)
    gone, gone_test = np.isnan(train), np.isnan(test)
    held = train[~gone]
    mean = held.mean() if held.size else 0.0
    spread = held.std() if held.size else 0.0
    scale = spread if spread > 1e-12 * abs(mean) else 1.0
    columns = [np.where(away, 0.0, (part - mean) / scale) for part, away in ((train, gone), (test, gone_test))]
    if not gone.any():
        return columns[0][:, None], columns[1][:, None]
    return np.column_stack([columns[0], gone]), np.column_stack([columns[1], gone_test])


def _one_hot(train: NDArray[Any], test: NDArray[Any]) -> tuple[Floats, Floats]:
    labels = dict.fromkeys(train)
    return tuple(np.column_stack([part == label for label in labels]).astype(np.float64) for part in (train, test))  # type: ignore[return-value]
