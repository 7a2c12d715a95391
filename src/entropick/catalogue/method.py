"""What is known of a method before it runs: its measure, its searches, its options, and what it claims."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from inspect import Parameter, signature
from typing import Any

from ..errors import InvalidParameter, closest
from .search import SEARCH_ENTRIES

TASKS = ("classification", "regression", "multilabel", "survival")
SEES = ("redundancy", "interaction", "nonlinear")
COLUMNS = ("number", "category", "missing")
INVARIANCES = ("affine", "monotone")
WEIGHTS = {
    "rows": "a weight of 2 counts as two rows",
    "importance": "weights are used, but not exactly as repeated rows",
    "none": "refused",
}


@dataclass(frozen=True)
class StatisticsFacts:
    """What follows for a method from the kind of statistics that it needs, unless it says otherwise."""

    blocks: bool
    columns: tuple[str, ...]
    invariant: tuple[str, ...] = ()


STATISTICS = {
    "lifted": StatisticsFacts(True, COLUMNS, ("affine",)),
    "levels": StatisticsFacts(True, COLUMNS, INVARIANCES),
    "moments": StatisticsFacts(True, ("number",), ("affine",)),
    "marginals": StatisticsFacts(True, ("number",), ("affine",)),
    "rows": StatisticsFacts(False, ("number", "category"), ()),
}
# arguments of `select`, which no option may be called
RESERVED = frozenset(("X", "y", "method", "k", "task", "discretizer", "missing", "include", "exclude", "groups",
                      "search", "alpha", "test", "n_permutations", "sample_weight", "random_state", "n_jobs", "verbose",
                      "options", "coding", "budget", "given", "costs", "k_min", "level", "class_weight", "layer",
                      "text", "per_class"))  # fmt: skip


@dataclass(frozen=True)
class Option:
    """A keyword that only some methods understand: its default, its rule in words, and a check.

    unnested: values with which the k chosen need not be the first k of a longer run.

    >>> import entropick as ep
    >>> beta = ep.Option(1.0, "a number of at least 0", lambda value: value >= 0)
    >>> beta.default, beta.check(-1)
    (1.0, False)
    """

    default: Any
    rule: str
    check: Callable[[Any], bool]
    unnested: tuple[Any, ...] = ()


@dataclass(frozen=True)
class Method:
    """One cell of the table measure × search, with what it claims; the contract tests check every claim.

    Parameters
    ----------
    name : as `select` is asked for it.
    measure : the class; built-in entries name it, ``"module:Class"`` below ``entropick.measures``.
    summary, paper, family : for people. The summary is the first line of the measure's docstring where none is given.
    statistics : what must be remembered of the rows, a kind of `statistics.kind`: ``"levels"`` (coded columns),
        ``"moments"`` (means and covariances), ``"marginals"`` (of single columns) or ``"rows"``.
    searches : the searches it can run under, the default first.
    sees : what it can see of ``redundancy``, ``interaction`` and ``nonlinear``.
    tasks : of ``classification``, ``regression``, ``multilabel`` and ``survival``.
    options : keyword -> `Option`, handed to the measure's constructor.
    several : whether it can judge features for several continuous targets at once.
    weights : what ``sample_weight`` means: ``"rows"`` (weight 2 is the row twice), ``"importance"`` (more weight counts
        more) or ``"none"`` (refused).
    blocks : whether rows in blocks (files, Dask, Spark) give the same answer as in memory, however little of it there
        is; where not, they are refused once they do not fit.
    nested : whether the k chosen are the first k of a longer run, as far as the measure has a say; see `nested_with`.
    columns : kinds of columns it takes: ``number``, ``category``, ``missing`` (values).
    invariant : what of a column's scale does not matter: ``affine`` (x -> ax + b, a ≠ 0), ``monotone`` (any increasing
        function).
    draws : whether rows are drawn with ``random_state``: their order then matters.
    moved : option -> where it is now, for those that a method had once.
    tolerance : to which scores are the same, relative to 1 or to themselves; more where a solver stops before.

    blocks, columns and invariant follow from the statistics where they are None.
    """

    name: str
    measure: str | type
    summary: str = ""
    paper: str = ""
    family: str = "own"
    statistics: str = "levels"
    searches: tuple[str, ...] = ("forward",)
    sees: frozenset[str] = frozenset()
    tasks: tuple[str, ...] = TASKS[:2]
    options: Mapping[str, Option] = field(default_factory=dict)
    several: bool = False
    weights: str = "rows"
    blocks: bool | None = None
    nested: bool = True
    columns: tuple[str, ...] | None = None
    invariant: tuple[str, ...] | None = None
    draws: bool = False
    tolerance: float = 1e-9
    moved: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        _check(self)
        facts = STATISTICS[self.statistics]
        for name in ("blocks", "columns", "invariant"):
            if getattr(self, name) is None:
                object.__setattr__(self, name, getattr(facts, name))
        if not self.summary and isinstance(self.measure, type):
            first = (self.measure.__doc__ or self.name).strip().splitlines()[0]
            object.__setattr__(self, "summary", first.rstrip("."))

    def __reduce_ex__(self, protocol: Any) -> Any:
        """A built-in entry by its name: the checks of options cannot be pickled. One's own by what is in it."""
        from ..methods import REGISTRY

        if isinstance(self.measure, str) and REGISTRY.get(self.name) is self and self.family != "own":
            return _registered, (self.name,)
        return super().__reduce_ex__(protocol)

    def facts(self) -> dict[str, Any]:
        """What it claims, as `methods` shows it."""
        return {
            "weights": self.weights,
            "blocks": self.blocks,
            "several": self.several,
            "nested": self.nested_with(None, {}),
            "columns": ", ".join(self.columns or ()),
            "invariant": ", ".join(self.invariant or ()),
            "draws": self.draws,
        }

    def measure_class(self) -> Any:
        """The class of the measure; the module of a built-in one is imported now."""
        if not isinstance(self.measure, str):
            return self.measure
        module, _, name = self.measure.partition(":")
        return getattr(import_module(f"entropick.measures.{module}"), name)

    def nested_with(self, search: str | None, options: Mapping[str, Any]) -> bool:
        """Whether the k chosen are the first k of a longer run, under that search (None: its own) and options."""
        given = {name: options.get(name, option.default) for name, option in self.options.items()}
        apart = any(given[name] in option.unnested for name, option in self.options.items() if option.unnested)
        return self.nested and not apart and SEARCH_ENTRIES[search or self.searches[0]].nested

    def check_weights(self, given: bool, by_class: bool = False) -> None:
        """An error where rows are weighted, singly or by class, and the method cannot take that into account."""
        if (given or by_class) and self.weights == "none":
            argument = "sample_weight" if given else "class_weight"
            raise InvalidParameter(f"{argument}: {self.name!r} does not support weights; omit them")

    def resolve(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """All options of the method, defaults filled in; an unknown or unfit one is an error."""
        for name, value in given.items():
            if name in self.moved:
                raise InvalidParameter(f"{name}: {self.name!r} no longer has this option: {self.moved[name]}")
            if name not in self.options:
                known = ", ".join(sorted(self.options)) or "none"
                raise InvalidParameter(
                    f"{name}: {self.name!r} has no such option; its options: {known}.{closest(name, self.options)}"
                )
            option = self.options[name]
            if not option.check(value):
                raise InvalidParameter(f"{name}: must be {option.rule}, got {value!r}")
        return {name: given.get(name, option.default) for name, option in self.options.items()}


def parameters_of(measure: type) -> set[str]:
    """What a measure's constructor names, and its parents' as long as it hands on others by ``**``."""
    named: set[str] = set()
    for cls in measure.__mro__:
        if "__init__" in vars(cls):
            parameters = signature(vars(cls)["__init__"]).parameters
            named |= set(parameters)
            if all(parameter.kind is not Parameter.VAR_KEYWORD for parameter in parameters.values()):
                break
    return named


# -- checks --------------------------------------------------------------------------------------------------


def _check(method: Method) -> None:
    name, measure = method.name, method.measure
    if not isinstance(name, str) or not name or any(letter.isspace() or letter == "," for letter in name):
        raise InvalidParameter(f"name: must be a word without spaces or commas, got {name!r}")
    if not isinstance(measure, (str, type)):
        raise InvalidParameter(f"measure: must be a class, got {measure!r}")
    _one("statistics", method.statistics, STATISTICS)
    _one("weights", method.weights, WEIGHTS)
    for field_name, known in (("searches", tuple(SEARCH_ENTRIES)), ("tasks", TASKS)):
        if not getattr(method, field_name):
            raise InvalidParameter(f"{field_name}: needs at least one of {_words(known)}, got none")
        _some(field_name, getattr(method, field_name), known)
    _some("sees", method.sees, SEES)
    for field_name, words in (("columns", COLUMNS), ("invariant", INVARIANCES)):
        if getattr(method, field_name) is not None:
            _some(field_name, getattr(method, field_name), words)
    for fact in ("several", "nested", "draws"):
        if not isinstance(getattr(method, fact), bool):
            raise InvalidParameter(f"{fact}: must be True or False, got {getattr(method, fact)!r}")
    _check_options(method)
    if isinstance(measure, type):
        _check_measure(measure, method.searches)


def _check_options(method: Method) -> None:
    if not isinstance(method.options, Mapping):
        raise InvalidParameter(f"options: must be a dict from names to Option, got {method.options!r}")
    for name, option in method.options.items():
        if not isinstance(option, Option):
            raise InvalidParameter(f"options: {name!r} must be an Option(default, rule, check), got {option!r}")
        if not isinstance(name, str) or not name.isidentifier() or name in RESERVED:
            raise InvalidParameter(
                f"options: {name!r} is already an argument of select, or is not a valid name; rename it"
            )


def _check_measure(measure: type, searches: Iterable[str]) -> None:
    for search in searches:
        lacking = [one for one in SEARCH_ENTRIES[search].asks if not callable(getattr(measure, one, None))]
        if lacking:
            raise InvalidParameter(
                f"measure: search {search!r} asks for {_words(SEARCH_ENTRIES[search].asks)};"
                f" {measure.__name__} lacks {_words(lacking)}"
            )


def _one(argument: str, value: Any, known: Iterable[str]) -> None:
    if not isinstance(value, str) or value not in known:
        raise InvalidParameter(f"{argument}: must be one of {_words(known)}, got {value!r}")


def _some(argument: str, values: Any, known: Iterable[str]) -> None:
    if isinstance(values, str) or not isinstance(values, (tuple, list, set, frozenset)):
        raise InvalidParameter(f"{argument}: must be a tuple of {_words(known)}, got {values!r}")
    for value in values:
        _one(argument, value, known)


def _words(names: Iterable[str]) -> str:
    return ", ".join(names)


# -- rules of options ----------------------------------------------------------------------------------------


def number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def not_negative(value: Any) -> bool:
    return number(value) and value >= 0


def positive(value: Any) -> bool:
    return number(value) and value > 0


def share(value: Any) -> bool:
    return number(value) and 0 <= value <= 1


def flag(value: Any) -> bool:
    return isinstance(value, bool)


def count(least: int) -> Callable[[Any], bool]:
    """A whole number of at least ``least``."""
    return lambda value: isinstance(value, int) and not isinstance(value, bool) and value >= least


def one_of(*names: str) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, str) and value in names


def auto_or(rule: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: value == "auto" if isinstance(value, str) else rule(value)


def none_or(rule: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: value is None or rule(value)


ESTIMATOR = Option("auto", "'auto', 'plugin' or 'miller-madow'", one_of("auto", "plugin", "miller-madow"))
PAIR = "redundancy interaction"
CLASSES = ("classification",)


def _registered(name: str) -> Method:
    from ..methods import get_method

    return get_method(name)
