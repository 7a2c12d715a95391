"""CSV, TSV and other separated text files as sources, whatever their size.

All texts of the file are looked at once, so that the kind of a column does not depend on where its odd values are.
Then every pass reads the values of the columns that are asked for.
"""

from __future__ import annotations

import codecs
import csv
import io
import lzma
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...errors import InvalidInput
from ..arrow_blocks import arrow_tables
from ..limits import check_width, half_of_memory
from ..source import Schema, Source, block_rows
from ..table import Table
from .columns import Guess, TextColumn, agreed_columns, notes_on
from .dialect import Dialect, find_dialect, not_in
from .forms import INTEGER, MISSING, Texts
from .stream import Feed, Reading, TextStream

CHUNK = 1 << 21  # bytes split into columns together; a dozen of them are read ahead
READ_AHEAD = 64  # part of the memory that a chunk may take
TALLEST = 64  # rows that a chunk has room for at least
ROW_NAMES = "the first column has no name: treated as row names and ignored"


def open_csv(
    path: Path,
    *,
    separator: str | None = None,
    encoding: str | None = None,
    missing: Sequence[str] = (),
    memory: int | None = None,
) -> CsvSource:
    """The table in a text file; ``missing`` are words for a missing value besides the usual ones."""
    dialect = find_dialect(path, separator, encoding)
    check_width(f"file: {path.name!r}", len(dialect.names), memory)
    text = TextFile(path, dialect, (*MISSING, *missing), half_of_memory() if memory is None else memory)
    return CsvSource(text, *text.look())


@dataclass(frozen=True)
class TextFile:
    """A text file that can be split into columns of texts."""

    path: Path
    dialect: Dialect
    missing: tuple[str, ...]
    memory: int

    def look(self) -> tuple[list[TextColumn], int, list[int]]:
        """What the columns hold, the number of rows, and the bytes of each column's texts."""
        guesses = [Guess(name) for name in self._names()]
        sizes = [0] * len(guesses)
        first_row = 1
        with self._stream() as stream:
            for batch in self._batches(stream, self._names()):
                for j, (guess, raw) in enumerate(zip(guesses, batch.columns, strict=True)):
                    guess.update(self.texts(raw), first_row)
                    sizes[j] += raw.nbytes
                first_row += batch.num_rows
            odd = stream.quotes % 2
        if odd and self._ends_in_a_quote():
            raise InvalidInput(f"file: {self.path.name!r} cannot be read as a table: a quotation mark is never closed")
        if first_row == 1:
            raise InvalidInput(f"file: {self.path.name!r} has column names but no rows")
        first = int(self.dialect.numbered)
        end = first + len(self.dialect.names)
        for at, guess in enumerate(guesses[end:], start=end + 1):
            if guess.forms:
                raise InvalidInput(f"file: {self.path.name!r} has no name for column {at}; name it in the first line")
        return agreed_columns(guesses[first:end], self.dialect.separator), first_row - 1, sizes[first:end]

    def batches(self, columns: Sequence[TextColumn]) -> Iterator[Any]:
        """Record batches of the columns' values."""
        import pyarrow as pa

        direct = {c.name: pa.int64() if c.form is INTEGER else pa.float64() for c in columns if c.direct}
        names = [column.name for column in columns]
        with self._stream() as stream:
            for batch in self._batches(stream, names, direct):
                arrays = [
                    raw if column.direct else column.values(self.texts(raw))
                    for column, raw in zip(columns, batch.columns, strict=True)
                ]
                yield pa.RecordBatch.from_arrays(arrays, names=names)

    def texts(self, raw: Any) -> Texts:
        return Texts(raw, self.missing, self.dialect.spaced)

    def _names(self) -> list[str]:
        """Of all columns; those at the ends without a name get one that no file has."""
        before = ["\0rows"] if self.dialect.numbered else []
        return [*before, *self.dialect.names, *(f"\0{at}" for at in range(self.dialect.nameless))]

    def _stream(self, encoding: str | None = None) -> TextStream:
        try:
            return TextStream(self.path, encoding or self.dialect.encoding, remarks=self.dialect.remarks)
        except OSError as error:  # deleted, or no longer readable, since it was looked at
            raise InvalidInput(f"file: {self.path.name!r} cannot be read ({error})") from error

    def _batches(self, stream: TextStream, names: Sequence[str], types: dict[str, Any] | None = None) -> Iterator[Any]:
        """Record batches of texts, or of the types that are given."""
        with self._told_in_a_line(), self._reading(stream, names, types or {}) as batches:
            yield from batches

    def _reading(
        self, stream: TextStream, names: Sequence[str], types: dict[str, Any], on_ragged: Any = None
    ) -> AbstractContextManager[Reading]:
        return closing(Reading(stream, lambda feed: self._reader(feed, names, types, on_ragged)))

    def _reader(self, feed: Callable[[], Feed], names: Sequence[str], types: dict[str, Any], on_ragged: Any) -> Any:
        import pyarrow as pa
        from pyarrow import csv as arrow

        header = self._names()
        return arrow.open_csv(
            feed(),
            arrow.ReadOptions(
                column_names=header,
                skip_rows=self.dialect.skip,
                block_size=self._block_size(),
                use_threads=on_ragged is None,  # only one thread knows the numbers of rows
            ),
            arrow.ParseOptions(
                delimiter=self.dialect.separator, newlines_in_values=True, invalid_row_handler=on_ragged
            ),
            arrow.ConvertOptions(
                column_types={name: types.get(name, pa.string()) for name in names},
                include_columns=list(names),
                null_values=list(self.missing),
                strings_can_be_null=True,
            ),
        )

    def _block_size(self) -> int:
        """Bytes that are split together; a row must fit."""
        return max(CHUNK, min(TALLEST * sum(map(len, self._names())), self.memory // READ_AHEAD))

    @contextmanager
    def _told_in_a_line(self) -> Iterator[None]:
        """Errors of reading as ours."""
        import pyarrow as pa

        try:
            yield
        except UnicodeError as error:
            raise not_in(self.dialect.encoding, self.path) from error
        except pa.ArrowInvalid as error:
            if "Could not skip" in str(error):  # a header without a line end
                return
            if "UTF8" in str(error):
                raise not_in(self.dialect.encoding, self.path) from error
            if "straddling" in str(error):
                what = f"a row is longer than {self._block_size() >> 20} MB; remove its longest column"
                raise InvalidInput(f"file: {self.path.name!r} cannot be read: {what}") from error
            what = self._ragged() or str(error).partition("\n")[0]
            raise InvalidInput(f"file: {self.path.name!r} cannot be read as a table: {what}") from error
        except (OSError, EOFError, lzma.LZMAError) as error:
            raise InvalidInput(f"file: {self.path.name!r} cannot be read ({error})") from error

    def _ragged(self) -> str | None:
        """What is to be said of the first row with too few or too many values."""
        import pyarrow as pa

        raw = codecs.lookup(self.dialect.encoding).name == "utf-8"  # Arrow prints a row that is not, and goes on
        found: list[Any] = []

        def remember(row: Any) -> str:
            found.append(row)
            return "error"

        with (
            suppress(pa.ArrowInvalid),  # told by what was found
            self._stream("latin-1" if raw else None) as stream,
            self._reading(stream, self._names(), {}, remember) as batches,
        ):
            for _ in batches:
                pass
        if not found:
            return None
        row = found[0]
        text = row.text.encode("latin-1").decode("utf-8", "replace") if raw else row.text
        number, some = row.number - self.dialect.skip, text.partition("\n")[0]
        return f"data row {number} has {row.actual_columns} values for {row.expected_columns} columns ({some!r:.40})"

    def _ends_in_a_quote(self) -> bool:
        """Whether the file ends before a quote does, by a reader that is strict about it."""
        with self._stream() as stream:
            text = io.TextIOWrapper(io.BufferedReader(stream), encoding="utf-8", newline="")
            try:
                for _ in csv.reader(text, delimiter=self.dialect.separator, strict=True):
                    pass
            except csv.Error as error:
                return "unexpected end" in str(error)
        return False


class CsvSource(Source):
    """The rows of one text file."""

    def __init__(self, text: TextFile, columns: Sequence[TextColumn], n_rows: int, sizes: Sequence[int]) -> None:
        schema = Schema(tuple(c.name for c in columns), tuple(c.kind for c in columns))
        vacant = frozenset(c.name for c in columns if c.vacant)
        row_names = [ROW_NAMES] if text.dialect.numbered else []
        notes = (*row_names, *text.dialect.notes, *notes_on(columns))
        super().__init__(schema, n_rows, notes=notes, vacant=vacant, why={c.name: c.why for c in columns})
        self._text = text
        self._columns = tuple(columns)
        self._sizes = tuple(sizes)
        self.text_bytes = sum(size for size, c in zip(sizes, columns, strict=True) if c.kind == "category")

    def blocks(self, rows: int | None = None, columns: Sequence[int] | None = None) -> Iterator[Table]:
        chosen = self._columns if columns is None else [self._columns[j] for j in columns]
        batches = self._text.batches(chosen)
        yield from arrow_tables(batches, block_rows(rows, len(chosen)), [column.kind for column in chosen])

    def arrow_batches(self) -> Iterator[Any]:
        yield from self._text.batches(self._columns)

    def first_texts(self) -> dict[int, str]:
        return {}  # all were looked at

    def recast(self, kinds: Sequence[str]) -> Source:
        """Categories are the texts as they are written, with their leading zeros."""
        columns = [
            column if kind == column.kind else column.recast(kind) or column
            for column, kind in zip(self._columns, kinds, strict=True)
        ]
        source = Source.recast(self._like(columns, self._sizes), kinds)
        source.why |= {
            name: "as asked" for name, old, new in zip(self.names, self.kinds, kinds, strict=True) if old != new
        }
        return source

    def select(self, columns: Sequence[int]) -> Source:
        return self._like([self._columns[j] for j in columns], [self._sizes[j] for j in columns])

    def _like(self, columns: Sequence[TextColumn], sizes: Sequence[int]) -> Source:
        return CsvSource(self._text, columns, self.n_rows or 0, sizes).hold(self)
