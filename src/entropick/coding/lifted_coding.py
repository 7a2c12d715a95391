"""LiftedCoding: how columns and target become lifted columns, as one object that can be saved and used again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .byte_coder import ByteCoder, fit_numbers, number_codes
from .byte_rules import ByteRule, LabelGroups, NumberGroups
from .lifted import Lifting, lift

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class NumberTarget:
    """What the forms of a number as target follow from: its range, and the mid-rank of each of its groups."""

    low: float
    high: float
    rule: NumberGroups
    ranks: Floats

    @classmethod
    def of(cls, y: Floats, weights: Floats | None) -> NumberTarget:
        """From all rows, (n,)."""
        rule, _ = fit_numbers(y, weights)
        mass = np.bincount(number_codes(y, rule, "y"), weights, rule.groups).astype(np.float64)
        return cls(float(y.min()), float(y.max()), rule, middle_ranks(mass))

    def tested(self, y: Floats) -> Floats:
        """(n,) mid-ranks."""
        return self.ranks[number_codes(y, self.rule, "y")]


def middle_ranks(mass: Floats) -> Floats:
    """(groups,) mid-ranks in (0, 1) of ascending groups from their weights."""
    return np.asarray((np.cumsum(mass) - 0.5 * mass) / mass.sum())


@dataclass(frozen=True, eq=False)
class LiftedCoding:
    """Rules of the columns; weight and sum of values of every group, whence functions follow; the target's ranks."""

    coder: ByteCoder
    mass: Floats
    sums: Floats | None
    number: NumberTarget | None

    @cached_property
    def lifting(self) -> Lifting:
        return lift(self.coder.rules, self.mass, self.sums)

    def record(self) -> dict[str, Any]:
        """As JSON can hold it; `read_lifted` makes it again."""
        number = self.number
        return {
            "rules": [_rule_record(rule) for rule in self.coder.rules],
            "missing": self.coder.missing.tolist(),
            "mass": self.mass.tolist(),
            "sums": None if self.sums is None else self.sums.tolist(),
            "number": None
            if number is None
            else [number.low, number.high, _rule_record(number.rule), number.ranks.tolist()],
        }


def read_lifted(record: Mapping[str, Any], names: tuple[str, ...], kinds: tuple[str, ...]) -> LiftedCoding:
    """The coding of a record; KeyError, TypeError or ValueError where it is none."""
    rules = [_read_rule(rule) for rule in record["rules"]]
    coder = ByteCoder().adopt(names, kinds, rules, np.array(record["missing"], np.int64))
    mass, number = np.array(record["mass"], np.float64), None
    if len(mass) != coder.groups.sum():
        raise ValueError("groups do not fit their weights")
    if record["number"] is not None:
        low, high, rule, ranks = record["number"]
        own = _read_rule(rule)
        if not isinstance(own, NumberGroups):
            raise ValueError("the target has no groups of numbers")
        number = NumberTarget(float(low), float(high), own, np.array(ranks, np.float64))
    sums = None if record["sums"] is None else np.array(record["sums"], np.float64)
    if sums is not None and sums.shape != mass.shape:
        raise ValueError("groups do not fit their sums")
    return LiftedCoding(coder, mass, sums, number)


def _rule_record(rule: ByteRule) -> dict[str, Any]:
    if isinstance(rule, LabelGroups):
        return {"labels": list(rule.labels), "other": rule.other, "missing": rule.missing}
    return {"edges": rule.edges.tolist(), "missing": rule.missing, "distinct": rule.distinct}


def _read_rule(record: Mapping[str, Any]) -> ByteRule:
    if "labels" in record:
        return LabelGroups(tuple(map(str, record["labels"])), int(record["other"]), int(record["missing"]))
    return NumberGroups(np.array(record["edges"], np.float64), int(record["missing"]), int(record["distinct"]))
