"""What a file may cost: a cell, a batch, a claimed width are bounded before they are allotted.

A small file can claim a lot: packed texts, dictionaries and sparse indices grow a million times. A text longer than a
level's name ever needs to be is kept as its beginning and a digest, which is the same for equal texts and (in practice)
different for different ones: what is selected does not change. What cannot be made smaller is refused, with the limit.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from hashlib import md5
from typing import Any

from ..errors import InvalidInput

LONGEST = 1000  # characters of a text that is kept as it is
BEGINNING = 200  # characters that are kept of a longer one
COLUMN_BYTES = 400  # of a column in memory without any value: its name, its kind, how to get at it
BATCH_BYTES = 1 << 25  # of rows that are read together


def half_of_memory() -> int:
    """Bytes: the limit where none is given."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2


def shortened(text: str) -> str:
    """The text, or the beginning of a long one and a digest of all of it.

    >>> shortened("a"), len(shortened("a" * 1_000_000))
    ('a', 233)
    """
    if len(text) <= LONGEST:
        return text
    return f"{text[:BEGINNING]}…{md5(text.encode('utf-8', 'surrogatepass'), usedforsecurity=False).hexdigest()}"


def shortened_batch(batch: Any, kinds: Sequence[str]) -> Any:
    """An Arrow record batch with the long texts of its categories shortened; the very batch where none is long."""
    import pyarrow as pa

    columns = [
        _shortened_column(column) if kind == "category" else column
        for column, kind in zip(batch.columns, kinds, strict=True)
    ]
    if all(new is old for new, old in zip(columns, batch.columns, strict=True)):
        return batch
    return pa.RecordBatch.from_arrays(columns, names=batch.schema.names)


def _shortened_column(column: Any) -> Any:
    import pyarrow as pa
    import pyarrow.compute as pc

    if pa.types.is_dictionary(column.type):
        values = _shortened_column(column.dictionary)
        return column if values is column.dictionary else pa.DictionaryArray.from_arrays(column.indices, values)
    if not _size(column) > LONGEST or not _has_length(column.type):
        return column
    if (pc.max(pc.binary_length(column)).as_py() or 0) <= LONGEST:
        return column
    return pa.array([None if not cell.is_valid else shortened(as_text(cell.as_py())) for cell in column], pa.string())


def _size(column: Any) -> int:
    """Bytes of an Arrow array; of all its buffers where an old Arrow cannot tell, as for texts that are views."""
    import pyarrow as pa

    try:
        return int(column.nbytes)
    except pa.ArrowTypeError:
        return int(column.get_total_buffer_size())


def _has_length(dtype: Any) -> bool:
    from pyarrow import types

    checks = (types.is_string, types.is_large_string, types.is_binary, types.is_large_binary)
    return any(check(dtype) for check in checks)


def as_text(value: Any) -> str:
    return value.decode("utf-8", "backslashreplace") if isinstance(value, bytes) else str(value)


def text_bytes(batch: Any, kinds: Sequence[str]) -> int:
    """Bytes of the categories in an Arrow record batch."""
    return sum(_size(column) for column, kind in zip(batch.columns, kinds, strict=True) if kind == "category")


def check_width(what: str, n_columns: int, memory: int | None) -> None:
    """That many columns fit, whatever is in them."""
    limit = half_of_memory() if memory is None else memory
    needed = COLUMN_BYTES * n_columns
    if needed > limit:
        raise InvalidInput(
            f"{what} claims {n_columns} columns, which need {needed >> 20} MB before any value is read;"
            f" and the limit is {limit >> 20} MB; number its indices from 1, or raise memory (--memory)"
        )
