"""Comparisons and selections written down by hand, so that what is drawn or told of them is known beforehand."""

from __future__ import annotations

import pandas as pd

from entropick.evaluation.columns import ColumnFacts
from entropick.evaluation.comparison import Comparison
from entropick.evaluation.health import DataHealth
from entropick.evaluation.path import PathEvidence
from entropick.selection import Selection, Step

NAMES = ("age", "height", "weight", "income", "noise", "constant")
KS = (1, 2, 4)
# mean errors of 3-NN; the linear SVM errs 5 points more. The least is jmi's 0.10, its standard error 0.0088, so that
# jmi with 2 features, 0.105, is as good and has the fewest.
ERRORS = {"mim": (0.22, 0.15, 0.14), "jmi": (0.20, 0.105, 0.10), "mrmr": (0.20, 0.13, 0.12)}
OFFSETS = (-0.01, 0.01, -0.01, 0.01)  # of the four resamples
CHOSEN = {
    "mim": [(4, 3, 0, 1)] * 4,
    "jmi": [(0, 1, 2, 3)] * 3 + [(0, 2, 1, 3)],
    "mrmr": [(0, 1, 2, 4), (1, 0, 2, 4), (0, 3, 2, 4), (0, 1, 3, 4)],
}


def selection(names=NAMES, k=4, **fields):
    """k steps in the order of the names, each with scores, redundancies and a runner-up that follow a rule."""
    steps = tuple(
        Step(
            rank=i + 1,
            name=names[i],
            members=(i,),
            score=0.5 / (i + 1),
            relevance=0.4,
            redundancy=tuple(0.1 * (j + 1) for j in range(i)),
            complementarity=(0.2,) * i,
            runner_up=names[(i + 1) % len(names)],
            runner_up_score=0.5 / (i + 1) - 0.01 * (i + 1),
        )
        for i in range(k)
    )
    told = {
        "method": "jmi",
        "n_samples": 120,
        "options": {"k": k, "search": "forward"},
        "stopped": f"{k} chosen, as asked",
    }
    return Selection(**{"steps": steps, "feature_names": tuple(names), **told, **fields})


def health(names=NAMES):
    """Every column numeric; the last one constant, the one before it a copy of the first with missing values."""
    n = len(names)
    columns = pd.DataFrame(
        {
            "name": list(names),
            "kind": ["numeric"] * n,
            "missing": [0] * (n - 2) + [7, 0],
            "distinct": [30] * (n - 1) + [1],
            "levels": [5] * (n - 1) + [1],
            "bins": ["5 equal-frequency bins"] * (n - 1) + ["one value"],
            "constant": [False] * (n - 1) + [True],
            "duplicate_of": [""] * (n - 2) + [names[0], ""],
            "remark": [""] * n,
        }
    )
    classes = pd.DataFrame({"label": ["yes", "no"], "count": [90, 30], "share": [0.75, 0.25]})
    return DataHealth(120, columns, classes, (f"constant: 1 column ({names[-1]})",))


def facts(names=NAMES):
    """age and height are kept; weight repeats height, income says a little, noise copies age, the last is constant."""
    n = len(names)
    matrix = tuple(
        tuple(1.0 if i == j else 0.8 if {i, j} == {1, 2} else 0.1 for j in range(4)) for i in range(4)
    )  # fmt: skip
    return ColumnFacts(
        alone=(0.5, 0.3, 0.28, 0.1, 0.5, *(0.0,) * (n - 5)),
        significant=(True, True, True, True, True, *(False,) * (n - 5)),
        nearest=(1, 0, 1, 0, 0, *(-1,) * (n - 5)),
        shared=(0.1, 0.1, 0.8, 0.1, 1.0, *(0.0,) * (n - 5)),
        mapped=(0, 1, 2, 3),
        matrix=matrix,
        merges=((1.0, 2.0, 0.8), (0.0, 3.0, 0.1), (4.0, 5.0, 0.1)),
        pictures={
            "0": {
                "kind": "histogram",
                "edges": [0.0, 1.0, 2.0, 3.0],
                "counts": [[10, 5, 1], [1, 4, 12]],
                "classes": ["no", "yes"],
                "missing": 0,
            },
            "2": {"kind": "shares", "levels": [["low", 60, [0.75, 0.25]], ["high", 60, [0.5, 0.5]]],
                  "classes": ["no", "yes"], "more": 3},
        },
        without=(0.2, 0.105),
        with_all=0.105,
    )  # fmt: skip


def comparison(names=NAMES, methods=ERRORS, task="classification", **fields):
    """Three methods, three numbers of features, two estimators, four resamples."""
    scores = [
        (method, estimator, k, r, 1 - mean - more - offset, mean + more + offset)
        for method in methods
        for estimator, more in (("3-NN", 0.0), ("linear SVM", 0.05))
        for k, mean in zip(KS, ERRORS.get(method, ERRORS["mim"]), strict=True)
        for r, offset in enumerate(OFFSETS)
    ]
    chosen = [
        (method, r, 4, rank, feature)
        for method in methods
        for r, features in enumerate(CHOSEN.get(method, CHOSEN["mim"]))
        for rank, feature in enumerate(features, start=1)
    ]
    times = [
        (method, r, part, seconds)
        for method in methods
        for r in range(4)
        for part, seconds in (("selection", 0.25), ("estimation", 0.5))
    ]
    labels = list(methods)
    consistency = [(k, a, b, 0.9 if a == b else 0.5) for k in KS for i, a in enumerate(labels) for b in labels[i:]]
    given = {
        "methods": tuple(labels),
        "ks": KS,
        "estimators": ("3-NN", "linear SVM"),
        "feature_names": tuple(names),
        "n_samples": 120,
        "task": task,
        "classes": (("yes", 90), ("no", 30)) if task == "classification" else (),
        "n_resamples": 4,
        "resampling": "stratified 4-fold cross-validation",
        "scores": pd.DataFrame(scores, columns=["method", "estimator", "k", "resample", "score", "error"]),
        "chosen": pd.DataFrame(chosen, columns=["method", "resample", "k", "rank", "feature"]),
        "times": pd.DataFrame(times, columns=["method", "resample", "part", "seconds"]),
        "consistency": pd.DataFrame(consistency, columns=["k", "method", "other", "value"]),
        "health": health(names),
        "final": selection(names),
        "columns": facts(names) if len(names) > 5 else None,
        "path": PathEvidence(
            information=(0.3, 0.5, 0.55, None),
            floor=(0.09, 0.02, 0.0, None),
            class_entropy=0.5623,
            source="counted",
            redundancy=tuple(tuple(None if i == j else 0.1 * (i + j) for j in range(4)) for i in range(4)),
        ),
        "settings": {
            "methods": {label: {"method": "jmi", "discretizer": "auto", "missing": "level"} for label in labels},
            "k": list(KS),
            "estimators": {"3-NN": "KNeighborsClassifier(n_neighbors=3)", "linear SVM": "LinearSVC()"},
            "resampling": "stratified 4-fold cross-validation",
            "test_share": 1 / 3,
            "cv": 4,
            "repeats": 1,
            "bootstraps": None,
            "target": "sick",
            "task": task,
            "random_state": 7,
        },
    }
    if "jmi" in given["settings"]["methods"]:
        given["settings"]["methods"] = {
            label: {"method": label, "discretizer": "auto", "missing": "level"} for label in labels
        }
    return Comparison(**{**given, **fields})
