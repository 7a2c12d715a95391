"""Figure 2 of Vinh et al. (2014) at its true size, streamed: 1.2 million rows, 512 features, 3 755 classes.

    python benchmarks/characters.py [--classes 3755] [--rows 320] [--features 512] [--memory 1GB] [--method spec.cmi]

Rows are generated a block at a time, as in `reproduction.vinh_large`, and never held together; what is printed is the
time of generating them alone, the time of reading, coding, counting and selecting, and the peak of memory.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

import entropick as ep
from reproduction.vinh_large import BINS, writer


def blocks(classes: int, rows: int, features: int) -> Iterator[pd.DataFrame]:
    """``rows`` blocks, each with one row of every class."""
    drawn, every = writer(classes, features), np.arange(classes)
    names = [f"x{j}" for j in range(features)]
    for _ in range(rows):
        yield pd.DataFrame(drawn(every), columns=names).assign(character=every)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--classes", type=int, default=3755)
    parser.add_argument("--rows", type=int, default=320)
    parser.add_argument("--features", type=int, default=512)
    parser.add_argument("--memory", default="1GB")
    parser.add_argument("--method", default="spec.cmi")
    parser.add_argument("--nystrom", type=float, default=0.2)
    asked = parser.parse_args()
    shape = asked.classes, asked.rows, asked.features
    begin = time.perf_counter()
    for _ in blocks(*shape):
        pass
    made = time.perf_counter() - begin
    how: dict[str, Any] = {"nystrom": asked.nystrom} if asked.nystrom and asked.method in ("spec.cmi", "qpfs") else {}
    begin = time.perf_counter()
    found = ep.select(
        blocks(*shape), "character", method=asked.method, k=min(200, asked.features), task="classification",
        discretizer=BINS, memory=asked.memory, random_state=0, n_jobs=-1, **how,
    )  # fmt: skip
    spent = time.perf_counter() - begin
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(f"{asked.classes * asked.rows:,} rows × {asked.features}, {asked.classes} classes: generating {made:.0f} s;")
    print(f"{asked.method}{how or ''} of {found.n_samples:,.0f} rows {spent:.0f} s in all, peak {peak:.2f} GiB")


if __name__ == "__main__":
    main()
