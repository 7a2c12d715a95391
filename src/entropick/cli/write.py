"""A result in the form that a file's ending names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import InvalidParameter
from ..files import write_whole

if TYPE_CHECKING:
    import pandas as pd

    from ..selection import Selection
    from ..sources import Source

__all__ = ["check_destination", "output_file", "save", "spreadsheet", "write_whole"]

FORMULA = tuple("=+-@\t\r")
PAGE_BYTES = 1 << 29  # of rows that are read again for a page that also tells of the data

WRITERS: dict[str, Callable[[Selection], str]] = {
    ".json": lambda selection: selection.to_json(indent=2) + "\n",
    ".csv": lambda selection: spreadsheet(selection.to_frame()),
    ".txt": lambda selection: selection.explain() + "\n",
}
ENDINGS = (*WRITERS, ".html")


def spreadsheet(frame: pd.DataFrame) -> str:
    """The frame as CSV for a file, which a spreadsheet may open: a text that it would run gets an apostrophe before it.

    Formulas begin with ``= + - @``, a tab or a carriage return. What is printed, for other programs, is left as it is.
    """
    safe = frame.map(lambda cell: f"'{cell}" if isinstance(cell, str) and cell[:1] in FORMULA else cell)
    return safe.to_csv(index=False, lineterminator="\n")


def check_destination(path: Path) -> None:
    """Say before the work starts that its result could not be saved."""
    if path.suffix.lower() not in ENDINGS:
        raise InvalidParameter(f"--save: must end in {', '.join(ENDINGS)}, got {str(path)!r}")
    if not path.parent.is_dir():
        raise InvalidParameter(f"--save: must be in an existing folder, got {str(path)!r}")
    if path.is_dir():
        raise InvalidParameter(f"--save: must be a file, got the folder {str(path)!r}")


def output_file(output: str, forms: Sequence[str], endings: Sequence[str]) -> Path | None:
    """The file that ``--output`` names, None for a form on the standard output."""
    if output in forms:
        return None
    path = Path(output)
    if path.suffix.lower() not in endings:
        rule = f"must be {', '.join(forms)} or a file that ends in {', '.join(endings)}"
        raise InvalidParameter(f"--output: {rule}, got {output!r}")
    if not path.parent.is_dir() or path.is_dir():
        raise InvalidParameter(f"--output: must be a file in an existing folder, got {output!r}")
    return path


def save(selection: Selection, path: Path, source: Source | None = None, target: str | None = None) -> None:
    """The selection in the form that the ending of the path names.

    A page also tells of the data where the source they came from, and its target column, are given and small enough.
    """
    ending = path.suffix.lower()
    if ending in WRITERS:
        write_whole(path, WRITERS[ending](selection))
    elif source is None or 8 * selection.n_samples * source.n_columns > PAGE_BYTES:
        selection.report(path)
    else:
        selection.report(path, source.table(), target)
