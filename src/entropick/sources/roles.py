"""What every column is taken for, found before the work starts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .source import Source
from .table import Array, Table

LOOKED_AT = 10_000  # rows
FEWEST = 20  # rows that can make a column look like an identifier
ID_NAME = re.compile(r"(?i:(^|[\W_])(id|uuid|guid|key|index|nr|no|number)$|^unnamed: 0$)|[a-z]I[Dd]$")


@dataclass(frozen=True)
class Roles:
    """Names of columns by what they are used for; ``suspects`` are features that look like identifiers.

    ``distinct`` values of the target were counted in the first rows; ``whole``: all of its values are whole numbers, so
    that they may be classes or a quantity; ``counted`` rows were looked at, of ``n_rows`` (None: not known).
    """

    target: str
    target_kind: str
    numbers: tuple[str, ...]
    categories: tuple[str, ...]
    empty: tuple[str, ...]
    suspects: tuple[str, ...]
    distinct: int = 0
    whole: bool = False
    counted: int = 0
    n_rows: int | None = None


def find_roles(source: Source, target: str) -> Roles:
    """The roles of a source's columns; identifiers are noticed from its first rows."""
    features = [j for j, name in enumerate(source.names) if name != target]

    def named(wanted: Sequence[str]) -> tuple[str, ...]:
        return tuple(
            source.names[j] for j in features if source.kinds[j] in wanted and source.names[j] not in source.vacant
        )

    at = source.names.index(target)
    looked_at = [j for j in features if source.kinds[j] in ("integer", "category")]
    block = next(source.blocks(LOOKED_AT, [*looked_at, at]), None)
    distinct, whole = (0, False) if block is None else _whole(block, len(looked_at), source.n_rows)
    return Roles(
        target,
        source.kinds[at],
        numbers=named(("numeric", "integer", "boolean")),
        categories=named(("category",)),
        empty=tuple(source.names[j] for j in features if source.names[j] in source.vacant),
        suspects=() if block is None else _suspects(block, len(looked_at)),
        distinct=distinct,
        whole=whole,
        counted=0 if block is None else block.n_rows,
        n_rows=source.n_rows,
    )


def _whole(block: Table, at: int, n_rows: int | None) -> tuple[int, bool]:
    """How many values column ``at``, the target, has, and whether all are whole numbers; no where that is not known."""
    kind = block.kind(at)
    if kind not in ("integer", "numeric"):
        return 0, False
    values = block.column(at)
    known = values[~np.isnan(values)] if values.dtype.kind == "f" else values
    whole = kind == "integer" or (n_rows == len(values) and bool((known == np.floor(known)).all()))
    return len(np.unique(known)), whole


def _suspects(block: Table, columns: int) -> tuple[str, ...]:
    """Those of the first columns that number or name the rows."""
    if block.n_rows < FEWEST:
        return ()
    names = block.names[:columns]
    return tuple(name for j, name in enumerate(names) if _is_identifier(name, block.kind(j), block.column(j)))


def row_labels(table: Table) -> tuple[str, ...]:
    """Columns of integers and texts that number or name the rows, as far as the first rows tell."""
    columns = [j for j in range(table.n_columns) if table.kind(j) in ("integer", "category")]
    if not columns or table.n_rows < FEWEST:
        return ()
    few = table.select(columns).take(np.arange(FEWEST))  # tells of nearly all columns that they do not
    columns = [j for at, j in enumerate(columns) if _is_identifier(few.names[at], few.kind(at), few.column(at))]
    if not columns:
        return ()
    return _suspects(table.select(columns).take(np.arange(min(table.n_rows, LOOKED_AT))), len(columns))


def _is_identifier(name: str, kind: str, values: Array) -> bool:
    """Texts that all differ; integers that count the rows; integers that all differ, by a telling name."""
    if kind == "category":
        texts = values.tolist()
        return None not in texts and len(set(texts)) == len(texts)
    if values.dtype.kind == "f":  # some are missing
        return False
    if (np.diff(values.astype(np.int64)) == 1).all():
        return True
    return ID_NAME.search(name) is not None and len(np.unique(values)) == len(values)
