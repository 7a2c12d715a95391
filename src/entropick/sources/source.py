"""Source: rows that need not fit in memory, given in blocks, as often as asked."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import InvalidInput
from .table import Array, Column, ColumnTable, Table, check_shape

BLOCK_BYTES = 1 << 25  # of a block's numbers, where the caller names no number of rows
CELL_BYTES = {"boolean": 1, "category": 64}  # of a value in memory; 8 for numbers
ALL = 1 << 62  # more rows than any block has
PEEK = 1000  # rows in which texts are looked for first
DATES = "dates"  # why a column of numbers is one


@dataclass(frozen=True)
class Schema:
    """Names and kinds (``"numeric"``, ``"integer"``, ``"boolean"``, ``"category"``) of the columns, in order."""

    names: tuple[str, ...]
    kinds: tuple[str, ...]


class Source(ABC):
    """Rows × named columns that can be read again and again, a block of rows at a time.

    ``kinds`` hold for the whole source: a column that turns from integers to fractions half-way is ``"numeric"`` from
    the first block on. ``n_rows`` is None where it is not known before reading. ``notes`` says how columns were read
    where that is not obvious; ``vacant`` names the columns of which nothing but gaps is known, ``aside`` those that are
    no features, but a target or covariate for whoever names them. A source may hold temporary files; ``close``, the end
    of a ``with`` block, or its last reference removes them. ``why`` says by name what a column was taken for its kind
    by, where that is known: `DATES`, "numbers beside '$'", ….
    """

    aside: frozenset[str] = frozenset()

    def __init__(
        self,
        schema: Schema,
        n_rows: int | None,
        *,
        notes: Sequence[str] = (),
        vacant: frozenset[str] = frozenset(),
        why: Mapping[str, str] | None = None,
    ) -> None:
        self.names = schema.names
        self.kinds = schema.kinds
        self.n_rows = n_rows
        self.notes = tuple(notes)
        self.vacant = vacant
        self.why = dict(why or {})
        self.groups: dict[str, list[str]] = {}  # columns that belong together, such as the parts of a date
        self.text_bytes = 0  # that texts are known to take
        self._held: list[Any] = []

    def schema(self) -> Schema:
        return Schema(self.names, self.kinds)

    @property
    def n_columns(self) -> int:
        return len(self.names)

    @abstractmethod
    def blocks(self, rows: int | None = None, columns: Sequence[int] | None = None) -> Iterator[Table]:
        """Tables of at most ``rows`` rows each, in order, none of them empty; of these columns in this order.

        Every block has the names and kinds of the source. The number of rows must not change what is read.
        """
        ...

    def recast(self, kinds: Sequence[str]) -> Source:
        """The same rows with columns of these kinds; a text that is no number is an error that names its row."""
        from .recast import RecastSource

        return self if tuple(kinds) == self.kinds else RecastSource(self, range(self.n_columns), kinds)

    def select(self, columns: Sequence[int]) -> Source:
        """The same rows with these columns only."""
        from .recast import RecastSource

        everything = list(columns) == list(range(self.n_columns))
        return self if everything else RecastSource(self, columns, [self.kinds[j] for j in columns])

    def table(self) -> Table:
        """Everything in memory."""
        blocks = list(self.blocks(ALL))
        if not blocks:
            check_shape(0, self.n_columns)
        table = blocks[0] if len(blocks) == 1 else self._stacked(blocks)
        table.notes = self.notes
        return table

    def _stacked(self, blocks: Sequence[Table]) -> Table:
        """One table of all the blocks; columns are put together when they are asked for."""

        def together(j: int) -> Callable[[], Array]:
            return lambda: np.concatenate([block.column(j) for block in blocks])

        columns = [Column(kind, together(j)) for j, kind in enumerate(self.kinds)]
        return ColumnTable(self.names, columns, sum(block.n_rows for block in blocks))

    def arrow_batches(self) -> Iterator[Any]:
        """Arrow record batches of all rows, for queries; dates are dates where the source knows them as such."""
        from .arrow_blocks import arrow_batch

        return map(arrow_batch, self.blocks())

    def arrow_scan(self) -> Any:
        """What DuckDB can scan as often as a query asks for it."""
        from .arrow_blocks import ArrowScan

        return ArrowScan(self.arrow_batches)

    def memory(self) -> int | None:
        """Bytes that ``table()`` would take, roughly; None where the number of rows is not known."""
        if self.n_rows is None:
            return None
        cells = [CELL_BYTES.get(kind, 8) * self.n_rows for kind in self.kinds if kind != "category"]
        texts = CELL_BYTES["category"] * self.n_rows * self.kinds.count("category")
        return sum(cells) + max(texts, self.text_bytes)

    def first_texts(self) -> dict[int, str]:
        """The first text of each column of texts that nobody has looked at: they may be numbers or dates."""
        return first_texts(self, [j for j, kind in enumerate(self.kinds) if kind == "category"])

    def hold(self, files: Any) -> Source:
        """This source, which from now on keeps temporary files alive and closes them with itself."""
        self._held.append(files)
        return self

    def close(self) -> None:
        """Remove temporary files. The source cannot be read afterwards."""
        for files in self._held:
            files.close()

    def __enter__(self) -> Source:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        rows = "?" if self.n_rows is None else self.n_rows
        return f"<{type(self).__name__} {rows} × {self.n_columns}>"


def first_texts(source: Source, columns: Sequence[int]) -> dict[int, str]:
    """The first text of each of these columns, where there is one."""
    found: dict[int, str] = {}
    if columns:
        for block in source.blocks(PEEK, columns):
            for at, j in enumerate(columns):
                if j not in found:
                    text = next((one for one in block.column(at) if one is not None), None)
                    found |= {} if text is None else {j: text}
            if len(found) == len(columns):
                break
    return found


class TableSource(Source):
    """A table in memory."""

    def __init__(self, table: Table) -> None:
        kinds = table.kinds
        columns = () if table.one_matrix else enumerate(table.names)
        dated = {name: DATES for j, name in columns if table.as_column(j).dated}
        super().__init__(Schema(table.names, kinds), table.n_rows, notes=table.notes, why=dated)
        self._table = table

    def first_texts(self) -> dict[int, str]:
        table = self._table
        if table.one_matrix:
            return {}
        peeks = {j: first for j in range(table.n_columns) if (first := table.as_column(j).first) is not None}
        return {j: text for j, first in peeks.items() if (text := first()) is not None}

    def blocks(self, rows: int | None = None, columns: Sequence[int] | None = None) -> Iterator[Table]:
        table = self._table if columns is None else self._table.select(columns)
        return table.parts(block_rows(rows, table.n_columns))

    def table(self) -> Table:
        return self._table


def block_rows(rows: int | None, n_columns: int) -> int:
    """The number of rows asked for, or as many as make a block of a convenient size."""
    if rows is None:
        return max(1, BLOCK_BYTES // (8 * max(1, n_columns)))
    if rows < 1:
        raise InvalidInput(f"rows: a block must have at least 1 row, got {rows}")
    return rows
