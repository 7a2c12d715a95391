"""Loops of ReliefF: distances of a few rows to all, nearest rows of each class, differences summed by feature.

Distances are Manhattan sums of differences: |a − b| of numbers scaled by their range, 0 or 1 of categories. A
missing value is replaced by the expected difference to the values of its row's class (`expected`).
"""

from __future__ import annotations

import numpy as np
from numba import njit

TILE = 64 << 10  # bytes of rows that stay in cache while all queries pass


@njit(nogil=True, cache=True, fastmath={"reassoc", "nsz", "contract"})
def distances(numbers, labels, queries, out):
    """out[q, j] = Σ |numbers[queries[q]] − numbers[j]| + #(labels differ), for complete columns.

    Four queries at a time share each row in registers; a tile of rows stays in cache for all queries.
    """
    n, d = numbers.shape
    e = labels.shape[1]
    tile = max(4, TILE // (4 * (d + e) + 1))
    last = queries.size - 1
    for first in range(0, n, tile):
        stop = min(first + tile, n)
        for start in range(0, queries.size, 4):
            q0, q1 = queries[start], queries[min(start + 1, last)]
            q2, q3 = queries[min(start + 2, last)], queries[min(start + 3, last)]
            a0, a1, a2, a3 = numbers[q0], numbers[q1], numbers[q2], numbers[q3]
            b0, b1, b2, b3 = labels[q0], labels[q1], labels[q2], labels[q3]
            for j in range(first, stop):
                row = numbers[j]
                s0 = s1 = s2 = s3 = np.float32(0.0)
                for t in range(d):
                    s0 += abs(a0[t] - row[t])
                    s1 += abs(a1[t] - row[t])
                    s2 += abs(a2[t] - row[t])
                    s3 += abs(a3[t] - row[t])
                own = labels[j]
                c0 = c1 = c2 = c3 = 0
                for t in range(e):
                    c0 += b0[t] != own[t]
                    c1 += b1[t] != own[t]
                    c2 += b2[t] != own[t]
                    c3 += b3[t] != own[t]
                out[start, j] = s0 + c0
                if start + 1 <= last:
                    out[start + 1, j] = s1 + c1
                if start + 2 <= last:
                    out[start + 2, j] = s2 + c2
                if start + 3 <= last:
                    out[start + 3, j] = s3 + c3


@njit(nogil=True, cache=True)
def expected(value, values, sums, start, stop, category):
    """Mean difference of a value to the sorted ``values[start:stop]``; ``sums`` are their running totals."""
    if stop == start:
        return 1.0 if category else 0.5  # nothing known of the class
    low, high = start, stop
    while low < high:
        middle = (low + high) // 2
        if values[middle] < value:
            low = middle + 1
        else:
            high = middle
    if category:
        above = low
        high = stop
        while above < high:
            middle = (above + high) // 2
            if values[middle] <= value:
                above = middle + 1
            else:
                high = middle
        return 1.0 - (above - low) / (stop - start)
    below = sums[low] - sums[start]
    beyond = sums[stop] - sums[low]
    return (value * (low - start) - below + beyond - value * (stop - low)) / (stop - start)


@njit(nogil=True, cache=True)
def both_missing(values, sums, category, starts, n_classes, out):
    """out[a, b] = mean difference between a value of class a and one of class b, in one column."""
    for a in range(n_classes):
        for b in range(n_classes):
            total = 0.0
            for t in range(starts[a], starts[a + 1]):
                total += expected(values[t], values, sums, starts[b], starts[b + 1], category)
            size = starts[a + 1] - starts[a]
            out[a, b] = total / size if size else expected(0.0, values, sums, 0, 0, category)


@njit(nogil=True, cache=True)
def difference(holed, i, j, h, classes, category, values, sums, starts, both):
    """diff of column h between rows i and j, where either may miss it (NaN)."""
    a, b = holed[i, h], holed[j, h]
    if np.isnan(a):
        if np.isnan(b):
            return both[h, classes[i], classes[j]]
        c = classes[i]
        return expected(b, values[h], sums[h], starts[h, c], starts[h, c + 1], category[h])
    if np.isnan(b):
        c = classes[j]
        return expected(a, values[h], sums[h], starts[h, c], starts[h, c + 1], category[h])
    if category[h]:
        return 1.0 if a != b else 0.0
    return abs(a - b)


@njit(nogil=True, cache=True)
def add_holed(holed, queries, classes, category, values, sums, starts, both, out):
    """out[q, j] += differences of the columns that have missing values."""
    n, d = holed.shape
    for q in range(queries.size):
        i = queries[q]
        for j in range(n):
            total = 0.0
            for h in range(d):
                total += difference(holed, i, j, h, classes, category, values, sums, starts, both)
            out[q, j] += total


@njit(nogil=True, cache=True)
def nearest(row, start, stop, skip, found, far):
    """The rows start … stop − 1 of smallest distance, ascending, into ``found`` (their distances into ``far``).

    Equal distances go to the lowest number. Returns how many were found: at most ``found.size``.
    """
    size = 0
    most = found.size
    for j in range(start, stop):
        if j == skip or (size == most and row[j] >= far[size - 1]):
            continue
        at = size if size < most else most - 1
        if size < most:
            size += 1
        while at > 0 and far[at - 1] > row[j]:
            far[at], found[at] = far[at - 1], found[at - 1]
            at -= 1
        far[at], found[at] = row[j], j
    return size


@njit(nogil=True, cache=True)
def exact_distance(i, j, numbers, labels, holed, classes, category, values, sums, starts, both):
    """The distance of two rows in double precision: order among near-ties must not hang on rounding."""
    total = 0.0
    for t in range(numbers.shape[1]):
        total += abs(np.float64(numbers[i, t]) - np.float64(numbers[j, t]))
    for t in range(labels.shape[1]):
        total += labels[i, t] != labels[j, t]
    for h in range(holed.shape[1]):
        total += difference(holed, i, j, h, classes, category, values, sums, starts, both)
    return total


@njit(nogil=True, cache=True)
def order_by(found, far, size):
    """Sort the first ``size`` by distance, then by number."""
    for a in range(1, size):
        at, row, distance = a, found[a], far[a]
        while at > 0 and (far[at - 1] > distance or (far[at - 1] == distance and found[at - 1] > row)):
            far[at], found[at] = far[at - 1], found[at - 1]
            at -= 1
        far[at], found[at] = distance, row


@njit(nogil=True, cache=True)
def add_differences(
    i, found, amount, size, numbers, labels, holed, classes, category, values, sums, starts, both,
    sum_numbers, sum_labels, sum_holed,
):  # fmt: skip
    """sums += amount × difference, feature by feature, between row i and each row found."""
    for s in range(size):
        j, weight = found[s], amount[s]
        for t in range(numbers.shape[1]):
            sum_numbers[t] += weight * abs(np.float64(numbers[i, t]) - np.float64(numbers[j, t]))
        for t in range(labels.shape[1]):
            if labels[i, t] != labels[j, t]:
                sum_labels[t] += weight
        for h in range(holed.shape[1]):
            sum_holed[h] += weight * difference(holed, i, j, h, classes, category, values, sums, starts, both)


@njit(nogil=True, cache=True)
def fill_influence(found, size, weights, spare, k, influence, amount):
    """Share the k places among the rows found, nearest first; returns how many rows take part.

    ``spare`` places at distance 0 are taken by copies of the query itself (weights above 1). A row of weight w
    takes w places, the last what is left. ``influence`` is the running total of the influence of places 1 … k.
    """
    used = min(spare, k)
    taken = 0
    begin = used
    for s in range(size):
        if used >= k:
            break
        room = min(weights[found[s]] if weights.size else 1.0, k - used)
        amount[s] = cumulative(influence, used + room) - cumulative(influence, used)
        used += room
        taken += 1
    total = cumulative(influence, used)
    if total > 0.0:
        for s in range(taken):
            amount[s] /= total
    return taken if used > begin else 0


@njit(nogil=True, cache=True)
def cumulative(influence, places):
    """Total influence of the first ``places`` places; between whole ones, in proportion."""
    whole = int(places)
    if whole >= influence.size - 1:
        return influence[influence.size - 1]
    return influence[whole] + (places - whole) * (influence[whole + 1] - influence[whole])


@njit(nogil=True, cache=True)
def block_scores(
    queries, dist, k, widest, influence, class_start, classes, priors, weights, target, numbers, labels, holed,
    category, values, sums, starts, both, hits, misses, tallies,
):  # fmt: skip
    """Add the differences of these queries to their nearest rows.

    Classes: ``hits[g]`` += weight × mean difference to nearest hits, ``misses[g]`` the same to the nearest of each
    other class, weighted by its prior; g = numbers, labels, holed columns. A regression (target not empty): the
    nearest rows of all; ``hits`` gets the differences, ``misses`` those times the target's difference, and
    ``tallies[0]`` the target's differences. ``tallies[1]`` += weight of the query. ``widest``: rows of a class that
    may share the k places, and some more for what rounding of ``dist`` may have put too far.
    """
    regression = target.size > 0
    n_classes = class_start.size - 1
    found = np.empty(widest, np.int64)
    far = np.empty(widest, np.float64)
    amount = np.empty(widest, np.float64)
    for q in range(queries.size):
        i = queries[q]
        own_weight = weights[i] if weights.size else 1.0
        own_class = classes[i]
        for c in range(n_classes):
            size = nearest(dist[q], class_start[c], class_start[c + 1], i, found, far)
            if size == 0 and not (c == own_class and own_weight > 1.0):
                continue
            for s in range(size):
                far[s] = exact_distance(
                    i, found[s], numbers, labels, holed, classes, category, values, sums, starts, both
                )  # fmt: skip
            order_by(found, far, size)
            spare = max(own_weight - 1.0, 0.0) if (regression or c == own_class) else 0.0
            taken = fill_influence(found, size, weights, spare, np.float64(k), influence, amount)
            for s in range(taken):
                amount[s] *= own_weight
            if regression:
                add_differences(
                    i, found, amount, taken, numbers, labels, holed, classes, category, values, sums, starts, both,
                    hits[0], hits[1], hits[2],
                )  # fmt: skip
                for s in range(taken):
                    gap = abs(target[i] - target[found[s]])
                    tallies[0] += amount[s] * gap
                    amount[s] *= gap
                add_differences(
                    i, found, amount, taken, numbers, labels, holed, classes, category, values, sums, starts, both,
                    misses[0], misses[1], misses[2],
                )  # fmt: skip
            elif c == own_class:
                add_differences(
                    i, found, amount, taken, numbers, labels, holed, classes, category, values, sums, starts, both,
                    hits[0], hits[1], hits[2],
                )  # fmt: skip
            else:
                for s in range(taken):
                    amount[s] *= priors[c] / (1.0 - priors[own_class])
                add_differences(
                    i, found, amount, taken, numbers, labels, holed, classes, category, values, sums, starts, both,
                    misses[0], misses[1], misses[2],
                )  # fmt: skip
        tallies[1] += own_weight
