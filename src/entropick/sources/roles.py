"""What every column is taken for, found before the work starts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .source import Source
from .table import Array

LOOKED_AT = 10_000  # rows
FEWEST = 20  # rows that can make a column look like an identifier
ID_NAME = re.compile(r"(^|[\W_])(id|uuid|guid|key|index|nr|no|number)$|^unnamed: 0$|[a-z]I[Dd]$")


@dataclass(frozen=True)
class Roles:
    """Names of columns by what they are used for; ``suspects`` are features that look like identifiers."""

    target: str
    target_kind: str
    numbers: tuple[str, ...]
    categories: tuple[str, ...]
    empty: tuple[str, ...]
    suspects: tuple[str, ...]


def find_roles(source: Source, target: str) -> Roles:
    """The roles of a source's columns; identifiers are noticed from its first rows."""
    features = [j for j, name in enumerate(source.names) if name != target]

    def named(wanted: Sequence[str]) -> tuple[str, ...]:
        return tuple(
            source.names[j] for j in features if source.kinds[j] in wanted and source.names[j] not in source.vacant
        )

    return Roles(
        target,
        source.kinds[source.names.index(target)],
        numbers=named(("numeric", "integer", "boolean")),
        categories=named(("category",)),
        empty=tuple(source.names[j] for j in features if source.names[j] in source.vacant),
        suspects=_suspects(source, [j for j in features if source.kinds[j] in ("integer", "category")]),
    )


def _suspects(source: Source, columns: list[int]) -> tuple[str, ...]:
    """Those of the columns that number or name the rows."""
    block = next(source.blocks(LOOKED_AT, columns), None) if columns else None
    if block is None or block.n_rows < FEWEST:
        return ()
    return tuple(name for j, name in enumerate(block.names) if _is_identifier(name, block.kind(j), block.column(j)))


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
