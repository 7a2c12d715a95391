"""Selections over every method and every source, as plain data: what `selections.json` holds.

``python tests/recorded/runs.py [METHOD …]`` writes the file anew, from whatever entropick is installed: only after a
change that is meant to alter selections, with its line in the CHANGELOG. Only public names are used, so that any
version can be asked.
"""

from __future__ import annotations

import json
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import entropick as ep
from entropick.sources import TableSource, as_table

FILE = Path(__file__).with_name("selections.json")
SLOW = (
    "lsmi",
    "hsic",
    "mrmr.knn",
    "infogain.knn",
    "mrmr.parzen",
    "stumps",
    "sbmlr",
    "gc.auto",
)  # fewer rows, and the plain call only
FILED = ("jmi", "cmim", "cmi", "mrmr", "chi2", "gc.mi", "wilks", "fisher", "pearson", "spec.cmi", "qpfs")
Run = Callable[[], "ep.Selection"]


def numbers(n: int = 120) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(n, 8) numbers, classes and a quantity that depend on several together; the stream of `RandomState` is frozen."""
    random = np.random.RandomState(11)
    X = random.normal(size=(n, 8))
    X[:, 3] = X[:, 0] + 0.5 * X[:, 3]
    X[:, 5] = np.exp(X[:, 5])
    X[:, 6] = random.randint(0, 4, n)
    value = X[:, 0] + 0.8 * X[:, 1] * (X[:, 6] > 1) + 0.5 * X[:, 2] + 0.4 * random.normal(size=n)
    return X, np.digitize(value, [-0.5, 0.7]), value


def mixed(n: int = 160) -> pd.DataFrame:
    """Columns of every kind, with gaps; ``label`` and ``amount`` are targets, ``times`` whole weights."""
    random = np.random.RandomState(12)
    wave, slope, noise = random.normal(size=(3, n))
    town = random.choice(["Ulm", "Köln", "Bonn"], n)
    steps = random.randint(0, 4, n)
    amount = wave + 0.7 * slope + 0.8 * (steps == 2) + (town == "Ulm") + 0.5 * random.normal(size=n)
    return pd.DataFrame(
        {
            "noise": noise.round(1),
            "wave": wave,
            "gaps": np.where(random.rand(n) < 0.2, np.nan, wave + noise),
            "steps": steps,
            "on": random.rand(n) < 0.5,
            "town": np.where(random.rand(n) < 0.1, None, town),
            "slope": slope,
            "label": np.where(amount > 1.2, "high", np.where(amount > 0, "middle", "low")),
            "amount": amount,
            "times": random.randint(0, 4, n),
        }
    )


def long() -> pd.DataFrame:
    """More rows than a megabyte may hold in memory."""
    X, _, _ = numbers(6000)
    frame = pd.DataFrame(X, columns=[f"x{j}" for j in range(8)])
    return frame.assign(y=(X[:, 0] + X[:, 1] * (X[:, 6] > 1) > 0.3).astype(int))


class Streamed(TableSource):
    """Rows that nobody counted beforehand, in blocks of at most 37: they are never read into memory as a whole."""

    def memory(self) -> int | None:
        return None

    def blocks(self, rows: int | None = None, columns: Sequence[int] | None = None) -> Iterator[Any]:
        return super().blocks(37 if rows is None else min(rows, 37), columns)


def names() -> list[str]:
    """Every method; qpfs by correlation was an option once."""
    return [*dict.fromkeys((*(str(name) for name in ep.methods().index), "qpfs.correlation"))]


def options(name: str) -> dict[str, Any]:
    """What makes a slow method quick, and the method's name."""
    if name == "qpfs.correlation" and name not in ep.methods().index:
        return {"method": "qpfs", "similarity": "correlation"}
    if name.endswith(".l1"):
        return {"method": name, "restarts": 2}
    return {"method": name}


def _partial(name: str, X: np.ndarray, y: np.ndarray, weights: np.ndarray | None = None) -> ep.Selection:
    own = options(name)
    selector = ep.Selector(own.pop("method"), 4, random_state=0, options=own)
    for rows in np.array_split(np.arange(len(X)), 3):
        selector.partial_fit(X[rows], y[rows], sample_weight=None if weights is None else weights[rows])
    return selector.selection_


def _saved(frame: pd.DataFrame, folder: Path, name: str, k: Any, target: str) -> ep.Selection:
    path = folder / f"{target}-{len(frame.columns)}.stats"
    if not path.exists():
        first = ep.Statistics.collect(frame[:60], target)
        other = ep.Statistics.collect(frame[60:], target, coding=first)
        first.merge(other).save(path)
    return ep.Statistics.load(path).select(**options(name), k=k, random_state=0)


def in_memory(name: str) -> Iterator[tuple[str, Run]]:
    """Arrays and frames."""
    slow = name.startswith(SLOW)
    X, y, value = numbers(40 if slow else 120)
    how = {**options(name), "random_state": 0}
    frame = mixed()
    yield "array", lambda: ep.select(X, y, k=4, **how)
    yield "regression", lambda: ep.select(X, value, k=3, **how)
    yield "frame", lambda: ep.select(frame.drop(columns=["amount", "times"]), "label", k=4, **how)
    if slow:
        return
    weights = np.arange(len(X)) % 3
    whole = frame.drop(columns=["amount", "label", "gaps", "town"])
    yield "weights", lambda: ep.select(X, y, k=4, sample_weight=weights, **how)
    yield "fractions", lambda: ep.select(X, y, k=4, sample_weight=weights / 2 + 0.25, **how)
    yield "all", lambda: ep.select(X, y, k=None, **how)
    yield "auto", lambda: ep.select(X, y, k="auto", **how)
    yield "wanted", lambda: ep.select(X, y, k=4, include=[7, 2], exclude=["x0"], **how)
    yield "groups", lambda: ep.select(X, y, k=3, groups={"a": [0, 6], "b": [4, 7]}, **how)
    yield "mdl", lambda: ep.select(X, y, k="auto", discretizer="mdl", **how)
    yield "permutation", lambda: ep.select(X, y, k="auto", test="permutation", n_permutations=19, **how)
    yield "column of weights", lambda: ep.select(whole, frame["label"], k=3, sample_weight="times", **how)


def in_blocks(name: str, folder: Path) -> Iterator[tuple[str, Run]]:
    """Chunks, increments, saved statistics, files, Dask."""
    if name.startswith(SLOW):
        return
    X, y, value = numbers()
    frame = mixed()
    how = {**options(name), "random_state": 0}
    classes = pd.DataFrame(X, columns=[f"x{j}" for j in range(8)]).assign(y=y)
    quantity = classes.assign(y=value)
    labelled = frame.drop(columns=["amount", "times"])
    weighted = frame.drop(columns=["amount", "gaps", "town"])

    def streamed(rows: pd.DataFrame) -> Streamed:
        return Streamed(as_table(rows))

    yield "blocks", lambda: ep.select(streamed(classes), "y", k=4, memory="1MB", **how)
    yield "blocks, all", lambda: ep.select(streamed(classes), "y", k=None, **how)
    yield "blocks, auto", lambda: ep.select(streamed(classes), "y", k="auto", **how)
    yield "blocks, regression", lambda: ep.select(streamed(quantity), "y", k=3, **how)
    yield "blocks, frame", lambda: ep.select(streamed(labelled), "label", k=4, include=["on"], **how)
    yield "blocks, weights", lambda: ep.select(streamed(weighted), "label", k=3, sample_weight="times", **how)
    yield "blocks, groups", lambda: ep.select(streamed(classes), "y", k=3, groups={"a": [0, 6]}, **how)
    yield "partial_fit", lambda: _partial(name, X, y)
    yield "partial_fit, regression", lambda: _partial(name, X, value)
    yield "partial_fit, weights", lambda: _partial(name, X, y, np.arange(len(X)) % 3)
    yield "saved", lambda: _saved(classes, folder, name, 4, "y")
    yield "saved, auto", lambda: _saved(classes, folder, name, "auto", "y")
    yield "saved, frame", lambda: _saved(labelled, folder, name, 4, "label")
    if name in FILED:
        import dask.dataframe as dd

        lazy = dd.from_pandas(classes, npartitions=3)
        yield "csv", lambda: ep.select(str(folder / "long.csv"), "y", k=4, memory="1MB", **how)
        chunks = (classes[start : start + 50] for start in range(0, 120, 50))
        yield "generator", lambda: ep.select(chunks, "y", k=4, **how)
        yield (
            "parquet, sketch",
            lambda: ep.select(folder / "long.parquet", "y", k=4, memory="1MB", coding="sketch", **how),
        )
        yield "dask", lambda: ep.select(lazy, "y", k=4, **how)
        yield "coding", lambda: ep.select(classes, "y", k=4, coding=ep.Statistics.collect(classes[:50], "y"), **how)


def particular(folder: Path) -> Iterator[tuple[str, Run]]:
    """Options by which one way of gathering differs from another."""
    X, y, value = numbers()
    for name in ("gc.mi", "wilks", "gc.e", "gkl.mi"):
        yield f"{name}: copula", lambda name=name: ep.select(X, y, k=4, method=name, marginals="copula")
    chosen = {"marginals": "copula", "k": 4, "method": "gc.mi"}
    frame = long()
    yield "gc.mi: copula, csv", lambda: ep.select(str(folder / "long.csv"), "y", memory="1MB", **chosen)
    yield "gc.mi: copula, chunks", lambda: ep.select((frame[s : s + 500] for s in range(0, 6000, 500)), "y", **chosen)
    yield "gc.mi: pooling", lambda: ep.select(X, y, k=4, method="gc.mi", pooling="auto")
    yield "gc.mi: several", lambda: ep.select(X, np.column_stack([value, X[:, 4]]), k=4, method="gc.mi")
    yield "gc.mi: filled", lambda: ep.select(X, y, k=None, method="gc.mi", fill="random", random_state=3)
    yield "gc.mi: pruned", lambda: ep.select(X, y, k=4, method="gc.mi", search="pruned")
    yield "jmi: miller-madow", lambda: ep.select(X, y, k=4, method="jmi", estimator="miller-madow")
    yield "jmi: backward", lambda: ep.select(X, y, k=4, method="jmi", search="backward")
    yield "spec.cmi: nystrom", lambda: ep.select(X, y, k=4, method="spec.cmi", nystrom=0.5, random_state=0)
    yield "qpfs: disk", lambda: ep.select(X, y, k=4, method="qpfs", memory="1MB")


def outcome(run: Run) -> dict[str, Any]:
    """Indices and scores as JSON keeps them, to the last bit; of a refusal its class."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ep.EntropickWarning)
            selection = run()
    except ep.EntropickError as error:
        return {"refused": type(error).__name__}
    return {"i": selection.indices.tolist(), "s": [float(score) for score in selection.scores]}


def runs(name: str, folder: Path) -> dict[str, dict[str, Any]]:
    """What every run of a method gave; of ``""`` the particular ones."""
    if not (folder / "long.csv").exists():
        frame = long()
        frame.to_csv(folder / "long.csv", index=False)
        frame.to_parquet(folder / "long.parquet")
    if not name:
        return {case: outcome(run) for case, run in particular(folder)}
    return {case: outcome(run) for case, run in (*in_memory(name), *in_blocks(name, folder))}


def main(*methods: str) -> None:
    """Record these methods (all, if none is named) anew; the others stay as they are."""
    kept = json.loads(FILE.read_text(encoding="utf-8")) if methods else {}
    with tempfile.TemporaryDirectory() as folder:
        found = kept | {name: runs(name, Path(folder)) for name in methods or ("", *names())}
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(some, ensure_ascii=False)}" for name, some in found.items())
    FILE.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
    sys.stdout.write(f"{sum(map(len, found.values()))} runs, {FILE.stat().st_size} bytes\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
