"""`compare` on digits: ten methods, three numbers of features, ten resamples, two processes.

    python benchmarks/compare.py

Says where the time goes: choosing features, or fitting what judges them.
"""

from __future__ import annotations

import time

from measuring import machine, table
from sklearn.datasets import load_digits

from entropick.evaluation.compare import compare

METHODS = ["mim", "mrmr", "jmi", "cmim", "disr", "gc.mi", "spec.cmi", "qpfs", "relieff", "lasso"]


def main() -> str:
    X, y = load_digits(return_X_y=True)
    begin = time.perf_counter()
    found = compare(X, y, METHODS, k=[5, 10, 20], cv=5, repeats=2, n_jobs=2, verbose=2)
    whole = time.perf_counter() - begin
    spent = found.times.pivot_table(index="method", columns="part", values="seconds", aggfunc="sum").loc[METHODS]
    rows = [[name, f"{own['selection']:.1f}", f"{own['estimation']:.1f}"] for name, own in spent.iterrows()]
    total = found.seconds()
    rows.append(["**all**", f"**{total['selection']:.1f}**", f"**{total['estimation']:.1f}**"])
    parts = [
        f"## Comparing ten methods ({machine()})",
        f"`compare` on digits ({found.n_samples} × {len(found.feature_names)}), k = 5, 10, 20, {found.resampling},"
        f" {' and '.join(found.estimators)}, 2 processes: {whole:.0f} s in all. Seconds of both processes together:",
        table(["method", "selection", "classification"], rows),
        found.best().words,
    ]
    return "\n\n".join(parts)


if __name__ == "__main__":
    print(main())
