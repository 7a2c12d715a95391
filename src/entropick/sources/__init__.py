"""Where rows come from: arrays, frames, sparse matrices, files -> `Table`; more than fits in memory -> `Source`."""

from .engines import as_blocks, take_columns
from .files import read_file
from .open import open_source
from .source import Schema, Source, TableSource
from .table import Table, as_table, split_target

__all__ = [
    "Schema",
    "Source",
    "Table",
    "TableSource",
    "as_blocks",
    "as_table",
    "open_source",
    "read_file",
    "split_target",
    "take_columns",
]
