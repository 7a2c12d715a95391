"""Joint Gaussian measures."""

from __future__ import annotations

from typing import Any

from .method import CLASSES, PAIR, Method, Option, number, one_of, share

GAUSS = "Lefakis & Fleuret, AISTATS 2014"


def _pooling(default: float | str) -> Option:
    return Option(default, "a number from 0 to 1, or 'auto'", lambda value: value == "auto" or share(value), ("auto",))


def _marginals(default: str) -> Option:
    return Option(default, "'raw', 'copula' or 'auto'", one_of("raw", "copula", "auto"), ("auto",))


_GAUSSIAN = {
    "marginals": Option("raw", "'raw' or 'copula'", one_of("raw", "copula")),
    "shrinkage": Option(
        "auto", "'auto', None, or a number from 0 to 1", lambda v: v is None or v == "auto" or share(v)
    ),
    "floor": Option(1e-10, "a number between 0 and 1", lambda v: number(v) and 0 < v < 1),
}
_SCALE = {"scale": Option("unit", "'unit' or 'own'", one_of("unit", "own"))}
_COMPROMISE = {
    **_GAUSSIAN,
    "pooling": _pooling(0.0),
    "marginals": _marginals("raw"),
    "fill": Option("pooled", "'pooled' or 'random'", one_of("pooled", "random")),
}


def _gaussian(name: str, summary: str, measure: str, sees: str, paper: str = GAUSS, **extra: Any) -> Method:
    extra.setdefault("searches", ("forward", "exhaustive"))
    return Method(name, measure, summary, paper, "gaussian", "moments", sees=frozenset(sees.split()), **extra)


METHODS = (
    _gaussian("gc.mi", "joint Gaussian information, compromise bound", "gaussian.auto:GCAuto", PAIR,
              searches=("forward", "pruned", "exhaustive"), options=_COMPROMISE, several=True),
    _gaussian("gc.e", "joint Gaussian entropy, compromise bound", "gaussian.compromise:GCE", "redundancy",
              tasks=CLASSES,
              options={**_GAUSSIAN, **_SCALE, "fill": Option("criterion", "'criterion' or 'random'",
                                                   one_of("criterion", "random"))}),
    _gaussian("gkl.mi", "divergence of each class from the rest", "gaussian.divergence:GKLMI", PAIR,
              tasks=CLASSES, options=_GAUSSIAN),
    _gaussian("gkl.e", "divergence and entropy of each class and the rest", "gaussian.divergence:GKLE", PAIR,
              tasks=CLASSES, options=_GAUSSIAN | _SCALE),
    _gaussian("wilks", "Gaussian information, one covariance for all classes", "gaussian.auto:GCAuto", PAIR,
              "Wilks 1932", searches=("forward", "pruned", "exhaustive"),
              options=_COMPROMISE | {"pooling": _pooling(1.0)}, several=True),
    _gaussian("gc.auto", "gc.mi with settings chosen from the data", "gaussian.auto:GCAuto", PAIR,
              "entropick", searches=("forward",),
              options=_COMPROMISE | {"pooling": _pooling("auto"), "marginals": _marginals("auto")},
              several=True, weights="importance", draws=True, blocks=False),
)  # fmt: skip
