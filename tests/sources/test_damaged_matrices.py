"""Files of cells, genotypes and entries with bytes cut off, changed or left out: an error in words, or an answer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from scipy.io import mmwrite

import entropick as ep
from entropick.sources import open_source

N, D, TIMES = 80, 12, 100


def table() -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(1)
    y = random.integers(0, 2, N)
    return random.binomial(2, 0.3 + 0.2 * y[:, None], (N, D)), y


def h5ad(folder: Path, compression: Any = None) -> tuple[Path, Any]:
    anndata = pytest.importorskip("anndata", reason="the extra cells is not installed")
    X, y = table()
    cells = anndata.AnnData(
        sparse.csr_matrix(X.astype(np.float32)),
        obs=pd.DataFrame({"type": pd.Categorical(y.astype(str))}, index=[f"c{i}" for i in range(N)]),
        var=pd.DataFrame(index=[f"g{j}" for j in range(D)]),
    )
    cells.write_h5ad(folder / "a.h5ad", compression=compression)
    return folder / "a.h5ad", "type"


def packed_h5ad(folder: Path) -> tuple[Path, Any]:
    return h5ad(folder, "gzip")


def bed(folder: Path) -> tuple[Path, Any]:
    reader = pytest.importorskip("bed_reader", reason="the extra genetics is not installed")
    X, y = table()
    people = {"iid": [f"p{i}" for i in range(N)], "pheno": [str(one + 1) for one in y]}
    reader.to_bed(folder / "a.bed", X.astype(np.float32), properties=people)
    return folder / "a.bed", "phenotype"


def mtx(folder: Path) -> tuple[Path, Any]:
    X, y = table()
    mmwrite(folder / "a.mtx", sparse.coo_array(X))
    return folder / "a.mtx", y


def damaged(whole: bytes, seed: int) -> bytes:
    random = np.random.default_rng(seed)
    if seed % 3 == 0:
        return whole[: random.integers(len(whole))]
    if seed % 3 == 1:
        other = bytearray(whole)
        for at in random.integers(len(whole), size=random.integers(1, 12)):
            other[at] = random.integers(256)
        return bytes(other)
    first, length = random.integers(len(whole)), int(random.integers(1, 200))
    noise = random.integers(0, 256, length, dtype=np.uint8).tobytes() if random.random() < 0.5 else b""
    return whole[:first] + noise + whole[first + length :]


def asked(path: Path, y: Any) -> None:
    if isinstance(y, str):
        ep.select(path, y, method="jmi", k=2)
        return
    with open_source(path) as source:
        X = source.table()
    ep.select(X, np.resize(y, X.n_rows), method="jmi", k=2)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("make", "which"), [(h5ad, ""), (packed_h5ad, ""), (mtx, ""), (bed, ""), (bed, ".bim"), (bed, ".fam")]
)
def test_damage_is_told_in_words(make: Any, which: str, tmp_path: Path) -> None:
    path, y = make(tmp_path)
    hurt = path.with_suffix(which) if which else path
    whole, told = hurt.read_bytes(), []
    for seed in range(TIMES):
        hurt.unlink()  # readers know a file by its number
        hurt.write_bytes(damaged(whole, seed))
        try:
            asked(path, y)
        except ep.EntropickError as error:
            told.append(str(error))
    assert len(told) > TIMES / 5
    assert all(0 < len(one) < 500 for one in told)
