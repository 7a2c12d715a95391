"""What is to be learned: the table, held in memory, and its target."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from numpy.typing import NDArray

from ..coding import Target, code_target
from ..coding.target import TASKS
from ..errors import check_choice
from ..sources import Table, split_target
from ..sources.table import Column, ColumnTable
from .survival import censored


@dataclass(frozen=True, eq=False)
class LearningTask:
    """``y`` (n,) is the target as it was given, ``target`` the same coded, ``name`` its column's, where it has one."""

    table: Table
    y: NDArray[Any]
    target: Target
    name: str | None


def learning_task(X: Any, y: Any, task: str) -> LearningTask:
    """From what `entropick.select` takes as X, y and task."""
    check_choice("task", task, TASKS)
    table, values, name = split_target(X, y)
    if values.dtype.names is not None or task == "survival":
        return LearningTask(_loaded(table), values, censored(values, task), name)
    return LearningTask(_loaded(table), values, code_target(values, task), name)


def _loaded(table: Table) -> Table:
    """Columns as arrays that are ready: trials ask for each many times, and take them to other processes."""
    if not isinstance(table, ColumnTable):
        return table
    columns = [Column(table.kind(j), partial(_same, table.column(j))) for j in range(table.n_columns)]
    return ColumnTable(table.names, columns, table.n_rows, named=table.named, notes=table.notes)


def _same(values: NDArray[Any]) -> NDArray[Any]:
    return values
