"""Rows grouped by (level of the new feature, class): what the counting kernels walk over."""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(nogil=True, cache=True)
def group_rows(codes, levels, class_rows, classes, pad, pad_row):
    """Groups of rows with one level and one class, in the order (level, class).

    ``class_rows`` are the row numbers sorted by class, ``classes`` the class of each row. Every group is padded
    with ``pad_row`` to a multiple of ``pad``. Only groups that have rows are kept, so no array is larger than
    the number of rows, whatever levels × classes is. Returns

    rows          (padded total,) row numbers
    group_start   (n_groups + 1,) where each group starts in ``rows``
    group_size    (n_groups,) its rows, padding left out
    level_start   (levels + 1,) the first group of each level
    """
    n = class_rows.size
    where = np.zeros(levels + 1, np.int64)
    for t in range(n):
        where[codes[class_rows[t]] + 1] += 1
    for level in range(levels):
        where[level + 1] += where[level]
    order = np.empty(n, np.int32)
    for t in range(n):
        row = class_rows[t]
        order[where[codes[row]]] = row
        where[codes[row]] += 1

    n_groups = 0
    for t in range(n):
        row, before = order[t], order[t - 1]
        if t == 0 or codes[row] != codes[before] or classes[row] != classes[before]:
            n_groups += 1
    group_size = np.zeros(n_groups, np.int64)
    level_start = np.zeros(levels + 1, np.int64)
    g = -1
    for t in range(n):
        row, before = order[t], order[t - 1]
        if t == 0 or codes[row] != codes[before] or classes[row] != classes[before]:
            g += 1
            level_start[codes[row] + 1] += 1
        group_size[g] += 1
    for level in range(levels):
        level_start[level + 1] += level_start[level]

    group_start = np.zeros(n_groups + 1, np.int64)
    for g in range(n_groups):
        group_start[g + 1] = group_start[g] + (group_size[g] + pad - 1) // pad * pad
    rows = np.full(group_start[n_groups], pad_row, np.int32)
    t = 0
    for g in range(n_groups):
        for k in range(group_size[g]):
            rows[group_start[g] + k] = order[t]
            t += 1
    return rows, group_start, group_size, level_start
