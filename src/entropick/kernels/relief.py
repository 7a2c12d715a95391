"""Loops of ReliefF: distances of some rows to others, nearest rows of each class, differences summed by feature.

Distances are Manhattan sums of differences: |a − b| of numbers scaled by their range, 0 or 1 of categories. A
missing value is replaced by the expected difference to the values of its row's class (`expected`).
"""

from __future__ import annotations

import numpy as np
from numba import njit

LANES = 32  # numbers and labels have a multiple of so many columns: those left over would be added one by one
TILE = 32 << 10  # bytes of rows that stay in cache while all queries pass


@njit(nogil=True, cache=True, fastmath={"reassoc", "nsz", "contract"})
def distances(numbers, labels, queries, begin, out):
    """out[q, s] = Σ |numbers[queries[q]] − numbers[begin + s]| + #(labels differ), for complete columns.

    Four queries and two rows share what is in registers; a tile of rows stays in cache for all queries. At the ends a
    query or row is taken more than once.
    """
    d, e = numbers.shape[1], labels.shape[1]
    n = out.shape[1]
    tile = 2 * max(2, TILE // (8 * (d + e) + 1))
    last = queries.size - 1
    for first in range(0, n, tile):
        stop = min(first + tile, n)
        for q0 in range(0, queries.size, 4):
            q1, q2, q3 = min(q0 + 1, last), min(q0 + 2, last), min(q0 + 3, last)
            i0, i1, i2, i3 = queries[q0], queries[q1], queries[q2], queries[q3]
            a0, a1, a2, a3 = numbers[i0], numbers[i1], numbers[i2], numbers[i3]
            b0, b1, b2, b3 = labels[i0], labels[i1], labels[i2], labels[i3]
            for s in range(first, stop, 2):
                r = min(s + 1, stop - 1)
                x, y = numbers[begin + s], numbers[begin + r]
                s0 = s1 = s2 = s3 = r0 = r1 = r2 = r3 = np.float32(0.0)
                for t in range(d):
                    s0 += abs(a0[t] - x[t])
                    s1 += abs(a1[t] - x[t])
                    s2 += abs(a2[t] - x[t])
                    s3 += abs(a3[t] - x[t])
                    r0 += abs(a0[t] - y[t])
                    r1 += abs(a1[t] - y[t])
                    r2 += abs(a2[t] - y[t])
                    r3 += abs(a3[t] - y[t])
                u, v = labels[begin + s], labels[begin + r]
                c0 = c1 = c2 = c3 = d0 = d1 = d2 = d3 = np.float32(0.0)
                for t in range(e):
                    c0 += np.float32(b0[t] != u[t])
                    c1 += np.float32(b1[t] != u[t])
                    c2 += np.float32(b2[t] != u[t])
                    c3 += np.float32(b3[t] != u[t])
                    d0 += np.float32(b0[t] != v[t])
                    d1 += np.float32(b1[t] != v[t])
                    d2 += np.float32(b2[t] != v[t])
                    d3 += np.float32(b3[t] != v[t])
                out[q0, s], out[q1, s], out[q2, s], out[q3, s] = s0 + c0, s1 + c1, s2 + c2, s3 + c3
                out[q0, r], out[q1, r], out[q2, r], out[q3, r] = r0 + d0, r1 + d1, r2 + d2, r3 + d3


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
    """out[a, b] = out[b, a] = mean difference between a value of class a and one of class b, in one column."""
    for a in range(n_classes):
        for b in range(a, n_classes):
            total = 0.0
            for t in range(starts[a], starts[a + 1]):
                total += expected(values[t], values, sums, starts[b], starts[b + 1], category)
            size = starts[a + 1] - starts[a]
            out[a, b] = out[b, a] = total / size if size else expected(0.0, values, sums, 0, 0, category)


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
def add_holed(holed, queries, begin, classes, category, values, sums, starts, both, out):
    """out[q, s] += differences of the columns that have missing values, to row begin + s."""
    for q in range(queries.size):
        i = queries[q]
        for s in range(out.shape[1]):
            total = 0.0
            for h in range(holed.shape[1]):
                total += difference(holed, i, begin + s, h, classes, category, values, sums, starts, both)
            out[q, s] += total


@njit(nogil=True, cache=True)
def offer(bits, queries, begin, class_start, places, lists):
    """Offer the rows begin, begin + 1, … to the lists of nearest rows of ``queries``; ``bits[q]`` are their distances.

    A list keeps the smallest keys, in no order: at places[c] … places[c + 1] − 1 those of class c. A key is the bits
    of a distance (not below 0, so ordered as integers are) above the row's number: of equal distances the lowest
    number is nearer, and no two keys are equal. So what is kept depends neither on the order nor on the grouping of
    offers. A row is not offered to itself.
    """
    end = begin + bits.shape[1]
    for q in range(queries.size):
        c = np.searchsorted(class_start, begin, side="right") - 1
        while c < class_start.size - 1 and class_start[c] < end:
            own = lists[q, places[c] : places[c + 1]]
            worst = exchange(own, -1, -1)  # no key is negative
            for j in range(max(begin, class_start[c]), min(end, class_start[c + 1])):
                key = (np.int64(bits[q, j - begin]) << 32) | j
                if key < worst and j != queries[q]:
                    worst = exchange(own, worst, key)
            c += 1


@njit(nogil=True, cache=True)
def exchange(keys, old, new):
    """Put ``new`` in the place of ``old``, if that is there; returns the largest."""
    largest = np.int64(0)
    for t in range(keys.size):
        key = new if keys[t] == old else keys[t]
        keys[t] = key
        largest = max(largest, key)
    return largest


@njit(nogil=True, cache=True, fastmath={"reassoc", "nsz", "contract"})
def apart(a, b):
    """Σ |a − b| in double precision. One after the other the additions would wait for each other, four cycles each."""
    total = 0.0
    for t in range(a.size):
        total += abs(np.float64(a[t]) - np.float64(b[t]))
    return total


@njit(nogil=True, cache=True)
def exact_distance(i, j, numbers, labels, holed, classes, category, values, sums, starts, both):
    """The distance of two rows in double precision: order among near-ties must not hang on rounding."""
    total = apart(numbers[i], numbers[j])
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
        a, b = numbers[i], numbers[j]
        for t in range(a.size):
            sum_numbers[t] += weight * abs(np.float64(a[t]) - np.float64(b[t]))
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
    queries, lists, places, k, influence, class_start, classes, priors, weights, target, numbers, labels, holed,
    category, values, sums, starts, both, hits, misses, tallies,
):  # fmt: skip
    """Add the differences of these queries to their nearest rows.

    Classes: ``hits[g]`` += weight × mean difference to nearest hits, ``misses[g]`` the same to the nearest of each
    other class, weighted by its prior; g = numbers, labels, holed columns. A regression (target not empty): the
    nearest rows of all; ``hits`` gets the differences, ``misses`` those times the target's difference, and
    ``tallies[0]`` the target's differences. ``tallies[1]`` += weight of the query. ``lists``: what `offer` found,
    the rows of a class that may share the k places, and some more for what rounding may have put too far.
    """
    regression = target.size > 0
    n_classes = class_start.size - 1
    widest = np.diff(places).max()
    found = np.empty(widest, np.int64)
    far = np.empty(widest, np.float64)
    amount = np.empty(widest, np.float64)
    for q in range(queries.size):
        i = queries[q]
        own_weight = weights[i] if weights.size else 1.0
        own_class = classes[i]
        for c in range(n_classes):
            size = min(places[c + 1] - places[c], class_start[c + 1] - class_start[c] - (c == own_class))
            if size == 0 and not (c == own_class and own_weight > 1.0):
                continue
            for s in range(size):
                found[s] = lists[q, places[c] + s] & 0xFFFFFFFF
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
