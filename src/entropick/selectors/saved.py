"""Statistics without rows: gathered once, saved, merged with those of others, selected from.

Every party codes its rows alike (the first one's file says how), saves counts and moments, and shares those instead of
records. Whatever can be selected from rows by counts of pairs, by moments or by single columns can then be selected
from the merged file.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..coding import Coder
from ..coding.refine import Coding
from ..coding.rule_records import coding_record, difference, read_coding
from ..errors import InvalidInput, InvalidParameter
from ..files import UNREADABLE
from ..selection import Selection
from ..sources import Source, Table, TableSource, as_blocks, as_table, open_source
from ..sources.blocks import Blocks, LocalBlocks, parse_memory
from ..statistics.archive import write_arrays
from ..statistics.level_parts import CodeRows
from ..statistics.marginals import PARTS as MARGINAL_PARTS
from ..statistics.marginals import Marginals, TakeMarginals, merge_marginals
from ..statistics.moment_parts import TakeMoments, merge_moments
from ..statistics.moments import Moments
from ..statistics.pair_counts import CountPairs, PairCounts, check_size, merge_pairs
from .collect import Collected, moment_arguments
from .run import Request, answer, plan_for, target_notes
from .stream import CODINGS, CodedRows, check_columns, find_roles, in_range

FORMAT = 1
KIND = "entropick statistics"


@dataclass(frozen=True)
class Statistics:
    """What is remembered of rows: tables of all pairs, and moments and marginals where every column is of numbers.

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
    levels, moments, marginals
        the statistics; the latter two are None where a column has categories or gaps.
    notes
        how columns were read.
    """

    target: str
    coding: Coding
    n_rows: int
    weight: float
    levels: PairCounts
    moments: Moments | None
    marginals: Marginals | None
    notes: tuple[str, ...] = ()

    @property
    def coder(self) -> Coder:
        assert self.coding.coder is not None
        return self.coding.coder

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
        limit = parse_memory(memory)
        blocks, close = _blocks(X, y, limit)
        try:
            given = as_coding(coding)
            roles = find_roles(blocks, y, sample_weight)
            request = Request(task=task, discretizer=discretizer, missing=missing, n_jobs=n_jobs)
            rows = CodedRows(blocks, roles, request, given)
            if not rows.whole:
                raise InvalidInput("sample_weight: must be whole numbers where statistics are to be merged")
            coder = rows.coding.coder
            assert coder is not None
            if isinstance(given, Coding):
                check_columns(coder, rows.names)
            check_size(coder.levels, rows.coding.target.n_classes, blocks.memory)
            numbers = _all_numbers(blocks, roles.features) and not any(one.missing for one in coder.learned)
            makes: list[Callable[[Table], Any]] = [CountPairs(CodeRows(rows.reader, coder, n_jobs=n_jobs))]
            merges: list[Callable[[Any, Any], Any]] = [merge_pairs]
            if numbers:
                makes += [TakeMoments(rows.reader, n_jobs), TakeMarginals(rows.reader, n_jobs)]
                merges += [merge_moments, merge_marginals]
            with in_range():
                found = blocks.reduce(_Together(tuple(makes)), _MergeTogether(tuple(merges)))
        finally:
            close()
        moments, marginals = found[1:] if numbers else (None, None)
        return cls(y, rows.coding, rows.n_rows, rows.weight, found[0], moments, marginals, blocks.notes)

    def merge(self, other: Statistics) -> Statistics:
        """The statistics of all rows of both, which must have the same columns, coding and classes."""
        apart = difference(self.coding, other.coding)
        if self.target != other.target:
            apart = f"their target: {self.target!r} here, {other.target!r} there"
        if apart is not None:
            raise InvalidInput(
                f"other: these statistics cannot be merged, they differ in {apart}; gather one with the coding of the"
                " other (coding=, --coding)"
            )
        rule = self.coding.target
        coder = Coder(self.coder.discretizer, self.coder.missing)
        coder.adopt(self.names, self.coder.kinds, self.coder.learned, self.weight + other.weight)
        both = self.moments is not None and other.moments is not None
        return replace(
            self,
            coding=Coding(coder, replace(rule, counts=rule.counts + other.coding.target.counts)),
            n_rows=self.n_rows + other.n_rows,
            weight=self.weight + other.weight,
            levels=self.levels.merged(other.levels),
            moments=merge_moments(self.moments, other.moments) if both else None,  # type: ignore[arg-type]
            marginals=merge_marginals(self.marginals, other.marginals) if both else None,  # type: ignore[arg-type]
            notes=tuple(dict.fromkeys(self.notes + other.notes)),
        )

    # -- keeping ---------------------------------------------------------------------------------------

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write to a file; `load` reads it. Nothing half-written is left behind."""
        head = {
            "kind": KIND, "format": FORMAT, "target": self.target, "n_rows": self.n_rows, "weight": self.weight,
            "coding": coding_record(self.coding), "notes": list(self.notes), "numbers": self.moments is not None,
        }  # fmt: skip
        arrays: dict[str, Any] = {"head": np.array(json.dumps(head))}
        arrays["single"] = np.concatenate([counts.reshape(-1) for counts in self.levels.single])
        arrays["pairs"] = np.concatenate(self.levels.pairs_of)
        if self.moments is not None and self.marginals is not None:
            arrays |= {f"moments_{name}": value for name, value in self.moments.arrays().items()}
            arrays |= {f"marginals_{name}": getattr(self.marginals, name) for name in MARGINAL_PARTS}
        write_arrays(path, arrays)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Statistics:
        """Read what `save` wrote; nothing in the file is executed."""
        try:
            with np.load(path, allow_pickle=False) as file:
                arrays = {name: file[name] for name in file.files}
            head = json.loads(str(arrays["head"]))
            if (head["kind"], head["format"]) != (KIND, FORMAT):
                raise ValueError(f"{head['kind']} of format {head['format']}")
            coding = read_coding(head["coding"])
            levels = _read_pairs(coding, int(head["n_rows"]), arrays)
            moments = marginals = None
            if head["numbers"]:
                moments = Moments.from_arrays(_named(arrays, "moments_"))
                marginals = Marginals.from_arrays(_named(arrays, "marginals_"))
            return cls(
                head["target"], coding, int(head["n_rows"]), float(head["weight"]), levels, moments, marginals,
                tuple(head["notes"]),
            )  # fmt: skip
        except UNREADABLE as error:
            raise InvalidInput(f"path: {str(path)!r} is no file of saved statistics ({error})") from error

    # -- selecting -------------------------------------------------------------------------------------

    def select(self, *, method: str = "jmi", k: int | float | str | None = "auto", **arguments: Any) -> Selection:
        """Choose features, as `entropick.select` would from the rows; the target is the one recorded.

        Keywords are those of `entropick.select` that are not about rows.
        """
        known = {name: arguments.pop(name) for name in tuple(arguments) if name in ASKED}
        request = Request(
            method, k, self.coding.target.task, self.coder.discretizer, self.coder.missing, options=arguments, **known
        )
        plan = plan_for(request, self.names)
        rule = self.coding.target
        plan.check_task(rule.task)
        options = dict(plan.options)
        collected = self._collected(plan.method.name, plan.method.statistics, request, options)
        notes = target_notes(rule.task, rule.classes, rule.counts)
        return answer(plan, collected, options, self.weight, rule.task, notes).selection

    def _collected(self, name: str, needed: str, request: Request, options: dict[str, Any]) -> Collected:
        raw = options.get("marginals", "raw") == "raw" and options.get("pooling") != "auto"
        if needed == "rows" or options.get("similarity") == "correlation" or not raw:
            raise InvalidParameter(f"method: {name!r} needs the rows, which statistics do not have; take another")
        if needed in ("levels", "pairs"):
            levels = self.levels.asking(options.pop("estimator", "plugin"), request.n_jobs)
            arguments = {"random": request.generator(), "verbose": request.verbose} if needed == "pairs" else {}
            notes = tuple(dict.fromkeys((*self.notes, *self.coder.notes)))
            return Collected(levels, self.coder, notes, arguments, constant=self.coder.levels == 1)
        if self.moments is None:
            raise InvalidParameter(
                f"method: {name!r} needs numbers in every cell, and these statistics are of columns with categories or"
                " gaps; take one of the discrete family"
            )
        if needed == "marginals":
            return Collected(self.marginals)
        return Collected(self.moments, arguments=moment_arguments(request, self.coding.target, options))


ASKED = ("include", "exclude", "search", "alpha", "test", "n_permutations", "random_state", "n_jobs", "verbose")


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
        raise InvalidParameter("files: at least one file of statistics is needed, got none")
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

    makes: tuple[Callable[[Table], Any], ...]

    def __call__(self, table: Table) -> tuple[Any, ...]:
        return tuple(make(table) for make in self.makes)


@dataclass(frozen=True)
class _MergeTogether:
    merges: tuple[Callable[[Any, Any], Any], ...]

    def __call__(self, one: tuple[Any, ...], other: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(merge(a, b) for merge, a, b in zip(self.merges, one, other, strict=True))


def _blocks(X: Any, y: Any, limit: int | None) -> tuple[Blocks, Callable[[], None]]:
    """The blocks of whatever holds rows, and how to close what was opened."""
    found = as_blocks(X, y, limit)
    if found is not None:
        return found[0], lambda: None
    if isinstance(X, Source):
        return LocalBlocks(X, limit), lambda: None
    if isinstance(X, (str, os.PathLike)):
        source = open_source(X, memory=limit)
        return LocalBlocks(source, limit), source.close
    return LocalBlocks(TableSource(as_table(X)), limit), lambda: None


def _all_numbers(blocks: Blocks, features: Sequence[int]) -> bool:
    return all(blocks.kinds[j] != "category" for j in features)


def _named(arrays: dict[str, Any], prefix: str) -> dict[str, Any]:
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}


def _read_pairs(coding: Coding, n_rows: int, arrays: dict[str, Any]) -> PairCounts:
    assert coding.coder is not None
    levels, n_classes = coding.coder.levels, coding.target.n_classes
    ends = np.cumsum(levels * n_classes)
    parts = np.split(arrays["single"].astype(np.int64), ends[:-1])
    single = [part.reshape(n_classes, -1) for part in parts]
    empty = PairCounts(levels, n_classes, n_rows, single, [])
    sizes = [empty.after(i).size if i + 1 < levels.size else 0 for i in range(levels.size)]
    if int(ends[-1]) != arrays["single"].size or sum(sizes) != arrays["pairs"].size:
        raise ValueError("counts do not fit the coding")
    pairs = np.split(arrays["pairs"].astype(np.int64), np.cumsum(sizes)[:-1])
    return PairCounts(levels, n_classes, n_rows, single, pairs)
