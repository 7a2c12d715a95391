"""Files that fit in memory: CSV, TSV and Parquet."""

from __future__ import annotations

import bz2
import csv
import gzip
import lzma
import zlib
from os import PathLike
from pathlib import Path
from typing import Any

from ..errors import InvalidInput, MissingExtra
from .table import Table, as_table, check_names

SEPARATORS = {".csv": None, ".txt": None, ".tsv": "\t", ".tab": "\t"}
PARQUET = (".parquet", ".pq")
PACKED = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}
SNIFF = 1 << 16  # characters looked at to find the separator


def read_file(path: str | PathLike[str]) -> Table:
    """The table in a file: ``.csv`` or ``.txt`` (separated by ``,`` ``;`` or tabs), ``.tsv``, ``.parquet``.

    Text files may be packed (``.csv.gz``); their first line has the column names.
    """
    path = Path(path)
    if not path.exists():
        raise InvalidInput(f"file: no file {str(path)!r}")
    if path.is_dir():
        raise InvalidInput(f"file: {str(path)!r} is a folder; give one file")
    suffixes = [s.lower() for s in path.suffixes]
    suffix = suffixes[-1] if suffixes else ""
    kind = suffixes[-2] if suffix in PACKED and len(suffixes) > 1 else suffix
    if suffix not in PARQUET and kind not in SEPARATORS:
        raise InvalidInput(f"file: cannot read {path.name!r}; known: .csv .tsv .txt (also .gz …) .parquet")
    if path.stat().st_size == 0:
        raise InvalidInput(f"file: {path.name!r} is empty")
    return _parquet(path) if suffix in PARQUET else _text(path, SEPARATORS[kind])


def _parquet(path: Path) -> Table:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise MissingExtra("pyarrow", "cli", "reading Parquet") from error
    try:
        with pq.ParquetFile(path) as file:
            check_names(file.schema_arrow.names)
            read = file.read()
    except (pa.ArrowException, OSError) as error:
        raise InvalidInput(f"file: {path.name!r} is no readable Parquet file ({_line(error)})") from error
    return as_table(read)


def _text(path: Path, separator: str | None) -> Table:
    import pandas as pd

    opener: Any = PACKED.get(path.suffix.lower(), open)
    try:
        with opener(path, "rt", encoding="utf-8-sig", newline="") as file:
            head = file.read(SNIFF)
    except UnicodeDecodeError as error:
        raise InvalidInput(f"file: {path.name!r} is not UTF-8 text ({_line(error)})") from error
    except (OSError, EOFError, lzma.LZMAError, zlib.error) as error:
        raise InvalidInput(f"file: {path.name!r} cannot be read ({_line(error)})") from error
    if not head.strip():
        raise InvalidInput(f"file: {path.name!r} is empty")
    separator = separator or find_separator(head)
    names = next(line for line in csv.reader(head.splitlines(), delimiter=separator) if line)
    _check_header(path, [name.strip() for name in names])
    try:
        frame = pd.read_csv(
            path, sep=separator, encoding="utf-8-sig", dtype_backend="numpy_nullable", skipinitialspace=True,
            index_col=False, low_memory=False,
        )  # fmt: skip
    except (
        ValueError,
        OSError,
        EOFError,
        zlib.error,
    ) as error:  # ParserError and UnicodeDecodeError are ValueErrors
        raise InvalidInput(f"file: {path.name!r} cannot be read as a table ({_line(error)})") from error
    if frame.empty:
        raise InvalidInput(f"file: {path.name!r} has column names but no rows")
    return as_table(frame.rename(columns=str.strip))


def find_separator(text: str) -> str:
    """Of comma, semicolon and tab, the one that splits the first lines most evenly; else comma."""
    lines = [line for line in text.splitlines()[:20] if line.strip()]
    if len(lines) > 1 and len(text) == SNIFF:
        lines = lines[:-1]  # may be cut
    best, separator = 0.0, ","
    for candidate in (",", ";", "\t"):
        widths = [len(row) for row in csv.reader(lines, delimiter=candidate)]
        if widths and widths[0] > 1:
            even = sum(width == widths[0] for width in widths) / len(widths)
            if even > best:
                best, separator = even, candidate
    return separator


def _check_header(path: Path, names: list[str]) -> None:
    """Names that are distinct, not empty and not data."""
    for at, name in enumerate(names):
        if not name:
            raise InvalidInput(f"file: {path.name!r} has no name for column {at + 1}; name it in the first line")
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise InvalidInput(f"file: {path.name!r} has two columns {name!r}; names must be distinct")
        seen.add(name)
    counted = names in ([str(i) for i in range(len(names))], [str(i + 1) for i in range(len(names))])
    if not counted and all(_is_number(name) for name in names):
        raise InvalidInput(f"file: {path.name!r} must begin with a line of column names, got numbers ({names[0]}, …)")


def _is_number(text: str) -> bool:
    try:
        float(text.replace(",", "."))
    except ValueError:
        return False
    return True


def _line(error: BaseException) -> str:
    """The first line of the error's message."""
    text = str(error).strip()
    return text.splitlines()[0] if text else type(error).__name__
