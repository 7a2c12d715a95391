"""From statistics to the answer: measure, search, record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..catalogue.method import parameters_of
from ..coding import Candidate
from ..errors import InvalidParameter
from ..plain import plain
from ..search import SEARCHES, Choice, Outcome, Search, Task
from ..selection import Selection, Step
from .each_class import check_per_class, with_each_class
from .gather import Gathered, gather
from .parts import apart
from .request import Plan, Request, several
from .sure import judge_of, stopped_by, told

NEARLY_ALL = 0.95  # of the entropy of the target, from one feature: too good to go without a word
ROUNDING = 1e-12  # a score below it is zero
FEWEST = 50  # rows; with fewer, one of many features says all by chance


@dataclass(frozen=True)
class Answer:
    """The selection, and the fitted coding that it was found with (None where columns are not coded)."""

    selection: Selection
    coder: Any


def run(X: Any, y: Any, request: Request, sample_weight: Any = None) -> Answer:
    """From the request to the answer; X, y and ``sample_weight`` as in `entropick.select`."""
    check_per_class(request.per_class)
    if request.per_class:
        with request.located(X, y, sample_weight) as where:
            found: Answer = with_each_class(run, where, y, replace(request, layer=None, text=()), sample_weight)
            return found
    with gather(X, y, request, sample_weight) as gathered:
        return answer(gathered)


def answer(gathered: Gathered) -> Answer:
    """Measure and search what was gathered."""
    plan, collected, n_samples = gathered.plan, gathered.collected, gathered.weight
    request = plan.request
    asked = Task(plan.k, plan.allowed, plan.first, None, request.verbose)
    measure = measure_of(gathered)
    judge = judge_of(gathered, measure)
    fresh = True

    def searched(task: Task) -> Outcome:
        nonlocal measure, fresh
        measure = measure if fresh else measure_of(gathered)
        fresh = False
        task = replace(task, fresh=lambda: measure_of(gathered))
        return _searched(SEARCHES[plan.search], measure, task, collected.constant, request.k is None)

    if request.judged:
        assert judge is not None
        outcome = stopped_by(judge, gathered, asked, searched)
    else:
        evidence = _evidence(gathered, measure) if request.k == "auto" else None
        outcome = searched(replace(asked, evidence=evidence))
    least = min(request.k_min, plan.k)
    filled = request.k == "auto" and len(outcome.choices) < least
    if filled:
        outcome = searched(replace(asked, k=least))
    details = dict(outcome.details)
    if hasattr(measure, "details"):
        details.update(measure.details())
    picks = [choice.candidate for choice in outcome.choices]
    if outcome.choices:  # a search need not tell the measure of the last pick: the record of its step is of all
        details.update({name: value for name, value in outcome.choices[-1].account.extra.items() if name in details})
    steps = tuple(_step(rank, choice, plan.candidates, picks) for rank, choice in enumerate(outcome.choices, start=1))
    if judge is not None:
        steps = apart(told(steps, judge, gathered, picks), gathered, picks)
    noticed = _nothing(plan, n_samples) if request.k == "auto" and not steps else ()
    noticed = (*noticed, *_number_notes(plan, steps, filled))
    if plan.method.family in ("joint", "discrete") and measure.units == "nats" and n_samples >= FEWEST:
        noticed = (*noticed, *_told_alone(steps, collected.statistics.target_entropy))
    selection = Selection(
        method=plan.method.name,
        steps=steps,
        feature_names=plan.names,
        units=measure.units,
        n_samples=n_samples,
        task=gathered.target.task,
        options=plain({**_settings(request, plan.search), **plan.options}),
        notes=(*collected.notes, *_target_notes(gathered), *noticed),
        stopped=outcome.stopped,
        details=plain(details),
    )
    return Answer(selection, collected.coder)


def measure_of(gathered: Gathered) -> Any:
    """The measure, told of its options and of what else its constructor names."""
    plan, collected = gathered.plan, gathered.collected
    kind, made = plan.kind, plan.asked.measure
    options = {name: value for name, value in plan.options.items() if name not in kind.own_options}
    options |= collected.options
    named = parameters_of(made)
    offered = kind.arguments(plan.asked, gathered.target)
    told = {name: value for name, value in offered.items() if name in named and name not in options}
    statistics = collected.statistics
    if options.get("interactions") and not plan.asked.grouped and plan.asked.given is None and plan.asked.costs is None:
        found = _with_pairs(gathered)
        if found is not None:
            statistics, options = found[0], {**options, "pairs": found[1], "room": plan.k}
    return made(statistics, **told, **options)


def _with_pairs(gathered: Gathered) -> Any:
    """Statistics with products of pairs that say something only together, and the pairs; None where there are none."""
    from ..pairs.candidates import joint_pairs

    plan, statistics = gathered.plan, gathered.collected.statistics
    return joint_pairs(statistics, len(plan.names), plan.allowed, plan.request.n_jobs)


def _searched(strategy: Search, measure: Any, task: Task, constant: NDArray[np.bool_] | None, ranking: bool) -> Outcome:
    """Run the search. Constant candidates, which some criteria prefer to redundant ones, are chosen in no other case
    than that of a complete ranking, after all others.
    """
    if constant is None:
        return strategy(measure, task)
    useful = replace(task, allowed=task.allowed & ~constant)
    if task.evidence is not None:  # what cannot vary is no candidate, nor a test to correct for
        n_useful = min(task.k, useful.n_taking_part)
        return strategy(measure, replace(useful, k=n_useful) if n_useful else task)
    n_useful = min(task.k, useful.n_taking_part)
    outcome = strategy(measure, replace(useful, k=n_useful)) if n_useful else Outcome([], "")
    if len(outcome.choices) < n_useful or n_useful == task.k or (n_useful and not ranking):
        return outcome
    rest = [Choice(int(j), 0.0) for j in np.flatnonzero(task.able() & ~useful.able())[: task.k - n_useful]]
    return replace(outcome, choices=outcome.choices + rest, stopped=task.stopped)


# -- evidence and record -------------------------------------------------------------------------------------


def _evidence(gathered: Gathered, measure: Any) -> Any:
    """What tells whether a candidate is distinguishable from chance, for k="auto"."""
    from ..measures.pairwise.chance import ChiSquare, MeasureEvidence, Permutation
    from ..statistics.levels.questions import LevelRows, Levels

    request, collected = gathered.plan.request, gathered.collected
    statistics, alpha = collected.statistics, float(request.alpha)
    if hasattr(measure, "own_rule"):
        return measure.own_rule()
    if hasattr(measure, "p_values"):
        return MeasureEvidence(measure, alpha)
    if not isinstance(statistics, Levels):
        raise InvalidParameter(f"k: {request.method!r} has no stopping rule; pass a number, a fraction or None")
    if request.test == "permutation":
        assert isinstance(statistics, LevelRows)  # else the kind has said why not
        return Permutation(statistics, alpha, collected.log_trials, int(request.n_permutations), request.generator())
    return ChiSquare(statistics, alpha, collected.log_trials)


def _step(rank: int, choice: Choice, candidates: Sequence[Candidate], picks: Sequence[int]) -> Step:
    def name(number: int | None) -> str | None:
        return None if number is None else candidates[number].name

    account, candidate = choice.account, candidates[choice.candidate]
    return Step(
        rank=rank,
        name=candidate.name,
        members=candidate.columns,
        score=choice.score,
        relevance=account.relevance,
        redundancy=account.redundancy,
        complementarity=account.complementarity,
        runner_up=name(choice.runner_up),
        runner_up_score=choice.runner_up_score,
        made_redundant=tuple(candidates[j].name for j in choice.made_redundant if j not in picks),
        p_value=choice.p_value,
        extra=plain(_named_partner(account.extra, candidates)) if account.extra else {},
    )


def _named_partner(extra: Mapping[str, Any], candidates: Sequence[Candidate]) -> dict[str, Any]:
    """A pick that came as one of a pair tells the other by name."""
    partner = extra.get("pair_with")
    return dict(extra) if partner is None else {**extra, "pair_with": candidates[partner].name}


def _settings(request: Request, search: str) -> dict[str, Any]:
    settings = {
        "k": request.k,
        "search": search,
        "discretizer": request.discretizer,
        "missing": request.missing,
        "include": several(request.include),
        "exclude": several(request.exclude),
        "random_state": request.random_state,
    }
    if request.k == "auto":
        settings |= {"alpha": request.alpha, "test": request.test}
    if request.level is not None:
        settings["level"] = request.level
    if request.class_weight is not None:
        settings["class_weight"] = request.class_weight
    if request.given is not None:
        named = isinstance(request.given, str) or all(isinstance(one, str) for one in request.given)
        settings["given"] = several(request.given) if named else "covariates as rows"
    if request.costs is not None:
        settings |= {"costs": request.costs, "budget": request.budget}
    return settings


def _target_notes(gathered: Gathered) -> tuple[str, ...]:
    """What y was taken for, where that is not obvious, and what should be known of the classes."""
    classes, counts = gathered.target.classes, gathered.counts
    alone = int(np.sum(counts == 1))
    if gathered.target.task != "classification":
        return (gathered.target.note,) if gathered.target.note else ()
    notes = []
    if len(classes) > 20 and len(classes) > 0.1 * counts.sum() and classes.dtype.kind in "iuf":
        notes.append(
            f"the target has {len(classes)} classes in {counts.sum()} rows; if it is a quantity, pass"
            " task='regression' (--task regression)"
        )
    if alone:
        notes.append(f"{alone} of {len(classes)} classes have a single row, so results for them are unreliable")
    return tuple(notes)


def _number_notes(plan: Plan, steps: Sequence[Step], filled: bool) -> tuple[str, ...]:
    """Where another number was chosen than was asked for, and what was chosen without adding anything."""
    k, taken, at_most = plan.request.k, len(steps), int(plan.allowed.sum())
    notes = []
    whole = isinstance(k, Integral) and not isinstance(k, bool)
    if whole and int(k) > at_most:  # type: ignore[arg-type]
        notes.append(f"k = {k} is above the {at_most} feature{'s' * (at_most != 1)} available, so all are selected")
    if k not in (None, "auto") and taken < plan.k and plan.request.budget is None:
        notes.append(f"only {taken} of the {plan.k} features asked for were selected: the others add no information")
    if filled:
        notes.append(f"not all features are significant: k_min={plan.request.k_min} asks for this many")
    nothing = [step.name for step in steps if abs(step.score) < ROUNDING]
    if nothing and k is not None:
        some = ", ".join(map(repr, nothing[:5])) + (", …" if len(nothing) > 5 else "")
        one = len(nothing) == 1
        notes.append(f"{some} {'adds' if one else 'add'} nothing (score 0), selected to reach k = {k}")
    return tuple(notes)


def _told_alone(steps: Sequence[Step], entropy: float) -> tuple[str, ...]:
    """A note on features that say nearly all about the target, each alone: they may be known only after it."""
    return tuple(
        f"{step.name!r} alone predicts the target almost perfectly"
        f" ({min(100.0, 100 * step.relevance / entropy):.0f} % of its information): possible leak"
        for step in steps
        if step.relevance is not None and step.relevance >= NEARLY_ALL * entropy > 0
    )


def _nothing(plan: Plan, n_samples: float) -> tuple[str, str]:
    """What was tested where k="auto" chose nothing, and what to try."""
    request, tested = plan.request, int(plan.allowed.sum())
    rate = "false-discovery rate" if request.test == "chi2" else "family-wise error"
    number, milder = min(5, tested), min(0.5, 4 * request.alpha)
    bins = "fewer bins (discretizer=3), " if plan.kind.coded else ""
    return (
        f"no feature selected: of {tested} tested on {n_samples:g} rows, none carries significant information about"
        f" the target ({rate} {request.alpha:g})",
        f"try k={number} for the best regardless of significance, a larger alpha ({milder:g}), {bins}or more rows",
    )
