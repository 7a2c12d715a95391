"""A selection written into the cells that it was made from: ranks in ``var``, the whole answer in ``uns``."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import InvalidInput, InvalidParameter
from ..selection import Selection
from ..sources.cells import finished, is_anndata, reading, root, written


def write_back(selection: Selection, data: Any, key: str) -> None:
    """``var["KEY_rank"]``, 1 for the gene chosen first and NaN for those that were not; ``uns["KEY"]``.

    data: an AnnData object in memory, or the name of its ``.h5ad`` file or zarr store, which is changed in place.
    """
    if not isinstance(key, str) or not key or "/" in key:
        raise InvalidParameter(f"key: must be a name without strokes, got {key!r}")
    if is_anndata(data):
        data.var[f"{key}_rank"] = _ranks(selection, [str(name) for name in data.var_names])
        data.uns[key] = _record(selection)
        return
    if not isinstance(data, (str, os.PathLike)):
        raise InvalidInput(f"data: must be an AnnData object or the name of its file, got {type(data).__name__}")
    path = Path(data)
    with reading(f"file: {path.name!r} cannot be written to"):
        group = root(path, "r+")
        try:
            read, write = written()
            var = read(group["var"])
            var[f"{key}_rank"] = _ranks(selection, [str(name) for name in var.index])
            write(group, "var", var)
            write(group, f"uns/{key}", _record(selection))
        finally:
            finished(path, group)


def _ranks(selection: Selection, genes: list[str]) -> Any:
    chosen = dict(zip(selection.names, range(1, len(selection.names) + 1), strict=True))
    ranks = np.array([chosen.get(name, np.nan) for name in genes], dtype=np.float64)
    if chosen and np.isnan(ranks).all():
        raise InvalidInput(
            f"data: has other genes than were selected from: {selection.names[0]!r} is not among its {len(genes)}"
        )
    return ranks


def _record(selection: Selection) -> dict[str, Any]:
    return {
        "method": selection.method,
        "names": np.array(selection.names, dtype=object),
        "scores": np.array(selection.scores),
        "p_values": np.array(selection.p_values),
        "units": selection.units,
        "version": selection.version,
        "selection": selection.to_json(),  # read again by Selection.from_json
    }
