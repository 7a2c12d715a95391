"""`compare`: try several methods, let the data choose."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..coding import Target
from ..errors import InvalidInput
from ..selectors.answer import run
from ..selectors.request import Request
from ..sources import Table
from . import checks
from .columns import column_facts
from .comparison import ALIKE, CHOSEN, CONSISTENCY, OTHERS, PARTS, SCORES, TIMES, Comparison
from .consensus import ALIKE as SUBSTITUTE
from .consensus import rare_picks
from .contenders import contenders
from .estimators import resolve
from .foreign import Foreign
from .frames import from_records
from .grid import first_sizes, run_growing
from .health import TELLING, data_health
from .learning_task import learning_task
from .path import path_evidence
from .resampling import resample
from .scoring import Scoring, resolve_scoring
from .similarity import agreement
from .stability import Set, matching, mean_of_pairs, symmetric_uncertainty
from .trials import Design, Trial, columns_for, nested, run_trials, without_failures
from .without import errors_without
from .workers import undisturbed


def compare(
    X: Any,
    y: Any,
    methods: Any = None,
    k: int | Iterable[int] | None = None,
    *,
    estimators: Any = None,
    cv: Any = 5,
    repeats: int = 2,
    bootstraps: int | None = None,
    sample_groups: Any = None,
    scoring: Any = None,
    sample_weight: Any = None,
    task: str = "auto",
    discretizer: Any = "auto",
    missing: str = "level",
    random_state: int = 0,
    n_jobs: int | None = None,
    resume: str | os.PathLike[str] | None = None,
    verbose: int = 0,
) -> Comparison:
    """Compare methods by what estimators make of the features they choose, and by how steadily they choose them.

    In each resample features are chosen from the training rows alone, coding included; estimators are fitted to the
    same rows and scored on the others.

    Parameters
    ----------
    X, y
        as in `entropick.select`.
    methods
        names; or a dict from labels to names or to dicts such as ``{"method": "mifs", "beta": 0.5}`` with options of
        the method, search, discretizer, missing, include or exclude. None: jmi, mrmr, cmim, gc.mi, spec.cmi, as far as
        they can take the data. Beside ours: scikit-learn selectors and pipelines that end in one, functions
        ``(X, y, k) -> columns``, lists of columns (a panel that is in use), and by name SelectKBest.f, SelectKBest.mi,
        forest, permutation_importance, rfe, rfecv, lightgbm.gain, boruta, mrmr_selection.
    k
        numbers of features to try. None: 1, 2, 3, 5, 8, 13, 20, then 30, 50, 80, 130, 200 as long as the lowest error
        is at the largest number tried.
    estimators
        names ("3-NN", "linear SVM", "logistic regression", "RBF SVM", "QDA", "boosted stumps", "nearest mean"; for a
        regression "3-NN", "ridge", "RBF SVM", "boosted stumps"), scikit-learn estimators, or a dict of labelled ones.
        They get standardised numbers; missing ones are filled with the training mean and flagged, categories are
        one-hot.
    cv
        folds, stratified by class; or a scikit-learn splitter.
    repeats
        how often folds are drawn.
    bootstraps
        instead of folds, so many bootstraps with out-of-bag tests: best for judging stability.
    sample_groups
        (n_rows,) rows of one group are never on both sides of a split; what a splitter given as cv gets as groups.
    scoring
        any scikit-learn scorer, by name or as it is, or a list or dict of them; the first decides which method is best.
        Names are told the classes as 0, 1, … in sorted order, scorers the labels themselves. None: accuracy; the area
        under the ROC curve (balanced accuracy for more than two classes) where one class has over 80 % of the rows; for
        a regression the root mean square error in standard deviations of the target.
    sample_weight
        (n_rows,) weights for choosing, fitting and scoring, wherever they can be taken into account.
    task, discretizer, missing
        as in `entropick.select`.
    random_state
        an integer; the same gives the same, whatever n_jobs is.
    n_jobs
        processes; None is one, −1 all.
    resume
        a folder for finished trials. Running again after an interrupt goes on from there, with the same result.
    verbose
        1 shows a progress bar on a terminal.

    Examples
    --------
    >>> import entropick as ep
    >>> from entropick.datasets import and_or
    >>> problem = and_or(random_state=0)
    >>> found = compare(problem.X, problem.y, ["jmi", "mim"], k=[2, 4], estimators="3-NN", cv=3, repeats=1)
    >>> found.curves().shape
    (4, 6)
    """
    given = learning_task(X, y, task)
    table, target = given.table, given.target
    seed = checks.whole("random_state", random_state, 0)
    ks = first_sizes(table.n_columns) if k is None else checks.sizes(k, table.n_columns)
    judged = resolve_scoring(scoring, target)
    weights = _weights(sample_weight, table.n_rows)
    judges = resolve(estimators, target.task, judged.needs_probabilities)
    resampling = resample(target, cv, repeats, bootstraps, sample_groups, seed)
    health = data_health(table, target, discretizer)
    common = Request(task=target.task, discretizer=discretizer, missing=missing, n_jobs=1)
    requests, notes = contenders(methods, common, target, health, weights is not None)
    blind = float("nan") if judged.standard else judged.blind(target, resampling.resamples, weights)
    design = Design(given, requests, ks, judges, resampling.resamples, seed, judged, weights)
    how: dict[str, Any] = {"n_jobs": n_jobs, "resume": resume, "verbose": verbose}
    ks, finished = run_growing(design, **how) if k is None else (ks, run_trials(design, **how))
    trials, failed = without_failures(finished)
    labels = tuple(dict.fromkeys(trial.method for trial in trials))
    settings = {
        "methods": {label: _settings(requests[label]) for label in labels},
        "k": list(ks),
        "estimators": {label: repr(one) for label, one in judges.items()},
        "cv": int(cv) if isinstance(cv, Integral) else repr(cv) if hasattr(cv, "split") else "...",
        "repeats": repeats,
        "bootstraps": bootstraps,
        "resampling": resampling.words,
        "test_share": resampling.test_share,
        "target": given.name,
        "task": target.task,
        "random_state": seed,
        **_judged(judged, blind),
        **_own_numbers(requests, labels),
    }
    consistencies, alike = _consistencies(table, labels, ks, trials)
    telling = [note for note in health.notes if TELLING in note]
    found = Comparison(
        methods=labels,
        ks=ks,
        estimators=tuple(judges),
        feature_names=table.names,
        n_samples=table.n_rows,
        task=target.task,
        classes=_class_counts(target),
        n_resamples=len(resampling.resamples),
        resampling=resampling.words,
        scores=from_records(SCORES, [row for trial in trials for row in _score_rows(trial)]),
        chosen=from_records(CHOSEN, [row for trial in trials for row in _chosen_rows(trial)]),
        times=from_records(TIMES, [row for trial in trials for row in _time_rows(trial)]),
        consistency=from_records(CONSISTENCY, consistencies),
        alike=from_records(ALIKE, alike),
        health=health,
        other_scores=from_records(OTHERS, [row for trial in trials for row in _other_rows(trial, judged.names)]),
        settings=settings,
        notes=(*([judged.note] if judged.note else []), *notes, *telling, *failed, *_short(trials, settings),
               *_unfitted(trials)),
    )  # fmt: skip
    best = found.best()
    request = requests[best.method]
    size = ks[-1] if nested(request) else best.k
    if isinstance(request, Foreign):
        final = request.selection(table, given.y, size, seed, best.method, target.task)
    else:
        request = replace(request, k=size, random_state=seed, n_jobs=n_jobs)
        final = run(table, given.y, request, weights).selection
    found = replace(found, final=final, path=path_evidence(final, table, given.y))
    facts = column_facts(final, found.n_steps, table, target, discretizer)
    with undisturbed():
        chosen = [j for step in final.steps[: found.n_steps] for j in step.members]
        without, with_all = errors_without(design, best.estimator, chosen)
    facts = replace(facts, without=without, with_all=with_all)
    return replace(found, columns=facts, notes=(*found.notes, *rare_picks(found)))


# -- frames --------------------------------------------------------------------------------------------------


def _score_rows(trial: Trial) -> list[tuple[Any, ...]]:
    return [(trial.method, s.estimator, s.k, trial.resample, s.score, s.error) for s in trial.scores]


def _other_rows(trial: Trial, names: Sequence[str]) -> list[tuple[Any, ...]]:
    return [
        (trial.method, s.estimator, s.k, trial.resample, name, value)
        for s in trial.scores
        for name, value in zip(names[1:], s.others, strict=True)
    ]


def _judged(judged: Scoring, blind: float) -> dict[str, Any]:
    """Settings of scores that are not the standard ones."""
    if judged.standard and len(judged.names) == 1:
        return {}
    return {"scoring": list(judged.names), "ideals": list(judged.ideals)} | ({"blind": blind} if blind == blind else {})


def _own_numbers(requests: dict[str, Any], labels: Sequence[str]) -> dict[str, Any]:
    own = [label for label in labels if isinstance(requests[label], Foreign) and requests[label].own_number]
    return {"own_number": own} if own else {}


def _weights(sample_weight: Any, n: int) -> NDArray[np.float64] | None:
    if sample_weight is None:
        return None
    weights = np.asarray(sample_weight, dtype=np.float64)
    if weights.shape != (n,) or not (weights >= 0).all() or not np.isfinite(weights.sum()) or not weights.sum() > 0:
        raise InvalidInput(f"sample_weight: must be {n} non-negative numbers, one per row, got shape {weights.shape}")
    return weights


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
