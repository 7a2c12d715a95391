"""The registry: method name -> measure x search, with what it can see.

One entry a method. Nothing heavy is imported here: a measure is named by its module and class and loaded
when the method runs, so that listing the methods is instant.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any

from .errors import InvalidParameter, UnknownMethod, closest

if TYPE_CHECKING:
    import pandas as pd

BROWN = "Brown, Pocock, Zhao & Luján, JMLR 2012"


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
    what it can see of ``redundancy``, ``interaction`` and ``nonlinear``.
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


def _number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def _not_negative(value: Any) -> bool:
    return _number(value) and value >= 0


_WEIGHT = "a number, or a function of the number of features already chosen"
_ESTIMATOR = Option("plugin", "'plugin' or 'miller-madow'", lambda value: value in ("plugin", "miller-madow"))


def _weight(default: float) -> Option:
    return Option(default, _WEIGHT, lambda value: _number(value) or callable(value))


def _discrete(name: str, summary: str, paper: str, measure: str, sees: str = "", **extra: Any) -> Method:
    searches = extra.pop("searches", ("forward", "backward"))
    options = {"estimator": _ESTIMATOR, **extra.pop("options", {})}
    return Method(
        name, summary, paper, "discrete", measure, "levels", searches,
        frozenset(["nonlinear", *sees.split()]), options=options, **extra,
    )  # fmt: skip


_PAIR = "redundancy interaction"
_METHODS: tuple[Method, ...] = (
    _discrete("mim", "relevance alone", "Lewis 1992", "linear:MIM", searches=("ranking", "forward")),
    _discrete("mifs", "relevance less β × redundancy", "Battiti 1994", "linear:MIFS", "redundancy",
              options={"beta": _weight(1.0)}),
    _discrete("mrmr", "relevance less mean redundancy", "Peng, Long & Ding 2005", "linear:MRMR", "redundancy"),
    _discrete("miq", "relevance divided by mean redundancy", "Ding & Peng 2003", "quotient:MIQ", "redundancy"),
    _discrete("jmi", "mean information jointly with each pick", "Yang & Moody 1999", "linear:JMI", _PAIR),
    _discrete("jmim", "least information jointly with any pick", "Bennasar, Hicks & Setchi 2015",
              "minimum:JMIM", _PAIR),
    _discrete("cmim", "least information left given any pick", "Fleuret 2004", "minimum:CMIM", "redundancy",
              searches=("lazy", "forward", "backward")),
    _discrete("icap", "relevance less every positive overlap", "Jakulin 2005", "clipped:ICAP", "redundancy"),
    _discrete("cife", "relevance less redundancy plus class-conditional redundancy", "Lin & Tang 2006",
              "linear:CIFE", _PAIR),
    _discrete("condred", "relevance plus class-conditional redundancy", BROWN, "linear:CondRed", "interaction"),
    _discrete("disr", "joint information over joint entropy, summed", "Meyer & Bontempi 2006", "ratio:DISR",
              _PAIR),
    _discrete("linear", "relevance − β × redundancy + γ × class-conditional redundancy", BROWN,
              "linear:Linear", _PAIR, options={"beta": _weight(1.0), "gamma": _weight(1.0)}),
    _discrete("cmi", "information given all picks jointly (small sets)", BROWN, "joint:CMI", _PAIR,
              searches=("forward",), options={"rows_per_cell": Option(5.0, "a number from 0 on", _not_negative)}),
)  # fmt: skip

GAUSS = "Lefakis & Fleuret, AISTATS 2014"


def _share(value: Any) -> bool:
    return _number(value) and 0 <= value <= 1


def _one_of(*names: str) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, str) and value in names


def _pooling(default: float | str) -> Option:
    return Option(default, "a number from 0 to 1, or 'auto'", lambda value: value == "auto" or _share(value))


def _marginals(default: str) -> Option:
    return Option(default, "'raw', 'copula' or 'auto'", _one_of("raw", "copula", "auto"))


_GAUSSIAN = {
    "marginals": Option("raw", "'raw' or 'copula'", _one_of("raw", "copula")),
    "shrinkage": Option(
        "auto", "'auto', None, or a number from 0 to 1", lambda v: v is None or v == "auto" or _share(v)
    ),
    "floor": Option(1e-10, "a number between 0 and 1", lambda v: _number(v) and 0 < v < 1),
}
_COMPROMISE = {
    **_GAUSSIAN,
    "pooling": _pooling(0.0),
    "marginals": _marginals("raw"),
    "fill": Option("pooled", "'pooled' or 'random'", _one_of("pooled", "random")),
}


def _gaussian(name: str, summary: str, measure: str, sees: str, paper: str = GAUSS, **extra: Any) -> Method:
    return Method(name, summary, paper, "gaussian", measure, "moments", sees=frozenset(sees.split()), **extra)


_METHODS += (
    _gaussian("gc.mi", "joint Gaussian information, compromise bound", "gaussian_auto:GCAuto", _PAIR,
              searches=("forward", "pruned"), options=_COMPROMISE),
    _gaussian("gc.e", "joint Gaussian entropy, compromise bound", "gaussian:GCE", "redundancy",
              tasks=("classification",),
              options={**_GAUSSIAN, "fill": Option("criterion", "'criterion' or 'random'",
                                                   _one_of("criterion", "random"))}),
    _gaussian("gkl.mi", "divergence of each class from the rest", "gaussian_kl:GKLMI", _PAIR,
              tasks=("classification",), options=_GAUSSIAN),
    _gaussian("gkl.e", "divergence and entropy of each class and the rest", "gaussian_kl:GKLE", _PAIR,
              tasks=("classification",), options=_GAUSSIAN),
    _gaussian("wilks", "Gaussian information, one covariance for all classes", "gaussian_auto:GCAuto", _PAIR,
              "Wilks 1932", searches=("forward", "pruned"), options=_COMPROMISE | {"pooling": _pooling(1.0)}),
    _gaussian("gc.auto", "gc.mi, pooling and marginals chosen from the data", "gaussian_auto:GCAuto", _PAIR,
              "entropick", options=_COMPROMISE | {"pooling": _pooling("auto"), "marginals": _marginals("auto")}),
)  # fmt: skip

REGISTRY: dict[str, Method] = {method.name: method for method in _METHODS}


def get_method(name: str) -> Method:
    """The method of that name, or an error that names the nearest one."""
    if not isinstance(name, str) or name not in REGISTRY:
        known = ", ".join(REGISTRY)
        raise UnknownMethod(f"method: no method {name!r}.{closest(name, REGISTRY)} Known: {known}")
    return REGISTRY[name]


def methods() -> pd.DataFrame:
    """Every method: its family, what it does, what it can see, its options, its paper."""
    import pandas as pd

    return pd.DataFrame(
        [
            {
                "method": m.name,
                "family": m.family,
                "summary": m.summary,
                "redundancy": "redundancy" in m.sees,
                "interaction": "interaction" in m.sees,
                "nonlinear": "nonlinear" in m.sees,
                "tasks": ", ".join(m.tasks),
                "searches": ", ".join(m.searches),
                "options": ", ".join(m.options),
                "paper": m.paper,
            }
            for m in REGISTRY.values()
        ]
    ).set_index("method")
