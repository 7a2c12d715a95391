"""What each pick says taken apart beside another pick: its own, said by both, only together.

Beside which: the other pick that changes most what this one says, max_j |I(A;Y|X_j) − I(A;Y)|, so its nearest double or
its partner. More picks at once would leave too few rows in a cell. The parts are BROJA's (`measures.decomposition`) of
the coarse levels, less what chance makes of each on average, never below 0; a number as target counts by five levels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..measures.decomposition import Decomposition, decompose
from ..pairs.columns import most_levels, rarest_together
from ..selection import Step
from .gather import Gathered

Codes = NDArray[Any]
BYTES = 1 << 29  # of all rows that are looked at
COUNTS = 1e8  # rows × picks²
MOST = 50  # picks
CELLS = 2000  # of a table of two picks and the classes
BINS = 5  # of a number as target


def parts(gathered: Gathered, picks: Sequence[int]) -> dict[int, tuple[int, Decomposition]]:
    """For each pick (a candidate) the other pick, and the parts; empty where rows are not at hand, or weighted."""
    if gathered.judged is None or not 2 <= len(picks) <= MOST:
        return {}
    statistics, blocks = gathered.judged.statistics, gathered.judged.options["blocks"]
    if (
        any(len(blocks[pick]) > 1 for pick in picks)
        or statistics.n * max(len(blocks) / BYTES, len(picks) ** 2 / COUNTS) > 1
    ):
        return {}
    rows = statistics.whole()
    if rows is None or rows.weighted:
        return {}
    classes = _classes(rows.targets, statistics)
    if classes is None:
        return {}
    n_classes = int(classes.max()) + 1
    most = most_levels(len(classes), n_classes)
    levels = {pick: _levels(rows.codes[blocks[pick][0]], statistics.lifting, blocks[pick][0], most) for pick in picks}
    if most**2 * n_classes > CELLS:
        return {}
    tables = {pick: _counted((levels[pick], classes)) for pick in picks}
    out = {}
    for pick in picks:
        beside, table = max(
            ((other, _counted((levels[pick], levels[other], classes))) for other in picks if other != pick),
            key=lambda found: abs(_information(found[1]) - _information(tables[found[0]]) - _information(tables[pick])),
        )
        out[pick] = (beside, _sober(table))
    return out


def apart(steps: tuple[Step, ...], gathered: Gathered, picks: Sequence[int]) -> tuple[Step, ...]:
    """The steps with these parts in what is extra of them."""
    found = parts(gathered, picks)
    names = {pick: step.name for pick, step in zip(picks, steps, strict=True)}
    told = []
    for pick, step in zip(picks, steps, strict=True):
        if pick in found:
            beside, said = found[pick]
            own = {"unique": said.unique[0], "redundant": said.redundant, "synergistic": said.synergistic}
            step = replace(step, extra={**step.extra, "beside": names[beside], **own})
        told.append(step)
    return tuple(told)


def _classes(targets: Codes, statistics: Any) -> Codes | None:
    """Classes of the rows, few levels of a number; None for several targets."""
    if statistics.has_classes:
        return np.asarray(np.unique(targets, return_inverse=True)[1].reshape(-1))
    if not statistics.quantity or statistics.n_order > 1:
        return None
    values = targets[0]
    rank = np.searchsorted(np.sort(values), values, side="left")
    return np.asarray(np.unique(rank * BINS // len(values), return_inverse=True)[1].reshape(-1))


def _levels(codes: Codes, lifting: Any, column: int, most: int) -> Codes:
    """The coarse levels of a column, the rarest together where they are more than ``most``."""
    coarse = lifting.coarse[lifting.group_at[column] : lifting.group_at[column + 1]][codes]
    found = np.unique(coarse, return_inverse=True)[1].reshape(-1)
    return rarest_together(found, most) if found.max() >= most else found


def _counted(columns: Sequence[Codes]) -> NDArray[np.float64]:
    """Rows of every combination of levels, one axis a column."""
    shape = [int(codes.max()) + 1 for codes in columns]
    cell = np.ravel_multi_index([codes.astype(np.int64) for codes in columns], shape)
    return np.bincount(cell, minlength=int(np.prod(shape))).reshape(shape).astype(np.float64)


def _information(table: NDArray[np.float64]) -> float:
    """Of all axes but the last with the last, nats, less its expectation for noise."""
    flat = table.reshape(-1, table.shape[-1])
    flat = flat[flat.sum(axis=1) > 0]
    n = flat.sum()
    expected = flat.sum(axis=1, keepdims=True) * flat.sum(axis=0) / n
    seen = flat > 0
    found = float((flat[seen] * np.log(flat[seen] / expected[seen])).sum() / n)
    return float(max(0.0, found - (len(flat) - 1) * (flat.shape[1] - 1) / (2 * n)))


def _sober(table: NDArray[np.float64]) -> Decomposition:
    """The parts, less what noise has of each: the degrees of freedom of its term over 2n."""
    found, (a, b, c), n = decompose(table), table.shape, table.sum()
    first, second = (max(0.0, u - (m - 1) * (c - 1) / (2 * n)) for u, m in zip(found.unique, (a, b), strict=True))
    synergistic = max(0.0, found.synergistic - (a - 1) * (b - 1) * (c - 1) / (2 * n))
    return Decomposition((float(first), float(second)), found.redundant, float(synergistic))
