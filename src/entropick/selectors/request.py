"""What the user asked for, and what will run once every part of it is checked against the columns."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import cached_property
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..catalogue.method import parameters_of
from ..catalogue.search import SEARCH_ENTRIES
from ..coding import Candidate, Coder, parse_groups
from ..coding.class_weights import check_class_weight
from ..errors import InvalidParameter, check_choice, closest, matching
from ..methods import Method, get_method
from ..sources.blocks import parse_memory
from ..sources.origin import located
from ..statistics.kind import Asked, Kind, Memo, alone, kind_of
from ..threads import thread_count

TESTS = ("joint", "chi2", "permutation")
GIB = 1 << 30


@dataclass(frozen=True)
class Request:
    """What the user asked for; the meaning of each is in `select`."""

    method: str = "joint"
    k: int | float | str | None = "auto"
    task: str = "auto"
    discretizer: Any = "auto"
    missing: str = "level"
    include: Sequence[Any] = ()
    exclude: Sequence[Any] = ()
    groups: Any = None
    search: str | None = None
    alpha: float = 0.05
    test: str = "joint"
    n_permutations: int = 199
    random_state: Any = None
    n_jobs: int | None = None
    verbose: int = 0
    memory: int | float | str | None = None
    coding: Any = "exact"
    given: Any = None
    costs: Any = None
    budget: float | None = None
    k_min: int = 0
    level: float | None = None
    class_weight: Any = None
    per_class: int = 0
    layer: str | None = None
    text: Any = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    shared: Memo | None = None
    sure: bool = True  # whether picks of a given number are told how sure they are

    @property
    def judged(self) -> bool:
        """Whether ``k="auto"`` asks the judge on lifted columns where to stop."""
        return self.k == "auto" and self.test == "joint"

    def located(self, X: Any, y: Any, sample_weight: Any = None) -> AbstractContextManager[Any]:
        """Where the rows are; columns that are named here are there, also where they are no features."""
        asked = (sample_weight, self.given, self.include)
        return located(X, y, parse_memory(self.memory), asked=asked, layer=self.layer, text=self.text)

    def generator(self) -> np.random.Generator:
        """A NumPy generator from what scikit-learn users pass as ``random_state``."""
        seed = self.random_state
        return np.random.default_rng(seed.randint(2**31) if isinstance(seed, np.random.RandomState) else seed)


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
    costs: NDArray[np.float64] | None = None

    @cached_property
    def kind(self) -> Kind:
        """What must be remembered of the rows."""
        return kind_of(self.method.statistics)

    @property
    def judged(self) -> bool:
        """Whether lifted columns are wanted beside what the method itself asks for."""
        return self.request.judged or self.request.level is not None

    @cached_property
    def asked(self) -> Asked:
        """What is asked of the statistics."""
        request = self.request
        return Asked(
            self.method.name, self.method.measure_class(), self.options, self.candidates, request.groups is not None,
            request.k, request.test, request.discretizer, request.missing, request.generator, request.n_jobs,
            request.verbose, self.costs, request.budget, shared=request.shared or alone,
        )  # fmt: skip

    def check_task(self, task: str) -> None:
        """The method can work with such a target."""
        if task not in self.method.tasks:
            raise InvalidParameter(
                f"method: {self.method.name!r} is for {' and '.join(self.method.tasks)}, got a {task} target;"
                " see entropick.methods() for others, or pass task="
            )
        if self.request.class_weight is not None and task != "classification":
            raise InvalidParameter(f"class_weight: is for classes, got a {task} target; leave it out")


def plan_for(request: Request, names: tuple[str, ...]) -> Plan:
    """What is to run for a request on columns of these names."""
    method = get_method(request.method)
    _check(request)
    given = dict(request.options)
    if request.memory is not None and "memory" in method.options:  # a limit of its own, in GiB
        given["memory"] = (parse_memory(request.memory) or 0) / GIB
    options = method.resolve(given)
    search = search_name(method, request.search)
    if request.k == "auto" and SEARCH_ENTRIES[search].sized and not request.judged:
        raise InvalidParameter(
            f"k: 'auto' with search={search!r} needs test='joint', got test={request.test!r}; or pass a number"
        )
    candidates = parse_groups(request.groups, names)
    first, allowed = _wanted(candidates, names, request)
    k = _number(request.k, int(allowed.sum()))
    if len(first) > k:
        raise InvalidParameter(f"include: has {len(first)} features, more than k = {k}")
    _check_measure(request, method)
    costs = _costs(request, names, candidates)
    return Plan(request, method, options, search, names, candidates, first, allowed, k, costs)


# -- checks --------------------------------------------------------------------------------------------------


def _check(request: Request) -> None:
    if request.k is not None and not isinstance(request.k, (str, Real)):
        raise _unfit_k(request.k)
    Coder(request.discretizer, request.missing).settings()
    check_choice("test", request.test, TESTS)
    if not isinstance(request.alpha, Real) or not 0 < request.alpha < 1:
        raise InvalidParameter(f"alpha: must be a number between 0 and 1, got {request.alpha!r}")
    level = request.level
    if level is not None and (not isinstance(level, Real) or isinstance(level, bool) or not 0 < level < 1):
        raise InvalidParameter(f"level: must be a number between 0 and 1, such as 0.95, or None, got {level!r}")
    if not isinstance(request.n_permutations, Integral) or request.n_permutations < 1:
        raise InvalidParameter(f"n_permutations: must be an integer of at least 1, got {request.n_permutations!r}")
    if not isinstance(request.k_min, Integral) or isinstance(request.k_min, bool) or request.k_min < 0:
        raise InvalidParameter(f"k_min: must be an integer of at least 0, got {request.k_min!r}")
    check_class_weight(request.class_weight)
    thread_count(request.n_jobs)
    seed = request.random_state
    if not (
        seed is None
        or (isinstance(seed, Integral) and not isinstance(seed, bool) and int(seed) >= 0)
        or isinstance(seed, (np.random.Generator, np.random.RandomState))
    ):
        raise InvalidParameter(
            f"random_state: must be None, a non-negative integer, or a NumPy generator, got {seed!r}"
        )
    if not isinstance(request.options, Mapping):
        raise InvalidParameter(f"options: must be a dict of option names and values, got {request.options!r}")


def _check_measure(request: Request, method: Method) -> None:
    """Covariates and costs go with measures that know them."""
    named = parameters_of(method.measure_class())
    for argument in ("given", "costs", "budget"):
        if getattr(request, argument) is not None and argument not in named:
            raise InvalidParameter(f"{argument}: {method.name!r} does not support it; use method='joint'")


def _costs(request: Request, names: tuple[str, ...], candidates: Sequence[Candidate]) -> NDArray[np.float64] | None:
    """(n_candidates,) what each costs; of a group all its columns. Columns that a dict leaves out cost 1."""
    given, budget = request.costs, request.budget
    if given is None:
        if budget is not None:
            raise InvalidParameter(f"budget: needs costs, got {budget!r} and no costs")
        return None
    unknown = next((name for name in given if name not in names), None) if isinstance(given, Mapping) else None
    if unknown is not None:
        raise InvalidParameter(f"costs: no feature {unknown!r}.{closest(unknown, names)}")
    try:
        values = [given.get(name, 1.0) for name in names] if isinstance(given, Mapping) else given
        single = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InvalidParameter(f"costs: must be numbers, or a dict of names and numbers, got {given!r:.60}") from error
    if single.shape != (len(names),) or not np.isfinite(single).all() or (single <= 0).any():
        raise InvalidParameter(
            f"costs: must be {len(names)} positive numbers, one per column, or a dict by name, got {given!r:.60}"
        )
    if budget is not None and (not isinstance(budget, Real) or not budget > 0):
        raise InvalidParameter(f"budget: must be a positive number, got {budget!r}")
    return np.array([single[list(candidate.columns)].sum() for candidate in candidates])


def search_name(method: Method, search: str | None) -> str:
    """The search by which the method is run: its own where None is asked for."""
    if search is None:
        return method.searches[0]
    if not isinstance(search, str) or search not in method.searches:
        known = ", ".join(method.searches)
        raise InvalidParameter(f"search: {method.name!r} supports {known}, got {search!r}")
    return search


def _number(k: int | float | str | None, n_candidates: int) -> int:
    """How many candidates to choose at most."""
    if k is None or (isinstance(k, str) and k == "auto"):
        return n_candidates
    if isinstance(k, Integral) and not isinstance(k, bool):
        if int(k) < 1:
            raise _unfit_k(k)
        return min(int(k), n_candidates)  # the answer has a note where that is fewer
    if isinstance(k, Real) and not isinstance(k, bool) and 0 < k < 1:
        return max(1, math.ceil(float(k) * n_candidates))
    raise _unfit_k(k)


def _unfit_k(k: Any) -> InvalidParameter:
    return InvalidParameter(
        f"k: must be a positive integer, a fraction between 0 and 1, None (all) or 'auto', got {k!r}"
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
        for item in several(wanted):
            if isinstance(item, Integral) and not isinstance(item, bool):
                if not 0 <= int(item) < len(names):
                    raise InvalidParameter(f"{argument}: columns are 0 … {len(names) - 1}, got {item}")
                found.append(owner[int(item)])
            elif isinstance(item, str) and item in by_name:
                found.append(by_name[item])
            elif isinstance(item, str) and (named := matching(item, by_name)):
                found += [by_name[name] for name in named]
            else:
                raise InvalidParameter(f"{argument}: no feature {item!r}.{closest(item, by_name)}")
        return list(dict.fromkeys(found))

    first, excluded = find("include", request.include), find("exclude", request.exclude)
    both = set(first) & set(excluded)
    if both:
        raise InvalidParameter(f"include: {candidates[min(both)].name!r} is also in exclude; remove it from one")
    allowed = np.ones(len(candidates), bool)
    allowed[excluded] = False
    if not allowed.any():
        raise InvalidParameter(f"exclude: must leave at least one feature, got all {len(candidates)}")
    return tuple(first), allowed


def several(wanted: Any) -> list[Any]:
    """Names or numbers of features in a list, which one alone need not be in."""
    return [wanted] if isinstance(wanted, (str, Integral)) else list(wanted)
