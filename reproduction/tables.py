"""The tables by name; each paper has a file or more beside this one."""

from __future__ import annotations

import os

from entropick.errors import InvalidParameter, closest

from . import (
    brown,
    jitkrittum,
    jitkrittum_artefacts,
    jitkrittum_figure,
    jitkrittum_real,
    lefakis,
    lefakis_eigen,
    lefakis_images,
    sees,
    vinh,
    vinh_large,
    vinh_times,
)
from .cells import Cells
from .paper_table import Means, PaperTable, Result, make

TABLES: dict[str, PaperTable] = {
    table.name: table
    for table in (
        sees.TABLE,
        lefakis.FIGURE1,
        lefakis.TABLE2,
        lefakis_images.TABLE3,
        lefakis_images.TABLE4,
        lefakis_images.TABLE5,
        lefakis_images.OTHER,
        lefakis_images.BACKWARD,
        brown.STABILITY,
        brown.SIMILARITY,
        brown.TRADEOFF,
        brown.SMALL,
        brown.EXTREMES,
        lefakis_eigen.UPDATE,
        lefakis_eigen.SAMPLES,
        lefakis_images.ROWS,
        vinh_times.TABLE2,
        vinh_times.TABLE3,
        vinh.TABLE4,
        vinh.TABLE5,
        vinh_large.FIGURE2,
        jitkrittum.TABLE4,
        jitkrittum.TABLE5,
        jitkrittum_real.TABLE7,
        jitkrittum_artefacts.ARTEFACTS,
        jitkrittum_figure.FIGURE1,
    )
}


def get_table(name: str) -> PaperTable:
    """One table by name; an unknown name is an error that lists them."""
    if name not in TABLES:
        raise InvalidParameter(f"name: no table {name!r}.{closest(name, TABLES)} There are: {', '.join(TABLES)}")
    return TABLES[name]


def reproduce(
    name: str,
    *,
    quick: bool = False,
    fresh: bool = False,
    only_kept: bool = False,
    cache_dir: str | os.PathLike[str] | None = None,
    data_dir: str | os.PathLike[str] | None = None,
    n_jobs: int | None = None,
    verbose: int = 0,
) -> Result:
    """A table of the papers made again, our figures beside theirs.

    quick : fewer trials or data sets. fresh : compute kept cells again. only_kept : compute nothing.
    cache_dir : where finished cells are kept, else ENTROPICK_CACHE or the user's caches.
    data_dir : a folder of .npz data sets, else ENTROPICK_DATA; what it lacks is asked of OpenML, or skipped and said.
    """
    return make(
        get_table(name),
        quick=quick,
        fresh=fresh,
        only_kept=only_kept,
        cells=Cells(cache_dir),
        means=Means(data_dir, n_jobs, cache_dir),
        verbose=verbose,
    )
