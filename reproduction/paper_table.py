"""What a reproduced table is, and how it is made: cells are computed, kept, and laid beside the paper's figures.

    settings of the cells ──compute──> numbers (kept on disk) ──figures──> ours, the paper's, the difference

A table names its cells, so that each is computed once; what cannot be computed for want of data is skipped and said.
"""

from __future__ import annotations

import math
import os
import statistics
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import entropick as ep
from entropick.errors import EntropickWarning
from entropick.progress import track

from .cells import Cell, Cells
from .data import MissingDataSet

if TYPE_CHECKING:
    import pandas as pd

Settings = Mapping[str, Any]  # JSON scalars: what decides the numbers of a cell
Numbers = dict[str, Any]  # JSON: what a cell gave
Found = Sequence[tuple[Settings, Numbers]]


@dataclass(frozen=True)
class Figure:
    """One number: ``labels`` say which (data set, method, …), ``paper`` is what was printed, NaN where nothing was.

    ``spread`` is the standard deviation over what ``ours`` is a mean of, NaN where it is of one thing.
    """

    labels: Mapping[str, str | int | float]
    ours: float
    paper: float = math.nan
    spread: float = math.nan

    @property
    def difference(self) -> float:
        return self.ours - self.paper


@dataclass(frozen=True)
class Means:
    """What a cell may use: a folder of data sets, a number of threads, a folder for large intermediate results."""

    data_dir: str | os.PathLike[str] | None = None
    n_jobs: int | None = None
    cache_dir: str | os.PathLike[str] | None = None


@dataclass(frozen=True)
class PaperTable:
    """A table or figure of a paper.

    cells : ``cells(quick)`` are the settings of all its cells.
    compute : one cell; raises `MissingDataSet` where its data are not to be had.
    figures : the figures of the cells that were found, in the order of the page.
    protocol : rises whenever the same settings would give other numbers, so that kept cells are not mixed.
    across : the label that goes across the page; the others go down.
    how, why : the protocol where it departs from the paper's, and what is known about the differences.
    kept_as : the name that tables which are made of the same cells share; empty for the table's own.
    alone : cells are timed, or use all threads themselves: one after another, never in processes side by side.
    """

    name: str
    title: str
    paper: str
    cells: Callable[[bool], list[Settings]]
    compute: Callable[[Settings, Means], Numbers]
    figures: Callable[[Found], list[Figure]]
    protocol: int = 1
    across: str = ""
    unit: str = ""
    digits: int = 2
    how: str = ""
    why: str = ""
    alone: bool = True
    kept_as: str = ""

    @property
    def shelf(self) -> str:
        """The name under which the cells are kept."""
        return self.kept_as or self.name


@dataclass(frozen=True)
class Result:
    """A table made again.

    ``finished`` of ``wanted`` cells were there or computed; ``skipped`` says what was not, and why. ``seconds`` is the
    time of all finished cells, kept ones included; ``versions`` of entropick made them.
    """

    table: PaperTable
    quick: bool
    figures: tuple[Figure, ...]
    wanted: int
    finished: int
    skipped: tuple[str, ...]
    seconds: float
    versions: tuple[str, ...]

    def frame(self) -> pd.DataFrame:
        """One row a figure: the labels, ``ours``, and ``spread``, ``paper``, ``difference`` where there are any."""
        import pandas as pd

        rows = [
            {**f.labels, "ours": f.ours, "spread": f.spread, "paper": f.paper, "difference": f.difference}
            for f in self.figures
        ]
        frame = pd.DataFrame(rows)
        empty = [name for name in ("spread", "paper", "difference") if name in frame and frame[name].isna().all()]
        return frame.drop(columns=empty)

    def compared(self) -> list[Figure]:
        """The figures that the paper printed too."""
        return [figure for figure in self.figures if not math.isnan(figure.difference)]


def make(
    table: PaperTable,
    *,
    quick: bool = False,
    fresh: bool = False,
    only_kept: bool = False,
    cells: Cells | None = None,
    means: Means | None = None,
    verbose: int = 0,
) -> Result:
    """Compute the cells that are not kept, keep them, and lay the figures beside the paper's.

    fresh : compute every cell again. only_kept : compute nothing, show what is kept.
    """
    store = Cells() if cells is None else cells
    means = Means() if means is None else means
    wanted = table.cells(quick)
    kept = [None if fresh else store.get(table.shelf, table.protocol, settings) for settings in wanted]
    skipped: dict[str, None] = {}
    missing = [] if only_kept else [i for i, cell in enumerate(kept) if cell is None]
    for i, outcome in _computed(table, wanted, missing, means, verbose):
        if isinstance(outcome, MissingDataSet):
            skipped[str(outcome)] = None
        else:
            store.put(table.shelf, table.protocol, wanted[i], outcome)
            kept[i] = outcome
    there = [(settings, cell) for settings, cell in zip(wanted, kept, strict=True) if cell is not None]
    if only_kept:
        with_cells = {settings.get("data") for settings, _ in there}
        without = dict.fromkeys(settings.get("data") for settings in wanted)
        names = [name for name in without if name and name not in with_cells]
        skipped |= {f"no cell is kept of {', '.join(names)}": None} if names else {}
    return Result(
        table,
        quick,
        tuple(table.figures([(settings, cell.numbers) for settings, cell in there])) if there else (),
        len(wanted),
        len(there),
        tuple(skipped),
        sum(cell.seconds for _, cell in there),
        tuple(sorted({cell.version for _, cell in there})),
    )


def _computed(
    table: PaperTable, wanted: list[Settings], numbers: list[int], means: Means, verbose: int
) -> Iterator[tuple[int, Cell | MissingDataSet]]:
    """(place in wanted, what came of it), in the order of completion."""
    if not numbers:
        return
    outcomes: Any = (_one(table, i, wanted[i], means) for i in numbers)
    if not table.alone and means.n_jobs != 1:
        from joblib import Parallel, delayed

        single = replace(means, n_jobs=1)
        crowd = Parallel(n_jobs=means.n_jobs, return_as="generator_unordered")
        outcomes = crowd(delayed(_one)(table, i, wanted[i], single) for i in numbers)
    # outcomes first: the bar moves when a cell is there, and joblib's generator is read to its end
    for outcome, _ in zip(outcomes, track(len(numbers), table.name, verbose), strict=False):
        yield outcome


def _one(table: PaperTable, i: int, settings: Settings, means: Means) -> tuple[int, Cell | MissingDataSet]:
    start = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", EntropickWarning)  # what is odd about a paper's data is the paper's affair
        try:
            numbers = table.compute(settings, means)
        except MissingDataSet as error:
            return i, error
    return i, Cell(numbers, time.perf_counter() - start, ep.__version__)


def averaged(found: Found, by: Sequence[str], what: str) -> dict[tuple[Any, ...], tuple[float, float]]:
    """Mean and standard deviation of one number over the cells that share the settings ``by``; None counts as absent.

    >>> averaged([({"data": "a", "trial": 0}, {"f": 1.0}), ({"data": "a", "trial": 1}, {"f": 0.0})], ["data"], "f")
    {('a',): (0.5, 0.5)}
    """
    groups: dict[tuple[Any, ...], list[float]] = {}
    for settings, numbers in found:
        if numbers[what] is not None:
            groups.setdefault(tuple(settings[name] for name in by), []).append(numbers[what])
    return {
        key: (statistics.fmean(values), statistics.pstdev(values) if len(values) > 1 else math.nan)
        for key, values in groups.items()
    }


def every_number(across: str, **labels: str) -> Callable[[Found], list[Figure]]:
    """All numbers of all cells as they are: ``labels`` name the settings to show, each number's own name is ``across``.

    >>> every_number("figure", rows="rows")([({"rows": 5}, {"κ": 1.5})])[0].labels
    {'rows': 5, 'figure': 'κ'}
    """

    def figures(found: Found) -> list[Figure]:
        return [
            Figure({**{label.replace("_", " "): settings[name] for label, name in labels.items()}, across: own}, value)
            for settings, numbers in found
            for own, value in numbers.items()
        ]

    return figures
