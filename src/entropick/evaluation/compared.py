"""What finished trials tell, as a `Comparison`: tidy frames, settings and notes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..coding import Target
from ..selectors.request import Request
from ..sources import Table
from .comparison import ALIKE, CHOSEN, CONSISTENCY, OTHERS, PARTS, SCORES, TIMES, Comparison
from .consensus import ALIKE as SUBSTITUTE
from .foreign import Foreign
from .frames import from_records
from .health import TELLING, DataHealth
from .similarity import agreement
from .stability import Set, matching, mean_of_pairs, symmetric_uncertainty
from .trials import Design, Trial, columns_for, without_failures


def compared(
    design: Design, finished: list[Trial], settings: dict[str, Any], health: DataHealth, notes: Sequence[str]
) -> Comparison:
    """The comparison of the methods that worked on every resample; ``settings`` and ``notes`` are added to."""
    table, target = design.given.table, design.given.target
    trials, failed = without_failures(finished)
    labels = tuple(dict.fromkeys(trial.method for trial in trials))
    settings = {
        "methods": {label: _settings(design.requests[label]) for label in labels},
        "k": list(design.ks),
        "estimators": {label: repr(one) for label, one in design.estimators.items()},
        **settings,
        "target": design.given.name,
        "task": target.task,
        "random_state": design.seed,
        **_own_numbers(design.requests, labels),
    }
    consistencies, alike = _consistencies(table, labels, design.ks, trials)
    return Comparison(
        methods=labels,
        ks=design.ks,
        estimators=tuple(design.estimators),
        feature_names=table.names,
        n_samples=table.n_rows,
        task=target.task,
        classes=_class_counts(target),
        n_resamples=len(design.resamples),
        resampling=settings["resampling"],
        scores=from_records(SCORES, [row for trial in trials for row in _score_rows(trial)]),
        chosen=from_records(CHOSEN, [row for trial in trials for row in _chosen_rows(trial)]),
        times=from_records(TIMES, [row for trial in trials for row in _time_rows(trial)]),
        consistency=from_records(CONSISTENCY, consistencies),
        alike=from_records(ALIKE, alike),
        health=health,
        other_scores=from_records(
            OTHERS, [row for trial in trials for row in _other_rows(trial, design.scoring.names)]
        ),
        settings=settings,
        notes=(
            *([design.scoring.note] if design.scoring.note else []),
            *notes,
            *(note for note in health.notes if TELLING in note),
            *failed,
            *_short(trials, settings),
            *_unfitted(trials),
        ),
    )


def _score_rows(trial: Trial) -> list[tuple[Any, ...]]:
    return [(trial.method, s.estimator, s.k, trial.resample, s.score, s.error) for s in trial.scores]


def _other_rows(trial: Trial, names: Sequence[str]) -> list[tuple[Any, ...]]:
    return [
        (trial.method, s.estimator, s.k, trial.resample, name, value)
        for s in trial.scores
        for name, value in zip(names[1:], s.others, strict=True)
    ]


def _own_numbers(requests: dict[str, Any], labels: Sequence[str]) -> dict[str, Any]:
    own = [label for label in labels if isinstance(requests[label], Foreign) and requests[label].own_number]
    return {"own_number": own} if own else {}


def _chosen_rows(trial: Trial) -> list[tuple[Any, ...]]:
    return [
        (trial.method, trial.resample, run.k, rank, feature)
        for run in trial.runs
        for rank, feature in enumerate(run.columns, start=1)
    ]


def _time_rows(trial: Trial) -> list[tuple[Any, ...]]:
    seconds = trial.selection_seconds, trial.estimation_seconds
    return [(trial.method, trial.resample, part, spent) for part, spent in zip(PARTS, seconds, strict=True)]


def _consistencies(
    table: Table, labels: Sequence[str], ks: Sequence[int], trials: Sequence[Trial]
) -> tuple[list[tuple[Any, ...]], list[tuple[Any, ...]]]:
    """Yu et al.'s index within and between methods, and pairs of features alike, by all the rows."""
    used = np.unique([column for trial in trials for run in trial.runs for column in run.columns])
    alike = symmetric_uncertainty(table.select(used.tolist()))
    place = {int(column): at for at, column in enumerate(used)}

    def index(a: Set, b: Set) -> float:
        return matching(a, b, alike)

    rows: list[tuple[Any, ...]] = []
    for k in ks:
        runs: list[list[Set]] = [[] for _ in labels]
        for trial in trials:
            columns = columns_for(trial.runs, k)
            runs[labels.index(trial.method)].append(np.array([place[column] for column in columns], dtype=np.intp))
        between = agreement(runs, index)
        for a, label in enumerate(labels):
            rows.append((k, label, label, mean_of_pairs(runs[a], index)))
            rows += [(k, label, labels[b], between[a, b]) for b in range(a + 1, len(labels))]
    near = [(i, j) for i, j in zip(*np.nonzero(np.triu(alike >= SUBSTITUTE, 1)), strict=True)]
    return rows, [(int(used[i]), int(used[j]), float(alike[i, j])) for i, j in near]


def _short(trials: Sequence[Trial], settings: dict[str, Any]) -> list[str]:
    """A note for each method that did not choose as many as it was asked for."""
    own = settings.get("own_number", ())
    short = Counter(
        trial.method
        for trial in trials
        if trial.method not in own and any(len(run.columns) < run.k for run in trial.runs)
    )
    return [f"{label} selected fewer features than asked for in {number} resamples" for label, number in short.items()]


def _unfitted(trials: Sequence[Trial]) -> list[str]:
    """A note for each estimator that could not be fitted somewhere."""
    scores = [score for trial in trials for score in trial.scores]
    notes = []
    for name in dict.fromkeys(score.estimator for score in scores):
        own = [score for score in scores if score.estimator == name]
        bad = sum(score.error != score.error for score in own)
        if bad:
            notes.append(f"{name} could not be fitted in {bad} of {len(own)} cases, which are ignored")
    return notes


def _settings(request: Request | Foreign) -> dict[str, Any]:
    """Keywords of a Selector that make the same choice."""
    if isinstance(request, Foreign):
        return {"foreign": request.told}
    plain = {"method": request.method, "discretizer": request.discretizer, "missing": request.missing}
    plain |= {name: value for name in ("search", "include", "exclude") if (value := getattr(request, name))}
    plain |= {"options": dict(request.options)} if request.options else {}
    return plain


def _class_counts(target: Target) -> tuple[tuple[str, int], ...]:
    if target.task != "classification":
        return ()
    counts = np.bincount(target.codes, minlength=target.n_classes)
    return tuple((str(label), int(count)) for label, count in zip(target.classes, counts, strict=True))
