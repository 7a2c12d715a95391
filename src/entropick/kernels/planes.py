"""Joint tables of two-level features by bit planes: popcount(plane & plane), 64 rows at a time.

For a new variable of few levels and candidates of two, this beats `slices`: nothing depends on the order of rows, so
a step does no work that grows with the rows but the counting itself. A plane has a bit for every row at level 1;
rows are sorted by class and each class is padded to whole words, so a class is a range of words. The counts of level
0 follow from the margins.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from .entropy import reciprocal
from .kernel import kernel


@intrinsic
def _popcount(typing_context: Any, word: Any) -> Any:
    """Number of set bits of a 64-bit word, as one LLVM instruction so that loops over it vectorise."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        function = builder.module.declare_intrinsic("llvm.ctpop", [ir.IntType(64)])
        return builder.call(function, [args[0]])

    return types.uint64(types.uint64), generate


@kernel
def _transpose_64(m):
    """A square of 64 × 64 bits, turned in place: ever smaller squares change places."""
    width, mask = 32, np.uint64(0x00000000FFFFFFFF)
    while width:
        shift = np.uint64(width)
        k = 0
        while k < 64:
            swap = ((m[k] >> shift) ^ m[k + width]) & mask
            m[k] ^= swap << shift
            m[k + width] ^= swap
            k = (k + width + 1) & ~width
        width >>= 1
        mask ^= mask << np.uint64(width)


@kernel
def planes_of_block(block, n_features, class_start, word_start, planes):
    """Planes (n_features, n_words) of a block of one slice, (rows, 1, 32-bit words), rows sorted by class."""
    square = np.empty(64, np.uint64)
    for c in range(class_start.size - 1):
        for word in range(word_start[c], word_start[c + 1]):
            first = class_start[c] + 64 * (word - word_start[c])
            size = min(64, class_start[c + 1] - first)
            for lane in range(0, n_features, 64):
                square[:] = 0
                for t in range(size):
                    low, high = block[first + t, 0, lane // 32], block[first + t, 0, lane // 32 + 1]
                    square[t] = np.uint64(low) | (np.uint64(high) << np.uint64(32))
                _transpose_64(square)
                for k in range(min(64, n_features - lane)):
                    planes[lane + k, word] = square[k]


@kernel
def planes_of_codes(codes, levels, class_start, word_start):
    """(levels − 1, n_words) planes of levels 1, 2, … of one variable; rows sorted by class."""
    planes = np.zeros((levels - 1, word_start[-1]), np.uint64)
    for c in range(class_start.size - 1):
        for t in range(class_start[c], class_start[c + 1]):
            if codes[t]:
                bit = t - class_start[c]
                planes[codes[t] - 1, word_start[c] + bit // 64] |= np.uint64(1) << np.uint64(bit % 64)
    return planes


@kernel
def _common(x, y):
    count = np.uint64(0)
    for w in range(x.size):
        count += _popcount(x[w] & y[w])
    return np.int64(count)


@kernel
def plane_terms(
    planes, ones, new, sizes, word_start, phi, by_class, detail,
    joint, joint_class, cells, cells_class, freedom, expected,
):  # fmt: skip
    """Add the terms of `slices.pair_terms` for candidates of two levels.

    ``planes`` (n_features, n_words) and ``ones`` (n_features, n_classes), their rows at level 1; ``new``
    (n_levels − 1, n_words) planes of the new variable, ``sizes`` (n_levels, n_classes) its rows.
    """
    n_levels, n_classes = sizes.shape
    both = np.empty(n_levels, np.int64)
    level_size = sizes.sum(axis=1)
    for f in range(planes.shape[0]):
        both[:] = 0
        for c in range(n_classes):
            first, last = word_start[c], word_start[c + 1]
            rest = ones[f, c]
            for a in range(n_levels - 1, -1, -1):
                count = _common(new[a - 1, first:last], planes[f, first:last]) if a else rest
                rest -= count
                both[a] += count
                if by_class:
                    other = sizes[a, c] - count
                    joint_class[f] += phi[count] + phi[other]
                    if detail:
                        cells_class[f] += np.int64(count > 0) + np.int64(other > 0)
        for a in range(n_levels):
            count, other = both[a], level_size[a] - both[a]
            joint[f] += phi[count] + phi[other]
            if detail:
                cells[f] += np.int64(count > 0) + np.int64(other > 0)
                if by_class and count > 0 and other > 0:
                    size = level_size[a]
                    classes = 0
                    inverse = 0.0
                    for c in range(n_classes):
                        if sizes[a, c]:
                            classes += 1
                            inverse += 1.0 / sizes[a, c]
                    free = classes - 1
                    if free > 0:
                        total = math.ldexp(reciprocal(count, 1.0) + reciprocal(other, 1.0), -40)
                        extra = (size * total - 1.0) * (size * inverse - 1.0) / (6.0 * size)
                        freedom[f] += free
                        expected[f] += free + extra * (1.0 + min(1.0, 3.0 * 2 * classes / size))
