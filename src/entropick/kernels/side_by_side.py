"""Joint tables with columns side by side: popcount(plane & plane) of one variable with 256 candidates at a time.

Every level of a column but its last is a plane of bits, one bit a row; rows are by class, each class padded to whole
64-bit words, so that a class is a range of words. 256 columns make a tile, laid out (level, word, column): the inner
loop runs over columns, reads what lies side by side and keeps one count a column, so it vectorises whatever the number
of rows. Counts of the last levels follow from the margins.

Against bit slices (`slices`): (p − 1)(q − 1) passes for p and q levels instead of q − 1, but nothing is grouped, padded
or drained for a new variable. That wins on short tables and for few levels; `statistics.levels.tables` chooses.

Every kernel works in exact integers, so no split of rows, columns or threads changes a result.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic

from .kernel import kernel

TILE = 256  # columns counted together: their counts of one level of the new variable stay in the first-level cache


@intrinsic
def _ones(typing_context: Any, word: Any) -> Any:
    """Number of set bits of a 64-bit word, as one LLVM instruction so that loops over it vectorise."""
    return types.uint64(types.uint64), lambda context, builder, signature, args: builder.ctpop(args[0])


@kernel
def _common(new, planes, first, last, out):
    """out[j] = number of bits that words first … last − 1 of ``new`` and of column j have in common."""
    for j in range(TILE):
        out[j] = np.uint64(0)
    w = first
    while w + 4 <= last:  # four words a pass, so that counts are loaded and stored a quarter as often
        x0, x1, x2, x3 = new[w], new[w + 1], new[w + 2], new[w + 3]
        y0, y1, y2, y3 = planes[w], planes[w + 1], planes[w + 2], planes[w + 3]
        for j in range(TILE):
            out[j] += _ones(x0 & y0[j]) + _ones(x1 & y1[j]) + _ones(x2 & y2[j]) + _ones(x3 & y3[j])
        w += 4
    while w < last:
        x0, y0 = new[w], planes[w]
        for j in range(TILE):
            out[j] += _ones(x0 & y0[j])
        w += 1


@kernel
def _add_phi(counts, levels, phi, out):
    """out[j] += Σ_b phi[counts[b, j]]; three look-ups a pass, which the processor overlaps."""
    b = 0
    while b + 3 <= levels:
        x, y, z = counts[b], counts[b + 1], counts[b + 2]
        for j in range(TILE):
            out[j] += phi[x[j]] + phi[y[j]] + phi[z[j]]
        b += 3
    while b < levels:
        x = counts[b]
        for j in range(TILE):
            out[j] += phi[x[j]]
        b += 1


@kernel
def _count_level(new, planes, word_start, c, a, last_level, margin, counts, rest):
    """Counts (levels, TILE) of level a of the new variable in class c; ``rest`` loses them, and is the last level."""
    levels = counts.shape[0]
    if a == last_level:
        for b in range(levels):
            x, left = counts[b], rest[b]
            for j in range(TILE):
                x[j] = left[j]
        return
    other = counts[levels - 1]
    for j in range(TILE):
        other[j] = margin
    for b in range(levels - 1):
        x, left = counts[b], rest[b]
        _common(new[a], planes[b], word_start[c], word_start[c + 1], x)
        for j in range(TILE):
            other[j] -= x[j]
            left[j] -= x[j]
    left = rest[levels - 1]
    for j in range(TILE):
        left[j] -= other[j]


@kernel
def pair_sums(
    planes, margins, plane_at, margin_at, levels, word_start, new, sizes, phi, by_class, first, last, room,
    joint, joint_class,
):  # fmt: skip
    """Add Σ phi[count] of a new variable with the columns of tiles first … last − 1.

    planes       flat uint64; tile t from ``plane_at[t]`` on is (levels[t] − 1, n_words, TILE)
    margins      flat uint64; tile t from ``margin_at[t]`` on is (levels[t], n_classes, TILE), its rows
    word_start   (n_classes + 1,) the words of each class
    new          (n_levels − 1, n_words) planes of the new variable, ``sizes`` (n_levels, n_classes) int64 its rows
    room         uint64 to work in: TILE · levels · (n_levels + 2) for the largest tile

    ``joint``, over the cells (new, column), and ``joint_class``, over (new, column, class), have TILE entries a tile.
    To leave classes out, pass word_start, margins and sizes of a single class. Other terms of the tables, which tests
    of chance ask for, are left to `slices`: they would double the time that this takes to compile.
    """
    n_words = new.shape[1]
    n_levels, n_classes = sizes.shape
    for t in range(first, last):
        own = levels[t]
        at, size = plane_at[t], (own - 1) * n_words * TILE
        tile = planes[at : at + size].reshape(own - 1, n_words, TILE)
        at, size = margin_at[t], own * n_classes * TILE
        margin = margins[at : at + size].reshape(own, n_classes, TILE)
        one = own * TILE
        counts, rest = room[:one].reshape(own, TILE), room[one : 2 * one].reshape(own, TILE)
        both = room[2 * one : (2 + n_levels) * one]
        for k in range(both.size):
            both[k] = np.uint64(0)
        for c in range(n_classes):
            for b in range(own):
                left, held = rest[b], margin[b, c]
                for j in range(TILE):
                    left[j] = held[j]
            for a in range(n_levels):
                _count_level(new, tile, word_start, c, a, n_levels - 1, np.uint64(sizes[a, c]), counts, rest)
                if by_class:
                    _add_phi(counts, own, phi, joint_class[t * TILE : (t + 1) * TILE])
                found, total = room[:one], both[a * one : (a + 1) * one]
                for k in range(one):
                    total[k] += found[k]
        for a in range(n_levels):
            _add_phi(both[a * one : (a + 1) * one].reshape(own, TILE), own, phi, joint[t * TILE : (t + 1) * TILE])


# -- making planes -------------------------------------------------------------------------------------------


@kernel
def _turn_bits(m):
    """Four squares of 64 × 64 bits side by side, (64, 4), turned in place: ever smaller squares change places."""
    width, mask = 32, np.uint64(0x00000000FFFFFFFF)
    while width:
        shift = np.uint64(width)
        k = 0
        while k < 64:
            upper, lower = m[k], m[k + width]
            for q in range(4):
                swap = ((upper[q] >> shift) ^ lower[q]) & mask
                upper[q] ^= swap << shift
                lower[q] ^= swap
            k = (k + width + 1) & ~width
        width >>= 1
        mask ^= mask << np.uint64(width)


@kernel
def turn_slices(block, class_start, word_start, out):
    """Bit slices by rows -> by columns: out[s, w, j] has bit s of the codes of column j in the rows of word w.

    ``block`` as in `slices.pack`: (rows, n_slices, 32-bit words), rows by class, 256 columns or several times as many;
    ``out`` (n_slices, n_words, columns).
    """
    squares = np.empty((64, 4), np.uint64)
    for s in range(block.shape[1]):
        for c in range(class_start.size - 1):
            for word in range(word_start[c], word_start[c + 1]):
                first = class_start[c] + 64 * (word - word_start[c])
                size = min(64, class_start[c + 1] - first)
                for lane in range(0, out.shape[2], TILE):
                    for t in range(size):
                        row, square = block[first + t, s], squares[t]
                        for q in range(4):
                            at = lane // 32 + 2 * q
                            square[q] = np.uint64(row[at]) | (np.uint64(row[at + 1]) << np.uint64(32))
                    for t in range(size, 64):
                        for q in range(4):
                            squares[t, q] = np.uint64(0)
                    _turn_bits(squares)
                    line = out[s, word, lane : lane + TILE]
                    for q in range(4):
                        for k in range(64):
                            line[64 * q + k] = squares[k, q]


@kernel
def fill_tile(slices, columns, to, class_sizes, word_start, planes, margins):
    """Planes (levels − 1, n_words, TILE) and margins (levels, n_classes, TILE) of some columns of `turn_slices`.

    Column columns[k] goes to place to + k; both must be zero there. Planes are of levels 1, 2, …: level 0, which the
    padding of a class has as well, is the one that is left to the margins, so it comes last in them.
    """
    n_slices, m = slices.shape[0], columns.size
    together = True
    for k in range(1, m):
        together &= columns[k] == columns[k - 1] + 1
    levels, n_classes = margins.shape[0], margins.shape[1]
    for c in range(n_classes):
        left = margins[levels - 1, c, to : to + m]
        for k in range(m):
            left[k] = np.uint64(class_sizes[c])
        for b in range(min(levels, 1 << n_slices) - 1):  # columns of fewer slices have no higher levels
            count = margins[b, c, to : to + m]
            for w in range(word_start[c], word_start[c + 1]):
                line = planes[b, w, to : to + m]
                for k in range(m):
                    line[k] = ~np.uint64(0)
                for s in range(n_slices):
                    flip = np.uint64(0) if (b + 1) >> s & 1 else ~np.uint64(0)
                    if together:
                        source = slices[s, w, columns[0] : columns[0] + m]
                        for k in range(m):
                            line[k] &= source[k] ^ flip
                    else:
                        for k in range(m):
                            line[k] &= slices[s, w, columns[k]] ^ flip
                for k in range(m):
                    count[k] += _ones(line[k])
            for k in range(m):
                left[k] -= count[k]


@kernel
def planes_of_codes(codes, levels, class_start, word_start):
    """(levels − 1, n_words) planes of levels 1, 2, … of one variable; rows by class."""
    planes = np.zeros((levels - 1, word_start[-1]), np.uint64)
    for c in range(class_start.size - 1):
        for t in range(class_start[c], class_start[c + 1]):
            if codes[t]:
                bit = t - class_start[c]
                planes[codes[t] - 1, word_start[c] + bit // 64] |= np.uint64(1) << np.uint64(bit % 64)
    return planes
