"""A Selection or a Comparison as plain data: what the page shows, before any of it is drawn.

Everything is a number, a text, None, a list or a dict, so that it can be tested and written as JSON.
"""

from __future__ import annotations

import math
from typing import Any

from ..evaluation.best import Best
from ..evaluation.columns import ColumnFacts
from ..evaluation.comparison import Comparison
from ..evaluation.health import DataHealth
from ..evaluation.path import PathEvidence, recorded_evidence
from ..looks import looks
from ..plain import plain
from ..selection import Selection
from . import cautions, roles, words
from . import evidence as shown
from .clusters import clustered
from .reproduce import comparison_settings, selection_settings


def comparison_summary(comparison: Comparison) -> dict[str, Any]:
    """Everything that the report of a comparison shows."""
    best = comparison.best()
    final, facts = comparison.final, comparison.columns
    others = [method for method in comparison.methods if method != best.method]
    chosen = comparison.frequency(best.method, best.k)
    share = dict(zip(chosen["feature"].tolist(), chosen["frequency"].tolist(), strict=True))
    sets = {} if final is None else roles.credible_sets(final)
    copies = cautions.copies(comparison.features, comparison.health)
    cards = [] if final is None else roles.cards(final, comparison.n_steps, facts, share, copies, sets)
    moved = cautions.moved(comparison)
    for card in cards:
        card["note"] = "; ".join(part for part in (card["note"], moved.get(card["name"], "")) if part)
        card["lost"] = None if card["lost"] is None else card["lost"] * words.scale(comparison)
    shares = [float(card["share"]) for card in cards]
    kept = [
        j
        for step in (final.steps[: comparison.n_steps] if final else ())
        if step.name not in copies
        for j in step.members
    ]
    told: dict[str, Any] = plain(
        {
            "kind": "comparison",
            "title": words.comparison_headline(comparison, best),
            "meta": comparison.version,
            "methods": [best.method, *others],
            "looks": looks(comparison.methods),
            "answer": {
                "predicting": words.predicting(
                    comparison.settings.get("target"),
                    comparison.settings.get("files", ()),
                    comparison.n_samples,
                    len(comparison.feature_names),
                ),
                "headline": words.comparison_headline(comparison, best),
                "words": words.comparison_words(comparison, best),
                "cautions": cautions.comparison_cautions(comparison, best, shares, cautions.go_on(comparison)),
                "figures": _figures(comparison, best),
                "features": cards,
                "kept": [comparison.feature_names[j] for j in kept],
                "shares": (
                    f"In the order of {words.cut(best.method)}. Dots: the share of resamples in which the feature"
                    " was among"
                    f" the first {best.k}; hollow below half."
                ),
            },
            "accuracy": shown.accuracy(comparison, best),
            "stability": shown.stability(comparison, best),
            "pareto": shown.pareto(comparison, best) if others else None,
            "map": shown.method_map(comparison, best) if others else None,
            "times": shown.times(comparison),
            "frequency": shown.frequency(comparison, best, others),
            "reproduce": comparison_settings(comparison, best),
            **(_path(comparison, best) if final is not None else {}),
            **_facts(comparison.feature_names, kept, facts, comparison.health, share, sets),
            "health": shown.data(comparison.health, comparison.task, comparison.drift),
        },
        finite=True,
    )
    return told


def selection_summary(
    selection: Selection,
    evidence: PathEvidence | None = None,
    health: DataHealth | None = None,
    facts: ColumnFacts | None = None,
    target: str | None = None,
) -> dict[str, Any]:
    """Everything that the report of one selection shows; ``evidence`` and the rest where the rows are at hand."""
    sets = roles.credible_sets(selection)
    step_names = [step.name for step in selection.steps]
    copies = {} if health is None else cautions.copies(step_names, health)
    alone = [] if facts is None else [facts.alone[step.members[0]] for step in selection.steps]
    kept = [j for step in selection.steps if step.name not in copies for j in step.members]
    told: dict[str, Any] = plain(
        {
            "kind": "selection",
            "title": words.selection_headline(selection),
            "meta": selection.version,
            "answer": {
                "predicting": words.predicting(target, (), selection.n_samples, len(selection.feature_names)),
                "headline": words.selection_headline(selection),
                "words": words.selection_words(selection),
                "cautions": cautions.selection_cautions(selection, alone, health),
                "figures": _selection_figures(selection, evidence),
                "features": roles.cards(selection, len(selection.steps), facts, None, copies, sets),
                "kept": [selection.feature_names[j] for j in kept],
                "shares": "In the order selected.",
            },
            **shown.steps(selection, evidence or recorded_evidence(selection), len(selection.steps)),
            **_facts(selection.feature_names, kept, facts, health, {}, sets),
            "health": None if health is None else shown.data(health, selection.task),
            "reproduce": selection_settings(selection),
        },
        finite=True,
    )
    return told


def _path(comparison: Comparison, best: Best) -> dict[str, Any]:
    """The steps of the recommended method, with its error after each number of features that was tried."""
    final = comparison.final
    assert final is not None
    told = shown.steps(final, comparison.path or recorded_evidence(final), best.k)
    curves = shown.accuracy(comparison, best)
    own = next((c for c in curves["curves"][best.estimator] if c["method"] == best.method), None)
    if told["path"] and own and "own_number" not in comparison.settings:
        after = dict(zip(own["k"], zip(own["mean"], own["se"], strict=True), strict=True))
        for row in told["path"]["rows"]:
            row["error"], row["se"] = after.get(row["rank"], (None, None))
        told["path"] |= {"error": curves["error"], "percent": curves["percent"], "blind": curves["blind"]}
    return told


def _facts(
    names: tuple[str, ...],
    kept: list[int],
    facts: ColumnFacts | None,
    health: DataHealth | None,
    share: dict[int, float],
    sets: dict[int, list[str]],
) -> dict[str, Any]:
    """The sections that facts about all columns fill: what to do with each, pictures, and the clustered map."""
    if facts is None:
        return {}
    told: dict[str, Any] = {
        "columns": roles.columns(names, kept, facts, health, share, sets),
        "pictures": facts.pictures,
    }
    if len(facts.mapped) > 1:
        told["redundancy"] = clustered(
            [names[j] for j in facts.mapped], [j in kept for j in facts.mapped], facts.matrix, facts.merges
        )
    return told


# -- the answer ----------------------------------------------------------------------------------------------


def _figures(comparison: Comparison, best: Best) -> list[dict[str, str]]:
    """Error, stability, number: each with what it is measured against."""
    stable = comparison.stability(best.k)
    phi, low, high = stable.loc[stable["method"] == best.method, ["nogueira", "low", "high"]].to_numpy()[0]
    interval = (
        f"95\u202f% interval {words.decimals(low)} to {words.decimals(high)}"
        if math.isfinite(low)
        else "1 is the same set every time"
    )
    if words.takes_all(comparison, best):
        interval = "every feature is selected"
    many = "features taken" if words.no_better(comparison, best) else "features are enough"
    many = "features are needed" if words.takes_all(comparison, best) else many
    return [
        _error_figure(comparison, best),
        {
            "value": words.decimals(phi) if math.isfinite(phi) else "–",
            "label": "stability of the choice",
            "note": interval,
        },
        {
            "value": f"{best.k} of {words.thousands(len(comparison.feature_names))}",
            "label": "features, or more" if best.at_edge else many,
            "note": f"tried {comparison.ks[0]} to {comparison.ks[-1]}" if len(comparison.ks) > 1 else "",
        },
    ]


def _error_figure(comparison: Comparison, best: Best) -> dict[str, str]:
    se = f"± {words.error_size(best.se, comparison.percent)}" if math.isfinite(best.se) else ""
    guess = f"guessing {words.figure(comparison, comparison.blind)}" if math.isfinite(comparison.blind) else ""
    spread = comparison.columns.spread if comparison.columns is not None else None
    label = f"{words.figure_name(comparison)} of {best.estimator}"
    value = words.figure(comparison, best.error)
    if comparison.standard and comparison.task == "regression":
        label, guess = f"RMSE of {best.estimator}", f"R²\u00a0{words.r_squared(best):.2f}"
        se = f"{se} standard deviations" if se else ""
        if spread is not None:
            value = words.three_digits(best.error * spread)
            guess = f"guessing {words.three_digits(spread)}, {guess}"
            se = f"± {words.three_digits(best.se * spread)}" if se else ""
    return {"value": value, "label": label, "note": ", ".join(part for part in (se, guess) if part)}


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
        label = "of the information about the target"
        figures.append({"value": told, "label": label, "note": f"carried jointly by {first}"})
    if evidence.floor and (floor := evidence.floor[len(known) - 1]) is not None:
        least = f"≥ {words.percent(floor)}"
        figures.append(
            {"value": least, "label": "lowest possible error rate", "note": f"Fano's bound, for {first} as binned"}
        )
    return figures
