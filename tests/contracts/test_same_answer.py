"""The same rows give the same answer, wherever they are and however they are cut.

Counts are integers: every number of a selection by counts must be equal to the last bit. Sums of floats (moments,
marginals) may differ by rounding: the features must be the same, the scores nearly.
"""

from __future__ import annotations

import os
import signal
from contextlib import contextmanager
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import entropick as ep
from engines import killing, spark_session
from entropick.selectors.answer import run
from entropick.selectors.request import Request
from entropick.sources import TableSource, as_table, open_source
from entropick.sources.blocks import LocalBlocks
from entropick.statistics.saved import Statistics
from recorded.runs import mixed

COUNTED = ("mim", "jmi", "cmim", "mrmr")
SUMMED = ("gc.mi", "fisher")
METHODS = (*COUNTED, "joint", *SUMMED)
HERE, KEPT = 1 << 62, 0  # bytes of coded rows that may be gathered: all, none


def features(frame, method):
    """What the method can take: the Gaussian ones need numbers without gaps."""
    return frame[["wave", "slope", "steps", "noise", "label"]] if method in SUMMED else frame


def assert_same(found, expected):
    assert found.names == expected.names
    if expected.method in COUNTED:
        assert found.steps == expected.steps
    else:
        np.testing.assert_allclose(found.scores, expected.scores, rtol=1e-9, atol=1e-12)
    assert found.n_samples == expected.n_samples


@pytest.fixture(scope="module")
def frame():
    """300 rows, columns of every kind, with gaps and ties; the label depends on several together."""
    count = pd.array(np.random.default_rng(8).poisson(30, 300), dtype="Int64").copy()
    return mixed(300).drop(columns=["amount", "times"]).assign(count=count)


@pytest.fixture(scope="module")
def in_memory(frame):
    return {method: ep.select(features(frame, method), "label", method=method, k=4) for method in METHODS}


def by_blocks(source, method, *, rows=None, room=HERE, target="label", k=4):
    """The answer of rows that come in blocks."""
    blocks = LocalBlocks(source, rows=rows)
    blocks.room = room
    return run(blocks, target, Request(method=method, k=k)).selection


# -- files, chunks ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", ["rows.csv", "rows.csv.gz", "rows.parquet"])
def test_files(frame, in_memory, method, name, tmp_path):
    path = tmp_path / name
    part = features(frame, method)
    _ = part.to_parquet(path) if name.endswith("parquet") else part.to_csv(path, index=False)
    assert_same(ep.select(path, "label", method=method, k=4), in_memory[method])
    with open_source(path) as source:
        assert_same(by_blocks(source, method, rows=37), in_memory[method])
        assert_same(by_blocks(source, method, rows=37, room=KEPT), in_memory[method])


@pytest.mark.parametrize("method", METHODS)
def test_generator_of_chunks(frame, in_memory, method):
    part = features(frame, method)
    cuts = [0, 1, 50, 51, 200, 300]
    chunks = (part[start:stop] for start, stop in pairwise(cuts))
    assert_same(ep.select(chunks, "label", method=method, k=4), in_memory[method])


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("room", [HERE, KEPT])
def test_chunks_of_any_size(frame, in_memory, method, room):
    source = TableSource(as_table(features(frame, method)))
    for rows in (1, 7, 299, 1000) if method in COUNTED else (2, 7, 299, 1000):
        assert_same(by_blocks(source, method, rows=rows, room=room), in_memory[method])


@st.composite
def tables(draw):
    """A frame of few rows and any columns, and a target of any kind."""
    n = draw(st.integers(6, 40))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    gap = rng.random(n) < draw(st.sampled_from([0.0, 0.3]))
    makers = {
        "numbers": lambda: np.where(gap, np.nan, rng.normal(size=n) * 10.0 ** rng.integers(-9, 9)),
        "ties": lambda: np.where(gap, np.nan, rng.integers(0, 7, n) / 4),
        "integers": lambda: rng.integers(-100, 100, n),
        "levels": lambda: rng.integers(0, 3, n),
        "flags": lambda: rng.random(n) < 0.5,
        "texts": lambda: np.where(gap, None, rng.choice(list("abc"), n)),
        "constant": lambda: np.full(n, 2.5),
    }
    kinds = draw(st.lists(st.sampled_from(sorted(makers)), min_size=2, max_size=6))
    frame = pd.DataFrame({f"{kind}{j}": makers[kind]() for j, kind in enumerate(kinds)})
    target = draw(st.sampled_from(["classes", "words", "quantity"]))
    first = pd.factorize(frame.iloc[:, 0])[0]
    y = {
        "classes": lambda: (first + rng.integers(0, 2, n)) % 3,
        "words": lambda: rng.choice(["no", "yes"], n),
        "quantity": lambda: first + rng.normal(size=n),
    }[target]()
    y[:2] = {"classes": [0, 1], "words": ["no", "yes"], "quantity": [0.25, 1.5]}[target]
    return frame.assign(target=y)


@settings(max_examples=40)
@given(tables(), st.sampled_from(COUNTED), st.integers(1, 41), st.sampled_from([HERE, KEPT]))
def test_any_table_in_any_chunks(frame, method, rows, room):
    expected = ep.select(frame, "target", method=method, k=None)
    found = by_blocks(TableSource(as_table(frame)), method, rows=rows, room=room, target="target", k=None)
    assert_same(found, expected)
    assert found.task == expected.task


# -- statistics of several parties -----------------------------------------------------------------------------


def merged(frame, target, cut, folder):
    """Saved apart, under the coding of all the rows; loaded and merged."""
    rules = Statistics.collect(frame, target)
    for number, part in enumerate((frame[:cut], frame[cut:])):
        Statistics.collect(part, target, coding=rules).save(folder / f"{number}.stats")
    one, two = (Statistics.load(folder / f"{number}.stats") for number in (0, 1))
    return one.merge(two)


@pytest.mark.parametrize("cut", [1, 120])
@pytest.mark.parametrize("method", METHODS)
def test_merged_statistics(frame, in_memory, method, cut, tmp_path):
    found = merged(features(frame, method), "label", cut, tmp_path).select(method=method, k=4)
    assert_same(found, in_memory[method])


@settings(max_examples=15)
@given(tables(), st.sampled_from(COUNTED), st.floats(0, 1))
def test_any_tables_statistics_merged(tmp_path_factory, frame, method, fraction):
    cut = 1 + round(fraction * (len(frame) - 2))
    found = merged(frame, "target", cut, tmp_path_factory.mktemp("parties"))
    assert_same(found.select(method=method, k=None), ep.select(frame, "target", method=method, k=None))


# -- Dask ------------------------------------------------------------------------------------------------------


@settings(max_examples=15)
@given(tables(), st.sampled_from(COUNTED), st.integers(1, 9))
def test_any_table_in_dask_partitions(frame, method, parts):
    dd = pytest.importorskip("dask.dataframe", reason="Dask frames are not installed")
    expected = ep.select(frame, "target", method=method, k=None)
    assert_same(ep.select(dd.from_pandas(frame, npartitions=parts), "target", method=method, k=None), expected)


@contextmanager
def rows_stay_on_the_workers(monkeypatch):
    """Coded rows are asked where they are, as with more of them than fit here."""
    from entropick.sources.engines.dask_blocks import DaskBlocks
    from entropick.sources.engines.spark_blocks import SparkBlocks

    with monkeypatch.context() as patch:
        patch.setattr(DaskBlocks, "room", KEPT)
        patch.setattr(SparkBlocks, "room", KEPT)
        yield


def test_dask_frame(client, frame, in_memory, monkeypatch):
    import dask.dataframe as dd

    for method in METHODS:
        lazy = dd.from_pandas(features(frame, method), npartitions=5)
        assert_same(ep.select(lazy, "label", method=method, k=4), in_memory[method])
        if method not in SUMMED:
            with rows_stay_on_the_workers(monkeypatch):
                assert_same(ep.select(lazy, "label", method=method, k=4), in_memory[method])


def test_dask_array(client, frame):
    import dask.array as da

    X, y = features(frame, "gc.mi").drop(columns="label").to_numpy(), pd.factorize(frame["label"])[0]
    for method in METHODS:
        expected = ep.select(X, y, method=method, k=3)
        assert_same(ep.select(da.from_array(X, chunks=(70, 2)), y, method=method, k=3), expected)


def test_selector_of_a_column_of_the_table(frame, in_memory):
    selector = ep.Selector("jmi", 4).fit(frame, "label")
    assert_same(selector.selection_, in_memory["jmi"])
    chosen = [name for name in frame.columns if name in in_memory["jmi"].names]
    assert list(selector.get_feature_names_out()) == chosen
    assert selector.n_features_in_ == len(selector.feature_names_in_) == 8


def test_selector_of_dask(frame, in_memory):
    dd = pytest.importorskip("dask.dataframe", reason="Dask frames are not installed")
    lazy = dd.from_pandas(frame, npartitions=3)
    selector = ep.Selector("jmi", 4).fit(lazy, "label")
    assert_same(selector.selection_, in_memory["jmi"])
    chosen = [name for name in frame.columns if name in in_memory["jmi"].names]
    assert list(selector.get_feature_names_out()) == chosen
    assert list(selector.transform(lazy).compute().columns) == chosen


def load(folder, number):
    """A part of the rows. Reading part 2 for the third time, in the midst of a run, kills the worker, once."""
    reads = sum(path.name.startswith(f"read-{number}-") for path in folder.iterdir())
    (folder / f"read-{number}-{reads}").touch()
    if (number, reads) == (2, 2):
        os.kill(os.getpid(), signal.SIGKILL)
    return pd.read_pickle(folder / f"rows-{number}")


@pytest.mark.parametrize("method", ["jmi", "joint", "gc.mi"])
def test_dask_worker_killed_while_it_reads(client, frame, in_memory, method, tmp_path):
    import dask

    part = features(frame, method)
    for number in range(6):
        part[50 * number : 50 * number + 50].to_pickle(tmp_path / f"rows-{number}")
    lazy = [dask.delayed(load, pure=False)(tmp_path, number) for number in range(6)]
    assert_same(ep.select(lazy, "label", method=method, k=4), in_memory[method])
    assert (tmp_path / "read-2-3").exists()


@pytest.mark.parametrize("method", ["jmi", "joint"])
def test_dask_worker_killed_between_steps(client, frame, in_memory, method, monkeypatch):
    import dask.dataframe as dd

    from entropick.sources.engines.dask_blocks import DaskParts

    asked = DaskParts.reduce
    steps = []

    def reduce(self, ask, merge):
        steps.append(ask)
        if len(steps) == 3:
            held = client.has_what()
            busy = max(held, key=lambda worker: len(held[worker]))
            assert held[busy]
            os.kill(client.run(os.getpid, workers=[busy])[busy], signal.SIGKILL)
        return asked(self, ask, merge)

    monkeypatch.setattr(DaskParts, "reduce", reduce)
    with rows_stay_on_the_workers(monkeypatch):
        found = ep.select(dd.from_pandas(frame, npartitions=5), "label", method=method, k=4)
    assert len(steps) >= 3
    assert_same(found, in_memory[method])


# -- Spark -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def spark():
    return spark_session()


@pytest.fixture(scope="module")
def on_spark(spark, frame):
    """The frame, and the part of it that has numbers only, in three partitions."""
    import pyarrow as pa

    def lazy(method):
        table = pa.Table.from_pandas(features(frame, method), preserve_index=False)
        return spark.createDataFrame(table).repartition(3).cache()

    return dict.fromkeys((*COUNTED, "joint"), lazy("jmi")) | dict.fromkeys(SUMMED, lazy("gc.mi"))


@pytest.mark.parametrize("method", METHODS)
def test_spark(on_spark, in_memory, method):
    assert_same(ep.select(on_spark[method], "label", method=method, k=4), in_memory[method])


@pytest.mark.parametrize("method", ["jmi", "joint"])
def test_spark_rows_stay_on_the_workers(on_spark, in_memory, method, monkeypatch):
    with rows_stay_on_the_workers(monkeypatch):
        assert_same(ep.select(on_spark[method], "label", method=method, k=4), in_memory[method])


@pytest.mark.parametrize("method", ["jmi", "joint"])
def test_spark_worker_killed_between_passes(on_spark, in_memory, method, tmp_path):
    found = ep.select(killing(on_spark[method], tmp_path, [4]), "label", method=method, k=4)
    assert_same(found, in_memory[method])
    assert (tmp_path / "6").exists()  # two passes over three partitions, and one read again


def test_selector_of_spark(on_spark, frame):
    selector = ep.Selector("mim", 3).fit(on_spark["mim"], "label")
    expected = ep.Selector("mim", 3).fit(frame, "label")
    assert_same(selector.selection_, expected.selection_)
    assert selector.transform(on_spark["mim"]).columns == list(expected.get_feature_names_out())
