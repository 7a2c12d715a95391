"""Rows of numbers -> codes by feature: out[j, i] = level of X[rows[i], j].

The matrix is given as a flat view with element strides, so that any slice of any array goes through the same
compiled code. Levels are made row by row where they lie, columns side by side, and turned 16 × 16 bytes at a
time in vector registers; `remap` looks values up one by one.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic

SIDE = 16  # of the square of bytes turned in registers
PANEL = 512  # columns taken together: long runs of each row are read, and the lines written stay in cache
BLOCK = 64  # rows made into levels before they are turned: the buffer stays in cache
NARROW = 64  # columns walked one by one over a block of rows
UNSEEN = 0xFFFF  # table entry of a value that the column does not know


def _turn_square(typingctx, source, at, target, to, step):
    """target[to + step·j + i] = source[at[i] + j] for i, j < 16: four rounds of interleaving."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        vector, i64 = ir.VectorType(ir.IntType(8), SIDE), ir.IntType(64)
        source_, at_, target_ = (
            context.make_array(signature.args[k])(context, builder, args[k]).data for k in (0, 1, 2)
        )

        def place(pointer: Any, offset: Any) -> Any:
            return builder.bitcast(builder.gep(pointer, [offset]), vector.as_pointer())

        def constant(value: int) -> Any:
            return ir.Constant(i64, value)

        rows = [
            builder.load(place(source_, builder.load(builder.gep(at_, [constant(i)]))), align=1) for i in range(SIDE)
        ]
        half = SIDE // 2
        low = [k // 2 + SIDE * (k % 2) for k in range(SIDE)]
        masks = [ir.Constant(ir.VectorType(ir.IntType(32), SIDE), [m + shift for m in low]) for shift in (0, half)]
        for _ in range(4):  # interleaving i with i + 8, four times, is a transposition
            rows = [builder.shuffle_vector(rows[i], rows[i + half], m) for i in range(half) for m in masks]
        for j in range(SIDE):
            offset = builder.add(args[3], builder.mul(args[4], constant(j)))
            builder.store(rows[j], place(target_, offset), align=1)
        return context.get_dummy_value()

    signature = types.void(source, at, target, types.int64, types.int64)
    return signature, codegen


_turn: Any = intrinsic(_turn_square)


@njit(nogil=True, cache=True)
def _turn_rows(source, row_step, offset, rows, first, last, width, target, to, step):
    """target[to + step·c + i − first] = source[rows[i]·row_step + offset + c], first ≤ i < last, all c."""
    at = np.empty(SIDE, dtype=np.int64)
    whole = first + (last - first) // SIDE * SIDE
    squares = width // SIDE * SIDE
    for i in range(first, whole, SIDE):
        for c in range(0, squares, SIDE):
            for k in range(SIDE):
                at[k] = rows[i + k] * row_step + offset + c
            _turn(source, at, target, to + c * step + i - first, step)
        for c in range(squares, width):
            for k in range(i, i + SIDE):
                target[to + c * step + k - first] = source[rows[k] * row_step + offset + c]
    for c in range(width):
        for k in range(whole, last):
            target[to + c * step + k - first] = source[rows[k] * row_step + offset + c]


@njit(nogil=True, cache=True)
def gather_transpose(source, row_step, rows, first, last, out):
    """out[j, i] = source[rows[i]·row_step + j] for first ≤ i < last and all j.

    ``source`` (m,) and ``out`` (columns, n) uint8, ``rows`` (n,) int64.
    """
    target, n = out.reshape(-1), out.shape[1]
    for panel in range(0, out.shape[0], PANEL):
        width = min(PANEL, out.shape[0] - panel)
        _turn_rows(source, row_step, panel, rows, first, last, width, target, panel * n + first, n)


@njit(nogil=True, cache=True)
def shift_rows(source, row_step, offset, rows, first, last, width, low, target, to, step):
    """target[to + step·(i − first) + j − offset] = source[rows[i]·row_step + j] − low[j].

    For first ≤ i < last, offset ≤ j < offset + width; 255 stands for what is not in 0 … 254. ``source`` (m,) of
    any integers, ``low`` (columns,) int64, ``target`` uint8.
    """
    limit, origin = np.uint64(255), low[offset : offset + width]
    for i in range(first, last):
        at, into = rows[i] * row_step + offset, to + step * (i - first)
        line, levels = source[at : at + width], target[into : into + width]
        for c in range(width):
            levels[c] = min(np.uint64(np.int64(line[c]) - origin[c]), limit)


@njit(nogil=True, cache=True)
def bin_rows(source, row_step, offset, rows, first, last, width, edges, cuts, missing, target, to, step):
    """target[to + step·(i − first) + j − offset] = number of edges[:, j] below x, or missing[j] for NaN.

    x = source[rows[i]·row_step + j], first ≤ i < last, offset ≤ j < offset + width; ``source`` (m,) of any
    numbers. ``edges`` (k, columns) float64, of which column j has cuts[j] and the rest is infinite; ``missing``
    (columns,) and ``target`` uint8. Columns are compared side by side.
    """
    most = 0
    for c in range(offset, offset + width):
        most = max(most, cuts[c])
    values, counts = np.empty(width, dtype=np.float64), np.empty(width, dtype=np.int64)
    gone = missing[offset : offset + width]
    for i in range(first, last):
        at, into = rows[i] * row_step + offset, to + step * (i - first)
        line, levels = source[at : at + width], target[into : into + width]
        for c in range(width):
            values[c] = line[c]
            counts[c] = 0
        for k in range(most):
            edge = edges[k, offset : offset + width]
            for c in range(width):
                counts[c] += edge[c] < values[c]
        for c in range(width):
            levels[c] = gone[c] if values[c] != values[c] else counts[c]


@njit(nogil=True, cache=True)
def shift_transpose(source, row_step, rows, first, last, low, out):
    """`shift_rows` of all columns, turned: out[j, i], (columns, n) uint8, for first ≤ i < last."""
    target, n = out.reshape(-1), out.shape[1]
    buffer, order = np.empty(BLOCK * PANEL, dtype=np.uint8), np.arange(BLOCK)
    for panel in range(0, out.shape[0], PANEL):
        width = min(PANEL, out.shape[0] - panel)
        for begin in range(first, last, BLOCK):
            end = min(begin + BLOCK, last)
            shift_rows(source, row_step, panel, rows, begin, end, width, low, buffer, 0, width)
            _turn_rows(buffer, width, 0, order, 0, end - begin, width, target, panel * n + begin, n)


@njit(nogil=True, cache=True)
def bin_transpose(source, row_step, rows, first, last, edges, cuts, missing, out):
    """`bin_rows` of all columns, turned: out[j, i], (columns, n) uint8, for first ≤ i < last."""
    target, n = out.reshape(-1), out.shape[1]
    buffer, order = np.empty(BLOCK * PANEL, dtype=np.uint8), np.arange(BLOCK)
    for panel in range(0, out.shape[0], PANEL):
        width = min(PANEL, out.shape[0] - panel)
        for begin in range(first, last, BLOCK):
            end = min(begin + BLOCK, last)
            bin_rows(source, row_step, panel, rows, begin, end, width, edges, cuts, missing, buffer, 0, width)
            _turn_rows(buffer, width, 0, order, 0, end - begin, width, target, panel * n + begin, n)


@njit(nogil=True, cache=True)
def remap(source, row_step, column_step, rows, first, last, low, table_at, table, out):
    """out[j, i] = table_j[x − low[j]], x = source[rows[i]·row_step + j·column_step], first ≤ i < last, all j.

    ``low`` (columns,) and ``table_at`` (columns + 1,) int64; table_j is
    ``table[table_at[j] : table_at[j + 1]]``, uint16, `UNSEEN` where the column does not know the value.
    Returns the first column with a value that it does not know, or −1.
    """
    columns = out.shape[0]
    unknown = columns
    for panel in range(0, columns, NARROW):
        for begin in range(first, last, BLOCK):
            end = min(begin + BLOCK, last)
            for c in range(panel, min(panel + NARROW, columns)):
                origin, base, span = low[c], table_at[c], table_at[c + 1] - table_at[c]
                offset = c * column_step
                for i in range(begin, end):
                    x = np.int64(source[rows[i] * row_step + offset]) - origin
                    level = table[base + x] if 0 <= x < span else UNSEEN
                    if level == UNSEEN:
                        unknown = min(unknown, c)
                    out[c, i] = level
    return unknown if unknown < columns else -1
