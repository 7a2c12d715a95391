"""What every call must do: give a Selection that keeps its promises, or an error of entropick's own, in one line."""

from __future__ import annotations

import contextlib
import tempfile
import traceback
import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import entropick as ep

from .hostile import Case, case


@contextlib.contextmanager
def elsewhere() -> Iterator[Path]:
    """A temporary folder as the working one: a random text may be taken for a path."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        yield Path(folder)


def fault(case: Case) -> str | None:
    """What is wrong with the answer to a case; None where it is a valid answer or a clear refusal."""
    with elsewhere(), warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", ep.EntropickWarning)
        warnings.filterwarnings("ignore", message="A column-vector y was passed")
        try:
            selection = ep.select(case.X, case.y, **case.keywords)
        except ep.EntropickError as error:
            return None if "\n" not in str(error) and str(error) else f"refused without one clear line: {error!r}"
        except Exception:
            return traceback.format_exc(limit=-12)
        try:
            return broken_promise(selection, case)
        except Exception:
            return traceback.format_exc(limit=-12)


def broken_promise(selection: ep.Selection, case: Case) -> str | None:
    indices = selection.indices.tolist()
    k, grouped = case.keywords["k"], "groups" in case.keywords
    if len(set(indices)) < len(indices):
        return f"a feature twice: {indices}"
    if indices and not 0 <= min(indices) <= max(indices) < len(selection.feature_names):
        return f"no such feature: {indices}"
    if np.isnan(selection.scores).any():
        return f"scores {selection.scores}"
    if isinstance(k, int) and len(selection.steps) > k:
        return f"{len(selection.steps)} chosen for k = {k}"
    if not grouped and set(case.keywords.get("exclude", ())) & set(indices):
        return f"excluded and chosen: {indices}"
    if ep.Selection.from_json(selection.to_json()).to_json() != selection.to_json():
        return "changed by writing and reading"
    if not selection.explain() or len(selection.to_frame()) != len(selection.steps) or not selection._repr_html_():
        return "cannot be shown"
    return None


def repeated(case_: Case) -> str | None:
    """The same call again, made from the seed alone, gives the same features."""

    def features(one: Case) -> object:
        try:
            return ep.select(one.X, one.y, **one.keywords).indices.tolist()
        except ep.EntropickError as error:
            return str(error)

    with elsewhere(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        first, second = features(case_), features(case(case_.seed))
    return None if first == second else f"{first} and then {second}"
