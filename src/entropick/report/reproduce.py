"""How to get the same again: code, a command, and every setting."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from numbers import Integral
from typing import Any

from ..evaluation.best import Best
from ..evaluation.cite import references
from ..evaluation.comparison import Comparison
from ..evaluation.estimators import NAMES
from ..methods import REGISTRY
from ..selection import Selection

DEFAULTS: dict[str, Any] = {
    "discretizer": "auto",
    "missing": "level",
    "include": [],
    "exclude": [],
    "random_state": None,
    "alpha": 0.05,
    "test": "joint",
}
FLAGS = {"search": "--search", "missing": "--missing", "discretizer": "--discretizer", "random_state": "--seed",
         "alpha": "--alpha", "test": "--test",
         "level": "--level"}  # fmt: skip
START = "import entropick as ep\n\nX, y = ...  # the table and its target"


# -- one selection -------------------------------------------------------------------------------------------


def selection_settings(selection: Selection) -> dict[str, Any]:
    """python, command, settings and notes of one selection."""
    changed = _changed(selection)
    arguments = "".join(f", {name}={value!r}" for name, value in changed.items())
    command = ["entropick", "select", "FILE", "--target", "COLUMN", "--method", selection.method]
    command += [word for name, value in changed.items() for word in _words(name, value)]
    command += ["--task", selection.task, "--save", "report.html"]
    return {
        "python": (
            f"{START}\nselection = ep.select(X, y, method={selection.method!r}{arguments}, task={selection.task!r})\n"
            'selection.report("report.html", X, y)'
        ),
        "command": shlex.join(command),
        "settings": _listed({"method": selection.method, "task": selection.task, **selection.options}, selection),
        "notes": selection.notes,
        "references": references(selection.method),
    }


def _changed(selection: Selection) -> dict[str, Any]:
    """The settings that are not what they would be anyway; all of them for a method that this version has not."""
    defaults = dict(DEFAULTS)
    if (method := REGISTRY.get(selection.method)) is not None:
        defaults |= {"search": method.searches[0], **{name: option.default for name, option in method.options.items()}}
    return {name: value for name, value in selection.options.items() if name not in defaults or value != defaults[name]}


def _words(name: str, value: Any) -> list[str]:
    """The command line's words for one setting."""
    if name == "k":
        return ["-k", "all" if value is None else str(value)]
    if name in ("include", "exclude"):
        return [word for one in value for word in (f"--{name}", str(one))]
    if name in FLAGS:
        return [FLAGS[name], "none" if value is None else str(value)]
    return ["--option", f"{name}={value}"]


# -- a comparison --------------------------------------------------------------------------------------------


def comparison_settings(comparison: Comparison, best: Best) -> dict[str, Any]:
    """python, command, settings and notes of a comparison."""
    settings = comparison.settings
    methods = {label: _entry(own) for label, own in settings["methods"].items()}
    named = all(entry in ({"method": label}, {"foreign": label}) for label, entry in methods.items())
    judged = all(label in NAMES[comparison.task] for label in comparison.estimators)
    estimators = f"{{{', '.join(f'{label!r}: {text}' for label, text in settings['estimators'].items())}}}"
    drawn = ("cv", "repeats") if settings.get("bootstraps") is None else ("bootstraps",)
    resampling = {name: settings[name] for name in drawn}
    arguments = [
        f"methods={list(methods) if named else methods!r}",
        f"k={list(comparison.ks)}",
        f"estimators={list(comparison.estimators) if judged else estimators}",
        *(f"{name}={value}" for name, value in resampling.items()),  # a splitter is recorded as text
        *([f"scoring={settings['scoring']!r}"] if "scoring" in settings else []),
        f"task={comparison.task!r}",
        f"random_state={settings['random_state']!r}",
    ]
    called = "".join(f"    {argument},\n" for argument in arguments)
    counted = all(isinstance(value, Integral) for value in resampling.values())
    return {
        "python": (
            f"{START}\ncomparison = ep.compare(\n    X, y,\n{called})  # {comparison.resampling}\n"
            'comparison.report("report.html")\n\n'
            f"{_selector(settings['methods'][best.method], best.k)}  # what is recommended, for a pipeline"
        ),
        "command": _command(comparison, resampling) if named and judged and counted else "",
        "settings": _listed(settings, comparison),
        "notes": comparison.notes,
        "references": references(comparison),
    }


def _entry(own: Mapping[str, Any]) -> dict[str, Any]:
    """One method as `compare` takes it in a dict: its name, its options, and what is not the default."""
    kept = {
        name: value
        for name, value in own.items()
        if name not in ("method", "options") and (name not in DEFAULTS or value != DEFAULTS[name])
    }
    return kept if "foreign" in own else {"method": own["method"], **own.get("options", {}), **kept}


def _selector(own: Mapping[str, Any], k: int) -> str:
    if "foreign" in own:
        return f"selector = ...  # {own['foreign']}"
    entry = _entry({**own, "options": {}})
    options = f", options={own['options']!r}" if own.get("options") else ""
    more = "".join(f", {name}={value!r}" for name, value in entry.items() if name != "method")
    return f"selector = ep.Selector(method={own['method']!r}, k={k}{more}{options})"


def _command(comparison: Comparison, resampling: Mapping[str, Any]) -> str:
    settings = comparison.settings
    files = settings.get("files") or ["FILE"]
    start = shlex.join(["entropick", "compare", *files, "--target", settings.get("target") or "COLUMN"])
    read = f" {settings['read']}" if settings.get("read") else ""
    words = ["--methods", ",".join(comparison.methods), "-k", ",".join(map(str, comparison.ks))]
    words += ["--estimators", ",".join(comparison.estimators)]
    if "bootstraps" in resampling:
        words += ["--bootstrap", str(resampling["bootstraps"])]
    else:
        words += ["--resamples", f"{resampling['cv']}x{resampling['repeats']}"]
    words += ["--scoring", ",".join(settings["scoring"])] if "scoring" in settings else []
    words += ["--task", comparison.task, "--seed", str(settings["random_state"]), "--output", "report.html"]
    return f"{start}{read} {shlex.join(words)}"


def _listed(settings: Mapping[str, Any], answer: Selection | Comparison) -> list[dict[str, str]]:
    """Name and value of each setting; one line for each entry of a dict."""
    told: list[tuple[str, Any]] = []
    for name, value in settings.items():
        if isinstance(value, Mapping):
            told += [(f"{name}: {entry}", inner) for entry, inner in value.items()]
        else:
            told.append((name, value))
    return [{"name": name, "value": _text(value)} for name, value in [*told, ("entropick", answer.version)]]


def _text(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_text(inner)}" for name, inner in value.items())
    if isinstance(value, (list, tuple)):
        return ", ".join(map(_text, value)) or "none"
    return "none" if value is None else f"{value:g}" if isinstance(value, float) else str(value)
