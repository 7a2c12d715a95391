"""Loops over bytes: groups of numbers, counts of groups, and sums of lifted columns against each other.

Every sum here is an integer, so that it is the same for any order of rows, any split into blocks and any number of
threads, and two equal columns have equal sums.
"""

from __future__ import annotations

import numpy as np

from .kernel import kernel

GROUPS = 256
STRIP = 8192  # rows whose 8-bit values add up to less than 2²¹
FIELD = 21  # bits of a sum; three of them in one word
WORDS = 4  # a row: what a vector register holds
SHIFT = 128  # lifted values are −127 … 127; fields hold them from 1 on


@kernel
def search_groups(values, edges, missing, out):
    """out[i] = number of edges below values[i], NaN -> ``missing``; edges (256,) ascending, padded by +∞.

    Eight steps without a branch. Returns whether a NaN met ``missing`` < 0.
    """
    bad = False
    for i in range(values.size):
        x = np.float64(values[i])
        at = 0
        at += 128 * (edges[at + 127] < x)
        at += 64 * (edges[at + 63] < x)
        at += 32 * (edges[at + 31] < x)
        at += 16 * (edges[at + 15] < x)
        at += 8 * (edges[at + 7] < x)
        at += 4 * (edges[at + 3] < x)
        at += 2 * (edges[at + 1] < x)
        at += edges[at] < x
        if x != x:
            bad |= missing < 0
            at = missing
        out[i] = at
    return bad


@kernel
def cut_groups(ordered, most, edges):
    """Edges of the groups of ascending values, NaN last: (number of edges, values that are there, distinct ones).

    Every value is a group where there are at most ``most`` of them (one fewer where some are NaN), else groups are of
    equal count. Edges are written to the first places of ``edges``. Distinct values are counted up to ``most`` + 1.
    """
    n = ordered.size
    held = n
    while held and ordered[held - 1] != ordered[held - 1]:
        held -= 1
    room = most - (held < n)
    distinct = 0
    for i in range(held):
        if i == 0 or ordered[i] != ordered[i - 1]:
            distinct += 1
            if distinct > room:
                distinct = most + 1
                break
            edges[distinct - 1] = ordered[i]
    if distinct <= room:
        return max(distinct - 1, 0), held, distinct
    last = 0
    for k in range(1, room):
        value = ordered[(k * held + room - 1) // room - 1]  # the ⌈kn/B⌉-th smallest
        if last == 0 or value != edges[last - 1]:
            edges[last] = value
            last += 1
    i = held - 1
    if edges[last - 1] == ordered[i]:  # it would cut nothing off: the largest value below
        last -= 1
        while ordered[i] == ordered[held - 1]:
            i -= 1
        if last == 0 or edges[last - 1] < ordered[i]:
            edges[last] = ordered[i]
            last += 1
    return last, held, distinct


@kernel
def count_groups(codes, weights, first, last, at, rows, mass):
    """rows[at_j + g], mass[at_j + g] += rows of column j in group g, and their weights; columns first … last.

    codes (D, n) uint8; weights (n,) int64, or empty where every row counts once (``mass`` is then left alone).
    """
    n = codes.shape[1]
    tally = np.zeros(4 * GROUPS, np.int64)
    for j in range(first, last):
        line, base = codes[j], at[j]
        groups = at[j + 1] - base
        tally[:] = 0
        i = 0
        while i + 4 <= n:  # four tallies: rows of the same group need not wait for each other
            tally[line[i]] += 1
            tally[GROUPS + line[i + 1]] += 1
            tally[2 * GROUPS + line[i + 2]] += 1
            tally[3 * GROUPS + line[i + 3]] += 1
            i += 4
        while i < n:
            tally[line[i]] += 1
            i += 1
        for g in range(groups):
            rows[base + g] += tally[g] + tally[GROUPS + g] + tally[2 * GROUPS + g] + tally[3 * GROUPS + g]
        if weights.size:
            for i in range(n):
                mass[base + line[i]] += weights[i]


@kernel
def class_sums(codes, classes, weights, n_classes, first, last, at, table_at, tables, coarse, coarse_at, out, counts):
    """Sums of lifted columns within classes, and counts of coarse levels by class.

    out[lifted a of column j, c] += Σ weight · value, counts[coarse_at_j + level, c] += weight. tables: of column j an
    (m_j, G_j) int8 array at table_at_j; out (M, C) where rows of column j begin at out_at = see `lifted_at`.
    """
    n = codes.shape[1]
    tally = np.zeros((GROUPS, n_classes), np.int64)
    for j in range(first, last):
        line = codes[j]
        groups = at[j + 1] - at[j]
        tally[:groups] = 0
        if weights.size:
            for i in range(n):
                tally[line[i], classes[i]] += weights[i]
        else:
            for i in range(n):
                tally[line[i], classes[i]] += 1
        base = table_at[j, 0]
        for a in range(table_at[j, 1], table_at[j + 1, 1]):
            for g in range(groups):
                value = np.int64(tables[base + g])
                if value:
                    for c in range(n_classes):
                        out[a, c] += value * tally[g, c]
            base += groups
        for g in range(groups):
            level = coarse_at[j] + coarse[at[j] + g]
            for c in range(n_classes):
                counts[level, c] += tally[g, c]


@kernel
def add_weighed(tables, table_at, j, groups, tally, out, t):
    """out[a, t] += Σ_g table_a[g] · tally[g], for every lifted column a of column j."""
    base = table_at[j, 0]
    for a in range(table_at[j, 1], table_at[j + 1, 1]):
        total = np.int64(0)
        for g in range(groups):
            total += np.int64(tables[base + g]) * tally[g]
        out[a, t] += total
        base += groups


@kernel
def value_sums(codes, values, first, last, at, table_at, tables, out):
    """out[lifted a of column j, t] += Σ values[t, i] · value of row i; values (q, n) int64."""
    q, n = values.shape
    tally = np.zeros(GROUPS, np.int64)
    for j in range(first, last):
        line = codes[j]
        groups = at[j + 1] - at[j]
        for t in range(q):
            own = values[t]
            tally[:] = 0
            for i in range(n):
                tally[line[i]] += own[i]
            add_weighed(tables, table_at, j, groups, tally, out, t)


@kernel
def product_sums(codes, packed, columns, first, last, at, table_at, tables, out):
    """out[a, f] += Σ_i (field f of row i) · value of row i in lifted column a, of columns[first:last].

    packed (4 n,) int64: four words a row, three fields of 21 bits a word, each an 8-bit value from 0 to 255.

    The rows of a strip are added up by group, twelve sums at once, and the sums multiplied by the group's values: four
    additions an entry (one of a vector register), whatever the number of lifted columns. All sums are whole numbers
    below 2⁵³, so products by floating point are exact.
    """
    n = codes.shape[1]
    tally = np.zeros(WORDS * GROUPS, np.int64)
    sums = np.zeros(12 * GROUPS)
    total = np.zeros(12)
    mask = np.int64((1 << FIELD) - 1)
    for p in range(first, last):
        j = columns[p]
        line = codes[j]
        groups = at[j + 1] - at[j]
        sums[: 12 * groups] = 0.0
        for begin in range(0, n, STRIP):
            end = min(begin + STRIP, n)
            tally[: WORDS * groups] = 0
            for i in range(begin, end):
                t, r = WORDS * np.int64(line[i]), WORDS * i
                a, b = tally[t] + packed[r], tally[t + 1] + packed[r + 1]  # all are read before one is written,
                c, d = tally[t + 2] + packed[r + 2], tally[t + 3] + packed[r + 3]  # or they are added one by one
                tally[t], tally[t + 1], tally[t + 2], tally[t + 3] = a, b, c, d
            for g in range(groups):
                for w in range(WORDS):
                    word = tally[WORDS * g + w]
                    sums[12 * g + w] += np.float64(word & mask)
                    sums[12 * g + 4 + w] += np.float64((word >> FIELD) & mask)
                    sums[12 * g + 8 + w] += np.float64(word >> 2 * FIELD)
        base = table_at[j, 0]
        for lifted in range(table_at[j, 1], table_at[j + 1, 1]):
            total[:] = 0.0
            for g in range(groups):
                value = np.float64(tables[base + g])
                for f in range(12):
                    total[f] += value * sums[12 * g + f]
            for f in range(12):
                out[lifted, f] += np.int64(total[f])
            base += groups


@kernel
def lift_columns(mass, sums, at, curved, missing, enough, coarse_levels, values, degrees, coarse, sizes):
    """What every column is lifted into, see `coding.lifted`; of column j the groups at_j … at_j+1.

    values (m, groups) int8: functions of numbers, degrees (D, m) theirs; coarse (groups,): level of every group, for
    columns that are not ``curved`` those that have an indicator each; sizes (D,): functions of each column.
    """
    n_functions = values.shape[0]
    p = np.zeros((n_functions, GROUPS))
    share, t = np.zeros(GROUPS), np.zeros(GROUPS)
    for j in range(at.size - 1):
        base, groups, gone = at[j], at[j + 1] - at[j], missing[j]
        if curved[j]:
            total = 0.0
            for g in range(groups):
                total += 0.0 if g == gone else mass[base + g]
            below = 0.0
            for g in range(groups):
                share[g] = 0.0 if g == gone else mass[base + g] / total
                rank = below + 0.5 * share[g]
                below += share[g]
                t[g] = 2.0 * rank - 1.0
                coarse[base + g] = min(np.int64(rank * coarse_levels), coarse_levels - 1)
            kept = 0
            for k in range(n_functions):
                for g in range(groups):
                    x = t[g]
                    if k == 1:
                        x = 1.5 * x * x - 0.5
                    elif k == 2:
                        x = 2.5 * x * x * x - 1.5 * x
                    elif k == 3:
                        x = sums[base + g] / max(mass[base + g], 1e-300)
                    p[kept, g] = x
                if _orthonormal(p, kept, share, groups):
                    largest = 0.0
                    for g in range(groups):
                        largest = max(largest, abs(p[kept, g]))
                    for g in range(groups):
                        values[kept, base + g] = np.int8(np.rint(127.0 * p[kept, g] / largest))
                    degrees[j, kept] = k + 1.0 if k < 3 else 1.0
                    kept += 1
            sizes[j] = kept
        else:
            sizes[j] = _levels(mass[base : base + groups], gone, enough, coarse[base : base + groups])
        if gone >= 0:
            last = np.int64(-1)
            for g in range(groups):
                if g != gone:
                    last = max(last, np.int64(coarse[base + g]))
            coarse[base + gone] = last + 1 if groups > 1 else 1
            if mass[base + gone] >= enough and groups > 1:
                sizes[j] += 1


@kernel
def _orthonormal(p, k, share, groups):
    """Make p[k] a function of mean 0 and variance 1, orthogonal to those before; False where nothing of it is left."""
    mean, most = 0.0, 0.0
    for g in range(groups):
        mean += share[g] * p[k, g]
        most = max(most, abs(p[k, g]))
    size = 0.0
    for g in range(groups):
        p[k, g] -= mean
        size = max(size, abs(p[k, g]))
    if not size > 1e-12 * most:  # values may be of any scale
        return False
    spread = 0.0
    for g in range(groups):
        p[k, g] /= size
        spread += share[g] * p[k, g] ** 2
    spread = max(np.sqrt(spread), 1e-9)
    for g in range(groups):
        p[k, g] /= spread
    for before in range(k):
        inner = 0.0
        for g in range(groups):
            inner += share[g] * p[before, g] * p[k, g]
        for g in range(groups):
            p[k, g] -= inner * p[before, g]
    spread = 0.0
    for g in range(groups):
        spread += share[g] * p[k, g] ** 2
    spread = np.sqrt(spread)
    if not spread > 1e-6:
        return False
    for g in range(groups):
        p[k, g] = p[k, g] / spread if share[g] > 0 else 0.0
    return True


@kernel
def _most(mass, gone):
    """The most frequent group, of equal ones the first."""
    most = -1
    for g in range(mass.size):
        if g != gone and (most < 0 or mass[g] > mass[most]):
            most = g
    return most


@kernel
def _levels(mass, gone, enough, level):
    """Levels that are told apart, and how many of them have an indicator: all but the most frequent one.

    Those of fewer than ``enough`` rows are one level together; where that has fewer as well it joins the most frequent,
    unless no other level is left.
    """
    most, used = _most(mass, gone), 0
    for g in range(mass.size):
        used += g != gone and mass[g] > 0
    together, n_rare, first = 0.0, 0, -1
    for g in range(mass.size):
        if g != gone and g != most and 0 < mass[g] < enough:
            together += mass[g]
            n_rare += 1
            first = g if first < 0 else first
    apart = together >= enough or used == n_rare + 1
    n_own = 0
    for g in range(mass.size):
        rare = 0 < mass[g] < enough
        if g in (gone, most) or not mass[g] > 0 or (rare and not apart):
            level[g] = most
        elif rare:
            level[g] = first
            n_own += g == first
        else:
            level[g] = g
            n_own += 1
    return n_own


@kernel
def fill_tables(mass, at, curved, missing, enough, values, coarse, sizes, table_at, tables):
    """tables: of column j, from table_at_j on, an (m_j, G_j) array: the value of every function in every group."""
    for j in range(at.size - 1):
        base, groups, gone = at[j], at[j + 1] - at[j], missing[j]
        last = gone >= 0 and groups > 1 and mass[base + gone] >= enough
        own, into = sizes[j] - last, table_at[j]
        if curved[j]:
            for k in range(own):
                for g in range(groups):
                    tables[into + k * groups + g] = values[k, base + g]
        else:
            k, most = 0, _most(mass[base : base + groups], gone)
            for level in range(groups):
                if level in (gone, most) or coarse[base + level] != level:
                    continue
                for g in range(groups):
                    tables[into + k * groups + g] = 127 if g != gone and coarse[base + g] == level else 0
                k += 1
        if last:
            tables[into + own * groups + gone] = 127
