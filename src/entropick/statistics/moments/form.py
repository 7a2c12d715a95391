"""Which memory: full scatter matrices, or the rows.

Full scatter matrices cost about n D² multiplications, once; rows on demand cost one pass over the n × D data
for each feature chosen. BLAS runs the first some fifty times faster an entry than memory feeds the second,
so with k features wanted the rows are kept where 50 k < D and there are few of them, or where the matrices
would not fit.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import InvalidInput
from .centred_rows import CentredRows
from .moments import Moments

MATRICES = 2 << 30  # bytes that scatter matrices may take
PASSES = 50  # passes over the data that cost as much as D products of each entry


def wants_rows(n: int, d: int, n_classes: int, k: int | None) -> bool:
    """Whether rows on demand are cheaper than full matrices for k features (None: all)."""
    matrices, rows = 8 * n_classes * d * d, 8 * n * d
    if matrices > MATRICES:
        return rows < matrices
    return n <= 4 * d and PASSES * (d if k is None else k) < d


def remember(
    X: NDArray[Any],
    codes: NDArray[Any],
    n_classes: int,
    values: NDArray[Any] | None,
    weights: NDArray[Any] | None,
    in_rows: bool,
    rows: NDArray[np.intp] | None = None,
    n_jobs: int | None = None,
) -> Moments | CentredRows:
    """The chosen memory of these rows (all by default); values (n, q) are continuous targets."""
    d, q = X.shape[1], 0 if values is None else values.shape[1]
    memory = CentredRows(d + q, n_classes, q, n_jobs) if in_rows else Moments(d + q, n_classes, q)
    if values is None:
        return memory.update(X, codes, weights, rows)
    rows = np.arange(len(X)) if rows is None else rows
    step = len(X) if in_rows else max(1024, (64 << 20) // (8 * (d + q)))
    for start in range(0, len(rows), step):
        part = rows[start : start + step]
        block = np.column_stack([X[part], values[part]])
        memory.update(block, codes[part], None if weights is None else weights[part])
    return memory


def check_complete(X: NDArray[Any], table: Any) -> None:
    if X.dtype.kind == "f":
        bad = np.flatnonzero(~np.isfinite(X.sum(axis=0, dtype=np.float64)))
        if len(bad):
            raise InvalidInput(missing(int(bad[0]), table))


def missing(j: int, table: Any) -> str:
    name = repr(table.names[j]) if hasattr(table, "names") and j < len(table.names) else str(j)
    return (
        f"X: Gaussian methods need a finite number in every cell, column {name} has NaN or infinity;"
        " impute or drop it, or use a discrete method"
    )
