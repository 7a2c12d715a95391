"""Files by name: which there are, what they hold, and the source of their rows."""

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import takewhile
from os import PathLike
from pathlib import Path

from ..errors import InvalidInput
from .chain import chained
from .hive import PartitionSource, folder_values
from .source import Source, TableSource
from .table import Table
from .tenx import matrix_in
from .text.stream import PACKED

TEXTS = {".csv": None, ".txt": None, ".tsv": "\t", ".tab": "\t"}
PARQUET = (".parquet", ".pq")
ARROW = (".arrow", ".feather", ".ipc", ".arrows")
JSON = (".jsonl", ".ndjson", ".json")
ARFF = (".arff",)
SVMLIGHT = (".svmlight", ".svm", ".libsvm")
DATABASES = (".duckdb", ".db", ".sqlite", ".sqlite3")
SHEETS = (".xlsx", ".xlsm", ".xls", ".ods")
CELLS = (".h5ad", ".zarr")
MATRIX_MARKET = (".mtx",)
GENOTYPES = (".bed",)
STATISTICAL = (".dta", ".sas7bdat", ".xpt", ".sav", ".zsav")
KNOWN = (
    ".csv .tsv .txt .jsonl (also .gz .zst .bz2 .xz) .parquet .feather .arrow .arff .svmlight .duckdb .sqlite"
    " .xlsx .xls .ods .dta .sav .sas7bdat .xpt .h5ad .zarr .mtx .bed"
)


@dataclass(frozen=True)
class TextOptions:
    """How to read texts: separator and encoding where they cannot be found out, more words for missing; a sheet of a
    workbook, a layer of cells."""

    separator: str | None = None
    encoding: str | None = None
    missing: tuple[str, ...] = ()
    sheet: str | None = None
    layer: str | None = None


def read_file(path: str | PathLike[str]) -> Table:
    """The table in a file, in memory."""
    from .text.typed import read_texts

    return read_texts(open_files([path])).table()


def open_files(
    paths: Sequence[str | PathLike[str]], options: TextOptions | None = None, memory: int | None = None
) -> Source:
    """The rows of files, of all files in folders, and of all files that patterns match, one after the other."""
    found = [entry for path in paths for entry in _expanded(path)]
    for path, _ in found:
        check_file(path)
    sources = []
    for path, values in found:
        whole = path.absolute()  # pandas, Arrow and zarr take some relative names for addresses, or ~ for home
        source = OPENERS[ending(path)](whole, options or TextOptions(), memory)
        sources.append(PartitionSource(source, values) if values else source)
    return chained(sources, [str(path) for path, _ in found])


def ending(path: Path) -> str:
    """What a file's name says that it holds: its last suffix, or the one before that of a packed file.

    >>> ending(Path("a.b.CSV.gz"))
    '.csv'
    """
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if suffixes and suffixes[-1] in PACKED:
        suffixes.pop()
    return suffixes[-1] if suffixes else ""


def is_database(path: str | PathLike[str]) -> bool:
    return ending(Path(path)) in DATABASES


def _expanded(name: str | PathLike[str]) -> list[tuple[Path, dict[str, str | None]]]:
    """The files that a name stands for, each with the values in the names of folders that the name leaves open."""
    path = Path(name)
    if os.path.isdir(path) and (ending(path) in CELLS or matrix_in(path)):
        return [(matrix_in(path) or path, {})]
    if os.path.isdir(path):  # not of Path, which has errors of its own for a name that is too long
        base, files = path, [file for file in sorted(path.rglob("*")) if _is_data(file, path)]
        if not files:
            raise InvalidInput(f"file: {str(path)!r} is a folder with no readable file; supported formats: {KNOWN}")
    elif not os.path.exists(path) and glob.has_magic(str(path)):
        base = Path(*takewhile(lambda part: not glob.has_magic(part), path.parts))
        files = [Path(match) for match in sorted(glob.glob(str(path), recursive=True)) if Path(match).is_file()]
        if not files:
            raise InvalidInput(f"file: no file matches {str(path)!r}")
    else:
        return [(path, {})]
    return [(file, folder_values(file.relative_to(base))) for file in files]


def _is_data(path: Path, folder: Path) -> bool:
    """A file that can be read, not one of the hidden ones and protocols that writers leave in a folder."""
    hidden = any(part.startswith((".", "_")) for part in path.relative_to(folder).parts)
    return path.is_file() and not hidden and ending(path) in OPENERS


def check_file(path: Path) -> None:
    """There is such a file, of a known kind, with something in it."""
    if not os.path.exists(path):
        raise InvalidInput(f"file: no file {str(path)!r}")
    if ending(path) not in OPENERS:
        raise InvalidInput(f"file: cannot read {path.name!r}; supported formats: {KNOWN}")
    if path.stat().st_size == 0:
        raise InvalidInput(f"file: {path.name!r} is empty")
    if not os.access(path, os.R_OK):
        raise InvalidInput(f"file: {str(path)!r} cannot be read (Permission denied)")


def _text(path: Path, options: TextOptions, memory: int | None) -> Source:
    from .text.csv_files import open_csv

    separator = options.separator or TEXTS[ending(path)]
    return open_csv(path, separator=separator, encoding=options.encoding, missing=options.missing, memory=memory)


def _parquet(path: Path, options: TextOptions, memory: int | None) -> Source:
    from .arrow_files import ParquetSource

    return ParquetSource(path)


def _arrow(path: Path, options: TextOptions, memory: int | None) -> Source:
    from .arrow_files import IpcSource

    return IpcSource(path)


def _json(path: Path, options: TextOptions, memory: int | None) -> Source:
    from .query import read_json

    return read_json(path, memory)


def _arff(path: Path, options: TextOptions, memory: int | None) -> Source:
    from .matrix_files import read_arff

    return TableSource(read_arff(path, memory))


def _svmlight(path: Path, options: TextOptions, memory: int | None) -> Source:
    from .matrix_files import read_svmlight

    return TableSource(read_svmlight(path, memory))


def _database(path: Path, options: TextOptions, memory: int | None) -> Source:
    from .query import query_database

    return query_database(path, None, memory)


def _workbook(path: Path, options: TextOptions, memory: int | None) -> Source:
    from .workbooks import open_workbook

    return open_workbook(path, options, memory)


def _statistical(path: Path, options: TextOptions, memory: int | None) -> Source:
    from .workbooks import open_statistical

    return open_statistical(path)


def _cells(path: Path, options: TextOptions, memory: int | None) -> Source:
    from .cells import open_cells

    return open_cells(path, options.layer, memory)


def _matrix_market(path: Path, options: TextOptions, memory: int | None) -> Source:
    from .tenx import open_mtx

    return open_mtx(path, memory)


def _genotypes(path: Path, options: TextOptions, memory: int | None) -> Source:
    from .genotypes import open_bed

    return open_bed(path)


# what a file is opened by: (path, how texts are written, bytes that a query may take)
OPENERS: dict[str, Callable[[Path, TextOptions, int | None], Source]] = {
    **dict.fromkeys(TEXTS, _text),
    **dict.fromkeys(PARQUET, _parquet),
    **dict.fromkeys(ARROW, _arrow),
    **dict.fromkeys(JSON, _json),
    **dict.fromkeys(ARFF, _arff),
    **dict.fromkeys(SVMLIGHT, _svmlight),
    **dict.fromkeys(DATABASES, _database),
    **dict.fromkeys(SHEETS, _workbook),
    **dict.fromkeys(STATISTICAL, _statistical),
    **dict.fromkeys(CELLS, _cells),
    **dict.fromkeys(MATRIX_MARKET, _matrix_market),
    **dict.fromkeys(GENOTYPES, _genotypes),
}
