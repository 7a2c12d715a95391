"""Groups of columns that enter as a whole: one candidate, coded by its joint level.

A one-hot encoded variable, given as a group, is one candidate again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidInput, InvalidParameter, closest
from ..sources import Table
from ..threads import parallel, thread_count
from .coder import Coder, check_rows, code_dtype
from .encode import turned
from .rules import MOST_LEVELS
from .shared import Made

Array = NDArray[Any]
TABLE = 1 << 22  # pairs of levels looked up in a table; more are searched


class Candidate(NamedTuple):
    """What a search may choose: a column, or a group of columns that enters as a whole."""

    name: str
    columns: tuple[int, ...]


class SingleColumns(Made[Candidate]):
    """Every column a candidate of its own, made when asked for: 50 000 objects cost more than some selections."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names

    def __len__(self) -> int:
        return len(self.names)

    def _one(self, at: int) -> Candidate:
        return Candidate(self.names[at], (range(len(self.names))[at],))


def parse_groups(groups: Any, names: Sequence[str]) -> Sequence[Candidate]:
    """Candidates in the order of their first column.

    ``groups``: None; a dict from a group's name to its columns (names or numbers); or one label a column,
    where None, NaN and ``""`` mean a column of its own. Columns in no group are candidates of their own.
    """
    if groups is None:
        return SingleColumns(names)
    if isinstance(groups, Mapping):
        named = {str(name): _members(name, columns, names) for name, columns in groups.items()}
        if len(named) < len(groups):
            raise InvalidParameter("groups: names must be unique as strings")
    else:
        named = _from_labels(groups, names)
    owner: dict[int, str] = {}
    for name, columns in named.items():
        for j in columns:
            if j in owner:
                raise InvalidParameter(
                    f"groups: a column can be in one group, got {names[j]!r} in {owner[j]!r} and {name!r}"
                )
            owner[j] = name
    alone = {names[j]: j for j in range(len(names)) if j not in owner}
    for name in named:
        if name in alone:
            raise InvalidParameter(f"groups: {name!r} is also the name of a column outside the group; rename the group")
    candidates = [Candidate(name, columns) for name, columns in named.items()]
    candidates += [Candidate(name, (j,)) for name, j in alone.items()]
    return sorted(candidates, key=lambda candidate: candidate.columns[0])


def _members(group: Any, columns: Any, names: Sequence[str]) -> tuple[int, ...]:
    """Ascending column numbers of a group given by names or numbers."""
    if isinstance(columns, (str, int, np.integer)):
        columns = [columns]
    if not isinstance(columns, Iterable) or not (columns := list(columns)):
        raise InvalidParameter(f"groups: {group!r} must have at least one column, got {columns!r}")
    found = []
    for column in columns:
        if isinstance(column, (int, np.integer)) and not isinstance(column, bool):
            if not 0 <= column < len(names):
                raise InvalidParameter(f"groups: column numbers are 0 … {len(names) - 1}, got {column} in {group!r}")
            found.append(int(column))
        elif column in names:
            found.append(names.index(column))
        else:
            raise InvalidParameter(f"groups: {group!r} has {column!r}, which is no column.{closest(column, names)}")
    if len(set(found)) < len(found):
        raise InvalidParameter(f"groups: {group!r} names a column twice")
    return tuple(sorted(found))


def _from_labels(labels: Any, names: Sequence[str]) -> dict[str, tuple[int, ...]]:
    labels = labels.tolist() if hasattr(labels, "tolist") else labels
    if isinstance(labels, (str, bytes)) or not isinstance(labels, Iterable):
        raise InvalidParameter(f"groups: must be a dict or one label per column, got {labels!r}")
    labels = list(labels)
    if len(labels) != len(names):
        raise InvalidParameter(f"groups: must have one label per column ({len(names)}), got {len(labels)}")
    found: dict[str, list[int]] = {}
    for j, label in enumerate(labels):
        if label is None or label == "" or label != label:
            continue
        found.setdefault(str(label), []).append(j)
    return {name: tuple(columns) for name, columns in found.items()}


class GroupCoder:
    """A fitted `Coder` seen through candidates: the code of a group is its joint level.

    ``levels`` (n_candidates,) int64; ``notes`` those of the coder, and groups that are too fine.
    """

    levels: NDArray[np.int64]
    notes: tuple[str, ...]

    def __init__(self, coder: Coder, candidates: Sequence[Candidate]) -> None:
        self.coder = coder
        self.candidates = [Candidate(*candidate) for candidate in candidates]

    def fit(self, table: Table) -> GroupCoder:
        """Learn which joint levels occur in the training rows."""
        rows, _ = check_rows(None, table.n_rows)
        threads = thread_count(self.coder.n_jobs)
        groups = [candidate for candidate in self.candidates if len(candidate.columns) > 1]
        learned = parallel(lambda group: self._learn(table, group, rows), groups, threads)
        self._keys = {group.name: keys for group, keys in zip(groups, learned, strict=True)}
        self.levels = np.array(
            [
                len(self._keys[c.name][-1]) if c.name in self._keys else self.coder.levels[c.columns[0]]
                for c in self.candidates
            ],
            dtype=np.int64,
        )
        fine = [
            f"group {c.name!r} has {levels} joint levels for {table.n_rows} rows: almost every row is unique; ignored"
            for c, levels in zip(self.candidates, self.levels, strict=True)
            if c.name in self._keys and table.n_rows < 2 * levels and levels > 20
        ]
        self.notes = (*self.coder.notes, *fine)
        return self

    def codes(self, table: Table, start: int, stop: int, rows: Array | None = None) -> Array:
        """(stop − start, n) levels of candidates start to stop: as `Coder.codes`."""
        if not hasattr(self, "levels"):
            raise InvalidParameter("coder: is not fitted; call fit first")
        if not 0 <= start <= stop <= len(self.candidates):
            raise InvalidParameter(f"start, stop: must be in 0 … {len(self.candidates)}, got {start}, {stop}")
        rows, n = check_rows(rows, table.n_rows)
        self.coder.check_schema(table)
        out = np.empty((stop - start, n), dtype=code_dtype(self.levels[start:stop]))
        threads = thread_count(self.coder.n_jobs)
        groups, at = [], start
        while at < stop:
            columns = self.candidates[at].columns
            if len(columns) > 1:
                groups.append(at)
                at += 1
                continue
            end = at  # neighbouring single columns go through the coder together
            while end < stop and self.candidates[end].columns == (columns[0] + end - at,):
                end += 1
            block = out[at - start : end - start]
            self.coder.fill(table, columns[0], columns[0] + end - at, rows, block, threads)
            at = end

        def encode(at: int) -> None:
            out[at - start] = self._joint(table, self.candidates[at], rows)

        parallel(encode, groups, threads)
        return out

    def by_row(self, table: Table, start: int, stop: int) -> Array:
        """(n_rows, stop − start) the same codes row by row: as `Coder.by_row`."""
        return turned(self.codes(table, start, stop))

    def _member(self, table: Table, column: int, rows: Array) -> NDArray[np.int64]:
        levels = self.coder.levels[column : column + 1]
        codes = np.empty((1, len(rows)), dtype=code_dtype(levels))
        self.coder.fill(table, column, column + 1, rows, codes)  # on this thread: it may be one of several
        out: NDArray[np.int64] = codes[0].astype(np.int64)
        return out

    def _learn(self, table: Table, group: Candidate, rows: Array) -> list[NDArray[np.int64]]:
        """Ascending keys (level so far × levels of the next column + its level) that occur, a column each."""
        joint = self._member(table, group.columns[0], rows)
        found = []
        for column in group.columns[1:]:
            keys = joint * self.coder.levels[column] + self._member(table, column, rows)
            occur, joint = np.unique(keys, return_inverse=True)
            if len(occur) > MOST_LEVELS:
                raise InvalidInput(
                    f"groups: a group can have at most {MOST_LEVELS} joint levels, {group.name!r} has more;"
                    " use fewer columns or fewer bins"
                )
            found.append(occur)
        return found

    def _joint(self, table: Table, group: Candidate, rows: Array) -> NDArray[np.int64]:
        """(n,) joint levels."""
        joint = self._member(table, group.columns[0], rows)
        for column, occur in zip(group.columns[1:], self._keys[group.name], strict=True):
            keys = joint * self.coder.levels[column] + self._member(table, column, rows)
            if occur[-1] < TABLE:
                place = np.full(max(int(occur[-1]), int(keys.max(initial=0))) + 1, -1, dtype=np.int64)
                place[occur] = np.arange(len(occur))
                joint = place[keys]
            else:
                joint = np.minimum(np.searchsorted(occur, keys), len(occur) - 1)
                joint[occur[joint] != keys] = -1
            unseen = np.flatnonzero(joint < 0)
            if unseen.size:
                raise InvalidInput(
                    f"X: group {group.name!r} has a combination of levels in row {int(rows[unseen[0]])} that"
                    " was not there when the coding was fitted; fit on rows that have every combination"
                )
        return joint
