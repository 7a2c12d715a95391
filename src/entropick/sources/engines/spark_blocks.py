"""Spark DataFrames, and pandas-on-Spark frames.

Spark hands the rows of a partition to Python as Arrow batches (``mapInArrow``), which are put together to blocks. What
is made of them is merged within the partition, then by groups of partitions, then here: always in the order of the
partitions, so that a run repeats bit for bit whatever finishes first. What is kept is a persisted frame of pickled
results, in memory and beyond that on the workers' disks. Only DataFrames are used, no RDD.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, TypeVar

from ...errors import EntropickError, InvalidInput, MissingExtra
from ..arrays import made_up
from ..blocks import Blocks, Kept, block_bytes
from ..table import Table, UnreadableValue, check_names
from ..values import date_notes
from .partitions import Ask, Make, MakeOne, Reader, frame_columns, merged, the_only

S = TypeVar("S")
P = TypeVar("P")

ROOM = 256 << 20  # bytes of coded rows that are gathered rather than asked on the workers
GROUP = 64  # partitions whose results are merged on one worker
PICKLED = "part long, value binary, failed boolean"

FAILURES = {  # what Spark says of its workers -> what to do
    "No module named 'entropick'": "X: entropick is not installed in the Python of Spark's workers; before the session"
    " starts, set PYSPARK_PYTHON to an interpreter that has it",
    "Python worker exited unexpectedly": "X: a Spark Python worker died repeatedly; give workers more memory or"
    " smaller partitions (local mode tries once only: local[2,4] tries four times)",
}

UNSUPPORTED = "NOT_SUPPORTED_WITH_SERVERLESS"

KINDS = {
    "boolean": "boolean", "byte": "integer", "short": "integer", "integer": "integer", "long": "integer",
    "float": "numeric", "double": "numeric", "decimal": "numeric", "void": "numeric",
    "string": "category", "char": "category", "varchar": "category", "binary": "category",
}  # fmt: skip
DATES = ("date", "timestamp", "timestamp_ntz", "time", "daytimeinterval")


class SparkBlocks(Blocks):
    """The partitions of a DataFrame, in blocks of a convenient size.

    ``wide`` says that there may be more partitions than this process should merge alone; a first pass tells. Under a
    memory limit workers always merge first, and blocks are smaller.
    """

    room = ROOM

    def __init__(
        self,
        frame: Any,
        names: Sequence[str],
        kinds: Sequence[str],
        notes: Sequence[str],
        target: str,
        wide: bool = True,
        memory: int | None = None,
    ) -> None:
        self.names = tuple(names)
        self.kinds = tuple(kinds)
        self.notes = tuple(notes)
        self._frame = frame.toDF(*made_up(len(names)))  # mapInArrow takes no name with a dot
        self._read = Reader(self.names, self.kinds, target)
        self._wide = wide
        self._size = block_bytes(memory)
        self.limit(memory)

    def reduce(self, make: Callable[[Table], S], merge: Callable[[S, S], S]) -> S:
        task = partial(_over_blocks, MakeOne(self._read, make, merge), self.names, self._size)
        total, many = _total(_mapped(self._frame, task), merge, self._wide)
        self._wide = many or self.memory is not None
        return total

    def keep(self, make: Callable[[Table], P]) -> Kept[P]:
        task = partial(_over_blocks, Make(self._read, make), self.names, self._size)
        return SparkParts(_mapped(self._frame, task), self._wide)

    def select(self, columns: Sequence[int]) -> SparkBlocks:
        frame = self._frame.select([self._frame.columns[j] for j in columns])
        names, kinds = ([of[j] for j in columns] for of in (self.names, self.kinds))
        return SparkBlocks(frame, names, kinds, self.notes, self._read.target, self._wide, self.memory)


class SparkParts(Kept[P]):
    """A persisted frame, one row a result. Serverless Spark persists none: results are made again when asked."""

    def __init__(self, frame: Any, wide: bool) -> None:
        from pyspark import StorageLevel

        self._frame, self._wide = frame, wide
        self._persisted = True
        try:
            frame.persist(StorageLevel.MEMORY_AND_DISK)
        except _spark_errors() as error:
            if UNSUPPORTED not in str(error):
                raise
            self._persisted = False

    def reduce(self, ask: Callable[[P], S], merge: Callable[[S, S], S]) -> S:
        task = partial(_over_results, Ask(ask, merge))
        return _total(_mapped(self._frame, task), merge, self._wide)[0]

    def close(self) -> None:
        if self._persisted:
            self._frame.unpersist()


# -- on the workers ------------------------------------------------------------------------------------------


def _mapped(frame: Any, task: Callable[[Iterator[Any]], Iterable[Any]]) -> Any:
    """The frame of what the task makes of each partition's batches, pickled."""

    def run(batches: Iterator[Any]) -> Iterator[Any]:
        from pyspark import TaskContext

        part = TaskContext.get().partitionId()
        return _pickled((part, result) for made in map(task, [batches]) for result in made)  # the task begins in there

    return frame.mapInArrow(run, PICKLED)


def _pickled(results: Iterable[tuple[int, Any]]) -> Iterator[Any]:
    """One batch a result. An error of ours travels as a result: Spark would hand on its text only."""
    import pyarrow as pa

    schema = pa.schema([("part", pa.int64()), ("value", pa.binary()), ("failed", pa.bool_())])

    def row(part: int, value: Any, failed: bool) -> Any:
        fields = {"part": part, "value": pickle.dumps(value), "failed": failed}
        return pa.RecordBatch.from_pylist([fields], schema=schema)

    try:
        for part, result in results:
            yield row(part, result, False)
    except EntropickError as error:
        yield row(0, error, True)


def _unpickled(batches: Iterable[Any]) -> Iterator[tuple[int, Any]]:
    """(partition, result) of batches that `_pickled` made; an error among them is raised."""
    for batch in batches:
        for row in batch.to_pylist():
            result = pickle.loads(row["value"])
            if row["failed"]:
                raise result
            yield row["part"], result


def _over_blocks(task: Callable[[Iterator[Any]], S], names: Sequence[str], size: int, batches: Iterable[Any]) -> S:
    return task(block.rename_columns(list(names)) for block in _blocks(batches, size))


def _over_results(task: Callable[[Iterator[Any]], S], batches: Iterable[Any]) -> S:
    return task(result for _, result in _unpickled(batches))


def _blocks(batches: Iterable[Any], size: int) -> Iterator[Any]:
    """Arrow tables of consecutive batches, ``size`` bytes together: Spark's are too small to be worth a pass each."""
    import pyarrow as pa

    held: list[Any] = []
    for batch in batches:
        held.append(batch)
        if sum(one.nbytes for one in held) >= size:
            yield pa.Table.from_batches(held)
            held = []
    if held:
        yield pa.Table.from_batches(held)


def _total(frame: Any, merge: Callable[[S, S], S], wide: bool) -> tuple[S, bool]:
    """All results in a frame of pickled ones, merged in the order of their partitions; and whether those are many."""
    from pyspark.sql import functions

    def groups(batches: Iterator[Any]) -> Iterator[Any]:
        return _pickled(_by_group(_unpickled(batches), merge))

    if wide:
        frame = frame.repartition(functions.floor(functions.col("part") / GROUP)).mapInArrow(groups, PICKLED)
    try:
        rows = frame.toArrow()
    except _spark_errors() as error:
        told = next((told for sign, told in FAILURES.items() if sign in str(error)), None)
        if told is None:
            raise
        raise InvalidInput(told) from error
    results = dict(_unpickled([rows]))
    total = the_only(merged((results[part] for part in sorted(results)), merge))
    return total, max(results) >= GROUP


def _spark_errors() -> tuple[type[Exception], ...]:
    from pyspark.errors import PySparkException

    try:
        from py4j.protocol import Py4JError
    except ImportError:  # a client of Spark Connect has no Java beside it
        return (PySparkException,)
    return PySparkException, Py4JError


def _by_group(results: Iterable[tuple[int, S]], merge: Callable[[S, S], S]) -> Iterator[tuple[int, S]]:
    """The results of every group of partitions merged, under the number of its last partition."""
    groups: dict[int, dict[int, S]] = {}
    for part, result in results:
        groups.setdefault(part // GROUP, {})[part] = result
    for found in groups.values():
        for result in merged((found[part] for part in sorted(found)), merge):
            yield max(found), result


# -- from what users have ------------------------------------------------------------------------------------


def blocks_of(X: Any, y: Any, memory: int | None = None) -> tuple[SparkBlocks, str]:
    """The blocks of a DataFrame and the name of the target, which must be one of its columns."""
    try:
        import pyarrow  # noqa: F401
    except ImportError as error:
        raise MissingExtra("pyarrow", "spark", "reading a Spark DataFrame") from error
    frame = X.to_spark() if _is_pandas(X) else X
    if not hasattr(frame, "mapInArrow"):
        raise InvalidInput(f"X: must be a Spark DataFrame, got a {type(X).__name__}; toDF() makes one of an RDD")
    if frame.isStreaming:
        raise InvalidInput(
            "X: must be a DataFrame that can be read again, got a streaming one; write it to a table first"
        )
    if not isinstance(y, str):
        raise InvalidInput(
            f"y: must be the name of a column of the Spark DataFrame, got {type(y).__name__};"
            " two frames share no row order, so join them first"
        )
    names = list(frame.columns)
    check_names(names)
    fields = frame.schema.fields
    kinds = [_kind(field.name, field.dataType) for field in fields]
    dates = date_notes(names, [field.dataType.typeName() in DATES for field in fields])
    return SparkBlocks(frame, names, kinds, dates, y, memory=memory), y


def _is_pandas(X: Any) -> bool:
    """Whether it is pandas-on-Spark. A frame of Spark Connect has an attribute, a column, of any name."""
    return hasattr(type(X), "to_spark")


def _kind(name: str, kind: Any) -> str:
    found = "numeric" if kind.typeName() in DATES else KINDS.get(kind.typeName())
    if found is None:
        hint = "pyspark.ml.functions.vector_to_array and getItem" if "vector" in kind.simpleString() else "getItem"
        raise UnreadableValue(
            f"X: every argument must be a string or a number, got {kind.simpleString()} in column {name!r};"
            f" convert it to numbers or strings ({hint}), or drop it"
        )
    return found


def columns_of(X: Any, positions: Sequence[int], names: Sequence[str]) -> Any:
    """The chosen columns, as a frame of the same kind."""
    if _is_pandas(X):
        return frame_columns(X, names)
    return X.select([quoted(name) for name in names])


def quoted(name: str) -> str:
    """A column's name as Spark reads it back, dots and all."""
    return "`" + name.replace("`", "``") + "`"
