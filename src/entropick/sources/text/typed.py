"""Texts in frames, typed files and databases that are numbers or dates: read as they would be in a text file.

Amounts with a sign or a unit, numbers with separators, fractions and dates are. Whole numbers, and yes and no, stay
texts: who keeps those as texts means a code. So does what a type of its own says is a category.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from ..frames import from_arrow
from ..source import Schema, Source, TableSource
from ..table import Array, Column, ColumnTable, Table, stored_table
from ..values import listed
from .columns import Guess, TextColumn, agreed_columns, notes_on
from .forms import BOOLEANS, CATEGORY, CODE, INTEGER, MEASURED, MISSING, POINT, Texts, all_match, is_beside, plausible

DIGITS = r"^\s*[-+]?[0-9]*\s*$"
KEPT = frozenset((INTEGER, CODE, *BOOLEANS))  # forms in which a text is left as it is


def as_read(X: object) -> Table:
    """The table of X, the texts in it that are numbers or dates read."""
    table = stored_table(X)
    if table.one_matrix or isinstance(X, (Table, Source)):  # was read, as far as it should be
        return table
    source = read_texts(TableSource(table))
    return source.table() if isinstance(source, TextsRead) else table


def read_texts(source: Source) -> Source:
    """The source, the texts in it that are numbers or dates read; itself where there are none."""
    some = {j: text for j, text in source.first_texts().items() if _may_be_read(text)}
    if not some:
        return source
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        names = listed([source.names[j] for j in some])
        source.notes += (f"text may be numbers or dates; to read it so, pip install 'entropick[cli]': {names}",)
        return source
    found = _look(source, list(some))
    return TextsRead(source, found) if found else source


def _may_be_read(text: str) -> bool:
    return any(form not in KEPT and (form in MEASURED or is_beside(form)) for form in plausible(text.strip()))


def _look(source: Source, columns: Sequence[int]) -> dict[str, TextColumn]:
    """Those of the columns whose texts are all numbers or dates, by name."""
    guesses = [Guess(source.names[j]) for j in columns]
    whole = [True] * len(columns)  # nothing but digits, however many
    first_row = 1
    for block in source.blocks(columns=columns):
        for at, guess in enumerate(guesses):
            texts = arrow_texts(block.column(at))
            if texts is None:
                guess.forms = (CATEGORY,)
            else:
                guess.update(texts, first_row)
                whole[at] &= all_match(texts.trimmed, DIGITS)
        first_row += block.n_rows
    read = agreed_columns(guesses, ",")
    return {
        one.name: one
        for one, digits in zip(read, whole, strict=True)
        if one.kind == "numeric" and not one.vacant and not digits and one.form not in KEPT
    }


def arrow_texts(values: Array) -> Texts | None:
    """The texts of a category, None where they cannot be written as UTF-8."""
    import pyarrow as pa
    import pyarrow.compute as pc

    try:
        raw = pa.array(values, pa.string())
    except (UnicodeError, pa.ArrowException):
        return None
    return Texts(pc.if_else(pc.is_in(raw, value_set=pa.array(MISSING)), None, raw), MISSING, False)


class TextsRead(Source):
    """A source with some columns of texts read as numbers."""

    def __init__(self, source: Source, read: Mapping[str, TextColumn]) -> None:
        kinds = tuple(
            "numeric" if name in read else kind for name, kind in zip(source.names, source.kinds, strict=True)
        )
        plain = [name for name, one in read.items() if one.form is POINT]
        told = (f"text read as numbers in {listed(plain)}",) if plain else ()
        notes = tuple(dict.fromkeys((*source.notes, *told, *notes_on(list(read.values())))))
        super().__init__(Schema(source.names, kinds), source.n_rows, notes=notes, vacant=source.vacant)
        self._source, self._columns = source, dict(read)
        self.why = {**source.why, **{name: one.why for name, one in read.items()}}
        self.hold(source)

    def blocks(self, rows: int | None = None, columns: Sequence[int] | None = None) -> Iterator[Table]:
        for block in self._source.blocks(rows, columns):
            yield self._read(block)

    def table(self) -> Table:
        table = self._read(self._source.table())
        table.notes = self.notes
        return table

    def recast(self, kinds: Sequence[str]) -> Source:
        """Categories are the texts as they were."""
        asked = dict(zip(self.names, kinds, strict=True))
        left = {name: one for name, one in self._columns.items() if asked[name] != "category"}
        if len(left) == len(self._columns):
            return super().recast(kinds)
        rest = TextsRead(self._source, left) if left else self._source
        return rest.recast(kinds).hold(self)

    def memory(self) -> int | None:
        return self._source.memory()

    def _read(self, block: Table) -> Table:
        columns = [
            Column("numeric", self._loader(block, j)) if name in self._columns else block.as_column(j)
            for j, name in enumerate(block.names)
        ]
        return ColumnTable(block.names, columns, block.n_rows, named=block.named, notes=block.notes)

    def _loader(self, block: Table, j: int) -> Callable[[], Array]:
        column = self._columns[block.names[j]]

        def load() -> Array:
            import pyarrow as pa

            texts = arrow_texts(block.column(j))
            assert texts is not None  # they were looked at before
            return from_arrow(pa.table({column.name: column.values(texts)})).column(0)

        return load
