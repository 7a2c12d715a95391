"""Joint tables with columns side by side: eight columns at a time, their counts in registers.

Codes are kept as bits: slice s of a column has bit s of its code in every row, 64 rows a word; rows are by class, each
class padded to whole words, so that a class is a range of words. Eight columns make a line, laid out (word, slice,
column): a new variable is counted with them in one pass over the line, from its first word to its last.

Rows that a level a of the new variable shares with level b of a column are not counted as such, but those it shares
with the product of the slices that are set in b: b = 3 is s₀s₁, which 7 has as well. A table then needs one product a
level, whatever the number of slices, and level counts follow by differences (`_to_levels`), in whole numbers. Level 0
is what is left.

Against bit slices (`slices`): (p − 1)(q − 1) counts a word for p and q levels instead of q − 1, but nothing is grouped,
padded or drained for a new variable. That wins on short tables and for few levels; `statistics.levels.tables` chooses.

Every kernel works in exact integers, so no split of rows, columns or threads changes a result.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic

from .kernel import kernel
from .vectors import (
    WIDTH,
    add_by_bytes,
    add_by_table,
    all_small,
    clear,
    counting,
    give,
    put,
    rest_of_line,
    rest_of_number,
    take,
)

LINE = WIDTH  # columns counted together
AHEAD = 32  # words behind the last line that `counting` may read, and must not care for
PLANES = 4  # of a new variable, counted together
_1_1, _1_2, _1_3, _1_4, _1_5 = (counting(1, kind) for kind in range(1, 6))
_2_2 = counting(2, 2)
_4_3, _4_4, _4_5 = (counting(4, kind) for kind in range(3, 6))  # what is left out goes a plane at a time


@intrinsic
def _ones(typing_context: Any, word: Any) -> Any:
    """Number of set bits of a 64-bit word, as one LLVM instruction so that loops over it vectorise."""
    return types.uint64(types.uint64), lambda context, builder, signature, args: builder.ctpop(args[0])


@kernel
def _count_plane(kind, new, line, line_step, n_words, high, out):
    """`vectors.counting` of one plane."""
    none = np.uint64(0)
    if kind == 1:
        _1_1(new, none, line, line_step, n_words, high, out, none)
    elif kind == 2:
        _1_2(new, none, line, line_step, n_words, high, out, none)
    elif kind == 3:
        _1_3(new, none, line, line_step, n_words, high, out, none)
    elif kind == 4:
        _1_4(new, none, line, line_step, n_words, high, out, none)
    else:
        _1_5(new, none, line, line_step, n_words, high, out, none)


@kernel
def _count_planes(n, kind, new, new_step, line, line_step, n_words, high, out, out_step):
    """The same of n planes."""
    if n == 2 and kind == 2:
        _2_2(new, new_step, line, line_step, n_words, high, out, out_step)
    elif n == 4 and kind == 3:
        _4_3(new, new_step, line, line_step, n_words, high, out, out_step)
    elif n == 4 and kind == 4:
        _4_4(new, new_step, line, line_step, n_words, high, out, out_step)
    elif n == 4 and kind == 5:
        _4_5(new, new_step, line, line_step, n_words, high, out, out_step)
    else:
        for a in range(n):
            of = np.uint64(a)
            _count_plane(kind, new + of * new_step, line, line_step, n_words, high, out + of * out_step)


@kernel
def _to_levels(row, levels):
    """Counts of products -> of levels 1, 2, …, in place: who has the slices of b and no others; (levels, LINE)."""
    bit = 1
    while bit < levels:
        for b in range(1, levels):
            if not b & bit and b | bit < levels:
                take(row + np.uint64(64 * b), row + np.uint64(64 * (b | bit)))
        bit *= 2


@kernel
def _count_class(line, line_step, levels, new, new_step, n_planes, n_words, counts, step):
    """Counts of levels 1, 2, … of the new variable (rows of ``step`` bytes from ``counts`` on) with levels 1, 2, ….

    ``n_planes`` is padded by the caller: 1, 2 or a multiple of 4.
    """
    one, width = np.uint64(64), min(n_planes, PLANES)
    for a in range(0, n_planes, PLANES):
        at, out = new + np.uint64(a) * new_step, counts + np.uint64(a + 1) * step
        kind = levels - 1 if levels <= 5 else 3
        _count_planes(width, kind, at, new_step, line, line_step, n_words, np.uint64(0), out + one, step)
        if levels > 5:
            for b in range(4, levels, 4):  # levels b … b + 3 share the slices of b
                high = np.uint64(b)
                _count_planes(width, 5, at, new_step, line, line_step, n_words, high, out + one * np.uint64(b), step)


@kernel
def _add_phi(cells, n, phi, bytes_of_phi, out):
    """out (LINE,) += Σ phi over (n, LINE) counts, with room behind them up to a multiple of eight. Addresses."""
    if all_small(cells, n):
        groups = (n + np.uint64(7)) // np.uint64(8)
        clear(cells + n * np.uint64(64), groups * np.uint64(8) - n)  # φ(0) = 0
        add_by_bytes(cells, groups, bytes_of_phi, out)
    else:
        add_by_table(cells, n, phi, out)


@kernel
def pair_sums(
    lines, line_at, levels, margins, margin_at, word_start, planes, sizes, phi, bytes_of_phi, by_class, first, last,
    room, joint, joint_class,
):  # fmt: skip
    """Add Σ phi[count] of a new variable with the columns of lines first … last − 1.

    lines        flat uint64; line v from ``line_at[v]`` on is (n_words, slices of levels[v], LINE), `AHEAD` more behind
    margins      flat uint64; line v from ``margin_at[v]`` on is (levels[v], n_classes, LINE), its rows
    word_start   (n_classes + 1,) the words of each class
    planes       (n_planes, n_words) levels 1, 2, … of the new variable, padded with zeros to 1, 2 or a multiple of 4
    sizes        (n_levels, n_classes) uint64 its rows
    bytes_of_phi see `vectors.add_by_bytes`
    room         uint64 to work in: see `room_for`

    ``joint``, over the cells (new, column), and ``joint_class``, over (new, column, class), have LINE entries a line.
    To leave classes out, pass word_start, margins and sizes of a single class. Other terms of the tables, which tests
    of chance ask for, are left to `slices`: they would double the time that this takes to compile.
    """
    n_levels, n_classes = sizes.shape
    new, new_step = np.uint64(planes.ctypes.data), np.uint64(8 * planes.shape[1])
    table, one = np.uint64(room.ctypes.data), np.uint64(8 * LINE)
    both = table + np.uint64(room.size // 2 * 8)
    line_0, margin_0 = np.uint64(lines.ctypes.data), np.uint64(margins.ctypes.data)
    out_0, out_class_0 = np.uint64(joint.ctypes.data), np.uint64(joint_class.ctypes.data)
    look_up, bytes_at = np.uint64(phi.ctypes.data), np.uint64(bytes_of_phi.ctypes.data)
    for v in range(first, last):
        own = levels[v]
        padded = own if own <= 5 else (own + 3) // 4 * 4  # what `_count_class` writes in a row
        cells, row_size, step = np.uint64(n_levels * own), np.uint64(own), np.uint64(padded) * one
        slices = 1
        while 1 << slices < own:
            slices += 1
        line, line_step = line_0 + np.uint64(8 * line_at[v]), np.uint64(slices) * one
        margin, margin_step = margin_0 + np.uint64(8 * margin_at[v]), np.uint64(n_classes) * one
        out, out_class = out_0 + np.uint64(v) * one, out_class_0 + np.uint64(v) * one
        for c in range(n_classes):
            start = word_start[c]
            if n_levels > 1:
                _count_class(
                    line + np.uint64(start) * line_step, line_step, own, new + np.uint64(8 * start), new_step,
                    planes.shape[0], np.uint64(word_start[c + 1] - start), table, step,
                )  # fmt: skip
            for a in range(1, n_levels):
                row = table + np.uint64(a) * step
                _to_levels(row, own)
                rest_of_number(sizes[a, c], row, row + one, one, np.uint64(own - 1))
            for b in range(own):
                at = np.uint64(b) * one
                rest_of_line(
                    margin + np.uint64(b) * margin_step + np.uint64(c) * one, table + at, table + at + step, step,
                    np.uint64(n_levels - 1),
                )  # fmt: skip
            if padded > own:  # close the rows up
                for a in range(1, n_levels):
                    put(table + np.uint64(a) * row_size * one, table + np.uint64(a) * step, row_size)
            if by_class:
                _add_phi(table, cells, look_up, bytes_at, out_class)
            if n_classes == 1:
                _add_phi(table, cells, look_up, bytes_at, out)
            elif c == 0:
                put(both, table, cells)
            else:
                give(both, table, cells)
        if n_classes > 1:
            _add_phi(both, cells, look_up, bytes_at, out)


def room_for(n_levels: int, levels: int) -> int:
    """What `pair_sums` needs to work in, for so many levels of the new variable and of a column."""
    rows, row = -(-n_levels // PLANES) * PLANES + 1, -(-levels // 4) * 4
    return 2 * (rows * row + 8) * LINE


@kernel
def line_margins(lines, line_at, levels, word_start, sizes, valid, margins, margin_at, first, last):
    """Fill the margins of lines first … last − 1; ``valid`` (1, n_words) has a bit a row, ``sizes`` (n_classes,)."""
    one, n_classes = np.uint64(8 * LINE), sizes.size
    room = np.empty(2 * 72 * LINE, np.uint64)
    table = np.uint64(room.ctypes.data)
    for v in range(first, last):
        own, slices = levels[v], 1
        while 1 << slices < own:
            slices += 1
        line, line_step = np.uint64(lines.ctypes.data) + np.uint64(8 * line_at[v]), np.uint64(slices) * one
        step = np.uint64((own + 3) // 4 * 4) * one
        for c in range(n_classes):
            start = word_start[c]
            new, at_words = np.uint64(valid.ctypes.data) + np.uint64(8 * start), line + np.uint64(start) * line_step
            n_words, row = np.uint64(word_start[c + 1] - start), table + step
            _count_plane(min(own - 1, 4) if own <= 5 else 3, new, at_words, line_step, n_words, np.uint64(0), row + one)
            if own > 5:
                for b in range(4, own, 4):
                    of = np.uint64(b)
                    _count_plane(5, new, at_words, line_step, n_words, of, row + of * one)
            _to_levels(row, own)
            rest_of_number(sizes[c], row, row + one, one, np.uint64(own - 1))
            for b in range(own):
                at, to = (np.int64(step) // 8) + b * LINE, margin_at[v] + (b * n_classes + c) * LINE
                for j in range(LINE):
                    margins[to + j] = room[at + j]


# -- making lines --------------------------------------------------------------------------------------------


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
def turn_slices(block, class_start, word_start, at, step, lines):
    """Bit slices by rows -> lines: bit s of the codes of column j in the rows of word w is at[j] + w · step[j] + 8 s.

    ``block`` as in `slices.pack`, as 64-bit words: (rows, n_slices, words), rows by class; ``at`` and ``step``
    (columns,).
    """
    squares = np.empty((64, 4), np.uint64)
    for s in range(block.shape[1]):
        for c in range(class_start.size - 1):
            for word in range(word_start[c], word_start[c + 1]):
                first = class_start[c] + 64 * (word - word_start[c])
                size = min(64, class_start[c + 1] - first)
                for lane in range(0, at.size, 256):
                    for t in range(size):
                        row, square = block[first + t, s], squares[t]
                        for q in range(4):
                            square[q] = row[lane // 64 + q]
                    for t in range(size, 64):
                        for q in range(4):
                            squares[t, q] = np.uint64(0)
                    _turn_bits(squares)
                    for k in range(min(256, at.size - lane)):
                        j = lane + k
                        lines[at[j] + word * step[j] + LINE * s] = squares[k & 63, k >> 6]


@kernel
def copy_columns(lines, at, step, slices, n_words, into, to, into_step):
    """Column k, of slices[k] slices at at[k] + w · step[k] + 8 s, to to[k] + w · into_step[k] + 8 s of ``into``."""
    for k in range(at.size):
        for w in range(n_words):
            source, target = at[k] + w * step[k], to[k] + w * into_step[k]
            for s in range(slices[k]):
                into[target + LINE * s] = lines[source + LINE * s]


@kernel
def planes_of_column(lines, at, step, slices, out):
    """(n_planes, n_words) planes of levels 1, 2, … of the column at at + w · step + 8 s."""
    for w in range(out.shape[1]):
        for a in range(out.shape[0]):
            plane, level = ~np.uint64(0), a + 1
            for s in range(slices):
                word = lines[at + w * step + LINE * s]
                plane &= word if level >> s & 1 else ~word
            out[a, w] = plane if level < 1 << slices else np.uint64(0)


@kernel
def planes_of_codes(codes, class_start, word_start, planes):
    """Fill (n_planes, n_words) planes, zero before, of levels 1, 2, … of one variable; rows by class."""
    for c in range(class_start.size - 1):
        for t in range(class_start[c], class_start[c + 1]):
            if codes[t]:
                bit = t - class_start[c]
                planes[codes[t] - 1, word_start[c] + bit // 64] |= np.uint64(1) << np.uint64(bit % 64)
