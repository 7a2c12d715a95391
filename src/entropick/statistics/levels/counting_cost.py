"""What it costs to count one variable with 256 features, in nanoseconds: which kernel is asked depends on it.

Measured on one core of an AMD EPYC of the third generation (AVX2), and of the fourth for what AVX-512 gains. They need
not be right on another machine: every kernel gives the same integers, and a wrong guess costs time only.
"""

from __future__ import annotations

from functools import cache

CALL = 20e3  # a piece of slices: one call, its room to work in, its terms added up
ROW = 3.0  # a row and a level of the candidates, by slices
GROUP = 250.0  # a level of the candidates in a group of rows, by slices: padded, drained, turned into levels
TURN = 20.0  # a row and a slice, turned into planes


@cache
def _word() -> float:
    """64 rows of a pair of planes: AVX-512 counts the bits of eight words at once, AVX2 those of four in ten steps."""
    from llvmlite.binding import get_host_cpu_features

    return 0.05 if get_host_cpu_features().get("avx512vpopcntdq", False) else 0.25


def slice_cost(n_rows: int, n_classes: int, n_levels: int, levels: int) -> float:
    """By `kernels.slices`: rows are grouped by class and level of the variable, each group counted on its own."""
    groups = n_classes * n_levels
    return CALL + (n_rows + 8.0 * groups) * (levels - 1) * ROW + groups * levels * GROUP


def side_cost(n_rows: int, n_classes: int, n_levels: int, levels: int) -> float:
    """By `kernels.side_by_side`: a pass over the words for every pair of levels."""
    words = n_rows / 64 + 0.5 * n_classes
    return 256 * (n_levels - 1) * (levels - 1) * (words * _word() + 0.5 * n_classes)


def making_cost(n_rows: int, n_slices: int) -> float:
    """Planes of the slices."""
    return n_rows * n_slices * TURN


# A feature with entries in a share s of its rows costs, with others alike, s² postings a row of 1.5 ns; packed rows
# cost 0.04 ns and as much again for the packing. So columns of more than a fifth of entries are packed, no others.
POSTINGS = 0.2
