"""The values at some ranks of a column, without sorting it: a tally of buckets, then only the buckets that matter.

Buckets are of equal width between two values of a sample, and the map from values to them never falls, rounding
included: subtracting, multiplying and cutting off are monotone. So a rank is in the bucket that the tally says, and
the value at it is exact, whatever the sample.
"""

from __future__ import annotations

import numpy as np

from .kernel import kernel

SAMPLE = 64
MOST_BUCKETS = 2048
TURNED = 64  # rows turned at a time


@kernel
def _shell_sort(values, n):
    """values[:n] ascending, in place."""
    gap = 1
    while gap < n // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(gap, n):
            x, j = values[i], i
            while j >= gap and values[j - gap] > x:
                values[j] = values[j - gap]
                j -= gap
            values[j] = x
        gap //= 3


@kernel
def _select(values, first, last, place):
    """Put the value of rank ``place`` of values[first : last + 1] there, what is less before it (Hoare 1961)."""
    while first < last:
        pivot = values[(first + last) // 2]
        i, j = first, last
        while i <= j:
            while values[i] < pivot:
                i += 1
            while values[j] > pivot:
                j -= 1
            if i <= j:
                values[i], values[j] = values[j], values[i]
                i += 1
                j -= 1
        if place <= j:
            last = j
        elif place >= i:
            first = i
        else:
            return


@kernel
def _gather(values, codes, marked, held):
    """The values whose bucket is marked; there must be room for one more."""
    m = 0
    for i in range(values.size):
        held[m] = values[i]
        m += marked[codes[i]]


@kernel
def _at_ranks(values, bins, codes, counts, marked, held, edges):
    """(missing, largest, whether it is known) of a column; edges[k − 1] is the ⌈kn/bins⌉-th smallest of n values."""
    n = values.size
    size = min(SAMPLE, n)
    for k in range(size):
        held[k] = values[k * n // size]
        if held[k] != held[k]:
            held[k] = held[0]
    _shell_sort(held, size)
    low, high = held[size // 32], held[size - 1 - size // 32]
    buckets = min(MOST_BUCKETS, max(64, n // 16))
    last = np.float64(buckets - 1)
    if not low < high:
        return 0, np.float64(low), False
    scale = last / (np.float64(high) - np.float64(low))
    low_ = np.float64(low)
    for i in range(n):
        t = (np.float64(values[i]) - low_) * scale
        u = t if t > 0.0 else np.float64(0.0)
        v = u if u < last else last
        codes[i] = np.int32(v if values[i] == values[i] else last + 1.0)
    for b in range(buckets + 1):
        counts[b] = 0
        marked[b] = 0
    for i in range(n):
        counts[codes[i]] += 1
    missing = counts[buckets]
    n -= missing
    if n == 0:
        return missing, low_, False
    # the buckets of the ranks, and of the largest value
    upto, total, b = counts[0], 0, 0
    for k in range(1, bins):
        rank = (k * n + bins - 1) // bins
        while upto < rank:
            b += 1
            upto += counts[b]
        total += 0 if marked[b] else counts[b]
        marked[b] = 1
    _gather(values, codes, marked, held)
    upto, inside, b, done = counts[0], counts[0] if marked[0] else 0, 0, 0  # rows up to bucket b, of them in ``held``
    for k in range(1, bins):
        rank = (k * n + bins - 1) // bins
        while upto < rank:
            b += 1
            upto += counts[b]
            inside += counts[b] if marked[b] else 0
        place = inside - upto + rank - 1
        if place >= done:
            _select(held, done, total - 1, place)
            done = place + 1
        edges[k - 1] = held[place]
    top = edges[bins - 2]
    for i in range(values.size):
        x = np.float64(values[i])
        top = x if x > top else top
    return missing, top, True


@kernel
def column_quantiles(
    source, row_step, column_step, first, last, n, bins, room, codes, counts, marked, held, edges, missing, largest,
    known,
):  # fmt: skip
    """Of columns first … last − 1 of n rows: edges (columns, bins − 1), missing and the largest value; not ``known``
    where there is no value, or hardly more than one.

    ``source`` flat, x = source[i · row_step + j · column_step]; ``room`` (tile, n), codes (n,) uint16, counts and
    marked (MOST_BUCKETS + 1,), held (n + SAMPLE,).
    """
    tile = room.shape[0]
    for begin in range(first, last, tile):
        end = min(begin + tile, last)
        if row_step != 1:
            for at in range(0, n, TURNED):
                stop = min(at + TURNED, n)
                for j in range(begin, end):
                    into, offset = room[j - begin], j * column_step
                    for i in range(at, stop):
                        into[i] = source[i * row_step + offset]
        for j in range(begin, end):
            own = j - first
            values = room[j - begin]
            if row_step == 1:
                values = source[j * column_step : j * column_step + n]
            found = _at_ranks(values, bins, codes, counts, marked, held, edges[own])
            missing[own], largest[own], known[own] = found
