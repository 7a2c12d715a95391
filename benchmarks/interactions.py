"""Interactions: how often chance is called one, and what a scan costs beside the bare work.

python benchmarks/interactions.py null [SETS]    # sets of 500 columns without any interaction: how many report one
python benchmarks/interactions.py uniform [SETS] # p-values of all pairs of such sets at 0.05, 0.01 and 0.001
python benchmarks/interactions.py cost           # seconds, ratios to the bare products or counts, memory
"""

from __future__ import annotations

import sys
import time

import numpy as np
from joint import peak_memory, seconds

import entropick as ep

ROWS, COLUMNS = 500, 500


def noise(kind: str, target: str, random: np.random.Generator, n: int, d: int) -> tuple[np.ndarray, np.ndarray]:
    """X (n, d) and y without interaction: ``strong`` has ten columns with effects that add up, others have none."""
    if kind == "coded":
        X = random.binomial(2, random.uniform(0.1, 0.5, d), (n, d))
    elif kind == "heavy":
        X = random.standard_cauchy((n, d))
    elif kind == "correlated":
        X = np.empty((n, d))
        X[:, 0] = random.normal(size=n)
        for j in range(1, d):
            X[:, j] = 0.9 * X[:, j - 1] + np.sqrt(1 - 0.81) * random.normal(size=n)
    else:
        X = random.normal(size=(n, d))
    if kind == "strong coded":
        X = random.integers(0, 3, (n, d))
    effect = X[:, :10].sum(axis=1) * 0.8 if kind.startswith("strong") else np.zeros(n)
    if target == "number":
        errors = random.standard_t(2, n) if kind == "heavy" else random.normal(size=n)
        return X, effect + errors
    odds = effect - effect.mean()
    if target == "classes":
        return X, (random.logistic(size=n) < odds).astype(int)
    return X, np.argmax(np.stack([0 * odds, odds, -0.5 * odds], 1) + random.gumbel(size=(n, 3)), axis=1)


KINDS = tuple(
    (kind, target)
    for kind in ("coded", "normal", "heavy", "correlated", "strong", "strong coded")
    for target in ("classes", "three classes", "number")
)


def null(sets: int) -> None:
    """Sets in which any pair is reported; at most one in twenty should be."""
    for kind, target in KINDS:
        start, found = time.perf_counter(), 0
        for seed in range(sets):
            X, y = noise(kind, target, np.random.default_rng(seed), ROWS, COLUMNS)
            found += bool(ep.interactions(X, y, top=10).significant)
        spent = (time.perf_counter() - start) / sets
        print(f"{kind:13} {target:14} {found:3} of {sets} sets report a pair, {spent:.2f} s a set", flush=True)


def uniform(sets: int, columns: int = 30) -> None:
    """Share of p-values below three bounds, as multiples of the bound."""
    for kind, target in KINDS:
        p = []
        for seed in range(sets):
            X, y = noise(kind, target, np.random.default_rng(1000 + seed), ROWS, columns)
            found = ep.interactions(X, y, top=columns * (columns - 1) // 2)
            p.extend(pair.p_value for pair in found)
        shares = [np.mean(np.array(p) <= bound) / bound for bound in (0.05, 0.01, 0.001)]
        print(f"{kind:13} {target:14} {len(p)} pairs: " + "  ".join(f"{share:.2f}" for share in shares), flush=True)


def cost() -> None:
    """In one run each; the bare work is what no scan can do without."""
    random = np.random.default_rng(0)
    X, y = random.integers(0, 5, (10_000, 1000)), random.integers(0, 2, 10_000)
    (taken,) = seconds(lambda: ep.interactions(X, y))
    print(f"10 000 × 1 000 of 5 levels      {taken:.2f} s, {peak_memory(lambda: ep.interactions(X, y)) / 2**20:.0f} MB")

    X = random.normal(size=(10_000, 1000)).astype(np.float32)
    lifted = [np.ascontiguousarray(X[y == c].T) for c in (0, 1)]
    lifted = [np.concatenate([part, part**2 - 1]) for part in lifted]

    def products() -> None:
        for part in lifted:
            part @ part.T

    taken, bare = seconds(lambda: ep.interactions(X, y), products)
    print(f"10 000 × 1 000 numbers          {taken:.2f} s, {taken / bare:.2f} × the bare products of degrees 1 and 2")

    X, y = random.integers(0, 2, (1000, 300)), random.integers(0, 2, 1000)
    (taken,) = seconds(lambda: ep.interactions(X, y, order=3))
    print(f"1 000 × 300 binary, all triples {taken:.2f} s")


def main(words: list[str]) -> int:
    if words[:1] == ["null"]:
        null(int(words[1]) if len(words) > 1 else 200)
    elif words[:1] == ["uniform"]:
        uniform(int(words[1]) if len(words) > 1 else 50)
    elif words == ["cost"]:
        cost()
    else:
        print(__doc__)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
