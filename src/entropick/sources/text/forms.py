"""The forms in which texts write values: how to tell them, and how to read them.

A form reads an Arrow array of texts into an array of values, or says None where one of the texts is not of that form.
The texts are trimmed and None where missing. A column is of the first form that all of its texts have.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

Array = Any  # pyarrow.Array, of texts (pyarrow.StringArray) or of values

# what stands for a missing value, in any column
MISSING = (
    "", "NA", "N/A", "n/a", "NaN", "nan", "-NaN", "-nan", "NULL", "null", "None", "<NA>", "#N/A", "#NA", "#N/A N/A",
    "1.#IND", "-1.#IND", "1.#QNAN", "-1.#QNAN",
)  # fmt: skip
# and only among numbers, in any case; among texts they are a level like others
GAPS = (
    "?", ".", "-", "--", "–", "—", "*", "na", "n.a.", "nd", "n.d.", "nan", "nil", "none", "null", "missing",
    "unknown", "#div/0!", "#value!", "#ref!", "#num!", "#name?",
)  # fmt: skip
WORDS = (("true", "false"), ("yes", "no"), ("y", "n"), ("t", "f"), ("on", "off"))
BESIDE = "beside "  # begins the names of forms with a sign or a unit
DAY_FIRST, MONTH_FIRST = "%d/%m/%Y", "%m/%d/%Y"
DATES = ("%d.%m.%Y", "%d.%m.%Y %H:%M", "%Y/%m/%d", DAY_FIRST, MONTH_FIRST, "%d-%b-%Y", "%d %b %Y")
SPACES = " \u00a0\u202f'’"  # between thousands, in any country
COMMA = rf"^[+-]?([0-9]+|[0-9]{{1,3}}([.{SPACES}][0-9]{{3}})+)?(,[0-9]*)?([eE][+-]?[0-9]+)?$"
GROUPED = rf"^[+-]?[0-9]{{1,3}}([,{SPACES}][0-9]{{3}})+(\.[0-9]*)?$"


@dataclass(frozen=True, eq=False)
class Form:
    """One way to write values of a kind. ``holds`` names the forms that every column of this form has as well."""

    name: str
    kind: str
    read: Callable[[Array], Array | None]
    holds: frozenset[str] = frozenset()


def _cast(texts: Array, to: Any) -> Array | None:
    import pyarrow as pa

    try:
        return texts.cast(to)
    except pa.ArrowInvalid:
        return None


def _matches(texts: Array, pattern: str) -> Array:
    import pyarrow.compute as pc

    return pc.match_substring_regex(texts, pattern)


def _all(mask: Array) -> bool:
    import pyarrow.compute as pc

    out: bool = pc.all(mask, min_count=0).as_py()
    return out


def all_match(texts: Array, pattern: str) -> bool:
    """Whether all texts that are not missing match."""
    return _all(_matches(texts, pattern))


def _any(mask: Array) -> bool:
    import pyarrow.compute as pc

    out: bool = pc.any(mask, min_count=0).as_py()
    return out


def _digits(texts: Array) -> tuple[Array | None, bool]:
    """The texts as integers, or None; and whether any is written like ``007``, as a code rather than a number."""
    import pyarrow as pa
    import pyarrow.compute as pc

    values = _cast(texts, pa.int64())
    if values is None:
        return None, False
    led_by_zero = _any(pc.and_(pc.starts_with(texts, "0"), pc.greater(pc.binary_length(texts), 1)))
    if led_by_zero and _any(pc.match_substring(texts, "x", ignore_case=True)):
        return None, False  # Arrow takes 0x1F for a number
    return values, led_by_zero


def _integer(texts: Array) -> Array | None:
    values, led_by_zero = _digits(texts)
    return None if led_by_zero else values


def _code(texts: Array) -> Array | None:
    return None if _digits(texts)[0] is None else texts


def _point(texts: Array) -> Array | None:
    import pyarrow as pa

    return _cast(texts, pa.float64())


def _comma(texts: Array) -> Array | None:
    import pyarrow.compute as pc

    if not _all(_matches(texts, COMMA)):
        return None
    whole = pc.replace_substring_regex(texts, rf"[.{SPACES}]", "")
    return _point(pc.replace_substring(whole, ",", "."))


def _grouped(texts: Array) -> Array | None:
    import pyarrow.compute as pc

    whole = pc.replace_substring_regex(texts, rf"[,{SPACES}]", "")
    return _point(pc.if_else(_matches(texts, GROUPED), whole, texts))


def _words(yes: str, no: str) -> Callable[[Array], Array | None]:
    def read(texts: Array) -> Array | None:
        import pyarrow as pa
        import pyarrow.compute as pc

        lower = pc.utf8_lower(texts)
        known = pc.is_in(lower, value_set=pa.array([yes, no]), skip_nulls=True)
        return pc.equal(lower, yes) if _all(pc.or_(known, texts.is_null())) else None

    return read


def _instant(zone: str | None) -> Callable[[Array], Array | None]:
    def read(texts: Array) -> Array | None:
        import pyarrow as pa

        return _cast(texts, pa.timestamp("us", zone))

    return read


def _date(pattern: str) -> Callable[[Array], Array | None]:
    def read(texts: Array) -> Array | None:
        import pyarrow as pa
        import pyarrow.compute as pc

        try:
            return pc.strptime(texts, pattern, "s")
        except pa.ArrowInvalid:
            return None

    return read


INTEGER = Form("integer", "integer", _integer, frozenset({"code", "point", "comma", "grouped"}))
CODE = Form("code", "category", _code, frozenset({"point", "comma", "grouped"}))
POINT = Form("point", "numeric", _point, frozenset({"grouped"}))
DECIMAL_COMMA = Form("comma", "numeric", _comma)
THOUSANDS = Form("grouped", "numeric", _grouped)
BOOLEANS = tuple(Form(yes, "boolean", _words(yes, no)) for yes, no in WORDS)
INSTANTS = (Form("instant", "numeric", _instant(None)), Form("zoned", "numeric", _instant("UTC")))
DAYS = tuple(Form(pattern, "numeric", _date(pattern)) for pattern in DATES)
CATEGORY = Form("text", "category", lambda texts: texts)


@lru_cache
def beside(sign: str, comma: bool) -> Form:
    """Numbers beside one and the same sign or unit: ``$1,350.00``, ``5%``, ``12 kg``; with decimal commas or points."""
    quoted = re.escape(sign)
    pattern = rf"^([-+]?\s?{quoted}\s?[-+]?[0-9.,]+|[-+]?[0-9][0-9.,]*\s?{quoted})$"

    def read(texts: Array) -> Array | None:
        import pyarrow.compute as pc

        if not _all(_matches(texts, pattern)):
            return None
        bare = pc.replace_substring_regex(texts, rf"\s?{quoted}\s?", "")
        return _comma(bare) if comma else _grouped(bare)

    return Form(f"{BESIDE}{sign}", "numeric", read)


def is_beside(form: Form) -> bool:
    return form.name.startswith(BESIDE)


NUMBERS = (INTEGER, CODE, POINT, THOUSANDS, DECIMAL_COMMA)
DATED = (*INSTANTS, *DAYS)
MEASURED = frozenset((*NUMBERS, *DATED))
SIGN = re.compile(
    r"[-+]?\s?([$€£¥])\s?[-+]?[0-9][0-9.,]*$|[-+]?[0-9][0-9.,]*\s?(%|[$€£¥]|(?!(?:st|nd|rd|th)$)[A-Za-zµ°²³/]{1,6})$"
)
WHOLE = re.compile(r"[-+]?[0-9]+$")
NUMBER_LIKE = re.compile(r"[-+]?[.,]?[0-9]|[-+]?(inf|nan)")
DATE_LIKE = re.compile(r"[0-9]{1,4}[-/. ]([0-9]{1,2}|[a-z]+)[-/. ][0-9]{2}")


def plausible(first: str) -> tuple[Form, ...]:
    """The forms that a column may have whose first text is this one, so that few are tried on all the others."""
    lower = first.lower()
    for form, words in zip(BOOLEANS, WORDS, strict=True):
        if lower in words:
            return (form, CATEGORY)
    if lower in GAPS:
        return (*NUMBERS, *DATED, CATEGORY)
    if DATE_LIKE.match(lower):
        return (*DATED, CATEGORY)
    sign = SIGN.match(first)
    if sign is not None:
        unit = sign.group(1) or sign.group(2)
        return (beside(unit, False), beside(unit, True), CATEGORY)
    if not NUMBER_LIKE.match(lower):
        return (CATEGORY,)
    whole = (INTEGER, CODE) if WHOLE.match(lower) else ()
    return (*whole, POINT, THOUSANDS, *((DECIMAL_COMMA,) if re.match(COMMA, lower) else ()), CATEGORY)


@dataclass(frozen=True)
class Read:
    """The forms that hold for a block of texts, and its values in the first of them.

    ``as_written`` is True where nothing had to be done to the texts; ``gaps`` where words stood for missing numbers.
    """

    forms: tuple[Form, ...]
    values: Array
    as_written: bool
    gaps: bool


class Texts:
    """A block of a column's texts, made fit to read in stages.

    ``raw`` has None where the file has one of the words for missing; ``trimmed`` is without spaces around; ``filled``
    is also without the words that stand for missing among numbers and dates, or None where there are other words.
    """

    def __init__(self, raw: Array, missing: Sequence[str], spaced: bool) -> None:
        self.raw = raw
        self._missing = missing
        self._spaced = spaced

    @cached_property
    def trimmed(self) -> Array:
        import pyarrow as pa
        import pyarrow.compute as pc

        texts = pc.utf8_trim_whitespace(self.raw)
        if self._spaced:
            texts = pc.replace_substring_regex(texts, '^"(.*)"$', r"\1")
        return self.raw if texts.equals(self.raw) else _without(texts, pa.array(self._missing))

    @cached_property
    def filled(self) -> Array | None:
        import pyarrow.compute as pc

        words = self.trimmed.filter(pc.invert(_matches(self.trimmed, "^[^#]*[0-9]"))).unique()
        known = all(word is None or word.lower() in GAPS for word in words.to_pylist())
        return _without(self.trimmed, words) if known and len(words) else None

    def head(self, n: int) -> Texts:
        """The first n."""
        return Texts(self.raw.slice(0, n), self._missing, self._spaced)

    def read(self, forms: Sequence[Form]) -> Read | None:
        """What holds of these forms, in their order, at the first stage where any does; None where none does.

        What a form cannot read at a stage where another can, it cannot read at a later one.
        """
        read = self._read(forms, self.raw, as_written=True)
        if read is None and self.trimmed is not self.raw:
            read = self._read(forms, self.trimmed)
        measured = [form for form in forms if form in MEASURED or is_beside(form)]
        if read is None and measured and self.filled is not None:
            read = self._read(measured, self.filled, gaps=True)
        return read

    @staticmethod
    def _read(forms: Sequence[Form], texts: Array, *, as_written: bool = False, gaps: bool = False) -> Read | None:
        holding: list[Form] = []
        implied: frozenset[str] = frozenset()
        first = None
        for form in forms:
            values = None if form.name in implied else form.read(texts)
            if values is not None or form.name in implied:
                holding.append(form)
                implied |= form.holds
                first = values if first is None else first
        return Read(tuple(holding), first, as_written, gaps) if holding else None


def _without(texts: Array, words: Array) -> Array:
    """The texts, None where one is among the words."""
    import pyarrow as pa
    import pyarrow.compute as pc

    return pc.if_else(pc.is_in(texts, value_set=words), pa.scalar(None, texts.type), texts)
