"""The table of two columns that a display draws: shares of the classes, or the mean of a number, cell by cell."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..sources import Table
from .target import PairTarget

BINS = 5  # of a number
SHOWN = 8  # levels of a category


def pair_cells(table: Table, target: PairTarget, columns: tuple[int, ...]) -> dict[str, Any]:
    """Plain lists: ``features``, ``levels`` of both, ``rows`` in each cell, and ``shares`` of ``classes`` or ``means``.

    ``shares`` is (classes, levels of the first, levels of the second); cells without rows hold None.
    """
    first, second = (_levels(table, j) for j in columns[:2])
    shape = len(first[1]), len(second[1])
    cell = first[0] * shape[1] + second[0]
    rows = np.bincount(cell, minlength=shape[0] * shape[1])
    out: dict[str, Any] = {
        "features": [table.names[j] for j in columns[:2]],
        "levels": [first[1], second[1]],
        "rows": rows.reshape(shape).tolist(),
    }
    if target.classes is not None:
        counts = [np.bincount(cell[target.classes == c], minlength=rows.size) for c in range(target.n_classes)]
        return out | {"classes": list(target.labels), "shares": [_over(count, rows, shape) for count in counts]}
    assert target.values is not None
    return out | {"means": _over(np.bincount(cell, target.values[:, 0], minlength=rows.size), rows, shape)}


def _over(sums: NDArray[Any], rows: NDArray[np.int64], shape: tuple[int, int]) -> list[list[float | None]]:
    found = [float(total) / int(count) if count else None for total, count in zip(sums, rows, strict=True)]
    return [found[a * shape[1] : (a + 1) * shape[1]] for a in range(shape[0])]


def _levels(table: Table, j: int) -> tuple[NDArray[np.int64], list[str]]:
    """(n,) level of every row and the name of each level; missing values are the last."""
    values = np.asarray(table.column(j))
    if table.kind(j) == "category":
        gone = np.array([value is None for value in values])
        known, codes = np.unique(values[~gone].astype(str), return_inverse=True)
        names = [str(name) for name in known]
    else:
        values = values.astype(np.float64)
        gone = np.isnan(values)
        known, codes = np.unique(values[~gone], return_inverse=True)
        names = [f"{value:g}" for value in known]
        if len(known) > SHOWN:
            edges = np.unique(np.quantile(values[~gone], np.arange(1, BINS) / BINS))
            codes = np.searchsorted(edges, values[~gone], side="left")
            bounds = [f"{edge:.3g}" for edge in edges]
            names = [f"≤ {bounds[0]}", *(f"≤ {bound}" for bound in bounds[1:]), f"> {bounds[-1]}"]
    if len(names) > SHOWN:
        frequent = np.argsort(-np.bincount(codes), kind="stable")[: SHOWN - 1]
        place = np.full(len(names), SHOWN - 1)
        place[frequent] = np.arange(SHOWN - 1)
        codes, names = place[codes], [*(names[k] for k in frequent), "other"]
    out = np.full(len(values), len(names))
    out[~gone] = codes.reshape(-1)
    return out, [*names, "missing"] if gone.any() else names
