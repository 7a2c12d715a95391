"""Two tables as one, by a key that both have: measurements in one file, what is to be predicted in another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..errors import InvalidInput, InvalidParameter, closest
from .annotated import AnnotatedSource
from .recast import conformed
from .side_by_side import side_by_side
from .source import Source, TableSource
from .table import Array, Column, ColumnTable, Table, distinct_names
from .values import listed


def joined_by(left: Source, right: Source, key: str) -> Source:
    """The rows of the first source that have one of the same key in the second, with the columns of both but the key.

    A note tells what has no partner on either side; a key that comes twice in the second is an error.
    """
    for source, which in ((left, "the table"), (right, "the joined table")):
        if key not in source.names:
            raise InvalidParameter(
                f"on: {which} has no column {key!r}.{closest(key, source.names)}{_turned(left, right)}"
            )
    if left.aside:
        first, second = left.select([left.names.index(key)]).table(), right.table()
    else:
        first, second = left.table(), right.table()
    own, others = _keys(first, key), _keys(second, key)
    at: dict[str, int] = {}
    for row, text in enumerate(others):
        if text is not None and at.setdefault(text, row) != row:
            raise InvalidInput(f"on: {key!r} must be unique in the joined table, got {text!r} more than once")
    pairs = [(row, at[text]) for row, text in enumerate(own) if text is not None and text in at]
    if not pairs:
        raise InvalidInput(
            f"on: no value of {key!r} is in both tables ({listed(_some(own))}; {listed(_some(others))})"
            f"{_turned(left, right)}"
        )
    rows = [np.array(side, dtype=np.intp) for side in zip(*pairs, strict=True)]
    notes = [*first.notes, *second.notes, *_lonely(key, own, others)]
    if isinstance(left, AnnotatedSource):
        return left.with_beside(_beside(left, second, rows), rows[0], list(dict.fromkeys(notes))).hold(right)
    parts = [_without(table, key).take(some) for table, some in zip((first, second), rows, strict=True)]
    names, twice = distinct_names([name for part in parts for name in part.names])
    columns = [Column(part.kind(j), _loader(part, j)) for part in parts for j in range(part.n_columns)]
    table = ColumnTable(names, columns, len(pairs), notes=list(dict.fromkeys([*notes, *twice])))
    source = TableSource(table)
    source.why = {name: why for name, why in {**right.why, **left.why}.items() if name in names}
    return source.hold(left).hold(right)


def _beside(left: AnnotatedSource, second: Table, rows: Sequence[Any]) -> Table:
    """What both know of the rows; of a name that both have, the joined table's is taken."""
    known = left.beside()
    assert known is not None
    own = [j for j, name in enumerate(known.names) if name not in second.names]
    parts = [known.select(own).take(rows[0])] if own else []
    columns = [part for part in (*parts, second.take(rows[1])) if part.n_columns]
    return side_by_side(columns)


def _lonely(key: str, own: Sequence[str | None], others: Sequence[str | None]) -> list[str]:
    """What has no partner on either side, in words."""
    here, there = set(own), set(others)
    lone = [text for text in own if text is None or text not in there]
    extra = [text for text in others if text is None or text not in here]
    notes = []
    for count, where in ((lone, "joined table"), (extra, "table")):
        if count:
            lost = "1 row" if len(count) == 1 else f"{len(count)} rows"
            notes.append(f"{lost} left out, as {key!r} has no match in the {where}: {listed(_some(count))}")
    return notes


def _loader(part: Table, j: int) -> Callable[[], Array]:
    return lambda: part.column(j)


def _without(table: Table, key: str) -> Table:
    kept = [j for j, name in enumerate(table.names) if name != key]
    if not kept:
        raise InvalidInput(f"on: a table has no column besides {key!r}, so there is nothing to join")
    return table.select(kept)


def _keys(table: Table, key: str) -> list[str | None]:
    """The keys as texts: 7 in one file and "7" in the other are the same."""
    j = table.names.index(key)
    column: Array = conformed(table.select([j]), ["category"]).column(0)
    return [None if text is None else str(text).strip() for text in column.tolist()]


def _some(texts: Sequence[str | None]) -> list[str]:
    return ["" if text is None else text for text in texts]


def _turned(left: Source, right: Source) -> str:
    """A word on a first table whose columns are named as the second's rows are."""
    texts = [j for j, kind in enumerate(right.kinds) if kind in ("category", "integer")]
    block = next(right.blocks(1000, texts), None) if texts else None
    for at in range(0 if block is None else len(texts)):
        assert block is not None
        found = {str(value) for value in block.column(at).tolist()}
        if len(found & set(left.names)) > len(left.names) // 2:
            return "; its columns match the rows of the joined table: swap them with --transpose (transpose=)"
    return ""
