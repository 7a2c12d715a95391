"""A database by its address (``postgresql://…``, ``mysql://…``): read through SQLAlchemy, credentials never shown."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import Any

from ..errors import InvalidInput, InvalidParameter, MissingExtra
from .arrays import from_columns
from .arrow_blocks import arrow_batch
from .limits import shortened
from .source import Source, block_rows
from .spool import spool
from .values import listed, objects

ADDRESS = re.compile(r"[a-zA-Z][\w+.-]*://")
FILES = ("http", "https", "s3", "gs", "file", "ftp")  # addresses of files, which are not read here
LARGEST = 1 << 14  # rows fetched together
DRIVERS = {"postgresql": "psycopg", "postgres": "psycopg", "mysql": "pymysql"}  # of our choice, where none is named


def is_address(name: str) -> bool:
    """Whether a name is the address of a database."""
    found = ADDRESS.match(name)
    return found is not None and found.group()[:-3].lower() not in FILES


def is_remote_file(name: str) -> bool:
    """Whether a name is the address of a file elsewhere."""
    found = ADDRESS.match(name)
    return found is not None and found.group()[:-3].lower() in FILES and not os.path.exists(name)


def query_address(address: str, sql: str | None) -> Source:
    """The answer to a query over the database there; without a query its only table."""
    try:
        import sqlalchemy as sa
    except ImportError as error:
        raise MissingExtra("sqlalchemy", "sql", "reading a database by its address") from error
    engine: Any = None
    try:
        url = _with_driver(sa.engine.make_url(address))
        label = f"{url.get_backend_name()} database {url.database!r}"
        engine = sa.create_engine(url)
        with engine.connect().execution_options(stream_results=True) as connection:
            query = sql if sql is not None else _only_table(sa.inspect(connection), label, connection)
            result = connection.execute(sa.text(query.replace(":", r"\:")))
            if not result.returns_rows:
                raise InvalidParameter(f"sql: must be a single query that returns rows, got {sql!r:.60}")
            return spool(_batches(result))
    except sa.exc.NoSuchModuleError as error:
        raise InvalidParameter(f"inputs: unknown kind of database {address.partition(':')[0]!r} is known") from error
    except ImportError as error:
        raise MissingExtra(str(error.name), "sql", "reading this database") from error
    except sa.exc.ArgumentError as error:
        raise InvalidParameter(
            f"inputs: {address.partition(':')[0]}://… is not a database address; use kind://user:password@host/name"
        ) from error
    except sa.exc.SQLAlchemyError as error:
        # of the driver's own words the first line, and without whatever the address holds
        words = str(getattr(error, "orig", None) or error).partition("\n")[0]
        raise InvalidInput(f"sql: {label}: {_without(words, url)}") from None
    finally:
        if engine is not None:
            engine.dispose()


def _with_driver(url: Any) -> Any:
    driver = DRIVERS.get(url.drivername)
    kind = "postgresql" if url.drivername == "postgres" else url.drivername
    return url if driver is None else url.set(drivername=f"{kind}+{driver}")


def _without(words: str, url: Any) -> str:
    for secret in (url.password, *map(str, url.query.values())):
        words = words.replace(str(secret), "…") if secret else words
    return words


def _only_table(inspector: Any, label: str, connection: Any) -> str:
    tables = inspector.get_table_names()
    if len(tables) != 1:
        has = f"has the tables {listed(tables)}" if tables else "has no table"
        raise InvalidParameter(f"sql: pass a query, such as SELECT * FROM …; the {label} {has}")
    quoted: str = connection.dialect.identifier_preparer.quote(tables[0])
    return f"SELECT * FROM {quoted}"


def _batches(result: Any) -> Iterator[Any]:
    names = list(result.keys())
    while rows := result.fetchmany(min(LARGEST, block_rows(None, len(names)))):
        cells = [[shortened(cell) if isinstance(cell, str) else cell for cell in row] for row in rows]
        columns = [objects(column) for column in zip(*cells, strict=True)]
        yield arrow_batch(from_columns(names, columns, named=True))
