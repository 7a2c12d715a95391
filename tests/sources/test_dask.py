"""Dask objects as blocks: the same columns and values as in memory, on worker processes that may die."""

from __future__ import annotations

import os
import signal
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import entropick as ep
from engines import add, counted, first_column
from entropick.errors import InvalidInput, InvalidParameter
from entropick.sources import as_blocks, as_table, take_columns
from entropick.sources.engines.dask_blocks import DaskParts

dask = pytest.importorskip("dask", reason="Dask is not installed")
da = pytest.importorskip("dask.array", reason="Dask arrays are not installed")
dd = pytest.importorskip("dask.dataframe", reason="Dask frames are not installed")
pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
db = pytest.importorskip("dask.bag", reason="Dask bags are not installed")


@pytest.fixture
def frame():
    """30 rows with a column of every kind that pandas can hold."""
    rng = np.random.default_rng(0)
    n = 30
    number = rng.normal(size=n)
    text = rng.choice(["a", "b", "ü"], n)
    gap = rng.random(n) < 0.3
    return pd.DataFrame(
        {
            "number": np.where(gap, np.nan, number),
            "float32": number.astype(np.float32),
            "whole": rng.integers(-3, 3, n),
            "nullable": pd.array(rng.integers(0, 9, n), dtype="Int64").copy(),
            "flag": rng.random(n) < 0.5,
            "text": text,
            "category": pd.Categorical(np.where(gap, None, text)),
            "coded": pd.Categorical(rng.integers(8, 12, n)),
            "day": pd.date_range("2020-02-27", periods=n),
            "span": pd.to_timedelta(rng.integers(0, 9, n), "h"),
            "decimal": pd.array(
                [Decimal(int(v)) / 4 for v in rng.integers(0, 9, n)], dtype=pd.ArrowDtype(pa.decimal128(9, 2))
            ),
            "label": rng.choice(["no", "yes"], n),
        }
    ).assign(nullable=lambda f: f["nullable"].mask(gap))


def in_memory(X, y=None, name="y"):
    """The same of the whole table."""
    counts = counted(as_table(X))
    return counts if y is None else counts | counted(as_table(pd.DataFrame({name: y})))


def check(blocks, expected):
    assert blocks.reduce(counted, add) == expected
    with blocks.keep(counted) as kept:
        assert kept.reduce(dict, add) == expected
        assert kept.reduce(dict, add) == expected
    assert list(zip(blocks.names, blocks.kinds, strict=True)) == list(expected)


@pytest.mark.parametrize("parts", [1, 3, 10])
def test_frame(frame, parts):
    blocks, target = as_blocks(dd.from_pandas(frame, npartitions=parts), "label")
    assert target == "label"
    check(blocks, in_memory(frame))


def test_frame_on_processes(client, frame):
    check(as_blocks(dd.from_pandas(frame, npartitions=5), "label")[0], in_memory(frame))


def test_dates_are_noted(frame):
    blocks, _ = as_blocks(dd.from_pandas(frame, npartitions=2), "label")
    assert blocks.notes == as_table(frame).notes


def test_empty_partitions_are_passed_over(frame):
    lazy = dd.from_pandas(frame, npartitions=6)
    check(as_blocks(lazy[lazy["whole"] > 0], "label")[0], in_memory(frame[frame["whole"] > 0]))


def test_categories_that_dask_does_not_know(frame):
    lazy = dd.from_pandas(frame.assign(text=frame["text"].astype(object)), npartitions=3)
    lazy = lazy.assign(text=lazy["text"].astype("category"))
    assert not lazy["text"].cat.known
    check(as_blocks(lazy, "label")[0], in_memory(frame))


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([None, None, 1, 2], "integer"),
        ([1, 2, None, 2.5], "numeric"),
        ([True, True, None, None], "boolean"),
        ([None, None, None, "a"], "category"),
        ([1, 2, "a", "b"], "category"),
        ([True, True, 3, 3], "numeric"),
        ([None] * 4, "numeric"),
        ([Decimal("0.5"), None, None, Decimal(2)], "numeric"),
    ],
)
def test_kinds_of_objects_are_found_over_all_partitions(values, kind):
    frame = pd.DataFrame({"a": pd.Series(values, dtype=object), "y": [0, 1, 0, 1]})
    with dask.config.set({"dataframe.convert-string": False}):
        blocks, _ = as_blocks(dd.from_pandas(frame, npartitions=2), "y")
        assert blocks.kinds == (kind, "integer")
        check(blocks, in_memory(frame))


def test_array_is_put_together_by_rows():
    X = np.arange(70.0).reshape(10, 7)
    y = np.arange(10) % 2
    for rows, columns in [(3, 2), (10, 7), (1, 7)]:
        blocks, target = as_blocks(da.from_array(X, chunks=(rows, columns)), da.from_array(y, chunks=rows))
        assert target == "y"
        check(blocks, in_memory(X, y))


@pytest.mark.parametrize("dtype", [np.int16, np.float32, bool, "U3", object])
def test_array_of_any_type(dtype):
    X = np.arange(12).reshape(6, 2).astype(dtype)
    y = np.array(list("uvuvuv"))
    check(as_blocks(da.from_array(X, chunks=(4, 1)), y)[0], in_memory(X, y))


def test_array_of_unknown_row_counts(frame):
    numbers = frame[["whole", "number"]]
    lazy = dd.from_pandas(numbers, npartitions=3)
    blocks, _ = as_blocks(lazy.to_dask_array(), dd.from_pandas(frame["label"], npartitions=3))
    expected = in_memory(numbers.to_numpy(), frame["label"], "label")
    check(blocks, expected)


def test_target_apart_from_the_frame(frame):
    numbers = frame[["whole", "number"]]
    y = frame["label"].rename("whole")
    blocks, target = as_blocks(dd.from_pandas(numbers, npartitions=4), dd.from_pandas(y, npartitions=4))
    assert target == "whole_"
    check(blocks, in_memory(numbers, y, "whole_"))


def test_bag_of_blocks(frame):
    pieces = [frame[:7], frame[7:7], frame[7:20], frame[20:]]
    check(as_blocks(db.from_sequence(pieces, npartitions=2), "label")[0], in_memory(frame))


def test_delayed_blocks():
    X, y = np.arange(20.0).reshape(10, 2), np.arange(10) % 3
    parts = [dask.delayed(X[:3]), dask.delayed(X[3:])], [dask.delayed(y[:3]), dask.delayed(y[3:])]
    check(as_blocks(*parts)[0], in_memory(X, y))


def test_fewer_columns(frame):
    blocks, _ = as_blocks(dd.from_pandas(frame, npartitions=3), "label")
    fewer = blocks.select([5, 11, 0])
    check(fewer, in_memory(frame[["text", "label", "number"]]))
    X, y = np.arange(20.0).reshape(10, 2), np.arange(10) % 3
    pair, _ = as_blocks(da.from_array(X, chunks=4), y)
    check(pair.select([2, 1]), {("y", "integer"): Counter(y.tolist()), ("x1", "numeric"): Counter(X[:, 1])})


def test_columns_are_taken_lazily(frame):
    lazy = dd.from_pandas(frame, npartitions=3)
    taken = take_columns(lazy, [0, 5], ["number", "text"])
    assert list(taken.columns) == ["number", "text"]
    pd.testing.assert_frame_equal(taken.compute()[["number"]], frame[["number"]])
    X = np.arange(20.0).reshape(4, 5)
    assert np.array_equal(take_columns(da.from_array(X, chunks=2), [1, 4], ["x1", "x4"]).compute(), X[:, [1, 4]])


def test_merging_keeps_the_order_of_rows():
    blocks, _ = as_blocks(da.from_array(np.arange(60.0).reshape(30, 2), chunks=(1, 2)), np.arange(30) % 2)
    assert blocks.reduce(first_column, np.append).tolist() == list(range(0, 60, 2))


# -- workers that die ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class DieOnce:
    """Counts, but kills its own process at the block with this label, the first time only."""

    place: Path
    row: float

    def __call__(self, table):
        if self.row in table.column(0):
            try:
                self.place.touch(exist_ok=False)
            except FileExistsError:
                pass
            else:
                os.kill(os.getpid(), signal.SIGKILL)
        return counted(table)


def numbers_and_target():
    X, y = np.arange(40.0).reshape(20, 2), np.arange(20) % 3
    return as_blocks(da.from_array(X, chunks=(2, 2)), y)[0], in_memory(X, y)


def test_worker_killed_while_blocks_are_read(client, tmp_path):
    blocks, expected = numbers_and_target()
    assert blocks.reduce(DieOnce(tmp_path / "dead", 28.0), add) == expected
    assert (tmp_path / "dead").exists()


def test_worker_killed_with_what_it_kept(client):
    blocks, expected = numbers_and_target()
    with blocks.keep(counted) as kept:
        assert kept.reduce(dict, add) == expected
        held = client.has_what()
        lost = max(held, key=lambda worker: len(held[worker]))
        assert held[lost]
        os.kill(client.run(os.getpid, workers=[lost])[lost], signal.SIGKILL)
        assert kept.reduce(dict, add) == expected


def test_what_is_closed_is_forgotten(client):
    blocks, _ = numbers_and_target()
    kept = blocks.keep(counted)
    assert client.futures
    kept.close()
    kept.close()
    wait_until(lambda: not client.futures)


def wait_until(true, seconds=30.0):
    """Dask forgets in the background."""
    end = time.monotonic() + seconds
    while not true() and time.monotonic() < end:
        time.sleep(0.01)
    assert true()


@pytest.fixture
def long_frame():
    """7000 rows, whose codes take more than half of the smallest memory limit."""
    random = np.random.default_rng(1)
    frame = pd.DataFrame(random.normal(size=(7000, 6))).rename(columns=str)
    return frame.assign(y=np.digitize(frame["0"] + frame["1"] * frame["2"] + random.normal(size=7000), [-1, 1]))


def same_steps(found, expected):
    """To the last bit where counts are added up, to rounding where sums are."""
    assert found.names == expected.names
    np.testing.assert_allclose(found.scores, expected.scores, rtol=1e-9 if expected.method == "joint" else 0)


@pytest.mark.parametrize("method", ["jmi", "cmim"])
def test_a_memory_limit_of_threads_sends_codes_to_disk(long_frame, method, monkeypatch):
    files = []
    temporary_file = tempfile.TemporaryFile

    def watched(**given):
        opened = temporary_file(**given)
        if given.get("prefix") == "entropick-":
            files.append(opened)
        return opened

    monkeypatch.setattr(tempfile, "TemporaryFile", watched)
    lazy = dd.from_pandas(long_frame, npartitions=20)
    found = ep.select(lazy, "y", method=method, k=4, memory="1MB")
    assert len(files) == 1
    assert files[0].closed
    same_steps(found, ep.select(long_frame, "y", method=method, k=4))


def test_a_memory_limit_leaves_codes_with_the_workers(client, long_frame):
    blocks, _ = as_blocks(dd.from_pandas(long_frame, npartitions=4), "y", 1 << 20)
    assert (blocks.memory, blocks.room) == (1 << 20, 1 << 19)
    fewer = blocks.select([0, 6])
    assert (fewer.memory, fewer.room) == (1 << 20, 1 << 19)
    with fewer.keep(counted) as kept:
        assert isinstance(kept, DaskParts)
        assert kept.reduce(dict, add) == counted(as_table(long_frame[["0", "y"]]))
    for method in ("jmi", "joint"):
        found = ep.select(dd.from_pandas(long_frame, npartitions=4), "y", method=method, k=4, memory="1MB")
        same_steps(found, ep.select(long_frame, "y", method=method, k=4))


def test_a_memory_limit_that_is_too_small_is_told():
    wide = da.random.default_rng(0).normal(size=(40, 250), chunks=(20, 250))
    with pytest.raises(InvalidParameter, match=r"2 covariance\(s\) of 250 columns, 3000000 bytes, got a limit of"):
        ep.select(wide, np.arange(40) % 2, method="gc.mi", k=3, memory="1MB")
    named = dd.from_dask_array(wide, columns=[f"x{j}" for j in range(250)])
    with pytest.raises(InvalidParameter, match="memory: the tables of all pairs of 249 features"):
        ep.Statistics.collect(named, "x0", memory="1MB")


def test_errors_come_back_from_the_workers(client):
    X = np.ones((4, 2))
    X[3, 1] = np.inf
    blocks, _ = as_blocks(da.from_array(X, chunks=2), [0, 1, 0, 1])
    with pytest.raises(InvalidInput, match="contains infinity in column 'x1'"):
        blocks.reduce(counted, add)


# -- what is refused ------------------------------------------------------------------------------------------


ARRAY = da.ones((4, 2), chunks=2)
FRAME = dd.from_pandas(pd.DataFrame({"a": [1, 2, 3, 4], "b": [0, 1, 0, 1]}), npartitions=2)


@pytest.mark.parametrize(
    ("X", "y", "match"),
    [
        (ARRAY, None, "y is None"),
        (ARRAY, [0, 1], r"one value per row of X, got shape \(2,\) for 4 rows"),
        (ARRAY, da.ones(4, chunks=4), "split into partitions as X is, got 1 for 2"),
        (ARRAY, da.ones((4, 2), chunks=2), "several targets"),
        (da.ones(4, chunks=2), [0, 1, 0, 1], "Expected 2D array, got 1D"),
        (FRAME.to_dask_array(), np.array([0, 1, 0, 1]), "unknown sizes.*compute_chunk_sizes"),
        (
            da.concatenate([FRAME.to_dask_array(), FRAME.to_dask_array()], axis=1, allow_unknown_chunksizes=True),
            FRAME["a"],
            "known sizes.*compute_chunk_sizes",
        ),
        (FRAME, np.array([0, 1, 0, 1]), "name of a column of X or a Dask series"),
        (FRAME["a"], FRAME["b"], "pass a single column as a one-column frame"),
        ([dask.delayed([[1.0]]), 3], "x0", "dask.delayed objects only"),
        (np.ones((4, 2)), FRAME["b"], "y: is of dask, so X must be as well"),
    ],
)
def test_refused(X, y, match):
    with pytest.raises(InvalidInput, match=match):
        as_blocks(X, y)


def test_partitions_that_do_not_fit():
    blocks, _ = as_blocks(ARRAY, da.ones(4, chunks=(3, 1)))
    with pytest.raises(InvalidInput, match=r"got [31] values for a partition of 2 rows"):
        blocks.reduce(counted, add)
    with pytest.raises(InvalidInput, match="same columns, got 'a' in some only"):
        as_blocks([dask.delayed(pd.DataFrame({"a": [1]})), dask.delayed(pd.DataFrame({"b": [1]}))], "a")


def test_column_that_is_not_what_dask_was_told():
    lazy = FRAME.map_partitions(lambda part: part.assign(a=part["a"] / 2), meta=FRAME._meta)
    with pytest.raises(InvalidInput, match="column 'a' must be integer in every partition, got numeric"):
        as_blocks(lazy, "b")[0].reduce(counted, add)


def test_partition_that_lacks_a_column():
    lazy = dd.from_delayed([dask.delayed(pd.DataFrame({"b": [1]}))], meta=FRAME._meta, verify_meta=False)
    with pytest.raises(InvalidInput, match="same columns, got one without 'a'"):
        as_blocks(lazy, "b")[0].reduce(counted, add)


def test_columns_of_a_bag_cannot_be_taken():
    with pytest.raises(InvalidInput, match="select them in each block"):
        take_columns(db.from_sequence([1]), [0], ["a"])


def test_target_that_is_not_there():
    with pytest.raises(InvalidInput, match="no column 'c'"):
        ep.select(FRAME, "c")
    with pytest.raises(InvalidInput, match="no column is left"):
        ep.select(FRAME[["a"]], "a")


def test_no_rows_at_all():
    blocks, _ = as_blocks(FRAME[FRAME["a"] > 9], "b")
    with pytest.raises(InvalidInput, match="0 sample"):
        blocks.reduce(counted, add)


def test_other_tables_are_left_to_others(frame):
    for X in (frame, frame.to_numpy(), [[1, 2], [3, 4]], [], {"a": [1]}, pa.Table.from_pandas(frame)):
        assert as_blocks(X, "label") is None
