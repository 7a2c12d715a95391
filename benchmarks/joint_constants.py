"""How much the constants of joint matter: each halved and doubled, on real data sets.

    python benchmarks/joint_constants.py [NAME …]     # the sets below, or others of the folder ENTROPICK_DATA

Printed is the mean change of held-out accuracy (of a quantity: of R²), in points, over sets, two splits, 5, 10 and 20
features, and three models, as in `choosing.py`; and in how many of the sets any pick among the first ten changes.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager

import numpy as np
from choosing import KS, drawn, scores
from measuring import table

import entropick as ep
from entropick.coding import lifted
from entropick.measures.joint import joint, paired, terms

SETS = ["ionosphere", "german", "dermatology", "krvskp", "promoter", "musk1", "tissue_gene", "bloodbrain", "geo_music"]
PLACES = {  # what it is called on the page: where it is
    "ridge": ((joint, "RIDGE"),),
    "gate": ((terms, "GATE"),),
    "worth": ((joint, "MEMORY"), (paired, "MEMORY")),
    "calibration, chance in it": ((terms, "PRIOR"),),
    "calibration, limit": ((terms, "MOST"),),
    "synergy of a pair": ((paired, "SYNERGY"),),
    "values that are levels": ((lifted, "FEW"),),
}


@contextmanager
def scaled(places, factor: float):
    before = [getattr(module, name) for module, name in places]
    for (module, name), value in zip(places, before, strict=True):
        setattr(module, name, type(value)(value * factor))
    try:
        yield
    finally:
        for (module, name), value in zip(places, before, strict=True):
            setattr(module, name, value)


def judged(name: str, split: int) -> tuple[np.ndarray, list[int]]:
    """Points at each size and by each model, and the picks."""
    X, y, X_test, y_test = drawn(name, split)
    ks = [k for k in KS if k < 0.8 * X.shape[1]]
    order = ep.select(X, y, method="joint", k=max(ks), n_jobs=1).indices
    return np.array([scores(X[:, order[:k]], y, X_test[:, order[:k]], y_test, split) for k in ks]), order[:10].tolist()


def main(sets: list[str]) -> None:
    rows = []
    plain = {(name, split): judged(name, split) for name in sets for split in (0, 1)}
    for constant, places in PLACES.items():
        row = [constant]
        for factor in (0.5, 2.0):
            change, moved = [], 0
            for name in sets:
                here = False
                for split in (0, 1):
                    with scaled(places, factor):
                        points, picks = judged(name, split)
                    change.append(float((points - plain[name, split][0]).mean()))
                    here |= set(picks) != set(plain[name, split][1])
                moved += here
            row.append(f"{np.mean(change):+.2f} ± {np.std(change) / np.sqrt(len(change)):.2f} ({moved} of {len(sets)})")
        rows.append(row)
        print(row, file=sys.stderr, flush=True)
    print(table(["constant", "halved", "doubled"], rows))


if __name__ == "__main__":
    main(sys.argv[1:] or SETS)
