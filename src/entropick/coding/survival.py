"""A censored time as one number a row: what its event is too early or too late by, with no feature known.

    martingale residual   M_i = δ_i − Ĥ(t_i),   Ĥ(t) = Σ_{s ≤ t} events at s / rows at risk at s   (Nelson–Aalen)

δ_i says whether the event was seen. A high residual is an event earlier than expected, a low one a long time without;
it is the score of Cox's model at no effect, so that its covariance with a feature is the log-rank statistic. Where no
time is censored nothing has to be guessed, and the time itself is the target, as in a regression.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidInput
from .target import Target, check_range

Floats = NDArray[np.float64]


def survival_target(y: NDArray[Any], task: str, weights: Floats | None) -> Target:
    """Of a structured array (event, time) as scikit-survival has it, or (n, 2) numbers, one column of them 0 or 1."""
    if task not in ("auto", "survival"):
        raise InvalidInput(f"y: events and times are a survival target, got task={task!r}; omit task")
    event, time = events_and_times(y)
    check_range(float(time.min()), float(time.max()))
    if event.all():
        values, note = time, "no time is censored, so the time itself is used as the target"
    elif event.any():
        values, note = martingale_residuals(event, time, weights), ""
    else:
        raise InvalidInput("y: a survival target needs at least one event, got none")
    if (values == values[0]).all():
        raise InvalidInput("y: survival times must not all be equal")
    return Target(np.zeros(len(event), np.int32), np.empty(0), 1, "survival", values, note)


def events_and_times(y: NDArray[Any]) -> tuple[NDArray[np.bool_], Floats]:
    """(n,) whether the event was seen, and the time until it or until the row was last seen."""
    if y.dtype.names is not None:
        columns = [y[name] for name in y.dtype.names]
    elif y.ndim == 2 and y.shape[1] == 2:
        columns = [y[:, 0], y[:, 1]]
    else:
        raise InvalidInput(
            "y: task='survival' needs the event and time of every row, as a structured array or two columns, got"
            f" {y.shape}"
        )
    flags = [column.dtype.kind == "b" or bool(np.isin(column, (0, 1)).all()) for column in columns]
    if len(columns) != 2 or sum(flags) == 0:
        raise InvalidInput(
            "y: a survival target has one column of 0 and 1 (event) and one of times, got none of 0 and 1"
        )
    at = flags.index(True)
    time = columns[1 - at].astype(np.float64)
    if not np.isfinite(time).all() or (time < 0).any():
        raise InvalidInput("y: times must be finite and not negative")
    return columns[at].astype(bool), time


def martingale_residuals(event: NDArray[np.bool_], time: Floats, weights: Floats | None = None) -> Floats:
    """(n,) δ − Ĥ(t); rows of equal time are at risk together."""
    weights = np.ones(len(time)) if weights is None else weights
    times, at = np.unique(time, return_inverse=True)
    events = np.bincount(at, weights * event, len(times))
    leaving = np.bincount(at, weights, len(times))
    at_risk = np.cumsum(leaving[::-1])[::-1]
    return event - np.cumsum(events / at_risk)[at]
