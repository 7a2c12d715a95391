"""What Dask and Spark hold, under random calls: rows in random partitions, beside the same rows in memory."""

from __future__ import annotations

import contextlib
import importlib.util
import itertools
import os
import shutil
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

import entropick as ep
from entropick.methods import REGISTRY

from ..exotic import pandas_column, spoilt
from ..hostile import TEXTS, column
from .surface import promises, surface

LEFT_OUT = ("gc.auto", "sdp.cmi")  # the one is refused in blocks, the other slow
IN_BLOCKS = {
    kind: [name for name, method in REGISTRY.items() if method.statistics == kind and name not in LEFT_OUT]
    for kind in ("levels", "moments", "marginals")
}
VALUES = (0, 1, 0.5, -1, None, "auto", 1e9, float("nan"), [1], True)  # of options
ROUNDED = ("moments", "marginals")  # sums of floats: their order changes the last bits
DTYPES = ("float64", "float32", "object", "category", "string", "Int64", "str")


@dataclass(frozen=True)
class Held:
    """Rows that an engine holds, and the same rows in memory.

    ``alike``: its partitions have the same types, so that what is answered in memory is answered there.
    ``plain``: its numbers are of moderate size, so that sums of them agree to rounding.
    """

    X: Any
    y: Any
    whole: Any
    target: Any
    alike: bool
    plain: bool

    @property
    def muddled(self) -> bool:
        """Whether a column of objects has texts among numbers of several types.

        Where a partition has the numbers alone they are floats, and then texts with a point.
        """
        columns = self.whole.items() if isinstance(self.whole, pd.DataFrame) else ()
        objects = [set(map(type, column)) - {type(None)} for _, column in columns if column.dtype == object]
        return any(types & {str, bytes} and len(types) > 2 for types in objects)


@surface
def dask(rng: np.random.Generator, folder: Path) -> None:
    """Frames, arrays, bags and delayed blocks, partitions empty or of other types: what the rows in memory give."""
    import dask

    kind = statistics(rng)
    with dask.config.set(scheduler=str(rng.choice(["sync", "threads"], p=[0.8, 0.2]))):
        agree(rng, kind, dask_rows(rng, kind))


def statistics(rng: np.random.Generator) -> str:
    """What the method to be called keeps of the rows."""
    return str(rng.choice(list(IN_BLOCKS), p=[0.6, 0.25, 0.15]))


def agree(rng: np.random.Generator, kind: str, held: Held) -> None:
    """The answer from partitions is the one from memory: counted scores to the last bit, others to rounding."""
    method = str(rng.choice(IN_BLOCKS[kind]))
    k: Any = [1, None, "auto"][int(rng.integers(3))]
    known = {"k": k, "task": "auto", "discretizer": "auto", "missing": "level", "random_state": 0, "alpha": 0.2,
             "exclude": (), "include": (), "n_jobs": 1}  # fmt: skip
    given = {"method": method, **spoilt(rng, known, 0.15)}
    if rng.random() < 0.1:
        given["discretizer"] = [None, "uniform", 2, 3, 7, "mdl"][int(rng.integers(6))]
    options = [name for name in REGISTRY[method].options if name != "memory"]
    if rng.random() < 0.2 and options:
        given[str(rng.choice(options))] = VALUES[int(rng.integers(len(VALUES)))]
    own: dict[str, Any] = {}
    if rng.random() < 0.15:
        own["memory"] = "1MB"
    if rng.random() < 0.1:
        own["coding"] = "sketch"
    weighted = {"sample_weight": "w"} if isinstance(held.y, str) and rng.random() < 0.15 else {}
    expected = answer(held.whole, held.target, **given, **weighted)
    found = answer(held.X, held.y, **given, **weighted, **own)
    if isinstance(found, ep.EntropickError):
        fair = not held.alike or own or "in blocks" in str(found)
        assert fair or isinstance(expected, ep.EntropickError), f"refused: {found}, and answered in memory"
        raise found
    promises(found)
    if isinstance(expected, ep.EntropickError) or "coding" in own:
        return
    if held.muddled:
        return
    assert found.feature_names == expected.feature_names
    assert found.task == expected.task
    if kind not in ROUNDED:
        assert found.indices.tolist() == expected.indices.tolist(), (given, found.indices, expected.indices)
        assert found.scores.tolist() == expected.scores.tolist(), (given, found.scores, expected.scores)
    elif held.plain:
        assert len(found) == len(expected), (given, found, expected)
        same = [one == two for one, two in zip(found.indices, expected.indices, strict=True)]
        upto = same.index(False) + 1 if False in same else len(same)  # at a tie either may come first
        np.testing.assert_allclose(found.scores[:upto], expected.scores[:upto], rtol=1e-6, atol=1e-9)


def answer(X: Any, y: Any, **given: Any) -> ep.Selection | ep.EntropickError:
    try:
        return ep.select(X, y, **given)
    except ep.EntropickError as error:
        return error


def rows(rng: np.random.Generator, kind: str) -> tuple[pd.DataFrame, bool]:
    """Features, weights ``w`` and the target ``y``; whether all numbers are of moderate size.

    Where the method takes numbers only, texts are rare.
    """
    n, d = int(rng.choice([1, 3, 9, 40, 80], p=[0.05, 0.05, 0.2, 0.4, 0.3])), int(rng.integers(1, 6))
    plain = rng.random() < 0.6
    usual = numbers if kind in ROUNDED and rng.random() < 0.9 else ordinary
    makes = [usual] if plain else [usual, column, pandas_column]
    names = [f"c{j}" for j in range(d)]
    if rng.random() < 0.1:
        names = [TEXTS[i] for i in rng.choice(len(TEXTS), d, replace=False)]
    columns = [makes[int(rng.integers(len(makes)))](rng, n) for _ in names]
    y = rng.integers(0, 2, n)
    if rng.random() < 0.3:
        y = (ordinary if plain else makes[int(rng.integers(3))])(rng, n)
    weights = rng.integers(0, 3, n) if rng.random() < 0.7 else rng.random(n)
    frame = pd.concat([pd.Series(one).reset_index(drop=True) for one in [*columns, weights, y]], axis=1)
    frame.columns = [*names, "w", "y"]
    return frame, plain


def numbers(rng: np.random.Generator, n: int) -> Any:
    """(n,) numbers, with gaps or without, small integers, or yes and no."""
    gaps = np.where(rng.random(n) < 0.1, np.nan, rng.normal(size=n))
    values = [rng.normal(size=n), rng.integers(0, 4, n), rng.random(n) < 0.5, gaps]
    return values[int(rng.choice(4, p=[0.3, 0.35, 0.25, 0.1]))]


def ordinary(rng: np.random.Generator, n: int) -> Any:
    """(n,) the same, or texts."""
    return numbers(rng, n) if rng.random() < 0.75 else rng.choice(["u", "v", "w"], n)


def pieces(rng: np.random.Generator, frame: pd.DataFrame, mixed: bool) -> list[pd.DataFrame]:
    """The frame cut anywhere, with pieces of no row among them; ``mixed``: some columns of some have other types."""
    n = len(frame)
    cuts = sorted([0, n, *rng.integers(0, n + 1, int(rng.integers(0, 5))).tolist()])
    parts = [frame.iloc[start:end] for start, end in itertools.pairwise(cuts)]
    for _ in range(int(rng.integers(1, 4)) if mixed else 0):
        at, name, dtype = int(rng.integers(len(parts))), str(rng.choice(frame.columns)), str(rng.choice(DTYPES))
        texts = frame[name].dtype in ("object", "str", "string")
        if "category" in (dtype, str(frame[name].dtype)) and not texts:
            continue  # beside other numbers pandas forgets that some are categories
        with contextlib.suppress(Exception):  # values that are not of that type stay as they are
            parts[at] = parts[at].astype({name: dtype})
    return parts


def dask_rows(rng: np.random.Generator, kind: str) -> Held:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        while True:
            with contextlib.suppress(Exception):  # what Dask itself cannot hold is drawn again
                return lazy(rng, kind)


def lazy(rng: np.random.Generator, kind: str) -> Held:
    """Rows as some object of Dask, from which Dask makes the rows in memory."""
    import dask
    import dask.array as da
    import dask.bag as db
    import dask.dataframe as dd

    frame, plain = rows(rng, kind)
    form, mixed = int(rng.integers(6)), rng.random() < 0.3
    if form == 0:
        y = frame["y"].to_numpy()
        X = frame.drop(columns="y").to_numpy()
        chunks = tuple(len(part) for part in pieces(rng, frame, False))
        lazy = da.from_array(X, chunks=(chunks, int(rng.integers(1, X.shape[1] + 1))))
        target = y if rng.random() < 0.5 else da.from_array(y, chunks=(chunks,))
        return Held(lazy, target, X, y, True, plain)
    if form < 3:
        with dask.config.set({"dataframe.convert-string": bool(rng.random() < 0.5)}):
            lazy = dd.from_pandas(frame, npartitions=int(rng.integers(1, 6)), sort=bool(rng.random() < 0.5))
            mixed = False
    else:
        parts = pieces(rng, frame, mixed)
        delayed = [dask.delayed(part) for part in parts]
        if form == 3:
            lazy = dd.from_delayed(delayed, meta=parts[0].iloc[:0], verify_meta=False)
        else:
            bag = db.from_sequence(parts, npartitions=int(rng.integers(1, 4)))
            return Held(bag if form == 4 else delayed, "y", pd.concat(parts), "y", False, plain)
    if form == 1 and rng.random() < 0.5:
        lazy = lazy[lazy["w"] > int(rng.integers(0, 3))]
    whole = lazy.compute()
    if rng.random() < 0.2:
        return Held(lazy.drop(columns="y"), lazy["y"], whole.drop(columns="y"), whole["y"], not mixed, plain)
    return Held(lazy, "y", whole, "y", not mixed, plain)


def has_spark() -> bool:
    """Whether PySpark and the Java that it needs are there."""
    java = shutil.which("java") is not None or "JAVA_HOME" in os.environ
    return java and all(importlib.util.find_spec(name) is not None for name in ("pyspark", "pyarrow"))


def spark(rng: np.random.Generator, folder: Path) -> None:
    """Frames in partitions, some of them empty: what the rows in memory give. A call takes a second or two."""
    from engines import spark_session

    with contextlib.chdir("/"):  # where Java is started must be there for as long as it runs
        session = spark_session()
    kind = statistics(rng)
    agree(rng, kind, spark_rows(rng, kind, session))


if has_spark():
    surface(spark)


def spark_rows(rng: np.random.Generator, kind: str, session: Any) -> Held:
    """Rows as a frame of Spark, from which Spark makes the rows in memory."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        while True:
            with contextlib.suppress(Exception):  # what Spark itself cannot hold is drawn again
                frame, plain = rows(rng, kind)
                lazy = session.createDataFrame(pa.Table.from_pandas(frame)).repartition(int(rng.integers(1, 5)))
                if rng.random() < 0.3:
                    lazy = lazy.where(f"w > {int(rng.integers(0, 2))}")
                return Held(lazy, "y", lazy.toArrow(), "y", True, plain)
