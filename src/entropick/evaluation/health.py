"""Data health: what a table holds, column by column, before anything is chosen from it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..coding import Coder, Target
from ..selectors.answer import FEWEST
from ..selectors.answer import NEARLY_ALL as NEARLY_ALL
from ..sources import Table
from ..sources.roles import row_labels
from .frames import Schema, equal_frames, from_columns, to_columns
from .near_copies import near_copies

if TYPE_CHECKING:
    import pandas as pd

COLUMNS: Schema = {
    "name": "str", "kind": "str", "missing": "int64", "distinct": "int64", "levels": "int64", "bins": "str",
    "constant": "bool", "duplicate_of": "str", "remark": "str",
}  # fmt: skip
CLASSES: Schema = {"label": "str", "count": "int64", "share": "float64"}
BLOCK = 256  # columns coded together
TELLING = "the target almost perfectly"
ROUNDING = 1e-9  # of a rank correlation
RARE = 10  # rows of a class below which a remark is made


@dataclass(frozen=True, eq=False)
class DataHealth:
    """What is in a table.

    ``columns`` has one row a column: name, kind, missing (rows), distinct (values besides missing ones), levels
    (after coding), bins (how it was coded), constant, duplicate_of (the first column with the same values, or ""),
    remark. ``classes`` has label, count and share, the most frequent first; for a regression the bins of the target.
    ``notes`` says what deserves a look, in sentences.
    """

    n_rows: int
    columns: pd.DataFrame
    classes: pd.DataFrame
    notes: tuple[str, ...]

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, DataHealth)
            and (self.n_rows, self.notes) == (other.n_rows, other.notes)
            and equal_frames(self.columns, other.columns)
            and equal_frames(self.classes, other.classes)
        )

    def to_dict(self) -> dict[str, Any]:
        """As JSON can hold it."""
        return {
            "n_rows": self.n_rows,
            "columns": to_columns(self.columns),
            "classes": to_columns(self.classes),
            "notes": list(self.notes),
        }

    @classmethod
    def from_dict(cls, fields: dict[str, Any]) -> DataHealth:
        """From what `to_dict` gave."""
        columns, classes = from_columns(COLUMNS, fields["columns"]), from_columns(CLASSES, fields["classes"])
        return cls(fields["n_rows"], columns, classes, tuple(fields["notes"]))


def data_health(table: Table, target: Target | None, discretizer: Any = "auto") -> DataHealth:
    """Types, missing values, constants, duplicates, bins and class balance of a table and its coded target."""
    supervisor = (None, 1) if target is None else (target.codes, target.n_classes)
    coder = Coder(discretizer).fit(table, *supervisor)
    told = coder.describe()
    near, labels = near_copies(table), set(row_labels(table))
    values, codes = _Groups(), _Groups()
    same_values, same_levels, distinct, telling = [], [], [], []
    for start in range(0, table.n_columns, BLOCK):
        coded = coder.codes(table, start, min(start + BLOCK, table.n_columns))
        for j, own in enumerate(coded, start=start):
            column = table.column(j)
            distinct.append(_distinct(column))
            same_values.append(values.first(j, value_bytes(column)))
            same_levels.append(codes.first(j, _partition_bytes(own)))
            if target is not None and table.n_rows >= FEWEST and _share_told(own, target) >= NEARLY_ALL:
                telling.append(table.names[j])
    constant = np.array(distinct) + (told["missing"].to_numpy() > 0) <= 1
    remarks = []
    for j, note in enumerate(told["note"]):
        twin, parts = same_levels[j], [note] if note else []
        if table.names[j] in labels:
            parts = ["row number or identifier"]
        elif same_values[j] is None and not constant[j]:
            if j in near:
                parts.append(f"{_alike(near[j][1])} {table.names[near[j][0]]}")
            elif not note and twin is not None:
                parts.append(f"same levels as {table.names[twin]}")
        if table.names[j] in telling:
            parts.append(f"predicts {TELLING}")
        remarks.append("; ".join(parts))
    fields = {
        "name": list(table.names),
        "kind": list(told["kind"]),
        "missing": told["missing"],
        "distinct": distinct,
        "levels": told["levels"],
        "bins": list(told["rule"]),
        "constant": constant,
        "duplicate_of": [
            "" if one is None or flat else table.names[one] for one, flat in zip(same_values, constant, strict=True)
        ],
        "remark": remarks,
    }
    columns = from_columns(COLUMNS, fields)
    classes = from_columns(CLASSES, {name: [] for name in CLASSES}) if target is None else _classes(target)
    task = "" if target is None else target.task
    return DataHealth(table.n_rows, columns, classes, tuple(_notes(columns, classes, task, telling)))


def _alike(correlation: float) -> str:
    """
    >>> _alike(1.0), _alike(-0.9956)
    ('same order as', 'almost the reverse order of')
    """
    order = "same order as" if correlation > 0 else "reverse order of"
    exact = abs(correlation) > 1 - ROUNDING
    return order if exact else f"almost the {order}"


class _Groups:
    """The first column of each content, by a hash of it: linear in columns where comparing pairs is quadratic."""

    def __init__(self) -> None:
        self._first: dict[bytes, int] = {}

    def first(self, j: int, content: bytes) -> int | None:
        """An earlier column of the same content, if there is one."""
        found = self._first.setdefault(blake2b(content, digest_size=16).digest(), j)
        return None if found == j else found


def value_bytes(column: NDArray[Any]) -> bytes:
    """Equal for equal values, whatever the numbers' type; all missing values are alike."""
    if column.dtype.kind == "O":
        return b"O" + b"".join(_text_bytes(value) for value in column)
    numbers = column.astype(np.float64) + 0.0  # −0 becomes 0
    numbers[np.isnan(numbers)] = np.nan
    return numbers.tobytes()


def _text_bytes(value: str | None) -> bytes:
    text = b"" if value is None else value.encode("utf-8", "surrogatepass")
    return (-1 if value is None else len(text)).to_bytes(8, "little", signed=True) + text


def _partition_bytes(codes: NDArray[Any]) -> bytes:
    """Equal for columns that split the rows alike, whatever the levels are called."""
    import pandas as pd

    return pd.factorize(codes)[0].tobytes()


def _distinct(column: NDArray[Any]) -> int:
    import pandas as pd

    found = pd.unique(column)
    return len(found) - bool(pd.isna(found).any())


def _classes(target: Target) -> pd.DataFrame:
    counts = np.bincount(target.codes, minlength=target.n_classes)
    if target.task == "classification":
        labels = [str(label) for label in target.classes]
        order = np.argsort(-counts, kind="stable")
    else:
        edges = [f"{edge:.4g}" for edge in target.classes]
        labels = [f"up to {edges[0]}", *(f"{a} to {b}" for a, b in pairwise(edges))]
        labels.append(f"above {edges[-1]}")
        order = np.arange(len(counts))
    fields = {
        "label": [labels[c] for c in order],
        "count": counts[order],
        "share": counts[order] / counts.sum(),
    }
    return from_columns(CLASSES, fields)


def _share_told(codes: NDArray[Any], target: Target) -> float:
    """The share of the target's entropy that one coded column tells."""
    joint = np.bincount(codes.astype(np.int64) * target.n_classes + target.codes)
    joint = np.pad(joint, (0, -len(joint) % target.n_classes)).reshape(-1, target.n_classes)
    whole, left = _entropy(joint.sum(axis=0)), _entropy(joint) - _entropy(joint.sum(axis=1))
    return 1 - left / whole if whole > 0 else 0.0


def _entropy(counts: NDArray[Any]) -> float:
    share = counts[counts > 0] / counts.sum()
    return float(-(share * np.log(share)).sum())


def _notes(columns: pd.DataFrame, classes: pd.DataFrame, task: str, telling: list[str]) -> list[str]:
    notes = []
    if telling:
        named = f"{telling[0]!r} alone predicts" if len(telling) == 1 else f"{_counted(telling)} each predict"
        notes.append(f"{named} {TELLING}: possible leak")
    if (missing := columns[columns["missing"] > 0]).shape[0]:
        notes.append(f"missing values in {_counted(missing['name'])}")
    if (constant := columns[columns["constant"]]).shape[0]:
        notes.append(f"constant: {_counted(constant['name'])}")
    if (double := columns[columns["duplicate_of"] != ""]).shape[0]:
        notes.append(f"copies of another column: {_counted(double['name'])}")
    if task == "classification":
        most, least = int(classes["count"].iloc[0]), int(classes["count"].iloc[-1])
        if least < RARE:
            notes.append(f"the class {classes['label'].iloc[-1]} has {least} row{'' if least == 1 else 's'}")
        if most >= 10 * least:
            notes.append(f"classes are unbalanced: the largest has {most / least:.0f} times the rows of the smallest")
    return notes


def _counted(names: Iterable[str]) -> str:
    names = list(names)
    shown = ", ".join(names[:5]) + (", …" if len(names) > 5 else "")
    return f"{len(names)} column{'' if len(names) == 1 else 's'} ({shown})"
