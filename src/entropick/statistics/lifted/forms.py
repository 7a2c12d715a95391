"""The target as columns of numbers: the forms by which features are ordered, and those by which they are tested.

    classes          indicators, for both
    a number         as it is for the order (a few extreme values may carry the variance), its mid-ranks for the tests
                     (heavy tails cannot make false picks)
    several          side by side
    labels           (n, L) of 0 and 1, side by side, for both
    a censored time  its null-model residuals, see `coding.survival`

Numbers are kept as whole multiples of a 2³⁰-th of their range, so that sums over rows are exact.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...coding.lifted_coding import NumberTarget

Floats = NDArray[np.float64]
FINE = 1 << 30
LABEL_SETS = 64  # sets of labels up to which information is counted by them


@dataclass(frozen=True, eq=False)
class TargetForms:
    """The target of some rows.

    Either ``classes`` (n,) codes of ``n_classes``, or ``values`` (q, n) int64 in steps of ``units`` (q,); the first
    ``n_order`` of the q are for the order, the others for the tests (none: the same are for both). Labels have both:
    their classes, by which information is counted, are the sets of labels that occur, as long as those are few.
    """

    classes: NDArray[np.int32] | None
    n_classes: int
    values: NDArray[np.int64] | None
    units: Floats
    n_order: int
    tested: bool = False  # whether tests have forms of their own, as those of a number


def class_forms(codes: NDArray[np.int32], n_classes: int) -> TargetForms:
    return TargetForms(np.ascontiguousarray(codes, np.int32), n_classes, None, np.empty(0), n_classes)


def label_forms(labels: Floats) -> TargetForms:
    """Of (L, n) labels of 0 and 1."""
    forms = number_forms(labels, None, np.tile([0.0, 1.0], (len(labels), 1)))
    sets, at = np.unique(labels.astype(np.int8), axis=1, return_inverse=True)
    if sets.shape[1] > LABEL_SETS:
        return forms
    return replace(forms, classes=at.reshape(-1).astype(np.int32), n_classes=sets.shape[1])


def number_forms(columns: Floats, tested: Floats | None, ranges: NDArray[np.float64]) -> TargetForms:
    """Of (q, n) numbers and the (q', n) forms that are tested (None: the same).

    ranges (q + q', 2): least and largest of each over all rows, wherever they are.
    """
    forms = columns if tested is None else np.concatenate([columns, tested])
    low, high = ranges.T
    units = np.maximum((high / 2 - low / 2) / FINE, 1e-300)
    middle = low / 2 + high / 2
    values = np.rint((forms - middle[:, None]) / units[:, None]).astype(np.int64)
    return TargetForms(None, 0, values, units, len(columns), tested is not None)


def forms_of_number(number: NumberTarget, y: Floats) -> TargetForms:
    """The forms of some rows of a number as target."""
    ranges = np.array([[number.low, number.high], [number.ranks[0], number.ranks[-1]]])
    return number_forms(y[None], number.tested(y)[None], ranges)
