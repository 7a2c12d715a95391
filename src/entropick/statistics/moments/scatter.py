"""A Aᵀ added to a symmetric matrix, on several threads.

OpenBLAS shares one `syrk` out at more than twice the work of a single thread; strips of it, each on a thread of its
own, cost little more than one thread does. Strips are cut so that each has the same share of the triangle.
"""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ...threads import blas_thread_count, library_threads, parallel

Floats = NDArray[np.float64]
LEAST = 5e7  # multiplications for which a second thread is worth waking


def add_scatter(rows: Floats, scatter: Floats) -> Floats:
    """The lower triangle of ``scatter`` (d, d) + rowsᵀ rows, rows (m, d) in C order; ``scatter`` is used up.

    As many threads as BLAS is allowed here.
    """
    from scipy.linalg.blas import dgemm, dsyrk

    columns = rows.T  # the transpose of C-ordered rows is Fortran-ordered: BLAS reads them as they lie
    d, m = columns.shape
    threads = blas_thread_count(None) if 0.5 * d * d * m >= LEAST else 1
    if threads == 1:
        with library_threads(1):
            return np.asarray(dsyrk(1.0, columns, beta=1.0, c=scatter, lower=1, trans=0, overwrite_c=1))
    bounds = [round(d * math.sqrt(k / threads)) for k in range(threads + 1)]

    def fill(strip: tuple[int, int]) -> None:
        start, stop = strip
        own = columns[start:stop]
        if start:
            scatter[start:stop, :start] += dgemm(1.0, own, columns[:start], trans_b=1)
        scatter[start:stop, start:stop] += dsyrk(1.0, own, lower=1)

    with library_threads(1):
        parallel(fill, [*pairwise(bounds)], threads)
    return scatter
