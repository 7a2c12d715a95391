"""Spark frames as blocks: the same columns and values as in memory, in local[2,4]."""

from __future__ import annotations

import sys
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

import entropick as ep
from engines import add, counted, first_column, killing, rows_of, spark_session
from entropick.errors import InvalidInput, InvalidParameter, MissingExtra
from entropick.sources import as_blocks, as_table, take_columns
from entropick.sources.engines.spark_blocks import blocks_of
from fuzz.surfaces import ANSWERED, REFUSED, outcome

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")


@pytest.fixture(scope="module")
def spark():
    return spark_session()


ROWS = 14


def columns():
    """Name -> (Spark type, values), one of every type that is a number, a text or a date."""
    rng = np.random.default_rng(0)
    gap = rng.random(ROWS) < 0.3
    day = date(2020, 2, 27)
    moment = datetime(2020, 3, 28, 23, 30, tzinfo=UTC)  # the night in which Paris sets its clocks

    def gaps(values):
        return [None if missing else value for value, missing in zip(values, gap, strict=True)]

    return {
        "number": ("double", gaps(rng.normal(size=ROWS).tolist())),
        "float": ("float", rng.normal(size=ROWS).astype(np.float32).tolist()),
        "long": ("long", rng.integers(-3, 3, ROWS).tolist()),
        "nullable": ("integer", gaps(rng.integers(0, 9, ROWS).tolist())),
        "short": ("short", rng.integers(0, 9, ROWS).tolist()),
        "flag": ("boolean", gaps((rng.random(ROWS) < 0.5).tolist())),
        "te.xt `q`": ("string", gaps(rng.choice(["a", "b", "ü"], ROWS).tolist())),
        "bytes": ("binary", gaps([text.encode() for text in rng.choice(["a", "ü"], ROWS)])),
        "decimal": ("decimal(9,2)", gaps([Decimal(int(v)) / 4 for v in rng.integers(0, 9, ROWS)])),
        "day": ("date", gaps([day + timedelta(days=i) for i in range(ROWS)])),
        "moment": ("timestamp", gaps([moment + timedelta(hours=i) for i in range(ROWS)])),
        "naive": ("timestamp_ntz", [datetime(2020, 1, 1, i) for i in range(ROWS)]),
        "span": ("interval day to second", [timedelta(minutes=i % 3) for i in range(ROWS)]),
        "empty": ("string", [None] * ROWS),
        "label": ("string", rng.choice(["no", "yes"], ROWS).tolist()),
    }


@pytest.fixture(scope="module")
def frame(spark):
    kinds = ", ".join(f"`{name.replace('`', '``')}` {kind}" for name, (kind, _) in columns().items())
    rows = list(zip(*(values for _, values in columns().values()), strict=True))
    cached = spark.createDataFrame(rows, kinds).repartition(3).cache()
    assert cached.count() == ROWS  # so that it is cached before anything that counts what is
    return cached


def expected(names=None):
    """Counted from an Arrow table that Spark has never seen."""
    arrow = {
        "long": pa.int64(), "float": pa.float32(), "nullable": pa.int32(), "short": pa.int16(),
        "decimal": pa.decimal128(9, 2), "empty": pa.string(), "moment": pa.timestamp("us", "UTC"),
    }  # fmt: skip
    values = {name: pa.array(values, arrow.get(name)) for name, (_, values) in columns().items()}
    return counted(as_table(pa.table(values if names is None else {name: values[name] for name in names})))


def test_every_type(frame):
    blocks, target = as_blocks(frame, "label")
    assert target == "label"
    assert list(zip(blocks.names, blocks.kinds, strict=True)) == list(expected())
    assert blocks.reduce(counted, add) == expected()
    assert blocks.notes == ("dates and durations are read as seconds: 'day', 'moment', 'naive', 'span'",)


def test_what_is_kept_is_asked_again(spark, frame):
    before = len(spark.sparkContext._jsc.getPersistentRDDs())
    with as_blocks(frame, "label")[0].keep(counted) as kept:
        assert kept.reduce(dict, add) == expected()
        assert kept.reduce(sorted, min) == sorted(expected())
        assert len(spark.sparkContext._jsc.getPersistentRDDs()) == before + 1
    assert len(spark.sparkContext._jsc.getPersistentRDDs()) == before


def test_fewer_columns(frame):
    fewer = as_blocks(frame, "label")[0].select([14, 6])
    assert fewer.reduce(counted, add) == expected(["label", "te.xt `q`"])


def test_merged_in_the_order_of_partitions(spark):
    blocks, _ = as_blocks(spark.range(0, 200, 1, numPartitions=66).withColumn("y", _column("id") % 2), "y")
    assert blocks.reduce(first_column, np.append).tolist() == list(range(200))


def test_kept_in_the_order_of_partitions(spark):
    blocks, _ = as_blocks(spark.range(0, 20, 1, numPartitions=5).withColumn("y", _column("id") % 2), "y")
    with blocks.keep(first_column) as kept:
        assert kept.reduce(np.sort, np.append).tolist() == list(range(20))


def _column(name):
    from pyspark.sql import functions

    return functions.col(name)


def test_partitions_without_rows(frame):
    few = frame.where("short = 0 or short = 1")
    counts = as_blocks(few, "label")[0].reduce(counted, add)
    assert sum(counts["short", "integer"].values()) == sum(v < 2 for v in columns()["short"][1])
    with pytest.raises(InvalidInput, match="0 sample"):
        as_blocks(frame.where("short > 99"), "label")[0].reduce(counted, add)


def test_errors_come_back_as_they_were(spark):
    frame = spark.createDataFrame([(1.0, 0), (float("inf"), 1)], "a double, y long")
    with pytest.raises(InvalidInput, match="contains infinity in column 'a'"):
        as_blocks(frame, "y")[0].reduce(counted, add)
    with (
        pytest.raises(InvalidInput, match="contains infinity in column 'a'"),
        as_blocks(frame, "y")[0].keep(counted) as kept,
    ):
        kept.reduce(dict, add)


def test_a_memory_limit(spark, frame):
    """It holds for this process, and makes blocks smaller on the workers; results are merged there first."""
    blocks, _ = as_blocks(frame, "label", 1 << 20)
    assert (blocks.memory, blocks.room) == (1 << 20, 1 << 19)
    assert blocks.reduce(counted, add) == expected()
    assert blocks._wide
    fewer = blocks.select([14, 6])
    assert (fewer.memory, fewer.room) == (1 << 20, 1 << 19)
    rows = as_blocks(spark.range(0, 40_000, 1, numPartitions=2).withColumn("y", _column("id") % 2), "y", 1 << 20)[0]
    largest = (1 << 20) // 16 // 16 + 4  # rows of two 8-byte columns, up to a batch of Spark more
    assert rows.reduce(rows_of, max) <= largest
    wide = spark.range(9).select((_column("id") % 2).alias("y"), *(_column("id").alias(f"x{j}") for j in range(220)))
    with pytest.raises(InvalidParameter, match=r"memory: 'gc\.mi' keeps 2 covariance"):
        ep.select(wide, "y", method="gc.mi", k=2, memory="1MB")


def test_columns_are_taken_lazily(frame):
    taken = take_columns(frame, [6, 0], ["te.xt `q`", "number"])
    assert taken.columns == ["te.xt `q`", "number"]
    assert taken.count() == ROWS


@pytest.mark.parametrize(
    ("kind", "value"),
    [("array<double>", [1.0]), ("map<string,int>", {"a": 1}), ("struct<b:int>", (1,))],
)
def test_nested_columns_are_refused(spark, kind, value):
    with pytest.raises(InvalidInput, match=r"got (array|map|struct)<.* in column 'a'.*convert it to numbers"):
        as_blocks(spark.createDataFrame([(value, 0)], f"a {kind}, y long"), "y")


def test_refused(spark, frame):
    with pytest.raises(InvalidInput, match="name of a column of the Spark DataFrame, got ndarray"):
        as_blocks(frame, np.zeros(ROWS))
    with pytest.raises(InvalidInput, match="distinct"):
        as_blocks(frame.select("long", "long", "label"), "label")
    with pytest.raises(InvalidInput, match="must be a Spark DataFrame, got a RDD"):
        as_blocks(spark.sparkContext.parallelize([1]), "label")
    with pytest.raises(InvalidInput, match="streaming"):
        as_blocks(spark.readStream.format("rate").load(), "value")


def test_workers_without_the_package(spark, frame):
    def needs_entropick(table):
        raise ModuleNotFoundError("No module named 'entropick'")

    with pytest.raises(InvalidInput, match="PYSPARK_PYTHON"):
        as_blocks(frame, "label")[0].reduce(needs_entropick, add)


def test_a_worker_killed_while_it_reads(spark, tmp_path):
    numbers = spark.range(0, 20, 1, numPartitions=3).withColumn("y", _column("id") % 2)
    blocks, _ = as_blocks(killing(numbers, tmp_path, [1, 2]), "y")
    assert blocks.reduce(first_column, np.append).tolist() == list(range(20))
    assert (tmp_path / "4").exists()  # two reads more than there are partitions


def test_workers_that_always_die(spark, tmp_path):
    blocks, _ = as_blocks(killing(spark.range(9).withColumn("y", _column("id") % 2), tmp_path, range(99)), "y")
    with pytest.raises(InvalidInput, match=r"a Spark Python worker died .* local\[2,4\]"):
        blocks.reduce(counted, add)


def test_without_pyarrow(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtra, match=r"entropick\[spark\]"):
        blocks_of(object(), "y")


def test_pandas_on_spark(spark):
    reason = "this PySpark has no pandas-on-Spark for this pandas"
    ps = pytest.importorskip("pyspark.pandas", reason=reason, exc_type=ImportError)
    frame = ps.DataFrame({"a": [1, 2, 3], "y": [0, 1, 0]})
    counts = as_blocks(frame, "y")[0].reduce(counted, add)
    assert counts == counted(as_table(pd.DataFrame({"a": [1, 2, 3], "y": [0, 1, 0]})))
    assert list(take_columns(frame, [0], ["a"]).columns) == ["a"]


def test_random_calls(spark, tmp_path, monkeypatch):
    """Here rather than in tests/fuzz, so that they share the session."""
    monkeypatch.chdir(tmp_path)
    outcomes = {seed: outcome("spark", seed) for seed in range(2, 6)}
    assert not {seed: text for seed, text in outcomes.items() if text not in (ANSWERED, REFUSED)}
    assert ANSWERED in outcomes.values()
    assert list(tmp_path.iterdir()) == []
