"""A Selection or a Comparison as plain data: what the page shows, before any of it is drawn.

Everything is a number, a text, None, a list or a dict, so that it can be tested and written as JSON.
"""

from __future__ import annotations

import math
from statistics import fmean
from typing import TYPE_CHECKING, Any

from ..evaluation.comparison import Best, Comparison
from ..evaluation.health import DataHealth
from ..evaluation.path import PathEvidence, recorded_evidence
from ..selection import Selection
from . import words
from .reproduce import comparison_settings, selection_settings

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = (
    "Score: what the criterion gave the feature at its step. Alone: what it says about the target by itself."
    " Redundancy: what it shares with earlier picks, on average; within classes: the same among rows of one class."
    " Margin: how far it was ahead of the runner-up; near 0 another sample may well choose otherwise."
)


def comparison_summary(comparison: Comparison) -> dict[str, Any]:
    """Everything that the report of a comparison shows."""
    best = comparison.best()
    final = comparison.final
    others = [method for method in comparison.methods if method != best.method]
    chosen = comparison.frequency(best.method, best.k)
    share = dict(zip(chosen["feature"].tolist(), chosen["frequency"].tolist(), strict=True))
    features = [] if final is None else _features(final, share)[: best.k]
    return plain(
        {
            "kind": "comparison",
            "title": words.comparison_headline(best),
            "meta": _meta(comparison.n_samples, len(comparison.feature_names), comparison.classes, comparison.version),
            "methods": [best.method, *others],
            "answer": {
                "headline": words.comparison_headline(best),
                "words": words.comparison_words(comparison, best),
                "figures": _figures(comparison, best),
                "heading": f"The features, by {words.cut(best.method)} on all rows",
                "features": features,
                "shares": f"The percentage is the share of resamples in which it was among the first {best.k}.",
            },
            "accuracy": _accuracy(comparison, best),
            "stability": {"k": best.k, "best": best.method, "rows": _stability(comparison, best)},
            "pareto": _pareto(comparison, best),
            "map": _map(comparison, best),
            "times": _times(comparison),
            "frequency": _frequency(comparison, best, others),
            "reproduce": comparison_settings(comparison, best),
            **(_steps(final, comparison.path or recorded_evidence(final), best.k) if final is not None else {}),
            "health": _health(comparison.health, comparison.task),
        }
    )


def selection_summary(
    selection: Selection, evidence: PathEvidence | None = None, health: DataHealth | None = None
) -> dict[str, Any]:
    """Everything that the report of one selection shows; ``evidence`` and ``health`` where the rows are at hand."""
    classes = ()
    if health is not None and selection.task == "classification":
        classes = tuple(health.classes["label"])
    return plain(
        {
            "kind": "selection",
            "title": words.selection_headline(selection),
            "meta": _meta(selection.n_samples, len(selection.feature_names), classes, selection.version),
            "answer": {
                "headline": words.selection_headline(selection),
                "words": words.selection_words(selection),
                "figures": _selection_figures(selection, evidence),
                "heading": "The features, in the order chosen",
                "features": _features(selection),
                "shares": "",
            },
            **_steps(selection, evidence or recorded_evidence(selection), len(selection.steps)),
            "health": None if health is None else _health(health, selection.task),
            "reproduce": selection_settings(selection),
        }
    )


def plain(value: Any) -> Any:
    """The value as JSON knows it: NumPy's numbers as Python's, what is not finite as None."""
    if isinstance(value, dict):
        return {str(key): plain(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(entry) for entry in value]
    if hasattr(value, "item"):
        value = value.item()
    return None if isinstance(value, float) and not math.isfinite(value) else value


# -- the answer ----------------------------------------------------------------------------------------------


def _meta(n_rows: float, n_features: int, classes: tuple[Any, ...], version: str) -> str:
    told = [version, f"{words.thousands(n_rows)} rows", words.counted(n_features, "feature")]
    return " · ".join([*told, words.counted(len(classes), "class")] if classes else told)


def _features(selection: Selection, share: dict[int, float] | None = None) -> list[dict[str, Any]]:
    """One entry a step; with the share of resamples that chose it, where that is known."""
    entries = []
    for step in selection.steps:
        note = ""
        if len(step.members) > 1:
            note = f"{len(step.members)} columns: {words.joined([selection.feature_names[j] for j in step.members])}"
        known = None if share is None else min(share.get(j, 0.0) for j in step.members)
        entries.append({"rank": step.rank, "name": step.name, "share": known, "note": note})
    return entries


def _figures(comparison: Comparison, best: Best) -> list[dict[str, str]]:
    task = comparison.task
    kind = "error rate" if task == "classification" else "error, in standard deviations of the target"
    stable = comparison.stability(best.k)
    phi, low, high = stable.loc[stable["method"] == best.method, ["nogueira", "low", "high"]].to_numpy()[0]
    interval = f"95\u202f% interval {low:.2f} to {high:.2f}" if math.isfinite(low) else ""
    return [
        {
            "value": words.error_size(best.error, task),
            "label": f"{kind} of {best.estimator}",
            "note": f"± {words.error_size(best.se, task)} standard error" if math.isfinite(best.se) else "",
        },
        {"value": f"{phi:.2f}" if math.isfinite(phi) else "–", "label": "stability of the choice", "note": interval},
        {
            "value": f"{best.k} of {words.thousands(len(comparison.feature_names))}",
            "label": "features are enough",
            "note": "by the one-standard-error rule",
        },
        {
            "value": words.thousands(len(comparison.methods)),
            "label": "methods compared" if len(comparison.methods) > 1 else "method judged",
            "note": f"over {words.counted(comparison.n_resamples, 'resample')}",
        },
    ]


def _selection_figures(selection: Selection, evidence: PathEvidence | None) -> list[dict[str, str]]:
    n = words.thousands(len(selection.feature_names))
    figures = [
        {"value": f"{len(selection.names)} of {n}", "label": "features chosen", "note": f"by {selection.method}"}
    ]
    known = [value for value in (evidence.information if evidence is not None else ()) if value is not None]
    if evidence is not None and evidence.class_entropy and known:
        told = known[-1] / evidence.class_entropy
        figures.append(
            {
                "value": f"{100 * told:.0f}\u202f%",
                "label": "of what there is to know about the target",
                "note": f"is told by the first {words.counted(len(known), 'feature')}, counted jointly",
            }
        )
    if evidence is not None and evidence.floor and (floor := evidence.floor[len(known) - 1]) is not None:
        told_by = f"Fano, for the first {words.counted(len(known), 'feature')} as coded"
        figures.append({"value": f"≥ {words.percent(floor)}", "label": "error rate of any classifier", "note": told_by})
    if (narrow := words.closest_call(selection)) is not None:
        units = f" {selection.units}" if selection.units else ""
        figures.append(
            {
                "value": f"{narrow.margin:.2g}{units}",
                "label": "narrowest margin",
                "note": f"step {narrow.rank}, before {words.cut(str(narrow.runner_up))}",
            }
        )
    return figures


# -- the evidence --------------------------------------------------------------------------------------------


def _accuracy(comparison: Comparison, best: Best) -> dict[str, Any]:
    curves = comparison.curves().dropna(subset="mean")
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
        "error": _error_name(comparison),
        "percent": comparison.task == "classification",
        "resampling": comparison.resampling,
        "ks": comparison.ks,
        "methods": order,
        "estimators": judged,
        "curves": by_estimator,
        "best": {
            "method": best.method,
            "k": best.k,
            "estimator": best.estimator,
            "error": best.error,
            "limit": float(lowest["mean"]) + _or_zero(float(lowest["se"])),
        },
    }


def _or_zero(value: float) -> float:
    return value if math.isfinite(value) else 0.0


def _error_name(comparison: Comparison) -> str:
    return "error rate" if comparison.task == "classification" else "RMSE / standard deviation of the target"


def _stability(comparison: Comparison, best: Best) -> list[dict[str, Any]]:
    return records(comparison.stability(best.k).sort_values("nogueira", ascending=False, kind="stable"))


def _pareto(comparison: Comparison, best: Best) -> dict[str, Any] | None:
    frame = comparison.pareto(best.k, best.estimator).dropna()
    if frame.empty:
        return None
    return {
        "k": best.k,
        "best": best.method,
        "error": f"{_error_name(comparison)}, {best.estimator}",
        "percent": comparison.task == "classification",
        "rows": records(frame),
    }


def _map(comparison: Comparison, best: Best) -> dict[str, Any]:
    alike = comparison.similarity(best.k)
    nearest = {method: row.drop(method).idxmax() for method, row in alike.iterrows() if row.drop(method).notna().any()}
    return {"best": best.method, "rows": records(comparison.map(best.k)), "nearest": nearest}


def _times(comparison: Comparison) -> list[dict[str, Any]]:
    """Seconds of one resample, on average."""
    table = comparison.times.pivot_table(index="method", columns="part", values="seconds", aggfunc="mean")
    return records(table.reindex(list(comparison.methods)).reset_index())


def _frequency(comparison: Comparison, best: Best, others: list[str]) -> dict[str, Any]:
    """One row a feature that any method chose: its name and the share of resamples by each method."""
    order = [best.method, *others]
    shares: dict[int, list[float]] = {}
    for place, method in enumerate(order):
        frame = comparison.frequency(method, best.k)
        for feature, share in zip(frame["feature"].tolist(), frame["frequency"].tolist(), strict=True):
            shares.setdefault(feature, [0.0] * len(order))[place] = share
    never = len(comparison.feature_names) - len(shares)
    told = f"The share of {words.counted(comparison.n_resamples, 'resample')} in which each method chose a feature"
    told += f" among its first {best.k}." + (
        f" {words.counted(never, 'feature')} {'was' if never == 1 else 'were'} never chosen." if never else ""
    )
    return {
        "methods": order,
        "words": told,
        "rows": [[comparison.feature_names[feature], *row] for feature, row in shares.items()],
    }


def _steps(selection: Selection, evidence: PathEvidence, enough: int) -> dict[str, Any]:
    """The sections that one selection fills: path and redundancy; the first ``enough`` steps are the answer."""
    if not selection.steps:
        return {"path": None, "redundancy": None}
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
    pairs = [row[:enough] for row in evidence.redundancy[:enough]]
    redundancy = {
        "names": [step.name for step in selection.steps[: len(pairs)]],
        "matrix": pairs,
        "units": evidence.redundancy_units,
    }
    return {"path": path, "redundancy": redundancy if len(pairs) > 1 else None}


def _mean(values: tuple[float, ...] | None) -> float | None:
    return fmean(values) if values else None


def _path_caption(selection: Selection, evidence: PathEvidence) -> str:
    told = "Bars are what the criterion gave each feature when it was chosen."
    if not evidence.information:
        return (
            f"{told} Those scores do not add up to the joint information of the set, which is not shown, as the rows"
            " are not at hand: give them with report(path, X, y)."
        )
    told += f" The line is the joint information of all features so far about the target, {evidence.source}."
    if any(floor is not None and floor > 0 for floor in evidence.floor):
        told += (
            " The percentage is Fano's floor: no classifier that sees these features only, as they are coded here,"
            " errs less often."
        )
    return told


def _health(health: DataHealth, task: str) -> dict[str, Any]:
    columns = health.columns.assign(remark=_remarks(health.columns))
    shown = columns[["name", "kind", "missing", "distinct", "levels", "bins", "remark"]]
    target = "Classes" if task == "classification" else "The target, in bins of equal frequency"
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
