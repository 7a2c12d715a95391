"""Blocks: rows in pieces, wherever they live, and the two things that are ever done with them.

    reduce   make(block) for every block, where it is; the results merged into one
    keep     make(block) for every block; the results stay where they are and are asked again and again

Whatever is written against `Blocks` runs on one machine, on Dask and on Spark. ``make``, ``ask`` and ``merge`` are
sent to where the blocks are, so they can be pickled: functions of a module, or frozen dataclasses with ``__call__``.
``merge`` leaves its arguments as they are, since an engine may have to merge a part again after a failure.
"""

from __future__ import annotations

import os
import pickle
import re
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from numbers import Real
from typing import IO, Any, Generic, TypeVar

from ..errors import InvalidInput, InvalidParameter
from ..files import room_for
from .source import CELL_BYTES, Source
from .table import Table

S = TypeVar("S")
P = TypeVar("P")

BLOCK_BYTES = 64 << 20  # of a block's values, where memory is not limited
SHARE = 16  # a block's values may take this part of the memory: readers and coders hold them several times over
LEAST_ROWS = 256
UNLIMITED = 1 << 62
MOST_GIB = 1 << 16  # a number from here on is one of bytes
UNITS = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4}


def parse_memory(memory: Any) -> int | None:
    """Bytes of a limit such as ``"1GB"``, ``"512 MiB"``, 2 or 1.5 (GiB) or 2_000_000_000 (bytes); None is no limit.

    Units are powers of 1024, as in the memory that a system reports. A number below 65 536 is GiB, a larger one bytes,
    whether or not it has a fraction: 2 and 2.0 are the same.

    >>> parse_memory(2) == parse_memory(2.0) == parse_memory("2GB") == parse_memory(2 * 1024**3)
    True
    """
    if memory is None:
        return None
    found: float | None = None
    if isinstance(memory, str):
        match = re.fullmatch(r"\s*([0-9]*\.?[0-9]+)\s*([kmgt]?)(?:i?b)?\s*", memory.lower())
        found = float(match[1]) * 1024 ** UNITS[match[2]] if match else None
    elif isinstance(memory, Real) and not isinstance(memory, bool):
        found = float(memory) * 1024**3 if memory < MOST_GIB else float(memory)
    if not found or not 1 << 20 <= found < 1 << 63:
        raise InvalidParameter(
            f"memory: must be at least 1 MB, given as '1GB', '512MB', or a number of GiB or bytes, got {memory!r}"
        )
    return int(found)


def block_bytes(memory: int | None) -> int:
    """Bytes that a block's values may take under the limit."""
    return BLOCK_BYTES if memory is None else min(BLOCK_BYTES, memory // SHARE)


class Kept(ABC, Generic[P]):
    """One result a block, kept where it was made until `close`."""

    @abstractmethod
    def reduce(self, ask: Callable[[P], S], merge: Callable[[S, S], S]) -> S:
        """What every result answers, merged into one."""

    @abstractmethod
    def close(self) -> None:
        """Forget the results; may be called twice."""

    def __enter__(self) -> Kept[P]:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Blocks(ABC):
    """Rows in blocks that can be gone through again and again, in the same order.

    Attributes
    ----------
    names, kinds : of the columns, features and target alike; the same in every block. Kinds as in `Table.kind`.
    notes : how columns were read, where that is not obvious.
    room : bytes that coded rows may take in this process. 0 leaves them where they are.
    memory : bytes that this process may use in all; None where there is no limit.
    """

    names: tuple[str, ...]
    kinds: tuple[str, ...]
    notes: tuple[str, ...] = ()
    room: int = 0
    memory: int | None = None

    def limit(self, memory: int | None) -> None:
        """Bytes that this process may use, half of them for coded rows; None leaves everything as it is."""
        if memory is not None:
            self.memory, self.room = memory, min(self.room, memory // 2)

    @abstractmethod
    def reduce(self, make: Callable[[Table], S], merge: Callable[[S, S], S]) -> S:
        """``make`` of every block, merged into one. An error where there is no row at all."""

    @abstractmethod
    def keep(self, make: Callable[[Table], P]) -> Kept[P]:
        """``make`` of every block, kept."""

    @abstractmethod
    def select(self, columns: Sequence[int]) -> Blocks:
        """The same blocks with these columns only, so that no others need be read."""


class LocalBlocks(Blocks):
    """The blocks of a source, read again for every pass; what is kept goes to disk beyond the memory limit.

    ``memory`` is in bytes; None sets no limit. ``rows`` of a block follow from it unless they are given.
    """

    def __init__(self, source: Source, memory: int | None = None, rows: int | None = None) -> None:
        self.source = source
        self.names = tuple(source.names)
        self.kinds = tuple(source.kinds)
        self.notes = tuple(source.notes)
        self.room = UNLIMITED
        self.limit(memory)
        self.rows = rows or self._rows()

    def _rows(self) -> int:
        """Rows of a block, so that its values take a small part of the memory."""
        width = sum(CELL_BYTES.get(kind, 8) for kind in self.kinds)
        return max(LEAST_ROWS, block_bytes(self.memory) // max(width, 1))

    def reduce(self, make: Callable[[Table], S], merge: Callable[[S, S], S]) -> S:
        return _merged((make(block) for block in self._blocks()), merge)

    def keep(self, make: Callable[[Table], P]) -> Kept[P]:
        return kept_here(map(make, self._blocks()), self.room)

    def select(self, columns: Sequence[int]) -> LocalBlocks:
        return LocalBlocks(self.source.select(columns), self.memory, self.rows)

    def _blocks(self) -> Iterator[Table]:
        return (block for block in self.source.blocks(rows=self.rows) if block.n_rows)


class LocalParts(Kept[P]):
    """Results in memory up to ``room`` bytes, the others in a file without a name.

    The system removes such a file when the process ends, however it ends.
    """

    def __init__(self, room: int) -> None:
        self._room = room
        self._held: list[P] = []
        self._file: IO[bytes] | None = None
        self._places: list[tuple[int, int]] = []

    def append(self, part: P) -> None:
        """Keep one more."""
        if self._room == UNLIMITED:
            self._held.append(part)
            return
        data = pickle.dumps(part, protocol=pickle.HIGHEST_PROTOCOL)
        if self._file is None and len(data) <= self._room:
            self._room -= len(data)
            self._held.append(part)
            return
        with room_for("memory: coded rows beyond the limit"):
            if self._file is None:
                self._file = tempfile.TemporaryFile(prefix="entropick-")  # noqa: SIM115  closed by `close`
            self._places.append((self._file.tell(), len(data)))
            self._file.write(data)
            self._file.flush()

    def reduce(self, ask: Callable[[P], S], merge: Callable[[S, S], S]) -> S:
        return _merged((ask(part) for part in self._parts()), merge)

    def _parts(self) -> Iterator[P]:
        yield from self._held
        for start, size in self._places:
            assert self._file is not None
            yield pickle.loads(os.pread(self._file.fileno(), size, start))  # pread: threads may ask side by side

    def close(self) -> None:
        self._held, self._places = [], []
        if self._file is not None:
            with suppress(OSError):  # what a full disk did not take cannot be flushed either
                self._file.close()
            self._file = None


def kept_here(results: Iterable[P], room: int) -> LocalParts[P]:
    """Results as they come, kept by this process; an error or interrupt on the way forgets them."""
    kept: LocalParts[P] = LocalParts(room)
    try:
        for result in results:
            kept.append(result)
    except BaseException:
        kept.close()
        raise
    return kept


def _merged(results: Iterator[S], merge: Callable[[S, S], S]) -> S:
    """All results as one, from left to right: two are in memory at a time."""
    total = next(results, None)
    if total is None:
        raise InvalidInput("X: Found array with 0 sample(s): the source has column names but no rows")
    for result in results:
        total = merge(total, result)
    return total
