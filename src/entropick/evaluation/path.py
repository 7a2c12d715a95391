"""What a chosen set says, step by step: its joint information, the error that leaves open, what is said twice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..coding import Coder, Target, code_target
from ..coding.coder import NAMES
from ..errors import InvalidInput
from ..measures.fano import entropy, fano_floor
from ..selection import Selection
from ..sources import Table, split_target

ROWS_PER_CELL = 5.0  # with fewer rows in an occupied cell of (X_S, Y) the plug-in estimate says little
MOST_PAIRS = 60  # steps whose redundancy is tabulated

OF_ROWS = (
    "counted jointly on the binned features (a plug-in estimate, biased upwards), for as many features as the rows"
    " support (five rows per occupied cell)"
)
OF_GAUSSIANS = "an upper bound, assuming the features of each class are Gaussian"
OF_COUNTS = "the sum of the scores, as each is what a feature adds to those before it (a plug-in estimate)"


@dataclass(frozen=True)
class PathEvidence:
    """Evidence about the first 1, 2, … steps of a selection.

    Attributes
    ----------
    information : I(X_S;Y) in nats after each step, None from where it cannot be known.
    floor : the least error rate it allows (Fano) after each step; None where unknown or for a continuous target.
    class_entropy : H(Y) in nats, the most there is to know; None where unknown.
    source : in words, where the information comes from; empty where there is none.
    redundancy : I(X_i;X_j) of the steps, square and symmetric, with None on the diagonal; empty where unknown.
    redundancy_units : ``"nats"``, or empty for a bare number.
    """

    information: tuple[float | None, ...] = ()
    floor: tuple[float | None, ...] = ()
    class_entropy: float | None = None
    source: str = ""
    redundancy: tuple[tuple[float | None, ...], ...] = ()
    redundancy_units: str = "nats"


def recorded_evidence(selection: Selection) -> PathEvidence:
    """What the Selection itself tells, without the rows.

    Joint information is known to the Gaussian methods, which record a bound on it, and to ``cmi``, whose scores add
    up to it. The scores of pairwise criteria do not: for those nothing is said. Redundancy is what a pairwise
    criterion looked at.
    """
    bounds = [step.extra.get("bound") for step in selection.steps]
    information: tuple[float | None, ...]
    if any(bound is not None for bound in bounds):
        information, source = tuple(bounds), OF_GAUSSIANS
    elif selection.method == "cmi":
        information, source = tuple(np.cumsum(selection.scores).tolist()), OF_COUNTS
    else:
        information, source = (), ""
    floors = tuple(step.extra.get("fano_floor") for step in selection.steps)
    return PathEvidence(
        information,
        floors if any(floor is not None for floor in floors) else (),
        selection.details.get("class_entropy"),
        source,
        _recorded_redundancy(selection),
        selection.units,
    )


def _recorded_redundancy(selection: Selection) -> tuple[tuple[float | None, ...], ...]:
    """The square table of the steps' redundancies; empty where a step has none."""
    steps = selection.steps[:MOST_PAIRS]
    below = [step.redundancy or () for step in steps]
    if len(steps) < 2 or any(len(row) != t for t, row in enumerate(below)):
        return ()
    return tuple(
        tuple(None if i == j else below[max(i, j)][min(i, j)] for j in range(len(steps))) for i in range(len(steps))
    )


def path_evidence(selection: Selection, X: Any, y: Any, target: Target | None = None) -> PathEvidence:
    """What the rows tell about the chosen features, whatever the method; X and y as they were given to `select`.

    ``target`` is y coded, where another coding is wanted than that of the selection's task.
    """
    from ..selectors.functions import mutual_information_matrix

    table, values, _ = split_target(X, y)
    if table.n_columns != len(selection.feature_names) or (table.named and table.names != selection.feature_names):
        raise InvalidInput("X: must have the columns that the selection was made from, in their order, got others")
    target = code_target(values, selection.task) if target is None else target
    counts = np.bincount(target.codes, minlength=target.n_classes)
    variables = _step_codes(selection, table, target.codes, target.n_classes)
    information = list(_joint_information(variables, target.codes))
    classes = int(np.count_nonzero(counts)) if selection.task == "classification" else 0
    whole = entropy(counts.tolist())
    unknown = [None] * (len(selection.steps) - len(information))
    redundancy: NDArray[np.float64] = np.empty((0, 0))
    if len(variables) > 1:
        redundancy = mutual_information_matrix(np.column_stack(variables[:MOST_PAIRS]), discretizer=None)
    return PathEvidence(
        (*information, *unknown),
        (*(fano_floor(whole - nats, classes) for nats in information), *unknown) if classes else (),
        whole,
        OF_ROWS,
        tuple(
            tuple(None if i == j else float(value) for j, value in enumerate(row)) for i, row in enumerate(redundancy)
        ),
    )


def coding_of(selection: Selection) -> Any:
    """The discretizer that the selection was made with; ``"auto"`` for a transformer, which was recorded as text."""
    asked = selection.options.get("discretizer", "auto")
    return asked if asked is None or asked in NAMES or isinstance(asked, int) else "auto"


def _step_codes(
    selection: Selection, table: Table, target_codes: NDArray[np.int32], n_classes: int
) -> list[NDArray[np.intp]]:
    """(n,) codes of each step's feature, or of all members of its group jointly."""
    columns = [member for step in selection.steps for member in step.members]
    chosen = table.select(columns)
    coder = Coder(coding_of(selection)).fit(chosen, target_codes, n_classes)
    rows = iter(coder.codes(chosen, 0, len(columns)).astype(np.intp)) if columns else iter(())
    return [_joined(list(islice(rows, len(step.members)))) for step in selection.steps]


def _joined(codes: Sequence[NDArray[Any]]) -> NDArray[np.intp]:
    """(n,) one number for each distinct combination of the codes."""
    joint: NDArray[np.intp] = np.zeros(len(codes[0]), np.intp)
    for more in codes:
        joint = np.unique(joint * (int(more.max()) + 1) + more, return_inverse=True)[1].reshape(-1)
    return joint


def _joint_information(variables: Sequence[NDArray[np.intp]], target: NDArray[np.int32]) -> Iterator[float]:
    """I(X_1…X_t;Y) = H(X) + H(Y) − H(X,Y) for t = 1, 2, …, until the rows run out."""
    alone = entropy(np.bincount(target).tolist())
    joint = np.zeros(target.shape, np.intp)
    for variable in variables:
        joint = _joined([joint, variable])
        cells = np.bincount(_joined([joint, target]))
        if len(target) / len(cells) < ROWS_PER_CELL:
            return
        yield max(0.0, entropy(np.bincount(joint).tolist()) + alone - entropy(cells.tolist()))
