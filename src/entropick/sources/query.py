"""The answer to an SQL query, over files, over a DuckDB or SQLite database, or over JSON lines."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from ..errors import InvalidInput, InvalidParameter, MissingExtra
from .arrays import from_columns
from .arrow_blocks import arrow_batch
from .limits import BATCH_BYTES, BEGINNING, LONGEST, shortened
from .source import Source, block_rows
from .spool import TemporaryFolder, kept_on_success, spool
from .text.stream import PACKED
from .values import listed, objects

SQLITE = b"SQLite format 3\0"
LARGEST = 1 << 16  # rows of a batch
LARGEST_CELL = 1 << 26  # bytes of one value in SQLite
OWN = ("sqlite_sequence", "sqlite_stat1", "sqlite_stat4")  # tables of SQLite itself
LISTING = """SELECT table_name, table_type FROM information_schema.tables
    WHERE table_catalog = current_database() AND table_schema = current_schema()"""
JSON_OPTIONS = "sample_size=-1, records='true', hive_partitioning=false, map_inference_threshold=-1"
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
    # an absolute name, as DuckDB takes one that begins with md: or http: for an address
    with _connected(str(path.absolute()), memory, f"file: {path.name!r}", trusted=sql is not None) as connection:
        if sql is None:
            found = [(str(name), kind == "VIEW") for name, kind in connection.sql(LISTING).fetchall()]
            sql = _only_table(path, found)
        return _answer(connection, sql)


def read_json(path: Path, memory: int | None = None) -> Source:
    """A file of JSON objects, one a line or in a list; a field with values of several types is a category."""
    if not os.access(path, os.R_OK):
        raise InvalidInput(f"file: cannot read {str(path)!r}")
    with _connected(":memory:", memory, f"file: {path.name!r}") as connection, kept_on_success() as folder:
        import duckdb

        # by a link, as the name itself would be taken for a pattern where it has one of [ ] * ? in it
        packed = path.suffix.lower() in PACKED
        link = folder.path / ("rows" + "".join(path.suffixes[-2:] if packed else path.suffixes[-1:]))
        link.symlink_to(path.absolute())
        try:
            return _answer(connection, f"SELECT * FROM read_json({_literal(str(link))}, {JSON_OPTIONS})")
        except duckdb.Error as error:  # told of the link
            error.args = tuple(str(one).replace(str(link), path.name) for one in error.args)
            raise
        finally:
            folder.close()


@contextmanager
def _connected(database: str, memory: int | None, what: str, *, trusted: bool = True) -> Iterator[Any]:
    """A DuckDB connection that writes nothing but temporary files; ``what`` begins its errors.

    Where the query is not the user's own, nothing but the database is opened and no extension is fetched or loaded.
    """
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
            if not trusted:
                for setting in ("autoinstall_known_extensions", "autoload_known_extensions", "enable_external_access"):
                    connection.execute(f"SET {setting} = false")
            yield connection
    except UnicodeDecodeError as error:  # DuckDB quotes the bytes that it cannot read
        raise InvalidInput(f"{what}: not UTF-8 text") from error
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
        source.notes += (f"columns of mixed types are read as categories: {listed(mixed)}",)
    return source


def _not_a_query(sql: str | None) -> InvalidParameter:
    return InvalidParameter(f"sql: must be a single query that returns rows, got {sql!r:.60}")


def _batches(relation: Any, columns: Sequence[tuple[str, str]], whole: str) -> Any:
    answer = relation.project(", ".join(_cell(name, kind, whole) for name, kind in columns))
    read = getattr(answer, "to_arrow_reader", None) or answer.fetch_arrow_reader  # its name before DuckDB 2
    return read(min(LARGEST, block_rows(None, len(columns))))


def _cell(name: str, kind: str, whole: str) -> str:
    quoted = '"' + name.replace('"', '""') + '"'
    if kind == "JSON":
        return f"{quoted} ->> '$' AS {quoted}"  # a text without its quotes
    if kind == "VARCHAR":  # `limits.shortened`, before a batch is made of it
        digest = f"left({quoted}, {BEGINNING}) || '…' || md5({quoted})"
        return f"CASE WHEN length({quoted}) > {LONGEST} THEN {digest} ELSE {quoted} END AS {quoted}"
    return f"CAST({quoted} AS {whole}) AS {quoted}" if kind in ("HUGEINT", "UHUGEINT") else quoted


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _only_table(path: Path, found: Sequence[tuple[str, bool]]) -> str:
    """A query for the only table there is. ``found`` are names, each with whether it is a view.

    A view is a query that whoever made the file has written: it may read other files, or never end.
    """
    tables = [name for name, is_view in found if not is_view]
    if found and not tables:
        raise InvalidParameter(
            f"sql: pass a query, such as SELECT * FROM …; {path.name!r} has only the views"
            f" {listed([name for name, _ in found])}, which are only run when named"
        )
    if len(tables) != 1:
        has = f"has the tables {listed(tables)}" if tables else "has no table"
        raise InvalidParameter(f"sql: pass a query, such as SELECT * FROM …; {path.name!r} {has}")
    return 'SELECT * FROM "' + tables[0].replace('"', '""') + '"'


def _sqlite_answer(path: Path, sql: str | None) -> Source:
    # by Python's own library: DuckDB would have to download an extension
    try:
        with closing(_sqlite(path)) as connection:
            if sql is None:
                listing = connection.execute("SELECT name, type FROM sqlite_master WHERE type IN ('table', 'view')")
                sql = _only_table(path, [(str(name), kind == "view") for name, kind in listing if str(name) not in OWN])
            cursor = connection.execute(sql)
            if cursor.description is None:
                raise _not_a_query(sql)
            return spool(_sqlite_batches(cursor, [column[0] for column in cursor.description]))
    except (sqlite3.Error, sqlite3.Warning, UnicodeError, OverflowError, SystemError, RecursionError) as error:
        line = str(error).partition("\n")[0]
        if "too big" in line:
            line = f"a value is longer than {LARGEST_CELL >> 20} MB; select other columns with --sql (sql=)"
        raise InvalidInput(f"file: {path.name!r} cannot be read as an SQLite database ({line})") from error


def _sqlite(path: Path) -> sqlite3.Connection:
    """A connection that only reads; functions with side effects that the schema calls are not run."""
    name = f"file:{quote(str(path.absolute()))}?mode=ro"
    with open(path, "rb") as file:
        is_logged = file.read(20)[18:] == b"\2\2"  # write-ahead: readers write a file beside, too
    if is_logged and not os.access(path.absolute().parent, os.W_OK) and not os.path.exists(f"{path}-wal"):
        name += "&immutable=1"  # nobody else can be writing
    connection = sqlite3.connect(name, uri=True)
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LARGEST_CELL)
    return connection


def _sqlite_batches(cursor: sqlite3.Cursor, names: list[str]) -> Iterator[Any]:
    """Record batches of as many rows as are convenient, fewer where texts are long."""
    most = min(LARGEST, block_rows(None, len(names)))
    rows: list[tuple[Any, ...]] = []
    size = 0
    for row in cursor:
        rows.append(tuple(shortened(cell) if isinstance(cell, str) else cell for cell in row))
        size += sum(len(cell) for cell in row if isinstance(cell, (str, bytes)))
        if len(rows) == most or size > BATCH_BYTES:
            yield _batch(names, rows)
            rows, size = [], 0
    if rows:
        yield _batch(names, rows)


def _batch(names: list[str], rows: list[tuple[Any, ...]]) -> Any:
    return arrow_batch(from_columns(names, [objects(column) for column in zip(*rows, strict=True)], named=True))
