"""What a table holds: how each column is read and why, missing values, copies, leaks, identifiers."""

from __future__ import annotations

import json
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..errors import InvalidParameter
from ..plain import plain
from ..sources import Source, Table, open_source
from ..sources.blocks import parse_memory
from ..sources.limits import half_of_memory
from .frames import Schema, from_columns, to_columns
from .health import data_health
from .learning_task import learning_task

if TYPE_CHECKING:
    import pandas as pd

COLUMNS: Schema = {
    "name": "str", "kind": "str", "why": "str", "missing": "float64", "distinct": "int64", "remark": "str",
}  # fmt: skip
WHY = {"numeric": "numbers", "integer": "whole numbers", "boolean": "true or false", "category": "texts"}
HELD = 3  # times the size of the rows that looking at them takes
PART = 1000  # rows at least, of a table that does not fit


@dataclass(frozen=True, eq=False)
class Description:
    """What is in a table.

    ``columns`` has one row per column: name, kind, why (the reason for that kind), missing (share of the rows),
    distinct (number of distinct values), remark: constant, copy or near-copy of an earlier column, row number or
    identifier, possible leak of the target. ``notes`` are sentences on what to check.

    >>> import entropick as ep
    >>> X, y = ep.datasets.load_demo()
    >>> found = ep.describe(X.assign(copy=X["mean area"]), y)
    >>> found.columns.query("remark != ''")[["name", "remark"]].tail(1).to_dict("list")
    {'name': ['copy'], 'remark': ['copy of mean area']}
    """

    n_rows: int
    target: str | None
    columns: pd.DataFrame
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """As JSON can hold it."""
        told = {"rows": self.n_rows, "target": self.target, "columns": to_columns(self.columns), "notes": self.notes}
        out: dict[str, Any] = plain(told, finite=True)
        return out

    def to_json(self, indent: int | None = None) -> str:
        """The same as a text."""
        return json.dumps(self.to_dict(), indent=indent, ensure_ascii=False)

    def __str__(self) -> str:
        shown = self.columns.assign(missing=[f"{share:.0%}" if share else "" for share in self.columns["missing"]])
        return "\n".join([f"{self.n_rows} rows", shown.to_string(index=False), *(f"note: {one}" for one in self.notes)])


def describe(X: Any, y: Any = None, *, task: str = "auto", memory: int | str | None = None) -> Description:
    """How each column of a table is read and why, and what to check before selecting features from it.

    Parameters
    ----------
    X
        as for `entropick.select`: a table, a file, a source.
    y
        the target, values or the name of a column; without it, columns are not checked for leaks of the target.
    task
        ``"classification"``, ``"regression"``, or ``"auto"``.
    memory
        limit, such as ``"2GB"``; of a larger table the first rows are examined.

    Returns
    -------
    Description

    Examples
    --------
    >>> import entropick as ep
    >>> X = {"id": range(100), "kg": [i % 7 for i in range(100)], "g": [i % 7 * 1000 for i in range(100)]}
    >>> ep.describe(X).columns[["name", "remark"]].values.tolist()
    [['id', 'row number or identifier'], ['kg', ''], ['g', 'same order as kg']]
    """
    limit = parse_memory(memory)
    if y is not None and not isinstance(y, str):
        return _described(X, {}, y, task, ())
    with nullcontext(X) if isinstance(X, Source) else open_source(X, memory=limit) as source:
        table, notes = _first_rows(source, limit)
        return _described(table, source.why, y, task, notes)


def _first_rows(source: Source, limit: int | None) -> tuple[Table, tuple[str, ...]]:
    """The table, or as many of its first rows as fit, and a note on that."""
    limit = half_of_memory() if limit is None else limit
    size = source.memory()
    if size is None or not source.n_rows or HELD * size <= limit:
        return source.table(), ()
    rows = max(PART, source.n_rows * limit // (HELD * size))
    table = next(source.blocks(rows))
    return table, (*source.notes, f"only the first {table.n_rows} of {source.n_rows} rows were examined (memory limit)")


def _described(X: Any, why: dict[str, str], y: Any, task: str, notes: tuple[str, ...]) -> Description:
    from ..sources import as_table

    if y is None:
        table, target, name = as_table(X), None, None
    else:
        asked = learning_task(X, y, task)
        table, target, name = asked.table, asked.target, asked.name
        if target.codes.ndim != 1 or (target.values is not None and target.values.ndim > 1):
            raise InvalidParameter("y: must be one target here, got several; describe the table for each")
    health = data_health(table, target)
    told = health.columns
    fields = {
        "name": list(table.names),
        "kind": told["kind"],
        "why": [why.get(one) or WHY[kind] for one, kind in zip(table.names, told["kind"], strict=True)],
        "missing": told["missing"] / table.n_rows,
        "distinct": told["distinct"],
        "remark": told["remark"],
    }
    columns = from_columns(COLUMNS, fields)
    flat = {"constant": told["constant"], "copy": told["duplicate_of"]}
    columns["remark"] = [
        "; ".join(part for part in ("constant" * constant, f"copy of {twin}" if twin else "", remark) if part)
        for constant, twin, remark in zip(flat["constant"], flat["copy"], told["remark"], strict=True)
    ]
    return Description(table.n_rows, name, columns, tuple(dict.fromkeys((*table.notes, *notes, *health.notes))))
