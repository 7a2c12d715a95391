"""Comparisons, small samples, criterion spaces, displays and reports of small random tables."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import entropick as ep
from entropick.methods import REGISTRY

from ..exotic import anything, frame, label, spoilt
from ..hostile import SLOW
from .surface import FAST, surface, task


@surface
def compare(rng: np.random.Generator, folder: Path) -> None:
    """A Comparison that can be shown, drawn, written and read again; finished trials are found again."""
    X, y = task(rng)
    given = {
        "methods": [str(name) for name in rng.choice([*FAST, *REGISTRY], 2) if name not in SLOW] or None, "k": 1,
        "estimators": str(rng.choice(["3-NN", "RBF SVM", "ridge"], p=[0.7, 0.2, 0.1])), "cv": 2, "repeats": 1,
        "bootstraps": None, "sample_groups": None, "task": "auto", "discretizer": "auto", "missing": "level",
        "random_state": 0, "resume": folder / "trials" if rng.random() < 0.3 else None,
    }  # fmt: skip
    given = spoilt(rng, given, 0.5)
    found = ep.compare(X, y, **given)
    text = found.to_json()
    assert ep.Comparison.from_json(text) == found
    assert len(found.curves()) == len(found.methods) * len(found.ks) * len(found.estimators)
    assert set(found.features) <= set(found.feature_names)
    found.stability(), found.frequency(), found.similarity(), found.map(), found.pareto(), found.selector(), repr(found)
    found.report(folder / "report.html")
    assert (folder / "report.html").read_text("utf-8").rstrip().endswith("</html>")
    if given["resume"]:
        again = ep.compare(X, y, **given)
        assert again.scores.equals(found.scores)
        assert again.features == found.features


@surface
def small_samples(rng: np.random.Generator, folder: Path) -> None:
    X, y = task(rng)
    given = {"methods": [str(rng.choice(FAST))], "k": 1, "sizes": [0.4, 0.6], "draws": 2, "estimators": "3-NN",
             "random_state": 0, "task": "auto", "missing": "level", "discretizer": "auto"}  # fmt: skip
    found = ep.small_samples(X, y, **spoilt(rng, given, 0.6))
    assert len(found.curves) == len(found.methods) * len(found.sizes) * len(found.estimators)
    found.error(), found.stability()


@surface
def criterion_space(rng: np.random.Generator, folder: Path) -> None:
    X, y = task(rng)
    given = {"k": 1, "beta": [0, 1], "gamma": [0, 1], "estimator": "3-NN", "cv": 2, "repeats": 1, "bootstraps": None,
             "sample_groups": None, "random_state": 0, "discretizer": "auto"}  # fmt: skip
    found = ep.criterion_space(X, y, **spoilt(rng, given, 0.6))
    assert len(found.grid) == found.matrix().size
    assert found.best()[0] in found.grid["beta"].tolist()


@surface
def displays(rng: np.random.Generator, folder: Path) -> None:
    """Drawn, whatever the names and numbers are."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    X, y = task(rng)
    shown: list[Callable[[], Any]]
    if rng.random() < 0.7:
        selection = ep.select(X, y, method=str(rng.choice(FAST)), k=None)
        shown = [
            lambda: ep.displays.SelectionPathDisplay.from_selection(selection),
            lambda: ep.displays.SelectionPathDisplay.from_data(selection, X, y),
            lambda: ep.displays.RedundancyDisplay.from_selection(selection),
            lambda: ep.displays.RedundancyDisplay.from_data(selection, *((X, y) if rng.random() < 0.9 else task(rng))),
        ]
    else:
        found = ep.compare(X, y, ["jmi", "mim"], k=1, estimators="3-NN", cv=2, repeats=1)
        shown = [
            lambda: ep.displays.AccuracyDisplay.from_comparison(found),
            lambda: ep.displays.StabilityDisplay.from_comparison(found),
            lambda: ep.displays.ParetoDisplay.from_comparison(found),
            lambda: ep.displays.MethodMapDisplay.from_comparison(found, anything(rng) if rng.random() < 0.2 else None),
        ]
    try:
        display = shown[int(rng.integers(len(shown)))]().plot()
        display.figure_.savefig(folder / "a.png", dpi=30)
        assert len(display.frame())
    finally:
        pyplot.close("all")


@surface
def report(rng: np.random.Generator, folder: Path) -> None:
    """A page is whole and holds no tag that a name brought."""
    n, d = int(rng.choice([2, 9, 40])), int(rng.integers(1, 6))
    X, y = (frame(rng, n, d), label(rng, n)) if rng.random() < 0.5 else task(rng)
    path = folder / str(rng.choice(["a.html", "no/folder.html", "."]))
    selection = ep.select(X, y, method=str(rng.choice(FAST)), k=None)
    rows = [(), (X, y), (X,), task(rng)][int(rng.choice(4, p=[0.2, 0.6, 0.1, 0.1]))]
    with contextlib.suppress(OSError):  # no folder of that name: the system's own word
        selection.report(path, *rows)
        text = path.read_text("utf-8")
        assert text.rstrip().endswith("</html>")
        assert "<script>alert" not in text
    assert [one.name for one in folder.iterdir()] in ([], ["a.html"])
