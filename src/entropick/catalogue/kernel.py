"""Kernel measures: HSIC, LSMI and MLMI under every search."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .method import PAIR, Method, Option, auto_or, count, flag, none_or, positive, share

LSMI = "Jitkrittum, Hachiya & Sugiyama, IEICE 2013"
MLMI = "Suzuki, Sugiyama, Sese & Kanamori, FSDM 2008"
BAHSIC = "Song, Smola, Gretton, Borgwardt & Bedo, ICML 2007"


def _grid(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and len(value) > 0 and all(positive(entry) for entry in value)


_LSMI = {
    "centres": Option(100, "an integer of at least 2", count(2)),
    "folds": Option(5, "an integer of at least 2", count(2)),
    "sigmas": Option((0.15, 0.3, 0.6, 1.0, 2.0), "a list of positive multiples of the median distance", _grid),
    "lambdas": Option(tuple(10.0 ** (p / 2) for p in range(-8, 1)), "a list of positive numbers", _grid),
}
_MLMI = {name: option for name, option in _LSMI.items() if name != "lambdas"}
_DRAWS: dict[str, Any] = {"weights": "importance", "draws": True}  # centres and folds are drawn
_HSIC = {
    "unbiased": Option(False, "True or False", flag),
    "block": Option("auto", "'auto', None (all pairs) or an integer of at least 10", auto_or(none_or(count(10)))),
}
_L1 = {
    "restarts": Option(20, "an integer of at least 1", count(1)),
    "time_limit": Option(None, "a positive number of seconds, or None", none_or(positive)),
    "improve": Option(True, "True or False", flag),
}


def _kernel(
    name: str,
    summary: str,
    measure: str,
    search: str,
    sees: str,
    paper: str,
    options: Mapping[str, Option],
    **facts: Any,
) -> Method:
    seen = frozenset(["nonlinear", *sees.split()])
    return Method(
        name, measure, summary, paper, "kernel", "rows", tuple(search.split()), seen, options=options, several=True,
        invariant=("affine",), **facts,
    )  # fmt: skip


METHODS = (
    _kernel("hsic.rank", "Hilbert–Schmidt independence criterion (HSIC) of each feature alone", "kernel.hsic:HSIC",
            "ranking", "",
            BAHSIC, _HSIC),
    _kernel("hsic.forward", "HSIC of the set, forward selection", "kernel.hsic:HSIC", "forward exhaustive",
            "redundancy", BAHSIC,
            _HSIC),
    _kernel("hsic.backward", "HSIC of the set, backward elimination (BAHSIC)", "kernel.hsic:HSIC", "backward", PAIR,
            BAHSIC,
            {**_HSIC, "step": Option(0.0, "a number from 0 to below 1", lambda value: share(value) and value < 1)}),
    _kernel("hsic.l1", "HSIC of weighted features under an ℓ1 constraint", "kernel.weighted:WeightedHSIC", "l1", PAIR,
            LSMI,
            {**_HSIC, **_L1}),
    _kernel("lsmi.rank", "squared-loss mutual information (LSMI) of each feature alone", "kernel.lsmi:LSMI", "ranking",
            "", LSMI, _LSMI,
            **_DRAWS),
    _kernel("lsmi.forward", "LSMI of the set, forward selection", "kernel.lsmi:LSMI", "forward exhaustive",
            "redundancy", LSMI, _LSMI, **_DRAWS),
    _kernel("lsmi.backward", "LSMI of the set, backward elimination", "kernel.lsmi:LSMI", "backward", PAIR,
            LSMI, _LSMI, **_DRAWS),
    _kernel("lsmi.l1", "LSMI of weighted features under an ℓ1 constraint", "kernel.weighted:WeightedLSMI",
            "l1", PAIR, LSMI, {**_LSMI, **_L1}, **_DRAWS),
    _kernel("mlmi.rank", "maximum-likelihood mutual information (MLMI) of each feature alone",
            "kernel.mlmi:MLMI", "ranking", "", MLMI, _MLMI, **_DRAWS),
    _kernel("mlmi.forward", "MLMI of the set, forward selection", "kernel.mlmi:MLMI",
            "forward exhaustive", "redundancy", MLMI, _MLMI, **_DRAWS),
    _kernel("mlmi.backward", "MLMI of the set, backward elimination", "kernel.mlmi:MLMI", "backward",
            PAIR, MLMI, _MLMI, **_DRAWS),
)  # fmt: skip
