"""Eight 64-bit numbers at a time: the few operations on memory that `side_by_side` is made of, as LLVM vectors.

Written out, because loops over eight numbers are not vectorised where two arrays might overlap. What a processor has no
wide registers for LLVM splits. Addresses are those of uint64 arrays; nothing needs to be aligned.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

WIDTH = 8
BYTES = 8 * WIDTH
SMALL = 128  # counts below it are looked up by bytes
_I64 = ir.IntType(64)
_LINE = ir.VectorType(_I64, WIDTH)
_OCTETS = ir.VectorType(ir.IntType(8), BYTES)


def _place(builder: Any, address: Any, offset: Any = 0) -> Any:
    if not (isinstance(offset, int) and offset == 0):
        address = builder.add(address, _I64(offset) if isinstance(offset, int) else offset)
    return builder.inttoptr(address, _LINE.as_pointer())


def _load(builder: Any, address: Any, offset: Any = 0) -> Any:
    return builder.load(_place(builder, address, offset), align=8)


def _store(builder: Any, value: Any, address: Any, offset: Any = 0) -> None:
    builder.store(value, _place(builder, address, offset), align=8)


def _splat(builder: Any, value: Any) -> Any:
    lane = builder.insert_element(ir.Constant(_LINE, ir.Undefined), value, ir.IntType(32)(0))
    return builder.shuffle_vector(
        lane, ir.Constant(_LINE, ir.Undefined), ir.Constant(ir.VectorType(ir.IntType(32), WIDTH), [0] * WIDTH)
    )


def _intrinsic(builder: Any, name: str, result: Any, arguments: list[Any]) -> Any:
    kind = ir.FunctionType(result, [argument.type for argument in arguments])
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), arguments)


def _monomials(builder: Any, line: Any, kind: int, high: Any) -> list[Any]:
    """Products of the bit slices of eight columns in 64 rows: see `side_by_side`."""
    low = [_load(builder, line, BYTES * s) for s in range(1 if kind == 1 else 2)]
    if kind == 5:
        product = ir.Constant(_LINE, [-1] * WIDTH)
        for s in range(2, 6):
            kept = _splat(builder, builder.sext(builder.trunc(builder.lshr(high, _I64(s)), ir.IntType(1)), _I64))
            product = builder.and_(product, builder.or_(_load(builder, line, BYTES * s), builder.not_(kept)))
        one = builder.and_(product, low[0])
        return [product, one, builder.and_(product, low[1]), builder.and_(one, low[1])]
    if kind >= 3:
        low.append(builder.and_(low[0], low[1]))
    if kind == 4:
        low.append(_load(builder, line, BYTES * 2))
    return low


def counting(n_planes: int, kind: int) -> Any:
    """A function that counts rows which ``n_planes`` planes of one variable and monomials of eight columns share.

    ``(new, new_step, line, line_step, n_words, high, out, out_step)``: plane a is at new + a · new_step, word w of
    the columns at line + w · line_step, the counts of plane a with monomial b go to out + a · out_step + 64 b. ``kind``
    1 … 4 are the monomials s₀; s₀ s₁; s₀ s₁ s₀s₁; s₀ s₁ s₀s₁ s₂; and 5 those of 1, s₀, s₁, s₀s₁ with the product of
    the slices whose bits are set in ``high``. Steps are in bytes.
    """
    n_monomials = min(kind, 4)

    @intrinsic
    def count(
        typing_context: Any,
        new: Any,
        new_step: Any,
        line: Any,
        line_step: Any,
        n_words: Any,
        high: Any,
        out: Any,
        out_step: Any,
    ) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            new, new_step, line, line_step, n_words, high, out, out_step = args
            totals = [
                [cgutils.alloca_once_value(builder, ir.Constant(_LINE, [0] * WIDTH)) for _ in range(n_monomials)]
                for _ in range(n_planes)
            ]
            for row in totals:
                for total in row:
                    builder.store(ir.Constant(_LINE, [0] * WIDTH), total)
            starts = [builder.add(new, builder.mul(new_step, _I64(a))) for a in range(n_planes)]
            with cgutils.for_range(builder, n_words, intp=_I64) as loop:
                monomials = _monomials(builder, builder.add(line, builder.mul(loop.index, line_step)), kind, high)
                byte = builder.mul(loop.index, _I64(8))
                for start, row in zip(starts, totals, strict=True):
                    word = builder.load(builder.inttoptr(builder.add(start, byte), _I64.as_pointer()), align=8)
                    plane = _splat(builder, word)
                    for monomial, total in zip(monomials, row, strict=True):
                        bits = _intrinsic(builder, "llvm.ctpop.v8i64", _LINE, [builder.and_(plane, monomial)])
                        builder.store(builder.add(builder.load(total), bits), total)
            for a, row in enumerate(totals):
                at = builder.add(out, builder.mul(out_step, _I64(a)))
                for b, total in enumerate(row):
                    _store(builder, builder.load(total), at, BYTES * b)
            return context.get_dummy_value()

        return types.void(*[types.uint64] * 8), generate

    return count


@intrinsic
def take(typing_context: Any, into: Any, what: Any) -> Any:
    """into −= what, eight numbers at two addresses."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        _store(builder, builder.sub(_load(builder, args[0]), _load(builder, args[1])), args[0])
        return context.get_dummy_value()

    return types.void(types.uint64, types.uint64), generate


def _line_by_line(make: Callable[[Any, Callable[[], Any], Any], Any]) -> Any:
    """For (into, what, n): what is made of each line of ``into``, loaded when asked for, and that of ``what``."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        into, what, n = args
        with cgutils.for_range(builder, n, intp=_I64) as loop:
            at = builder.mul(loop.index, _I64(BYTES))
            _store(builder, make(builder, lambda: _load(builder, into, at), _load(builder, what, at)), into, at)
        return context.get_dummy_value()

    return types.void(types.uint64, types.uint64, types.uint64), generate


@intrinsic
def put(typing_context: Any, into: Any, what: Any, n: Any) -> Any:
    """into = what, n times eight numbers in a row, from the first on."""
    return _line_by_line(lambda builder, old, new: new)


@intrinsic
def clear(typing_context: Any, into: Any, n: Any) -> Any:
    """into = 0, n times eight numbers in a row."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        with cgutils.for_range(builder, args[1], intp=_I64) as loop:
            _store(builder, ir.Constant(_LINE, [0] * WIDTH), args[0], builder.mul(loop.index, _I64(BYTES)))
        return context.get_dummy_value()

    return types.void(types.uint64, types.uint64), generate


@intrinsic
def give(typing_context: Any, into: Any, what: Any, n: Any) -> Any:
    """into += what, n times eight numbers in a row."""
    return _line_by_line(lambda builder, old, new: builder.add(old(), new))


def _rest_of(line: Callable[[Any, Any], Any]) -> Any:
    """For (whole, out, first, step, n): a line made of ``whole`` less the n parts, the first and those at steps."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        whole, out, first, step, n = args
        total = cgutils.alloca_once(builder, _LINE)
        builder.store(line(builder, whole), total)
        with cgutils.for_range(builder, n, intp=_I64) as loop:
            part = _load(builder, first, builder.mul(loop.index, step))
            builder.store(builder.sub(builder.load(total), part), total)
        _store(builder, builder.load(total), out)
        return context.get_dummy_value()

    return types.void(*[types.uint64] * 5), generate


@intrinsic
def rest_of_number(typing_context: Any, whole: Any, out: Any, first: Any, step: Any, n: Any) -> Any:
    """out = a number less n times eight numbers, at first, first + step, …"""
    return _rest_of(_splat)


@intrinsic
def rest_of_line(typing_context: Any, whole: Any, out: Any, first: Any, step: Any, n: Any) -> Any:
    """out = the eight numbers at ``whole`` less n times eight numbers, at first, first + step, …"""
    return _rest_of(_load)


# -- looking counts up -----------------------------------------------------------------------------------------


def _permutes_bytes(context: Any) -> bool:
    """Whether the processor that is compiled for looks up 64 bytes in a table of 128 at once."""
    return "+avx512vbmi" in str(getattr(context.codegen(), "_tm_features", ""))


@intrinsic
def all_small(typing_context: Any, cells: Any, n: Any) -> Any:
    """Whether n times eight counts are below `SMALL`; False where that would gain nothing."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        cells, n = args
        if not _permutes_bytes(context):
            return ir.IntType(1)(0)
        seen = cgutils.alloca_once(builder, _LINE)
        builder.store(ir.Constant(_LINE, [0] * WIDTH), seen)
        with cgutils.for_range(builder, n, intp=_I64) as loop:
            line = _load(builder, cells, builder.mul(loop.index, _I64(BYTES)))
            builder.store(builder.or_(builder.load(seen), line), seen)
        large = builder.icmp_unsigned(">=", builder.load(seen), ir.Constant(_LINE, [SMALL] * WIDTH))
        return builder.icmp_unsigned("==", builder.bitcast(large, ir.IntType(8)), ir.IntType(8)(0))

    return types.boolean(types.uint64, types.uint64), generate


@intrinsic
def add_by_table(typing_context: Any, cells: Any, n: Any, table: Any, out: Any) -> Any:
    """out += Σ φ(count) over n times eight counts; ``table`` has φ of every count, int64."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        cells, n, table, out = args

        def number(address: Any, offset: int) -> Any:
            return builder.load(builder.inttoptr(builder.add(address, _I64(offset)), _I64.as_pointer()), align=8)

        totals = [cgutils.alloca_once(builder, _I64) for _ in range(WIDTH)]
        for j, total in enumerate(totals):
            builder.store(number(out, 8 * j), total)
        with cgutils.for_range(builder, n, intp=_I64) as loop:
            at = builder.add(cells, builder.mul(loop.index, _I64(BYTES)))
            for j, total in enumerate(totals):
                found = number(builder.add(table, builder.mul(number(at, 8 * j), _I64(8))), 0)
                builder.store(builder.add(builder.load(total), found), total)
        for j, total in enumerate(totals):
            place = builder.inttoptr(builder.add(out, _I64(8 * j)), _I64.as_pointer())
            builder.store(builder.load(total), place, align=8)
        return context.get_dummy_value()

    return types.void(*[types.uint64] * 4), generate


@intrinsic
def add_by_bytes(typing_context: Any, cells: Any, groups: Any, table: Any, out: Any) -> Any:
    """out += Σ φ(count) over 8 · groups times eight counts, each below `SMALL`.

    ``table`` (8, SMALL) uint8: byte k of φ. Eight counts of a column make a word; byte k of all is looked up at once
    and added up within the column.
    """

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        if not _permutes_bytes(context):
            return context.get_dummy_value()
        cells, groups, table, out = args
        total = cgutils.alloca_once(builder, _LINE)
        builder.store(_load(builder, out), total)
        halves = [builder.bitcast(_load(builder, table, BYTES * h), _OCTETS) for h in range(16)]
        with cgutils.for_range(builder, groups, intp=_I64) as loop:
            at = builder.add(cells, builder.mul(loop.index, _I64(8 * BYTES)))
            lines = [_load(builder, at, BYTES * k) for k in range(8)]
            lines = [builder.shl(line, ir.Constant(_LINE, [8 * k] * WIDTH)) for k, line in enumerate(lines)]
            while len(lines) > 1:
                lines = [builder.or_(one, other) for one, other in zip(lines[::2], lines[1::2], strict=True)]
            which = builder.bitcast(lines[0], _OCTETS)
            sums = []
            for k in range(8):
                found = _intrinsic(
                    builder, "llvm.x86.avx512.vpermi2var.qi.512", _OCTETS, [halves[2 * k], which, halves[2 * k + 1]]
                )
                part = _intrinsic(
                    builder, "llvm.x86.avx512.psad.bw.512", _LINE, [found, ir.Constant(_OCTETS, [0] * BYTES)]
                )
                sums.append(builder.shl(part, ir.Constant(_LINE, [8 * k] * WIDTH)))
            while len(sums) > 1:
                sums = [builder.add(one, other) for one, other in zip(sums[::2], sums[1::2], strict=True)]
            builder.store(builder.add(builder.load(total), sums[0]), total)
        _store(builder, builder.load(total), out)
        return context.get_dummy_value()

    return types.void(*[types.uint64] * 4), generate
