"""The evidence of a report, section by section, as plain data."""

from __future__ import annotations

import math
from statistics import fmean
from typing import TYPE_CHECKING, Any

from ..displays.interactions import InteractionNetworkDisplay
from ..evaluation.best import Best
from ..evaluation.comparison import Comparison
from ..evaluation.health import DataHealth
from ..evaluation.path import PathEvidence
from ..pairs.answer import Interactions
from ..selection import Selection, Step
from . import words

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = (
    "Score: the criterion's value when the feature was selected. Alone: its information about the target by itself."
    " Redundancy: the information it shares with earlier features, on average; within classes: the same within"
    " each class."
    " Error at least: Fano's bound, which no classifier of these features, as binned, can beat."
    " Margin: the lead over the runner-up; near 0, another sample may well choose differently."
)


NEXT = 20  # pairs that are listed beyond the significant ones


def accuracy(comparison: Comparison, best: Best) -> dict[str, Any]:
    """Curves of each estimator, the recommended method's first, and the limit of the one-standard-error rule."""
    curves = comparison.curves().dropna(subset="mean")
    scale = words.scale(comparison)
    curves[["mean", "se"]] *= scale
    at = (curves["method"] == best.lowest[0]) & (curves["k"] == best.lowest[1])
    lowest = curves[at & (curves["estimator"] == best.lowest[2])].iloc[0]
    order = [best.method, *(method for method in comparison.methods if method != best.method)]
    by_estimator: dict[str, list[dict[str, Any]]] = {}
    for estimator in comparison.estimators:
        own = curves[curves["estimator"] == estimator]
        by_estimator[estimator] = [
            {
                "method": method,
                "k": part["k"].tolist(),
                "mean": part["mean"].tolist(),
                "se": part["se"].fillna(0.0).tolist(),
            }
            for method in order
            if len(part := own[own["method"] == method])
        ]
    judged = [estimator for estimator in comparison.estimators if by_estimator[estimator]]
    return {
        "error": "RMSE in the target's units" if scale != 1.0 else comparison.error_name,
        "percent": comparison.percent,
        "blind": comparison.blind * scale,
        "resampling": comparison.resampling,
        "ks": comparison.ks,
        "methods": order,
        "estimators": judged,
        "curves": by_estimator,
        "best": {
            "method": best.method,
            "k": best.k,
            "estimator": best.estimator,
            "error": best.error * scale,
            "limit": float(lowest["mean"]) + _or_zero(float(lowest["se"])),
        },
    }


def _or_zero(value: float) -> float:
    return value if math.isfinite(value) else 0.0


def stability(comparison: Comparison, best: Best) -> dict[str, Any]:
    """The three indices of each method, the most stable first."""
    frame = comparison.stability(best.k).sort_values("nogueira", ascending=False, kind="stable")
    return {"k": best.k, "best": best.method, "rows": records(frame)}


def pareto(comparison: Comparison, best: Best) -> dict[str, Any] | None:
    """Error and stability; None where stability is not defined, as with all features taken."""
    frame = comparison.pareto(best.k, best.estimator).dropna()
    if frame.empty:
        return None
    return {
        "k": best.k,
        "best": best.method,
        "error": f"{comparison.error_name}, {best.estimator}",
        "percent": comparison.percent,
        "rows": records(frame),
    }


def method_map(comparison: Comparison, best: Best) -> dict[str, Any]:
    """Places of the methods, and which other chooses most alike."""
    alike = comparison.similarity(best.k)
    nearest = {method: row.drop(method).idxmax() for method, row in alike.iterrows() if row.drop(method).notna().any()}
    return {"best": best.method, "rows": records(comparison.map(best.k)), "nearest": nearest}


def times(comparison: Comparison) -> list[dict[str, Any]]:
    """Seconds of one resample, on average."""
    table = comparison.times.pivot_table(index="method", columns="part", values="seconds", aggfunc="mean")
    return records(table.reindex(list(comparison.methods)).reset_index())


def frequency(comparison: Comparison, best: Best, others: list[str]) -> dict[str, Any]:
    """One row a feature that any method chose: its name and the share of resamples by each method."""
    order = [best.method, *others]
    shares: dict[int, list[float]] = {}
    for place, method in enumerate(order):
        frame = comparison.frequency(method, best.k)
        for feature, share in zip(frame["feature"].tolist(), frame["frequency"].tolist(), strict=True):
            shares.setdefault(feature, [0.0] * len(order))[place] = share
    never = len(comparison.feature_names) - len(shares)
    told = f"How often each method selected a feature among its first {best.k}, over"
    told += f" {words.counted(comparison.n_resamples, 'resample')}." + (
        f" Never selected: {words.counted(never, 'feature')}." if never else ""
    )
    return {
        "methods": order,
        "words": told,
        "rows": [[comparison.feature_names[feature], *row] for feature, row in shares.items()],
    }


def steps(selection: Selection, evidence: PathEvidence, enough: int) -> dict[str, Any]:
    """The section that one selection fills; the first ``enough`` steps are the answer."""
    if not selection.steps:
        return {"path": None}
    n = len(selection.steps)
    rows = [
        {
            "rank": step.rank,
            "name": step.name,
            "score": step.score,
            "relevance": step.relevance,
            "redundancy": _mean(step.redundancy),
            "complementarity": _mean(step.complementarity),
            "information": information,
            "floor": floor,
            "margin": step.margin,
            "runner_up": step.runner_up,
            "p_value": step.p_value,
            **_synergy(selection, step),
        }
        for step, information, floor in zip(
            selection.steps, evidence.information or [None] * n, evidence.floor or [None] * n, strict=True
        )
    ]
    path = {
        "method": selection.method,
        "units": selection.units,
        "enough": enough,
        "class_entropy": evidence.class_entropy,
        "caption": _path_caption(selection, evidence),
        "columns": COLUMNS,
        "rows": rows,
    }
    return {"path": path}


def _synergy(selection: Selection, step: Step) -> dict[str, Any]:
    """The earlier pick with which the feature says most beyond what both say alone, where that is known."""
    if not step.redundancy or not step.complementarity:
        return {}
    more = [own - twice for own, twice in zip(step.complementarity, step.redundancy, strict=True)]
    largest = max(range(len(more)), key=more.__getitem__)
    return {"with": selection.steps[largest].name, "synergy": more[largest]} if more[largest] > 0 else {}


def _mean(values: tuple[float, ...] | None) -> float | None:
    return fmean(values) if values else None


def _path_caption(selection: Selection, evidence: PathEvidence) -> str:
    if not evidence.information:
        return (
            "Each bar is the score of the feature when it was selected. Joint information is not shown, as it needs the"
            " rows: report(path, X, y)."
        )
    if evidence.class_entropy:
        return (
            f"How much of all there is to know about the target the features so far carry together, {evidence.source}."
        )
    return f"The information about the target that the features so far carry together, {evidence.source}."


def interactions(found: Interactions) -> dict[str, Any]:
    """The network of the significant ones, and a table of these and the next."""
    what, n = ("pair" if found.order == 2 else "triple"), len(found.significant)
    least = "at least " if n and n == len(found) < found.tests else ""
    rows = [
        {
            "features": list(pair.features),
            "synergy": pair.synergy,
            "share": pair.share,
            "alone": max(pair.main_effects),
            "together": pair.joint,
            "p": pair.p_adjusted,
        }
        for pair in found.pairs[: n + NEXT]
    ]
    told: dict[str, Any] = {
        "words": (
            f"{least}{words.counted(n, what)} of {words.thousands(found.tests)}"
            f" {'interacts' if n == 1 else 'interact'} (family-wise error {found.alpha:g})."
        ).capitalize(),
        "order": found.order,
        "rows": rows,
        "network": None,
    }
    if n:
        drawn = InteractionNetworkDisplay.from_interactions(found)
        told["network"] = {
            "names": drawn.names,
            "at": [[round(float(x), 3) for x in place] for place in drawn.places()],
            "alone": drawn.alone.tolist(),
            "lines": [[int(a), int(b), float(nats)] for (a, b), nats in zip(drawn.lines, drawn.synergy, strict=True)],
        }
    return told


def data(health: DataHealth, task: str, drift: pd.DataFrame | None = None) -> dict[str, Any]:
    """Columns, classes and what deserves a look; ``drift``: which columns keep their distribution."""
    columns = health.columns.assign(remark=_remarks(health.columns))
    shown = columns[["name", "kind", "missing", "distinct", "levels", "bins", "remark"]]
    if drift is not None and len(drift):
        shown = shown.merge(drift[["name", "within", "drift", "psi", "status"]].rename(columns={"status": "lasts"}))
    target = "Classes" if task == "classification" else "The target, in bins of about equal width"
    return {"target": target, "classes": records(health.classes), "columns": records(shown), "notes": health.notes}


def _remarks(columns: pd.DataFrame) -> list[str]:
    """Constant, copy of another, and what the coding noticed, in one text."""
    return [
        "; ".join(told for told in ("constant" if constant else "", f"copy of {twin}" if twin else "", remark) if told)
        for constant, twin, remark in columns[["constant", "duplicate_of", "remark"]].itertuples(index=False)
    ]


def records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """One dict a row."""
    return [dict(zip(map(str, frame.columns), row, strict=True)) for row in frame.itertuples(index=False)]
