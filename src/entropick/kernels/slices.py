"""Joint tables by bit slices: count 256 features at once, whatever the number of levels of the new one.

A forward step needs the table of the new feature with every candidate. Rows are grouped by (level of the
new feature, class); what is left is to count, within each group of rows, how often every candidate takes each
of its levels. Candidates are stored row by row as bit slices: slice s of a row has bit s of the codes of 256
candidates, side by side. Counting a column of bits over rows is a positional population count, done with
carry-save adders: 16 rows are added with about five bitwise operations a row, for 256 candidates at once.

Counted are not levels but monomials: for code c the number of rows with *all bits of c* set (their AND, at
most popcount(c) − 1 operations). The codes below b are closed under taking bits away, so the counts of levels
follow by inclusion–exclusion (`_to_levels`).

Rejected: bit planes, one a level, and popcount(plane & plane) for a pair of features. It needs (p − 1)(q − 1)
passes for p and q levels where this needs q − 1, and (q − 1)/8 bytes an entry where this needs log2(q)/8.

Every kernel works in exact integers, so no split of rows, features or threads changes a result.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from .entropy import reciprocal, square_law
from .kernel import kernel

LANES = 256  # candidates counted at once: four 64-bit words, one AVX2 register
WORDS = LANES // 64
ROWS = 16  # rows added by one adder tree; groups are padded with a row of zeros
SMALL = 2.0**-40  # the unit of `entropy.reciprocal`
MAX_SLICES = 5  # 32 levels; beyond, one increment a row is cheaper (see `histogram`)
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


# of four bits there are few monomials: they are taken for five, one of them twice
_add_1, _add_2, _add_3, _add_5 = (_make_adder(n) for n in (1, 2, 3, 5))


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
def _keep_word(typing_context: Any, address: Any, word: Any) -> Any:
    """Write a 64-bit word to an address."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.store(args[1], builder.inttoptr(args[0], _I64.as_pointer()), align=8)
        return context.get_dummy_value()

    return types.void(types.uint64, types.uint64), generate


@intrinsic
def _word_at(typing_context: Any, address: Any) -> Any:
    """The 64-bit word at an address."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load(builder.inttoptr(args[0], _I64.as_pointer()), align=4)

    return types.uint64(types.uint64), generate


def slice_offsets(levels: int, slice_bytes: int) -> NDArray[np.int64]:
    """(levels, MAX_SLICES + 1) where the slices of each monomial start in a row; last, how many there are."""
    offsets = np.zeros((levels, MAX_SLICES + 1), np.int64)
    for c in range(levels):
        bits = [s * slice_bytes for s in range(MAX_SLICES) if c >> s & 1]
        offsets[c, :MAX_SLICES] = bits + bits[-1:] * (MAX_SLICES - len(bits)) if bits else 0
        offsets[c, MAX_SLICES] = len(bits)
    return offsets


@kernel
def _drain_all(levels, state, counts):
    """Empty the adders of all monomials c ≥ 1, from an address on, into the counts (levels, LANES) from another."""
    for c in range(1, levels):
        _drain(state + np.uint64(8 * STATE * c), counts + np.uint64(4 * LANES * c))


@kernel
def _count_piece(base, stride, rows, n_blocks, near, n_near, levels, offsets, state, counts, held, chunk):
    """Add, for every monomial c ≥ 1, the rows that have all bits of c set; everything but numbers is an address.

    ``rows`` are the numbers of ROWS · n_blocks rows. The adders ``state`` hold ``held`` blocks already and go over into
    ``counts`` when they are full. Meanwhile ``n_near`` cache lines from ``near`` on are read, one after the other, so
    that the hardware streams in what comes next. (Rejected: prefetch instructions, which occupy the few miss buffers
    that the counting needs.) Returns what the adders now hold.
    """
    seen = np.uint64(0)
    done = 0
    lines = (n_near * chunk + n_blocks - 1) // n_blocks
    line = 0
    while done < n_blocks:
        if held + chunk > 255:  # a byte counts so many sixteens
            _drain_all(levels, state, counts)
            held = 0
        some = min(chunk, n_blocks - done)
        here = rows + np.uint64(4 * ROWS * done)
        last = min(line + lines, n_near)
        while line < last:
            seen ^= _word_at(near + np.uint64(64 * line))
            line += 1
        for c in range(1, levels):
            own = state + np.uint64(8 * STATE * c)
            bits = offsets + np.uint64(8 * (MAX_SLICES + 1) * c)
            n_bits = _word_at(bits + np.uint64(8 * MAX_SLICES))
            if n_bits == 1:
                _add_1(base, here, some, stride, bits, own)
            elif n_bits == 2:
                _add_2(base, here, some, stride, bits, own)
            elif n_bits == 3:
                _add_3(base, here, some, stride, bits, own)
            else:
                _add_5(base, here, some, stride, bits, own)
        done += some
        held += some
    _keep_word(state, seen)  # slot 0 belongs to no monomial; without a use the reads would be left out
    return held


@kernel
def _to_levels(own, levels, size):
    """From counts of monomials to counts of levels, in place, by inclusion–exclusion; ``size`` rows in all."""
    for lane in range(LANES):
        own[0, lane] = size
    bit = 1
    while bit < levels:
        for c in range(levels):
            if not c & bit and c | bit < levels:
                for lane in range(LANES):
                    own[c, lane] -= own[c | bit, lane]
        bit <<= 1


@kernel
def _take_terms(own, both, levels, phi, by_class, detail, joint_class, cells_class):
    """The terms of the counts of one class; then into the sums over classes, and clear."""
    for b in range(levels):
        if by_class:
            for lane in range(LANES):  # an unsigned index spares the test for a negative one
                joint_class[lane] += phi[np.uint32(own[b, lane])]
        if by_class and detail:
            for lane in range(LANES):
                cells_class[lane] += np.int64(own[b, lane] > 0)
        for lane in range(LANES):
            both[b, lane] += own[b, lane]
            own[b, lane] = 0


@kernel
def _add_squares(own, levels, share, squares):
    """count² times ``share``, of the counts of one class."""
    for b in range(levels):
        for lane in range(LANES):
            squares[b, lane] += share * own[b, lane] * own[b, lane]


@kernel
def _square_test(both, squares, levels, size, classes, inverse, square, mean, variance):
    """X² of one stratum of ``size`` rows and its law, for every lane; ``squares`` are Σ count² / class."""
    for lane in range(LANES):
        seen, total, shares = 0, 0, 0.0
        for b in range(levels):
            if both[b, lane] > 0:
                seen += 1
                total += reciprocal(both[b, lane], 1.0)
                shares += squares[b, lane] / both[b, lane]
        if seen > 1 and classes > 1:
            one, other = square_law(size, seen, classes, total * SMALL, inverse)
            square[lane] += size * (shares - 1.0)
            mean[lane] += one
            variance[lane] += other


@kernel
def _count_class(
    c, block, lane_offset, levels, rows, piece_start, piece_level, class_piece, sizes, tile, offsets, state, held,
    counts,
):  # fmt: skip
    """Count 256 candidates in the rows of class c: counts[a, b, lane] of every level a that has rows there."""
    stride = block.strides[0]
    chunk = max(2, CHUNK_BYTES // (ROWS * stride))
    start_of_rows = np.uint64(block.ctypes.data)
    for p in range(class_piece[c], class_piece[c + 1]):
        level = piece_level[p]
        start, stop = piece_start[p], piece_start[p + 1]
        # rows are kept by class and walked tile by tile, so where a piece starts is about where its tile is
        ahead = min(start + tile, block.shape[0])
        last = min(ahead + stop - start, block.shape[0])
        held[level] = _count_piece(
            start_of_rows + np.uint64(lane_offset),
            stride,
            np.uint64(rows.ctypes.data) + np.uint64(4 * start),
            (stop - start) // ROWS,
            start_of_rows + np.uint64(ahead * stride),
            (last - ahead) * stride // 64,
            levels,
            np.uint64(offsets.ctypes.data),
            np.uint64(state.ctypes.data) + np.uint64(8 * STATE * levels * level),
            np.uint64(counts.ctypes.data) + np.uint64(4 * LANES * levels * level),
            held[level],
            chunk,
        )
    for level in range(sizes.shape[0]):
        if sizes[level, c]:
            _drain_all(
                levels,
                np.uint64(state.ctypes.data) + np.uint64(8 * STATE * levels * level),
                np.uint64(counts.ctypes.data) + np.uint64(4 * LANES * levels * level),
            )
            held[level] = 0
            _to_levels(counts[level], levels, sizes[level, c])


@kernel
def pair_counts(
    block, lane_offset, levels, rows, piece_start, piece_level, class_piece, sizes, tile, offsets, state, held, counts,
    out,
):  # fmt: skip
    """Add the counts themselves to ``out`` (n_classes, n_levels, levels, LANES) int64; the rest as in `pair_terms`."""
    for c in range(sizes.shape[1]):
        _count_class(
            c, block, lane_offset, levels, rows, piece_start, piece_level, class_piece, sizes, tile, offsets, state,
            held, counts,
        )  # fmt: skip
        for level in range(sizes.shape[0]):
            if sizes[level, c]:
                for b in range(levels):
                    for lane in range(LANES):
                        out[c, level, b, lane] += counts[level, b, lane]
                        counts[level, b, lane] = 0


@kernel
def pair_terms(
    block, lane_offset, levels, rows, piece_start, piece_level, class_piece, sizes, tile, offsets, state, held, counts,
    both, phi, by_class, detail, joint, joint_class, cells, cells_class, square, mean, variance,
):  # fmt: skip
    """Add the terms of some levels of the new feature against 256 candidates.

    ``block`` is (rows, slices, words); the 256 candidates start ``lane_offset`` bytes into a slice. Pieces are those
    of `groups.tile_rows`, ``sizes`` (n_levels, n_classes) the rows of each level and class, ``tile`` the rows of a
    tile, ``offsets`` those of `slice_offsets`. Room to work in, all zeros: ``state`` (n_levels, levels, STATE) uint64,
    ``held`` (n_levels,) int64, ``counts`` and ``both`` (n_levels, levels, LANES) int32. Terms, one a lane:

    joint                 Σ phi[count] over the cells (new, candidate)
    joint_class           Σ phi[count] over the cells (new, candidate, class), with ``by_class``
    and, with ``detail``,
    cells, cells_class    how many of those cells are not empty
    square                Pearson's X² of candidate and class given the new feature, the sum over its levels
    mean, variance        of it, where candidate and class have nothing to do with each other
    """
    n_levels, n_classes = sizes.shape
    squares = np.zeros((n_levels if detail and by_class else 0, levels, LANES))
    for c in range(n_classes):
        _count_class(
            c, block, lane_offset, levels, rows, piece_start, piece_level, class_piece, sizes, tile, offsets, state,
            held, counts,
        )  # fmt: skip
        for level in range(n_levels):
            if sizes[level, c]:
                if detail and by_class:
                    _add_squares(counts[level], levels, 1.0 / sizes[level, c], squares[level])
                _take_terms(counts[level], both[level], levels, phi, by_class, detail, joint_class, cells_class)
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
            for lane in range(LANES):
                joint[lane] += phi[np.uint32(both[level, b, lane])]
                cells[lane] += np.int64(both[level, b, lane] > 0)
        if detail and by_class:
            _square_test(both[level], squares[level], levels, size, classes, inverse, square, mean, variance)


@intrinsic
def _bits_of_64(typing_context: Any, codes: Any, shift: Any) -> Any:
    """Of 64 bytes at an address, the bit that ``shift`` moves to the top of each: one bit a byte.

    Asking for signs is one instruction with AVX2 as with AVX-512; asking which bytes are not zero is many with AVX2.
    """

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        address, shift = args
        pairs, octets = ir.VectorType(ir.IntType(16), 32), ir.VectorType(_I8, 64)
        values = builder.load(builder.inttoptr(address, pairs.as_pointer()), align=1)
        lane = builder.insert_element(ir.Constant(pairs, ir.Undefined), shift, ir.Constant(_I32, 0))
        shifts = builder.shuffle_vector(
            lane, ir.Constant(pairs, ir.Undefined), ir.Constant(ir.VectorType(_I32, 32), [0] * 32)
        )
        moved = builder.bitcast(builder.shl(values, shifts), octets)  # what crosses a byte lands below its top bit
        return builder.bitcast(builder.icmp_signed("<", moved, ir.Constant(octets, [0] * 64)), _I64)

    return types.uint64(types.uint64, types.uint16), generate


@kernel
def pack(codes, rows, to, block, first_lane, n_slices):
    """Write codes (n, lanes) as bit slices into ``block``, from lane ``first_lane`` on: row rows[t] to row to[t].

    Fastest where ``rows`` ascend, so that memory is read as it lies. ``first_lane`` is a multiple of 32. ``block`` is
    (rows, n_slices, width) 32-bit words and must be zero there.
    """
    lanes = codes.shape[1]
    whole, rest = lanes // 64, lanes % 64
    word = first_lane // 32
    for t in range(rows.size):
        row = codes[rows[t]]
        base = np.uint64(row.ctypes.data)
        for s in range(n_slices):
            out = block[to[t], s]
            for q in range(whole):
                bits = _bits_of_64(base + np.uint64(64 * q), np.uint16(7 - s))
                out[word + 2 * q], out[word + 2 * q + 1] = np.uint32(bits), np.uint32(bits >> np.uint64(32))
            if rest:
                bits = np.uint64(0)
                if whole:  # the last 64, of which some are there already
                    bits = _bits_of_64(base + np.uint64(lanes - 64), np.uint16(7 - s)) >> np.uint64(64 - rest)
                else:
                    for k in range(rest):
                        bits |= np.uint64((row[k] >> s) & 1) << np.uint64(k)
                out[word + 2 * whole] = np.uint32(bits)
                if rest > 32:
                    out[word + 2 * whole + 1] = np.uint32(bits >> np.uint64(32))


@kernel
def unpack(block, lane, out):
    """The codes of one lane, from its slices; ``block`` as in `pack`."""
    word, bit = lane >> 5, np.uint32(lane & 31)
    for t in range(out.size):
        code = np.uint32(0)
        for s in range(block.shape[1]):
            code |= ((block[t, s, word] >> bit) & np.uint32(1)) << np.uint32(s)
        out[t] = code
