"""Short, long and wide tables beside compiled peers: mrmrs on raw numbers, praznik and FEAST on coded ones.

    python benchmarks/shapes.py
    python benchmarks/shapes.py --processor    # coded tables alone: processor time, one thread each

mrmrs is installed by `make bench`. praznik is measured where `Rscript` finds it, FEAST where its shared library is
named by FEAST_LIBRARY (or lies in ``$XDG_CACHE_HOME/entropick-peers``, which is also searched for R packages), PLINK
where it is installed; what is not there is left out, with a line that says so. Two threads for every peer; we take the
better of one and two. With ``--processor`` everybody has one thread, and the time that it worked counts: on a machine
with other work that is fair, while threads of a peer that wait for each other are not.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from measuring import best, machine, table

import entropick as ep

PEERS = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "entropick-peers"
CODED = {  # rows, columns, levels, classes, k
    "short": (1_000, 2_000, 5, 2, 50),
    "middle": (10_000, 1_000, 5, 2, 50),
    "long": (50_000, 1_000, 5, 2, 50),
    "long, binary": (50_000, 1_000, 2, 2, 50),
    "many classes": (10_000, 1_000, 8, 10, 50),
    "wide": (72, 7_000, 3, 2, 100),
}
NUMBERS = ((1_000, 500), (10_000, 1_000), (50_000, 1_000))
GENOTYPES = ((10_000, 500), (2_000, 2_000), (1_000, 5_000))
CRITERIA = {"jmi": ("JMI", "JMI"), "mrmr": ("MRMR", "mRMR_D"), "cmim": ("CMIM", "CMIM"), "disr": ("DISR", "DISR")}
FEAST_ENTRIES = 8e6  # of a table; beyond, FEAST takes too long for a benchmark of minutes

R_SCRIPT = """
a <- commandArgs(TRUE); .libPaths(c(a[1], .libPaths())); library(praznik)
n <- as.integer(a[2]); D <- as.integer(a[3]); k <- as.integer(a[4]); h <- as.integer(a[7])
d <- readBin(a[5], "integer", n = n * D, size = 1, signed = FALSE)
X <- as.data.frame(lapply(seq_len(D), function(j) factor(d[((j - 1) * n + 1):(j * n)]))); names(X) <- 0:(D - 1)
y <- factor(readBin(a[6], "integer", n = n, size = 1))
for (m in c("JMI", "MRMR", "CMIM", "DISR")) {
  f <- get(m); t <- min(sapply(1:2, function(i) {
    s <- system.time(r <<- f(X, y, k, threads = h)); if (h == 1) s[1] + s[2] else s[3]
  }))
  cat(m, t, names(r$selection), "\\n")
}
"""


def coded(n: int, d: int, levels: int, classes: int) -> tuple[np.ndarray, np.ndarray]:
    """(n, d) levels in groups of correlated columns, half of which lean on the class."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, classes, n)
    groups = max(10, d // 20)
    shift = rng.normal(0, 0.4, (groups, classes))
    shift[groups // 2 :] = 0
    common = rng.normal(size=(groups, n)) + shift[:, y]
    X = np.empty((n, d), np.uint8)
    for j in range(d):
        share = rng.uniform(0.2, 0.9)
        x = share * common[rng.integers(groups)] + np.sqrt(1 - share**2) * rng.normal(size=n)
        X[:, j] = np.searchsorted(np.quantile(x, np.arange(1, levels) / levels), x)
    return X, y.astype(np.uint8)


def praznik(X: np.ndarray, y: np.ndarray, k: int, threads: int) -> dict[str, tuple[float, list[int]]]:
    """Seconds (of processor time, on one thread) and picks by criterion; nothing where it is not installed."""
    if shutil.which("Rscript") is None:
        return {}
    with tempfile.TemporaryDirectory() as folder:
        script, columns, classes = (Path(folder) / name for name in ("run.R", "x", "y"))
        script.write_text(R_SCRIPT, encoding="utf-8")
        np.ascontiguousarray(X.T).tofile(columns)
        y.tofile(classes)
        call = ["Rscript", script, PEERS / "r", *X.shape, k, columns, classes, threads]
        said = subprocess.run([str(part) for part in call], capture_output=True, text=True)
    rows = [line.split() for line in said.stdout.splitlines()]
    return {row[0]: (float(row[1]), [int(j) for j in row[2:]]) for row in rows}


def feast() -> ctypes.CDLL | None:
    path = os.environ.get("FEAST_LIBRARY", str(PEERS / "libfeast.so"))
    return ctypes.CDLL(path) if Path(path).exists() else None


def feast_seconds(library: ctypes.CDLL, name: str, X: np.ndarray, y: np.ndarray, k: int) -> float:
    pointer = ctypes.POINTER(ctypes.c_uint)
    columns, labels = np.ascontiguousarray(X.T, dtype=np.uint32), y.astype(np.uint32)
    rows = (pointer * len(columns))(*[column.ctypes.data_as(pointer) for column in columns])
    picks, scores = (ctypes.c_uint * k)(), (ctypes.c_double * k)()
    run = getattr(library, name)
    return best(lambda: run(k, *X.shape, rows, labels.ctypes.data_as(pointer), picks, scores), 2, 5.0)


def ratio(peer: float, own: float) -> str:
    times = peer / own
    return f"{times:.0f}×" if times >= 10 else f"{times:.1f}×" if times >= 1 else f"**{times:.2f}× (slower)**"


def least(work: Callable[[], Any], repeats: int = 12) -> float:
    """Seconds of processor time of this thread."""
    taken = []
    for _ in range(repeats):
        start = time.thread_time()
        work()
        taken.append(time.thread_time() - start)
    return min(taken)


def coded_rows(library: ctypes.CDLL | None, processor: bool = False) -> tuple[list[list[str]], bool]:
    """A line for every shape and criterion; whether praznik was there."""
    rows, seen = [], False
    for name, (n, d, levels, classes, k) in CODED.items():
        print(f"  {name}: {n} × {d}", file=sys.stderr, flush=True)
        X, y = coded(n, d, levels, classes)
        theirs = praznik(X, y, k, 1 if processor else 2)
        seen = seen or bool(theirs)
        for criterion, (p, f) in CRITERIA.items():

            def ours(jobs: int, X: np.ndarray = X, y: np.ndarray = y, k: int = k, criterion: str = criterion):
                return ep.select(X, y, method=criterion, k=k, discretizer=None, n_jobs=jobs)

            picks = ours(1).indices.tolist()
            own = least(lambda: ours(1)) if processor else min(best(lambda j=j: ours(j), 5, 3.0) for j in (1, 2))  # type: ignore[misc]
            peers = {"praznik": theirs[p][0]} if p in theirs else {}
            if library is not None and X.size <= FEAST_ENTRIES and not processor:
                peers["FEAST"] = feast_seconds(library, f, X, y, k)
            fastest = min(peers, key=peers.__getitem__, default=None)
            same = "–" if p not in theirs else "same" if picks == theirs[p][1] else "**others**"
            rows.append([
                f"{name}: {n:,} × {d:,}, {levels} levels, {classes} classes, k = {k}", criterion,
                *(f"{1e3 * peers[peer]:.1f} ms" if peer in peers else "–" for peer in ("praznik", "FEAST")),
                f"{1e3 * own:.1f} ms", "–" if fastest is None else ratio(peers[fastest], own), same,
            ])  # fmt: skip
    return rows, seen


def number_rows() -> list[list[str]]:
    """mRMR of 20 features from raw numbers."""
    import polars as pl
    from mrmrs import mrmr

    rows = []
    for n, d in NUMBERS:
        print(f"  raw numbers: {n} × {d}", file=sys.stderr, flush=True)
        rng = np.random.default_rng(1)
        y = rng.integers(0, 2, n)
        X = rng.normal(size=(n, d))
        X[:, :20] += y[:, None] * rng.uniform(0.2, 1.0, 20)
        frame, target = pl.DataFrame({f"x{j}": X[:, j] for j in range(d)}), pl.Series("y", y)
        theirs = best(
            lambda: mrmr(X=frame, y=target, number_of_features=20, task_type="classification"),  # noqa: B023
            5,
            5.0,
        )
        for what, given in (("array", X), ("polars", frame)):
            ep.select(given, y, method="mrmr", k=20)
            own = best(lambda: ep.select(given, y, method="mrmr", k=20), 5, 5.0)  # noqa: B023
            rows.append([f"{n:,} × {d:,}", what, f"{1e3 * theirs:.1f} ms", f"{1e3 * own:.1f} ms", ratio(theirs, own)])
    return rows


def pair_rows() -> list[list[str]]:
    """All pairs of genotypes, tested; nothing where PLINK is not installed."""
    plink = shutil.which("plink1.9") or shutil.which("plink")
    if plink is None:
        return []
    rows = []
    for n, d in GENOTYPES:
        print(f"  pairs: {n} × {d}", file=sys.stderr, flush=True)
        rng = np.random.default_rng(0)
        share = rng.uniform(0.1, 0.5, d)
        G = (rng.random((n, d)) < share).astype(np.uint8) + (rng.random((n, d)) < share).astype(np.uint8)
        y = np.where(rng.random(n) < 0.75, (G[:, 17] > 0) ^ (G[:, d // 2] > 0), rng.integers(0, 2, n))
        with tempfile.TemporaryDirectory() as folder:
            at = Path(folder)
            codes = np.pad(np.array([3, 2, 0], np.uint8)[G.T], ((0, 0), (0, -n % 4))).reshape(d, -1, 4)
            packed = (codes << np.array([0, 2, 4, 6], np.uint8)).sum(2).astype(np.uint8)
            (at / "t.bed").write_bytes(bytes([0x6C, 0x1B, 1]) + packed.tobytes())
            (at / "t.bim").write_text("".join(f"1 s{j} 0 {j + 1} A G\n" for j in range(d)))
            (at / "t.fam").write_text("".join(f"f{i} i{i} 0 0 1 {y[i] + 1}\n" for i in range(n)))
            call = f"{plink} --bfile t --fast-epistasis boost --epi1 1e-6 --threads 2 --allow-no-sex --out o".split()
            theirs = best(lambda: subprocess.run(call, cwd=at, capture_output=True, check=True), 2)  # noqa: B023
        ep.interactions(G[:200, :20], y[:200])
        own = best(lambda: ep.interactions(G, y, n_jobs=2), 2)  # noqa: B023
        rows.append([f"{n:,} × {d:,}", f"{theirs:.2f} s", f"{own:.2f} s", ratio(theirs, own)])
    return rows


def main(processor: bool = False) -> str:
    library, missing = feast(), []
    rows, with_praznik = coded_rows(library, processor)
    if not with_praznik:
        missing.append("praznik is left out: Rscript does not find it.")
    if library is None:
        missing.append("FEAST is left out: no library at FEAST_LIBRARY.")
    head = ["table", "criterion", "praznik", "FEAST", "entropick", "faster than the faster", "picks of praznik"]
    parts = [f"## Short, long and wide ({machine()})", "Levels in, features out.", table(head, rows)]
    if processor:
        return "\n\n".join(parts)
    try:
        parts += [
            "mRMR of 20 features from raw numbers; mrmrs takes the F statistic and correlations, we code and count.",
            table(["table", "given as", "mrmrs (polars)", "entropick", "faster"], number_rows()),
        ]
    except ImportError as error:
        missing.append(f"mrmrs is left out: {error}.")
    if pairs := pair_rows():
        head = ["genotypes", "PLINK 1.9, fast-epistasis boost", "entropick, interactions", "faster"]
        parts += ["All pairs of genotypes, tested.", table(head, pairs)]
    else:
        missing.append("PLINK is left out: it is not installed.")
    return "\n\n".join([*parts, *missing])


if __name__ == "__main__":
    print(main("--processor" in sys.argv))
