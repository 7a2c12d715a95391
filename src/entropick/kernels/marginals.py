"""Sums of single columns: class means, centred squares and products with a target, each row read once.

Rows of one class are taken together, at most `GROUP` at a time. With b the heaviest of them and d = x − b,

    Σ w (x − mean)² = Σ w d² − (Σ w d)² / Σ w

needs no second look at the rows and loses next to nothing: b is one of the m rows, so the right side is at least
Σ w d² / (m + 1), however far b lies from the others. A group enters what is remembered by Chan's rule. Columns never
meet, so any strip of them gives the same bits.
"""

from __future__ import annotations

from .kernel import kernel

CHUNK = 4096  # rows that are put in order of class together: near enough to share cache lines in a narrow table
GROUP = 256  # rows; bounds what is lost to rounding, see above
STRIP = 1024  # columns added together at most: long runs of each row, and sums that stay in cache


@kernel
def group_rows(codes, weights, where, rows, group_start, group_class, chunk_group):
    """Rows of a weight above 0, by chunk, then by class, cut into groups, the heaviest of a group first.

    Group g is ``rows[group_start[g] : group_start[g + 1]]``, of class ``group_class[g]``; chunk t has the groups
    from ``chunk_group[t]`` on. ``where`` (n_classes,) is for work. Returns the number of groups.
    """
    n_groups = 0
    end = 0
    group_start[0] = 0
    for t in range(chunk_group.size - 1):
        first, stop = t * CHUNK, min((t + 1) * CHUNK, codes.size)
        chunk_group[t] = n_groups
        where[:] = 0
        for i in range(first, stop):
            if weights[i] > 0.0:
                where[codes[i]] += 1
        for c in range(where.size):
            last = end + where[c]
            where[c] = end
            while end < last:
                group_class[n_groups] = c
                end = min(end + GROUP, last)
                n_groups += 1
                group_start[n_groups] = end
        for i in range(first, stop):
            if weights[i] > 0.0:
                rows[where[codes[i]]] = i
                where[codes[i]] += 1
    chunk_group[-1] = n_groups
    for g in range(n_groups):
        start = group_start[g]
        heaviest = start
        for s in range(start + 1, group_start[g + 1]):
            if weights[rows[s]] > weights[rows[heaviest]]:
                heaviest = s
        rows[start], rows[heaviest] = rows[heaviest], rows[start]
    return n_groups


@kernel
def weigh_groups(
    rows, group_start, group_class, weights, target, origin, counts, shifts, squares, merging, pulls
):  # fmt: skip
    """Add the groups to the classes' ``counts``, and a target to its ``shifts`` from ``origin`` and ``squares``.

    ``merging[g]`` tells `add_groups` how group g enters the columns: Σ w, its share of the class so far,
    n_a n_b / (n_a + n_b), and by how much the target's mean is off. ``pulls[s]`` = w (y − group's mean) of row
    ``rows[s]``; both it and ``target`` are empty where there is none.
    """
    for g in range(group_class.size):
        start, stop, c = group_start[g], group_start[g + 1], group_class[g]
        total = 0.0
        for s in range(start, stop):
            total += weights[rows[s]]
        before = counts[c]
        share = total / (before + total)
        counts[c] = before + total
        gap = 0.0
        if target.size:
            base = target[rows[start]]
            linear = square = 0.0
            for s in range(start, stop):
                d = target[rows[s]] - base
                linear += weights[rows[s]] * d
                square += weights[rows[s]] * d * d
            mean = linear / total
            for s in range(start, stop):
                pulls[s] = weights[rows[s]] * (target[rows[s]] - base - mean)
            gap = (base - origin) + mean - shifts[c]
            squares[c] += (square - linear * mean) + before * share * gap * gap
            shifts[c] += share * gap
        merging[g, 0], merging[g, 1], merging[g, 2], merging[g, 3] = total, share, before * share, gap


@kernel
def add_groups(
    values, stride, first_row, rows, group_start, group_class, weights, pulls, merging,
    first, width, origin, shifts, squares, cross, work,
):  # fmt: skip
    """Add the groups to ``shifts``, ``squares`` and ``cross``, all (n_classes, n_features), at columns first + j.

    Column j < width of row i is ``values[(i − first_row) stride + j]``. Four rows are read at a time, so that sums are
    loaded and stored once for the four; where fewer are left, the base itself stands in, with d = 0. ``work``
    (4 · STRIP,) holds b, Σ w d, Σ w d² and Σ w d (y − mean): in one array, a constant apart, or the compiler would
    give up proving that they do not overlap, and not vectorise.
    """
    for g in range(group_class.size):
        start, stop, c = group_start[g], group_start[g + 1], group_class[g]
        at = (rows[start] - first_row) * stride
        work[:] = 0.0
        for j in range(width):
            work[j] = values[at + j]
        for s in range(start + 1, stop, 4):
            s1 = s + 1 if s + 1 < stop else start
            s2 = s + 2 if s + 2 < stop else start
            s3 = s + 3 if s + 3 < stop else start
            i0, i1, i2, i3 = rows[s], rows[s1], rows[s2], rows[s3]
            a0, a1 = (i0 - first_row) * stride, (i1 - first_row) * stride
            a2, a3 = (i2 - first_row) * stride, (i3 - first_row) * stride
            r0, r1 = values[a0 : a0 + width], values[a1 : a1 + width]
            r2, r3 = values[a2 : a2 + width], values[a3 : a3 + width]
            w0, w1, w2, w3 = weights[i0], weights[i1], weights[i2], weights[i3]
            if pulls.size:  # the loop is there twice: pulls in one of their own cost a correlation a tenth of its time
                p0, p1, p2, p3 = pulls[s], pulls[s1], pulls[s2], pulls[s3]
                for j in range(width):
                    b = work[j]
                    d0, d1, d2, d3 = r0[j] - b, r1[j] - b, r2[j] - b, r3[j] - b
                    e0, e1, e2, e3 = w0 * d0, w1 * d1, w2 * d2, w3 * d3
                    work[STRIP + j] += (e0 + e1) + (e2 + e3)
                    work[2 * STRIP + j] += (e0 * d0 + e1 * d1) + (e2 * d2 + e3 * d3)
                    work[3 * STRIP + j] += (p0 * d0 + p1 * d1) + (p2 * d2 + p3 * d3)
            else:
                for j in range(width):
                    b = work[j]
                    d0, d1, d2, d3 = r0[j] - b, r1[j] - b, r2[j] - b, r3[j] - b
                    e0, e1, e2, e3 = w0 * d0, w1 * d1, w2 * d2, w3 * d3
                    work[STRIP + j] += (e0 + e1) + (e2 + e3)
                    work[2 * STRIP + j] += (e0 * d0 + e1 * d1) + (e2 * d2 + e3 * d3)
        total, share, pull, target_gap = merging[g, 0], merging[g, 1], merging[g, 2], merging[g, 3]
        for j in range(width):
            k = first + j
            linear = work[STRIP + j]
            mean = linear / total
            gap = (work[j] - origin[k]) + mean - shifts[c, k]
            squares[c, k] += (work[2 * STRIP + j] - linear * mean) + pull * gap * gap
            cross[c, k] += work[3 * STRIP + j] + pull * gap * target_gap
            shifts[c, k] += share * gap
