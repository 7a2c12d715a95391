"""Small samples: error and stability of methods as the sample to learn from shrinks (Brown et al. 2012, §5.3)."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

import numpy as np

from ..coding import Target
from ..errors import InvalidInput, InvalidParameter
from ..selectors.request import Request
from . import checks
from .contenders import contenders
from .estimators import resolve
from .frames import Schema, from_records
from .health import data_health
from .learning_task import learning_task
from .resampling import Resample, drawn_rows
from .scoring import standard_scoring
from .stability import nogueira
from .trials import Design, Trial, columns_for, run_trials, without_failures

if TYPE_CHECKING:
    import pandas as pd

SHARES = (0.05, 0.1, 0.2, 0.4, 0.8)
FEWEST = 10  # rows of the smallest sample taken by default
CURVE: Schema = {
    "method": "str", "size": "int64", "estimator": "str", "error": "float64", "se": "float64",
    "stability": "float64", "low": "float64", "high": "float64",
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class SmallSamples:
    """What became of each method on samples of each size.

    ``curves``: method, size (rows learned from), estimator, error and its standard error over the draws, stability
    (Nogueira's measure over the draws of that size) with its 95 % interval. ``k`` features were chosen each time.
    """

    methods: tuple[str, ...]
    sizes: tuple[int, ...]
    estimators: tuple[str, ...]
    k: int
    draws: int
    curves: pd.DataFrame
    notes: tuple[str, ...] = ()

    def error(self, estimator: str | None = None) -> pd.DataFrame:
        """Methods × sizes: the mean error of one estimator (the first if None)."""
        own = self.curves[self.curves["estimator"] == (estimator or self.estimators[0])]
        return own.pivot(index="method", columns="size", values="error").reindex(list(self.methods))

    def stability(self) -> pd.DataFrame:
        """Methods × sizes: Nogueira's measure."""
        own = self.curves[self.curves["estimator"] == self.estimators[0]]
        return own.pivot(index="method", columns="size", values="stability").reindex(list(self.methods))


def small_samples(
    X: Any,
    y: Any,
    methods: Any = None,
    k: int = 10,
    *,
    sizes: float | Iterable[float] | None = None,
    draws: int = 10,
    estimators: Any = "3-NN",
    task: str = "auto",
    discretizer: Any = "auto",
    missing: str = "level",
    random_state: int = 0,
    n_jobs: int | None = None,
    resume: str | os.PathLike[str] | None = None,
    verbose: int = 0,
) -> SmallSamples:
    """Learn from ever fewer rows: how fast do error and stability go?

    For each size, ``draws`` samples of so many rows are drawn without replacement, stratified by class; each method
    chooses k features from them, and estimators fitted to them are tested on all the other rows.

    Parameters that are not named here are as in `entropick.compare`.

    Parameters
    ----------
    sizes
        rows to learn from: numbers, or fractions of those there are. None: 5, 10, 20, 40 and 80 %, as far as that is at
        least 10 rows, and two of each class.

    Examples
    --------
    >>> import entropick as ep
    >>> X, y = ep.datasets.load_demo()
    >>> small = ep.small_samples(X, y, ["mim"], k=3, sizes=[50, 200], draws=3, estimators="nearest mean")
    >>> list(small.error().columns)
    [50, 200]
    """
    given = learning_task(X, y, task)
    table, target = given.table, given.target
    k = checks.size(k, table.n_columns)
    draws = checks.whole("draws", draws, 2, checks.MOST)
    seed = checks.whole("random_state", random_state, 0)
    rows = check_rows(sizes, target)
    judges = resolve(estimators, target.task)
    common = Request(task=target.task, discretizer=discretizer, missing=missing, n_jobs=1)
    requests, notes = contenders(methods, common, target, data_health(table, target, discretizer))
    drawn = tuple(sample(target, size, [seed, size, draw]) for size in rows for draw in range(draws))
    design = Design(given, requests, (k,), judges, drawn, seed, standard_scoring(target))
    trials, failed = without_failures(run_trials(design, n_jobs=n_jobs, resume=resume, verbose=verbose))
    labels = tuple(dict.fromkeys(trial.method for trial in trials))
    records = []
    for label in labels:
        for at, size in enumerate(rows):
            own = [t for t in trials if t.method == label and t.resample // draws == at]
            records += _records(own, label, size, tuple(judges), k, table.n_columns)
    curves = from_records(CURVE, records)
    return SmallSamples(labels, rows, tuple(judges), k, draws, curves, (*notes, *failed))


def _records(
    trials: list[Trial], label: str, size: int, estimators: tuple[str, ...], k: int, n_features: int
) -> list[tuple[Any, ...]]:
    phi = nogueira([columns_for(trial.runs, k) for trial in trials], n_features)
    records = []
    for estimator in estimators:
        errors = np.array([score.error for trial in trials for score in trial.scores if score.estimator == estimator])
        se = errors.std(ddof=1) / np.sqrt(errors.size)
        records.append((label, size, estimator, errors.mean(), se, phi.value, phi.low, phi.high))
    return records


def check_rows(sizes: Any, target: Target) -> tuple[int, ...]:
    """Sample sizes as numbers of rows, ascending, each once."""
    n = target.codes.size
    least = 2 * target.n_classes
    if sizes is None:
        found = {round(share * n) for share in SHARES}
        found = {size for size in found if size >= max(FEWEST, least)}
        if not found:
            raise InvalidInput(f"X: has too few rows to train on a part of them, got {n}")
        return tuple(sorted(found))
    rows = []
    for size in checks.several("sizes", sizes):
        if isinstance(size, Integral) and not isinstance(size, bool):
            rows.append(int(size))
        elif isinstance(size, Real) and 0 < float(size) < 1:
            rows.append(round(float(size) * n))
        else:
            raise InvalidParameter(f"sizes: must be numbers of rows, or fractions between 0 and 1, got {size!r}")
    for row in rows:
        if not least <= row < n:
            raise InvalidParameter(
                f"sizes: must be from {least} (two rows a class) to {n - 1} (one row left to test), got {row} rows"
            )
    return tuple(sorted(set(rows)))


def sample(target: Target, size: int, seed: list[int]) -> Resample:
    """``size`` rows, each class by its share but at least two rows where it has them; tested on all others."""
    train = drawn_rows(target.codes, target.n_classes, size, np.random.default_rng(seed))
    return Resample(train, np.setdiff1d(np.arange(target.codes.size), train))
