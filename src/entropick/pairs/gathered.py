"""The rows of a scan, from wherever they are: a table of the chosen columns, and the target's values.

A scan multiplies columns row by row, so it needs the rows; of what lies in blocks, with Dask or with Spark, only the
chosen columns and the target are brought here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..coding.coded_blocks import find_column
from ..errors import InvalidInput, InvalidParameter, closest
from ..sources import Table, split_target
from ..sources.blocks import Blocks, parse_memory
from ..sources.origin import InBlocks, located
from ..sources.table import ColumnTable, held_column

Values = tuple[NDArray[Any], ...]


@dataclass(frozen=True)
class Held:
    """Makes the values of some columns of a block."""

    n_columns: int

    def __call__(self, block: Table) -> Values:
        return tuple(np.asarray(block.column(j)) for j in range(self.n_columns))


def joined(first: Values, second: Values) -> Values:
    """Rows of one after those of the other."""
    return tuple(np.concatenate(both) for both in zip(first, second, strict=True))


def gathered(X: Any, y: Any, columns: Any, given: Any, memory: Any) -> tuple[Table, NDArray[Any]]:
    """The table of the chosen ``columns`` and of covariates that are named, and the target."""
    with located(X, y, parse_memory(memory)) as where:
        if isinstance(where, InBlocks):
            where = _brought(where, columns, given)
        table, values, _ = split_target(where, y)
    if columns is None:
        return table, values
    chosen = [_number(table.names, one) for one in _several(columns)]
    if len(set(chosen)) < len(chosen):
        raise InvalidParameter("columns: must differ from each other, got one of them twice")
    chosen += [table.names.index(one) for one in _named(given) if one in table.names]
    return table.select(list(dict.fromkeys(chosen))), values


def _brought(where: InBlocks, columns: Any, given: Any) -> Table:
    blocks: Blocks = where.blocks
    if columns is None:
        size = f"take {where.needed} bytes" if where.needed else "are held by workers"
        raise InvalidInput(f"columns: must name the columns to look at where the rows {size}, got None")
    names = blocks.names
    wanted = [
        *(_number(names, one) for one in _several(columns)),
        *(find_column(names, "given", g) for g in _named(given)),
    ]
    wanted = list(dict.fromkeys([*wanted, find_column(names, "y", where.target)]))
    values = blocks.select(wanted).reduce(Held(len(wanted)), joined)
    held = [held_column(blocks.kinds[j], one) for j, one in zip(wanted, values, strict=True)]
    return ColumnTable([names[j] for j in wanted], held, len(values[0]))


def _several(columns: Any) -> Sequence[Any]:
    return [columns] if isinstance(columns, (str, Integral)) else list(columns)


def _named(given: Any) -> list[str]:
    """Covariates that are columns of X."""
    if isinstance(given, str):
        return [given]
    return list(given) if isinstance(given, (list, tuple)) and all(isinstance(one, str) for one in given) else []


def _number(names: Sequence[str], one: Any) -> int:
    if isinstance(one, Integral) and not isinstance(one, bool):
        if not 0 <= int(one) < len(names):
            raise InvalidParameter(f"columns: must be names, or numbers from 0 to {len(names) - 1}, got {one!r}")
        return int(one)
    if one not in names:
        raise InvalidParameter(f"columns: X has no column {one!r}.{closest(str(one), names)}")
    return list(names).index(one)
