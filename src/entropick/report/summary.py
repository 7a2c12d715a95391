"""A Selection or a Comparison as plain data: what the page shows, before any of it is drawn.

Everything is a number, a text, None, a list or a dict, so that it can be tested and written as JSON.
"""

from __future__ import annotations

import math
from typing import Any

from ..evaluation.best import Best
from ..evaluation.comparison import Comparison
from ..evaluation.health import DataHealth
from ..evaluation.path import PathEvidence, recorded_evidence
from ..selection import Selection
from . import evidence as shown
from . import words
from .reproduce import comparison_settings, selection_settings


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
            "title": words.comparison_headline(comparison, best),
            "meta": _meta(comparison.n_samples, len(comparison.feature_names), comparison.classes, comparison.version),
            "methods": [best.method, *others],
            "answer": {
                "headline": words.comparison_headline(comparison, best),
                "words": words.comparison_words(comparison, best),
                "figures": _figures(comparison, best),
                "heading": f"The features, by {words.cut(best.method)} on all rows",
                "features": features,
                "shares": f"The percentage is the share of resamples in which it was among the first {best.k}.",
            },
            "accuracy": shown.accuracy(comparison, best),
            "stability": shown.stability(comparison, best),
            "pareto": shown.pareto(comparison, best),
            "map": shown.method_map(comparison, best),
            "times": shown.times(comparison),
            "frequency": shown.frequency(comparison, best, others),
            "reproduce": comparison_settings(comparison, best),
            **(shown.steps(final, comparison.path or recorded_evidence(final), best.k) if final is not None else {}),
            "health": shown.data(comparison.health, comparison.task),
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
            **shown.steps(selection, evidence or recorded_evidence(selection), len(selection.steps)),
            "health": None if health is None else shown.data(health, selection.task),
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
    unit = "" if task == "classification" else ", in standard deviations of the target"
    stable = comparison.stability(best.k)
    phi, low, high = stable.loc[stable["method"] == best.method, ["nogueira", "low", "high"]].to_numpy()[0]
    interval = f"95\u202f% interval {low:.2f} to {high:.2f}" if math.isfinite(low) else ""
    return [
        {
            "value": words.error_size(best.error, task),
            "label": f"error rate of {best.estimator}" if task == "classification" else f"error of {best.estimator}",
            "note": f"± {words.error_size(best.se, task)} standard error{unit}" if math.isfinite(best.se) else "",
        },
        {"value": f"{phi:.2f}" if math.isfinite(phi) else "–", "label": "stability of the choice", "note": interval},
        {
            "value": f"{best.k} of {words.thousands(len(comparison.feature_names))}",
            "label": "features taken" if words.no_better(comparison, best) else "features are enough",
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
    if evidence is not None:
        figures += _information_figures(evidence)
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


def _information_figures(evidence: PathEvidence) -> list[dict[str, str]]:
    """How much the set tells, and the error that leaves open, as far as its joint information is known."""
    known = [value for value in evidence.information if value is not None]
    if not known:
        return []
    first = f"the first {words.counted(len(known), 'feature')}"
    figures = []
    if evidence.class_entropy:
        told = f"{100 * known[-1] / evidence.class_entropy:.0f}\u202f%"
        label = "of what there is to know about the target"
        figures.append({"value": told, "label": label, "note": f"is told by {first}, counted jointly"})
    if evidence.floor and (floor := evidence.floor[len(known) - 1]) is not None:
        least = f"≥ {words.percent(floor)}"
        figures.append({"value": least, "label": "error rate of any classifier", "note": f"Fano, for {first} as coded"})
    return figures
