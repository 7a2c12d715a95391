"""Drift: what a column says of the period or site of a row, and what it still says of the target within one.

    I(X;T)      what gives the period away: 0 where the column is the same in all
    I(X;Y|T)    what it says of the target among rows of one period
    PSI         population stability index, Σ_b (a_b − e_b) log(a_b/e_b) over ten bins of equal frequency of the first
                period (e) against each later one (a), the largest; by convention 0.1 is a shift and 0.25 a large one

All but the index come from one table of counts a column (level × class × period).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..coding import Coder
from ..errors import InvalidInput, InvalidParameter, closest
from .frames import Schema
from .learning_task import LearningTask, learning_task

if TYPE_CHECKING:
    import pandas as pd

DRIFT: Schema = {
    "feature": "int64", "name": "str", "information": "float64", "within": "float64", "drift": "float64",
    "psi": "float64", "status": "str",
}  # fmt: skip
LASTS, SHIFTS, DRIFTS = STATUSES = ("lasts", "shifts", "drifts")
SHIFT, LARGE = 0.1, 0.25
EMPTY = 1e-4  # the share of an empty bin, which else would make the index infinite
BLOCK = 256  # columns coded together


def drift(
    X: Any,
    y: Any,
    *,
    period: Any = None,
    site: Any = None,
    task: str = "auto",
    discretizer: Any = "auto",
    bins: int = 10,
) -> pd.DataFrame:
    """One row a feature, those that last first: feature, name, information, within, drift, psi, status.

    ``information`` is I(X;Y), ``within`` I(X;Y|T), ``drift`` I(X;T), in nats; chance is taken off each as its expected
    value, (levels − 1)(classes − 1)/2n and the like. ``status`` is lasts, shifts (psi from 0.1) or drifts (from 0.25);
    features that drift come last, within each status those first that say most within a period.

    Parameters
    ----------
    X, y, task, discretizer
        as in `entropick.select`.
    period, site
        (n_rows,) one label a row, or the name of a column of X; give one of them. Periods are taken in sorted order.
    bins
        of the population stability index.

    Examples
    --------
    >>> import numpy as np, entropick as ep
    >>> random = np.random.default_rng(0)
    >>> year = np.repeat([2023, 2024], 500)
    >>> y = random.integers(0, 2, 1000)
    >>> X = np.column_stack([y + random.normal(size=1000), y + random.normal(size=1000) + 3 * (year == 2024)])
    >>> ep.drift(X, y, period=year)["status"].tolist()
    ['lasts', 'drifts']
    """
    given, when = apart(learning_task(X, y, task), period, site)
    if when is None:
        raise InvalidParameter("period: pass either period= or site=, one label per row")
    return drift_of(given, when, discretizer, bins)


def apart(given: LearningTask, period: Any, site: Any) -> tuple[LearningTask, NDArray[np.intp] | None]:
    """The task without the column that tells periods or sites, where a name was given; and (n,) their numbers."""
    if period is not None and site is not None:
        raise InvalidParameter("period: pass either period= or site=, not both")
    name, labels = ("site", site) if period is None else ("period", period)
    if labels is None:
        return given, None
    table = given.table
    if isinstance(labels, str):
        if labels not in table.names:
            raise InvalidParameter(f"{name}: no column {labels!r}.{closest(labels, table.names)}")
        at = table.names.index(labels)
        labels = table.column(at)
        given = replace(given, table=table.select([j for j in range(table.n_columns) if j != at]))
    return given, _periods(labels, table.n_rows, name)


def drift_of(given: LearningTask, when: NDArray[np.intp], discretizer: Any = "auto", bins: int = 10) -> pd.DataFrame:
    """The frame of `drift`."""
    import pandas as pd

    table, target = given.table, given.target
    coder = Coder(discretizer).fit(table, target.codes, target.n_classes)
    rows = []
    for start in range(0, table.n_columns, BLOCK):
        for j, codes in enumerate(coder.codes(table, start, min(start + BLOCK, table.n_columns)), start=start):
            told = informations(codes, target.codes, when)
            values = codes if table.kind(j) == "category" else table.column(j)
            rows.append((j, table.names[j], *told, _largest(values, when, bins, table.kind(j) == "category")))
    frame = pd.DataFrame(rows, columns=["feature", "name", "information", "within", "drift", "psi"])
    grade = np.digitize(frame["psi"], [SHIFT, LARGE])
    frame["status"] = np.array(STATUSES, dtype=object)[grade]
    order = np.lexsort((frame["feature"], -frame["within"], grade))
    return frame.iloc[order].reset_index(drop=True)


def drifting(frame: pd.DataFrame, names: Sequence[str], part: str) -> tuple[str, ...]:
    """A note on those of these features that drift between periods or sites; none where none does."""
    index = dict(zip(frame["name"], frame["psi"], strict=True))
    moved = {name: index[name] for name in names if index.get(name, 0.0) >= LARGE}
    if not moved:
        return ()
    told = ", ".join(f"{name} ({value:.2f})" for name, value in moved.items())
    return (f"selected, but the distribution differs between {part}s (population stability index): {told}",)


def informations(codes: ArrayLike, target: ArrayLike, when: ArrayLike) -> tuple[float, float, float]:
    """(I(X;Y), I(X;Y|T), I(X;T)) in nats from counts of (level, class, period), chance taken off, at least 0."""
    x, y, t = (np.asarray(part, dtype=np.intp) for part in (codes, target, when))
    shape = int(x.max()) + 1, int(y.max()) + 1, int(t.max()) + 1
    counts = np.bincount((x * shape[1] + y) * shape[2] + t, minlength=int(np.prod(shape))).reshape(shape)
    within = sum(_information(counts[:, :, c], counts.sum()) for c in range(shape[2]))
    return _information(counts.sum(axis=2)), max(0.0, within), _information(counts.sum(axis=1))


def _information(table: NDArray[Any], total: float | None = None) -> float:
    """Plug-in information of a table, in shares of ``total`` rows, less (a − 1)(b − 1)/2 rows for chance."""
    table = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0].astype(np.float64)
    n = table.sum()
    if n == 0:
        return 0.0
    expected = table.sum(axis=1, keepdims=True) * table.sum(axis=0, keepdims=True) / n
    held = table > 0
    nats = float((table[held] * np.log(table[held] / expected[held])).sum())
    chance = (table.shape[0] - 1) * (table.shape[1] - 1) / 2
    found = (nats - chance) / (n if total is None else total)
    return float(found if total is not None else max(0.0, found))


def stability_index(expected: ArrayLike, actual: ArrayLike, bins: int = 10) -> float:
    """The population stability index of one column of numbers between two samples; bins are of the first."""
    e, a = np.asarray(expected, dtype=np.float64), np.asarray(actual, dtype=np.float64)
    e, a = e[~np.isnan(e)], a[~np.isnan(a)]
    if not isinstance(bins, (int, np.integer)) or bins < 2:
        raise InvalidParameter(f"bins: must be an integer of at least 2, got {bins!r}")
    if e.size == 0 or a.size == 0:
        return float("nan")
    edges = np.unique(np.quantile(e, np.linspace(0, 1, bins + 1)))[1:-1]
    # an entry equal to an edge belongs to the lower bin
    shares = [np.bincount(np.searchsorted(edges, part), minlength=edges.size + 1) / part.size for part in (e, a)]
    return _index(*shares)


def _index(e: NDArray[np.float64], a: NDArray[np.float64]) -> float:
    e, a = np.where(e == 0, EMPTY, e), np.where(a == 0, EMPTY, a)
    return float(((a - e) * np.log(a / e)).sum())


def _largest(values: NDArray[Any], when: NDArray[np.intp], bins: int, category: bool) -> float:
    first = values[when == 0]
    found = []
    for c in range(1, int(when.max()) + 1):
        later = values[when == c]
        if category:
            n = int(values.max()) + 1
            found.append(_index(*(np.bincount(part, minlength=n) / part.size for part in (first, later))))
        else:
            found.append(stability_index(first, later, bins))
    return float(np.nanmax(found)) if not np.isnan(found).all() else 0.0


def _periods(labels: Any, n: int, name: str) -> NDArray[np.intp]:
    given = np.asarray(labels)
    if given.shape != (n,):
        raise InvalidInput(f"{name}: must be {n} labels, one per row, got shape {given.shape}")
    codes = np.unique(given.astype(str) if given.dtype == object else given, return_inverse=True)[1]
    if codes.max() == 0:
        raise InvalidInput(f"{name}: must have at least two different labels, got one")
    return codes.astype(np.intp)
