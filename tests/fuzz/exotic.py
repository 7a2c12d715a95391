"""Columns of every type that pandas, polars and Arrow have, and arguments of any type at all."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa

from .hostile import TEXTS

ANYTHING = (
    None, True, False, 0, -1, 1, 2, 3, 10**30, 2.5, 0.5, float("nan"), float("inf"), 3j, "", "7", "auto", "jmi",
    "label", b"x", [], [0], [-1], ["a", 1], (), {}, {"a": 1}, {1, 2}, np.int64(2), np.float64(0.5), np.array([1, 0]),
    np.zeros((2, 2)), np.array(["a", None], dtype=object), len, object, dt.date(2020, 1, 1), Decimal("1.5"), slice(2),
)  # fmt: skip


def anything(rng: np.random.Generator) -> Any:
    return ANYTHING[int(rng.integers(len(ANYTHING)))]


def spoilt(rng: np.random.Generator, keywords: dict[str, Any], share: float = 0.3) -> dict[str, Any]:
    """The keywords, in a share of the cases with one of them replaced by anything."""
    if keywords and rng.random() < share:
        return {**keywords, str(rng.choice(list(keywords))): anything(rng)}
    return keywords


def frame(rng: np.random.Generator, n: int, d: int) -> Any:
    """A frame of d columns of any type."""
    makes = (pandas_column, polars_column, arrow_column)
    which = int(rng.integers(3))
    names = [f"c{j}" for j in range(d)]
    if rng.random() < 0.1:
        names = [TEXTS[i] for i in rng.integers(0, len(TEXTS), d)]
    columns = [makes[which](rng, n) for _ in names]
    if which == 0:
        out = pd.concat(columns, axis=1) if columns else pd.DataFrame(index=range(n))
        out.columns = names if rng.random() < 0.9 or not d else pd.MultiIndex.from_tuples([(name, 1) for name in names])
        return out.set_index(pd.Index([1] * n)) if rng.random() < 0.1 else out
    if which == 1:
        return pl.DataFrame(dict(zip(names, columns, strict=True)))
    return pa.table(columns, names=names)


def label(rng: np.random.Generator, n: int) -> Any:
    """A target of any type, mostly of classes."""
    if rng.random() < 0.5:
        return rng.integers(0, 2, n)
    kind = int(rng.integers(12))
    classes = rng.integers(0, 2, n)
    if kind == 0:
        return pd.array(classes, dtype="Int64")
    if kind == 1:
        return pd.array(np.where(classes, "yes", "no"), dtype="string")
    if kind == 2:
        return pl.Series([bool(value) for value in classes])
    if kind == 3:
        return pa.array(np.where(classes, "u", "v").tolist()).dictionary_encode()
    if kind == 4:
        return pd.Series(pd.Timestamp("2020-01-01") + pd.to_timedelta(classes, unit="D"))
    if kind == 5:
        return [None if rng.random() < 0.1 else "ab"[value] for value in classes]
    if kind == 6:
        return np.where(classes, 10**18, -(10**18)).astype(object) * 10**12
    if kind == 7:
        return pd.Series(classes, index=rng.permutation(n))
    if kind == 8:
        return np.ma.masked_array(classes, mask=rng.random(n) < 0.05)
    if kind == 9:
        return [Decimal(int(value)) for value in classes]
    if kind == 10:
        return pandas_column(rng, n)
    return anything(rng)


def some_missing(rng: np.random.Generator, values: list[Any]) -> list[Any]:
    share = float(rng.choice([0.0, 0.1, 1.0], p=[0.6, 0.35, 0.05]))
    return [None if rng.random() < share else value for value in values]


def pandas_column(rng: np.random.Generator, n: int) -> pd.Series:
    small = rng.integers(0, 3, n)
    days = pd.Timestamp("2020-01-01") + pd.to_timedelta(small, unit="D")
    makes = [
        lambda: pd.Series(rng.normal(size=n)),
        lambda: pd.Series(small),
        lambda: pd.Series(some_missing(rng, small.tolist()), dtype="Int8"),
        lambda: pd.Series(some_missing(rng, rng.normal(size=n).tolist()), dtype="Float32"),
        lambda: pd.Series(some_missing(rng, (small > 0).tolist()), dtype="boolean"),
        lambda: pd.Series(some_missing(rng, [TEXTS[i] for i in small]), dtype="string"),
        lambda: pd.Series(some_missing(rng, [TEXTS[i] for i in small]), dtype="category"),
        lambda: pd.Series(pd.Categorical(small, categories=[2, 1, 0, 5], ordered=True)),
        lambda: pd.Series(pd.Categorical([None] * n, categories=[])),
        lambda: pd.Series(days).dt.to_period("M"),
        lambda: pd.Series(pd.to_timedelta(small, unit="D")),
        lambda: pd.Series(days).dt.tz_localize("Europe/Zurich"),
        lambda: pd.Series(pd.IntervalIndex.from_breaks(range(n + 1))),
        lambda: pd.Series(small + 1j * small),
        lambda: pd.Series([[int(value)] for value in small]),
        lambda: pd.Series([{"a": int(value)} for value in small]),
        lambda: pd.Series([10 ** int(30 * value) for value in small], dtype=object),
        lambda: pd.Series([Decimal(int(value)) / 3 for value in small]),
        lambda: pd.Series(pd.arrays.SparseArray(small.astype(float), fill_value=0.0)),
        lambda: pd.Series(some_missing(rng, small.tolist()), dtype="int64[pyarrow]"),
        lambda: pd.Series(some_missing(rng, [TEXTS[i] for i in small]), dtype="string[pyarrow]"),
        lambda: pd.Series(days).astype("timestamp[ns][pyarrow]"),
        lambda: pd.Series([dt.time(int(value)) for value in small]),
        lambda: pd.Series([dt.date(1 + 3000 * int(value), 1, 1) for value in small]),
        lambda: pd.Series([b"\xff\x00" * int(value) for value in small]),
        lambda: pd.Series(small.astype(np.float16)),
        lambda: pd.Series(small.astype(np.longdouble)),
        lambda: pd.Series([1, "1", 1.0, True] * n, dtype=object)[:n],
        lambda: pd.Series([pd.NA, pd.NaT, None, np.nan, 1] * n, dtype=object)[:n],
    ]
    usual = int(rng.integers(2)) if rng.random() < 0.8 else int(rng.integers(len(makes)))
    return makes[usual]().reset_index(drop=True)


def polars_column(rng: np.random.Generator, n: int) -> pl.Series:
    small = [int(value) for value in rng.integers(0, 3, n)]
    gappy = some_missing(rng, small)
    makes = [
        lambda: pl.Series(rng.normal(size=n)),
        lambda: pl.Series(small, dtype=pl.Int64),
        lambda: pl.Series(gappy, dtype=pl.UInt8),
        lambda: pl.Series(gappy, dtype=pl.Int128),
        lambda: pl.Series([None if v is None else v / 7 for v in gappy], dtype=pl.Float32),
        lambda: pl.Series([None if v is None else v > 0 for v in gappy], dtype=pl.Boolean),
        lambda: pl.Series([None if v is None else TEXTS[v] for v in gappy], dtype=pl.String),
        lambda: pl.Series([None if v is None else TEXTS[v] for v in gappy], dtype=pl.Categorical),
        lambda: pl.Series([TEXTS[v] for v in small], dtype=pl.Enum(list(TEXTS[:3]))),
        lambda: pl.Series([[v] for v in small]),
        lambda: pl.Series([{"a": v} for v in small]),
        lambda: pl.Series([[v, v] for v in small], dtype=pl.Array(pl.Int64, 2)),
        lambda: pl.Series([Decimal(v) for v in small]),
        lambda: pl.Series([dt.date(2020, 1, 1 + v) for v in small]),
        lambda: pl.Series([dt.timedelta(v) for v in small]),
        lambda: pl.Series([dt.time(v) for v in small]),
        lambda: pl.Series([dt.datetime(2020, 1, 1 + v, tzinfo=dt.UTC) for v in small]),
        lambda: pl.Series([b"\xff" * v for v in small], dtype=pl.Binary),
        lambda: pl.Series([None] * n, dtype=pl.Null),
        lambda: pl.Series([10**30 + v for v in small], dtype=pl.Int128),
        lambda: pl.Series([float("nan"), float("inf"), 1.0] * n)[:n],
        lambda: pl.Series([object()] * n, dtype=pl.Object),
    ]
    return makes[int(rng.integers(2)) if rng.random() < 0.8 else int(rng.integers(len(makes)))]()


def arrow_column(rng: np.random.Generator, n: int) -> pa.Array:
    small = [int(value) for value in rng.integers(0, 3, n)]
    gappy = some_missing(rng, small)
    texts = [None if value is None else TEXTS[value] for value in gappy]
    makes = [
        lambda: pa.array(rng.normal(size=n)),
        lambda: pa.array(small),
        lambda: pa.array(gappy, pa.uint64()),
        lambda: pa.array(np.array(small, np.float16), pa.float16()),
        lambda: pa.array([None if v is None else v > 0 for v in gappy], pa.bool_()),
        lambda: pa.array(texts, pa.large_string()),
        lambda: pa.array(texts, pa.string_view()),
        lambda: pa.array(texts, pa.string()).dictionary_encode(),
        lambda: pa.array(gappy, pa.int64()).dictionary_encode(),
        lambda: pa.array([Decimal(v) for v in small], pa.decimal128(20, 3)),
        lambda: pa.array([Decimal(10) ** (20 * v) for v in small], pa.decimal256(60, 3)),
        lambda: pa.array([b"\xff" * 2 for _ in small], pa.binary(2)),
        lambda: pa.array([[v] for v in small], pa.list_(pa.int64())),
        lambda: pa.array([{"a": v} for v in small]),
        lambda: pa.array([[("a", v)] for v in small], pa.map_(pa.string(), pa.int64())),
        lambda: pa.array([dt.date(2020, 1, 1 + v) for v in small], pa.date64()),
        lambda: pa.array(small, pa.timestamp("s", "UTC")),
        lambda: pa.array(small, pa.duration("us")),
        lambda: pa.array(small, pa.time32("ms")),
        lambda: pa.array([(v, v, v) for v in small], pa.month_day_nano_interval()),
        lambda: pa.nulls(n),
        lambda: pa.array([2**63 + v for v in small], pa.uint64()),
        lambda: pa.array([float("-inf")] * n),
        lambda: pa.RunEndEncodedArray.from_arrays(pa.array([n], pa.int32()), pa.array([1])) if n else pa.nulls(n),
    ]
    return makes[int(rng.integers(2)) if rng.random() < 0.8 else int(rng.integers(len(makes)))]()
