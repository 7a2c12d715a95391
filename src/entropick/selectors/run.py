"""One selection from end to end: check, code, remember, measure, search, record."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..coding import Candidate, Coder, code_target, parse_groups
from ..coding.binning import check_weights
from ..errors import InvalidInput, InvalidParameter, check_choice, closest
from ..methods import Method, get_method
from ..search import SEARCHES, Choice, Outcome
from ..selection import Selection, Step
from ..sources import Table
from ..threads import thread_count
from .collect import Collected, Work, collect

TESTS = ("chi2", "permutation")
NEARLY_ALL = 0.95  # of the entropy of the target, from one feature: too good to go without a word
FEWEST = 50  # rows; with fewer, one of many features says all by chance
HUGE = 1e100  # a weight from which it is to blame for sums that overflow


@dataclass(frozen=True)
class Request:
    """What the user asked for; the meaning of each is in `select`."""

    method: str = "jmi"
    k: int | float | str | None = "auto"
    task: str = "auto"
    discretizer: Any = "auto"
    missing: str = "level"
    include: Sequence[Any] = ()
    exclude: Sequence[Any] = ()
    groups: Any = None
    search: str | None = None
    alpha: float = 0.05
    test: str = "chi2"
    n_permutations: int = 199
    random_state: Any = None
    n_jobs: int | None = None
    verbose: int = 0
    options: Mapping[str, Any] = field(default_factory=dict)

    def generator(self) -> np.random.Generator:
        """A NumPy generator from what scikit-learn users pass as ``random_state``."""
        seed = self.random_state
        return np.random.default_rng(seed.randint(2**31) if isinstance(seed, np.random.RandomState) else seed)


@dataclass(frozen=True)
class Run:
    """The answer, and the fitted coding that it was found with (None where columns are not coded)."""

    selection: Selection
    coder: Any


@dataclass(frozen=True)
class Plan:
    """A request whose every part is checked against the columns: what will run, on which candidates."""

    request: Request
    method: Method
    options: dict[str, Any]
    search: str
    names: tuple[str, ...]
    candidates: Sequence[Candidate]
    first: tuple[int, ...]
    allowed: NDArray[np.bool_]
    k: int

    def check_task(self, task: str) -> None:
        """The method can work with such a target."""
        if task not in self.method.tasks:
            raise InvalidParameter(
                f"method: {self.method.name!r} is for {' and '.join(self.method.tasks)}, got a {task} target;"
                " see entropick.methods() for others, or pass task="
            )


def plan_for(request: Request, names: tuple[str, ...]) -> Plan:
    """What is to run for a request on columns of these names."""
    method = get_method(request.method)
    _check(request)
    options = method.resolve(request.options)
    search = search_name(method, request.search)
    if request.k == "auto" and search == "backward":
        raise InvalidParameter("k: 'auto' stops a search that adds; search='backward' removes, so give it a number")
    candidates = parse_groups(request.groups, names)
    first, allowed = _wanted(candidates, names, request)
    k = _number(request.k, int(allowed.sum()))
    if len(first) > k:
        raise InvalidParameter(f"include: has {len(first)} features, more than k = {k}")
    return Plan(request, method, options, search, names, candidates, first, allowed, k)


def run(table: Table, y: NDArray[Any], request: Request, sample_weight: Any = None) -> Run:
    """Select features of the table for the target ``y``."""
    plan = plan_for(request, table.names)
    weights = check_weights(sample_weight, table.n_rows)
    if weights is not None and not weights.all():
        used = np.flatnonzero(weights)
        table, y, weights = table.take(used), y[used], weights[used]
    target = code_target(y, request.task, weights=weights, several=plan.method.several)
    plan.check_task(target.task)
    options = dict(plan.options)
    with _in_range(table, weights):
        collected = collect(plan.method, Work(table, target, weights, plan.candidates, request, options))
        counts = np.bincount(target.codes, minlength=target.n_classes)
        n_samples = float(table.n_rows if weights is None else weights.sum())
        return answer(
            plan, collected, options, n_samples, target.task, target_notes(target.task, target.classes, counts)
        )


def answer(
    plan: Plan, collected: Collected, options: dict[str, Any], n_samples: float, task: str, notes: Sequence[str]
) -> Run:
    """Measure and search what was collected. ``options`` are those of the measure, ``notes`` those on the target."""
    request = plan.request
    measure = plan.method.measure_class()(collected.statistics, **collected.arguments, **options)
    evidence = _evidence(collected, measure, request) if request.k == "auto" else None
    outcome = _searched(
        SEARCHES[plan.search], measure, plan.k, plan.allowed, plan.first, evidence, request.verbose, collected.constant
    )
    details = dict(outcome.details)
    if hasattr(measure, "details"):
        details.update(measure.details())
    steps = tuple(_step(rank, choice, plan.candidates) for rank, choice in enumerate(outcome.choices, start=1))
    noticed = _nothing(plan, n_samples) if evidence and not steps else ()
    if plan.method.family == "discrete" and measure.units == "nats" and n_samples >= FEWEST:
        noticed = (*noticed, *told_alone(steps, collected.statistics.target_entropy))
    selection = Selection(
        method=plan.method.name,
        steps=steps,
        feature_names=plan.names,
        units=measure.units,
        n_samples=n_samples,
        task=task,
        options=_plain({**_settings(request, plan.search), **plan.options}),
        notes=(*collected.notes, *notes, *noticed),
        stopped=outcome.stopped,
        details=_plain(details),
    )
    return Run(selection, collected.coder)


# -- checks --------------------------------------------------------------------------------------------------


def _check(request: Request) -> None:
    if request.k is not None and not isinstance(request.k, (str, Real)):
        raise _unfit_k(request.k)
    Coder(request.discretizer, request.missing).settings()
    check_choice("test", request.test, TESTS)
    if not isinstance(request.alpha, Real) or not 0 < request.alpha < 1:
        raise InvalidParameter(f"alpha: must be a number between 0 and 1, got {request.alpha!r}")
    if not isinstance(request.n_permutations, Integral) or request.n_permutations < 1:
        raise InvalidParameter(f"n_permutations: must be an integer of at least 1, got {request.n_permutations!r}")
    thread_count(request.n_jobs)
    seed = request.random_state
    if not (
        seed is None
        or (isinstance(seed, Integral) and not isinstance(seed, bool) and int(seed) >= 0)
        or isinstance(seed, (np.random.Generator, np.random.RandomState))
    ):
        raise InvalidParameter(f"random_state: must be None, an integer from 0 on, or a NumPy generator, got {seed!r}")
    if not isinstance(request.options, Mapping):
        raise InvalidParameter(f"options: must be a dict of option names and values, got {request.options!r}")


def search_name(method: Method, search: str | None) -> str:
    """The search by which the method is run: its own where None is asked for."""
    if search is None:
        return method.searches[0]
    if not isinstance(search, str) or search not in method.searches:
        known = ", ".join(method.searches)
        raise InvalidParameter(f"search: {method.name!r} can be searched by {known}, got {search!r}")
    return search


def _number(k: int | float | str | None, n_candidates: int) -> int:
    """How many candidates to choose at most."""
    if k is None or (isinstance(k, str) and k == "auto"):
        return n_candidates
    if isinstance(k, Integral) and not isinstance(k, bool):
        if not 1 <= int(k) <= n_candidates:
            raise InvalidParameter(f"k: must be from 1 to {n_candidates}, the number of features, got {k}")
        return int(k)
    if isinstance(k, Real) and not isinstance(k, bool) and 0 < k < 1:
        return max(1, math.ceil(float(k) * n_candidates))
    raise _unfit_k(k)


def _unfit_k(k: Any) -> InvalidParameter:
    return InvalidParameter(
        f"k: must be an integer from 1 on, a fraction between 0 and 1, None (all) or 'auto', got {k!r}"
    )


def _wanted(
    candidates: Sequence[Candidate], names: Sequence[str], request: Request
) -> tuple[tuple[int, ...], NDArray[np.bool_]]:
    """The candidates to choose first, and which may be chosen at all."""
    if all(isinstance(given, (tuple, list)) and not given for given in (request.include, request.exclude)):
        return (), np.ones(len(candidates), bool)
    owner = {column: number for number, candidate in enumerate(candidates) for column in candidate.columns}
    by_name = {candidate.name: number for number, candidate in enumerate(candidates)}
    by_name |= {name: owner[j] for j, name in enumerate(names) if name not in by_name}

    def find(argument: str, wanted: Any) -> list[int]:
        if not isinstance(wanted, (str, Integral, Iterable)):
            raise InvalidParameter(f"{argument}: must be a list of names or column numbers, got {wanted!r}")
        found = []
        for item in _several(wanted):
            if isinstance(item, Integral) and not isinstance(item, bool):
                if not 0 <= int(item) < len(names):
                    raise InvalidParameter(f"{argument}: columns are 0 … {len(names) - 1}, got {item}")
                found.append(owner[int(item)])
            elif isinstance(item, str) and item in by_name:
                found.append(by_name[item])
            else:
                raise InvalidParameter(f"{argument}: no feature {item!r}.{closest(item, by_name)}")
        return list(dict.fromkeys(found))

    first, excluded = find("include", request.include), find("exclude", request.exclude)
    both = set(first) & set(excluded)
    if both:
        raise InvalidParameter(f"include: {candidates[min(both)].name!r} is in exclude as well; leave it out of one")
    allowed = np.ones(len(candidates), bool)
    allowed[excluded] = False
    if not allowed.any():
        raise InvalidParameter(f"exclude: leaves no feature to choose from, got all {len(candidates)}")
    return tuple(first), allowed


def _several(wanted: Any) -> list[Any]:
    """Names or numbers of features in a list, which one alone need not be in."""
    return [wanted] if isinstance(wanted, (str, Integral)) else list(wanted)


@contextmanager
def _in_range(table: Table, weights: NDArray[np.float64] | None) -> Iterator[None]:
    """Numbers too large to be squared are an error that names the column, not infinities in the scores."""
    try:
        with np.errstate(over="raise"):
            yield
    except FloatingPointError as error:
        if weights is not None and weights.max() > HUGE:
            raise InvalidInput(
                f"sample_weight: too large to compute with, got {weights.max():g}; rescale all"
            ) from error
        numbers = [j for j in range(table.n_columns) if table.kind(j) != "category"]
        largest = [float(np.nanmax(np.abs(table.column(j).astype(float)), initial=0)) for j in numbers]
        at = int(np.argmax(largest))
        raise InvalidInput(
            f"X: column {table.names[numbers[at]]!r} has numbers up to {largest[at]:g}, too large to compute with;"
            " rescale it, or take a method that works on levels"
        ) from error


def _searched(
    strategy: Any,
    measure: Any,
    k: int,
    allowed: NDArray[np.bool_],
    first: tuple[int, ...],
    evidence: Any,
    verbose: int,
    constant: NDArray[np.bool_] | None,
) -> Outcome:
    """Run the search. Constant candidates, which some criteria prefer to redundant ones, come after all others."""
    useful = allowed if constant is None else allowed & ~constant
    useful = useful | np.isin(np.arange(allowed.size), first)
    if evidence is not None:  # passes over them by itself, and they count among the candidates that it corrects for
        return strategy(measure, k, allowed, first, evidence, verbose)
    n_useful = min(k, int(useful.sum()))
    outcome = strategy(measure, n_useful, useful, first, evidence, verbose) if n_useful else Outcome([], "")
    if len(outcome.choices) < n_useful or n_useful == k:
        return outcome
    rest = [Choice(int(j), 0.0) for j in np.flatnonzero(allowed & ~useful)[: k - n_useful]]
    stopped = f"{k} chosen, as asked" if k < allowed.sum() else "every candidate is ranked"
    return replace(outcome, choices=outcome.choices + rest, stopped=stopped)


# -- evidence and record -------------------------------------------------------------------------------------


def _evidence(collected: Collected, measure: Any, request: Request) -> Any:
    from ..measures.chance import ChiSquare, MeasureEvidence, Permutation
    from ..statistics.level_counts import CountedLevels
    from ..statistics.levels import LevelStatistics

    if hasattr(measure, "own_rule"):
        return measure.own_rule()
    if hasattr(measure, "p_values"):
        return MeasureEvidence(measure, float(request.alpha))
    if not isinstance(collected.statistics, (LevelStatistics, CountedLevels)):
        raise InvalidParameter(f"k: {request.method!r} has no rule to stop by; give a number, a fraction or None")
    statistics, log_trials = collected.statistics, collected.log_trials
    if request.test == "permutation":
        if isinstance(statistics, CountedLevels):
            raise InvalidParameter("test: 'permutation' shuffles rows, and only counts are at hand; take test='chi2'")
        return Permutation(
            statistics, float(request.alpha), log_trials, int(request.n_permutations), request.generator()
        )
    return ChiSquare(statistics, float(request.alpha), log_trials)


def _step(rank: int, choice: Choice, candidates: Sequence[Candidate]) -> Step:
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
        made_redundant=tuple(candidates[j].name for j in choice.made_redundant),
        p_value=choice.p_value,
        extra=_plain(account.extra),
    )


def _settings(request: Request, search: str) -> dict[str, Any]:
    settings = {
        "k": request.k,
        "search": search,
        "discretizer": request.discretizer,
        "missing": request.missing,
        "include": _several(request.include),
        "exclude": _several(request.exclude),
        "random_state": request.random_state,
    }
    if request.k == "auto":
        settings |= {"alpha": request.alpha, "test": request.test}
    return settings


def target_notes(task: str, classes: NDArray[Any], counts: NDArray[Any]) -> tuple[str, ...]:
    """What should be known of the classes; ``counts`` are rows."""
    alone = int(np.sum(counts == 1))
    if task != "classification":
        return ()
    notes = []
    if len(classes) > 20 and len(classes) > 0.1 * counts.sum() and classes.dtype.kind in "iuf":
        notes.append(
            f"the target has {len(classes)} classes in {counts.sum()} rows; if it is a quantity, pass"
            " task='regression' (--task regression)"
        )
    if alone:
        notes.append(f"{alone} of {len(classes)} classes have a single row: what is said of them is chance")
    return tuple(notes)


def told_alone(steps: Sequence[Step], entropy: float) -> tuple[str, ...]:
    """A note on features that say nearly all about the target, each alone: they may be known only after it."""
    return tuple(
        f"{step.name!r} alone says {100 * step.relevance / entropy:.0f} % of what there is to say about the target:"
        " is it known before the target is?"
        for step in steps
        if step.relevance is not None and step.relevance >= NEARLY_ALL * entropy > 0
    )


def _nothing(plan: Plan, n_samples: float) -> tuple[str, str]:
    """What was tested where k="auto" chose nothing, and what to try."""
    request, tested = plan.request, int(plan.allowed.sum())
    rate = "false-discovery rate" if request.test == "chi2" else "family-wise error"
    number, milder = min(5, tested), min(0.5, 4 * request.alpha)
    bins = "fewer bins (discretizer=3); " if plan.method.statistics == "levels" else ""
    return (
        f"nothing chosen: {tested} feature{'s' * (tested != 1)} tested on {n_samples:g} rows, none says more about the"
        f" target than chance does ({rate} {request.alpha:g})",
        f"to try: k={number}, the best whether or not they pass; a milder test (alpha={milder:g}); {bins}more rows",
    )


def _plain(value: Any) -> Any:
    """The value as JSON would give it back, so that a Selection survives writing and reading; else its text."""
    if value is None or isinstance(value, str) or type(value) in (bool, int, float):  # `Integral` is slow to ask
        return value
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Real):
        return float(value)
    if isinstance(value, Mapping):
        return {str(key): _plain(entry) for key, entry in value.items()}
    if isinstance(value, np.ndarray):
        return _plain(value.tolist())
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_plain(entry) for entry in value]
    return getattr(value, "__name__", None) or repr(value)
