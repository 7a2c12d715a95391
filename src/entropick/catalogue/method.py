"""What is known of a method before it runs: its measure, its searches, what it sees, its options."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from ..errors import InvalidParameter, closest


@dataclass(frozen=True)
class Option:
    """A keyword that only some methods understand: its default, its rule in words, and a check."""

    default: Any
    rule: str
    check: Callable[[Any], bool]


@dataclass(frozen=True)
class Method:
    """One cell of the table measure x search.

    ``measure`` is ``"module:Class"`` below ``entropick.measures``; ``statistics`` says what must be
    remembered of the rows: ``"levels"`` (coded columns), ``"moments"`` (means and covariances) or ``"rows"``
    (standardised values). ``searches`` lists the searches it can run under, the default first. ``sees`` is
    what it can see of ``redundancy``, ``interaction`` and ``nonlinear``. ``several`` says whether it can judge
    features for several continuous targets at once.
    """

    name: str
    summary: str
    paper: str
    family: str
    measure: str
    statistics: str = "levels"
    searches: tuple[str, ...] = ("forward",)
    sees: frozenset[str] = frozenset()
    tasks: tuple[str, ...] = ("classification", "regression")
    options: Mapping[str, Option] = field(default_factory=dict)
    several: bool = False

    def __reduce__(self) -> tuple[Callable[[str], Method], tuple[str]]:
        return _registered, (self.name,)  # by its name: the checks of options cannot be pickled

    def measure_class(self) -> Any:
        """The class of the measure; its module is imported now."""
        module, _, name = self.measure.partition(":")
        return getattr(import_module(f"entropick.measures.{module}"), name)

    def resolve(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """All options of the method, defaults filled in; an unknown or unfit one is an error."""
        for name, value in given.items():
            if name not in self.options:
                known = ", ".join(sorted(self.options)) or "none"
                raise InvalidParameter(
                    f"{name}: {self.name!r} has no such option; it knows: {known}.{closest(name, self.options)}"
                )
            option = self.options[name]
            if not option.check(value):
                raise InvalidParameter(f"{name}: must be {option.rule}, got {value!r}")
        return {name: given.get(name, option.default) for name, option in self.options.items()}


def _registered(name: str) -> Method:
    return import_module("entropick.methods").get_method(name)


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


ESTIMATOR = Option("plugin", "'plugin' or 'miller-madow'", one_of("plugin", "miller-madow"))
PAIR = "redundancy interaction"
CLASSES = ("classification",)
