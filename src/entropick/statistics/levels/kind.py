"""Levels as a kind: coded columns, packed; in parts where they are many; tables of all pairs where rows are gone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...coding import Candidate, Coder, GroupCoder, Target
from ...coding.coded_blocks import CodedBlocks
from ...coding.refine import Coding
from ...errors import InvalidParameter
from ...sources import Table
from ..kind import Asked, Collected, Floats, Increment, Mergeable, Taking, Way
from .collect import collect_levels
from .fixed_point import unit_for
from .levels import LevelStatistics
from .pair_counts import CountPairs, PairCounts, check_size, merge_pairs
from .parts import CodeRows, PartitionedLevels, merge_levels, row_bytes
from .questions import LevelRows

GIB = 1 << 30
ROW_NUMBERS = 1 << 31  # rows that one LevelStatistics can number


class LevelsKind(Mergeable):
    """Counts are integers, so every way gives the same scores to the last bit.

    A measure whose class says ``row_by_row = True`` asks for more than counts of pairs (`LevelRows`): it needs the
    coded rows in one piece.
    """

    coded: ClassVar[bool] = True
    own_options: ClassVar[tuple[str, ...]] = ("estimator",)

    def why_not(self, asked: Asked, way: Way) -> str | None:
        shuffled = asked.k == "auto" and asked.test == "permutation"
        if way == "blocks" and asked.grouped:
            return "groups: need whole columns, but rows come in blocks; read them into memory first"
        if way == "blocks" and shuffled:
            return "test: 'permutation' needs all rows in memory; with blocks use test='chi2', or a number for k"
        if way == "saved" and asked.grouped:
            return "groups: need whole columns, but only counts are available; define groups before gathering"
        if way == "saved" and shuffled:
            return "test: 'permutation' needs the rows, but only counts are available; use test='chi2'"
        if way == "saved" and _row_by_row(asked):
            return _needs_rows(asked)
        return None

    def of_table(self, table: Table, target: Target, weights: Floats | None, asked: Asked) -> Collected:
        """A group is coded by its joint levels."""
        coder = asked.shared(
            ("coder", asked.coding), lambda: asked.coder().fit(table, target.codes, target.n_classes, weights)
        )
        return self._by(coder, table, target, weights, asked, known=True)

    def _by(
        self,
        coder: Coder,
        table: Table,
        target: Target,
        weights: Floats | None,
        asked: Asked,
        growing: bool = False,
        known: bool = False,
    ) -> Collected:
        coded = GroupCoder(coder, asked.candidates).fit(table) if asked.grouped else coder

        def collect() -> LevelRows:
            return collect_levels(
                coded, table, target.codes, target.n_classes, weights, estimator=_estimator(asked),
                n_jobs=asked.n_jobs, growing=growing, known=known,
            )  # fmt: skip

        statistics = collect() if asked.grouped else asked.shared(("levels", asked.coding, _estimator(asked)), collect)
        trials = _log_trials(table.n_rows, coder, asked.candidates)
        return Collected(statistics, coded, coded.notes, log_trials=trials, constant=np.asarray(coded.levels) == 1)

    def of_blocks(self, rows: CodedBlocks, asked: Asked, parts: ExitStack) -> Collected:
        """In one piece where that fits, else in parts that stay where they are and are counted there."""
        coder, target, blocks = rows.coder, rows.coding.target, rows.blocks
        make = CodeRows(rows.reader, coder, _estimator(asked), asked.n_jobs)
        size = rows.n_rows * row_bytes(coder.levels, rows.roles.weight is not None)
        statistics: LevelStatistics | PartitionedLevels
        if size <= blocks.room and rows.n_rows < ROW_NUMBERS:
            statistics = blocks.reduce(make, merge_levels)
        elif _row_by_row(asked):
            raise InvalidParameter(_needs_rows(asked))
        else:
            unit = 1.0 if rows.roles.weight is None or rows.whole else unit_for(rows.weight)
            statistics = PartitionedLevels(
                parts.enter_context(blocks.keep(make)), coder.levels, target.n_classes, rows.n_rows, unit,
                estimator=_estimator(asked), n_jobs=asked.n_jobs,
            )  # fmt: skip
        notes = coder.notes
        if not rows.exact:
            notes = (*notes, "bin edges are approximate (coding='sketch')")
        options = {}
        if "memory" in asked.options and blocks.memory is not None:  # of a matrix of all pairs, in GiB
            options["memory"] = min(asked.options["memory"], blocks.memory / 4 / GIB)
        return Collected(statistics, coder, notes, options, constant=np.asarray(coder.levels) == 1)

    def extended(self, so_far: Collected | None, rows: Increment, asked: Asked) -> Collected:
        """The first block says how columns are coded, unless a coder does."""
        if so_far is None:
            coder = rows.coder
            if coder is None:
                coder = asked.coder().fit(rows.table, rows.target.codes, rows.target.n_classes, rows.weights)
            return self._by(coder, rows.table, rows.target, rows.weights, asked, growing=True)
        coded = so_far.coder
        so_far.statistics.update(
            lambda start, stop: coded.by_row(rows.table, start, stop), rows.target.codes, rows.weights
        )
        return so_far

    # -- saved -----------------------------------------------------------------------------------------

    def to_save(self, rows: CodedBlocks, n_jobs: int | None) -> Taking:
        check_size(rows.coder.levels, rows.coding.target.n_classes, rows.blocks.memory)
        return Taking(CountPairs(CodeRows(rows.reader, rows.coder, n_jobs=n_jobs)), merge_pairs)

    def of_saved(self, part: PairCounts, coding: Coding, asked: Asked) -> Collected:
        coder = coding.coder
        assert coder is not None
        return Collected(
            part.asking(_estimator(asked), asked.n_jobs), coder, coder.notes, constant=np.asarray(coder.levels) == 1
        )

    def arrays(self, part: PairCounts) -> dict[str, NDArray[Any]]:
        single = np.concatenate([counts.reshape(-1) for counts in part.single])
        return {"single": single, "pairs": np.concatenate(part.pairs_of)}

    def from_arrays(self, arrays: Mapping[str, NDArray[Any]], coding: Coding, n_rows: int) -> PairCounts:
        levels, n_classes = coding.of_features.levels, coding.target.n_classes
        ends = np.cumsum(levels * n_classes)
        parts = np.split(arrays["single"].astype(np.int64), ends[:-1])
        single = [part.reshape(n_classes, -1) for part in parts]
        empty = PairCounts(levels, n_classes, n_rows, single, [])
        sizes = [empty.after(i).size if i + 1 < levels.size else 0 for i in range(levels.size)]
        if int(ends[-1]) != arrays["single"].size or sum(sizes) != arrays["pairs"].size:
            raise ValueError("counts do not fit the coding")
        pairs = np.split(arrays["pairs"].astype(np.int64), np.cumsum(sizes)[:-1])
        return PairCounts(levels, n_classes, n_rows, single, pairs)

    def merge(self, one: PairCounts, other: PairCounts) -> PairCounts:
        return one.merged(other)


def _estimator(asked: Asked) -> str:
    return str(asked.options.get("estimator", "auto"))


def _row_by_row(asked: Asked) -> bool:
    return bool(getattr(asked.measure, "row_by_row", False))


def _needs_rows(asked: Asked) -> str:
    return (
        f"method: {asked.method!r} needs the coded rows, but only counts of pairs are available; raise"
        " memory so that the coded rows fit, or use a pairwise method (jmi, mrmr, cmim …)"
    )


def _log_trials(n_rows: int, coder: Coder, candidates: Sequence[Candidate]) -> Floats | None:
    """log of how many ways a supervised discretiser had to cut each candidate, for the tests of ``k="auto"``.

    Cuts chosen with the target in sight inform by construction. A column cut at c edges could have been cut in
    C(n − 1, c) ways; its p-value is multiplied by that number (Bonferroni over the codings).
    """
    if not (isinstance(coder.discretizer, str) and coder.discretizer == "mdl"):
        return None
    from scipy.special import gammaln

    cuts = coder.n_cuts.astype(float)
    by_column = gammaln(n_rows) - gammaln(cuts + 1) - gammaln(np.maximum(n_rows - cuts, 1.0))
    return np.array([by_column[list(candidate.columns)].sum() for candidate in candidates])
