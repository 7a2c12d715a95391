"""Arrow record batches as blocks of a source, and back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

import numpy as np

from .frames import from_arrow
from .limits import shortened_batch, text_bytes
from .recast import conformed
from .table import Array, Table

TEXT_BYTES = 64 << 20  # of a block's texts, which may be longer than their number of rows lets expect


def arrow_tables(batches: Iterable[Any], rows: int, kinds: Sequence[str]) -> Iterator[Table]:
    """Tables of the kinds of the source, with ``rows`` rows each, fewer where texts are long and at the end."""
    start = 0
    for table in _regrouped((shortened_batch(batch, kinds) for batch in batches), rows, kinds):
        yield conformed(from_arrow(table, start), kinds, start)
        start += table.num_rows


def _regrouped(batches: Iterable[Any], rows: int, kinds: Sequence[str]) -> Iterator[Any]:
    """Arrow tables of at most ``rows`` rows and about `TEXT_BYTES` of texts; nothing is copied."""
    import pyarrow as pa

    held: list[Any] = []
    room = rows
    texts = 0
    for batch in batches:
        while batch.num_rows >= room:
            yield pa.Table.from_batches([*held, batch.slice(0, room)])
            batch, held, room, texts = batch.slice(room), [], rows, 0
        if batch.num_rows:
            held.append(batch)
            room -= batch.num_rows
            texts += text_bytes(batch, kinds)
        if texts > TEXT_BYTES:
            yield pa.Table.from_batches(held)
            held, room, texts = [], rows, 0
    if held:
        yield pa.Table.from_batches(held)


class ArrowScan:
    """Record batches as a stream that other libraries can read, from the beginning each time."""

    def __init__(self, batches: Callable[[], Iterator[Any]]) -> None:
        self._batches = batches

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        import pyarrow as pa

        batches = self._batches()
        first = next(batches)
        same = (batch if batch.schema.equals(first.schema) else batch.cast(first.schema) for batch in batches)
        reader = pa.RecordBatchReader.from_batches(first.schema, chain([first], same))
        return reader.__arrow_c_stream__(requested_schema)


def arrow_batch(table: Table) -> Any:
    """The table as an Arrow record batch; integers and booleans with gaps stay what they are."""
    import pyarrow as pa

    columns = [_arrow_array(table.column(j), table.kind(j)) for j in range(table.n_columns)]
    return pa.RecordBatch.from_arrays(columns, names=list(table.names))


def _arrow_array(values: Array, kind: str) -> Any:
    import pyarrow as pa

    if kind == "category":
        return pa.array(values, pa.string())
    if values.dtype.kind == "f" and np.isnan(values).all():
        return pa.nulls(len(values))  # says nothing about the kind of the column
    if values.dtype.kind == "f" and kind != "numeric":
        whole = {"integer": pa.int64(), "boolean": pa.bool_()}[kind]
        return pa.array(values, from_pandas=True).cast(pa.int64()).cast(whole)
    if values.dtype.kind == "f" and values.dtype.itemsize not in (4, 8):
        values = values.astype(np.float64)
    return pa.array(np.ascontiguousarray(values))
