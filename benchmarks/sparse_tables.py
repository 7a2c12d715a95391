"""Sparse tables: time and memory by entries, beside scikit-learn's chi2 on the same table in the same process.

    python benchmarks/sparse_tables.py

Growth is the exponent e of time ~ size^e, from the smallest to the largest: by columns with as many entries, and by
entries with as many columns. Seconds are the best of three; memory is the peak beyond the input, in sizes of the input.
"""

from __future__ import annotations

import json
import math
import os
import sys
from pathlib import Path

from measuring import in_child, machine, table

K = 20
ROWS = (  # method, rows, columns, entries
    ("mim", 5_000, 1_000_000, 2_500_000),
    ("jmi", 20_000, 200_000, 2_000_000),
    ("mim", 20_000, 20_000, 20_000_000),
    ("jmi", 20_000, 20_000, 20_000_000),
    ("wilks", 20_000, 20_000, 20_000_000),
    ("joint", 20_000, 20_000, 20_000_000),
)
BY_COLUMNS = [(20_000, d, 2_000_000) for d in (50_000, 200_000, 800_000)]
BY_ENTRIES = [(20_000, 50_000, entries) for entries in (1_000_000, 4_000_000, 16_000_000)]

CHILD = """
import json, sys, warnings
sys.path.insert(0, "benchmarks")
warnings.simplefilter("ignore")
import numpy as np
from scipy import sparse
from sklearn.feature_selection import chi2
from measuring import best, forget_peak, peak, resident
import entropick as ep
from sparse_tables import K
method, n, d, entries = sys.argv[1], *map(int, sys.argv[2:])
rng = np.random.default_rng(0)
cells = np.unique(rng.integers(n * d, size=entries))
at = np.searchsorted(cells, np.arange(n + 1) * d).astype(np.int32)
X = sparse.csr_array((rng.random(cells.size), (cells % d).astype(np.int32), at), shape=(n, d))
del cells
y = (X[:, [0, 1, 2]].sum(axis=1) + rng.random(n) > 0.5).astype(int)
size = X.data.nbytes + X.indices.nbytes + X.indptr.nbytes
ep.select(X[:300, :50], y[:300], method=method, k=3)
run = lambda: ep.select(X, y, method=method, k=K)
run()
forget_peak()
before = resident()
run()
held = max(0, peak() - before) / size
print(json.dumps({"chi2": best(lambda: chi2(X, y), 3), "own": best(run, 3), "memory": held}))
"""

WORDS = ["method", "set", "table", "not zero", "dense", "sparse", "features and scores"]
TEXTS = ("basehock", "pcmac", "relathe", "cnae9")  # tables of word counts, in the folder that ENTROPICK_DATA names
PIPELINE = """
import json, sys, warnings
sys.path.insert(0, "benchmarks")
warnings.simplefilter("ignore")
import numpy as np
from scipy import sparse
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline
from measuring import best
import entropick as ep
from sparse_tables import K
method, path = sys.argv[1:]
with np.load(path) as file:
    X, y = file["X"], file["y"]
held = sparse.csr_array(X)
found = {}
for form, table in (("dense", X), ("sparse", held)):
    pipeline = make_pipeline(ep.Selector(method, K), MultinomialNB())
    pipeline.fit(table, y)
    found[form] = best(lambda: pipeline.fit(table, y), 3)
    found[form + " answer"] = [*pipeline[0].selection_.indices.tolist(), *pipeline[0].scores_.tolist()]
assert sparse.issparse(pipeline[0].transform(held))
print(json.dumps({"rows": X.shape[0], "columns": X.shape[1], "share": held.nnz / X.size, **found}))
"""


def texts(method: str, folder: Path) -> list[list[str]]:
    """One row a text set: fitting selector and model on the dense and on the sparse table."""
    rows = []
    for name in TEXTS:
        one = in_child(PIPELINE, method, str(folder / f"{name}.npz"))
        same = "the same" if one["dense answer"] == one["sparse answer"] else "**another**"
        rows.append(
            [method, name, f"{one['rows']:,} × {one['columns']:,}", f"{one['share']:.1%}", f"{one['dense']:.2f} s",
             f"**{one['sparse']:.2f} s**", same]
        )  # fmt: skip
    return rows


def measured(method: str, n: int, d: int, entries: int) -> dict[str, float]:
    return in_child(CHILD, method, str(n), str(d), str(entries))


def growth(method: str, sizes: list[tuple[int, int, int]], at: int) -> str:
    first, last = (measured(method, *size)["own"] for size in (sizes[0], sizes[-1]))
    return f"{math.log(last / first) / math.log(sizes[-1][at] / sizes[0][at]):.2f}"


def main() -> str:
    rows = []
    for method, n, d, entries in ROWS:
        found = measured(method, n, d, entries)
        rows.append(
            [method, f"{n:,} × {d:,}", f"{entries:,}", f"{found['chi2']:.2f} s", f"**{found['own']:.2f} s**",
             f"{found['own'] / found['chi2']:.1f}", f"{found['memory']:.1f}"]
        )  # fmt: skip
    grown = [
        [method, growth(method, BY_COLUMNS, 1), growth(method, BY_ENTRIES, 2)] for method in ("mim", "jmi", "wilks")
    ]
    folder = Path(os.environ.get("ENTROPICK_DATA", ""))
    there = folder.is_dir() and (folder / f"{TEXTS[0]}.npz").is_file()
    words = [row for method in ("mim", "jmi", "joint") for row in texts(method, folder)] if there else []
    return "\n\n".join(
        [
            f"## Sparse tables ({machine()})",
            f"{K} features. Memory is the peak beyond the input, in sizes of the input.",
            table(["method", "table", "entries", "chi2", "entropick", "÷ chi2", "memory"], rows),
            "Exponents of growth: by columns (2 million entries) and by entries (50 000 columns).",
            table(["method", "by columns", "by entries"], grown),
            *(["Words: selector and model in a pipeline.", table(WORDS, words)] if words else []),
        ]
    )


if __name__ == "__main__":
    print(json.dumps(measured(*sys.argv[1:2], *map(int, sys.argv[2:]))) if len(sys.argv) > 1 else main())
