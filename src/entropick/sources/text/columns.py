"""What the columns of a text file hold, found from all of their texts."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ...errors import InvalidInput
from ..source import DATES
from ..values import listed
from .forms import (
    BESIDE,
    BOOLEANS,
    CATEGORY,
    CODE,
    DATED,
    DAY_FIRST,
    DECIMAL_COMMA,
    INTEGER,
    MEASURED,
    MONTH_FIRST,
    NUMBERS,
    POINT,
    THOUSANDS,
    WORDS,
    Array,
    Form,
    Texts,
    is_beside,
    plausible,
)

# which comes first where a number can be read in two ways: 1,234 and 1.234
ENGLISH = (POINT, THOUSANDS, DECIMAL_COMMA)
CONTINENTAL = (DECIMAL_COMMA, POINT, THOUSANDS)
UNDECIDED = (POINT, DECIMAL_COMMA, THOUSANDS)
SIGNED = re.compile(r"[-+]?\s?[$€£¥]\s?[-+]?[0-9][0-9.,]*$|[-+]?[0-9][0-9.,]*\s?[%$€£¥]$")
APART = 3  # columns of which the same is noted, each in a note of its own
# why a column that might be something else is a category: of one column, of several, what to do
ODD = {
    "code": ("has numbers with leading zeros", "have numbers with leading zeros", ""),
    "days": (
        "has dates in which day and month cannot be told apart",
        "have dates in which day and month cannot be told apart",
        "",
    ),
    "signs": (
        "has symbols next to numbers ({})",
        "have symbols next to numbers ({})",
        "; remove them with a query (sql=)",
    ),
    "turns": (
        "turns from numbers or dates to text in data row {row} ({})",
        "turn from numbers or dates to text ({})",
        "; if that marks a missing value, name it with missing=",
    ),
}


WHY = {
    INTEGER: "whole numbers", POINT: "numbers", DECIMAL_COMMA: "numbers with decimal commas",
    THOUSANDS: "numbers with thousands separators",
    **{form: f"{yes} or {no}" for form, (yes, no) in zip(BOOLEANS, WORDS, strict=True)},
}  # fmt: skip


@dataclass(frozen=True)
class TextColumn:
    """How to read one column of a text file.

    ``direct`` is True where Arrow's own reader takes all the texts as they are written. ``number`` is the form to read
    numbers in, whatever the column is read as; where there is none, ``refused`` is the first row (from 1 on) that is
    neither a number nor a date, with its text. ``odd`` is why it is a category where it might be something else.
    """

    name: str
    form: Form
    vacant: bool = False
    direct: bool = False
    gaps: bool = False
    number: Form | None = None
    refused: tuple[int, str] | None = None
    odd: str = ""

    @property
    def kind(self) -> str:
        return "numeric" if self.vacant else self.form.kind

    @property
    def why(self) -> str:
        """What its texts have in common."""
        if self.vacant:
            return "no value"
        if is_beside(self.form):
            return f"numbers with {self.form.name.removeprefix(BESIDE)!r}"
        if self.odd:
            row, text = self.refused or (0, "")
            return f"texts: {ODD[self.odd][0].format(f'{text!r:.40}', row=row)}"
        return DATES if self.form in DATED else WHY.get(self.form, "texts")

    def values(self, texts: Texts) -> Array:
        """The values of a block. All texts of the file were found to be of the form before."""
        import pyarrow as pa

        if self.form is CATEGORY:
            return pa.nulls(len(texts.raw), pa.float64()) if self.vacant else texts.trimmed
        read = texts.read([self.form])
        if read is None:
            raise InvalidInput(f"file: column {self.name!r} changed while the file was being read")
        return read.values

    def recast(self, kind: str) -> TextColumn | None:
        """The column read as another kind from its texts; None where only its values can be turned into it."""
        if kind == "category":
            return replace(self, form=CATEGORY, direct=False, vacant=False, odd="")
        if kind != "numeric" or self.kind != "category":
            return None
        if self.number is not None:
            return replace(self, form=self.number, odd="")
        row, text = self.refused or (1, "")
        remedy = (
            "remove the symbol with a query (--sql, sql=)"
            if SIGNED.match(text)
            else "if that marks a missing value, name it with missing="
        )
        raise InvalidInput(
            f"numeric: column {self.name!r} must hold numbers, got {text!r:.60} in data row {row}; {remedy}"
        )


class Guess:
    """The forms that all texts of a column so far have."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.forms: tuple[Form, ...] = ()
        self._valued = False  # any value besides gaps
        self._direct = True
        self._gaps = False
        self._mixed = False
        self._refused: tuple[int, str] | None = None

    def update(self, texts: Texts, first_row: int) -> None:
        """Look at a block; ``first_row`` is the number of its first row."""
        if self.forms == (CATEGORY,) or texts.raw.null_count == len(texts.raw):
            return
        if not self.forms and not self._begin(texts, first_row):
            return
        before, valued = self.forms, self._valued
        read = texts.read(self.forms[:-1])  # the last is CATEGORY, which always holds
        self.forms = (*(read.forms if read else ()), CATEGORY)
        if read is not None:
            self._valued |= read.values.null_count < len(read.values)
            self._direct &= read.as_written
            self._gaps |= read.gaps
        if self._refused is None and MEASURED.isdisjoint(self.forms):
            self._refuse([form for form in before if form in MEASURED], valued, texts, first_row)

    def _begin(self, texts: Texts, first_row: int) -> bool:
        """Whether the block has a text, which then decides what forms to try."""
        for row, found in enumerate(texts.trimmed, start=first_row):
            if found.is_valid:
                text = found.as_py()
                self.forms = plausible(text)
                if MEASURED.isdisjoint(self.forms):
                    self._refused = (row, text)
                return True
        return False

    def _refuse(self, forms: Sequence[Form], valued: bool, texts: Texts, first_row: int) -> None:
        """Remember the first row that none of the forms so far can read: the longest readable head ends there."""
        at = bisect_left(range(len(texts.raw)), True, key=lambda n: texts.head(n + 1).read(forms) is None)
        read = texts.head(at).read(forms)
        self._mixed = valued or (read is not None and read.values.null_count < at)
        self._refused = (first_row + at, texts.trimmed[at].as_py())

    def column(self, numbers: Sequence[Form]) -> TextColumn:
        """The first form in order of preference that all texts have; ``numbers`` orders those of numbers."""
        order = [*BOOLEANS, INTEGER, CODE, *numbers, *DATED, CATEGORY]
        forms = sorted(self.forms, key=lambda form: -1 if is_beside(form) else order.index(form))  # stays in its order
        vacant = not forms or (forms[0] in NUMBERS and not self._valued)
        days = {form.name for form in forms} >= {DAY_FIRST, MONTH_FIRST}
        form = CATEGORY if vacant or days else forms[0]
        return TextColumn(
            self.name,
            form,
            vacant,
            direct=self._direct and form in (INTEGER, POINT),
            gaps=self._gaps and (form in NUMBERS or is_beside(form)),
            number=next((form for form in forms if form in numbers), None),
            refused=self._refused,
            odd=self._odd(form, days),
        )

    def _odd(self, form: Form, days: bool) -> str:
        if form is CODE:
            return "code"
        if form is not CATEGORY:
            return ""
        if days:
            return "days"
        if self._refused is None:
            return ""
        return "turns" if self._mixed else "signs" if SIGNED.match(self._refused[1]) else ""


def agreed_columns(guesses: Sequence[Guess], separator: str) -> list[TextColumn]:
    """The columns; a number that can be read in two ways follows the columns that can be read in one way only."""
    points = any(POINT in guess.forms and DECIMAL_COMMA not in guess.forms for guess in guesses)
    commas = any(DECIMAL_COMMA in guess.forms and THOUSANDS not in guess.forms for guess in guesses)
    order = ENGLISH if separator == "," else UNDECIDED
    if points != commas:
        order = ENGLISH if points else CONTINENTAL
    return [guess.column(order) for guess in guesses]


def notes_on(columns: Sequence[TextColumn]) -> tuple[str, ...]:
    """What is not obvious about how columns are read."""
    told = {
        "decimal commas in": [c.name for c in columns if c.form is DECIMAL_COMMA],
        "thousands separators ignored in": [c.name for c in columns if c.form is THOUSANDS],
        "words such as 'nan' read as missing in": [c.name for c in columns if c.gaps],
        "symbols and units next to numbers ignored in": [c.name for c in columns if is_beside(c.form)],
        "dates and durations are read as seconds:": [c.name for c in columns if c.form in DATED],
    }
    return (
        *(f"{what} {listed(names)}" for what, names in told.items() if names),
        *_oddities(columns),
    )


def _oddities(columns: Sequence[TextColumn]) -> Iterator[str]:
    """Why columns are categories that might be something else: a note each, or one for many."""
    for odd, (one, many, remedy) in ODD.items():
        some = [column for column in columns if column.odd == odd]
        texts = list(dict.fromkeys(f"{c.refused[1]!r:.40}" for c in some if c.refused is not None))
        if len(some) > APART:
            words = many.format(", ".join(texts[:APART]) + (", …" if len(texts) > APART else ""))
            yield f"{len(some)} columns {words}: read as categories{remedy}: {listed([c.name for c in some])}"
            continue
        for column in some:
            row, text = column.refused or (0, "")
            yield f"{column.name!r} {one.format(f'{text!r:.40}', row=row)}: read as a category{remedy}"
