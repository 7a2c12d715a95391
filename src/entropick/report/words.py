"""Sentences of the report: what was found and how sure it is, for people who have not read the papers."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from unicodedata import bidirectional

from ..evaluation.best import Best
from ..evaluation.comparison import Comparison
from ..selection import Selection, Step

SMALL = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
LISTED = 6  # names in a sentence
LEFTWARDS = ("R", "AL", "AN", "LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")
Paragraph = tuple[str, str]  # what it is about, in bold, and the text
PERFECT = 0.005  # an error below it is asked about
LONGEST = 60  # characters of a name in a sentence


def counted(n: int, noun: str) -> str:
    """
    >>> counted(1, "row"), counted(12000, "row")
    ('1 row', '12\u202f000 rows')
    """
    plural = f"{noun}es" if noun.endswith("s") else f"{noun}s"
    return f"{thousands(n)} {noun if n == 1 else plural}"


def thousands(n: float) -> str:
    return f"{n:,.0f}".replace(",", "\u202f") if float(n).is_integer() else f"{n:g}"


def spelled(n: int) -> str:
    return SMALL[n] if n < len(SMALL) else thousands(n)


def joined(names: Sequence[str]) -> str:
    """
    >>> joined(["a", "b", "c"])
    'a, b and c'
    """
    shown = [cut(name) for name in names[:LISTED]]
    if len(names) > LISTED:
        shown.append(f"{len(names) - LISTED} more")
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def cut(name: str) -> str:
    """The name in one line, its end left out where it is long; it cannot turn the words after it around.

    >>> cut("  "), cut(" two  words")
    ('␣', 'two words')
    """
    name = " ".join(name.split()) or "␣"
    name = name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"
    leftwards = any(bidirectional(letter) in LEFTWARDS for letter in name)
    return f"\u2068{name}\u2069" if leftwards else name  # first strong isolate … pop directional isolate


def percent(share: float) -> str:
    return f"{100 * share:.1f}\u202f%"


def error_size(value: float, task: str) -> str:
    """An error rate, or an error in standard deviations of the target."""
    return percent(value) if task == "classification" else f"{value:.3g}"


def steadiness(stability: float) -> str:
    """In the bands that Nogueira et al. (2018) recommend, after Fleiss: below 0.4 poor, from 0.75 excellent."""
    if not isfinite(stability):
        return "cannot be judged, as all features were taken"
    grade = "poor" if stability < 0.4 else "excellent" if stability >= 0.75 else "fair"
    return f"is {grade}: {stability:.2f} on a scale where 0 is chance and 1 always the same set"


# -- a comparison --------------------------------------------------------------------------------------------


def comparison_headline(comparison: Comparison, best: Best) -> str:
    if no_better(comparison, best):
        return "No method beats guessing."
    many = spelled(best.k).capitalize()
    verb = "feature is" if best.k == 1 else "features are"
    return f"{many} {verb} enough, chosen by {cut(best.method)}."


def no_better(comparison: Comparison, best: Best) -> bool:
    """Whether the lowest error is within a standard error of what one has without any feature."""
    curve = comparison.curves().set_index(["method", "k", "estimator"])
    return bool(curve.loc[best.lowest, ["mean", "se"]].sum() >= comparison.blind)


def comparison_words(comparison: Comparison, best: Best) -> list[Paragraph]:
    """Which features and method; how sure; how many are enough."""
    return [
        ("", _which(comparison, best)),
        ("How sure.", _how_sure(comparison, best)),
        ("How many.", _how_many(comparison, best)),
    ]


def _which(comparison: Comparison, best: Best) -> str:
    told = f"Take {joined(comparison.features)}." if comparison.features else ""
    if no_better(comparison, best):
        told = f"These features may say nothing: {joined(comparison.features)}." if comparison.features else ""
    rows, n = counted(comparison.n_samples, "row"), counted(len(comparison.feature_names), "feature")
    judged = (
        f"{best.estimator} is wrong on {percent(best.error)} of rows it has not seen, always naming the largest"
        f" class on {percent(comparison.blind)}"
        if comparison.task == "classification"
        else f"{best.estimator} is off by {best.error:.3g} standard deviations of the target on rows it has not seen"
    )
    return f"{told} Chosen by {cut(best.method)} from {n} in {rows}: with them {judged}."


def _how_sure(comparison: Comparison, best: Best) -> str:
    error, se = error_size(best.error, comparison.task), error_size(best.se, comparison.task)
    told = f"The error has a standard error of {se}" if isfinite(best.se) else f"The error is {error}"
    told += f" over {comparison.resampling}. The stability of the choice {steadiness(best.stability)}"
    frequency = comparison.frequency(best.method, best.k).set_index("feature")["frequency"]
    if comparison.final is not None and comparison.n_resamples > 1:
        shares = [float(frequency.get(j, 0.0)) for j in comparison.final.indices[: best.k]]
        always = sum(share == 1.0 for share in shares)
        told += f"; {shares_in_words(always, best.k)} chosen in every resample" if best.k > 1 else ""
    if best.error < PERFECT:
        told += ". So small an error is rare: see that no feature is known only after the target"
    others = [method for method in dict.fromkeys(m for m, _, _ in best.candidates) if method != best.method]
    if others:
        told += f". As good within one standard error, with as many features or more: {joined(others)}"
    elif len(comparison.methods) > 1:
        told += ". No other method comes within one standard error"
    return f"{told}."


def shares_in_words(some: int, all_: int) -> str:
    if some == all_:
        return "all of these features were"
    few = spelled(some) if some else "none"
    return f"{few} of these {spelled(all_)} features {'was' if some == 1 else 'were'}"


def _how_many(comparison: Comparison, best: Best) -> str:
    method, k, estimator = best.lowest
    curve = comparison.curves().set_index(["method", "estimator", "k"])["mean"]
    least = error_size(float(curve.loc[(method, estimator, k)]), comparison.task)
    if (method, k, estimator) == (best.method, best.k, best.estimator):
        told = f"The least error of all, {least}, is reached with {best.k}"
        return f"{told}; no fewer come within one standard error of it." if best.k > comparison.ks[0] else f"{told}."
    fewer = f" with {k} features and {estimator}" if estimator != best.estimator else f" with {k} features"
    told = f"The least error, {least}, is of {cut(method)}{fewer}"
    if len(comparison.ks) == 1:
        return f"{told}, which is within one standard error."
    compared = f"{comparison.ks[0]} to {comparison.ks[-1]}"
    return (
        f"{told}. Of the numbers compared, {compared}, {best.k} is the fewest whose error is within one standard error"
        " of that, so more buy nothing that these rows could show."
    )


# -- one selection -------------------------------------------------------------------------------------------


def selection_headline(selection: Selection) -> str:
    n = len(selection.names)
    return f"{spelled(n).capitalize()} {'feature' if n == 1 else 'features'}, chosen by {selection.method}."


def selection_words(selection: Selection) -> list[Paragraph]:
    """Which features; how sure; how many."""
    if not selection.steps:
        return [("", f"Nothing was chosen: {selection.stopped or 'there was no candidate'}.")]
    n, rows = counted(len(selection.feature_names), "feature"), thousands(selection.n_samples)
    told = [
        ("", f"Take {joined([step.name for step in selection.steps])}. Chosen from {n} in {rows} rows."),
        ("How sure.", _margins(selection)),
    ]
    return [*told, ("How many.", f"{selection.stopped.capitalize()}.")] if selection.stopped else told


def _margins(selection: Selection) -> str:
    told = "This is one run on one sample"
    if (narrow := closest_call(selection)) is not None:
        units = f" {selection.units}" if selection.units else ""
        told += f". The closest call was step {narrow.rank}, {cut(narrow.name)}"
        told += " tied with " if narrow.margin == 0 else f", {narrow.margin:.2g}{units} ahead of "
        told += cut(str(narrow.runner_up))
    p_values = [step.p_value for step in selection.steps if step.p_value is not None]
    if p_values:
        told += f". Every feature passed a test against chance (largest p {max(p_values):.2g})"
    return f"{told}. How the choice would change with other rows is told by entropick compare, not by this page."


def closest_call(selection: Selection) -> Step | None:
    """The step whose margin was the smallest part of its score."""

    def closeness(step: Step) -> float:
        return abs(step.margin or 0.0) / max(abs(step.score), 1e-12)

    return min((step for step in selection.steps if step.margin is not None), key=closeness, default=None)
