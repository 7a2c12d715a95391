"""Tables, targets and arguments as a careless or hostile caller gives them; a case is made from its seed alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

from entropick.methods import REGISTRY

TEXTS = ("", " ", "a", "A", "b", "ä", "1", "1.5", "nan", "NA", "None", "x\ny", "\x00", "<script>alert(1)</script>", "𝔘",
         "\u202eabc", "=1+1", "'; DROP TABLE", "a" * 300, "1e999", "-inf", "true")  # fmt: skip
NUMBERS = (0.0, -0.0, 1.0, -1.0, 1e-308, 5e-324, 1e15, 1e16 + 1, 1e150, -1e150, 1e300, 1.7e308, -1.7e308, np.pi)
INTEGERS = (0, 1, -1, 2, 127, 128, 255, 256, 65535, 65536, 2**31 - 1, 2**31, 2**53 + 1, 2**63 - 1, -(2**63))
SLOW = frozenset({"lsmi.l1", "lsmi.backward", "hsic.l1", "sdp.cmi", "rfe.svm"})


@dataclass(frozen=True)
class Case:
    """One call of `select`."""

    seed: int
    X: Any
    y: Any
    keywords: dict[str, Any]

    def __str__(self) -> str:
        return f"seed {self.seed}: X {type(self.X).__name__}, y {type(self.y).__name__}, {self.keywords}"


def case(seed: int) -> Case:
    rng = np.random.default_rng(seed)
    n = int(rng.choice([1, 2, 3, 5, 9, 30, 80], p=[0.03, 0.04, 0.06, 0.1, 0.17, 0.35, 0.25]))
    d = int(rng.choice([1, 2, 3, 5, 9, 17], p=[0.1, 0.15, 0.2, 0.25, 0.2, 0.1]))
    return Case(seed, table(rng, n, d), target(rng, n), arguments(rng, n, d))


def column(rng: np.random.Generator, n: int) -> Any:
    """(n,) one column of some kind; half of them are ordinary."""
    kind = rng.integers(14)
    if kind < 3:
        return rng.normal(size=n)
    if kind < 5:
        return rng.integers(0, int(rng.integers(1, 8)), n)
    if kind == 5:
        return np.full(n, rng.choice(NUMBERS))
    if kind == 6:
        return rng.choice(NUMBERS, n)
    if kind == 7:
        return np.array([INTEGERS[i] for i in rng.integers(0, len(INTEGERS), n)], dtype=np.int64)
    if kind == 8:
        values = rng.normal(size=n)
        values[rng.random(n) < rng.random()] = np.nan
        return values
    if kind == 9:
        return np.array([TEXTS[i] for i in rng.integers(0, len(TEXTS), n)], dtype=object)
    if kind == 10:
        return rng.random(n) < 0.5
    if kind == 11:
        return pd.Series(pd.Timestamp("2020-02-29") + pd.to_timedelta(rng.integers(-(10**9), 10**9, n), unit="s"))
    if kind == 12:
        return rng.normal(size=n) * 10.0 ** rng.integers(-300, 300)
    strange = (None, 1, 2.5, "a", b"a", float("nan"), True, [1], {"a": 1}, 3 + 4j, object, np.inf, 10**30)
    return np.array([*(strange[i] for i in rng.integers(0, len(strange), n)), None], dtype=object)[:-1]


def table(rng: np.random.Generator, n: int, d: int) -> Any:
    """The table in one of the forms that callers use."""
    form = rng.integers(10)
    if form == 0:
        X = rng.integers(0, 4, (n, d)).astype(rng.choice(["i1", "u1", "i2", "u4", "i8", "u8", "f4", "f8", "?"]))
        return X[:, ::-1] if rng.random() < 0.3 else np.asfortranarray(X)
    if form == 1:
        X = rng.normal(size=(n, d)) * 10.0 ** rng.integers(-160, 160, d)
        X.setflags(write=False)
        return X
    if form == 2:
        X = rng.normal(size=(n, d))
        X[rng.random((n, d)) < 0.1] = rng.choice([np.nan, np.inf, -np.inf, 0.0])
        return X
    if form == 3:
        return sparse.random(
            n, d, 0.3, random_state=int(rng.integers(1 << 31)), format=rng.choice(["csr", "csc", "coo"])
        )
    columns = [column(rng, n) for _ in range(d)]
    if d > 1 and rng.random() < 0.3:
        columns[int(rng.integers(d))] = columns[0]
    names = [f"c{j}" for j in range(d)]
    if rng.random() < 0.3:
        names = [TEXTS[i] for i in rng.integers(0, len(TEXTS), d)]
    if form == 4:
        return [list(row) for row in zip(*columns, strict=True)]
    if form == 5:
        return dict(zip(names, columns, strict=True))
    frame = pd.concat([pd.Series(c).reset_index(drop=True) for c in columns], axis=1)
    frame.columns = names if rng.random() < 0.9 else [*range(d)]
    if form == 6:
        plain = [c for c in frame.columns if frame.columns.is_unique and frame[c].dtype != object]
        return frame.astype({c: "category" for c in plain if rng.random() < 0.3})
    if form in (7, 8) and frame.columns.is_unique:
        import pyarrow as pa

        # Arrow and Polars have no columns of anything: what is neither number nor date goes in as text
        texts = {c: [str(value) for value in frame[c]] for c in frame if frame[c].dtype.kind not in "biufM"}
        arrow = pa.table({str(c): pa.array(texts.get(c, frame[c])) for c in frame})
        if form == 8:
            return arrow
        import polars as pl

        return pl.from_arrow(arrow)
    return frame


def target(rng: np.random.Generator, n: int) -> Any:
    kind = rng.integers(12)
    if kind < 5:
        return rng.integers(0, int(rng.integers(1, 5)), n)
    if kind < 7:
        return rng.normal(size=n)
    if kind == 7:
        return np.array([TEXTS[i] for i in rng.integers(0, len(TEXTS), n)], dtype=object)
    if kind == 8:
        return rng.choice([0.0, 1.0, np.nan, np.inf], n, p=[0.48, 0.48, 0.02, 0.02])
    if kind == 9:
        return pd.Series(rng.choice(["yes", "no"], n), dtype="category")
    if kind == 10:
        return rng.normal(size=(n, int(rng.integers(1, 3)))) if rng.random() < 0.7 else rng.integers(0, 2, n + 1)
    return list(rng.choice(NUMBERS, n))


def arguments(rng: np.random.Generator, n: int, d: int) -> dict[str, Any]:
    """Keywords of `select`: mostly allowed ones."""
    slow = d > 5 or n > 30
    names = [name for name in REGISTRY if not (slow and name in SLOW)]
    method = str(rng.choice(names))
    given: dict[str, Any] = {"method": method, "random_state": 0}
    given["k"] = [1, 2, d, None, "auto", 0.5, d + 1, 0, float("nan")][
        int(rng.choice(9, p=[0.2, 0.2, 0.2, 0.1, 0.2, 0.04, 0.02, 0.02, 0.02]))
    ]
    if rng.random() < 0.2:
        given["sample_weight"] = [
            rng.integers(0, 3, n), rng.random(n), np.zeros(n), -rng.random(n), np.full(n, np.nan), np.full(n, 1e300),
        ][int(rng.integers(6))]  # fmt: skip
    if rng.random() < 0.25:
        given["discretizer"] = ["mdl", "uniform", "kmeans", 2, 7, None, 0, "none"][int(rng.integers(8))]
    if rng.random() < 0.1:
        given["include"] = [int(rng.integers(-1, d + 1))]
    if rng.random() < 0.1:
        given["exclude"] = [int(rng.integers(0, d + 1))]
    if rng.random() < 0.1:
        given["groups"] = rng.integers(0, 3, d).tolist()
    if rng.random() < 0.1:
        given["missing"] = "error"
    if rng.random() < 0.15:
        given["search"] = str(rng.choice([*REGISTRY[method].searches, "nowhere"]))
    if rng.random() < 0.1:
        given["task"] = str(rng.choice(["classification", "regression", "guess"]))
    if rng.random() < 0.3 and REGISTRY[method].options:
        name = str(rng.choice(list(REGISTRY[method].options)))
        given[name] = [0, 1, 0.5, -1, None, "auto", 1e9, float("nan"), [1], True][int(rng.integers(10))]
        if name == "time_limit" and given[name] in (1, 0.5):  # what the clock stops need not repeat
            given[name] = 1e9
    return given
