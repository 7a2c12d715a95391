"""Sentences of the report: what was found and how sure it is, for people who have not read the papers."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from unicodedata import bidirectional

from ..evaluation.best import Best
from ..evaluation.comparison import Comparison
from ..evaluation.health import NEARLY_ALL
from ..evaluation.scoring import in_short
from ..selection import Selection, Step

SMALL = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
LISTED = 6  # names in a sentence
LEFTWARDS = ("R", "AL", "AN", "LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")
Paragraph = tuple[str, str]  # what it is about, in bold, and the text
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


def error_size(value: float, share: bool) -> str:
    """An error rate, or an error in another unit."""
    return percent(value) if share else three_digits(value)


def three_digits(value: float) -> str:
    """Three significant digits, without an exponent where people would write none.

    >>> three_digits(70027.7), three_digits(56.95), three_digits(0.01234), three_digits(2e-7)
    ('70\u202f000', '57', '0.0123', '2e-07')
    """
    rounded = float(f"{value:.3g}")
    return thousands(round(rounded)) if 1000 <= abs(rounded) < 1e9 else f"{rounded:.3g}"


def figure(comparison: Comparison, error: float) -> str:
    """The error, in the target's own units where those are known; or the score, where it is another one."""
    if comparison.standard or not comparison.ideal:
        return error_size(error * scale(comparison), comparison.percent)
    return f"{comparison.ideal - error:.3f}"


def scale(comparison: Comparison) -> float:
    """What an RMSE in standard deviations of the target is multiplied by to have its units; else 1."""
    spread = comparison.columns.spread if comparison.columns is not None else None
    return spread if spread is not None and comparison.standard and comparison.task == "regression" else 1.0


def decimals(value: float) -> str:
    """
    >>> decimals(0.745), decimals(-0.001)
    ('0.74', '0.00')
    """
    return f"{value:.2f}".replace("-0.00", "0.00")


def figure_name(comparison: Comparison) -> str:
    if comparison.standard:
        return "error rate" if comparison.percent else "error"
    return in_short(comparison.scoring[0])


def steadiness(stability: float) -> str:
    """In the bands that Nogueira et al. (2018) recommend, after Fleiss: below 0.4 poor, from 0.75 excellent."""
    if not isfinite(stability):
        return "is not defined, because all features are selected"
    grade = "poor" if stability < 0.4 else "excellent" if stability >= 0.75 else "fair"
    return f"is {grade}: {decimals(stability)} (0 is chance, 1 the same set every time)"


# -- a comparison --------------------------------------------------------------------------------------------


def comparison_headline(comparison: Comparison, best: Best) -> str:
    if no_better(comparison, best):
        return "No method beats guessing."
    if gives_away(comparison):
        return "Possible leak: check before you use this."
    if takes_all(comparison, best):
        return f"All {spelled(best.k)} features are needed."
    if best.at_edge:
        return f"At least {counted(best.k, 'feature')}, chosen by {cut(best.method)}."
    many = spelled(best.k).capitalize()
    verb = "feature is" if best.k == 1 else "features are"
    return f"{many} {verb} enough, chosen by {cut(best.method)}."


def takes_all(comparison: Comparison, best: Best) -> bool:
    """Whether no smaller number of features is as good as all of them."""
    return 1 < best.k == len(comparison.feature_names)


def gives_away(comparison: Comparison) -> list[str]:
    """Recommended features that predict the target almost perfectly by themselves."""
    if comparison.columns is None:
        return []
    alone = dict(zip(comparison.feature_names, comparison.columns.alone, strict=True))
    return [name for name in comparison.features if alone[name] >= NEARLY_ALL]


def no_better(comparison: Comparison, best: Best) -> bool:
    """Whether the lowest error is within a standard error of what one has without any feature."""
    curve = comparison.curves().set_index(["method", "k", "estimator"])
    return bool(curve.loc[best.lowest, ["mean", "se"]].sum() >= comparison.blind)


def predicting(target: str | None, files: Sequence[str], n_rows: float, n_features: int) -> tuple[str, str]:
    """What is predicted and what from: the target's name, and the rest of the line."""
    name = cut(target) if target else "the target"
    short = [file.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1] for file in files]
    source = f"from {joined(short)}, " if files else "from "
    return name, f"{source}{counted(n_features, 'column')} and {thousands(n_rows)} rows"


def comparison_words(comparison: Comparison, best: Best) -> list[Paragraph]:
    """Which features and method; how sure; how many are enough."""
    return [
        ("", _which(comparison, best)),
        ("How sure.", _how_sure(comparison, best)),
        ("How many.", _how_many(comparison, best)),
    ]


def _which(comparison: Comparison, best: Best) -> str:
    told = told_of(comparison.features)
    if leaks := gives_away(comparison):
        one = len(leaks) == 1
        told = f"If {joined(leaks)} {'is' if one else 'are'} only known after the target, drop"
        told += f" {'it' if one else 'them'} (--drop) and run again; otherwise k{told_of(comparison.features)[1:]}"
    elif no_better(comparison, best):
        told = f"These features may carry no information: {joined(comparison.features)}." if comparison.features else ""
    what = f"{best.estimator} has {figure_name(comparison)} {figure(comparison, best.error)} on unseen rows"
    if comparison.percent:
        judged = (
            f"{best.estimator} misclassifies {percent(best.error)} of unseen rows; always predicting the largest class"
            f" misclassifies {percent(comparison.blind)}"
        )
    elif not comparison.standard:
        judged = f"{what}; guessing has {figure(comparison, comparison.blind)}" if isfinite(comparison.blind) else what
    else:
        spread = comparison.columns.spread if comparison.columns is not None else None
        size = f"{best.error:.3g} standard deviations of the target"
        guess = ""
        if spread is not None:
            size = f"{three_digits(best.error * spread)} in the target's own units"
            guess = f"; always predicting the mean has {three_digits(spread)}"
        judged = f"{best.estimator} has an RMSE of {size} (R²\u00a0{r_squared(best):.2f}){guess}"
    return f"{told} With {'it' if best.k == 1 else 'them'}, {judged}."


def told_of(features: Sequence[str]) -> str:
    return f"Keep {joined(features)}." if features else ""


def r_squared(best: Best) -> float:
    """Of an error in standard deviations of the target: 1 − RMSE² / variance."""
    return 1.0 - best.error**2


def _how_sure(comparison: Comparison, best: Best) -> str:
    shown, se = figure(comparison, best.error), error_size(best.se * scale(comparison), comparison.percent)
    told = f"The standard error is {se}" if isfinite(best.se) else f"The {figure_name(comparison)} is {shown}"
    told += f" ({comparison.resampling}). Stability of the choice {steadiness(best.stability)}"
    frequency = comparison.frequency(best.method, best.k).set_index("feature")["frequency"]
    if comparison.final is not None and comparison.n_resamples > 1 and not takes_all(comparison, best):
        shares = [float(frequency.get(j, 0.0)) for j in comparison.final.indices[: best.k]]
        always = sum(share == 1.0 for share in shares)
        told += f"; {shares_in_words(always, best.k)} chosen in every resample" if best.k > 1 else ""
    others = [method for method in dict.fromkeys(m for m, _, _ in best.candidates) if method != best.method]
    if others:
        told += f". Within one standard error, with as many features or more: {joined(others)}"
    elif len(comparison.methods) > 1:
        told += ". No other method comes within one standard error"
    return f"{told}."


def shares_in_words(some: int, all_: int) -> str:
    if some == all_:
        return "all of these features were"
    few = spelled(some) if some else "none"
    return f"{few} of these {spelled(all_)} features {'was' if some == 1 else 'were'}"


def _how_many(comparison: Comparison, best: Best) -> str:
    """The numbers tried, and why this one."""
    method, k, estimator = best.lowest
    curve = comparison.curves().set_index(["method", "estimator", "k"])["mean"]
    least = figure(comparison, float(curve.loc[(method, estimator, k)]))
    tried = f"Tried: {listed(comparison.ks)}."
    by = f"{cut(method)} with {counted(k, 'feature')}" + (f" and {estimator}" if estimator != best.estimator else "")
    if best.at_edge:
        more = "More were not tried and may do better."
        if k == best.k:
            return f"{tried} The lowest error, {least}, is at {k}, the largest number tried. {more}"
        return (
            f"{tried} The lowest error, {least} ({by}), is at the largest number tried; {best.k} is the smallest within"
            f" one standard error of it. {more}"
        )
    if len(comparison.ks) == 1:
        return tried
    if (method, k, estimator) == (best.method, best.k, best.estimator):
        fewer = "; no smaller number comes within one standard error of it" if k > comparison.ks[0] else ""
        return f"{tried} The lowest error, {least}, is reached with {k}{fewer}."
    return f"{tried} The lowest error, {least}, is {by}; {best.k} is the smallest within one standard error of it."


def listed(numbers: Sequence[int]) -> str:
    """
    >>> listed((1, 2, 5))
    '1, 2 and 5'
    """
    shown = [thousands(n) for n in numbers]
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


# -- one selection -------------------------------------------------------------------------------------------


def selection_headline(selection: Selection) -> str:
    n = len(selection.names)
    return f"{spelled(n).capitalize()} {'feature' if n == 1 else 'features'}, chosen by {selection.method}."


def selection_words(selection: Selection) -> list[Paragraph]:
    """Which features; how sure; how many."""
    if not selection.steps:
        return [("", f"Nothing was selected: {selection.stopped or 'there was no feature to select'}.")]
    told = [
        ("", f"Keep {joined([step.name for step in selection.steps])}."),
        ("How sure.", _margins(selection)),
    ]
    return [*told, ("How many.", f"{selection.stopped.capitalize()}.")] if selection.stopped else told


def _margins(selection: Selection) -> str:
    told = "This is a single run on one sample"
    if (narrow := closest_call(selection)) is not None:
        units = f" {selection.units}" if selection.units else ""
        told += f". The closest call was step {narrow.rank}, {cut(narrow.name)}"
        told += " tied with " if narrow.margin == 0 else f", {narrow.margin:.2g}{units} ahead of "
        told += cut(str(narrow.runner_up))
    p_values = [step.p_value for step in selection.steps if step.p_value is not None]
    if p_values:
        told += f". Every feature is significant (largest p {max(p_values):.2g})"
    return f"{told}. To see how stable the choice is, run entropick compare."


def closest_call(selection: Selection) -> Step | None:
    """The step whose margin was the smallest part of its score."""

    def closeness(step: Step) -> float:
        return abs(step.margin or 0.0) / max(abs(step.score), 1e-12)

    return min((step for step in selection.steps if step.margin is not None), key=closeness, default=None)
