"""`compare`: try several methods, let the data choose."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidInput
from ..selectors.answer import run
from ..selectors.request import Request
from . import checks
from .columns import column_facts
from .compared import compared
from .comparison import Comparison
from .consensus import rare_picks
from .contenders import by_residuals, contenders
from .drift import apart, drift_of, drifting
from .estimators import limits, resolve
from .foreign import Foreign
from .grid import first_sizes, run_growing
from .health import data_health
from .learning_task import learning_task
from .path import path_evidence
from .resampling import resample
from .scoring import resolve_scoring
from .survival import residuals
from .trials import Design, nested, run_trials
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
    period: Any = None,
    site: Any = None,
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
        regression "3-NN", "ridge", "RBF SVM", "boosted stumps"; for events and times "Cox model", and "survival forest"
        where scikit-survival is installed), estimators of scikit-learn or scikit-survival, or a dict of labelled ones.
        They get standardised numbers; missing ones are filled with the training mean and flagged, categories are
        one-hot. By name "3-NN" and "RBF SVM" see 5000 rows at most, and a note says so.
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
        a regression the root mean square error in standard deviations of the target; for events and times Harrell's C,
        "c-index".
    sample_weight
        (n_rows,) weights for choosing, fitting and scoring, wherever they can be taken into account.
    period, site
        (n_rows,) one label a row, or the name of a column, which is then no feature: whether features keep their
        distribution is told in ``drift`` of the answer, see `entropick.drift`. Give one of them.
    task, discretizer, missing
        as in `entropick.select`.
    random_state
        an integer; the same gives the same, whatever n_jobs is.
    n_jobs
        processes; None is one, −1 all.
    resume
        a folder for finished trials. Running again after an interrupt goes on from there, with the same result.
    verbose
        1 shows a progress bar on a terminal, else lines; and tells beforehand how long a long table may take.

    Examples
    --------
    >>> import entropick as ep
    >>> from entropick.datasets import and_or
    >>> problem = and_or(random_state=0)
    >>> found = compare(problem.X, problem.y, ["jmi", "mim"], k=[2, 4], estimators="3-NN", cv=3, repeats=1)
    >>> found.curves().shape
    (4, 6)
    """
    given, when = apart(learning_task(X, y, task), period, site)
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
    seen = limits(estimators, target.task, judged.needs_probabilities)
    design = Design(given, requests, ks, judges, resampling.resamples, seed, judged, weights, seen)
    settings = {
        "cv": int(cv) if isinstance(cv, Integral) else repr(cv) if hasattr(cv, "split") else "...",
        "repeats": repeats,
        "bootstraps": bootstraps,
        "resampling": resampling.words,
        "test_share": resampling.test_share,
        **_scoring_settings(design),
    }
    how: dict[str, Any] = {"n_jobs": n_jobs, "resume": resume, "verbose": verbose}
    ks, trials = run_growing(design, **how) if k is None else (ks, run_trials(design, **how))
    found = compared(replace(design, ks=ks), trials, settings, health, (*notes, *_part_of_rows(design)))
    found = _with_final(found, design, discretizer, n_jobs)
    if when is None:
        return found
    frame, part = drift_of(given, when, discretizer), "site" if period is None else "period"
    notes = (*found.notes, *drifting(frame, found.features, part))
    return replace(found, drift=frame, notes=notes, settings={**found.settings, "drift": part})


def _weights(sample_weight: Any, n: int) -> NDArray[np.float64] | None:
    if sample_weight is None:
        return None
    weights = np.asarray(sample_weight, dtype=np.float64)
    if weights.shape != (n,) or not (weights >= 0).all() or not np.isfinite(weights.sum()) or not weights.sum() > 0:
        raise InvalidInput(f"sample_weight: must be {n} non-negative numbers, one per row, got shape {weights.shape}")
    return weights


def _part_of_rows(design: Design) -> list[str]:
    """A note on estimators that see a part of the rows only."""
    rows = max(one.train.size for one in design.resamples)
    fewer = {label: most for label, most in design.limits.items() if most < rows}
    return [
        f"{label} is fitted to {most} of {rows} training rows, and tested on as many at most, as it takes time by the"
        " square of the rows; pass the scikit-learn estimator itself for all of them"
        for label, most in fewer.items()
    ]


def _scoring_settings(design: Design) -> dict[str, Any]:
    """Settings of scores that are not the standard ones; an error where they cannot take such a target."""
    scoring = design.scoring
    blind = float("nan") if scoring.standard else scoring.blind(design.given.target, design.resamples, design.weights)
    if scoring.standard and len(scoring.names) == 1:
        return {}
    told: dict[str, Any] = {"scoring": list(scoring.names), "ideals": list(scoring.ideals)}
    return told | ({"blind": blind} if blind == blind else {})


def _with_final(found: Comparison, design: Design, discretizer: Any, n_jobs: int | None) -> Comparison:
    """The comparison with what the best method chooses of all the rows, and what is to be said of those columns."""
    table, target, y = design.given.table, design.given.target, design.given.y
    best = found.best()
    request = design.requests[best.method]
    if by_residuals(request, target.task):
        y = residuals(y, design.weights)
    size = found.ks[-1] if nested(request) else best.k
    if isinstance(request, Foreign):
        final = request.selection(table, y, size, design.seed, best.method, target.task)
    else:
        request = replace(request, k=size, random_state=design.seed, n_jobs=n_jobs)
        final = run(table, y, request, design.weights).selection
    found = replace(found, final=final, path=path_evidence(final, table, y, target))
    facts = column_facts(final, found.n_steps, table, target, discretizer)
    with undisturbed():
        chosen = [j for step in final.steps[: found.n_steps] for j in step.members]
        without, with_all = errors_without(design, best.estimator, chosen)
    facts = replace(facts, without=without, with_all=with_all)
    return replace(found, columns=facts, notes=(*found.notes, *rare_picks(found)))
