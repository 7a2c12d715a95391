"""Which methods are compared: names and options as the user gives them, checked against the data before any work."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..coding import Coder, Target
from ..errors import InvalidInput, InvalidParameter
from ..methods import get_method
from ..selectors.run import Request, search_name
from .health import DataHealth

if TYPE_CHECKING:
    import pandas as pd

METHODS = ("jmi", "mrmr", "cmim", "gc.mi", "spec.cmi")  # the default: one of each kind of belief
PER_METHOD = ("search", "discretizer", "missing", "include", "exclude")  # what an entry may set besides options


def contenders(
    methods: Any, common: Request, target: Target, health: DataHealth
) -> tuple[dict[str, Request], tuple[str, ...]]:
    """Label -> what `select` is asked for, and notes.

    ``methods``: names; dicts with ``method``, its options and `PER_METHOD`; or a dict from labels to those. A method
    that cannot take the data is an error. None for `METHODS`: those that cannot are left out with a note.
    """
    requests = _parsed(METHODS if methods is None else methods, common)
    reasons = {label: reason for label, one in requests.items() if (reason := _unfit(one, target, health))}
    if methods is not None:
        for label, reason in reasons.items():
            remedy = "leave such columns out" if reason.startswith("needs") else "leave it out"
            raise InvalidInput(f"methods: {label!r} {reason}; {remedy}, or take a method on levels, such as 'jmi'")
    notes = tuple(f"{label} is left out: it {reason}" for label, reason in reasons.items())
    return {label: one for label, one in requests.items() if label not in reasons}, notes


def _parsed(methods: Any, common: Request) -> dict[str, Request]:
    if isinstance(methods, str):
        methods = [methods]
    if isinstance(methods, Mapping):
        pairs = [(str(label), _request(entry, common)) for label, entry in methods.items()]
    elif isinstance(methods, Iterable):
        found = [_request(entry, common) for entry in methods]
        pairs = [(one.method, one) for one in found]
    else:
        raise InvalidParameter(f"methods: must be names, or a dict of labelled ones, got {methods!r}")
    if not pairs:
        raise InvalidParameter("methods: needs at least one, got none")
    requests = dict(pairs)
    if len(requests) < len(pairs):
        labels = [label for label, _ in pairs]
        twice = next(label for label in labels if labels.count(label) > 1)
        raise InvalidParameter(f"methods: {twice!r} is there twice; give a dict with a label for each")
    return requests


def _request(entry: Any, common: Request) -> Request:
    if isinstance(entry, str):
        entry = {"method": entry}
    if not isinstance(entry, Mapping) or "method" not in entry:
        raise InvalidParameter(f"methods: an entry must be a name, or a dict with 'method', got {entry!r}")
    method = get_method(entry["method"])
    own = {key: entry[key] for key in PER_METHOD if key in entry}
    options = {key: value for key, value in entry.items() if key not in ("method", *PER_METHOD)}
    method.resolve(options)
    search_name(method, own.get("search"))
    request = replace(common, method=method.name, options=options, **own)
    Coder(request.discretizer, request.missing).settings()
    return request


def _unfit(request: Request, target: Target, health: DataHealth) -> str:
    """Why the method cannot take the data, or nothing."""
    method = get_method(request.method)
    if target.task not in method.tasks:
        return f"is for {' and '.join(method.tasks)}, got a {target.task} target"
    columns = health.columns
    gone = columns[columns["missing"] > 0]
    if method.statistics in ("levels", "pairs") and request.options.get("similarity") != "correlation":
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
