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
from ..selectors.answer import run
from ..selectors.request import Request
from .checkpoint import Checkpoint
from .estimators import Numbers, seeded
from .foreign import Foreign
from .learning_task import LearningTask
from .resampling import Resample
from .scoring import Scoring, spread_of
from .workers import finished, undisturbed

FAILURES = (EntropickError, ValueError, ArithmeticError)  # of a method or estimator that these rows do not suit


@dataclass(frozen=True, eq=False)
class Design:
    """Everything that trials depend on.

    ``requests``: label -> what `select` is asked for, or a foreign selector; k and random_state are filled in by each
    trial. ``weights`` (n,) of the rows, where they have any.
    """

    given: LearningTask
    requests: dict[str, Request | Foreign]
    ks: tuple[int, ...]
    estimators: dict[str, Any]
    resamples: tuple[Resample, ...]
    seed: int
    scoring: Scoring
    weights: NDArray[np.float64] | None = None


@dataclass(frozen=True)
class Picks:
    """The columns chosen in one run, in order, and the k that was asked for; what takes a number of its own may have
    more or fewer.
    """

    k: int
    columns: tuple[int, ...]


@dataclass(frozen=True)
class Score:
    """How an estimator did on the test rows with the first k columns; NaN where it could not be fitted.

    ``score`` and ``error`` by the first scorer, ``others`` the scores by those after it.
    """

    estimator: str
    k: int
    score: float
    error: float
    others: tuple[float, ...] = ()


@dataclass(frozen=True)
class Trial:
    """What came of a method on a resample; ``failure`` says why nothing did."""

    method: str
    resample: int
    runs: tuple[Picks, ...] = ()
    scores: tuple[Score, ...] = ()
    selection_seconds: float = 0.0
    estimation_seconds: float = 0.0
    failure: str = ""


def nested(request: Request | Foreign) -> bool:
    """Whether a run of k begins with the run of any smaller k."""
    if isinstance(request, Foreign):
        return request.nested
    return get_method(request.method).nested_with(request.search, request.options)


def columns_for(runs: tuple[Picks, ...], k: int) -> tuple[int, ...]:
    """The columns of the shortest run that has k of them, up to k; all of a run that was asked for k."""
    found = min((one for one in runs if one.k >= k), key=lambda one: one.k)
    return found.columns if found.k == k else found.columns[:k]


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


def select_runs(design: Design, label: str, number: int) -> tuple[Picks, ...]:
    """The runs that serve every k: one, or one for each where sets of different sizes are not nested."""
    rows = design.resamples[number]
    table, y = design.given.table.take(rows.train), design.given.y[rows.train]
    weights = None if design.weights is None else design.weights[rows.train]
    seed, asked = trial_seed(design.seed, number, label), design.requests[label]
    if isinstance(asked, Foreign):
        found = {k: asked.chosen(table, y, k, seed, weights) for k in asked.sizes(design.ks)}
        if asked.own_number:
            found = dict.fromkeys(design.ks, found[design.ks[-1]])
        return tuple(Picks(k, columns) for k, columns in found.items())
    request = replace(asked, random_state=seed)
    sizes = design.ks[-1:] if nested(request) else design.ks
    return tuple(
        Picks(k, tuple(run(table, y, replace(request, k=k), weights).selection.indices.tolist())) for k in sizes
    )


def _judge(design: Design, number: int, runs: tuple[Picks, ...]) -> Iterator[Score]:
    numbers = Numbers(design.given.table, design.resamples[number])
    done: dict[tuple[tuple[int, ...], str], tuple[list[float], float]] = {}  # one set may serve several k
    for k in design.ks:
        columns = columns_for(runs, k)
        for name, estimator in design.estimators.items():
            if (columns, name) not in done:
                own = seeded(estimator, trial_seed(design.seed, number, name))
                parts, rows = numbers.matrices(columns), design.resamples[number]
                done[columns, name] = judge(own, *parts, design.given.target, rows, design.scoring, design.weights)
            scores, error = done[columns, name]
            yield Score(name, k, scores[0], error, tuple(scores[1:]))


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
        raise InvalidInput(f"methods: none succeeded; {label} failed: {bad[0].failure}")
    n_resamples = 1 + max(trial.resample for trial in trials)
    notes = tuple(
        f"{label} is left out: it failed in {len(bad)} of {n_resamples} resamples ({bad[0].failure})"
        for label, bad in failed.items()
    )
    return kept, notes
