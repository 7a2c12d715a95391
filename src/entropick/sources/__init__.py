"""Where rows come from: arrays, frames, sparse matrices, files -> `Table`."""

from .files import read_file
from .table import Table, as_table, split_target

__all__ = ["Table", "as_table", "read_file", "split_target"]
