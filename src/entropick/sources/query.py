"""The answer to an SQL query, over files, over a DuckDB or SQLite database, or over JSON lines."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from ..errors import InvalidInput, InvalidParameter, MissingExtra
from .arrays import from_columns
from .arrow_blocks import arrow_batch
from .source import Source, block_rows
from .spool import TemporaryFolder, spool
from .values import listed, objects

SQLITE = b"SQLite format 3\0"
LARGEST = 1 << 16  # rows of a batch
LEAST_MEMORY = 64 << 20  # bytes without which DuckDB does nothing


def query_source(source: Source, sql: str, memory: int | None = None) -> Source:
    """The answer to a query over a source, which it knows as ``data``."""
    with _connected(":memory:", memory, "sql") as connection:
        connection.register("data", source.arrow_scan())
        return _answer(connection, sql)


def query_database(path: Path, sql: str | None, memory: int | None = None) -> Source:
    """The answer to a query over a database file; without a query its only table."""
    with open(path, "rb") as file:
        is_sqlite = file.read(len(SQLITE)) == SQLITE
    if is_sqlite:
        return _sqlite_answer(path, sql)
    with _connected(str(path), memory, f"file: {path.name!r}") as connection:
        tables = [str(row[0]) for row in connection.sql("SHOW TABLES").fetchall()]
        return _answer(connection, sql or _only_table(path, tables))


def read_json(path: Path, memory: int | None = None) -> Source:
    """A file of JSON objects, one a line or in a list; a field with values of several types is a category."""
    with _connected(":memory:", memory, f"file: {path.name!r}") as connection:
        return _answer(connection, f"SELECT * FROM read_json({_literal(str(path))}, sample_size=-1, records='true')")


@contextmanager
def _connected(database: str, memory: int | None, what: str) -> Iterator[Any]:
    """A DuckDB connection that writes nothing but temporary files; ``what`` begins its errors."""
    try:
        import duckdb
        import pyarrow  # noqa: F401
    except ImportError as error:
        raise MissingExtra(error.name or "duckdb", "cli", "SQL and JSON") from error
    folder = TemporaryFolder()
    try:
        with duckdb.connect(database, read_only=database != ":memory:") as connection:
            connection.execute(f"SET temp_directory = {_literal(str(folder.path))}")
            if memory is not None:
                connection.execute(f"SET memory_limit = '{max(memory, LEAST_MEMORY)}B'")
            yield connection
    except duckdb.Error as error:
        raise InvalidInput(f"{what}: {str(error).partition(chr(10))[0]}") from error
    finally:
        folder.close()


def _answer(connection: Any, sql: str) -> Source:
    """The rows that the query gives. Sums, which DuckDB makes 128-bit integers, are 64-bit ones where they fit."""
    import duckdb

    if [statement.type.name for statement in connection.extract_statements(sql)] != ["SELECT"]:
        raise _not_a_query(sql)
    relation = connection.sql(sql)
    columns = list(zip(relation.columns, map(str, relation.types), strict=True))
    try:
        source = spool(_batches(relation, columns, "BIGINT"))
    except duckdb.ConversionException:
        source = spool(_batches(relation, columns, "DOUBLE"))
    mixed = [name for name, kind in columns if kind == "JSON"]
    if mixed:
        source.notes += (f"values of several types are read as a category in {listed(mixed)}",)
    return source


def _not_a_query(sql: str | None) -> InvalidParameter:
    return InvalidParameter(f"sql: must be one query that gives rows, got {sql!r:.60}")


def _batches(relation: Any, columns: Sequence[tuple[str, str]], whole: str) -> Any:
    answer = relation.project(", ".join(_cell(name, kind, whole) for name, kind in columns))
    read = getattr(answer, "to_arrow_reader", None) or answer.fetch_arrow_reader  # its name before DuckDB 2
    return read(min(LARGEST, block_rows(None, len(columns))))


def _cell(name: str, kind: str, whole: str) -> str:
    quoted = '"' + name.replace('"', '""') + '"'
    if kind == "JSON":
        return f"{quoted} ->> '$' AS {quoted}"  # a text without its quotes
    return f"CAST({quoted} AS {whole}) AS {quoted}" if kind in ("HUGEINT", "UHUGEINT") else quoted


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _only_table(path: Path, tables: Sequence[str]) -> str:
    """A query for the only table there is."""
    if len(tables) != 1:
        has = f"has the tables {listed(tables)}" if tables else "has no table"
        raise InvalidParameter(f"sql: give a query, such as SELECT * FROM …; {path.name!r} {has}")
    return 'SELECT * FROM "' + tables[0].replace('"', '""') + '"'


def _sqlite_answer(path: Path, sql: str | None) -> Source:
    # by Python's own library: DuckDB would have to download an extension
    try:
        connection = sqlite3.connect(f"file:{quote(str(path.absolute()))}?mode=ro", uri=True)
        try:
            listing = connection.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")
            cursor = connection.execute(sql or _only_table(path, [str(row[0]) for row in listing]))
            if cursor.description is None:
                raise _not_a_query(sql)
            return spool(_sqlite_batches(cursor, [column[0] for column in cursor.description]))
        finally:
            connection.close()
    except sqlite3.Error as error:
        raise InvalidInput(f"file: {path.name!r}: {error}") from error


def _sqlite_batches(cursor: sqlite3.Cursor, names: list[str]) -> Iterator[Any]:
    while rows := cursor.fetchmany(min(LARGEST, block_rows(None, len(names)))):
        yield arrow_batch(from_columns(names, [objects(column) for column in zip(*rows, strict=True)], named=True))
