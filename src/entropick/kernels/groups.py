"""Rows in the order in which the counting kernels walk over them.

Both kernels count candidates within groups of rows that share the level of the new feature and the class.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .kernel import kernel


def tile_rows(
    codes: NDArray[np.int32],
    first: int,
    last: int,
    class_rows: NDArray[np.int32],
    class_start: NDArray[np.int64],
    tile: int,
    pad: int,
    pad_row: int,
) -> tuple[NDArray[Any], ...]:
    """Rows by class, then by tile of consecutive rows, then by level: for the kernel of bit slices.

    A tile stays in the second-level cache while all its levels are counted; walking a level at a time over all
    the rows would fetch every cache line once a level. ``class_rows`` are row numbers sorted by class, class c from
    ``class_start[c]`` on; empty where rows are in that order already. Only levels [first, last) are kept. A piece
    is the rows of one level in one tile, padded with ``pad_row`` to a multiple of ``pad``. Returns

    rows          (padded total,) row numbers
    piece_start   (n_pieces + 1,) where each piece starts in ``rows``
    piece_level   (n_pieces,) its level, less ``first``
    class_piece   (n_classes + 1,) the first piece of each class
    sizes         (last − first, n_classes) rows of each level and class
    """
    span, in_class = last - first, np.diff(class_start)
    most = int(np.minimum(-(-in_class // tile) * span, in_class).sum())
    rows = np.full(codes.size + most * (pad - 1), pad_row, np.int32)
    piece_start = np.zeros(most + 1, np.int64)
    piece_level = np.empty(most, np.int32)
    class_piece = np.zeros(class_start.size, np.int64)
    sizes = np.zeros((span, in_class.size), np.int64)
    where = np.zeros(span, np.int64)
    n = _tile(
        codes, first, class_rows, class_start, tile, pad, rows, piece_start, piece_level, class_piece, sizes, where
    )
    return rows[: piece_start[n]], piece_start[: n + 1], piece_level[:n], class_piece, sizes


@kernel
def _tile(codes, first, class_rows, class_start, tile, pad, rows, piece_start, piece_level, class_piece, sizes, where):
    """Fill the arrays of `tile_rows`; returns the number of pieces."""
    in_order = class_rows.size == 0
    span = where.size
    n_pieces = 0
    end = 0
    for c in range(class_start.size - 1):
        start = class_start[c]
        while start < class_start[c + 1]:
            stop = min(start + tile, class_start[c + 1])
            for level in range(span):
                where[level] = 0
            for t in range(start, stop):
                level = codes[t if in_order else class_rows[t]] - first
                if 0 <= level < span:
                    where[level] += 1
            for level in range(span):
                size = where[level]
                if size:
                    sizes[level, c] += size
                    where[level] = end
                    end += (size + pad - 1) // pad * pad
                    piece_level[n_pieces] = level
                    n_pieces += 1
                    piece_start[n_pieces] = end
            for t in range(start, stop):
                row = t if in_order else class_rows[t]
                level = codes[row] - first
                if 0 <= level < span:
                    rows[where[level]] = row
                    where[level] += 1
            start = stop
        class_piece[c + 1] = n_pieces
    return n_pieces


@kernel
def group_rows(codes, levels, class_rows, classes):
    """Groups of rows with one level and one class, in the order (level, class): for the kernel of histograms.

    ``class_rows`` are the row numbers sorted by class, ``classes`` the class of each row. Only groups that have rows
    are kept, so no array is larger than the number of rows, whatever levels × classes is. Returns

    order         (n,) row numbers
    group_start   (n_groups + 1,) where each group starts in ``order``
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

    group_start = np.zeros(n + 1, np.int64)
    level_start = np.zeros(levels + 1, np.int64)
    n_groups = 0
    for t in range(n):
        row, before = order[t], order[t - 1]
        if t == 0 or codes[row] != codes[before] or classes[row] != classes[before]:
            group_start[n_groups] = t
            n_groups += 1
            level_start[codes[row] + 1] += 1
    group_start[n_groups] = n
    for level in range(levels):
        level_start[level + 1] += level_start[level]
    return order, group_start[: n_groups + 1], level_start
