"""Stability selection: the features that a method chooses again and again from halves of the rows.

B times the rows are split into two halves, and the method chooses q features from each; a feature is taken whose share
of the 2B choices is at least π. Then the expected number of features taken that a half would choose with less than
average probability q/p is bounded:

    Meinshausen & Bühlmann (2010)              q² / ((2π − 1) p)
    Shah & Samworth (2013), unimodal shares    C(π, B) q² / p

The first needs no more than pairs of halves (Shah & Samworth, theorem 1); the second, much smaller, needs the
distribution of a pair's agreement to be unimodal, which is what such shares look like.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.validation import check_is_fitted

from ..coding import Target
from ..errors import InvalidParameter
from ..selectors.answer import run
from ..selectors.request import Request
from ..selectors.selector import Selector
from .checks import whole
from .consensus import status, wilson
from .foreign import Foreign, as_given, foreign
from .learning_task import LearningTask, learning_task
from .ready_made import ready_made
from .workers import finished, undisturbed

BOUNDS = ("unimodal", "worst case")


def complementary_pairs_bound(q: int, n_features: int, threshold: float, n_pairs: int, kind: str = "unimodal") -> float:
    """The expected number of features taken that a half chooses with probability below q/p, at most.

    >>> round(complementary_pairs_bound(10, 1000, 0.9, 50, "worst case"), 3)
    0.125
    >>> round(complementary_pairs_bound(10, 1000, 0.9, 50), 3)
    0.043
    """
    if kind not in BOUNDS:
        raise InvalidParameter(f"bound: must be 'unimodal' or 'worst case', got {kind!r}")
    return _factor(threshold, n_pairs, kind, q / n_features) * q * q / n_features


def _factor(threshold: float, n_pairs: int, kind: str, share: float) -> float:
    """C(π, B): what multiplies q²/p."""
    worst = 1.0 / (2.0 * threshold - 1.0)
    if kind == "worst case" or share > 1.0 / np.sqrt(3.0):
        return worst
    if threshold > 0.75:
        return min(worst, 4.0 * (1.0 - threshold + 0.5 / n_pairs) / (1.0 + 1.0 / n_pairs))
    if threshold > min(0.5 + share**2, 0.5 + 0.5 / n_pairs + 0.75 * share**2):
        return min(worst, 1.0 / (2.0 * (2.0 * threshold - 1.0 - 0.5 / n_pairs)))
    return worst


class StableSelector(SelectorMixin, BaseEstimator):  # type: ignore[misc]
    """Features that a method chooses again and again from halves of the rows, as a scikit-learn selector.

    Parameters
    ----------
    method
        a method by name, ours or foreign as in `compare`; a scikit-learn selector; or a function (X, y, k) -> columns.
    k
        how many are chosen from each half. None: as many as ``max_false`` allows.
    threshold
        the share of halves, above ½, from which a feature is taken.
    max_false
        the expected number of false picks, at most, that decides k where that is None.
    n_pairs
        how often the rows are halved.
    bound
        ``"unimodal"`` or ``"worst case"``.
    options, task, discretizer, missing, random_state, n_jobs
        as in `Selector`; n_jobs are processes.

    Attributes
    ----------
    frequencies_
        (n_features,) the share of halves that chose it; low_, high_ its 95 % interval.
    status_
        "confirmed", "tentative" or "rejected": the interval is above, around or below the threshold.
    bound_
        the expected number of false picks, at most.
    k_
        how many were chosen from each half.

    Examples
    --------
    >>> import entropick as ep
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> stable = ep.StableSelector("jmi", k=5, n_pairs=10, random_state=0).fit(X, y)
    >>> round(stable.bound_, 2)
    0.93
    """

    def __init__(
        self,
        method: Any = "jmi",
        k: int | None = None,
        *,
        threshold: float = 0.75,
        max_false: float = 1.0,
        n_pairs: int = 50,
        bound: str = "unimodal",
        options: Any = None,
        task: str = "auto",
        discretizer: Any = "auto",
        missing: str = "level",
        random_state: int | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.method = method
        self.k = k
        self.threshold = threshold
        self.max_false = max_false
        self.n_pairs = n_pairs
        self.bound = bound
        self.options = options
        self.task = task
        self.discretizer = discretizer
        self.missing = missing
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any) -> Self:
        """Choose from the halves, and count."""
        if not 0.5 < self.threshold <= 1:
            raise InvalidParameter(f"threshold: must be above 0.5 and at most 1, got {self.threshold!r}")
        n_pairs = whole("n_pairs", self.n_pairs, 1)
        checked = Selector("mim", k=1, task=self.task, missing=self.missing).fit(
            X, y
        )  # says what is wrong with X and y
        self.n_features_in_ = checked.n_features_in_
        if hasattr(checked, "feature_names_in_"):
            self.feature_names_in_ = checked.feature_names_in_
        given = learning_task(X, y, self.task)
        p = given.table.n_columns
        self.k_ = self._size(p, n_pairs)
        contender = self._contender(given)
        rows = halves(given.target, n_pairs, np.random.default_rng(self.random_state))
        tasks = [(given, contender, self.k_, half, number) for number, half in enumerate(rows)]
        counts = np.zeros(p)
        for _, columns in finished(choose, tasks, self.n_jobs):
            counts[list(columns)] += 1.0
        self.frequencies_ = counts / len(rows)
        self.low_, self.high_ = wilson(self.frequencies_, len(rows))
        self.status_ = np.array(status(self.low_, self.high_, self.threshold))
        self.bound_ = complementary_pairs_bound(self.k_, p, self.threshold, n_pairs, self.bound)
        return self

    def _get_support_mask(self) -> NDArray[np.bool_]:
        check_is_fitted(self)
        return np.asarray(self.frequencies_ >= self.threshold)

    def _size(self, p: int, n_pairs: int) -> int:
        if self.k is not None:
            k = whole("k", self.k, 1)
            if k > p:
                raise InvalidParameter(f"k: must be from 1 to {p}, the number of features, got {k}")
            return k
        if not self.max_false > 0:
            raise InvalidParameter(f"max_false: must be a number above 0, got {self.max_false!r}")
        fits = [
            q
            for q in range(1, p + 1)
            if complementary_pairs_bound(q, p, self.threshold, n_pairs, self.bound) <= self.max_false
        ]
        return max(fits, default=1)

    def _contender(self, given: LearningTask) -> Request | Foreign:
        made = ready_made(self.method, given.target.task) if isinstance(self.method, str) else None
        other = made or foreign(self.method, given.table.names)
        return other or Request(
            method=self.method, task=given.target.task, discretizer=self.discretizer, missing=self.missing, n_jobs=1,
            options=dict(self.options or {}),
        )  # fmt: skip

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags


def halves(target: Target, n_pairs: int, random: np.random.Generator) -> list[NDArray[np.intp]]:
    """2B halves: each pair of halves shares no row; classes are halved one by one, so that none is lost."""
    found = []
    classes = [np.flatnonzero(target.codes == c) for c in range(target.n_classes)] if target.values is None else []
    parts = classes or [np.arange(target.codes.size)]
    for _ in range(n_pairs):
        sides: list[list[NDArray[np.intp]]] = [[], []]
        for part in parts:
            mixed = random.permutation(part)
            first = int(random.integers(2))  # the odd row goes to either side
            for side in (0, 1):
                sides[side].append(mixed[(side + first) % 2 :: 2])
        found += [np.sort(np.concatenate(side)).astype(np.intp) for side in sides]
    return found


def choose(
    given: LearningTask, contender: Request | Foreign, k: int, rows: NDArray[np.intp], number: int
) -> tuple[int, ...]:
    """What the contender chooses from these rows."""
    table, y = given.table.take(rows), given.y[rows]
    with undisturbed():
        if isinstance(contender, Foreign):
            return contender.chosen(as_given(table), table.names, y, k, number)
        return tuple(run(table, y, replace(contender, k=k, random_state=number)).selection.indices.tolist())
