"""Coding rules as plain values, for files: what JSON can hold, and nothing that is executed when read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..errors import InvalidInput
from .coder import Coder
from .learn import Learned
from .lifted_coding import read_lifted
from .refine import Coding
from .rules import Bins, Labels, Levels, Rule, Single
from .target_rule import TargetRule


def coding_record(coding: Coding) -> dict[str, Any]:
    """Everything that a coding is made of; `read_coding` makes it again."""
    coder, target = coding.coder, coding.target
    assert coder is not None
    return {
        "discretizer": coder.discretizer if isinstance(coder.discretizer, (str, int, type(None))) else "other",
        "missing": coder.missing,
        "names": list(coder.names),
        "kinds": list(coder.kinds),
        "total": coder.total,
        "columns": [_learned_record(one) for one in coder.learned],
        "task": target.task,
        "classes": target.classes.tolist(),
        "class_type": "text" if target.classes.dtype.kind == "O" else target.classes.dtype.str,
        "class_counts": target.counts.tolist(),
        "lifted": None if coding.lifted is None else coding.lifted.record(),
    }


def read_coding(record: Mapping[str, Any]) -> Coding:
    """The coding of a record; KeyError, TypeError or ValueError where it is none."""
    coder = Coder(record["discretizer"], record["missing"])
    learned = [_read_learned(column) for column in record["columns"]]
    coder.adopt(tuple(record["names"]), tuple(record["kinds"]), learned, float(record["total"]))
    dtype = object if record["class_type"] == "text" else np.dtype(record["class_type"])
    counts = np.array(record["class_counts"], dtype=np.int64)
    lifted = None if record["lifted"] is None else read_lifted(record["lifted"], coder.names, coder.kinds)
    return Coding(coder, TargetRule(record["task"], np.array(record["classes"], dtype=dtype), counts), lifted)


def _learned_record(one: Learned) -> dict[str, Any]:
    rule: dict[str, Any] = {"text": one.rule.text, "level_of_missing": one.rule.missing}
    if isinstance(one.rule, Bins):
        rule |= {"rule": "bins", "edges": one.rule.edges.tolist()}
    elif isinstance(one.rule, Levels):
        rule |= {"rule": "levels", "values": one.rule.values.tolist(), "type": one.rule.values.dtype.str}
    elif isinstance(one.rule, Labels):
        rule |= {"rule": "labels", "labels": list(one.rule.labels)}
    elif isinstance(one.rule, Single):
        rule |= {"rule": "single"}
    else:
        raise InvalidInput("coding: the levels of a transformer cannot be saved; take 'quantile', 'uniform' or 'mdl'")
    return rule | {"missing": one.missing, "note": one.note, "fine": one.fine}


def _read_learned(record: Mapping[str, Any]) -> Learned:
    level, text = int(record["level_of_missing"]), str(record["text"])
    rule: Rule
    if record["rule"] == "bins":
        rule = Bins(np.array(record["edges"], dtype=np.float64), level, text)
    elif record["rule"] == "levels":
        rule = Levels(np.array(record["values"], dtype=np.dtype(record["type"])), level, text)
    elif record["rule"] == "labels":
        rule = Labels(tuple(map(str, record["labels"])), level, text)
    else:
        rule = Single(text, level)
    return Learned(rule, int(record["missing"]), str(record["note"]), int(record["fine"]))


def difference(one: Coding, other: Coding) -> str | None:
    """What differs between two codings, in words; None where they give the same codes."""
    first, second = coding_record(one), coding_record(other)
    if first["names"] != second["names"]:
        return "their columns: " + _unlike(first["names"], second["names"])
    if (first["task"], first["classes"]) != (second["task"], second["classes"]):
        return "their target: " + _unlike(first["classes"], second["classes"])
    for name, a, b in zip(first["names"], first["columns"], second["columns"], strict=True):
        apart = ("missing", "note", "fine", "text")  # told of the rows, not of the codes
        if {key: a[key] for key in a if key not in apart} != {key: b[key] for key in b if key not in apart}:
            return f"how column {name!r} is coded ({a['text']}, {b['text']})"
    lifted = [None if record["lifted"] is None else {**record["lifted"], "missing": 0} for record in (first, second)]
    if lifted[0] != lifted[1]:
        return "the groups of their columns"
    return None


def _unlike(one: Sequence[Any], other: Sequence[Any]) -> str:
    for a, b in zip(one, other, strict=False):
        if a != b:
            return f"{a!r} here, {b!r} there"
    return f"{len(one)} here, {len(other)} there"
