"""Dask arrays, frames, bags of blocks and lists of delayed blocks.

A partition is a block. What is made of the blocks is made on the workers and merged there as a tree; what is kept is
persisted on them. Every task is a pure function of its partition, so a partition that is lost with its worker is
computed again from its graph, and the answer is the same. A connected ``distributed.Client`` is used, else Dask's own
scheduler of threads; those are of this process, so under a memory limit what they keep goes to disk beyond it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from ...errors import InvalidInput
from ..blocks import Blocks, Kept, kept_here
from ..table import Table, check_names, check_shape, library, stored_table
from .partitions import (
    Ask,
    Make,
    MakeOne,
    Outline,
    Reader,
    as_frame,
    frame_columns,
    merged,
    new_name,
    outline,
    the_only,
)

S = TypeVar("S")
P = TypeVar("P")

FAN_IN = 8  # results merged by one task
ROOM = 256 << 20  # bytes of coded rows that are gathered rather than asked on the workers


@dataclass(frozen=True)
class Parts:
    """A collection's partitions, delayed, and what their columns are.

    ``frame`` is the Dask frame they come from, where they do: it can be read again with fewer columns.
    """

    delayed: tuple[Any, ...]
    outline: Outline
    frame: Any = None


class DaskBlocks(Blocks):
    """Delayed partitions, each a block or a list of blocks."""

    room = ROOM

    def __init__(self, parts: Parts, target: str, memory: int | None = None) -> None:
        self.names = parts.outline.names
        self.kinds = parts.outline.kinds
        self.notes = parts.outline.notes
        self._parts = parts
        self._read = Reader(self.names, self.kinds, target)
        self.limit(memory)

    def reduce(self, make: Callable[[Table], S], merge: Callable[[S, S], S]) -> S:
        return _total(self._parts.delayed, MakeOne(self._read, make, merge), merge)

    def keep(self, make: Callable[[Table], P]) -> Kept[P]:
        import dask

        results = _each(Make(self._read, make), self._parts.delayed)
        if self.memory is None or _has_workers():
            return DaskParts(dask.persist(*results))
        groups = (dask.compute(*results[i : i + FAN_IN]) for i in range(0, len(results), FAN_IN))
        return kept_here((result for group in groups for found in group for result in found), self.room)

    def select(self, columns: Sequence[int]) -> DaskBlocks:
        before, delayed, frame = self._parts.outline, self._parts.delayed, self._parts.frame
        if frame is not None:
            frame = frame[[frame.columns[j] for j in columns]]
            delayed = tuple(frame.to_delayed())
        fewer = Outline(tuple(before.names[j] for j in columns), tuple(before.found[j] for j in columns), before.notes)
        return DaskBlocks(Parts(delayed, fewer, frame), self._read.target, self.memory)


class DaskParts(Kept[P]):
    """Persisted results, one list a partition."""

    def __init__(self, parts: Sequence[Any]) -> None:
        self._parts = tuple(parts)

    def reduce(self, ask: Callable[[P], S], merge: Callable[[S, S], S]) -> S:
        return _total(self._parts, Ask(ask, merge), merge)

    def close(self) -> None:
        self._parts = ()  # Dask forgets what nothing refers to


def _has_workers() -> bool:
    """Whether a client is connected, so that results are persisted in other processes than this."""
    from dask.base import get_scheduler

    return hasattr(getattr(get_scheduler(), "__self__", None), "scheduler_info")


def _total(parts: Sequence[Any], task: Callable[[Any], list[S]], merge: Callable[[S, S], S]) -> S:
    """What the task finds in the partitions, merged by a tree of fixed shape."""
    import dask

    join = dask.delayed(_join, pure=False)
    results = _each(task, parts)
    while len(results) > 1:
        results = [join(results[i : i + FAN_IN], merge) for i in range(0, len(results), FAN_IN)]
    out: S = the_only(dask.compute(*results)[0])
    return out


def _each(task: Callable[[Any], Any], parts: Sequence[Any]) -> list[Any]:
    """The task for every partition. It is a node of the graph, so it travels to each worker once."""
    import dask

    shared = dask.delayed(task, pure=False, traverse=False)
    call = dask.delayed(_call, pure=False)
    return [call(shared, part) for part in parts]


def _call(task: Callable[[Any], Any], part: Any) -> Any:
    return task(part)


def _join(results: list[list[S]], merge: Callable[[S, S], S]) -> list[S]:
    return merged((result for found in results for result in found), merge)


# -- from what users have ------------------------------------------------------------------------------------


def blocks_of(X: Any, y: Any, memory: int | None = None) -> tuple[DaskBlocks, str]:
    """The blocks of X and the name of the target in them.

    ``y`` is a column's name; a series, an array or a list of delayed values, in partitions as X is; or, for an array
    X, values in memory.
    """
    if y is None:
        raise InvalidInput("y: entropick requires y to be passed, but the target y is None; pass a column name")
    features = _parts(X)
    if isinstance(y, str) or (np.isscalar(y) and hasattr(X, "columns")):
        return DaskBlocks(features, str(y), memory), str(y)
    name = new_name(y.name if hasattr(y, "to_frame") else None, features.outline.names)
    target = _target_parts(_chunked(y, X) if hasattr(X, "rechunk") and library(y) != "dask" else y, name)
    if len(features.delayed) != len(target.delayed):
        raise InvalidInput(
            f"y: must be split into partitions as X is, got {len(target.delayed)} for {len(features.delayed)};"
            " repartition (rechunk) it, or make it a column of X"
        )
    import dask

    pair = dask.delayed(_pair, pure=False)
    both = tuple(pair(*parts) for parts in zip(features.delayed, target.delayed, strict=True))
    left, right = features.outline, target.outline
    columns = Outline(left.names + right.names, left.found + right.found, left.notes + right.notes)
    return DaskBlocks(Parts(both, columns), name, memory), name


def columns_of(X: Any, positions: Sequence[int], names: Sequence[str]) -> Any:
    """The chosen columns, as the same kind of array or frame."""
    if hasattr(X, "columns"):
        return frame_columns(X, names)
    if hasattr(X, "rechunk"):
        return X[:, list(positions)]
    raise InvalidInput(
        f"X: columns can be selected from a Dask array or a Dask or Spark frame, got a {type(X).__name__};"
        " select them in each block"
    )


def _pair(features: Any, target: Any) -> tuple[Any, Any]:
    return features, target


def _parts(X: Any) -> Parts:
    """Partitions of an array, a frame, a bag or a list of delayed blocks."""
    if isinstance(X, (list, tuple)):
        if not all(hasattr(block, "key") and library(block) == "dask" for block in X):
            raise InvalidInput("X: a list of blocks must hold dask.delayed objects only")
        return _read_parts(X)
    if hasattr(X, "columns") and X.ndim == 2:
        return _frame_parts(X)
    if hasattr(X, "rechunk"):
        return _array_parts(X)
    if hasattr(X, "to_dataframe"):
        import dask

        return _read_parts([dask.delayed(list, pure=False)(part) for part in X.to_delayed()])
    raise InvalidInput(
        f"X: must be a Dask array, frame, bag of blocks or list of delayed blocks, got a {type(X).__name__};"
        " pass a single column as a one-column frame"
    )


def _read_parts(delayed: Sequence[Any]) -> Parts:
    """Partitions whose columns are known only once they have been read."""
    return Parts(tuple(delayed), _total(delayed, outline, Outline.merge))


def _frame_parts(X: Any) -> Parts:
    import pandas as pd

    names = [str(label) for label in X.columns]
    check_names(names)
    check_shape(1, len(names))
    made = {label: _made_up(X._meta[label]) for label in X.columns}
    loose = [label for label, column in made.items() if column is None]
    sure = {str(label): column for label, column in made.items() if column is not None}
    outlines = [Outline.of(stored_table(pd.DataFrame(sure)))] if sure else []
    if loose:
        outlines.append(_total(X[loose].to_delayed(), outline, Outline.merge))
    kinds = {name: kind for one in outlines for name, kind in zip(one.names, one.found, strict=True)}
    notes = tuple(note for one in outlines for note in one.notes)
    return Parts(tuple(X.to_delayed()), Outline(tuple(names), tuple(kinds[name] for name in names), notes), X)


def _made_up(column: Any) -> Any:
    """A few made-up values of a pandas column's dtype; None where that does not tell what the values are."""
    from dask.dataframe.utils import meta_nonempty

    if column.dtype == np.dtype(object):
        return None
    try:
        return meta_nonempty(column)
    except TypeError:  # intervals, of which Dask has no example
        return None


def _array_parts(X: Any) -> Parts:
    if X.ndim != 2:
        raise InvalidInput(f"X: Expected 2D array, got {X.ndim}D array instead. Reshape your data: X.reshape(-1, 1)")
    if np.isnan(X.shape[1]) or (X.numblocks[1] > 1 and np.isnan(X.shape[0])):
        raise InvalidInput(
            "X: a Dask array must have chunks of known sizes, unless it is split by rows only;"
            " got unknown ones, call X.compute_chunk_sizes()"
        )
    delayed = X.rechunk({1: -1}).to_delayed() if X.numblocks[1] > 1 else X.to_delayed()
    if X.dtype == np.dtype(object):
        return _read_parts(delayed.ravel())
    return Parts(tuple(delayed.ravel()), Outline.of(stored_table(np.zeros((1, X.shape[1]), X.dtype))))


def _target_parts(y: Any, name: str) -> Parts:
    """Partitions of a target that came apart from the features, each a frame of one column."""
    import dask

    listed = isinstance(y, (list, tuple)) and bool(y) and all(library(part) == "dask" for part in y)
    if not listed and not (library(y) == "dask" and hasattr(y, "dtype")):
        raise InvalidInput(
            f"y: must be the name of a column of X or a Dask series or array, got a {type(y).__name__};"
            " dask.array.from_array makes one"
        )
    if not listed and (y.ndim > 2 or (y.ndim == 2 and y.shape[1] != 1)):
        raise InvalidInput(f"y: y should be a 1d array, got {y.ndim}-D; several targets are not supported")
    delayed = list(y) if listed else np.ravel(np.array(y.to_delayed(), dtype=object))
    framed = dask.delayed(as_frame, pure=False)
    frames = [framed(part, name) for part in delayed]
    if listed or y.dtype == np.dtype(object):
        return _read_parts(frames)
    sample = _made_up(y._meta) if hasattr(y, "to_frame") else np.zeros(1, y.dtype)
    if sample is None:
        return _read_parts(frames)
    return Parts(tuple(frames), Outline.of(stored_table(as_frame(sample, name))))


def _chunked(y: Any, X: Any) -> Any:
    """Values in memory, split as the rows of X are."""
    import dask.array as da

    values = np.asarray(y)
    if np.isnan(X.shape[0]):
        raise InvalidInput(
            "y: X has chunks of unknown sizes, so values in memory cannot be split as it is;"
            " call X.compute_chunk_sizes(), or give a Dask array"
        )
    if values.ndim != 1 or len(values) != X.shape[0]:
        raise InvalidInput(f"y: must have one value per row of X, got shape {values.shape} for {X.shape[0]} rows")
    return da.from_array(values, chunks=(X.chunks[0],))
