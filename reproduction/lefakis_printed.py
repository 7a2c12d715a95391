"""Tables 3–5 of Lefakis & Fleuret, AISTATS 2014, as printed: test accuracy in %.

A row is a method; its sixteen numbers are of AdaBoost, linear SVM, RBF SVM and QDA, each on 10, 25, 50, 100 features.
"""

from __future__ import annotations

from pathlib import Path

INRIA, CIFAR, STL = Path(__file__).with_suffix(".txt").read_text("utf-8").strip().split("\n\n")


def _rows(table: str) -> dict[str, tuple[float, ...]]:
    rows = (line.split() for line in table.splitlines())
    return {name.replace("_", " "): tuple(map(float, values)) for name, *values in rows}


PRINTED = {"INRIA": _rows(INRIA), "CIFAR": _rows(CIFAR), "STL": _rows(STL)}
