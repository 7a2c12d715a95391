"""Trials: one method on one resample, selection and coding on the training rows alone, judged on the others.

One selection serves every k where the first k of a longer run are the run of k; `nested` says which methods are not
like that. Trials do not know of each other: their seeds come from their own numbers, so the same trial gives the same
answer whatever runs beside it, on any number of processes.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidInput
from ..methods import get_method
from ..progress import track
from ..selectors.answer import run
from ..selectors.request import Request
from ..threads import thread_count
from .checkpoint import Checkpoint
from .fold import FAILURES, Fold, trial_seed
from .forecast import say_how_long
from .foreign import Foreign
from .learning_task import LearningTask
from .resampling import Resample
from .scoring import Scoring
from .workers import finished, undisturbed


@dataclass(frozen=True, eq=False)
class Design:
    """Everything that trials depend on.

    ``requests``: label -> what `select` is asked for, or a foreign selector; k and random_state are filled in by each
    trial. ``weights`` (n,) of the rows, where they have any. ``limits``: the rows that an estimator sees at most, to
    learn from and to be tested on.
    """

    given: LearningTask
    requests: dict[str, Request | Foreign]
    ks: tuple[int, ...]
    estimators: dict[str, Any]
    resamples: tuple[Resample, ...]
    seed: int
    scoring: Scoring
    weights: NDArray[np.float64] | None = None
    limits: dict[str, int] = field(default_factory=dict)


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


def run_trial(fold: Fold, label: str) -> Trial:
    """Select on the training rows, for every k; fit on them; score on the test rows.

    The time of what methods share counts for each of them.
    """
    begin = time.perf_counter() + fold.memo.saved
    with undisturbed():
        try:
            runs = select_runs(fold, label)
        except FAILURES as error:
            return Trial(label, fold.number, failure=str(error) or type(error).__name__)
        selected = time.perf_counter()
        seconds = selected + fold.memo.saved - begin
        scores = tuple(_scores(fold, runs))
    return Trial(label, fold.number, runs, scores, seconds, time.perf_counter() - selected)


def select_runs(fold: Fold, label: str) -> tuple[Picks, ...]:
    """The runs that serve every k: one, or one for each where sets of different sizes are not nested."""
    design = fold.design
    seed, asked = trial_seed(design.seed, fold.number, label), design.requests[label]
    y = fold.told(asked)
    if isinstance(asked, Foreign):
        names = fold.table.names
        found = {k: asked.chosen(fold.X(), names, y, k, seed, fold.weights) for k in asked.sizes(design.ks)}
        if asked.own_number:
            found = dict.fromkeys(design.ks, found[design.ks[-1]])
        return tuple(Picks(k, columns) for k, columns in found.items())
    shared = fold.memo if asked.task != "survival" else None  # others on these rows have another target
    request = replace(asked, random_state=seed, shared=shared, sure=False)
    sizes = design.ks[-1:] if nested(request) else design.ks
    return tuple(
        Picks(k, tuple(run(fold.table, y, replace(request, k=k), fold.weights).selection.indices.tolist()))
        for k in sizes
    )


def _scores(fold: Fold, runs: tuple[Picks, ...]) -> Iterator[Score]:
    for k in fold.design.ks:
        columns = columns_for(runs, k)
        for name in fold.design.estimators:
            scores, error = fold.judged(columns, name)
            yield Score(name, k, scores[0], error, tuple(scores[1:]))


def trials_of(design: Design, number: int, labels: Sequence[str]) -> Iterator[Trial]:
    """These methods on one resample, one after the other."""
    fold = Fold(design, number)
    for label in labels:
        yield run_trial(fold, label)


def run_trials(
    design: Design,
    *,
    n_jobs: int | None = None,
    resume: str | os.PathLike[str] | None = None,
    verbose: int = 0,
) -> list[Trial]:
    """Every method on every resample, in that order; those that the folder ``resume`` has are not run again."""
    numbers = range(len(design.resamples))
    checkpoint = None if resume is None else Checkpoint(resume, design)
    done: dict[tuple[str, int], Trial] = {}
    if checkpoint is not None:
        keys = [(label, number) for number in numbers for label in design.requests]
        done = {key: found for key in keys if (found := checkpoint.load(*key)) is not None}
    missing = [(number, [label for label in design.requests if (label, number) not in done]) for number in numbers]
    n_missing = sum(len(labels) for _, labels in missing)
    if verbose > 0 and n_missing:
        share = n_missing / (len(design.requests) * len(numbers))
        say_how_long(design, share, thread_count(n_jobs), lambda few: list(trials_of(few, 0, list(few.requests))))
    n_batches, batches = _finished(design, [(number, labels) for number, labels in missing if labels], n_jobs)
    for _ in track(n_batches, "comparing", verbose, lines=True):
        for trial in next(batches):
            if checkpoint is not None:
                checkpoint.save(trial)
            done[trial.method, trial.resample] = trial
    return [done[label, number] for label in design.requests for number in numbers]


def _finished(
    design: Design, missing: Sequence[tuple[int, list[str]]], n_jobs: int | None
) -> tuple[int, Iterator[list[Trial]]]:
    """How many batches, and the trials of each as they are done.

    A process takes a resample, or part of its methods where resamples are few, so that none waits long for the last.
    """
    n_processes = thread_count(n_jobs)
    if n_processes <= 1:
        one_by_one = ([trial] for number, labels in missing for trial in trials_of(design, number, labels))
        return sum(len(labels) for _, labels in missing), one_by_one
    n_parts = -(-2 * n_processes // max(1, len(missing)))
    parts = [(number, labels[at::n_parts]) for number, labels in missing for at in range(n_parts)]
    tasks = [(design, number, labels) for number, labels in parts if labels]
    return len(tasks), (trials for _, trials in finished(_all_of, tasks, n_jobs))


def _all_of(design: Design, number: int, labels: Sequence[str]) -> list[Trial]:
    return list(trials_of(design, number, labels))


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
