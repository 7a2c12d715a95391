"""Open whatever holds rows as a `Source`."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, BinaryIO

from ..errors import InvalidInput, InvalidParameter, check_choice, closest
from ..files import room_for
from .address import is_address, is_remote_file, query_address
from .blocks import parse_memory
from .cells import is_anndata, open_anndata
from .date_parts import with_date_parts
from .files import TextOptions, check_file, is_database, open_files
from .joined import joined_by
from .source import Source, TableSource
from .spool import kept_on_success, spool, spool_blocks
from .table import library, stored_table
from .text.typed import read_texts
from .transposed import open_transposed

STANDARD_INPUT = "-"
MAGIC = {  # first bytes of what comes on the standard input -> ending of a file that begins like this
    b"PAR1": ".parquet",
    b"ARROW1": ".arrow",
    b"\xff\xff\xff\xff": ".arrows",
    b"SQLite format 3": ".sqlite",
    b"\x1f\x8b": ".csv.gz",
    b"\x28\xb5\x2f\xfd": ".csv.zst",
    b"BZh": ".csv.bz2",
    b"\xfd7zXZ": ".csv.xz",
    b"{": ".jsonl",
    b"[{": ".json",
    b"@rel": ".arff",
    b"@REL": ".arff",
}


def open_source(
    *inputs: Any,
    sql: str | None = None,
    categorical: Sequence[str] = (),
    numeric: Sequence[str] = (),
    drop: Sequence[str] = (),
    separator: str | None = None,
    encoding: str | None = None,
    missing: Sequence[str] = (),
    sheet: str | None = None,
    transpose: bool = False,
    join: Any = None,
    on: str | None = None,
    dates: str = "elapsed",
    layer: str | None = None,
    text: Any = (),
    memory: int | float | str | None = None,
) -> Source:
    """Rows that need not fit in memory, from wherever they are.

    Parameters
    ----------
    *inputs
        names of files, folders or patterns (``"sales/*.parquet"``), ``"-"`` for the standard input, or one thing that
        holds rows: a table, an Arrow record-batch reader, a polars LazyFrame, a generator of tables.
    sql
        a query over the rows, which it knows as ``data``, or over a database file.
    categorical
        columns to read as categories, whatever they look like.
    numeric
        columns to read as numbers; a text that is none is an error.
    drop
        columns to leave out.
    separator
        between values of a text file, where the one found is wrong.
    encoding
        of text files that are neither UTF-8 nor UTF-16.
    missing
        words for a missing value in text files, besides the usual ones.
    sheet
        of a workbook that has several.
    transpose
        exchange rows and columns of a text file, as where genes are in rows.
    join
        another table, of whatever kind, whose columns are added by the key ``on``; rows without a partner are left out
        with a note.
    on
        the column that both tables have.
    dates
        ``"elapsed"``: a date is the seconds since 1970; ``"parts"``: its year, month and weekday are columns as well,
        which `entropick.select` chooses together, as one group named like the date.
    layer
        of cells (AnnData, ``.h5ad``, zarr) instead of ``X``; ``"raw"`` are the genes of ``raw``.
    text
        columns of texts, whose words become columns (``review: refund``, how often it is there): names, or a dict from
        names to vectorisers of scikit-learn. Without one: words of two letters or digits at least, in lower case, that
        are in five rows at least.
    memory
        that reading may take, such as ``"1GB"``, or a number of GiB or bytes.

    Returns
    -------
    Source
        to be given to `entropick.select`; close it, or use it in a ``with`` block, to remove temporary files.

    Examples
    --------
    >>> from entropick.sources import open_source
    >>> blocks = ({"a": [i, i + 1], "b": ["u", "v"]} for i in range(3))
    >>> source = open_source(blocks, categorical=["a"])
    >>> source.n_rows, source.schema()
    (6, Schema(names=('a', 'b'), kinds=('category', 'category')))
    """
    if not inputs:
        raise InvalidParameter("inputs: must be files or a table, got nothing")
    _check_names("missing", missing)
    check_choice("dates", dates, ("elapsed", "parts"))
    _check_texts(sql=sql, separator=separator, encoding=encoding, sheet=sheet, on=on, layer=layer)
    if (join is None) != (on is None):
        raise InvalidParameter("join: needs on, the column that both tables share; give both or neither")
    memory = parse_memory(memory)
    options = TextOptions(separator, encoding, tuple(missing), sheet, layer)
    if on is None:
        source = _rows_of(inputs, options, transpose, sql, memory)
    else:
        left = _typed(_rows_of(inputs, options, transpose, None, memory, on), layer)
        right = open_source(join, missing=missing, encoding=encoding, memory=memory)
        source = _queried(joined_by(left, right, on), sql, memory)
    source = _typed(source, layer)
    if not asks_for_words(text):
        source = recast_columns(source, categorical=categorical, numeric=numeric, drop=drop)
        return with_date_parts(source) if dates == "parts" else source
    from .words import with_words

    source = with_words(with_date_parts(source) if dates == "parts" else source, text)
    return recast_columns(source, categorical=categorical, numeric=numeric, drop=drop)


def recast_columns(
    source: Source, *, categorical: Sequence[str] = (), numeric: Sequence[str] = (), drop: Sequence[str] = ()
) -> Source:
    """The source with these columns read as categories, as numbers, and left out."""
    for argument, names in (("categorical", categorical), ("numeric", numeric), ("drop", drop)):
        _check_names(argument, names)
        for name in names:
            if name not in source.names:
                raise InvalidParameter(f"{argument}: no column {name!r}.{closest(name, source.names)}")
    both = set(categorical) & set(numeric)
    if both:
        raise InvalidParameter(f"numeric: {min(both)!r} is also in categorical; remove it from one")
    kept = [j for j, name in enumerate(source.names) if name not in set(drop)]
    if not kept:
        raise InvalidParameter(f"drop: must leave at least one column, got all {source.n_columns}")
    source = source.select(kept)
    asked = dict.fromkeys(categorical, "category") | dict.fromkeys(numeric, "numeric")
    return source.recast([asked.get(name, kind) for name, kind in zip(source.names, source.kinds, strict=True)])


def _check_names(argument: str, names: Any) -> None:
    if isinstance(names, str) or not isinstance(names, Collection) or not all(isinstance(one, str) for one in names):
        raise InvalidParameter(f"{argument}: must be a list of names, got {names!r}")


def _check_texts(**words: Any) -> None:
    for argument, word in words.items():
        if word is not None and not isinstance(word, str):
            raise InvalidParameter(f"{argument}: must be a text, got {word!r}")


def _typed(source: Source, layer: str | None) -> Source:
    """The source, texts that are numbers or dates read; of cells there are none."""
    if layer is not None and not source.aside:
        raise InvalidParameter(f"layer: is for cells (AnnData, .h5ad, zarr), got {layer!r} for another kind of rows")
    return source if source.aside else read_texts(source)


def _rows_of(
    inputs: Sequence[Any],
    options: TextOptions,
    transpose: bool,
    sql: str | None,
    memory: int | None,
    key: str | None = None,
) -> Source:
    if transpose:
        if len(inputs) != 1 or not isinstance(inputs[0], (str, PathLike)):
            raise InvalidParameter("transpose: applies to one text file; transpose tables in memory yourself")
        return _queried(open_transposed(os.fspath(inputs[0]), options, memory, key), sql, memory)
    if all(isinstance(one, (str, PathLike)) for one in inputs):
        return _from_names([os.fspath(one) for one in inputs], sql, options, memory)
    if len(inputs) > 1:
        raise InvalidParameter("inputs: several inputs must all be file names; pass other kinds one at a time")
    return _queried(_from_object(inputs[0], options.layer), sql, memory)


def _from_names(names: list[str], sql: str | None, options: TextOptions, memory: int | None) -> Source:
    from .query import query_database

    if any(map(is_address, names)):
        if len(names) > 1:
            raise InvalidParameter("inputs: a database cannot be combined with other files")
        return query_address(names[0], sql)
    remote = next(filter(is_remote_file, names), None)
    if remote is not None:
        raise InvalidInput(f"file: {remote!r} is a remote address; download the file and pass its name")
    if names == [STANDARD_INPUT]:
        return _queried(_from_stream(sys.stdin.buffer, options), sql, memory)
    if STANDARD_INPUT in names:
        raise InvalidParameter("inputs: the standard input (-) cannot be combined with other files")
    if sql is not None and any(map(is_database, names)):
        if len(names) > 1:
            raise InvalidParameter("inputs: a database cannot be combined with other files")
        check_file(Path(names[0]))
        return query_database(Path(names[0]), sql, memory)
    return _queried(open_files(names, options, memory), sql, memory)


def asks_for_words(text: Any) -> bool:
    """Whether ``text`` names a column; what is no name is for `with_words` to refuse."""
    return text is not None and (not isinstance(text, (str, Sequence, Mapping)) or len(text) > 0)


def _from_stream(stream: BinaryIO, options: TextOptions) -> Source:
    """What comes on a stream, kept in a temporary file of the kind that its first bytes tell."""
    head = stream.read(1 << 12)
    if not head.strip():
        raise InvalidInput("file: the standard input is empty")
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    ending = next((ending for magic, ending in MAGIC.items() if text.startswith(magic)), ".csv")
    with kept_on_success() as folder:
        path = folder.path / f"stdin{ending}"
        with room_for("file: rows of the standard input"), open(path, "wb") as file:
            file.write(head)
            shutil.copyfileobj(stream, file, 1 << 20)
        return open_files([path], options).hold(folder)


def _from_object(X: Any, layer: str | None = None) -> Source:
    """What holds rows already; what gives them only once is kept in temporary files."""
    where = library(X)
    if is_anndata(X):
        return open_anndata(X, layer)
    if isinstance(X, Source):
        return X
    if where == "polars" and hasattr(X, "sink_ipc"):
        with kept_on_success() as folder:
            X.sink_ipc(folder.path / "0.arrow")
            return open_files([folder.path / "0.arrow"]).hold(folder)
    if where == "pyarrow" and hasattr(X, "read_next_batch"):
        return spool(X)
    if where == "pyarrow" and hasattr(X, "to_batches") and not hasattr(X, "num_columns"):
        return spool(X.to_batches())  # a dataset or a scanner
    if isinstance(X, Iterator):
        return spool_blocks(X)
    return TableSource(stored_table(X))


def _queried(source: Source, sql: str | None, memory: int | None) -> Source:
    """The answer to the query, if there is one."""
    if sql is None:
        return source
    from .query import query_source

    return query_source(source, sql, memory)
