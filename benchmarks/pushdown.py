"""Counts asked of a database, one GROUP BY each, beside reading the rows: the same numbers, and which is faster.

python benchmarks/pushdown.py --rows 1000000 --columns 30

A forward step of a pairwise criterion needs a table of (pick, candidate, class) for every candidate. ``rows`` reads the
columns once and counts here; ``SQL`` sends a query for every table, ``sets`` one query a step with GROUPING SETS,
``ibis`` (where it is installed) says the same through ibis, as one would to BigQuery or Snowflake.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

import numpy as np

LEVELS = 5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--columns", type=int, default=30)
    parser.add_argument("--k", type=int, default=5)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.duckdb"
        written(path, asked.rows, asked.columns)
        measure(path, asked.columns, asked.k)


def written(path: Path, rows: int, columns: int) -> None:
    import duckdb
    import pyarrow as pa

    random = np.random.default_rng(0)
    y = random.integers(0, 2, rows)
    made = {f"x{j}": (random.integers(0, LEVELS, rows) + y * (j % 3)).clip(0, LEVELS - 1) for j in range(columns)}
    table = pa.table({**made, "y": y})
    with duckdb.connect(str(path)) as connection:
        connection.register("arrow_table", table)
        connection.execute("CREATE TABLE data AS SELECT * FROM arrow_table")


def measure(path: Path, columns: int, k: int) -> None:
    import duckdb

    import entropick as ep

    ep.select({"a": [0, 1] * 50, "y": [0, 1] * 50}, "y", method="jmi", k=1)  # compiles
    begin = time.perf_counter()
    chosen = ep.select(path, "y", method="jmi", k=k, discretizer=None)
    told = [f"rows read and {k} of {columns} selected  {time.perf_counter() - begin:.2f} s"]
    picks = chosen.names[:-1]
    with ep.open_source(path) as source:
        table = source.table()
    held = {name: table.column(j).astype(np.int64) for j, name in enumerate(table.names)}
    pairs = [(pick, f"x{j}") for pick in picks for j in range(columns) if f"x{j}" != pick]
    with duckdb.connect(str(path), read_only=True) as connection:
        begin = time.perf_counter()
        single = {(a, b): counted(connection.execute(query(a, b)).fetchnumpy(), a, b) for a, b in pairs}
        told.append(f"SQL, {len(pairs)} tables            {time.perf_counter() - begin:.2f} s")
        begin = time.perf_counter()
        sets: dict[tuple[str, str], np.ndarray] = {}
        for pick in picks:
            sets |= by_sets(connection, pick, [b for a, b in pairs if a == pick])
        told.append(f"GROUPING SETS, {len(picks)} queries      {time.perf_counter() - begin:.2f} s")
    for a, b in pairs:
        ours = np.zeros((LEVELS, LEVELS, 2), dtype=np.int64)
        np.add.at(ours, (held[a], held[b], held["y"]), 1)
        assert (single[a, b] == ours).all()
        assert (sets[a, b] == ours).all()
    told.append(f"all {len(pairs)} tables equal")
    try:
        import ibis
    except ImportError:
        told.append("ibis is not installed: left out")
    else:
        begin = time.perf_counter()
        rows = ibis.duckdb.connect(str(path), read_only=True).table("data")
        for a, b in pairs:
            found = rows.group_by(a, b, "y").aggregate(n=rows.count()).to_pyarrow().to_pydict()
            assert (counted({name: np.array(one) for name, one in found.items()}, a, b) == single[a, b]).all()
        told.append(f"ibis, the same tables        {time.perf_counter() - begin:.2f} s")
    print(*told, sep="\n")


def query(a: str, b: str) -> str:
    return f"SELECT {a}, {b}, y, count(*) AS n FROM data GROUP BY ALL"


def counted(found: dict[str, np.ndarray], a: str, b: str) -> np.ndarray:
    """(levels, levels, classes) from the rows of an answer."""
    out = np.zeros((LEVELS, LEVELS, 2), dtype=np.int64)
    out[found[a], found[b], found["y"]] = found["n"]
    return out


def by_sets(connection: object, pick: str, others: list[str]) -> dict[tuple[str, str], np.ndarray]:
    sets = ", ".join(f"({pick}, {other}, y)" for other in others)
    names = ", ".join(others)
    found = connection.execute(  # type: ignore[attr-defined]
        f"SELECT {pick}, y, {names}, GROUPING({names}) AS g, count(*) AS n FROM data GROUP BY GROUPING SETS ({sets})"
    ).fetchnumpy()
    whole = (1 << len(others)) - 1
    out = {}
    for at, other in enumerate(others):
        own = found["g"] == whole ^ (1 << (len(others) - 1 - at))
        out[pick, other] = counted(
            {name: np.asarray(found[name][own]) for name in (pick, other, "y", "n")}, pick, other
        )
    return out


if __name__ == "__main__":
    main()
