"""Rows that come only once, kept in temporary files so that they can be read again."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ..errors import InvalidInput, MissingExtra
from ..files import room_for
from .arrow_blocks import arrow_batch
from .arrow_files import IpcSource
from .chain import chained
from .source import Source
from .table import stored_table
from .values import listed

SPOOLED = "X: rows that are read more than once"


class TemporaryFolder:
    """A folder that is removed when it is closed or no longer referred to, at the end of the process at the latest."""

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="entropick-"))
        self.close = weakref.finalize(self, shutil.rmtree, self.path, True)


@contextmanager
def kept_on_success() -> Iterator[TemporaryFolder]:
    """A temporary folder that is removed at once where the work in it fails."""
    folder = TemporaryFolder()
    try:
        yield folder
    except BaseException:
        folder.close()
        raise


def spool(batches: Iterable[Any]) -> Source:
    """Arrow record batches. Their columns may change type on the way, as long as their names do not."""
    with kept_on_success() as folder:
        files = _written(batches, folder.path)
        if not files:
            raise InvalidInput("X: Found array with 0 sample(s) while a minimum of 1 is required.")
        return chained([IpcSource(file) for file in files], [file.name for file in files]).hold(folder)


def _written(batches: Iterable[Any], folder: Path) -> list[Path]:
    """The files that the batches are written to, one after the other, each of one schema."""
    import pyarrow as pa

    options = pa.ipc.IpcWriteOptions(compression="lz4")
    files: list[Path] = []
    writer: Any = None
    schema: Any = None
    try:
        for batch in batches:
            if not batch.num_rows:
                continue
            with room_for(SPOOLED):  # not around the batches: an error of theirs is theirs
                if writer is None or not batch.schema.equals(schema):
                    if writer is not None:
                        writer.close()
                    schema = batch.schema
                    files.append(folder / f"{len(files)}.arrow")
                    writer = pa.ipc.new_file(str(files[-1]), schema, options=options)
                writer.write_batch(batch)
    finally:
        if writer is not None:
            with room_for(SPOOLED):
                writer.close()
    return files


def spool_blocks(blocks: Iterable[Any]) -> Source:
    """Blocks of rows: whatever `as_table` reads, all with the same columns."""
    try:
        import pyarrow  # noqa: F401
    except ImportError as error:
        raise MissingExtra("pyarrow", "cli", "reading blocks more than once") from error
    notes: dict[str, None] = {}
    source = spool(_as_batches(blocks, notes))
    source.notes = tuple(notes)
    return source


def _as_batches(blocks: Iterable[Any], notes: dict[str, None]) -> Iterator[Any]:
    """Record batches of the blocks; their notes are added to those given, each once."""
    names: tuple[str, ...] | None = None
    for number, block in enumerate(blocks, start=1):
        if _is_empty(block):
            continue
        table = stored_table(block)
        notes.update(dict.fromkeys(table.notes))
        names = names or table.names
        if set(table.names) != set(names):
            odd = sorted(set(table.names) ^ set(names))
            raise InvalidInput(f"X: all blocks must have the same columns, block {number} differs in {listed(odd)}")
        yield arrow_batch(table)


def _is_empty(block: Any) -> bool:
    """Whether an array, a frame or a record batch has no rows."""
    shape = getattr(block, "shape", ())
    return getattr(block, "num_rows", shape[0] if shape else 1) == 0
