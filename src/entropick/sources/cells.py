"""Single cells: AnnData in memory, ``.h5ad`` files and zarr stores, read a run of cells at a time.

Features are the genes of ``X`` or of a layer; what ``obs`` knows of the cells is beside them, under its own names.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import EntropickError, InvalidInput, InvalidParameter, MissingExtra, closest
from .annotated import AnnotatedSource, ArrayMatrix, annotated
from .frames import from_frame
from .limits import half_of_memory
from .table import Table

INDEX = "obs_names"  # what the names of the cells are called where their index has no name
RAW = "raw"
BY_COLUMNS = 4  # times its size, that a matrix held by columns takes while it is turned around


# what readers of HDF5 and zarr stumble over in a damaged file
FOREIGN = (
    ValueError, LookupError, RuntimeError, OSError, EOFError, TypeError, AttributeError, ArithmeticError, MemoryError,
    AssertionError,
)  # fmt: skip


def is_anndata(X: Any) -> bool:
    return type(X).__module__.partition(".")[0] == "anndata" and hasattr(X, "obs") and hasattr(X, "var_names")


def open_anndata(data: Any, layer: str | None = None) -> AnnotatedSource:
    """The source of an AnnData object, in memory or backed."""
    if layer is None:
        values, names = data.X, data.var_names
    elif layer in data.layers:
        values, names = data.layers[layer], data.var_names
    elif layer == RAW and data.raw is not None:
        values, names = data.raw.X, data.raw.var_names
    else:
        raise _no_layer(layer, [*data.layers, *([RAW] if data.raw is not None else [])])
    if values is None:
        raise InvalidInput(f"X: this AnnData has no X; name a layer (layer=): {_listed(list(data.layers))}")
    return annotated(_matrix(values, "X", None), [str(name) for name in names], _beside(data.obs))


def open_cells(path: Path, layer: str | None = None, memory: int | None = None) -> AnnotatedSource:
    """The source of a ``.h5ad`` file or of a zarr store, which is read when rows are asked for."""
    told = f"file: {path.name!r} is no {'zarr store' if path.is_dir() else '.h5ad file'} of cells that can be read"
    with reading(told):
        group = root(path)
        read, at = _reader(), _place(group, layer)
        beside = _beside(read(group["obs"]))
        var = group["raw/var"] if at.startswith(f"{RAW}/") else group["var"]
        names = [str(name) for name in read(var).index]
        matrix = BackedMatrix(_stored(group[at]), told, memory)
    if matrix.shape != (beside.n_rows, len(names)):
        shape = "×".join(map(str, matrix.shape))
        raise InvalidInput(f"{told} ({at} is {shape}, with {beside.n_rows} cells and {len(names)} genes)")
    source = annotated(matrix, names, beside)
    if hasattr(group, "close"):
        source.hold(group)
    return source


@contextmanager
def reading(told: str) -> Iterator[None]:
    """What goes wrong in the readers is the file's fault."""
    try:
        yield
    except EntropickError:
        raise
    except FOREIGN + _own_of_anndata() as error:
        line = str(error).partition("\n")[0] or type(error).__name__
        raise InvalidInput(f"{told} ({line:.160})") from error


def _own_of_anndata() -> tuple[type[Exception], ...]:
    """Its error over an element of a kind that it does not know."""
    registry: Any = sys.modules.get("anndata._io.specs.registry")
    return () if registry is None else (registry.IORegistryError,)


class BackedMatrix(ArrayMatrix):
    """A matrix in a file. One that is held by columns gives rows only as a whole, and so must fit into memory."""

    def __init__(self, values: Any, told: str, memory: int | None) -> None:
        nbytes = None
        if hasattr(values, "format"):
            held = values.group
            nbytes = sum(int(held[name].size) * held[name].dtype.itemsize for name in ("data", "indices", "indptr"))
            limit = half_of_memory() if memory is None else memory
            if values.format == "csc":
                if BY_COLUMNS * nbytes > limit:
                    raise InvalidInput(
                        f"{told.partition(' is no ')[0]}: the matrix is held by genes"
                        f" (CSC) and takes {nbytes >> 20} MB, too much to be turned around within the limit of"
                        f" {limit >> 20} MB; write it by cells (adata.X = adata.X.tocsr()), or raise memory (--memory)"
                    )
                values = values.to_memory().tocsr()
        super().__init__(values, "X", nbytes)
        self._told = told

    def rows(self, start: int, stop: int, columns: Any) -> Table:
        with reading(self._told):
            return super().rows(start, stop, columns)


def _matrix(values: Any, what: str, nbytes: int | None) -> ArrayMatrix:
    """Of whatever AnnData holds: an array, a sparse matrix, or a data set in a file."""
    if hasattr(values, "tocsr") and not hasattr(values, "to_memory"):
        nbytes = sum(int(part.nbytes) for part in (values.data, values.indices, values.indptr))
        values = values.tocsr()
    elif hasattr(values, "format") and hasattr(values, "group"):
        return BackedMatrix(values, "file: the one behind this AnnData is no .h5ad file of cells", None)
    return ArrayMatrix(values, what, nbytes)


def _beside(obs: Any) -> Table:
    """What is known of the cells, their names first."""
    index = obs.index.name if isinstance(obs.index.name, str) and obs.index.name else INDEX
    frame = obs.copy(deep=False)
    frame.columns = [str(name) for name in frame.columns]
    if index not in frame.columns:
        frame.insert(0, index, np.asarray(obs.index.astype(str), dtype=object))
    table = from_frame(frame.reset_index(drop=True))
    assert table is not None
    return table


# -- files ---------------------------------------------------------------------------------------------------


def _reader() -> Any:
    try:
        from anndata.io import read_elem
    except ImportError as error:
        raise MissingExtra("anndata", "cells", "reading cells") from error
    return read_elem


def root(path: Path, mode: str = "r") -> Any:
    """The root of the file or store."""
    if path.is_dir():
        try:
            import zarr
        except ImportError as error:
            raise MissingExtra("zarr", "cells", "reading a zarr store") from error
        if mode == "r":
            return zarr.open_group(str(path), mode=mode)
        try:  # what is known of a store at one place cannot be changed element by element
            return zarr.open_group(str(path), mode=mode, use_consolidated=False)
        except TypeError:  # zarr 2, which never asks there
            return zarr.open_group(str(path), mode=mode)
    try:
        import h5py
    except ImportError as error:
        raise MissingExtra("h5py", "cells", "reading a .h5ad file") from error
    return h5py.File(path, mode)


def finished(path: Path, group: Any) -> None:
    """After writing: a file is closed, and what is known of a store at one place is brought up to date."""
    if hasattr(group, "close"):
        group.close()
    elif any((path / name).exists() for name in ("zarr.json", ".zmetadata")):
        import warnings

        import zarr

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that this is not in the third version's standard yet
            zarr.consolidate_metadata(str(path))


def written() -> tuple[Any, Any]:
    """What reads and what writes an element of a file."""
    read = _reader()
    from anndata.io import write_elem

    return read, write_elem


def _place(group: Any, layer: str | None) -> str:
    """Where in the file the matrix is."""
    layers = list(group["layers"]) if "layers" in group else []
    if layer is None:
        if "X" not in group:
            raise InvalidInput(f"X: the file has no X; name a layer (layer=, --layer): {_listed(layers)}")
        return "X"
    if layer in layers:
        return f"layers/{layer}"
    raw = RAW in group and "X" in group[RAW]
    if layer == RAW and raw:
        return f"{RAW}/X"
    raise _no_layer(layer, [*layers, *([RAW] if raw else [])])


def _stored(held: Any) -> Any:
    """A sparse data set, or a dense one as it is."""
    from anndata.io import sparse_dataset

    return held if hasattr(held, "shape") else sparse_dataset(held)


def _no_layer(layer: Any, known: list[str]) -> InvalidParameter:
    near = closest(str(layer), known)
    return InvalidParameter(f"layer: no layer {layer!r}.{near} There are: {_listed(known)}")


def _listed(names: list[str]) -> str:
    return ", ".join(map(repr, names)) or "none"
