"""One resample, and what all methods share on it: training rows, coding, statistics, sets that are judged once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..coding import Target
from ..errors import EntropickError
from ..selectors.request import Request
from ..statistics.kind import Memo
from .contenders import by_residuals
from .estimators import Numbers, seeded
from .foreign import Foreign, as_given
from .resampling import Resample, Rows, drawn_rows
from .scoring import Scoring, spread_of
from .survival import residuals

if TYPE_CHECKING:
    from .trials import Design

FAILURES = (EntropickError, ValueError, ArithmeticError)  # of a method or estimator that these rows do not suit


class Fold:
    """A resample of a design.

    ``memo`` is what runs on the training rows have in common. Sets are judged with their columns in the table's order,
    as a pipeline has them, so that one set is one answer, whoever chose it and in whatever order.
    """

    def __init__(self, design: Design, number: int) -> None:
        self.design, self.number, self.rows = design, number, design.resamples[number]
        self.table = design.given.table.take(self.rows.train)
        self.y = design.given.y[self.rows.train]
        self.weights = None if design.weights is None else design.weights[self.rows.train]
        self.memo = Memo()
        self._numbers = Numbers(design.given.table, self.rows)
        self._judged: dict[tuple[frozenset[int], str], tuple[list[float], float]] = {}
        self._parts: dict[int, tuple[Rows, Rows]] = {}

    def told(self, request: Request | Foreign) -> NDArray[Any]:
        """The target of the training rows as the method takes it."""
        if by_residuals(request, self.design.given.target.task):
            return self.memo("residuals", lambda: residuals(self.y, self.weights))
        return self.y

    def X(self) -> Any:
        """The training rows as scikit-learn takes them, to do with as one likes."""
        return self.memo("X", lambda: as_given(self.table)).copy()

    def judged(self, columns: Iterable[int], estimator: str) -> tuple[list[float], float]:
        """The scores of the estimator with these columns, and the error by the first."""
        key = frozenset(columns), estimator
        if key not in self._judged:
            design, rows = self.design, self.rows
            own = seeded(design.estimators[estimator], trial_seed(design.seed, self.number, estimator))
            train, test = self._numbers.matrices(sorted(key[0]))
            most = design.limits.get(estimator)
            if most is not None and rows.train.size > most:
                at, at_test = self._part(most)
                train, test, rows = train[at], test[at_test], Resample(rows.train[at], rows.test[at_test])
            self._judged[key] = judge(own, train, test, design.given.target, rows, design.scoring, design.weights)
        return self._judged[key]

    def _part(self, most: int) -> tuple[Rows, Rows]:
        """At most so many of the rows to learn from, and of those to be tested on; each class by its share."""
        if most not in self._parts:
            target, random = self.design.given.target, np.random.default_rng([self.design.seed, 3, self.number])
            sides = (target.codes[side] for side in (self.rows.train, self.rows.test))
            train, test = (drawn_rows(codes, target.n_classes, most, random) for codes in sides)
            self._parts[most] = train, test
        return self._parts[most]


def trial_seed(seed: int, number: int, label: str) -> int:
    """A seed for one resample and method, of its own."""
    return int(np.random.SeedSequence([seed, 2, number, *label.encode()]).generate_state(1)[0])


def judge(
    estimator: Any,
    train: NDArray[Any],
    test: NDArray[Any],
    target: Target,
    rows: Resample,
    scoring: Scoring,
    weights: NDArray[np.float64] | None = None,
) -> tuple[list[float], float]:
    """The scores on the test rows, and the error by the first; NaN where the estimator cannot do it on these rows."""
    from sklearn.utils.validation import has_fit_parameter

    labels, told, tested = scoring.labels(target), {}, None
    if weights is not None:
        tested = weights[rows.test]
        told = {"sample_weight": weights[rows.train]} if has_fit_parameter(estimator, "sample_weight") else {}
    try:
        fitted = estimator.fit(train, labels[rows.train], **told)
        return scoring.scores(fitted, test, labels[rows.test], tested, spread_of(target))
    except (*FAILURES, AttributeError):  # the last: it has no probabilities to be scored by
        return [float("nan")] * len(scoring.names), float("nan")
