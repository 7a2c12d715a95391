"""Lifted statistics of rows that come in blocks: bytes in one piece where they fit, else in parts that stay put."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...coding.block_rows import RowReader
from ...coding.byte_blocks import find_bytes
from ...coding.byte_coder import ByteCoder, number_codes
from ...coding.byte_rules import NumberGroups
from ...coding.lifted import group_starts
from ...coding.lifted_coding import LiftedCoding, NumberTarget, middle_ranks
from ...sources import Table
from ...sources.blocks import Blocks
from ...threads import thread_count
from .collect import of_parts, weight_unit_of, whole
from .forms import TargetForms, class_forms, forms_of_number
from .lifted import LiftedStatistics
from .part import LiftedPart, added

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class TakeBytes:
    """Makes the part of a block."""

    reader: RowReader
    coder: ByteCoder
    number: NumberTarget | None
    unit: float | None  # of weights; None where there are none
    n_jobs: int | None = None

    def __call__(self, table: Table) -> LiftedPart:
        features, target, weights = self.reader(table)
        threads = thread_count(self.n_jobs)
        if self.number is None:
            forms = class_forms(target.codes, target.n_classes)
        else:
            assert target.values is not None
            forms = forms_of_number(self.number, target.values)
        own = None if weights is None or self.unit is None else whole(weights, self.unit)
        codes, sums = self.coder.codes(features, weights, threads, sums=self.number is not None)
        return LiftedPart(codes, forms, own, sums, threads)


def joined(one: LiftedPart, other: LiftedPart) -> LiftedPart:
    """Two parts side by side."""
    a, b = one.forms, other.forms
    classes = None if a.classes is None or b.classes is None else np.concatenate([a.classes, b.classes])
    values = None if a.values is None or b.values is None else np.concatenate([a.values, b.values], axis=1)
    weights = None if one.weights is None or other.weights is None else np.concatenate([one.weights, other.weights])
    forms = TargetForms(classes, a.n_classes, values, a.units, a.n_order, a.tested)
    codes = np.concatenate([one.codes, other.codes], axis=1)
    return LiftedPart(codes, forms, weights, one.sums + other.sums, one.threads)


@dataclass(frozen=True)
class TargetRanks:
    """Range and group weights of a number as target, in one block."""

    reader: RowReader
    rule: NumberGroups

    def __call__(self, table: Table) -> tuple[float, float, Floats]:
        _, target, weights = self.reader(table)
        assert target.values is not None
        mass = np.bincount(number_codes(target.values, self.rule, "y"), weights, self.rule.groups)
        if not len(target.values):
            return np.inf, -np.inf, mass.astype(np.float64)
        return float(target.values.min()), float(target.values.max()), mass.astype(np.float64)


def merge_ranks(one: tuple[float, float, Floats], other: tuple[float, float, Floats]) -> tuple[float, float, Floats]:
    return min(one[0], other[0]), max(one[1], other[1]), one[2] + other[2]


def lifted_of_blocks(
    blocks: Blocks,
    reader: RowReader,
    parts: ExitStack,
    n_jobs: int | None = None,
    exact: bool = True,
    coding: LiftedCoding | None = None,
) -> tuple[LiftedStatistics, ByteCoder]:
    """The statistics of all rows; what stays where the blocks are is closed with ``parts``.

    With a ``coding`` columns are lifted as it says, whatever their rows here.
    """
    found = find_bytes(blocks, reader.features, reader.weight, n_jobs, exact)
    if coding is not None:
        found = replace(found, coder=coding.coder)
        number = coding.number
    else:
        number = number_target(blocks, reader, n_jobs, exact) if reader.rule.task == "regression" else None
    unit = None if reader.weight is None else weight_unit_of(found.weight / found.n_rows, found.whole, found.heaviest)
    make = TakeBytes(reader, found.coder, number, unit, n_jobs)
    ask: Any
    if found.n_rows * len(reader.features) <= blocks.room:
        part = blocks.reduce(make, joined)
        forms, heaviest = part.forms, 1 if part.weights is None else int(part.weights.max())

        def ask(question: Any) -> Any:
            return question(part)
    else:
        kept = parts.enter_context(blocks.keep(make))
        classes = reader.rule.task == "classification"
        forms = TargetForms(np.empty(0, np.int32) if classes else None, 0, None, np.empty(0), reader.rule.n_classes)
        if number is not None:
            forms = TargetForms(None, 0, None, np.empty(0), 1, True)
        heaviest = 1 if unit is None else int(whole(np.array([found.heaviest]), unit)[0])

        def ask(question: Any) -> Any:
            return kept.reduce(question, added)

    lifting = None if coding is None else coding.lifting
    return of_parts(ask, found.coder.rules, forms, heaviest, unit or 1.0, lifting), found.coder


def number_target(blocks: Blocks, reader: RowReader, n_jobs: int | None, exact: bool) -> NumberTarget:
    rule = find_bytes(blocks, (reader.target,), reader.weight, n_jobs, exact).coder.rules[0]
    assert isinstance(rule, NumberGroups)
    low, high, mass = blocks.reduce(TargetRanks(reader, rule), merge_ranks)
    return NumberTarget(low, high, rule, middle_ranks(mass))


def find_lifted(blocks: Blocks, reader: RowReader, n_jobs: int | None, exact: bool) -> LiftedCoding:
    """How the columns of the blocks are lifted: one more pass counts the groups."""
    found = find_bytes(blocks, reader.features, reader.weight, n_jobs, exact)
    number = number_target(blocks, reader, n_jobs, exact) if reader.rule.task == "regression" else None
    make = TakeBytes(reader, found.coder, number, None if reader.weight is None else 1.0, n_jobs)
    mass, sums = blocks.reduce(CountBytes(make, group_starts(found.coder.rules)), merge_counts)
    return LiftedCoding(found.coder, mass.astype(np.float64), sums if number is not None else None, number)


@dataclass(frozen=True, eq=False)
class CountBytes:
    """Weight of every group, and the sum of its values, in one block."""

    make: TakeBytes
    group_at: NDArray[np.int64]

    def __call__(self, table: Table) -> tuple[NDArray[np.int64], Floats]:
        part = self.make(table)
        return part.counts(self.group_at)[1], part.sums


def merge_counts(
    one: tuple[NDArray[np.int64], Floats], other: tuple[NDArray[np.int64], Floats]
) -> tuple[NDArray[np.int64], Floats]:
    return one[0] + other[0], one[1] + other[1]
