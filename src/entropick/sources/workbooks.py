"""Sheets of Excel and OpenDocument, and the files of SPSS, Stata and SAS: read by pandas, whole, into memory."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast
from zipfile import BadZipFile

from ..errors import InvalidInput, InvalidParameter, MissingExtra, closest
from ..files import UNREADABLE, room_for
from .files import TextOptions, open_files
from .source import Source, TableSource
from .spool import kept_on_success
from .table import stored_table
from .values import listed

READERS = {  # ending -> (library that pandas reads it by, extra that brings it)
    ".xlsx": ("openpyxl", "excel"),
    ".xlsm": ("openpyxl", "excel"),
    ".xls": ("xlrd", "excel"),
    ".ods": ("odf", "excel"),
}
STATISTICAL = (".dta", ".sas7bdat", ".xpt", ".sav", ".zsav")


def open_workbook(path: Path, options: TextOptions, memory: int | None) -> Source:
    """The table of one sheet; the first line that has anything names the columns.

    Its cells are written as a text file and read as one, so that they are taken for what they would be there.
    """
    import pandas as pd

    reader, extra = READERS[path.suffix.lower()]
    try:
        with pd.ExcelFile(path, engine=cast(Any, reader)) as book:
            name = _sheet(path, [str(one) for one in book.sheet_names], options.sheet)
            cells = pd.read_excel(book, sheet_name=name, header=None, keep_default_na=False)
    except ImportError as error:
        raise MissingExtra(reader if reader != "odf" else "odfpy", extra, f"reading {path.suffix}") from error
    except _reader_errors(reader) as error:
        raise _unreadable(path, "workbook", error) from error
    except ValueError as error:
        if isinstance(error, InvalidParameter):
            raise
        raise _unreadable(path, "workbook", error) from error
    frame = _named(path, name, cells.replace("", None).dropna(how="all").dropna(axis=1, how="all"))
    with kept_on_success() as folder:
        text = folder.path / f"{path.stem}.csv"
        with room_for("file: the cells of a workbook"):
            frame.to_csv(text, index=False)
        return open_files([text], TextOptions(",", "utf-8", options.missing), memory).hold(folder)


def open_statistical(path: Path) -> Source:
    """The table of a Stata, SAS or SPSS file, with the labels of its values."""
    import pandas as pd

    ending = path.suffix.lower()
    try:
        if ending == ".dta":
            frame: Any = pd.read_stata(path)
        elif ending in (".sav", ".zsav"):
            frame = pd.read_spss(path)
        else:
            frame = pd.read_sas(path, encoding="utf-8")
    except ImportError as error:
        raise MissingExtra("pyreadstat", "stats", f"reading {ending}") from error
    except UNREADABLE as error:
        raise _unreadable(path, ending.lstrip(".").upper(), error) from error
    return TableSource(stored_table(frame))


def _sheet(path: Path, sheets: list[str], wanted: str | None) -> str:
    if wanted is None:
        if len(sheets) > 1:
            raise InvalidParameter(
                f"sheet: {path.name!r} has {len(sheets)} ({listed(sheets)}); choose one with --sheet (sheet=)"
            )
        return sheets[0]
    if wanted not in sheets:
        raise InvalidParameter(f"sheet: no sheet {wanted!r}.{closest(wanted, sheets)} It has: {listed(sheets)}")
    return wanted


def _named(path: Path, sheet: str, cells: Any) -> Any:
    """The cells below the first line, with the names in it; each column with the type that its cells have."""
    if len(cells) < 2:
        raise InvalidInput(
            f"file: sheet {sheet!r} of {path.name!r} has {'names but no rows' if len(cells) else 'no cells'}"
        )
    header = cells.iloc[0]
    at = next((j for j, name in enumerate(header) if name != name or name is None), None)
    if at is not None:
        raise InvalidInput(
            f"file: sheet {sheet!r} of {path.name!r} has no name for column {at + 1}; name it in the first line"
        )
    rows = cells.iloc[1:].reset_index(drop=True)
    rows.columns = [str(name).strip() for name in header]
    return rows


def _reader_errors(reader: str) -> tuple[type[Exception], ...]:
    """What a damaged workbook makes its reader raise."""
    common: tuple[type[Exception], ...] = (BadZipFile, OSError, KeyError, TypeError, SyntaxError)
    if reader == "xlrd":
        try:
            from xlrd import XLRDError  # type: ignore[import-untyped]
        except ImportError:
            return common
        return (*common, XLRDError)
    return common


def _unreadable(path: Path, what: str, error: Exception) -> InvalidInput:
    line = str(error).partition("\n")[0]
    return InvalidInput(f"file: {path.name!r} is not a readable {what} file ({line})")
