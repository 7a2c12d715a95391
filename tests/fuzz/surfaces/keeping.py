"""Sources, saved statistics, answers in JSON and data sets, damaged at any byte."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

import numpy as np

import entropick as ep

from ..exotic import anything, frame, spoilt
from .surface import FAST, damaged, promises, surface


@surface
def statistics(rng: np.random.Generator, folder: Path) -> None:
    """Saved statistics give what the rows give; a damaged file is refused, or gives an answer of the same kind."""
    n, d = int(rng.choice([3, 9, 40])), int(rng.integers(2, 6))
    X = frame(rng, n, d)
    given = {"task": "auto", "discretizer": "auto", "missing": "level", "memory": None, "coding": "exact"}
    found = ep.Statistics.collect(X, "c0", **spoilt(rng, given))
    found.save(folder / "a.stats")
    method = str(rng.choice(FAST))
    first = found.select(method=method, k=1)
    assert ep.Statistics.load(folder / "a.stats").select(method=method, k=1).to_json() == first.to_json()
    assert found.merge(found).n_rows == 2 * found.n_rows
    (folder / "a.stats").write_bytes(damaged(rng, (folder / "a.stats").read_bytes()))
    with contextlib.suppress(ep.EntropickError):
        promises(ep.Statistics.load(folder / "a.stats").select(method=method, k=1))


@surface
def sources(rng: np.random.Generator, folder: Path) -> None:
    """Blocks, readers and files of every type, with roles of columns; cut or changed at any byte."""
    n, d = int(rng.choice([1, 9, 40])), int(rng.integers(1, 6))
    X = frame(rng, n, d)
    given = spoilt(
        rng, {"categorical": [], "numeric": [], "drop": [], "sql": None, "missing": [], "encoding": None}, 0.4
    )
    kind = int(rng.integers(4))
    opened: Any = X
    if kind == 0:
        opened = (
            block for block in (X, frame(rng, n, d) if rng.random() < 0.5 else X, anything(rng))[: rng.integers(4)]
        )
    elif kind > 1:
        opened = written(rng, X, folder)
        opened.write_bytes(damaged(rng, opened.read_bytes()) if kind == 3 else opened.read_bytes())
    with ep.open_source(opened, **given) as source:
        table = source.table()
        assert {len(table.column(j)) for j in range(table.n_columns)} == {table.n_rows}
        if "c0" in source.names:
            promises(ep.select(source, "c0", k=1))


def written(rng: np.random.Generator, X: Any, folder: Path) -> Path:
    """A file of the frame, of some format; what the format cannot hold is refused by whoever writes it."""
    import pyarrow as pa
    import pyarrow.feather
    import pyarrow.parquet

    path = folder / f"a.{rng.choice(['csv', 'csv.gz', 'tsv', 'parquet', 'feather', 'arrow', 'jsonl', 'npz'])}"
    try:
        arrow = X if isinstance(X, pa.Table) else X.to_arrow() if hasattr(X, "to_arrow") else pa.Table.from_pandas(X)
        if path.suffix == ".parquet":
            pyarrow.parquet.write_table(arrow, path)
        elif path.suffix in (".feather", ".arrow"):
            pyarrow.feather.write_feather(arrow, str(path))
        else:
            plain = arrow.to_pandas()
            if path.suffix == ".jsonl":
                plain.to_json(path, orient="records", lines=True)
            elif path.suffix == ".npz":
                np.savez(path, X=rng.normal(size=(9, 2)), y=rng.integers(0, 2, 9))
            else:
                plain.to_csv(path, index=False, sep="\t" if path.suffix == ".tsv" else ",")
    except KeyboardInterrupt:
        raise
    except BaseException:
        path.write_text("c0,c1\n1,2\n3,4\n1,5\n")
    return path


@surface
def answers(rng: np.random.Generator, folder: Path) -> None:
    """JSON of a Selection or a Comparison with a part missing or replaced by anything: read, or refused."""
    kind, fields = _written_answers()[int(rng.integers(2))]
    fields = json.loads(fields)
    where: Any = fields
    while rng.random() < 0.6:
        below = [
            one
            for one in (where.values() if isinstance(where, dict) else where)
            if isinstance(one, (dict, list)) and one
        ]
        if not below:
            break
        where = below[int(rng.integers(len(below)))]
    key = (list(where) if isinstance(where, dict) else range(len(where)))[int(rng.integers(len(where)))]
    if rng.random() < 0.3:
        del where[key]
    else:
        where[key] = [None, True, -1, 1e300, "x", [], {}, [1], {"a": 1}, "é" * 9][int(rng.integers(10))]
    text = json.dumps(fields)
    found = kind.from_json(damaged(rng, text.encode()).decode("utf-8", "replace") if rng.random() < 0.2 else text)
    repr(found), found.to_json()


def _written_answers() -> list[tuple[Any, str]]:
    if not _ANSWERS:
        problem = ep.datasets.and_or(40, random_state=0)
        _ANSWERS.append((ep.Selection, ep.select(problem.X, problem.y, k=3).to_json()))
        found = ep.compare(problem.X, problem.y, ["jmi"], k=[1, 2], estimators="3-NN", cv=2, repeats=1)
        _ANSWERS.append((ep.Comparison, found.to_json()))
    return _ANSWERS


_ANSWERS: list[tuple[Any, str]] = []


@surface
def datasets(rng: np.random.Generator, folder: Path) -> None:
    """Generators take any argument; a folder of damaged .npz files is told as one."""
    from entropick.datasets import loaders

    make = [ep.datasets.and_or, ep.datasets.quad, ep.datasets.xor, ep.datasets.three_way,
            ep.datasets.redundant_interaction][int(rng.integers(5))]  # fmt: skip
    problem = make(**spoilt(rng, {"n": int(rng.integers(1, 40)), "random_state": 0}, 0.5))
    assert problem.X.shape == (len(problem.y), len(problem.names))
    assert 0 <= problem.f_measure([0, 1]) <= 1
    path = folder / "a.npz"
    arrays = spoilt(rng, {"X": problem.X, "y": problem.y, "feature_names": np.array(problem.names)}, 0.4)
    np.savez(path, **{key: np.asarray(value) for key, value in arrays.items()})
    if rng.random() < 0.5:
        path.write_bytes(damaged(rng, path.read_bytes()))
    with contextlib.suppress(ep.EntropickError):
        found = loaders.find(str(rng.choice(["a", "b", "../a", ""], p=[0.85, 0.05, 0.05, 0.05])), folder)
        assert found.X.shape[0] == found.y.shape[0]
