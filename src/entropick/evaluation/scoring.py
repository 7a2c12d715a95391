"""What a score is: any of scikit-learn's scorers, turned into an error that is best when small.

Accuracy hardly sees a class of few rows: where one class holds more than `DOMINANT` of them, and nothing else is asked
for, two classes are judged by the area under the ROC curve and more by balanced accuracy, and that is said.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..coding import Target
from ..errors import InvalidParameter, closest
from .best import Point
from .resampling import Resample
from .survival import Censored, Concordance

DOMINANT = 0.8  # share of the largest class above which naming it always looks good
STANDARD = {"classification": "accuracy", "regression": "rmse/sd"}
CONCORDANCE = ("c-index", "concordance", "concordance_index")  # names of the score of censored times
WORDS = {
    "c-index": "C-index",
    "roc_auc": "ROC AUC", "roc_auc_ovr": "ROC AUC, one against the rest", "roc_auc_ovo": "ROC AUC, one against one",
    "f1": "F1", "r2": "R²", "average_precision": "average precision", "matthews_corrcoef": "Matthews correlation",
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Scoring:
    """The scorers by name; the first decides which method is best.

    ``scorers`` holds one callable ``(estimator, X, y)`` a name, or None for the standard figures: accuracy, and for
    numbers R² with the root mean square error in standard deviations of the target. ``ideal`` is the score of a
    perfect prediction, 0 or 1: error = ideal − score. ``as_given``: the scorers want the labels themselves, not
    their numbers 0, 1, … in sorted order.
    """

    names: tuple[str, ...]
    scorers: tuple[Callable[..., Any] | None, ...]
    ideals: tuple[float, ...]
    as_given: bool = False
    note: str = ""

    @property
    def standard(self) -> bool:
        """Whether errors are what they are unless something else is asked for."""
        return self.names[0] in STANDARD.values()

    @property
    def needs_probabilities(self) -> bool:
        """Whether a scorer asks for probabilities and nothing else will do."""
        return any(getattr(one, "_response_method", "") == "predict_proba" for one in self.scorers)

    def labels(self, target: Target) -> NDArray[Any]:
        """(n,) the target as estimators and scorers are told it."""
        if isinstance(target, Censored):
            return target.outcome
        if target.values is not None:
            return target.values
        return target.classes[target.codes] if self.as_given else target.codes

    def scores(
        self, fitted: Any, X: NDArray[Any], truth: NDArray[Any], weights: NDArray[Any] | None, spread: float | None
    ) -> tuple[list[float], float]:
        """The score by each scorer, and the error by the first; ``spread``: of a target that is a number."""
        found, error = [], float("nan")
        for place, (scorer, ideal) in enumerate(zip(self.scorers, self.ideals, strict=True)):
            if scorer is None:
                score, own = _standard(fitted.predict(X), truth, weights, spread)
            else:
                score = _called(scorer, fitted, X, truth, weights)
                own = ideal - score
            found.append(score)
            error = own if place == 0 else error
        return found, error

    def blind(self, target: Target, resamples: Sequence[Resample], weights: NDArray[Any] | None) -> float:
        """The mean error of naming always the same, which also shows whether the scorers can take such a target."""
        from sklearn.dummy import DummyClassifier, DummyRegressor

        labels = self.labels(target)
        if isinstance(target, Censored):
            return 0.5
        dummy = DummyClassifier(strategy="prior") if target.values is None else DummyRegressor()
        errors = []
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for rows in resamples:
                own = None if weights is None else weights[rows.train], None if weights is None else weights[rows.test]
                fitted = dummy.fit(np.zeros((rows.train.size, 1)), labels[rows.train], own[0])
                spread = spread_of(target)
                nothing = np.zeros((rows.test.size, 1))
                errors.append(self._tried(fitted, nothing, labels[rows.test], own[1], spread))
        known = [error for error in errors if error == error]
        return float(np.mean(known)) if known else float("nan")

    def _tried(self, fitted: Any, X: NDArray[Any], truth: NDArray[Any], weights: Any, spread: Any) -> float:
        for name, scorer in zip(self.names, self.scorers, strict=True):
            try:
                one = Scoring((name,), (scorer,), (0.0,))
                one.scores(fitted, X, truth, weights, spread)
            except (ValueError, TypeError) as error:
                if _sees_features(scorer):  # a function of one's own may well need the features
                    return float("nan")
                several = "; for several classes take 'roc_auc_ovr', 'f1_macro' or 'balanced_accuracy'"
                remedy = several if "multiclass" in str(error) or "multi_class" in str(error) else ""
                raise InvalidParameter(
                    f"scoring: {name!r} cannot score this target ({str(error).rstrip('.')}){remedy}"
                ) from error
        return self.scores(fitted, X, truth, weights, spread)[1]


def resolve_scoring(scoring: Any, target: Target) -> Scoring:
    """From what `compare` takes: None, a scorer's name or a scorer, a list of them, or a dict of labelled ones."""
    if scoring is None:
        return _usual(target)
    if isinstance(scoring, str) or callable(scoring):
        scoring = [scoring]
    if isinstance(scoring, dict):
        pairs = [(str(label), one) for label, one in scoring.items()]
    elif isinstance(scoring, Iterable):
        pairs = [(one if isinstance(one, str) else _name(one), one) for one in scoring]
    else:
        raise InvalidParameter(f"scoring: must be names of scikit-learn's scorers, or scorers, got {scoring!r}")
    if not pairs:
        raise InvalidParameter("scoring: needs at least one scorer, got none")
    names = tuple(name for name, _ in pairs)
    if len(set(names)) < len(names):
        raise InvalidParameter(f"scoring: {max(names, key=names.count)!r} appears twice; pass a dict with labels")
    if isinstance(target, Censored):
        names, scorers = zip(*(_of_survival(name, one) for name, one in pairs), strict=True)
        return Scoring(names, scorers, (1.0,) * len(pairs))
    scorers = tuple(None if one in STANDARD.values() else _scorer(one) for _, one in pairs)
    ideals = tuple(_ideal(one, scorer) for (_, one), scorer in zip(pairs, scorers, strict=True))
    return Scoring(names, scorers, ideals, as_given=any(not isinstance(one, str) for _, one in pairs))


def in_short(name: str) -> str:
    """A scorer's name as people write it; of losses that of the loss.

    >>> in_short("roc_auc"), in_short("neg_log_loss"), in_short("balanced_accuracy")
    ('ROC AUC', 'log loss', 'balanced accuracy')
    """
    return WORDS.get(name, name.removeprefix("neg_").replace("_", " "))


def shown(error: float, ideal: float) -> float:
    """The figure that people read: the score itself, or the loss where a perfect prediction has 0."""
    return ideal - error if ideal else error


def scored_words(taken: Point, lowest: Point, n_features: int, name: str, ideal: float, blind: float) -> str:
    """The answer as a sentence or two, in the scorer's own figures; ``blind`` is the error without any feature."""
    score = f"{in_short(name)} {shown(taken.error, ideal):.3f} ± {taken.se:.3f}"
    text = f"{taken.method} with {taken.k} of {n_features} features: {taken.estimator} has {score} on unseen rows."
    if lowest != taken:
        text += (
            f" The best score, {shown(lowest.error, ideal):.3f} ({lowest.method}, {lowest.k} features,"
            f" {lowest.estimator}), is less than one standard error better."
        )
    if lowest.error + lowest.se >= blind:
        text += f" No method beats guessing ({shown(blind, ideal):.3f})."
    return text


def spread_of(target: Target) -> float | None:
    """The standard deviation of a target that is a number."""
    return None if target.values is None else float(target.values.std())


def _usual(target: Target) -> Scoring:
    """The standard figures, unless one class holds nearly all rows."""
    if target.task == "classification":
        counts = np.bincount(target.codes, minlength=target.n_classes)
        share = counts.max() / counts.sum()
        if share > DOMINANT:
            name = "roc_auc" if target.n_classes == 2 else "balanced_accuracy"
            label = target.classes[int(counts.argmax())]
            note = (
                f"evaluated by {in_short(name)}, not accuracy, as {share:.0%} of the rows are of class {label!s};"
                " choose another scorer with scoring= (--scoring)"
            )
            return Scoring((name,), (_scorer(name),), (1.0,), note=note)
    return standard_scoring(target)


def standard_scoring(target: Target) -> Scoring:
    """Accuracy, or the root mean square error in standard deviations of the target; Harrell's C of censored times."""
    if isinstance(target, Censored):
        return Scoring(("c-index",), (Concordance(),), (1.0,))
    return Scoring((STANDARD.get(target.task, "rmse/sd"),), (None,), (1.0 if target.values is None else 0.0,))


def _scorer(one: Any) -> Callable[..., Any]:
    from sklearn.metrics import get_scorer, get_scorer_names

    if isinstance(one, str):
        if one in CONCORDANCE:
            raise InvalidParameter(f"scoring: {one!r} needs events and times as y (task='survival')")
        if one not in get_scorer_names():
            near = closest(one, get_scorer_names()) or " See sklearn.metrics.get_scorer_names()"
            raise InvalidParameter(f"scoring: scikit-learn has no scorer {one!r}.{near}")
        return get_scorer(one)  # type: ignore[no-any-return]
    if not callable(one):
        raise InvalidParameter(f"scoring: must be a name or a scorer (estimator, X, y) -> number, got {one!r}")
    return one  # type: ignore[no-any-return]


def _of_survival(name: str, one: Any) -> tuple[str, Callable[..., Any]]:
    if isinstance(one, str):
        if one not in CONCORDANCE:
            raise InvalidParameter(f"scoring: censored times are scored by 'c-index', or a function, got {one!r}")
        return ("c-index" if name == one else name), Concordance()
    return name, _scorer(one)


def _ideal(one: Any, scorer: Callable[..., Any] | None) -> float:
    if scorer is None:
        return 1.0 if one == "accuracy" else 0.0
    return 0.0 if getattr(scorer, "_sign", 1) < 0 else 1.0


def _name(one: Any) -> str:
    function = getattr(one, "_score_func", one)
    return str(getattr(function, "__name__", type(one).__name__))


def _sees_features(scorer: Any) -> bool:
    """Whether it is a plain function, not one of scikit-learn's scorers, which look at predictions alone."""
    return scorer is not None and not hasattr(scorer, "_score_func")


def _called(scorer: Callable[..., Any], fitted: Any, X: NDArray[Any], truth: NDArray[Any], weights: Any) -> float:
    if weights is None or _sees_features(scorer):
        return float(scorer(fitted, X, truth))
    return float(scorer(fitted, X, truth, sample_weight=weights))


def _standard(
    guess: NDArray[Any], truth: NDArray[Any], weights: NDArray[Any] | None, spread: float | None
) -> tuple[float, float]:
    """Accuracy and 1 − accuracy; or R², and the root mean square error in standard deviations of the whole target."""
    if spread is None:
        accuracy = float(np.average(guess == truth, weights=weights))
        return accuracy, 1.0 - accuracy
    missed = float(np.average((guess - truth) ** 2, weights=weights))
    around = float(np.average((truth - np.average(truth, weights=weights)) ** 2, weights=weights))
    return 1.0 - missed / around if around > 0 else float("nan"), float(np.sqrt(missed) / spread)
