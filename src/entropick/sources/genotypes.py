"""Genotypes of PLINK: ``.bed`` with its ``.bim`` and ``.fam``, read by bed-reader a run of people at a time.

A feature is how often somebody has the first allele of the ``.bim`` line, 0, 1 or 2; a missing call is missing. Beside
the genotypes are ``iid``, ``sex`` and ``phenotype`` of the ``.fam`` file.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import InvalidInput, MissingExtra
from .annotated import AnnotatedSource, Matrix, annotated
from .cells import reading
from .table import Array, Column, ColumnTable, Table, held_column, row_numbers

MAGIC = b"\x6c\x1b"
MISSING = -127  # what bed-reader writes for a call that is not there
PHENOTYPE = "phenotype"
NOTHING = ("-9", "NA", "nan", "")  # a phenotype that is not known


def open_bed(path: Path) -> AnnotatedSource:
    """The source of a PLINK file."""
    try:
        from bed_reader import open_bed as opened
    except ImportError as error:
        raise MissingExtra("bed-reader", "genetics", "reading PLINK files") from error
    told = f"file: {path.name!r} is no PLINK .bed file that can be read"
    with open(path, "rb") as file:
        head = file.read(3)
    if head[:2] != MAGIC:
        raise InvalidInput(f"{told} (it does not begin as one)")
    for suffix in (".bim", ".fam"):
        if not path.with_suffix(suffix).is_file():
            raise InvalidInput(f"{told} (there is no {path.with_suffix(suffix).name!r} beside it)")
    with reading(told):
        bed = opened(path, num_threads=1)
        n, d = (int(size) for size in bed.shape)
        line, lines = (n, d) if head[2] else (d, n)
        size = path.stat().st_size
        if size != 3 + lines * -(-line // 4):
            raise InvalidInput(f"{told} (it has {size} bytes, not those of {n} people and {d} variants)")
        names = [
            sid if sid not in ("", ".") else f"{chromosome}:{place}"
            for sid, chromosome, place in zip(bed.sid, bed.chromosome, bed.bp_position, strict=True)
        ]
        beside = _people(bed, n)
    return annotated(Genotypes(bed, (n, d), told), names, beside)


class Genotypes(Matrix):
    """Calls in a file."""

    kind = "integer"

    def __init__(self, bed: Any, shape: tuple[int, int], told: str) -> None:
        self._bed, self.shape, self._told = bed, shape, told
        self.nbytes = shape[0] * shape[1]

    def rows(self, start: int, stop: int, columns: Any) -> Table:
        with reading(self._told):
            calls = self._bed.read(index=np.s_[start:stop, columns], dtype="int8", order="F")
        return GenotypeTable(calls, [f"x{j}" for j in range(calls.shape[1])])


class GenotypeTable(Table):
    """(n_rows, n_columns) int8 calls, −127 where missing."""

    def __init__(self, calls: Array, names: Sequence[str]) -> None:
        super().__init__(names, len(calls), named=True)
        self._calls = calls

    def kind(self, j: int) -> str:
        return "integer"

    def column(self, j: int) -> Array:
        calls = self._calls[:, j]
        gone = calls == MISSING
        return np.where(gone, np.float32(np.nan), calls.astype(np.float32)) if gone.any() else calls

    def take(self, rows: Array) -> GenotypeTable:
        return GenotypeTable(self._calls[row_numbers(rows, self.n_rows)], self.names)

    def select(self, columns: Sequence[int]) -> GenotypeTable:
        columns = list(columns)
        return GenotypeTable(self._calls[:, columns], [self.names[j] for j in columns])


def _people(bed: Any, n: int) -> Table:
    """What the ``.fam`` file knows; columns of which it knows nothing are left out."""
    sex = np.array([{1: "male", 2: "female"}.get(int(code)) for code in bed.sex], dtype=object)
    columns: dict[str, Column] = {"iid": held_column("category", np.array([str(i) for i in bed.iid], dtype=object))}
    if any(one is not None for one in sex):
        columns["sex"] = held_column("category", sex)
    phenotype = _phenotype([str(one) for one in bed.pheno])
    if phenotype is not None:
        columns[PHENOTYPE] = phenotype
    return ColumnTable(list(columns), list(columns.values()), n)


def _phenotype(texts: Sequence[str]) -> Column | None:
    """1 and 2 are controls and cases, 0 then not known; else numbers, or texts; None where nothing is known."""
    known = {text for text in texts if text not in NOTHING}
    classes = known <= {"0", "1", "2"}
    gone = {*NOTHING, "0"} if classes else set(NOTHING)
    if not known - gone:
        return None
    try:
        values = np.array([np.nan if text in gone else float(text) for text in texts])
    except ValueError:
        return held_column("category", np.array([None if text in gone else text for text in texts], dtype=object))
    return held_column("integer" if classes else "numeric", values)
