"""How a text file writes its table: encoding, separator, column names, remarks."""

from __future__ import annotations

import codecs
import csv
import io
import lzma
from dataclasses import dataclass
from pathlib import Path

from ...errors import InvalidInput, InvalidParameter
from ..table import distinct_names
from .stream import open_packed

SEPARATORS = ("\t", ";", "|", ",")  # a tie goes to the rarer in texts
HEAD = 1 << 16  # bytes looked at, and more until there are two lines
LONGEST_HEAD = 1 << 26  # bytes that the first two lines may have
LOOKED_AT = 20  # lines that decide on the separator
MARKS = {codecs.BOM_UTF8: "utf-8", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}


@dataclass(frozen=True)
class Dialect:
    """What is needed to split a text into columns.

    ``skip`` counts the lines before the first row of values. Where ``remarks`` is True, lines that begin with ``#``
    are none of them. ``nameless`` columns at the end have no name (and must have no values). Where ``spaced`` is
    True, quotes may come after a space, as in ``1, "a"``. Where ``numbered`` is True, a first column without a name
    comes before the names: the row names that pandas and R write. ``notes`` tells of names that came more than once.
    """

    names: tuple[str, ...]
    separator: str
    skip: int
    encoding: str
    remarks: bool = False
    nameless: int = 0
    spaced: bool = False
    numbered: bool = False
    notes: tuple[str, ...] = ()


def find_dialect(path: Path, separator: str | None = None, encoding: str | None = None) -> Dialect:
    """Look at the first lines of the file; a separator or an encoding that is given is believed."""
    head, encoding = _head(path, encoding)
    lines = list(io.StringIO(head, newline=""))
    remarks = lines[0].startswith("#") and not _is_header(lines, separator)
    if remarks:
        lines = [line for line in lines if not line.startswith("#")]
    if not any(line.strip() for line in lines):
        raise InvalidInput(f"file: {path.name!r} is empty")
    separator = separator or find_separator(lines)
    rows = csv.reader(lines, delimiter=separator, skipinitialspace=True)
    try:
        header = next(row for row in rows if any(row))
        skip = rows.line_num
        widths = {len(row) for row in rows if row}
    except csv.Error as error:
        raise InvalidInput(f"file: {path.name!r} cannot be read as a table ({error})") from error
    names = [name.strip() for name in header]
    names[0] = names[0].lstrip("# ")
    while len(names) > 1 and not names[-1]:
        names.pop()
    numbered = len(names) > 1 and not header[0].strip()
    _check_header(path, names[numbered:], numbered)
    distinct, twice = distinct_names(names[numbered:])
    if widths == {len(header) + 1}:
        raise InvalidInput(
            f"file: {path.name!r} cannot be read as a table: it has {len(header)} column names and"
            f" {len(header) + 1} values a row; if the first column holds row numbers, name it too"
        )
    spaced = any(f'{separator} "' in line for line in lines[skip:])
    nameless = len(header) - len(names)
    return Dialect(tuple(distinct), separator, skip, encoding, remarks, nameless, spaced, numbered, twice)


def find_separator(lines: list[str]) -> str:
    """Of tab, semicolon, bar and comma the one that splits the first lines most evenly; else a comma."""
    lines = [line for line in lines[:LOOKED_AT] if line.strip()]
    best, separator = 0.0, ","
    for candidate in SEPARATORS:
        try:
            widths = [len(row) for row in csv.reader(lines, delimiter=candidate, skipinitialspace=True)]
        except csv.Error:  # a field beyond its limit: not split by this one
            continue
        if widths and widths[0] > 1:
            even = sum(width == widths[0] for width in widths) / len(widths)
            if even > best:
                best, separator = even, candidate
    return separator


def _head(path: Path, encoding: str | None) -> tuple[str, str]:
    """The first lines, whole ones only, and the encoding they were read in."""
    try:
        with open_packed(path) as stream:
            raw = more = stream.read(HEAD)
            while more and raw.count(b"\n") < 2:
                if len(raw) >= LONGEST_HEAD:
                    raise InvalidInput(
                        f"file: {path.name!r} has no two lines in its first {LONGEST_HEAD >> 20} MB; expected a"
                        " header and one line per row"
                    )
                more = stream.read(len(raw))
                raw += more
            whole = not stream.read(1)
    except (OSError, EOFError, lzma.LZMAError) as error:
        raise InvalidInput(f"file: {path.name!r} cannot be read ({error})") from error
    encoding = encoding or next((name for mark, name in MARKS.items() if raw.startswith(mark)), "utf-8")
    try:
        text = codecs.getincrementaldecoder(encoding)().decode(raw, final=whole).removeprefix("\ufeff")
    except LookupError as error:
        raise InvalidParameter(f"encoding: must be a text encoding, got {encoding!r}") from error
    except UnicodeError as error:
        raise not_in(encoding, path) from error
    if not text.strip():
        raise InvalidInput(f"file: {path.name!r} is empty")
    return (text if whole else text[: text.rfind("\n") + 1]), encoding


def not_in(encoding: str, path: Path) -> InvalidInput:
    """The error of a file in another encoding."""
    name = "UTF-8" if encoding == "utf-8" else encoding
    return InvalidInput(f"file: {path.name!r} is not {name} text; give its encoding, such as latin-1")


def _is_header(lines: list[str], separator: str | None) -> bool:
    """Whether a first line ``#a,b`` has the names: the second is no remark, as wide, and has a number."""
    if len(lines) < 2 or lines[1].startswith("#"):
        return False
    separator = separator or find_separator(lines)
    names, values = list(csv.reader(lines[:2], delimiter=separator))[:2]
    return len(names) == len(values) > 1 and any(map(_is_number, values))


def _check_header(path: Path, names: list[str], before: int) -> None:
    """Names that are not empty and not data, after ``before`` columns without one."""
    for at, name in enumerate(names, start=before + 1):
        if not name:
            raise InvalidInput(f"file: {path.name!r} has no name for column {at}; name it in the first line")
    counted = names in ([str(i) for i in range(len(names))], [str(i + 1) for i in range(len(names))])
    if not counted and all(_is_number(name) for name in names):
        raise InvalidInput(f"file: {path.name!r} must begin with column names, got numbers ({names[0]}, …)")


def _is_number(text: str) -> bool:
    try:
        float(text.replace(",", "."))
    except ValueError:
        return False
    return True
