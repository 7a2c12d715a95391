"""Lifted columns as a kind: one byte an entry; covariances are summed up when they are asked for."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...coding import Target
from ...coding.byte_coder import ByteCoder
from ...coding.coded_blocks import CodedBlocks
from ...coding.refine import Coding
from ...sources import Table
from ..kind import Asked, Collected, Floats, Increment, Mergeable, Taking, Way, alone
from .blocks import TakeBytes, find_lifted, lifted_of_blocks
from .collect import Growing, collect_lifted
from .lifted import LiftedStatistics
from .moments import LiftedMoments, TakeLifted, merge_moments

LARGEST = 2 << 30  # bytes that products of all lifted columns may take where memory is not limited


class LiftedKind(Mergeable):
    """Sums are of whole numbers, so every way gives the same scores, those of a number as target but for rounding."""

    coded: ClassVar[bool] = True
    own_coding: ClassVar[bool] = True

    def why_not(self, asked: Asked, way: Way) -> str | None:
        if asked.k == "auto" and asked.test == "permutation":
            return f"test: 'permutation' works with discrete methods only; {asked.method!r} uses test='joint'"
        if way == "increments" and asked.given is not None:
            return "given: covariates need all rows at once; use fit"
        if way == "saved" and asked.given is not None:
            return "given: covariates need the rows, which saved statistics do not contain"
        return None

    def of_table(self, table: Table, target: Target, weights: Floats | None, asked: Asked) -> Collected:
        shared = asked.shared if asked.given is None else alone
        statistics, coder = shared(
            ("lifted", asked.missing),
            lambda: collect_lifted(table, target, weights, asked.n_jobs, asked.given, asked.missing),
        )
        return _collected(statistics, coder, table.n_columns, asked)

    def of_blocks(self, rows: CodedBlocks, asked: Asked, parts: ExitStack) -> Collected:
        reader = rows.reader
        reader = replace(reader, features=(*reader.features, *rows.roles.given))
        coding = None if rows.roles.given else rows.coding.lifted
        statistics, coder = lifted_of_blocks(rows.blocks, reader, parts, asked.n_jobs, rows.exact, coding)
        if asked.missing == "error":
            coder.refuse_missing()
        collected = _collected(statistics, coder, len(rows.roles.features), asked)
        if rows.exact:
            return collected
        note = "group edges are approximate (coding='sketch')"
        return replace(collected, notes=(*collected.notes, note))

    def extended(self, so_far: Collected | None, rows: Increment, asked: Asked) -> Collected:
        """The first block says how columns become groups; the functions of the groups follow from all rows."""
        growing = Growing(asked.n_jobs) if so_far is None else so_far.coder
        growing.add(rows.table, rows.target, rows.weights)
        if asked.missing == "error":
            growing.coder.refuse_missing()
        collected = _collected(growing.statistics(), growing.coder, rows.table.n_columns, asked)
        return replace(collected, coder=growing)

    # -- saved -----------------------------------------------------------------------------------------

    def to_save(self, rows: CodedBlocks, n_jobs: int | None) -> Taking | None:
        """All products of lifted columns, as far as they fit; `rows.coding` notes how columns are lifted."""
        reader, blocks = rows.reader, rows.blocks
        if rows.coding.lifted is None:
            rows.coding = replace(rows.coding, lifted=find_lifted(blocks, reader, n_jobs, rows.exact))
        coding = rows.coding.lifted
        assert coding is not None
        if 3 * 8 * coding.lifting.n_lifted**2 > (LARGEST if blocks.memory is None else blocks.memory):
            return None
        unit = None if reader.weight is None else 1.0
        return Taking(TakeLifted(TakeBytes(reader, coding.coder, coding.number, unit, n_jobs), coding), merge_moments)

    def of_saved(self, part: LiftedMoments, coding: Coding, asked: Asked) -> Collected:
        assert coding.lifted is not None
        return _collected(part.statistics(coding.lifted), coding.lifted.coder, len(coding.lifted.coder.rules), asked)

    def from_arrays(self, arrays: Mapping[str, NDArray[Any]], coding: Coding, n_rows: int) -> LiftedMoments:
        if coding.lifted is None:
            raise ValueError("it does not say how columns are lifted")
        return LiftedMoments.from_arrays(arrays, coding.lifted)

    def merge(self, one: LiftedMoments, other: LiftedMoments) -> LiftedMoments:
        return one + other


def _collected(statistics: LiftedStatistics, coder: ByteCoder, n_features: int, asked: Asked) -> Collected:
    blocks = [candidate.columns for candidate in asked.candidates]
    members = np.repeat(np.arange(len(blocks)), [len(columns) for columns in blocks])
    sizes = statistics.sizes[[j for columns in blocks for j in columns]]
    constant = np.bincount(members, sizes, len(blocks)) == 0
    options = {"blocks": blocks, "given": tuple(range(n_features, statistics.lifting.n_columns))}
    names = [coder.names[j] for j in range(n_features) if not statistics.sizes[j]]
    notes: tuple[str, ...] = ()
    if names:
        some = ", ".join(names[:5]) + (", …" if len(names) > 5 else "")
        what = "the constant column is" if len(names) == 1 else f"{len(names)} constant columns are"
        notes = (f"{what} ignored: {some}",)
    return Collected(statistics, coder, notes, options, constant=constant)
