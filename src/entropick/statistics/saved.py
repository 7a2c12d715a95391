"""Statistics without rows: gathered once, saved, merged with those of others, selected from.

Every party codes its rows alike (the first one's file says how), saves counts and moments, and shares those instead of
records. Whatever can be selected from rows by counts of pairs, by moments or by single columns can then be selected
from the merged file.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..coding import Coder
from ..coding.coded_blocks import CODINGS, CodedBlocks, find_roles
from ..coding.refine import Coding
from ..coding.rule_records import coding_record, difference, read_coding
from ..errors import InvalidInput, InvalidParameter
from ..files import UNREADABLE, whole_file
from ..sources import Table
from ..sources.blocks import parse_memory
from ..sources.origin import in_blocks
from .kind import KINDS, Mergeable, Taking, kind_of

if TYPE_CHECKING:
    import entropick

FORMAT = 2
KIND = "entropick statistics"


@dataclass(frozen=True)
class Statistics:
    """What is remembered of rows: a part for every kind that can be saved, as far as the columns have it.

    Tables of all pairs always; moments and marginals where every cell is a number.

    Attributes
    ----------
    names
        of the features.
    target
        name of the target.
    coding
        how features and target became levels.
    n_rows, weight
        rows, and what they weigh.
    parts
        name of a kind -> its statistics.
    notes
        how columns were read.

    Examples
    --------
    >>> import entropick as ep
    >>> X, y = ep.datasets.load_demo()
    >>> rows = X.assign(diagnosis=y)
    >>> north = ep.Statistics.collect(rows[:300], "diagnosis")
    >>> south = ep.Statistics.collect(rows[300:], "diagnosis", coding=north)
    >>> north.merge(south).n_rows
    569
    """

    target: str
    coding: Coding
    n_rows: int
    weight: float
    parts: Mapping[str, Any]
    notes: tuple[str, ...] = ()

    @property
    def coder(self) -> Coder:
        return self.coding.of_features

    @property
    def names(self) -> tuple[str, ...]:
        return self.coder.names

    # -- gathering -------------------------------------------------------------------------------------

    @classmethod
    def collect(
        cls,
        X: Any,
        y: str,
        *,
        task: str = "auto",
        discretizer: Any = "auto",
        missing: str = "level",
        sample_weight: str | None = None,
        memory: Any = None,
        coding: str | os.PathLike[str] | Statistics = "exact",
        n_jobs: int | None = None,
    ) -> Statistics:
        """Gather the statistics of a table, a source or what Dask or Spark holds.

        ``y`` names the target column. ``coding`` is ``"exact"``, ``"sketch"``, or the statistics (or their file) of
        another party, whose levels and classes are then used here as well. Other arguments as in `entropick.select`;
        weights must be whole numbers.
        """
        given = as_coding(coding)
        with in_blocks(X, y, parse_memory(memory)) as blocks:
            roles = find_roles(blocks, y, sample_weight)
            rows = CodedBlocks(blocks, roles, Coder(discretizer, missing, n_jobs), task, given)
            if not rows.whole:
                raise InvalidInput("sample_weight: must be integers when statistics are to be merged")
            found = {name: kind.to_save(rows, n_jobs) for name, kind in _saved_kinds().items()}
            takings = {name: taking for name, taking in found.items() if taking is not None}
            together = _Together(tuple(takings.values()))
            try:
                with np.errstate(over="raise"):
                    parts = blocks.reduce(together, together.merge)
            except FloatingPointError as error:
                raise InvalidInput("X: some numbers are too large to compute with; rescale the column") from error
        return cls(y, rows.coding, rows.n_rows, rows.weight, dict(zip(takings, parts, strict=True)), blocks.notes)

    def merge(self, other: Statistics) -> Statistics:
        """The statistics of all rows of both, which must have the same columns, coding and classes."""
        apart = difference(self.coding, other.coding)
        if self.target != other.target:
            apart = f"their target: {self.target!r} here, {other.target!r} there"
        if apart is not None:
            raise InvalidInput(
                f"other: these statistics cannot be merged; they differ in {apart}; gather one with the coding of the"
                " other (coding=)"
            )
        rule = self.coding.target
        coder = Coder(self.coder.discretizer, self.coder.missing)
        coder.adopt(self.names, self.coder.kinds, self.coder.learned, self.weight + other.weight)
        return replace(
            self,
            coding=replace(
                self.coding, coder=coder, target=replace(rule, counts=rule.counts + other.coding.target.counts)
            ),
            n_rows=self.n_rows + other.n_rows,
            weight=self.weight + other.weight,
            parts={
                name: kind.merge(self.parts[name], other.parts[name])
                for name, kind in _saved_kinds().items()
                if name in self.parts and name in other.parts
            },
            notes=tuple(dict.fromkeys(self.notes + other.notes)),
        )

    # -- keeping ---------------------------------------------------------------------------------------

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write to a file; `load` reads it. Nothing half-written is left behind."""
        head = {
            "kind": KIND, "format": FORMAT, "target": self.target, "n_rows": self.n_rows, "weight": self.weight,
            "coding": coding_record(self.coding), "notes": list(self.notes), "parts": list(self.parts),
        }  # fmt: skip
        arrays: dict[str, Any] = {"head": np.array(json.dumps(head))}
        kinds = _saved_kinds()
        for part, own in self.parts.items():
            arrays |= {f"{part}_{name}": array for name, array in kinds[part].arrays(own).items()}
        with whole_file(Path(path)) as file:
            np.savez(file, **arrays)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Statistics:
        """Read what `save` wrote; nothing in the file is executed."""
        try:
            with np.load(path, allow_pickle=False) as file:
                arrays = {name: file[name] for name in file.files}
            head = json.loads(str(arrays["head"]))
            if (head["kind"], head["format"]) != (KIND, FORMAT):
                raise ValueError(f"{head['kind']} of format {head['format']}")
            coding, n_rows = read_coding(head["coding"]), int(head["n_rows"])
            kinds = _saved_kinds()
            parts = {
                name: kinds[name].from_arrays(_named(arrays, f"{name}_"), coding, n_rows) for name in head["parts"]
            }
            return cls(head["target"], coding, n_rows, float(head["weight"]), parts, tuple(head["notes"]))
        except UNREADABLE as error:
            raise InvalidInput(f"path: {str(path)!r} is not a file of saved statistics ({error})") from error

    # -- selecting -------------------------------------------------------------------------------------

    def select(
        self, *, method: str = "joint", k: int | float | str | None = "auto", **arguments: Any
    ) -> entropick.Selection:
        """Choose features, as `entropick.select` would from the rows; the target is the one recorded.

        Keywords are those of `entropick.select` that are not about rows.
        """
        import entropick

        return entropick.select(self, self.target, method=method, k=k, **arguments)


def as_coding(coding: Any) -> str | Coding:
    """What ``coding=`` names: a way to find levels, or those of statistics or of a file of them."""
    if isinstance(coding, str) and coding in CODINGS:
        return coding
    if isinstance(coding, Coding):
        return coding
    if isinstance(coding, Statistics):
        return coding.coding
    if not isinstance(coding, (str, os.PathLike)) or not os.path.exists(coding):
        raise InvalidParameter(f"coding: must be 'exact', 'sketch' or a file of saved statistics, got {coding!r}")
    return Statistics.load(coding).coding


def merge_files(paths: Sequence[str | os.PathLike[str]], output: str | os.PathLike[str]) -> Statistics:
    """The statistics of several files as one, written to another."""
    if not paths:
        raise InvalidParameter("files: needs at least one file of statistics, got none")
    total = Statistics.load(paths[0])
    for path in paths[1:]:
        try:
            total = total.merge(Statistics.load(path))
        except InvalidInput as error:
            raise InvalidInput(f"{os.fspath(path)}: {error}") from error
    total.save(output)
    return total


@dataclass(frozen=True)
class _Together:
    """Several things made of a block that is read once."""

    takings: tuple[Taking, ...]

    def __call__(self, table: Table) -> tuple[Any, ...]:
        return tuple(taking.make(table) for taking in self.takings)

    def merge(self, one: tuple[Any, ...], other: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(taking.merge(a, b) for taking, a, b in zip(self.takings, one, other, strict=True))


def _saved_kinds() -> dict[str, Mergeable]:
    kinds = {name: kind_of(name) for name in KINDS}
    return {name: kind for name, kind in kinds.items() if isinstance(kind, Mergeable)}


def _named(arrays: dict[str, Any], prefix: str) -> dict[str, Any]:
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}
