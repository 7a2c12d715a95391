"""Sparse tables: time and memory by entries, beside scikit-learn's chi2 on the same table in the same process.

    python benchmarks/sparse_tables.py

Growth is the exponent e of time ~ size^e, from the smallest to the largest: by columns with as many entries, and by
entries with as many columns. Seconds are the best of three; memory is the peak beyond the input, in sizes of the input.
"""

from __future__ import annotations

import json
import math
import sys

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
X = sparse.random_array((n, d), density=entries / n / d, format="csr", rng=rng, data_sampler=rng.uniform)
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
    return "\n\n".join(
        [
            f"## Sparse tables ({machine()})",
            f"{K} features. Memory is the peak beyond the input, in sizes of the input.",
            table(["method", "table", "entries", "chi2", "entropick", "÷ chi2", "memory"], rows),
            "Exponents of growth: by columns (2 million entries) and by entries (50 000 columns).",
            table(["method", "by columns", "by entries"], grown),
        ]
    )


if __name__ == "__main__":
    print(json.dumps(measured(*sys.argv[1:2], *map(int, sys.argv[2:]))) if len(sys.argv) > 1 else main())
