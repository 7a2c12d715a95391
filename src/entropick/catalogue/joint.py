"""The joint measure on lifted columns: the default."""

from __future__ import annotations

from .method import Method, Option

METHODS = (
    Method(
        "joint",
        "joint.paired:PairedJoint",
        "joint information of smooth functions of the features; any column or target type",
        "entropick, after Lefakis & Fleuret 2014",
        "joint",
        "lifted",
        ("forward", "exhaustive"),
        sees=frozenset({"redundancy", "interaction", "nonlinear"}),
        tasks=("classification", "regression", "multilabel", "survival"),
        several=True,
        options={"interactions": Option(True, "True or False", lambda value: isinstance(value, bool))},
    ),
)
