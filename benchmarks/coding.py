"""How fast columns become levels: times, and ratios to what memory or NumPy alone would take in the same run.

python benchmarks/coding.py [--rows 50000] [--columns 1000] [--threads 2]
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
from measuring import best

from entropick.coding import Coder
from entropick.sources import as_table


def line(what: str, seconds: float, elements: int, against: float, peer: str) -> None:
    ratio = seconds / against
    print(f"{what:<58}{1e3 * seconds:>10.1f} ms{1e9 * seconds / elements:>9.3f} ns{ratio:>9.2f} × {peer}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=50_000)
    parser.add_argument("--columns", type=int, default=1_000)
    parser.add_argument("--threads", type=int, default=2)
    given = parser.parse_args()
    n, columns = given.rows, given.columns
    size = n * columns
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, n).astype(np.int32)
    order = np.argsort(y, kind="stable")
    coded = rng.integers(0, 5, (n, columns), dtype=np.uint8)
    real = rng.normal(size=(n, columns))
    real[:, ::2] += y[:, None] * rng.uniform(0, 1, real[:, ::2].shape[1])
    print(f"{n} × {columns}; ns are a value; {given.threads} threads where not said otherwise")

    spare = np.ones_like(coded)
    copy = best(lambda: np.copyto(spare, coded))
    line("memory: np.copyto of the bytes", copy, size, copy, "copy")

    from entropick.kernels.transpose import gather_transpose

    turned = np.ones((columns, n), dtype=np.uint8)
    flat = coded.reshape(-1)
    one = best(lambda: gather_transpose(flat, columns, order, 0, n, turned))
    line("gather-transpose kernel, rows by class, one thread", one, size, copy, "copy")
    numpy = best(lambda: np.ascontiguousarray(coded[order].T), 2)
    line("the same with NumPy", numpy, size, copy, "copy")

    def report(name: str, X: np.ndarray, discretizer: Any, rounds: int) -> None:
        table = as_table(X)
        coder = Coder(discretizer, n_jobs=given.threads)
        line(f"fit    {name}", best(lambda: coder.fit(table, y, 2), rounds), size, copy, "copy")
        line(f"codes  {name}", best(lambda: coder.codes(table, 0, columns, order), rounds), size, copy, "copy")
        line(f"by_row {name}", best(lambda: coder.by_row(table, 0, columns), rounds), size, copy, "copy")

    report("coded uint8", coded, None, 5)
    report("coded uint8 from 1", coded + 1, None, 3)
    report("coded int64", coded.astype(np.int64), None, 3)
    report("float64, 5 equal-frequency bins", real, "quantile", 1)
    report("float64, MDL, 2 classes", real, "mdl", 1)
    sort = best(lambda: [np.argsort(real[:, j]) for j in range(0, columns, 20)], 1) * 20
    print(f"{'one-thread np.argsort of all columns, for scale':<58}{1e3 * sort:>10.1f} ms")


if __name__ == "__main__":
    main()
