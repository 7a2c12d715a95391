"""Criteria on counted levels."""

from __future__ import annotations

from typing import Any

from .method import ESTIMATOR, PAIR, Method, Option, not_negative, number

BROWN = "Brown, Pocock, Zhao & Luján, JMLR 2012"
_SETS = ("forward", "backward", "pairs", "exhaustive")  # of criteria that are the same in whatever order picks come
_PAIRED = ("forward", "backward", "pairs")  # of criteria that look at the class together with a pick
_WEIGHT = "a number, or a function of the number of features selected so far"


def _weight(default: float) -> Option:
    return Option(default, _WEIGHT, lambda value: number(value) or callable(value))


def _discrete(name: str, summary: str, paper: str, measure: str, sees: str = "", **extra: Any) -> Method:
    searches = extra.pop("searches", ("forward", "backward"))
    options = {"estimator": ESTIMATOR, **extra.pop("options", {})}
    return Method(
        name, measure, summary, paper, "discrete", "levels", searches,
        frozenset(["nonlinear", *sees.split()]), options=options, **extra,
    )  # fmt: skip


METHODS = (
    _discrete("mim", "relevance only", "Lewis 1992", "pairwise.linear:MIM", searches=("ranking", "forward")),
    _discrete("mifs", "relevance minus β × redundancy", "Battiti 1994", "pairwise.linear:MIFS", "redundancy",
              options={"beta": _weight(1.0)}),
    _discrete("mrmr", "relevance minus mean redundancy", "Peng, Long & Ding 2005", "pairwise.linear:MRMR",
            "redundancy"),
    _discrete("miq", "relevance divided by mean redundancy", "Ding & Peng 2003", "pairwise.quotient:MIQ", "redundancy"),
    _discrete("jmi", "mean joint information with each selected feature", "Yang & Moody 1999", "pairwise.linear:JMI",
            PAIR,
              searches=_PAIRED),
    _discrete("jmim", "smallest joint information with any selected feature", "Bennasar, Hicks & Setchi 2015",
              "pairwise.minimum:JMIM", PAIR, searches=_PAIRED),
    _discrete("cmim", "smallest information left given any selected feature", "Fleuret 2004", "pairwise.minimum:CMIM",
            "redundancy",
              searches=("lazy", *_PAIRED)),
    _discrete("icap", "relevance minus every positive overlap", "Jakulin 2005", "pairwise.clipped:ICAP", "redundancy",
              searches=_SETS),
    _discrete("cife", "relevance minus redundancy plus class-conditional redundancy", "Lin & Tang 2006",
              "pairwise.linear:CIFE", PAIR, searches=_SETS),
    _discrete("condred", "relevance plus class-conditional redundancy", BROWN, "pairwise.linear:CondRed",
              "interaction", searches=_SETS),
    _discrete("disr", "joint information divided by joint entropy, summed", "Meyer & Bontempi 2006",
            "pairwise.ratio:DISR",
              PAIR, searches=_PAIRED),
    _discrete("linear", "relevance − β × redundancy + γ × class-conditional redundancy", BROWN,
              "pairwise.linear:Linear", PAIR, searches=_PAIRED, options={"beta": _weight(1.0), "gamma": _weight(1.0)}),
    _discrete("cmi", "information given all selected features jointly (small sets)", BROWN, "pairwise.cmi:CMI", PAIR,
              searches=("forward", "exhaustive"), blocks=False,
              options={"rows_per_cell": Option(5.0, "a number of at least 0", not_negative)}),
)  # fmt: skip
