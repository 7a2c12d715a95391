"""Columns that are no features: events beside the times that are the target, periods, sites."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..errors import InvalidInput, InvalidParameter
from . import parse

if TYPE_CHECKING:
    from ..sources import Table


def taken(table: Table, target: str, beside: Mapping[str, str]) -> tuple[Table, Any, dict[str, Any]]:
    """The table, its target (a name, or events and times), and which columns tell periods or sites.

    ``beside``: flag -> column.
    """
    named: dict[str, Any] = {flag: _named(table, flag, name, target) for flag, name in beside.items()}
    if (event := named.pop("event", None)) is None:
        return table, target, named
    return *_with_events(table, event, target), named


def _named(table: Table, flag: str, name: str, target: str) -> str:
    found = parse.column_names([name], table.names, f"--{flag}")
    if len(found) != 1 or found[0] == target:
        raise InvalidParameter(f"--{flag}: must name one column other than the target, got {name!r}")
    return found[0]


def _with_events(table: Table, event: str, time: str) -> tuple[Table, Any]:
    """The table without the two columns, and events and times of its rows; rows without either are left out."""
    import numpy as np
    import pandas as pd

    flags, times = (table.column(table.names.index(name)) for name in (event, time))
    known = ~(pd.isna(flags) | pd.isna(times))
    if not known.all():
        notes, count = table.notes, int((~known).sum())
        table, flags, times = table.take(np.flatnonzero(known)), flags[known], times[known]
        table.notes = (*notes, f"{count} row{'s' * (count != 1)} without {event!r} or {time!r} left out")
    if times.dtype.kind not in "iuf":
        raise InvalidInput(f"--target: with --event it must be a column of times, got the categories of {time!r}")
    if flags.dtype.kind not in "biuf" or not np.isin(flags, (0, 1)).all():
        raise InvalidInput(f"--event: must be a column of 0 and 1, or of yes and no, got {event!r}")
    y = np.empty(table.n_rows, [("event", bool), ("time", float)])
    y["event"], y["time"] = flags == 1, times
    return table.select([j for j, name in enumerate(table.names) if name not in (event, time)]), y
