"""From a table to Gaussian statistics: which memory, which marginals, which rows are held out."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import InvalidInput, InvalidParameter
from ...threads import library_threads
from .centred_rows import CentredRows
from .form import check_complete, missing, remember, wants_rows
from .moments import Moments
from .normal_scores import exact_scores
from .rivals import Rivals
from .sparse_rows import SparseRows, sparse_rows

FORMS = ("auto", "matrices", "rows")
MARGINALS = ("raw", "copula", "auto")


def collect_moments(
    table: Any,
    target: Any,
    weights: NDArray[Any] | None = None,
    n_jobs: int | None = None,
    *,
    k: int | None = None,
    marginals: str = "raw",
    pooling: float | str = 0.0,
    form: str = "auto",
) -> Moments | CentredRows | SparseRows | Rivals:
    """The statistics of a table's numeric columns for the Gaussian measures; one pass over the rows.

    table: a `Table`, or an (n, D) array. target: a coded target (``codes``, ``n_classes``, ``task``,
    ``values``). k: features wanted, where known: it decides the cheaper memory and what rivals are
    judged on. `Rivals` is returned where
    ``marginals`` or ``pooling`` is ``"auto"``: the memories of two halves of the rows for each marginal.
    n_jobs limits the threads of BLAS.
    """
    if marginals not in MARGINALS:
        raise InvalidParameter(f"marginals: must be one of {', '.join(MARGINALS)}, got {marginals!r}")
    if form not in FORMS:
        raise InvalidParameter(f"form: must be one of {', '.join(FORMS)}, got {form!r}")
    regression = target.task == "regression"
    classes = 1 if regression else int(target.n_classes)
    plain = form == "auto" and marginals == "raw" and pooling != "auto"
    if plain and (sparse := sparse_rows(table, target, classes, weights, n_jobs)) is not None:
        _check_means(sparse, table)
        return sparse
    X = matrix_of(table)
    n, d = X.shape
    codes = np.zeros(n, dtype=np.intp) if regression else np.asarray(target.codes)
    values = np.asarray(target.values, dtype=np.float64).reshape(n, -1) if regression else None
    in_rows = wants_rows(n, d, classes, k) if form == "auto" else form == "rows"
    with _threads(n_jobs):
        if marginals == "auto" or pooling == "auto":
            names = ("raw", "copula") if marginals == "auto" else (marginals,)
            check_complete(X, table)
            return Rivals(X, codes, classes, values, weights, names, in_rows, k, n_jobs)
        if marginals == "copula":
            check_complete(X, table)
            X = exact_scores(X, weights, n_jobs)
        memory = remember(X, codes, classes, values, weights, in_rows, n_jobs=n_jobs)
    _check_means(memory, table)
    return memory


def matrix_of(table: Any) -> NDArray[Any]:
    """(n, D) the values of a table of numbers, or an array as it is."""
    if isinstance(table, np.ndarray):
        return table
    matrix = table.matrix
    out: NDArray[Any] = table.dense(0, table.n_columns) if matrix is None else matrix
    return out


def _check_means(memory: Moments | CentredRows | SparseRows, table: Any) -> None:
    bad = np.flatnonzero(~np.isfinite(memory.means).all(axis=0))
    if len(bad):
        raise InvalidInput(missing(int(bad[0]), table))


def _threads(n_jobs: int | None) -> AbstractContextManager[Any]:
    if n_jobs is None or n_jobs < 1:
        return nullcontext()
    return library_threads(n_jobs)
