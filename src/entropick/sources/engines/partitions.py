"""Partitions: what Dask and Spark hold, read where it is as blocks of the same columns of the same kinds.

A partition is a frame, an array, a pair (features, target) of those, or several such blocks in a list. Both engines
send the small classes of this file to their workers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np
import pandas as pd

from ...errors import InvalidInput
from ..recast import conformed, joined
from ..side_by_side import SideBySide
from ..table import Table, stored_table

S = TypeVar("S")
P = TypeVar("P")

# -- on the workers ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Reader:
    """Reads a partition as tables of exactly these names and kinds; blocks without rows are left out.

    ``target`` is the name of what comes second in a pair.
    """

    names: tuple[str, ...]
    kinds: tuple[str, ...]
    target: str

    def __call__(self, part: Any) -> Iterator[Table]:
        for table in read_part(part, self.target):
            chosen = table if table.names == self.names else table.select(self._places(table))
            for j, kind in enumerate(self.kinds):
                if common(kind, chosen.kind(j)) != kind and not is_vacant(chosen, j):
                    raise InvalidInput(
                        f"X: column {self.names[j]!r} must be {kind} in every partition, got {chosen.kind(j)} values in"
                        " one; convert it first (astype, cast)"
                    )
            yield conformed(chosen, self.kinds)

    def _places(self, table: Table) -> list[int]:
        places = {name: j for j, name in enumerate(table.names)}
        absent = next((name for name in self.names if name not in places), None)
        if absent is not None:
            raise InvalidInput(f"X: every block must have the same columns, got one without {absent!r}")
        return [places[name] for name in self.names]


@dataclass(frozen=True)
class Make(Generic[P]):
    """Partition -> what is made of each of its blocks."""

    read: Reader
    make: Callable[[Table], P]

    def __call__(self, part: Any) -> list[P]:
        return [self.make(table) for table in self.read(part)]


@dataclass(frozen=True)
class Ask(Generic[P, S]):
    """What is kept of a partition -> its answers, merged: a list of one, or of none where nothing is kept."""

    ask: Callable[[P], S]
    merge: Callable[[S, S], S]

    def __call__(self, kept: Iterable[P]) -> list[S]:
        return merged(map(self.ask, kept), self.merge)


@dataclass(frozen=True)
class MakeOne(Generic[S]):
    """Partition -> what is made of its blocks, merged: a list of one, or of none where it has no rows."""

    read: Reader
    make: Callable[[Table], S]
    merge: Callable[[S, S], S]

    def __call__(self, part: Any) -> list[S]:
        return merged(map(self.make, self.read(part)), self.merge)


def merged(results: Iterable[S], merge: Callable[[S, S], S]) -> list[S]:
    """All results as one, from left to right, in a list; an empty list where there is none."""
    total: list[S] = []
    for result in results:
        total = [merge(total[0], result)] if total else [result]
    return total


def the_only(total: list[S]) -> S:
    """The merged result; no partition had a row where there is none."""
    if not total:
        raise InvalidInput("X: Found array with 0 sample(s) while a minimum of 1 is required.")
    return total[0]


# -- one block -----------------------------------------------------------------------------------------------


def read_part(part: Any, target: str) -> Iterator[Table]:
    """The tables of a partition's blocks that have rows."""
    for block in part if isinstance(part, (list, Iterator)) else [part]:
        table = _pair(block[0], block[1], target) if isinstance(block, tuple) else _table(block)
        if table is not None:
            yield table


def _table(block: Any) -> Table | None:
    empty = getattr(block, "ndim", 2) == 2 and getattr(block, "shape", (1,))[0] == 0
    return None if empty else stored_table(block)


def _pair(features: Any, values: Any, target: str) -> Table | None:
    left, right = _table(features), _table(as_frame(values, target))
    rows, given = (0 if table is None else table.n_rows for table in (left, right))
    if rows != given:
        raise InvalidInput(
            f"y: must be split into partitions as X is, got {given} values for a partition of {rows} rows;"
            " repartition it, or make it a column of X"
        )
    return None if left is None or right is None else SideBySide(left, right, named=left.named)


def as_frame(values: Any, name: str) -> Any:
    """A column of values as a frame of that one column."""
    values = values if hasattr(values, "dtype") else np.asarray(values)
    return pd.DataFrame({name: values.reshape(-1) if isinstance(values, np.ndarray) else values})


# -- names and kinds -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Outline:
    """What the columns of a block are. The kind of a column without any value is None: it fits every other."""

    names: tuple[str, ...]
    found: tuple[str | None, ...]
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, table: Table) -> Outline:
        found = (None if is_vacant(table, j) else table.kind(j) for j in range(table.n_columns))
        return cls(table.names, tuple(found), table.notes)

    @property
    def kinds(self) -> tuple[str, ...]:
        return tuple(kind or "numeric" for kind in self.found)

    def merge(self, other: Outline) -> Outline:
        """Of both blocks together."""
        if self.names != other.names:
            odd = set(self.names) ^ set(other.names) or {"another order"}
            raise InvalidInput(f"X: every block must have the same columns, got {min(odd)!r} in some only")
        kinds = tuple(common(one, two) for one, two in zip(self.found, other.found, strict=True))
        return Outline(self.names, kinds, tuple(dict.fromkeys(self.notes + other.notes)))


def outline(part: Any, target: str = "y") -> list[Outline]:
    """The outline of a partition, in a list; an empty one where it has no rows."""
    return merged(map(Outline.of, read_part(part, target)), Outline.merge)


def is_vacant(table: Table, j: int) -> bool:
    """Whether the column holds nothing but gaps."""
    return table.kind(j) == "numeric" and bool(np.isnan(table.column(j)).all())


def common(one: str | None, two: str | None) -> str | None:
    """The kind of an array that holds values of both kinds."""
    if one is None or two is None or one == two:
        return two if one is None else one
    return "category" if joined([one, two]) == "category" else "numeric"


def new_name(wanted: Any, taken: Sequence[str]) -> str:
    """A name for a target that came apart from the features: its own, or ``y``, with ``_`` until it is new."""
    name = wanted if isinstance(wanted, str) and wanted else "y"
    while name in taken:
        name += "_"
    return name


def frame_columns(X: Any, names: Sequence[str]) -> Any:
    """Columns of a frame with pandas' interface, whose labels need not be text."""
    labels = {str(label): label for label in X.columns}
    return X[[labels[name] for name in names]]
