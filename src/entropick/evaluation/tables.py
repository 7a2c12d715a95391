"""The tables that `entropick reproduce` makes: a name, what it is, and the function behind it."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..errors import InvalidParameter, closest

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class ReproducedTable:
    """``make(quick, data_dir, n_jobs, verbose)`` gives the numbers, ours beside the paper's where it printed any."""

    name: str
    summary: str
    make: Callable[[bool, str | os.PathLike[str] | None, int | None, int], pd.DataFrame]


def _sees(quick: bool, data_dir: object, n_jobs: int | None, verbose: int) -> pd.DataFrame:
    from .sight import what_each_sees

    return what_each_sees(repeats=1 if quick else 5, n_jobs=n_jobs).reset_index()


def _vinh(quick: bool, data_dir: str | os.PathLike[str] | None, n_jobs: int | None, verbose: int) -> pd.DataFrame:
    from .vinh import table5

    small = ("Lung", "Colon", "Promoter", "Waveform") if quick else None
    return table5(small, step=30 if quick else 10, data_dir=data_dir, n_jobs=n_jobs, verbose=verbose)


def _lsmi4(quick: bool, data_dir: object, n_jobs: int | None, verbose: int) -> pd.DataFrame:
    from .toy_tables import table4

    return table4(quick=quick, n_jobs=n_jobs)


def _lsmi5(quick: bool, data_dir: object, n_jobs: int | None, verbose: int) -> pd.DataFrame:
    from .toy_tables import table5

    return table5()


TABLES = {
    table.name: table
    for table in (
        ReproducedTable("what-each-sees", "which of the true features each method finds, problem by problem", _sees),
        ReproducedTable("lsmi-table4", "F-measures on and-or, quad and xor (Jitkrittum et al., table 4)", _lsmi4),
        ReproducedTable("lsmi-table5", "LSMI of all 35 subsets of and-or (Jitkrittum et al., table 5)", _lsmi5),
        ReproducedTable("vinh-table5", "cross-validated errors on real data (Vinh et al., table 5)", _vinh),
    )
}


def reproduce(
    name: str,
    *,
    quick: bool = False,
    data_dir: str | os.PathLike[str] | None = None,
    n_jobs: int | None = None,
    verbose: int = 0,
) -> pd.DataFrame:
    """One table by name; ``quick`` takes fewer trials or data sets."""
    if name not in TABLES:
        raise InvalidParameter(f"name: no table {name!r}.{closest(name, TABLES)} There are: {', '.join(TABLES)}")
    return TABLES[name].make(quick, data_dir, n_jobs, verbose)
