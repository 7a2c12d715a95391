"""Parquet and Arrow (Feather, IPC) files as sources; only the columns that are asked for are read."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ..errors import InvalidInput, MissingExtra
from .arrow_blocks import arrow_tables
from .frames import arrow_kind
from .limits import BATCH_BYTES, LONGEST
from .source import DATES, Schema, Source, block_rows, first_texts
from .table import Table, check_names
from .values import date_notes

BUFFER = 1 << 16  # bytes of each column that are read at a time, however large the row groups are
SAMPLE = 16  # rows that tell how long texts are
LONG_BYTES = 1 << 21  # of rows with long texts that are read together: their page is in memory beside them
ROW_NUMBERS = re.compile("__index_level_[0-9]+__")  # what pandas writes for an index without a name


class ArrowFileSource(Source):
    """The rows of one file whose columns have Arrow types."""

    form: str

    def __init__(self, path: Path) -> None:
        self._path = path
        with self._told_in_a_line():
            arrow, n_rows = self._look()
            arrow.names  # noqa: B018  decoded only now
        check_names(arrow.names)
        self._fields = arrow.names
        fields = [field for field in arrow if not ROW_NUMBERS.fullmatch(field.name)]
        names = tuple(field.name for field in fields)
        read = [arrow_kind(field.type, field.name) for field in fields]
        super().__init__(
            Schema(names, tuple(kind for kind, _ in read)),
            n_rows,
            notes=date_notes(names, [dates for _, dates in read]),
            vacant=frozenset(field.name for field in fields if str(field.type) == "null"),
            why={
                field.name: DATES if dates else f"stored as {field.type}"
                for field, (_, dates) in zip(fields, read, strict=True)
            },
        )
        self._free = [j for j, field in enumerate(fields) if _is_text(field.type)]
        if n_rows == 0:
            raise InvalidInput(f"file: {path.name!r} has column names but no rows")

    def blocks(self, rows: int | None = None, columns: Sequence[int] | None = None) -> Iterator[Table]:
        wanted = list(range(self.n_columns) if columns is None else columns)
        size = block_rows(rows, len(wanted))
        return arrow_tables(self._read(wanted, size), size, [self.kinds[j] for j in wanted])

    def first_texts(self) -> dict[int, str]:
        return first_texts(self, self._free)

    def arrow_batches(self) -> Iterator[Any]:
        return self._read(list(range(self.n_columns)), block_rows(None, self.n_columns))

    def _read(self, columns: list[int], rows: int) -> Iterator[Any]:
        names = [self.names[j] for j in columns]
        with self._told_in_a_line():
            for batch in self._batches(names, rows):
                yield batch.select(names)

    @contextmanager
    def _told_in_a_line(self) -> Iterator[None]:
        try:
            import pyarrow as pa
        except ImportError as error:
            raise MissingExtra("pyarrow", "cli", f"reading {self.form}") from error
        try:
            yield
        except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
            line = str(error).partition("\n")[0]
            raise InvalidInput(f"file: {self._path.name!r} is not a readable {self.form} file ({line})") from error

    @abstractmethod
    def _look(self) -> tuple[Any, int]:
        """The Arrow schema and the number of rows."""
        ...

    @abstractmethod
    def _batches(self, names: list[str], rows: int) -> Iterator[Any]:
        """Record batches with these columns, in any order, of about this many rows."""
        ...


class ParquetSource(ArrowFileSource):
    form = "Parquet"

    def arrow_scan(self) -> Any:
        """A dataset, of which a query reads the columns it needs."""
        from pyarrow import dataset

        return dataset.dataset(str(self._path.absolute()), format="parquet")  # a name may look like an address

    def _look(self) -> tuple[Any, int]:
        import pyarrow.parquet as pq

        with pq.ParquetFile(self._path.absolute()) as file:
            return file.schema_arrow, file.metadata.num_rows

    def memory(self) -> int | None:
        """Texts take what they take in the file, unpacked, at least."""
        import pyarrow.parquet as pq

        with self._told_in_a_line(), pq.ParquetFile(self._path.absolute()) as file:
            texts = [name for name, kind in zip(self.names, self.kinds, strict=True) if kind == "category"]
            groups = range(file.metadata.num_row_groups) if texts else ()
            for group in groups:
                next(file.iter_batches(1, row_groups=[group], columns=texts), None)  # see `_stored`
            self.text_bytes = sum(_stored(file, group, texts) for group in groups)
        return super().memory()

    def _batches(self, names: list[str], rows: int) -> Iterator[Any]:
        import pyarrow as pa
        import pyarrow.parquet as pq

        # without a buffer every column of a row group is read whole; pre_buffer reads all at once: both are slower too
        with pq.ParquetFile(self._path.absolute(), pre_buffer=False, buffer_size=BUFFER) as file:
            texts = [name for name in names if _is_text(file.schema_arrow.field(name).type)]
            size = min(rows, max(1, self.n_rows or 1))
            for group in range(file.metadata.num_row_groups) if texts else ():
                fitting = self._rows_that_fit(file, group, texts)
                for batch in file.iter_batches(min(size, fitting), row_groups=[group], columns=names):
                    for name in texts:
                        batch.column(name).validate(full=True)  # texts need not be texts
                    yield batch
                    if fitting < size:  # a page of long texts is large enough: no freed one beside it
                        pa.default_memory_pool().release_unused()
            if not texts:
                yield from file.iter_batches(size, columns=names)

    def _rows_that_fit(self, file: Any, group: int, texts: list[str]) -> int:
        """Rows of a row group that may be read together: its texts may be long, and a dictionary may repeat them."""
        about = file.metadata.row_group(group)
        if not about.num_rows:
            return 1
        some = next(file.iter_batches(SAMPLE, row_groups=[group], columns=texts), None)
        stored = _stored(file, group, texts)
        seen = 0 if some is None or not some.num_rows else some.nbytes / some.num_rows
        each = max(seen, stored / about.num_rows, 1)
        return max(1, int((LONG_BYTES if each > LONGEST else BATCH_BYTES) / each))


def _stored(file: Any, group: int, columns: Sequence[str]) -> int:
    """Bytes of columns in a row group, unpacked; of columns that a row was read from.

    Who asks for a damaged column before reading from it ends the process: Arrow's error has no way into Python there.
    """
    about, schema = file.metadata.row_group(group), file.schema
    places = [j for j in range(len(schema)) if schema.column(j).path in columns]
    return sum(about.column(j).total_uncompressed_size for j in places)


class IpcSource(ArrowFileSource):
    form = "Arrow"

    def _look(self) -> tuple[Any, int]:
        with self._open() as reader:
            return reader.schema, sum(batch.num_rows for batch in _each(reader))

    def _batches(self, names: list[str], rows: int) -> Iterator[Any]:
        with self._open([self._fields.index(name) for name in names]) as reader:
            for batch in _each(reader):
                batch.validate(full=True)  # a damaged file may point anywhere
                yield batch

    @contextmanager
    def _open(self, fields: Sequence[int] = ()) -> Iterator[Any]:
        """A reader of the random-access format, which Feather is too, or of a stream."""
        import pyarrow as pa

        options = pa.ipc.IpcReadOptions(included_fields=list(fields))
        with pa.memory_map(str(self._path)) as file:
            is_stream = file.read(6) != b"ARROW1"
            file.seek(0)
            opened = pa.ipc.open_stream(file, options=options) if is_stream else pa.ipc.open_file(file, options=options)
            with opened as reader:
                yield reader


def _is_text(dtype: Any) -> bool:
    from pyarrow import types

    return bool(types.is_string(dtype) or types.is_large_string(dtype) or types.is_binary(dtype))


def _each(reader: Any) -> Iterator[Any]:
    """The record batches of either reader."""
    if hasattr(reader, "get_batch"):
        return (reader.get_batch(i) for i in range(reader.num_record_batches))
    return iter(reader)
