"""Reading text files: a tall one and a wide one, by our reader and by others, each in a process of its own.

    python benchmarks/reading.py

Ours looks at every value to find the kinds and then reads blocks; the others are asked for what comes nearest: pandas
reads the file at once, Arrow in blocks with the kinds of the first, DuckDB in blocks with the kinds of the whole file.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
from measuring import in_child, machine, table

CHILD = """
import json, sys, time
sys.path.insert(0, {folder!r})
from measuring import peak, resident
path = sys.argv[1]
{imports}
before, start, used = resident(), time.perf_counter(), time.process_time()
n = {code}
print(json.dumps({{"rows": n, "seconds": time.perf_counter() - start, "cpu": time.process_time() - used,
                  "memory": peak() - before}}))
"""
READERS = {
    "entropick, in blocks": (
        "from entropick.sources import open_source; import pyarrow.csv",
        "sum(block.n_rows for block in open_source(path).blocks())",
    ),
    "pandas, at once": ("import pandas as pd", "len(pd.read_csv(path))"),
    "Arrow, kinds of the first block": (
        "from pyarrow import csv",
        "sum(batch.num_rows for batch in csv.open_csv(path, csv.ReadOptions(block_size=1 << 24)))",
    ),
    "DuckDB, kinds of the whole file": (
        "import duckdb, pyarrow",
        "sum(b.num_rows for b in duckdb.sql(f\"FROM read_csv('{path}', sample_size=-1)\").to_arrow_reader(50_000))",
    ),
}


def tall(path: Path) -> None:
    random = np.random.default_rng(0)
    n = 500_000
    frame = pd.DataFrame(random.normal(size=(n, 20)).round(4)).add_prefix("r")
    frame = frame.join(pd.DataFrame(random.integers(0, 50, size=(n, 10))).add_prefix("i"))
    frame["t"] = np.array(["red", "green", "blue"])[random.integers(0, 3, n)]
    frame.to_csv(path, index=False)


def wide(path: Path) -> None:
    values = np.random.default_rng(0).normal(size=(200, 20_000))
    names = ",".join(f"gene_{j}" for j in range(values.shape[1]))
    np.savetxt(path, values, fmt="%.4f", delimiter=",", header=names, comments="")


def main() -> str:
    parts = [f"## Reading text files ({machine()})"]
    with tempfile.TemporaryDirectory() as folder:
        for make in (tall, wide):
            path = Path(folder) / f"{make.__name__}.csv"
            make(path)
            rows = []
            for name, (imports, code) in READERS.items():
                program = CHILD.format(folder=str(Path(__file__).parent), imports=imports, code=code)
                found = in_child(program, str(path))
                rows.append(
                    [name, f"{found['seconds']:.1f}", f"{found['cpu']:.1f}", f"{found['memory'] / 2**20:.0f} MB"]
                )
            parts += [
                f"{make.__name__}.csv, {path.stat().st_size / 2**20:.0f} MB, {found['rows']} rows:",
                table(["reader", "seconds", "of processors", "memory"], rows),
            ]
    return "\n\n".join(parts)


if __name__ == "__main__":
    print(main())
