"""Joint tables by one increment a row: for many levels and for weighted rows.

Candidates are stored one after the other, (candidates, rows). Where the cells of (new, candidate) are few, one
histogram has them all; else a histogram is that of one group of rows, read out and cleared by the group's own rows
when those are fewer than the levels, so that 65 536 levels and thousands of classes need no dense table.
"""

from __future__ import annotations

import numpy as np

from .entropy import phi_of, reciprocal, square_law
from .kernel import kernel

SMALL = 2.0**-40  # the unit of `entropy.reciprocal`
WIDTH = 16  # candidates of one task


@kernel
def histogram_terms(
    block, width, levels, rows, group_start, level_start, first, last, weights, unit, table, bits,
    by_class, detail, joint, joint_class, cells, cells_class, square, mean, variance,
):  # fmt: skip
    """Add the terms of levels [first, last) of the new feature against the candidates of ``block``.

    Terms are those of `slices.pair_terms`, groups those of `groups.group_rows`. ``weights`` is (n_rows,) int64, or
    empty for ones; a weight is a multiple of 1/``unit`` rows.
    """
    one = np.zeros((width, levels), np.int64)
    both = np.zeros((width, levels), np.int64)
    seen = np.zeros(width, np.int64)
    inverse = np.zeros(width, np.int64)
    squares = np.zeros((width if detail and by_class else 0, levels))
    shares = np.zeros(width)
    for level in range(first, last):
        start, stop = level_start[level], level_start[level + 1]
        if start == stop:
            continue
        size = 0.0
        class_inverse = 0.0
        for g in range(start, stop):
            own = rows[group_start[g] : group_start[g + 1]]
            total = _count(block, own, weights, one)
            size += total / unit
            class_inverse += unit / total
            if detail and by_class:
                _add_squares(block, own, weights, one, 1.0 / total, squares)
            if own.size < levels:
                _sweep_rows(block, own, one, both, table, bits, by_class, joint_class, cells_class)
            else:
                _sweep_levels(one, both, table, bits, by_class, joint_class, cells_class)
        own = rows[group_start[start] : group_start[stop]]
        seen[:] = 0
        inverse[:] = 0
        if detail and by_class:
            _take_squares(block, own, squares, both, shares)
        if own.size < levels:
            _read_rows(block, own, both, unit, table, bits, detail, joint, seen, inverse)
        else:
            _read_levels(both, unit, table, bits, detail, joint, seen, inverse)
        for q in range(width):
            cells[q] += seen[q]
            if detail and by_class and seen[q] > 1 and stop - start > 1 and size >= 2.0:
                own_mean, own_variance = square_law(size, seen[q], stop - start, inverse[q] * SMALL, class_inverse)
                square[q] += size * (shares[q] - 1.0)
                mean[q] += own_mean
                variance[q] += own_variance


@kernel
def _count(block, own, weights, one):
    """One increment for every row of a group and candidate; returns their weight."""
    total = np.int64(own.size)
    if weights.size:
        total = np.int64(0)
        for t in range(own.size):
            total += weights[own[t]]
    for q in range(block.shape[0]):
        codes, histogram = block[q], one[q]
        if weights.size:
            for t in range(own.size):
                histogram[codes[own[t]]] += weights[own[t]]
        else:
            for t in range(own.size):
                histogram[codes[own[t]]] += 1
    return total


@kernel
def _add_squares(block, own, weights, one, share, squares):
    """count² times ``share`` of a group's histograms, row by row: each adds the count that it is in."""
    for q in range(block.shape[0]):
        for t in range(own.size):
            b = block[q, own[t]]
            squares[q, b] += share * one[q, b] * (weights[own[t]] if weights.size else 1)


@kernel
def _take_squares(block, own, squares, both, shares):
    """Σ squares / both over the levels of a stratum, and clear the squares."""
    for q in range(block.shape[0]):
        shares[q] = 0.0
        for t in range(own.size):
            b = block[q, own[t]]
            shares[q] += squares[q, b] / both[q, b]
            squares[q, b] = 0.0


@kernel
def _sweep_levels(one, both, table, bits, by_class, joint_class, cells_class):
    """Read a group's histograms from end to end, add them to the sums over classes, and clear them."""
    for q in range(one.shape[0]):
        for b in range(one.shape[1]):
            count = one[q, b]
            one[q, b] = 0
            both[q, b] += count
            if by_class:
                joint_class[q] += phi_of(count, table, bits)
                cells_class[q] += np.int64(count > 0)


@kernel
def _sweep_rows(block, own, one, both, table, bits, by_class, joint_class, cells_class):
    """`_sweep_levels` for a group with fewer rows than levels: only the cells that its rows are in."""
    for q in range(one.shape[0]):
        for t in range(own.size):
            b = block[q, own[t]]
            count = one[q, b]
            if count > 0:
                one[q, b] = 0
                both[q, b] += count
                if by_class:
                    joint_class[q] += phi_of(count, table, bits)
                    cells_class[q] += 1


@kernel
def _read_levels(both, unit, table, bits, detail, joint, seen, inverse):
    """The terms of the sums over classes, from end to end, and clear them."""
    for q in range(both.shape[0]):
        for b in range(both.shape[1]):
            count = both[q, b]
            both[q, b] = 0
            joint[q] += phi_of(count, table, bits)
            seen[q] += np.int64(count > 0)
            if detail and count > 0:
                inverse[q] += reciprocal(count, unit)


@kernel
def _read_rows(block, own, both, unit, table, bits, detail, joint, seen, inverse):
    """`_read_levels` for fewer rows than levels."""
    for q in range(both.shape[0]):
        for t in range(own.size):
            b = block[q, own[t]]
            count = both[q, b]
            if count > 0:
                both[q, b] = 0
                joint[q] += phi_of(count, table, bits)
                seen[q] += 1
                if detail:
                    inverse[q] += reciprocal(count, unit)


@kernel
def dense_terms(
    block, levels, codes, class_start, sizes, weights, unit, table, bits, by_class, detail, one, both,
    joint, joint_class, cells, cells_class, square, mean, variance,
):  # fmt: skip
    """`histogram_terms` where all cells of (new, candidate) fit: rows are read in order, which is kind to memory.

    ``codes`` (n_rows,) of the new feature, rows sorted by class; ``sizes`` (n_levels, n_classes) its rows, in weights.
    ``one`` and ``both`` (width, n_levels · levels) int64 are room to work in, all zeros.
    """
    width = block.shape[0]
    n_levels, n_classes = sizes.shape
    squares = np.zeros((width if detail and by_class else 0, n_levels * levels))
    for c in range(class_start.size - 1):
        for q in range(width):
            candidate, histogram = block[q], one[q]
            if weights.size:
                for t in range(class_start[c], class_start[c + 1]):
                    histogram[np.uint32(codes[t]) * np.uint32(levels) + np.uint32(candidate[t])] += weights[t]
            else:
                for t in range(class_start[c], class_start[c + 1]):
                    histogram[np.uint32(codes[t]) * np.uint32(levels) + np.uint32(candidate[t])] += 1
        if detail and by_class:
            for q in range(width):
                for cell in range(n_levels * levels):
                    if one[q, cell]:
                        squares[q, cell] += float(one[q, cell]) * one[q, cell] / sizes[cell // levels, c]
        _sweep_levels(one, both, table, bits, by_class, joint_class, cells_class)
    for level in range(n_levels):
        size = 0.0
        classes = 0
        class_inverse = 0.0
        for c in range(n_classes):
            if sizes[level, c]:
                size += sizes[level, c] / unit
                classes += 1
                class_inverse += unit / sizes[level, c]
        for q in range(width):
            seen = np.int64(0)
            inverse = np.int64(0)
            shares = 0.0
            for b in range(levels):
                count = both[q, level * levels + b]
                joint[q] += phi_of(count, table, bits)
                seen += np.int64(count > 0)
                if detail and count > 0:
                    inverse += reciprocal(count, unit)
                    if by_class:
                        shares += squares[q, level * levels + b] / count
            cells[q] += seen
            if detail and by_class and seen > 1 and classes > 1 and size >= 2.0:
                own_mean, own_variance = square_law(size, seen, classes, inverse * SMALL, class_inverse)
                square[q] += size * (shares - 1.0)
                mean[q] += own_mean
                variance[q] += own_variance
