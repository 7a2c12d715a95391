"""A matrix of features with annotations of its rows beside it: cells × genes and what is known of every cell.

Columns beside the features are no candidates: clusters that were made of the genes would be the best of all. They are
there for whoever asks for them by name, as the target, a covariate or a weight (`offered`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Sequence
from typing import Any

import numpy as np

from ..errors import InvalidInput, closest
from .arrays import from_array, from_sparse
from .recast import conformed
from .side_by_side import parted, side_by_side
from .source import BLOCK_BYTES, Schema, Source
from .table import Table, distinct_names
from .values import listed

EVERY = slice(None)


class Matrix(ABC):
    """Rows × features that can be read a run of rows at a time.

    ``kind`` is that of all features; ``nbytes`` what they take in memory as they are held.
    """

    shape: tuple[int, int]
    kind: str
    nbytes: int

    @abstractmethod
    def rows(self, start: int, stop: int, columns: Any) -> Table:
        """The table of these rows; of these columns (numbers, or a slice that takes all)."""


class ArrayMatrix(Matrix):
    """Whatever gives an array or a sparse matrix when a run of its rows is asked for: ``values[start:stop]``."""

    def __init__(self, values: Any, what: str = "X", nbytes: int | None = None) -> None:
        if len(values.shape) != 2:
            raise InvalidInput(f"{what}: must have rows and columns, got shape {tuple(values.shape)}")
        self.values, self.what = values, what
        self.shape = (int(values.shape[0]), int(values.shape[1]))
        self.kind = {"b": "boolean", "f": "numeric"}.get(np.dtype(values.dtype).kind, "integer")
        self.nbytes = int(np.prod(self.shape)) * np.dtype(values.dtype).itemsize if nbytes is None else nbytes

    def rows(self, start: int, stop: int, columns: Any) -> Table:
        part = self.values[start:stop]
        part = part if isinstance(columns, slice) else part[:, columns]
        if hasattr(part, "tocsc"):
            part.check_format(full_check=True)  # indices of a damaged file would be written through as they are
            return from_sparse(part)
        return from_array(np.asarray(part))


class AnnotatedSource(Source):
    """``beside`` (columns in memory), then the features of a matrix.

    ``aside`` names the columns that are no features.
    """

    def __init__(
        self,
        matrix: Matrix,
        names: Sequence[str],
        beside: Table | None,
        *,
        columns: Sequence[int] | None = None,
        notes: Sequence[str] = (),
        aside: frozenset[str] | None = None,
    ) -> None:
        own = () if beside is None else beside.names
        kinds = () if beside is None else tuple(beside.kind(j) for j in range(beside.n_columns))
        schema = Schema((*own, *names), (*kinds, *(matrix.kind for _ in names)))
        super().__init__(schema, matrix.shape[0], notes=notes)
        self.aside = frozenset(own) if aside is None else aside & set(own)
        self._matrix, self._beside, self._features = matrix, beside, tuple(names)
        self._columns = EVERY if columns is None else np.asarray(columns, np.intp)

    @property
    def _width(self) -> int:
        return 0 if self._beside is None else self._beside.n_columns

    def blocks(self, rows: int | None = None, columns: Sequence[int] | None = None) -> Iterator[Table]:
        own, features, place = parted(range(self.n_columns) if columns is None else columns, self._width)
        source = self._narrowed(own, features)
        n = source.n_rows or 0
        step = min(rows or max(1, BLOCK_BYTES // (8 * max(source.n_columns, 1))), max(n, 1))
        for start in range(0, n, step):
            block = source._block(start, min(start + step, n))
            yield block if place is None else block.select(place.tolist())

    def _block(self, start: int, stop: int) -> Table:
        parts = []
        if self._beside is not None:
            whole = start == 0 and stop == self.n_rows
            parts.append(self._beside if whole else self._beside.take(np.arange(start, stop)))
        if self._features:
            features = self._matrix.rows(start, stop, self._columns)
            features.names, features.named = self._features, True
            parts.append(features)
        return side_by_side(parts)

    def table(self) -> Table:
        found = self._block(0, self.n_rows or 0)
        found.notes = self.notes
        return found

    def memory(self) -> int:
        share = len(self._features) / max(self._matrix.shape[1], 1)
        texts = 0 if self._beside is None else 16 * self._width * (self.n_rows or 0)
        return int(self._matrix.nbytes * share) + texts

    def select(self, columns: Sequence[int]) -> Source:
        own, features, place = parted(columns, self._width)
        return super().select(columns) if place is not None else self._narrowed(own, features).hold(self)

    def _narrowed(self, own: Any, features: Any) -> AnnotatedSource:
        """With these of the columns beside and of the features."""
        beside = self._beside.select(own.tolist()) if self._beside is not None and len(own) else None
        names, held = self._features, self._chosen
        if not np.array_equal(features, np.arange(len(self._features))):
            names = tuple(self._features[j] for j in features)
            held = features if held is None else held[features]
        return AnnotatedSource(self._matrix, names, beside, columns=held, notes=self.notes, aside=self.aside)

    @property
    def _chosen(self) -> Any:
        return None if isinstance(self._columns, slice) else self._columns

    def recast(self, kinds: Sequence[str]) -> Source:
        """Columns beside are read as asked; features only by the general way."""
        width = self._width
        if tuple(kinds[width:]) != self.kinds[width:] or self._beside is None:
            return super().recast(kinds)
        beside = conformed(self._beside, list(kinds[:width]))
        found = AnnotatedSource(
            self._matrix, self._features, beside, columns=self._chosen, notes=self.notes, aside=self.aside
        )
        return found.hold(self)

    def beside(self) -> Table | None:
        """What is known of the rows."""
        return self._beside

    def with_beside(self, beside: Table, rows: Any, notes: Sequence[str]) -> AnnotatedSource:
        """These rows only, with other columns beside them."""
        matrix = SomeRows(self._matrix, np.asarray(rows, np.intp))
        found = AnnotatedSource(matrix, self._features, beside, columns=self._chosen, notes=notes)
        found.hold(self)
        return found


class SomeRows(Matrix):
    """Some rows of a matrix, in ascending order."""

    def __init__(self, matrix: Matrix, rows: Any) -> None:
        self._matrix, self._rows = matrix, rows
        self.shape = (len(rows), matrix.shape[1])
        self.kind, self.nbytes = matrix.kind, matrix.nbytes

    def rows(self, start: int, stop: int, columns: Any) -> Table:
        own = self._rows[start:stop]
        first, last = int(own[0]), int(own[-1]) + 1
        found = self._matrix.rows(first, last, columns)
        return found if last - first == len(own) else found.take(own - first)


def annotated(matrix: Matrix, names: Sequence[str], beside: Table | None, notes: Sequence[str] = ()) -> AnnotatedSource:
    """The source of a matrix whose features have these names; names that come twice get a number."""
    own = [] if beside is None else list(beside.names)
    found, twice = distinct_names([*own, *(str(name) for name in names)])
    return AnnotatedSource(matrix, found[len(own) :], beside, notes=(*notes, *twice))


def check_beside(source: Source, name: Any, argument: str) -> None:
    """A name that is no column: those beside the features are what was most likely meant."""
    if source.aside and isinstance(name, str) and name not in source.names:
        there = [one for one in source.names if one in source.aside]
        raise InvalidInput(
            f"{argument}: no column {name!r}.{closest(name, there)} Beside the features: {listed(there)}"
        )


def offered(source: Source, asked: Collection[str]) -> Source:
    """The source without the columns beside its features that nobody asks for by name."""
    if not source.aside:
        return source
    kept = [j for j, name in enumerate(source.names) if name not in source.aside or name in asked]
    return source if len(kept) == source.n_columns else source.select(kept)
