"""Text files whose rows are the columns: genes in rows, samples in columns."""

from __future__ import annotations

import csv
import io
from itertools import zip_longest
from pathlib import Path

from ..errors import InvalidInput, InvalidParameter
from ..files import room_for
from .files import TEXTS, TextOptions, check_file, ending, open_files
from .source import Source
from .spool import kept_on_success
from .text.dialect import find_dialect
from .text.stream import TextStream

CORNER = "sample"  # the name of the column of names, where the file has none
MANY = 10  # rows a column where rows may be features


def open_transposed(name: str, options: TextOptions, memory: int | None, key: str | None = None) -> Source:
    """The file with rows and columns exchanged; its first column becomes the names, its names the first column.

    That is called ``key``, whatever the file's corner says, unless a row is.
    """
    path = Path(name)
    check_file(path)
    if ending(path) not in TEXTS:
        raise InvalidParameter(f"transpose: works with text files (.csv, .tsv) only, got {path.name!r}; save it as one")
    rows = _rows(path, options)
    if len(rows) < 2:
        raise InvalidInput(f"file: {path.name!r} has column names but no rows")
    width = max(map(len, rows))
    if len(rows[0]) == width - 1:  # as R writes row names
        rows[0].insert(0, "")
    odd = next((at for at, row in enumerate(rows) if len(row) != width), None)
    if odd is not None:
        raise InvalidInput(
            f"file: {path.name!r} cannot be read as a table: data row {odd} has {len(rows[odd])} values for {width}"
            " columns"
        )
    taken = key is None or any(row[0].strip() == key for row in rows[1:])
    rows[0][0] = (None if taken else key) or rows[0][0].strip() or CORNER
    with kept_on_success() as folder:
        turned = folder.path / f"{path.name.partition('.')[0]}.csv"
        with room_for("file: the transposed table"), open(turned, "w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows(zip_longest(*rows, fillvalue=""))
        return open_files([turned], TextOptions(",", "utf-8", options.missing), memory).hold(folder)


def named_in_rows(name: str, wanted: str, options: TextOptions) -> bool:
    """Whether a text file has this name in its first column, where a table has it in its first line."""
    path = Path(name)
    if ending(path) not in TEXTS or not path.is_file():
        return False
    return any(row and row[0].strip() == wanted for row in _rows(path, options)[1:])


def looks_turned(source: Source) -> bool:
    """Whether rows may be features: a column of names, then nothing but numbers, and far more rows than columns."""
    first, *others = source.kinds
    many = source.n_rows is not None and source.n_rows >= MANY * source.n_columns
    return many and first == "category" and bool(others) and "category" not in others


def _rows(path: Path, options: TextOptions) -> list[list[str]]:
    """Rows of texts, that of the names first."""
    dialect = find_dialect(path, options.separator or TEXTS[ending(path)], options.encoding)
    with TextStream(path, dialect.encoding, remarks=dialect.remarks) as stream:
        text = io.TextIOWrapper(io.BufferedReader(stream), encoding="utf-8", newline="")
        try:
            return [row for row in csv.reader(text, delimiter=dialect.separator, skipinitialspace=True) if any(row)]
        except (csv.Error, UnicodeError, OSError) as error:
            raise InvalidInput(f"file: {path.name!r} cannot be read as a table ({error})") from error
