"""Where the rows of a call are: in memory, or in blocks that need not be."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any

from ..errors import InvalidInput
from .annotated import check_beside, offered
from .blocks import Blocks, LocalBlocks
from .cells import is_anndata
from .engines import as_blocks
from .limits import half_of_memory
from .open import asks_for_words, open_source
from .source import Source, TableSource
from .table import as_table

HELD = 3  # times the size of the rows that a selection in memory may take


@dataclass(frozen=True)
class InBlocks:
    """Rows in blocks, and the name of the target column.

    ``needed`` tells how many bytes they would take in memory, where that is why they are in blocks.
    """

    blocks: Blocks
    target: str
    needed: str = ""


@contextmanager
def located(
    X: Any, y: Any, limit: int | None = None, *, asked: Sequence[Any] = (), layer: str | None = None, text: Any = ()
) -> Iterator[Any]:
    """`InBlocks` for what Dask or Spark holds and for sources beyond the limit; else X, or the table read from it.

    Of columns beside the features (of cells, of genotypes) those that are ``asked`` for by name are there. ``layer``
    and ``text`` as in `open_source`. What is opened here (files, generators, readers) is closed afterwards.
    """
    found, worded = _already(X, y, limit), asks_for_words(text)
    if found is not None:
        yield found
    elif isinstance(X, Source) or _gives_rows(X) or worded or layer is not None:
        plain = isinstance(X, Source) and not worded and layer is None
        with nullcontext(X) if plain else open_source(X, layer=layer, text=text, memory=limit) as source:
            names = [one for some in (y, *asked) for one in ([some] if isinstance(some, str) else _names(some))]
            check_beside(source, y, "y")
            yield _placed(offered(source, names), y, limit, held=not _gives_rows(X) or is_anndata(X))
    else:
        yield X


def _names(some: Any) -> list[str]:
    return [one for one in some if isinstance(one, str)] if isinstance(some, (list, tuple)) else []


@contextmanager
def in_blocks(X: Any, y: Any, limit: int | None = None) -> Iterator[Blocks]:
    """Blocks of whatever holds rows."""
    found = _already(X, y, limit)
    if found is not None:
        yield found.blocks
    elif isinstance(X, Source) or not _gives_rows(X):
        yield LocalBlocks(offered(X, [y]) if isinstance(X, Source) else TableSource(as_table(X)), limit)
    else:
        with open_source(X, memory=limit) as source:
            yield LocalBlocks(offered(source, [y]), limit)


def _already(X: Any, y: Any, limit: int | None) -> InBlocks | None:
    """What is in blocks as it comes."""
    if isinstance(X, InBlocks):
        return X
    if isinstance(X, Blocks):
        return InBlocks(X, y)
    found = as_blocks(X, y, limit)
    return None if found is None else InBlocks(*found)


def _gives_rows(X: Any) -> bool:
    """Whether X is no table but something to read one from: a file, a generator, an Arrow reader or dataset."""
    if isinstance(X, (str, os.PathLike, Iterator)):
        return True
    if is_anndata(X):
        return True
    reader = hasattr(X, "read_next_batch") or hasattr(X, "sink_ipc")
    return reader or (hasattr(X, "to_batches") and not hasattr(X, "num_columns"))


def _placed(source: Source, y: Any, limit: int | None, held: bool = False) -> Any:
    """``held``: a target may stand beside the rows, where those are in memory already or may come there."""
    limit = half_of_memory() if limit is None else limit
    size = source.memory()
    fits = size is not None and HELD * size <= limit
    if held and (fits or isinstance(source, TableSource)) and not isinstance(y, (str, bytes, type(None))):
        return source.table()
    if not isinstance(y, str):
        raise InvalidInput(f"y: must be a column name when rows are read from a source, got {y!r:.60}")
    if fits:
        return source.table()
    needed = "an unknown number of" if size is None else f"about {HELD * size}"
    return InBlocks(LocalBlocks(source, limit), y, needed)
