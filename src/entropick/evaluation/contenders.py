"""Which methods are compared: names and options as the user gives them, checked against the data before any work."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..coding import Coder, Target
from ..errors import InvalidInput, InvalidParameter, UnknownMethod, closest
from ..methods import get_method, known_methods
from ..selectors.request import Request, search_name
from ..statistics.kind import kind_of
from .foreign import Foreign, foreign
from .health import DataHealth
from .ready_made import READY, ready_made

if TYPE_CHECKING:
    import pandas as pd

METHODS = ("joint", "jmi", "mrmr", "cmim", "gc.mi", "spec.cmi")  # the default: one of each kind of belief
PER_METHOD = ("search", "discretizer", "missing", "include", "exclude")  # what an entry may set besides options


def contenders(
    methods: Any, common: Request, target: Target, health: DataHealth, weighed: bool = False
) -> tuple[dict[str, Request | Foreign], tuple[str, ...]]:
    """Label -> what `select` is asked for, or a foreign selector; and notes.

    ``methods``: names, of our methods or of `READY`; dicts with ``method``, its options and `PER_METHOD`; scikit-learn
    selectors; functions; lists of columns; or a dict from labels to those. A method that cannot take the data is an
    error. None for `METHODS`: those that cannot are left out with a note. ``weighed``: rows have weights.
    """
    requests = _parsed(METHODS if methods is None else methods, common, tuple(health.columns["name"]))
    reasons = {label: reason for label, one in requests.items() if (reason := _unfit(one, target, health, weighed))}
    if methods is not None:
        for label, reason in reasons.items():
            remedy = "drop those columns" if reason.startswith("needs") else "drop it"
            raise InvalidInput(f"methods: {label!r} {reason}; {remedy}, or use a discrete method such as 'jmi'")
    notes = [f"{label} is left out: it {reason}" for label, reason in reasons.items()]
    kept = {label: one for label, one in requests.items() if label not in reasons}
    if blind := [label for label, one in kept.items() if by_residuals(one, target.task)]:
        notes.append(
            f"chosen by the residuals of events and times, as these methods do not support them: {', '.join(blind)}"
        )
    return {label: _of_a_number(one) if label in blind else one for label, one in kept.items()}, tuple(notes)


def by_residuals(request: Request | Foreign, task: str) -> bool:
    """Whether it is told the residuals of events and times, as a number, since it knows of no censored times."""
    if task != "survival":
        return False
    if isinstance(request, Foreign):
        return request.of_numbers
    return task not in get_method(request.method).tasks


def _of_a_number(request: Request | Foreign) -> Request | Foreign:
    return request if isinstance(request, Foreign) else replace(request, task="regression")


def _parsed(methods: Any, common: Request, names: tuple[str, ...]) -> dict[str, Request | Foreign]:
    if isinstance(methods, str) or hasattr(methods, "fit") or callable(methods):
        methods = [methods]
    if isinstance(methods, Mapping):
        pairs = [(str(label), _contender(entry, common, names)) for label, entry in methods.items()]
    elif isinstance(methods, Iterable):
        pairs = [_labelled(entry, common, names) for entry in methods]
    else:
        raise InvalidParameter(f"methods: must be names, or a dict of them by label, got {methods!r}")
    if not pairs:
        raise InvalidParameter("methods: needs at least one, got none")
    requests = dict(pairs)
    if len(requests) < len(pairs):
        labels = [label for label, _ in pairs]
        twice = next(label for label in labels if labels.count(label) > 1)
        raise InvalidParameter(f"methods: {twice!r} appears twice; pass a dict with a label for each")
    return requests


def _labelled(entry: Any, common: Request, names: tuple[str, ...]) -> tuple[str, Request | Foreign]:
    """An entry without a label of its own, and what it is called."""
    found = _contender(entry, common, names)
    if isinstance(found, Request):
        return found.method, found
    if isinstance(entry, str) or callable(entry):
        return found.told, found
    steps = getattr(entry, "steps", None)
    return (type(steps[-1][1] if steps else entry).__name__ if hasattr(entry, "fit") else found.told), found


def _contender(entry: Any, common: Request, names: tuple[str, ...]) -> Request | Foreign:
    if isinstance(entry, str) and entry not in known_methods():
        made = ready_made(entry, common.task)
        if made is not None:
            return made
    return foreign(entry, names) or _request(entry, common)


def _request(entry: Any, common: Request) -> Request:
    if isinstance(entry, str) and entry not in known_methods() and (near := closest(entry, READY)):
        raise UnknownMethod(f"methods: no method {entry!r}.{near}")
    if isinstance(entry, str):
        entry = {"method": entry}
    if not isinstance(entry, Mapping) or "method" not in entry:
        raise InvalidParameter(
            f"methods: an entry must be a name, a dict with 'method', a selector, a function or columns, got {entry!r}"
        )
    method = get_method(entry["method"])
    own = {key: entry[key] for key in PER_METHOD if key in entry}
    options = {key: value for key, value in entry.items() if key not in ("method", *PER_METHOD)}
    method.resolve(options)
    search_name(method, own.get("search"))
    request = replace(common, method=method.name, options=options, **own)
    Coder(request.discretizer, request.missing).settings()
    return request


def _unfit(request: Request | Foreign, target: Target, health: DataHealth, weighed: bool) -> str:
    """Why the method cannot take the data, or nothing."""
    if isinstance(request, Foreign):
        return ""
    method = get_method(request.method)
    if weighed and method.weights == "none":
        return "does not support sample_weight"
    if target.task not in method.tasks and not ("regression" in method.tasks and target.task == "survival"):
        return f"is for {' and '.join(method.tasks)}, got a {target.task} target"
    columns = health.columns
    gone = columns[columns["missing"] > 0]
    if kind_of(method.statistics).coded:
        if request.missing == "level" or gone.empty:
            return ""
        return f"has missing='error', got {_gaps(gone)}"
    categories = columns[columns["kind"] == "category"]
    if len(categories):
        return f"needs numbers, got categories in {_columns(categories)}"
    if len(gone):
        return f"needs complete rows, got {_gaps(gone)}"
    return ""


def _gaps(gone: pd.DataFrame) -> str:
    count = int(gone["missing"].iloc[0])
    return f"{count} missing value{'' if count == 1 else 's'} in {_columns(gone)}"


def _columns(some: pd.DataFrame) -> str:
    """The first, and how many more: whether to drop them depends on that."""
    more = len(some) - 1
    return f"{some['name'].iloc[0]!r}" + (f" and {more} more column{'' if more == 1 else 's'}" if more else "")
