"""From a table in memory to lifted statistics."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...coding.byte_coder import ByteCoder
from ...coding.byte_entries import with_columns
from ...coding.byte_rules import ByteRule
from ...coding.entries import CodedEntries
from ...coding.lifted import Lifting, group_starts, lift
from ...coding.lifted_coding import NumberTarget
from ...coding.target import Target
from ...errors import InvalidInput
from ...sources import Table
from ...threads import thread_count
from .forms import TargetForms, class_forms, forms_of_number, label_forms, number_forms
from .lifted import LiftedStatistics
from .part import Counts, LiftedPart, Question, Sums, added
from .sparse_part import SparsePart

Floats = NDArray[np.float64]
POSTINGS = 0.2  # of the cells: a pass over bytes costs an entry 1 ns, one over postings the square of that share 5
QUANTITIES = ("regression", "survival")  # tasks whose target is a number


def collect_lifted(
    table: Table,
    target: Target,
    weights: Floats | None = None,
    n_jobs: int | None = None,
    given: Table | None = None,
    missing: str = "level",
) -> tuple[LiftedStatistics, ByteCoder]:
    """Bytes of the features and, after them, of the covariates ``given``; and how features became bytes."""
    threads = thread_count(n_jobs)
    coder = ByteCoder()
    number = target.task in QUANTITIES
    found = coder.fit_entries(table, weights, threads, sums=number) if _sparse(table) else None
    codes, sums = coder.fit_codes(table, weights, threads, sums=number) if found is None else found
    if missing == "error":
        coder.refuse_missing()
    rules: Sequence[ByteRule] = coder.rules
    if given is not None:
        beside = ByteCoder()
        others, more = beside.fit_codes(given, weights, threads, sums=number)
        if isinstance(codes, CodedEntries):
            codes = with_columns(codes, others, beside.groups)
        else:
            codes = np.concatenate([codes, others])
        sums = np.concatenate([sums, more])
        rules = (*rules, *beside.rules)
    unit = 1.0 if weights is None else weight_unit(weights)
    forms = target_forms(target, weights)
    whole_ = None if weights is None else whole(weights, unit)
    part: LiftedPart | SparsePart = (
        SparsePart(codes, forms, whole_, sums, threads)
        if isinstance(codes, CodedEntries)
        else LiftedPart(codes, forms, whole_, sums, threads)
    )
    heaviest = 1 if whole_ is None else int(whole_.max())
    statistics = of_parts(lambda question: question(part), rules, forms, heaviest, unit)
    if isinstance(part, SparsePart):
        statistics.at_once = 1  # a second column costs as much as the first
    return statistics, coder


def _sparse(table: Table) -> bool:
    """Whether its entries are so few that they cost less than bytes of all rows."""
    return table.csc is not None and bool(table.csc.nnz <= POSTINGS * table.n_rows * table.n_columns)


def of_parts(
    ask: Callable[[Question], Any],
    rules: Sequence[ByteRule],
    forms: TargetForms,
    heaviest: int,
    unit: float,
    lifting: Lifting | None = None,
) -> LiftedStatistics:
    """The statistics of parts that were coded by these rules; ``forms``: of any part, they are alike.

    Columns are lifted by the rows of all parts, or as ``lifting`` says.
    """
    counts = ask(Counts(group_starts(rules)))
    kept = (forms.n_order, forms.classes is not None, forms.tested)
    if lifting is None:
        lifting = lift(rules, counts[1] / unit, ask(Sums()) if forms.tested else None)
    return LiftedStatistics(ask, lifting, counts, kept, heaviest, unit)


def target_forms(target: Target, weights: Floats | None) -> TargetForms:
    """The forms of a coded target in memory."""
    if target.task == "classification":
        return class_forms(target.codes, target.n_classes)
    assert target.values is not None
    columns = np.ascontiguousarray(target.values.reshape(len(target.codes), -1).T)
    varying = columns[(columns != columns[:, :1]).any(axis=1)]
    if not len(varying):
        raise InvalidInput("y: a regression target must not be constant, got the same value in every row")
    if target.task == "multilabel":
        return label_forms(varying)
    tested = np.stack([NumberTarget.of(column, weights).tested(column) for column in varying])
    forms = np.concatenate([varying, tested])
    return number_forms(varying, tested, np.stack([forms.min(axis=1), forms.max(axis=1)], 1))


def weight_unit(weights: Floats) -> float:
    """How many whole numbers make a row of these weights."""
    whole_numbers = bool(np.all(weights == np.rint(weights)))
    return weight_unit_of(float(weights.mean()), whole_numbers, float(weights.max()))


def weight_unit_of(mean: float, whole_numbers: bool, heaviest: float) -> float:
    """1 for whole weights, else about 2²⁰ for a row of mean weight."""
    return 1.0 if whole_numbers and heaviest < 2**31 else float(2.0 ** np.rint(20 - np.log2(mean)))


def whole(weights: Floats, unit: float) -> NDArray[np.int64]:
    """Weights in whole numbers; none becomes 0."""
    return np.maximum(np.rint(weights * unit), 1).astype(np.int64)


class Growing:
    """Parts that come one after another: `Selector.partial_fit`. The first block says how columns become groups."""

    def __init__(self, n_jobs: int | None = None) -> None:
        self.n_jobs = n_jobs
        self.coder = ByteCoder()
        self._parts: list[LiftedPart] = []
        self._counts: Any = 0
        self._number: NumberTarget | None = None
        self._unit = 1.0

    def add(self, table: Table, target: Target, weights: Floats | None) -> None:
        """One more block of rows; none weighs 0."""
        threads = thread_count(self.n_jobs)
        if not self._parts:
            codes, sums = self.coder.fit_codes(table, weights, threads, sums=target.values is not None)
            self._unit = 1.0 if weights is None else weight_unit(weights)
            self._number = None if target.values is None else NumberTarget.of(target.values, weights)
        else:
            codes, sums = self.coder.codes(table, weights, threads, sums=target.values is not None)
        if self._number is None:
            forms = class_forms(target.codes, target.n_classes)
        else:
            assert target.values is not None
            forms = forms_of_number(self._number, target.values)
        if weights is None and self._unit != 1.0:
            weights = np.ones(table.n_rows)
        part = LiftedPart(codes, forms, None if weights is None else whole(weights, self._unit), sums, threads)
        self._parts.append(part)
        self._counts = self._counts + part.counts(group_starts(self.coder.rules))

    def statistics(self) -> LiftedStatistics:
        """Of all rows so far."""

        def ask(question: Question) -> Any:
            if isinstance(question, Counts):
                return self._counts
            return reduce(added, (question(part) for part in self._parts))

        heaviest = max(1 if part.weights is None else int(part.weights.max()) for part in self._parts)
        return of_parts(ask, self.coder.rules, self._parts[0].forms, heaviest, self._unit)
