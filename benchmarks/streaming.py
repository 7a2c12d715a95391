"""Rows that do not fit in memory: peak memory, throughput, and the cost of more of everything.

    python benchmarks/streaming.py FOLDER [--rows 2000000] [--columns 500] [--memory 1GB]     part 1
    python benchmarks/streaming.py FOLDER --cost [--repeats 2] [--rows 100000] [--columns 200]  part 2

Part 1 writes a Parquet set (float64, uncompressed: 8 GB with the defaults) into FOLDER and removes it afterwards. Every
method runs in a process of its own; wall and processor time (user and system) are ratios to reading the same columns
with Arrow in the same run. Part 2 fits seconds = c · rows^a columns^b classes^d k^e on sets of 160 to 640 MB, the best
of several runs at each point, and extrapolates; --rows and --columns are those of its smallest set. A tiny selection
comes first in every process, so that loading libraries and kernels is not measured. Progress goes to stderr.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from measuring import in_child, machine, table

FILE_ROWS = 100_000
METHODS = ("mim", "jmi", "gc.mi")
PICKS = 20
CLUSTER = "100 machines of 32 cores, 128 GB and 2 GB/s from storage"
MACHINES, CORES, DISK = 100, 32, 2e9
BIG_ROWS, BIG_COLUMNS, BIG_CLASSES, BIG_PICKS = 1e9, 1e5, 2, 20

CLOCK = """
import json, resource, sys, time
def processor():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime
"""

READ = (
    CLOCK
    + """
import pyarrow.dataset as ds
start, busy = time.perf_counter(), processor()
n = 0
for batch in ds.dataset(sys.argv[1]).to_batches(batch_size=16384):
    for column in batch.columns:
        n += column.nbytes
print(json.dumps({"seconds": time.perf_counter() - start, "processor": processor() - busy, "bytes": n}))
"""
)

SELECT = (
    CLOCK
    + """
folder, tiny, method, memory, k = sys.argv[1:6]
import entropick as ep
ep.select(tiny, "y", method=method, k=2, memory="1MB", n_jobs=-1)
start, busy = time.perf_counter(), processor()
chosen = ep.select(folder, "y", method=method, k=int(k), memory=memory, n_jobs=-1)
seconds, busy = time.perf_counter() - start, processor() - busy
with open("/proc/self/status") as file:
    peak = next(int(line.split()[1]) * 1024 for line in file if line.startswith("VmHWM"))
print(json.dumps({"seconds": seconds, "processor": busy, "peak": peak, "names": list(chosen.names)}))
"""
)


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


class Sets:
    """Parquet sets in a folder: a tiny one, to load everything with, and one at a time to be measured."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        write_set(folder / "tiny", 3000, 20)

    def write(self, rows: int, columns: int, classes: int = 2) -> Path:
        """A new set in place of the last."""
        where = self.folder / "set"
        shutil.rmtree(where, ignore_errors=True)
        write_set(where, rows, columns, classes)
        return where

    def run(self, where: Path, method: str, memory: str, k: int) -> dict[str, Any]:
        return in_child(SELECT, str(where), str(self.folder / "tiny"), method, memory, str(k))


def say(line: str) -> None:
    """Progress."""
    print(f"{time.strftime('%H:%M:%S')} {line}", file=sys.stderr, flush=True)


def part_one(folder: Path, rows: int, columns: int, memory: str) -> str:
    needed = 8 * rows * columns
    free = shutil.disk_usage(folder).free
    if free < 1.2 * needed:
        raise SystemExit(f"{folder}: needs {needed / 1e9:.1f} GB, has {free / 1e9:.1f}")
    with tempfile.TemporaryDirectory(dir=folder, prefix="streaming-") as made:
        sets = Sets(Path(made))
        say(f"writing {needed / 1e9:.1f} GB")
        where = sets.write(rows, columns)
        reads = [in_child(READ, str(where))]
        lines = []
        for method in METHODS:
            say(f"reading alone takes {reads[-1]['seconds']:.1f} s; {method}")
            lines.append((method, sets.run(where, method, memory, PICKS)))
            reads.append(in_child(READ, str(where)))
    read = {name: min(one[name] for one in reads) for name in ("seconds", "processor", "bytes")}
    out = [
        [
            method,
            *(f"{done[name]:.1f} s" for name in ("seconds", "processor")),
            *(f"{done[name] / read[name]:.1f}" for name in ("seconds", "processor")),
            f"{done['peak'] / 2**30:.2f} GiB",
            ", ".join(done["names"][:4]) + ", …",
        ]
        for method, done in lines
    ]
    head = (
        f"{rows} × {columns} float64, {needed / 1e9:.1f} GB of Parquet, memory limit {memory}, k = {PICKS}, {machine()}"
    )
    speed = (
        f"Reading alone (Arrow): {read['seconds']:.1f} s, {read['bytes'] / read['seconds'] / 1e9:.2f} GB/s,"
        f" {read['processor']:.1f} s of the processor."
    )
    titles = ["method", "time", "processor", "time × reading", "processor × reading", "peak memory", "chosen"]
    return "\n\n".join([head, speed, table(titles, out)])


# -- part 2 --------------------------------------------------------------------------------------------------

SETS = {  # times the rows, times the columns, classes -> numbers of features
    (1, 1, 2): (20, 40, 80),
    (2, 1, 2): (20,),
    (4, 1, 2): (20,),
    (1, 2, 2): (20,),
    (1, 4, 2): (20,),
    (1, 1, 8): (20,),
    (1, 1, 32): (20,),
}


def part_two(folder: Path, rows: int, columns: int, repeats: int) -> str:
    points, times = [], []
    with tempfile.TemporaryDirectory(dir=folder, prefix="streaming-") as made:
        sets = Sets(Path(made))
        for (longer, wider, classes), picks in SETS.items():
            n, d = longer * rows, wider * columns
            where = sets.write(n, d, classes)
            limit = str(max(8 * n * d, 1 << 20))  # below what a selection in memory takes, so rows go by blocks
            for k in (min(k, d) for k in picks):
                runs = [[sets.run(where, method, limit, k)["seconds"] for method in METHODS] for _ in range(repeats)]
                points.append((n, d, classes, k))
                times.append(np.min(runs, axis=0))
                best = ", ".join(f"{method} {s:.2f} s" for method, s in zip(METHODS, times[-1], strict=True))
                say(f"{n} × {d}, {classes} classes, k = {k}: {best}")
    design = np.log(np.array([[np.e, *point] for point in points], dtype=float))
    powers, *_ = np.linalg.lstsq(design, np.log(times), rcond=None)
    misfit = np.abs(np.exp(design @ powers) / times - 1).max(axis=0)
    fits = [
        [method, *(f"{p:.2f}" for p in own[1:]), f"{off:.0%}"]
        for method, own, off in zip(METHODS, powers.T, misfit, strict=True)
    ]
    measured = [[*point, *(f"{s:.2f}" for s in some)] for point, some in zip(points, times, strict=True)]
    return "\n\n".join(
        [
            f"Seconds, best of {repeats}, {machine()}",
            table(["rows", "columns", "classes", "k", *METHODS], measured),
            "Powers of rows, columns, classes and k in seconds:",
            table(["method", "rows", "columns", "classes", "k", "largest misfit"], fits),
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
    parser.add_argument("--rows", type=int, help="2000000, with --cost 100000")
    parser.add_argument("--columns", type=int, help="500, with --cost 200")
    parser.add_argument("--memory", default="1GB")
    parser.add_argument("--cost", action="store_true")
    parser.add_argument("--repeats", type=int, default=2)
    given = parser.parse_args()
    if given.cost:
        print(part_two(given.folder, given.rows or 100_000, given.columns or 200, given.repeats))
    else:
        print(part_one(given.folder, given.rows or 2_000_000, given.columns or 500, given.memory))


if __name__ == "__main__":
    sys.exit(main())
