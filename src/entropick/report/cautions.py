"""What to be careful about, in a sentence each, with a link to the evidence."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from typing import TypedDict

from ..evaluation.best import Best
from ..evaluation.comparison import Comparison
from ..evaluation.drift import DRIFTS, LASTS
from ..evaluation.health import NEARLY_ALL, DataHealth
from ..selection import Selection, Step
from .words import counted, cut, joined

FEW_ROWS = 100
UNCERTAIN = 0.5  # share of resamples below which a pick is called uncertain
UNBALANCED = 10  # times as many rows in the largest class as in the smallest
NOISE = "not distinguishable from noise"  # a `Step.status`
TRUSTED = 0.005  # an error below it is asked about


class Caution(TypedDict):
    """``link``: ``tab=…`` or ``feature=…``, as in the address of the page; ``command``: to run next, or empty."""

    text: str
    link: str
    command: str


def caution(text: str, link: str = "", command: str = "") -> Caution:
    return {"text": text, "link": link, "command": command}


def comparison_cautions(comparison: Comparison, best: Best, shares: Sequence[float], command: str) -> list[Caution]:
    """Of a comparison; ``shares`` of resamples for each recommended feature, ``command`` as it was run."""
    told = list(_leaks(comparison, best))
    told += _copies(comparison.features, comparison.health)
    told += _uncertain(comparison.features, shares)
    told += _noise(comparison.final.steps[: comparison.n_steps] if comparison.final is not None else ())
    if best.at_edge:
        told.append(
            caution(
                f"The lowest error is at {comparison.ks[-1]} features, the largest number tried; more may do better.",
                "tab=accuracy",
                command,
            )
        )
    told += _drifting(comparison)
    told += _rows(comparison.n_samples)
    told += _balance(comparison.health, comparison.task)
    return told


def moved(comparison: Comparison) -> dict[str, str]:
    """What is to be said of the features whose distribution changes between periods or sites."""
    frame = comparison.drift[comparison.drift["status"] != LASTS]
    part = comparison.settings.get("drift", "period")
    return {
        name: f"{status} between {part}s (population stability index {index:.2f})"
        for name, status, index in zip(frame["name"], frame["status"], frame["psi"], strict=True)
    }


def _drifting(comparison: Comparison) -> Iterator[Caution]:
    drifting = comparison.drift[comparison.drift["status"] == DRIFTS]["name"]
    if found := [name for name in comparison.features if name in set(drifting)]:
        verb = "drifts" if len(found) == 1 else "drift"
        part = comparison.settings.get("drift", "period")
        yield caution(f"{joined(found)} {verb} between {part}s: the past says little of the future.", "tab=data")


def selection_cautions(selection: Selection, alone: Sequence[float], health: DataHealth | None) -> list[Caution]:
    """Of one selection; ``alone`` is what each chosen feature carries by itself, where that is known."""
    names, n_samples, task = [step.name for step in selection.steps], selection.n_samples, selection.task
    told = [leak(name) for name, share in zip(names, alone, strict=False) if share >= NEARLY_ALL]
    told += _copies(names, health) if health is not None else []
    told += _noise(selection.steps)
    told += _rows(n_samples)
    told += _balance(health, task) if health is not None else []
    return told


def leak(name: str) -> Caution:
    return caution(f"{cut(name)} alone predicts the target almost perfectly: possible leak.", f"feature={name}")


def _leaks(comparison: Comparison, best: Best) -> Iterator[Caution]:
    facts = comparison.columns
    giving = [j for j, share in enumerate(facts.alone) if share >= NEARLY_ALL] if facts is not None else []
    for j in giving[:3]:
        yield leak(comparison.feature_names[j])
    if len(giving) > 3:
        yield caution(f"{counted(len(giving) - 3, 'more column')} predict the target almost perfectly.", "tab=data")
    if not giving and comparison.percent and best.error < TRUSTED:
        yield caution("Such a small error is rare: check that no column is only known after the target.", "tab=data")


def _copies(names: Sequence[str], health: DataHealth) -> Iterator[Caution]:
    for name, twin in copies(names, health).items():
        yield caution(f"{cut(name)} is an exact copy of {cut(twin)}: keep one of them.", f"feature={name}")


def copies(names: Sequence[str], health: DataHealth) -> dict[str, str]:
    """Of these names: those that have the same values as an earlier one, and which."""
    columns = health.columns
    twin = dict(zip(columns["name"], columns["duplicate_of"], strict=True))
    first: dict[str, str] = {}
    found = {}
    for name in names:
        origin = twin.get(name) or name
        if origin in first:
            found[name] = first[origin]
        else:
            first[origin] = name
    return found


def _uncertain(names: Sequence[str], shares: Sequence[float]) -> Iterator[Caution]:
    doubtful = [name for name, share in zip(names, shares, strict=False) if share < UNCERTAIN]
    if doubtful:
        were = "was" if len(doubtful) == 1 else "were"
        yield caution(f"{joined(doubtful)} {were} selected in fewer than half of the resamples.", "tab=features")


def _noise(steps: Sequence[Step]) -> Iterator[Caution]:
    noisy = [step.name for step in steps if step.status == NOISE]
    if noisy:
        are = "is" if len(noisy) == 1 else "are"
        yield caution(f"{joined(noisy)} {are} {NOISE}, given the other features.", "tab=what-each-adds")


def _rows(n_samples: float) -> Iterator[Caution]:
    if n_samples < FEW_ROWS:
        yield caution(f"Only {n_samples:g} rows: another sample may well select different features.", "tab=stability")


def _balance(health: DataHealth, task: str) -> Iterator[Caution]:
    if task != "classification" or len(health.classes) < 2:
        return
    most, least = int(health.classes["count"].iloc[0]), int(health.classes["count"].iloc[-1])
    if most >= UNBALANCED * least:
        label = cut(str(health.classes["label"].iloc[-1]))
        yield caution(
            f"Classes are imbalanced: {label} has {counted(least, 'row')}, the largest class"
            f" {counted(most, 'row')}. Accuracy"
            " hardly reflects the small class.",
            "tab=data",
        )


def go_on(comparison: Comparison) -> str:
    """The command that tries larger numbers, where the comparison was made by a command."""
    n = len(comparison.feature_names)
    largest = comparison.ks[-1]
    ks = sorted({largest, min(2 * largest, n), min(4 * largest, n)})
    files, target = comparison.settings.get("files"), comparison.settings.get("target")
    if not files:
        return f"ep.compare(X, y, k=[{', '.join(map(str, ks))}])"
    read = f" {comparison.settings['read']}" if comparison.settings.get("read") else ""
    words = shlex.join(["entropick", "compare", *files, "--target", target or "COLUMN"])
    return f"{words}{read} -k {','.join(map(str, ks))} --output report.html"


__all__ = ["Caution", "comparison_cautions", "copies", "go_on", "selection_cautions"]
