"""Rows that do not fit in memory: peak memory, throughput, and the cost of more of everything.

    python benchmarks/streaming.py FOLDER [--rows 2000000] [--columns 500] [--memory 1GB]     part 1
    python benchmarks/streaming.py FOLDER --cost                                              part 2

Part 1 writes a Parquet set (float64, uncompressed: 8 GB with the defaults) into FOLDER and removes it afterwards. Every
method runs in a process of its own; throughput is a ratio to reading the same columns with Arrow in the same run.
Part 2 fits seconds = c · rows^a columns^b classes^d k^e on small sets and extrapolates.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

import numpy as np
from measuring import in_child, machine, table

FILE_ROWS = 100_000
METHODS = ("mim", "jmi", "gc.mi")
PICKS = 20
CLUSTER = "100 machines of 32 cores, 128 GB and 2 GB/s from storage"
MACHINES, CORES, DISK = 100, 32, 2e9
BIG_ROWS, BIG_COLUMNS, BIG_CLASSES, BIG_PICKS = 1e9, 1e5, 2, 20

READ = """
import json, sys, time
import pyarrow.dataset as ds
start = time.perf_counter()
n = 0
for batch in ds.dataset(sys.argv[1]).to_batches(batch_size=16384):
    for column in batch.columns:
        n += column.nbytes
print(json.dumps({"seconds": time.perf_counter() - start, "bytes": n}))
"""

SELECT = """
import json, sys, time
folder, method, memory, k = sys.argv[1:5]
import entropick as ep
start = time.perf_counter()
chosen = ep.select(folder, "y", method=method, k=int(k), memory=memory or None, n_jobs=-1)
seconds = time.perf_counter() - start
with open("/proc/self/status") as file:
    peak = next(int(line.split()[1]) * 1024 for line in file if line.startswith("VmHWM"))
print(json.dumps({"seconds": seconds, "peak": peak, "names": list(chosen.names)}))
"""


def write_set(folder: Path, rows: int, columns: int, classes: int = 2) -> None:
    """A Parquet set whose target depends on columns 0 … 9, one of them by sign times another."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    folder.mkdir(parents=True, exist_ok=True)
    random = np.random.default_rng(0)
    for number, start in enumerate(range(0, rows, FILE_ROWS)):
        n = min(FILE_ROWS, rows - start)
        X = random.standard_normal((columns, n))
        signal = X[: min(8, columns)].sum(axis=0) + 2 * X[8 % columns] * X[9 % columns] + random.standard_normal(n)
        y = np.searchsorted(np.linspace(-3, 3, classes + 1)[1:-1], signal)
        names = [f"x{j}" for j in range(columns)]
        made = pa.table([*(pa.array(column) for column in X), pa.array(y)], names=[*names, "y"])
        pq.write_table(
            made, folder / f"{number:05d}.parquet", compression="none", use_dictionary=False, row_group_size=25_000
        )


def part_one(folder: Path, rows: int, columns: int, memory: str) -> str:
    needed = 8 * rows * columns
    free = shutil.disk_usage(folder).free
    if free < 1.2 * needed:
        raise SystemExit(f"{folder}: needs {needed / 1e9:.1f} GB, has {free / 1e9:.1f}")
    with tempfile.TemporaryDirectory(dir=folder, prefix="streaming-") as made:
        where = Path(made) / "set"
        write_set(where, rows, columns)
        read = in_child(READ, str(where))
        lines = []
        for method in METHODS:
            done = in_child(SELECT, str(where), method, memory, str(PICKS))
            again = in_child(READ, str(where))
            read["seconds"] = min(read["seconds"], again["seconds"])
            lines.append((method, done))
    out = [
        [
            method,
            f"{done['seconds']:.0f} s",
            f"{done['peak'] / 2**30:.2f} GiB",
            f"{done['seconds'] / read['seconds']:.1f}",
            ", ".join(done["names"][:4]) + ", …",
        ]
        for method, done in lines
    ]
    head = (
        f"{rows} × {columns} float64, {needed / 1e9:.1f} GB of Parquet, memory limit {memory}, k = {PICKS}, {machine()}"
    )
    speed = f"Reading alone (Arrow): {read['seconds']:.1f} s, {read['bytes'] / read['seconds'] / 1e9:.2f} GB/s."
    return "\n\n".join([head, speed, table(["method", "time", "peak memory", "× reading", "chosen"], out)])


# -- part 2 --------------------------------------------------------------------------------------------------

POINTS = [  # rows, columns, classes, k
    (100_000, 100, 2, 10),
    (200_000, 100, 2, 10),
    (400_000, 100, 2, 10),
    (100_000, 200, 2, 10),
    (100_000, 400, 2, 10),
    (100_000, 100, 8, 10),
    (100_000, 100, 32, 10),
    (100_000, 100, 2, 20),
    (100_000, 100, 2, 40),
]


def part_two(folder: Path) -> str:
    parts = []
    for method in METHODS:
        times = []
        for rows, columns, classes, k in POINTS:
            with tempfile.TemporaryDirectory(dir=folder, prefix="streaming-") as made:
                write_set(Path(made) / "set", rows, columns, classes)
                limit = str(8 * rows * columns)  # below what a selection in memory takes, so rows go by blocks
                runs = [in_child(SELECT, str(Path(made) / "set"), method, limit, str(k)) for _ in range(2)]
                times.append(min(run["seconds"] for run in runs))
        design = np.log(np.array([[np.e, *point] for point in POINTS], dtype=float))
        powers, *_ = np.linalg.lstsq(design, np.log(times), rcond=None)
        fit = np.exp(design @ powers)
        parts.append([method, *(f"{p:.2f}" for p in powers[1:]), f"{np.max(np.abs(fit / times - 1)):.0%}"])
    return "\n\n".join(
        [
            f"Powers of rows, columns, classes and k in seconds, {machine()}",
            table(["method", "rows", "columns", "classes", "k", "largest misfit"], parts),
            extrapolation(),
        ]
    )


def extrapolation() -> str:
    """10⁹ × 10⁵ by the bytes that must move and the tables that must be kept, not by powers from small sets."""
    cells = BIG_ROWS * BIG_COLUMNS
    passes = 3 * cells * 8 / (MACHINES * DISK)
    packed = cells * 3 / 8
    step = packed / (MACHINES * CORES * 2e9)
    moments = 8 * BIG_CLASSES * BIG_COLUMNS**2
    products = 2 * cells * BIG_COLUMNS / (MACHINES * CORES * 2e10)
    tables = 8 * BIG_CLASSES * (5 * BIG_COLUMNS) ** 2 / 2
    sketches = BIG_COLUMNS * 2048 * 8 * np.log2(BIG_ROWS / 2048)
    rows = [
        ["three passes over 8-byte cells", f"{3 * cells * 8 / 1e12:.0f} TB", f"{passes / 3600:.1f} h of storage"],
        ["coded rows, 3 bits a cell", f"{packed / 1e12:.1f} TB, {packed / MACHINES / 1e9:.0f} GB a machine", ""],
        [f"jmi, k = {BIG_PICKS}", f"{BIG_PICKS} passes over the coded rows", f"{BIG_PICKS * step:.0f} s of counting"],
        ["summaries of one merge", f"{sketches / 1e9:.0f} GB at every node of the tree", ""],
        ["gc.mi, covariances", f"{moments / 1e9:.0f} GB at every worker", f"{products / 3600:.0f} h of products"],
        ["tables of all pairs", f"{tables / 1e12:.1f} TB", "not kept; counted when asked for"],
    ]
    text = f"Extrapolation to {BIG_ROWS:.0e} × {BIG_COLUMNS:.0e} on {CLUSTER}:"
    return text + "\n\n" + table(["what", "size", "time"], rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rows", type=int, default=2_000_000)
    parser.add_argument("--columns", type=int, default=500)
    parser.add_argument("--memory", default="1GB")
    parser.add_argument("--cost", action="store_true")
    given = parser.parse_args()
    print(part_two(given.folder) if given.cost else part_one(given.folder, given.rows, given.columns, given.memory))


if __name__ == "__main__":
    sys.exit(main())
