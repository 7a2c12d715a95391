"""Counts as 10x Genomics and others leave them: a folder of ``matrix.mtx``, ``barcodes.tsv`` and ``features.tsv``.

The matrix has genes in rows and is turned around; a gene goes by its symbol where the file has one. ``.mtx`` on its own
is rows × columns as it is written. All may be packed (``.gz``). Labels come from a second file, by the barcodes.
"""

from __future__ import annotations

import csv
import gzip
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import InvalidInput
from .annotated import AnnotatedSource, ArrayMatrix, annotated
from .cells import reading
from .limits import half_of_memory
from .table import ColumnTable, held_column

BARCODE = "barcode"
ROWS = ("barcodes.tsv", "cells.tsv")
COLUMNS = ("features.tsv", "genes.tsv")
ENTRY_BYTES = 48  # that an entry takes while the file is read and turned around


def matrix_in(folder: Path) -> Path | None:
    """The matrix of a folder that 10x left, or None."""
    found = (folder / name for name in ("matrix.mtx", "matrix.mtx.gz"))
    return next((path for path in found if path.is_file()), None)


def open_mtx(path: Path, memory: int | None = None) -> AnnotatedSource:
    """The source of a MatrixMarket file, with the names in the files beside it."""
    from scipy.io import mmread

    barcodes, features = _beside(path.parent, ROWS), _beside(path.parent, COLUMNS)
    told = f"file: {path.name!r} is no MatrixMarket file that can be read"
    with reading(told):
        _check_size(path, told, memory)
        matrix: Any = mmread(str(path), spmatrix=False)
        turned = barcodes is not None and features is not None
        matrix = (matrix.T if turned else matrix).tocsr() if hasattr(matrix, "tocsr") else matrix
    if barcodes is None or features is None:
        return annotated(_held(matrix), [f"x{j}" for j in range(matrix.shape[1])], None)
    if matrix.shape != (len(barcodes), len(features)):
        raise InvalidInput(
            f"file: {path.name!r} has {matrix.shape[1]} rows and {matrix.shape[0]} columns, with {len(features)}"
            f" features and {len(barcodes)} barcodes beside it; they are not of the same run"
        )
    names = [line[1] if len(line) > 1 and line[1] else line[0] for line in features]
    cells = np.array([line[0] for line in barcodes], dtype=object)
    beside = ColumnTable([BARCODE], [held_column("category", cells)], len(cells))
    return annotated(_held(matrix), names, beside)


def _opened(path: Path) -> Any:
    return gzip.open(path) if path.suffix.lower() == ".gz" else open(path, "rb")


def _held(matrix: Any) -> ArrayMatrix:
    if not hasattr(matrix, "indptr"):
        return ArrayMatrix(matrix, "file")
    return ArrayMatrix(matrix, "file", sum(int(part.nbytes) for part in (matrix.data, matrix.indices, matrix.indptr)))


def _check_size(path: Path, told: str, memory: int | None) -> None:
    """The entries that the header claims fit into memory."""
    with _opened(path) as file:
        line = file.readline(1 << 16)
        if not line.lower().startswith(b"%%matrixmarket matrix"):
            raise InvalidInput(f"{told} (it does not begin with %%MatrixMarket matrix)")
        while line.startswith(b"%"):
            line = file.readline(1 << 16)
    sizes = [int(word) for word in line.split()]
    if len(sizes) not in (2, 3) or min(sizes) < 0:
        raise InvalidInput(f"{told} (its size must be two or three whole numbers, got {line[:60]!r})")
    limit = half_of_memory() if memory is None else memory
    needed = ENTRY_BYTES * (sizes[2] if len(sizes) == 3 else sizes[0] * sizes[1]) + 8 * (sizes[0] + sizes[1])
    if needed > limit:
        raise InvalidInput(
            f"file: {path.name!r} claims {needed // ENTRY_BYTES} entries, which take {needed >> 20} MB to read, and the"
            f" limit is {limit >> 20} MB; raise memory (--memory), or write it as .h5ad"
        )


def _beside(folder: Path, names: tuple[str, ...]) -> list[list[str]] | None:
    """The lines of the first of these files that is there, packed or not."""
    for name in names:
        for path in (folder / name, folder / f"{name}.gz"):
            if path.is_file():
                with reading(f"file: {path.name!r} cannot be read"), _opened(path) as file:
                    text = file.read().decode("utf-8")
                lines = csv.reader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE)
                return [line for line in lines if line]
    return None
