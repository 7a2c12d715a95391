"""Joint tables by bit slices: count 256 features at once, whatever the number of levels of the new one.

A forward step needs the table of the new feature with every candidate. Rows are grouped by (level of the
new feature, class); what is left is to count, within each group of rows, how often every candidate takes each
of its levels. Candidates are stored row by row as bit slices: slice s of a row has bit s of the codes of 256
candidates, side by side. Counting a column of bits over rows is a positional population count, done with
carry-save adders: 16 rows are added with about five bitwise operations a row, for 256 candidates at once.

Counted are not levels but monomials: for code c the number of rows with *all bits of c* set (their AND, at
most popcount(c) − 1 operations). The codes below b are closed under taking bits away, so the counts of levels
follow by inclusion–exclusion (`_monomials_to_levels`).

Rejected: bit planes, one a level, and popcount(plane & plane) for a pair of features. It needs (p − 1)(q − 1)
passes for p and q levels where this needs q − 1, and (q − 1)/8 bytes an entry where this needs log2(q)/8.

Every kernel works in exact integers, so no split of rows, features or threads changes a result.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic

from .entropy import reciprocal

LANES = 256  # candidates counted at once: four 64-bit words, one AVX2 register
WORDS = LANES // 64
ROWS = 16  # rows added by one adder tree; groups are padded with a row of zeros
MAX_SLICES = 6  # 64 levels; beyond, one increment a row is cheaper (see `histogram`)
STATE = 4 * WORDS + LANES // 8  # words: adder bits 1, 2, 4, 8 and a byte counter of sixteens a lane

_I8, _I32, _I64 = ir.IntType(8), ir.IntType(32), ir.IntType(64)
_VECTOR = ir.VectorType(_I64, WORDS)
_BYTES = ir.VectorType(_I8, 32)
_INTS = ir.VectorType(_I32, 32)


def _address(builder: Any, base: Any, offset: Any, pointee: Any) -> Any:
    return builder.inttoptr(builder.add(base, offset), pointee.as_pointer())


def _add_bits(builder: Any, a: Any, b: Any, c: Any) -> tuple[Any, Any]:
    """A full adder on 256 lanes: (sum, carry) of three bits."""
    half = builder.xor(a, b)
    carry = builder.or_(builder.and_(a, b), builder.and_(half, c))
    return builder.xor(half, c), carry


def _tree(builder: Any, load: Any, kept: list[Any], first: int, depth: int) -> Any:
    """Add 2**depth rows to the kept bits 1, 2, 4, …; returns the carry that leaves at the top."""
    if depth == 0:
        return load(first)
    low = _tree(builder, load, kept, first, depth - 1)
    high = _tree(builder, load, kept, first + 2 ** (depth - 1), depth - 1)
    kept[depth - 1], carry = _add_bits(builder, kept[depth - 1], low, high)
    return carry


def _spread(builder: Any, vector: Any, part: int) -> Any:
    """Bits 32·part … 32·part + 31 of a vector as 32 bytes of 0 or 1."""
    words = builder.bitcast(vector, ir.VectorType(_I32, 2 * WORDS))
    bits = builder.bitcast(builder.extract_element(words, ir.Constant(_I32, part)), ir.VectorType(ir.IntType(1), 32))
    return builder.zext(bits, _BYTES)


def _make_adder(n_bits: int) -> Any:
    """The adder for monomials of ``n_bits`` slices; one intrinsic each, so that the loads are straight code."""

    @intrinsic
    def add_rows(
        typing_context: Any, base: Any, rows: Any, n_blocks: Any, stride: Any, offsets: Any, state: Any
    ) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            base, rows, n_blocks, stride, offsets, state = args
            slices = [builder.load(_address(builder, offsets, ir.Constant(_I64, 8 * s), _I64)) for s in range(n_bits)]
            slots = [_address(builder, state, ir.Constant(_I64, 8 * WORDS * s), _VECTOR) for s in range(4)]
            counters = [
                _address(builder, state, ir.Constant(_I64, 8 * WORDS * 4 + 32 * q), _BYTES) for q in range(LANES // 32)
            ]
            before = [builder.load(slot, align=8) for slot in slots]
            entry = builder.block
            loop, after = builder.append_basic_block("rows"), builder.append_basic_block("done")
            builder.cbranch(builder.icmp_signed(">", n_blocks, ir.Constant(_I64, 0)), loop, after)

            builder.position_at_end(loop)
            block = builder.phi(_I64)
            block.add_incoming(ir.Constant(_I64, 0), entry)
            carried = [builder.phi(_VECTOR) for _ in slots]
            for phi, value in zip(carried, before, strict=True):
                phi.add_incoming(value, entry)
            first = builder.mul(block, ir.Constant(_I64, 4 * ROWS))

            def load(k: int) -> Any:
                where = builder.add(first, ir.Constant(_I64, 4 * k))
                row = builder.zext(builder.load(_address(builder, rows, where, _I32)), _I64)
                start = builder.add(base, builder.mul(row, stride))
                value = builder.load(_address(builder, start, slices[0], _VECTOR), align=8)
                for other in slices[1:]:
                    value = builder.and_(value, builder.load(_address(builder, start, other, _VECTOR), align=8))
                return value

            kept: list[Any] = list(carried)
            sixteens = _tree(builder, load, kept, 0, 4)
            for q, counter in enumerate(counters):
                count = builder.load(counter, align=8)
                builder.store(builder.add(count, _spread(builder, sixteens, q)), counter, align=8)
            following = builder.add(block, ir.Constant(_I64, 1))
            block.add_incoming(following, builder.block)
            for phi, value in zip(carried, kept, strict=True):
                phi.add_incoming(value, builder.block)
            end = builder.block
            builder.cbranch(builder.icmp_signed("<", following, n_blocks), loop, after)

            builder.position_at_end(after)
            results = [builder.phi(_VECTOR) for _ in slots]
            for phi, old, new in zip(results, before, kept, strict=True):
                phi.add_incoming(old, entry)
                phi.add_incoming(new, end)
            for slot, value in zip(slots, results, strict=True):
                builder.store(value, slot, align=8)
            return context.get_dummy_value()

        u64, i64 = types.uint64, types.int64
        return types.void(u64, u64, i64, i64, u64, u64), generate

    return add_rows


_add_1, _add_2, _add_3, _add_4, _add_5, _add_6 = (_make_adder(n) for n in range(1, MAX_SLICES + 1))


@intrinsic
def _drain(typing_context: Any, state: Any, counts: Any) -> Any:
    """Add what the adder state holds to 256 int32 counts, and clear it."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        state, counts = args
        slots = [_address(builder, state, ir.Constant(_I64, 8 * WORDS * s), _VECTOR) for s in range(4)]
        bits = [builder.load(slot, align=8) for slot in slots]
        for q in range(LANES // 32):
            below = _spread(builder, bits[0], q)
            for s in range(1, 4):
                weight = ir.Constant(_BYTES, [s] * 32)
                below = builder.or_(below, builder.shl(_spread(builder, bits[s], q), weight))
            counter = _address(builder, state, ir.Constant(_I64, 8 * WORDS * 4 + 32 * q), _BYTES)
            sixteens = builder.zext(builder.load(counter, align=8), _INTS)
            total = builder.add(builder.shl(sixteens, ir.Constant(_INTS, [4] * 32)), builder.zext(below, _INTS))
            out = _address(builder, counts, ir.Constant(_I64, 4 * 32 * q), _INTS)
            builder.store(builder.add(builder.load(out, align=4), total), out, align=4)
            builder.store(ir.Constant(_BYTES, [0] * 32), counter, align=8)
        for slot in slots:
            builder.store(ir.Constant(_VECTOR, [0] * WORDS), slot, align=8)
        return context.get_dummy_value()

    return types.void(types.uint64, types.uint64), generate


CHUNK_BYTES = 9 << 10  # of rows that stay in the first-level cache while all levels are counted


@intrinsic
def _word_at(typing_context: Any, address: Any) -> Any:
    """The 64-bit word at an address."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load(builder.inttoptr(args[0], _I64.as_pointer()), align=4)

    return types.uint64(types.uint64), generate


@njit(nogil=True, cache=True)
def _touch(block, first, last):
    """Read a word of every cache line of rows [first, last), in order, so that the hardware streams them in.

    Rejected: prefetch instructions, which occupy the few miss buffers that the counting itself needs.
    """
    start = np.uint64(block.ctypes.data) + np.uint64(first * block.strides[0])
    seen = np.uint64(0)
    for line in range(0, (last - first) * block.strides[0], 64):
        seen ^= _word_at(start + np.uint64(line))
    return seen


@njit(nogil=True, cache=True)
def _slice_offsets(levels, slice_bytes):
    """(levels, MAX_SLICES + 1) where the slices of each monomial start in a row; last, how many there are."""
    offsets = np.zeros((levels, MAX_SLICES + 1), np.int64)
    for c in range(levels):
        for s in range(MAX_SLICES):
            if (c >> s) & 1:
                offsets[c, offsets[c, MAX_SLICES]] = s * slice_bytes
                offsets[c, MAX_SLICES] += 1
    return offsets


@njit(nogil=True, cache=True)
def _drain_all(levels, state, counts):
    """Empty the adders of all monomials c ≥ 1 into ``counts[c, lane]``."""
    state_base, count_base = np.uint64(state.ctypes.data), np.uint64(counts.ctypes.data)
    for c in range(1, levels):
        _drain(state_base + np.uint64(8 * STATE * c), count_base + np.uint64(4 * LANES * c))


@njit(nogil=True, cache=True)
def _count_piece(block, lane_offset, rows, first, last, next_row, next_last, levels, offsets, state, counts, held):
    """Add, for every monomial c ≥ 1, the rows of rows[first:last] that have all bits of c set.

    The adders ``state`` (levels, STATE) hold ``held`` blocks already and go over into ``counts`` (levels, LANES) when
    they are full. Rows [next_row, next_last) of the block are brought near meanwhile. Returns what the adders now hold.
    """
    stride = block.strides[0]
    base = np.uint64(block.ctypes.data) + np.uint64(lane_offset)
    row_base = np.uint64(rows.ctypes.data)
    offset_base = np.uint64(offsets.ctypes.data)
    state_base = np.uint64(state.ctypes.data)
    done, n_blocks = first // ROWS, last // ROWS
    chunk = max(2, CHUNK_BYTES // (ROWS * stride))
    while done < n_blocks:
        if held + chunk > 255:  # a byte counts so many sixteens
            _drain_all(levels, state, counts)
            held = 0
        some = min(chunk, n_blocks - done)
        here = row_base + np.uint64(4 * ROWS * done)
        offsets[0, 0] ^= np.int64(_touch(block, next_row, min(next_row + some * ROWS, next_last)))
        next_row += some * ROWS
        for c in range(1, levels):
            own = state_base + np.uint64(8 * STATE * c)
            bits = offset_base + np.uint64(8 * offsets.shape[1] * c)
            n_bits = offsets[c, MAX_SLICES]
            if n_bits == 1:
                _add_1(base, here, some, stride, bits, own)
            elif n_bits == 2:
                _add_2(base, here, some, stride, bits, own)
            elif n_bits == 3:
                _add_3(base, here, some, stride, bits, own)
            elif n_bits == 4:
                _add_4(base, here, some, stride, bits, own)
            elif n_bits == 5:
                _add_5(base, here, some, stride, bits, own)
            else:
                _add_6(base, here, some, stride, bits, own)
        done += some
        held += some
    return held


@njit(nogil=True, cache=True)
def _monomials_to_levels(counts, levels, size):
    """Inclusion–exclusion, bit by bit: from rows with all bits of c to rows with code c."""
    counts[0] = size
    bit = 1
    while bit < levels:
        for c in range(levels):
            if not c & bit and c | bit < levels:
                low, high = counts[c], counts[c | bit]
                for lane in range(LANES):
                    low[lane] -= high[lane]
        bit <<= 1


@njit(nogil=True, cache=True)
def _look_up(counts, phi, sums):
    """sums[lane] += phi[counts[lane]]; the unsigned index spares the test for a negative one."""
    for lane in range(LANES):
        sums[lane] += phi[np.uint32(counts[lane])]


@njit(nogil=True, cache=True)
def _occupied(counts, cells):
    for lane in range(LANES):
        cells[lane] += np.int32(counts[lane] > 0)


@njit(nogil=True, cache=True)
def _g_test(both, levels, size, classes, inverse, freedom, expected):
    """Degrees of freedom and expectation of G in one stratum of ``size`` rows, for every lane.

    E[G] = (r − 1)(s − 1) + w with w = (N Σ 1/row − 1)(N Σ 1/column − 1) / 6N to second order (Williams 1976). The
    upper tail at a few rows a cell is longer: w · (1 + min(1, 3/e)), e = N / rs rows a cell, meets it in simulation.
    """
    seen = np.zeros(LANES, np.int32)
    total = np.zeros(LANES, np.int64)
    for b in range(levels):
        counts = both[b]
        for lane in range(LANES):
            some = counts[lane] > 0
            seen[lane] += np.int32(some)
            total[lane] += reciprocal(counts[lane], 1.0) if some else 0
    for lane in range(LANES):
        free = (seen[lane] - 1) * (classes - 1)
        if free > 0:
            freedom[lane] += free
            extra = (size * math.ldexp(total[lane], -40) - 1.0) * (size * inverse - 1.0) / (6.0 * size)
            expected[lane] += free + extra * (1.0 + min(1.0, 3.0 * seen[lane] * classes / size))


@njit(nogil=True, cache=True)
def pair_terms(
    block, lane_offset, levels, rows, piece_start, piece_level, class_piece, sizes, tile, phi, by_class, detail,
    joint, joint_class, cells, cells_class, freedom, expected,
):  # fmt: skip
    """Add the terms of some levels of the new feature against 256 candidates.

    ``block`` is (rows, slices, words); the 256 candidates start ``lane_offset`` bytes into a slice. Pieces are those
    of `groups.tile_rows`, ``sizes`` (n_levels, n_classes) the rows of each level and class, ``tile`` the rows of a
    tile. Terms, one a lane:

    joint                 Σ phi[count] over the cells (new, candidate)
    joint_class           Σ phi[count] over the cells (new, candidate, class), with ``by_class``
    and, with ``detail``,
    cells, cells_class    how many of those cells are not empty
    freedom, expected     of the G statistic of candidate and class given the new feature
    """
    n_levels, n_classes = sizes.shape
    state = np.zeros((n_levels, levels, STATE), np.uint64)
    held = np.zeros(n_levels, np.int64)
    offsets = _slice_offsets(levels, block.strides[1])
    counts = np.zeros((n_levels, levels, LANES), np.int32)
    both = np.zeros((n_levels, levels, LANES), np.int32)
    for c in range(n_classes):
        for p in range(class_piece[c], class_piece[c + 1]):
            level = piece_level[p]
            start, stop = piece_start[p], piece_start[p + 1]
            # rows are kept by class and walked tile by tile, so where a piece starts is about where its tile is
            ahead = min(start + tile, block.shape[0])
            last = min(ahead + stop - start, block.shape[0])
            held[level] = _count_piece(
                block, lane_offset, rows, start, stop, ahead, last, levels, offsets, state[level], counts[level],
                held[level],
            )  # fmt: skip
        for level in range(n_levels):
            if sizes[level, c] == 0:
                continue
            own = counts[level]
            _drain_all(levels, state[level], own)
            held[level] = 0
            _monomials_to_levels(own, levels, sizes[level, c])
            for b in range(levels):
                one, sums = own[b], both[level, b]
                if by_class:
                    _look_up(one, phi, joint_class)
                    if detail:
                        _occupied(one, cells_class)
                for lane in range(LANES):
                    sums[lane] += one[lane]
                    one[lane] = 0
    for level in range(n_levels):
        size = 0
        classes = 0
        inverse = 0.0
        for c in range(n_classes):
            if sizes[level, c]:
                size += sizes[level, c]
                classes += 1
                inverse += 1.0 / sizes[level, c]
        if size == 0:
            continue
        for b in range(levels):
            _look_up(both[level, b], phi, joint)
            if detail:
                _occupied(both[level, b], cells)
        if detail and by_class:
            _g_test(both[level], levels, size, classes, inverse, freedom, expected)


@intrinsic
def _bits_of_32(typing_context: Any, codes: Any, mask: Any) -> Any:
    """Of 32 bytes at an address, which have a bit of ``mask`` set: one bit a byte."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        address, mask = args
        values = builder.load(builder.inttoptr(address, _BYTES.as_pointer()), align=1)
        lane = builder.insert_element(ir.Constant(_BYTES, ir.Undefined), mask, ir.Constant(_I32, 0))
        masks = builder.shuffle_vector(
            lane, ir.Constant(_BYTES, ir.Undefined), ir.Constant(ir.VectorType(_I32, 32), [0] * 32)
        )
        bits = builder.icmp_unsigned("!=", builder.and_(values, masks), ir.Constant(_BYTES, [0] * 32))
        return builder.bitcast(bits, _I32)

    return types.uint32(types.uint64, types.uint8), generate


@njit(nogil=True, cache=True)
def pack(codes, rows, block, first_row, first_lane, n_slices):
    """Write codes (n, lanes) as bit slices into rows [first_row, …) of ``block``, from lane ``first_lane`` on.

    ``rows`` says which row of ``codes`` goes where; ``first_lane`` is a multiple of 32. ``block`` is
    (rows, n_slices, width) 32-bit words and must be zero there.
    """
    lanes = codes.shape[1]
    whole = lanes // 32
    word = first_lane // 32
    for t in range(rows.size):
        row = codes[rows[t]]
        base = np.uint64(row.ctypes.data)
        for s in range(n_slices):
            out = block[first_row + t, s]
            for q in range(whole):
                out[word + q] = _bits_of_32(base + np.uint64(32 * q), np.uint8(1 << s))
            if whole * 32 < lanes:
                rest = np.uint32(0)
                for k in range(whole * 32, lanes):
                    rest |= np.uint32((row[k] >> s) & 1) << np.uint32(k - whole * 32)
                out[word + whole] = rest


@njit(nogil=True, cache=True)
def unpack(block, lane, out):
    """The codes of one lane, from its slices; ``block`` as in `pack`."""
    word, bit = lane >> 5, np.uint32(lane & 31)
    for t in range(out.size):
        code = np.uint32(0)
        for s in range(block.shape[1]):
            code |= ((block[t, s, word] >> bit) & np.uint32(1)) << np.uint32(s)
        out[t] = code
