"""Trials: one method on one resample, selection and coding on the training rows alone, judged on the others.

One selection serves every k where the first k of a longer run are the run of k; `nested` says which methods are not
like that. Trials do not know of each other: their seeds come from their own numbers, so the same trial gives the same
answer whatever runs beside it, on any number of processes.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..coding import Target
from ..errors import EntropickError, InvalidInput
from ..methods import get_method
from ..progress import track
from ..selectors.run import Request, run
from .checkpoint import Checkpoint
from .estimators import Numbers, seeded
from .learning_task import LearningTask
from .resampling import Resample
from .workers import finished, undisturbed

ONE_SIZE = ("l1", "semidefinite", "exhaustive")  # searches that look for the best set of k, not for an order
FAILURES = (EntropickError, ValueError, ArithmeticError)  # of a method or estimator that these rows do not suit


@dataclass(frozen=True, eq=False)
class Design:
    """Everything that trials depend on.

    ``requests``: label -> what `select` is asked for; k and random_state are filled in by each trial.
    """

    given: LearningTask
    requests: dict[str, Request]
    ks: tuple[int, ...]
    estimators: dict[str, Any]
    resamples: tuple[Resample, ...]
    seed: int


@dataclass(frozen=True)
class Run:
    """The columns chosen in one run, in order, and the k that was asked for."""

    k: int
    columns: tuple[int, ...]


@dataclass(frozen=True)
class Score:
    """How an estimator did on the test rows with the first k columns; NaN where it could not be fitted."""

    estimator: str
    k: int
    score: float
    error: float


@dataclass(frozen=True)
class Trial:
    """What came of a method on a resample; ``failure`` says why nothing did."""

    method: str
    resample: int
    runs: tuple[Run, ...] = ()
    scores: tuple[Score, ...] = ()
    selection_seconds: float = 0.0
    estimation_seconds: float = 0.0
    failure: str = ""


def nested(request: Request) -> bool:
    """Whether a run of k begins with the run of any smaller k."""
    method = get_method(request.method)
    search = request.search or method.searches[0]
    return search not in ONE_SIZE and method.name != "lasso" and request.options.get("improve") != "swap"


def columns_for(runs: tuple[Run, ...], k: int) -> tuple[int, ...]:
    """The columns of the shortest run that has k of them, up to k."""
    return min((one for one in runs if one.k >= k), key=lambda one: one.k).columns[:k]


def trial_seed(seed: int, number: int, label: str) -> int:
    """A seed for one resample and method, of its own."""
    return int(np.random.SeedSequence([seed, 2, number, *label.encode()]).generate_state(1)[0])


def run_trial(design: Design, label: str, number: int) -> Trial:
    """Select on the training rows, for every k; fit on them; score on the test rows."""
    begin = time.perf_counter()
    with undisturbed():
        try:
            runs = select_runs(design, label, number)
        except FAILURES as error:
            return Trial(label, number, failure=str(error) or type(error).__name__)
        chosen_at = time.perf_counter()
        scores = tuple(_judge(design, number, runs))
    return Trial(label, number, runs, scores, chosen_at - begin, time.perf_counter() - chosen_at)


def select_runs(design: Design, label: str, number: int) -> tuple[Run, ...]:
    """The runs that serve every k: one, or one for each where sets of different sizes are not nested."""
    rows = design.resamples[number]
    table, y = design.given.table.take(rows.train), design.given.y[rows.train]
    request = replace(design.requests[label], random_state=trial_seed(design.seed, number, label))
    sizes = design.ks[-1:] if nested(request) else design.ks
    return tuple(Run(k, tuple(run(table, y, replace(request, k=k)).selection.indices.tolist())) for k in sizes)


def _judge(design: Design, number: int, runs: tuple[Run, ...]) -> Iterator[Score]:
    numbers = Numbers(design.given.table, design.resamples[number])
    for k in design.ks:
        train, test = numbers.matrices(columns_for(runs, k))
        for name, estimator in design.estimators.items():
            own = seeded(estimator, trial_seed(design.seed, number, name))
            yield Score(name, k, *judge(own, train, test, design.given.target, design.resamples[number]))


def judge(
    estimator: Any, train: NDArray[Any], test: NDArray[Any], target: Target, rows: Resample
) -> tuple[float, float]:
    """(score, error) on the test rows.

    Classification: accuracy and 1 − accuracy. Regression: R², and the root mean square error in standard deviations
    of the whole target. NaN where the estimator cannot be fitted to these rows.
    """
    labels = target.codes if target.values is None else target.values
    truth = labels[rows.test]
    try:
        guess = estimator.fit(train, labels[rows.train]).predict(test)
    except FAILURES:
        return float("nan"), float("nan")
    if target.values is None:
        accuracy = float(np.mean(guess == truth))
        return accuracy, 1.0 - accuracy
    missed = float(np.mean((guess - truth) ** 2))
    spread = float(truth.var())
    return 1.0 - missed / spread if spread > 0 else float("nan"), float(np.sqrt(missed) / target.values.std())


def run_trials(
    design: Design,
    *,
    n_jobs: int | None = None,
    resume: str | os.PathLike[str] | None = None,
    verbose: int = 0,
) -> list[Trial]:
    """Every method on every resample, in that order; those that the folder ``resume`` has are not run again."""
    wanted = [(label, number) for number in range(len(design.resamples)) for label in design.requests]
    checkpoint = None if resume is None else Checkpoint(resume, design)
    done: dict[tuple[str, int], Trial] = {}
    if checkpoint is not None:
        done = {key: found for key in wanted if (found := checkpoint.load(*key)) is not None}
    missing = [key for key in wanted if key not in done]
    results = finished(run_trial, [(design, *key) for key in missing], n_jobs)
    for _ in track(len(missing), "comparing", verbose):
        _, trial = next(results)
        if checkpoint is not None:
            checkpoint.save(trial)
        done[trial.method, trial.resample] = trial
    return [done[label, number] for label in design.requests for number in range(len(design.resamples))]


def without_failures(trials: list[Trial]) -> tuple[list[Trial], tuple[str, ...]]:
    """Trials of the methods that worked on every resample, and a note about each of the others."""
    failed: dict[str, list[Trial]] = {}
    for trial in trials:
        if trial.failure:
            failed.setdefault(trial.method, []).append(trial)
    kept = [trial for trial in trials if trial.method not in failed]
    if not kept:
        label, bad = next(iter(failed.items()))
        raise InvalidInput(f"methods: none worked on these rows; {label} failed: {bad[0].failure}")
    n_resamples = 1 + max(trial.resample for trial in trials)
    notes = tuple(
        f"{label} is left out: it failed in {len(bad)} of {n_resamples} resamples ({bad[0].failure})"
        for label, bad in failed.items()
    )
    return kept, notes
