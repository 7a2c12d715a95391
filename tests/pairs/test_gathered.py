"""Rows of a scan from files, blocks, Dask and Spark: the same answer as from memory."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import entropick as ep
from entropick.errors import InvalidInput, InvalidParameter
from entropick.sources.blocks import LocalBlocks
from entropick.sources.origin import InBlocks
from entropick.sources.source import TableSource
from entropick.sources.table import as_table

CHOSEN = ["a", "b", "n", "t", "h"]


@pytest.fixture(scope="module")
def frame():
    random = np.random.default_rng(0)
    X = pd.DataFrame(random.integers(0, 3, (500, 8)), columns=list("abcdefgh"))
    X["n"] = random.normal(size=500)
    X["t"] = random.choice(["u", "v", "w"], 500)
    X.loc[::50, "t"] = None
    X["y"] = np.where((X.a > 0) ^ (X.t == "u"), "yes", "no")
    return X


def of(X, **options):
    return ep.interactions(X, "y", columns=CHOSEN, **options).pairs


def test_files_and_blocks(frame, tmp_path):
    whole = of(frame)
    assert whole[0].features == ("a", "t")
    assert {name for pair in whole for name in pair.features} == set(CHOSEN)
    frame.to_parquet(tmp_path / "rows.parquet")
    frame.to_csv(tmp_path / "rows.csv", index=False)
    assert of(tmp_path / "rows.parquet") == whole
    assert of(tmp_path / "rows.csv") == whole
    assert of(InBlocks(LocalBlocks(TableSource(as_table(frame)), rows=70), "y")) == whole
    assert ep.interactions(frame, "y", columns=[0, 1, 8, 9, 7]).pairs[0] == whole[0]


def test_dask(frame):
    dask = pytest.importorskip("dask.dataframe")
    assert of(dask.from_pandas(frame, npartitions=3)) == of(frame)
    with pytest.raises(
        InvalidInput, match="columns: must name the columns to look at where the rows are held by workers"
    ):
        ep.interactions(dask.from_pandas(frame, npartitions=3), "y")


def test_covariates_come_along(frame):
    blocks = InBlocks(LocalBlocks(TableSource(as_table(frame)), rows=70), "y")
    assert of(blocks, given="c") == of(frame, given="c")


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        (["a", "zz"], "columns: X has no column 'zz'"),
        ([0, 99], "columns: must be names, or numbers"),
        (["a", "a"], "differ"),
    ],
)
def test_what_is_refused(frame, columns, words):
    with pytest.raises(InvalidParameter, match=words):
        ep.interactions(frame, "y", columns=columns)
