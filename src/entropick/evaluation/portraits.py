"""Small pictures of one column against the target, as plain numbers that a page or a plot can draw.

``{"kind": "histogram", "edges": [...], "counts": [[...] of each class]}`` for a number and few classes;
``{"kind": "boxes", "boxes": [[label, 10 %, 25 %, 50 %, 75 %, 90 %], ...]}`` for a number and many classes, by median;
``{"kind": "shares", "levels": [[label, rows, [share of each class]], ...]}`` for a category and classes;
``{"kind": "trend", "points": [[x, mean, sd, rows], ...]}`` for a number and a quantity;
``{"kind": "means", "levels": [[label, rows, mean, sd], ...]}`` for a category and a quantity.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..coding import Target
from ..sources import Table

BINS = 14  # of a histogram
POINTS = 10  # of a trend
FEW = 6  # classes or levels that are drawn one by one
MOST = 30  # boxes
LABEL = 40  # characters of a level's or class's name
DIGITS = 4
HUGE = 2.0**500  # numbers whose squares add up to more than a float holds

Portrait = dict[str, Any]


def portrait(table: Table, j: int, target: Target) -> Portrait | None:
    """The picture of column j; None where it holds nothing but missing values."""
    values = table.column(j)
    if table.kind(j) == "category":
        return _category(np.array([_label(value) for value in values], dtype=object), target)
    numbers = values.astype(np.float64)
    held = ~np.isnan(numbers)
    if not held.any():
        return None
    if len(distinct := np.unique(numbers[held])) <= FEW:
        names = dict(zip(distinct.tolist(), map(_number, distinct), strict=True))
        labels = [names.get(value, "missing") for value in numbers.tolist()]
        return _category(np.array(labels, dtype=object), target, [*names.values(), "missing"])
    if target.values is not None:
        return {"kind": "trend", "points": _trend(numbers[held], target.values[held]), "missing": int((~held).sum())}
    codes = target.codes[held]
    shown = {"missing": int((~held).sum())}
    if target.n_classes <= FEW:
        return {"kind": "histogram", **_histogram(numbers[held], codes, target), **shown}
    return {"kind": "boxes", "boxes": _boxes(numbers[held], codes, target), **shown}


def _histogram(values: NDArray[np.float64], codes: NDArray[Any], target: Target) -> Portrait:
    """Counts of each class between the 1st and the 99th percentile; what lies beyond is in the outermost bins."""
    values, unit = _moderate(values)
    low, high = np.quantile(values, [0.01, 0.99])
    if high <= low:
        low, high = values.min(), values.max()
    edges = np.linspace(low, high, BINS + 1)
    place = np.clip(np.searchsorted(edges, values, side="right") - 1, 0, BINS - 1)
    counts = np.bincount(codes * BINS + place, minlength=target.n_classes * BINS).reshape(-1, BINS)
    return {"edges": _rounded(edges, unit), "counts": counts.tolist(), "classes": _classes(target)}


def _boxes(values: NDArray[np.float64], codes: NDArray[Any], target: Target) -> list[list[Any]]:
    values, unit = _moderate(values)
    own = [(_label(label), values[codes == c]) for c, label in enumerate(target.classes)]
    largest = sorted((one for one in own if one[1].size), key=lambda one: -one[1].size)[:MOST]
    boxes = [[label, *_rounded(np.quantile(part, [0.1, 0.25, 0.5, 0.75, 0.9]), unit)] for label, part in largest]
    return sorted(boxes, key=lambda box: float(box[3]))


def _trend(values: NDArray[np.float64], y: NDArray[np.float64]) -> list[list[Any]]:
    """Mean and spread of the target in bins of equal count."""
    (values, unit), (y, unit_y) = _moderate(values), _moderate(y)
    edges = np.unique(np.quantile(values, np.linspace(0, 1, POINTS + 1)))
    place = np.clip(np.searchsorted(edges, values, side="left") - 1, 0, len(edges) - 2)
    parts = [(values[place == b], y[place == b]) for b in range(len(edges) - 1)]
    return [
        [*_rounded([part.mean()], unit), *_rounded([own.mean(), own.std()], unit_y), int(part.size)]
        for part, own in parts
        if part.size
    ]


def _category(labels: NDArray[Any], target: Target, order: list[str] | None = None) -> Portrait:
    """The most frequent levels; a column of few numbers keeps their order."""
    names, place = np.unique(labels.astype(str), return_inverse=True)
    rows = np.bincount(place, minlength=len(names))
    chosen = np.argsort(-rows, kind="stable")[: FEW + 2].tolist()
    if order is not None:
        chosen.sort(key=lambda level: order.index(str(names[level])))
    left = len(names) - len(chosen)
    if target.values is not None:
        levels = [[str(names[i]), int(rows[i]), *_spread(target.values[place == i])] for i in chosen]
        return {"kind": "means", "levels": levels, "more": left}
    counts = np.bincount(place * target.n_classes + target.codes, minlength=len(names) * target.n_classes)
    shares = counts.reshape(len(names), -1) / rows[:, None]
    largest = np.argsort(-np.bincount(target.codes, minlength=target.n_classes), kind="stable")[:FEW].tolist()
    return {
        "kind": "shares",
        "levels": [[str(names[i]), int(rows[i]), _rounded(shares[i][largest])] for i in chosen],
        "classes": [_classes(target)[c] for c in largest],
        "more": left,
    }


def _spread(values: NDArray[np.float64]) -> list[float]:
    values, unit = _moderate(values)
    return _rounded([values.mean(), values.std()], unit)


def _moderate(values: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
    """The values in a unit in which sums of their squares do not overflow, and the unit."""
    unit = 1.0 if np.abs(values).max(initial=0.0) < HUGE else HUGE
    return values / unit, unit


def _classes(target: Target) -> list[str]:
    return [_label(label) for label in target.classes]


def _label(value: Any) -> str:
    text = "missing" if value is None else str(value)
    return text if len(text) <= LABEL else f"{text[: LABEL - 1]}…"


def _number(value: float) -> str:
    return f"{value:.6g}"


def _rounded(values: Any, unit: float = 1.0) -> list[float]:
    return [float(f"{unit * float(value):.{DIGITS}g}") for value in values]
