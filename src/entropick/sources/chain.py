"""Several sources with the same columns, one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..errors import InvalidInput
from .recast import joined
from .source import Schema, Source
from .table import Table
from .values import listed


class ChainedSource(Source):
    """The rows of several sources. Columns are found by name and get a kind that holds the values of all."""

    def __init__(self, sources: Sequence[Source], labels: Sequence[str]) -> None:
        names = sources[0].names
        for source, label in zip(sources, labels, strict=True):
            _check_same(names, source.names, labels[0], label)
        aligned = [source.select([source.names.index(name) for name in names]) for source in sources]
        kinds = [_joined_kind(aligned, j) for j in range(len(names))]
        self._sources = [source.recast(kinds) for source in aligned]
        n_rows = [source.n_rows for source in sources]
        super().__init__(
            Schema(names, tuple(kinds)),
            None if None in n_rows else sum(n for n in n_rows if n is not None),
            notes=tuple(dict.fromkeys(note for source in self._sources for note in source.notes)),
            vacant=frozenset.intersection(*(source.vacant for source in sources)),
            why={
                name: why
                for name, why in self._sources[0].why.items()
                if all(one.why.get(name) == why for one in self._sources)
            },
        )

        self.aside = frozenset().union(*(source.aside for source in sources))

    def blocks(self, rows: int | None = None, columns: Sequence[int] | None = None) -> Iterator[Table]:
        for source in self._sources:
            yield from source.blocks(rows, columns)

    def first_texts(self) -> dict[int, str]:
        found: dict[int, str] = {}
        for source in self._sources:
            found = source.first_texts() | found
        return found

    def arrow_batches(self) -> Iterator[Any]:
        for source in self._sources:
            yield from source.arrow_batches()

    def recast(self, kinds: Sequence[str]) -> Source:
        sources = [source.recast(kinds) for source in self._sources]
        return ChainedSource(sources, [""] * len(sources)).hold(self)

    def close(self) -> None:
        for source in self._sources:
            source.close()
        super().close()


def chained(sources: Sequence[Source], labels: Sequence[str]) -> Source:
    """The sources as one; ``labels`` name them in messages."""
    return sources[0] if len(sources) == 1 else ChainedSource(sources, labels)


def _joined_kind(sources: Sequence[Source], j: int) -> str:
    """A source that knows nothing but gaps of a column has no say."""
    said = [source.kinds[j] for source in sources if source.names[j] not in source.vacant]
    return joined(said) if said else "numeric"


def _check_same(names: Sequence[str], others: Sequence[str], label: str, other: str) -> None:
    lacking, added = set(names) - set(others), set(others) - set(names)
    if lacking or added:
        has, lacks, which = (label, other, lacking) if lacking else (other, label, added)
        columns = listed([name for name in (*names, *others) if name in which])
        raise InvalidInput(f"file: {lacks!r} has no column {columns}, but {has!r} has; all files need the same columns")
