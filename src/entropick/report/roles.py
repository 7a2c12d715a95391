"""What to do with every column: keep, swap, leave out; and the cards of those that are kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..evaluation.columns import ColumnFacts
from ..evaluation.health import DataHealth
from ..selection import Selection
from . import words

KEPT, SWAP, SPARE, NOTHING, COPY = range(5)
ROLES = (
    ("kept", "Keep", "recommended"),
    ("swap", "Swap", "could replace a kept column"),
    ("spare", "Not needed", "informative, but redundant with the kept columns"),
    ("nothing", "Nothing found", "no significant information about the target"),
    ("copy", "Copies, constants", "same values as another column, or only one value"),
)
ALIKE = 0.4  # of the less detailed column's information; correlations of about 0.9 share so much in five bins


def columns(
    names: Sequence[str],
    kept: Sequence[int],
    facts: ColumnFacts,
    health: DataHealth | None,
    share: Mapping[int, float],
    sets: Mapping[int, Sequence[str]],
) -> dict[str, Any]:
    """One entry of each list a column: what it is, what it says alone, its nearest kept column, how often chosen.

    ``sets``: for a kept column, those that could be the real one (its credible set).
    """
    found: dict[str, list[Any]] = {"constant": [False] * len(names), "duplicate_of": [""] * len(names)}
    if health is not None:
        found = {name: health.columns[name].tolist() for name in found}
    members = {name for own in sets.values() for name in own}
    roles = []
    for j, name in enumerate(names):
        if j in kept:
            roles.append(KEPT)
        elif found["constant"][j] or found["duplicate_of"][j]:
            roles.append(COPY)
        elif name in members or (facts.shared[j] >= ALIKE and facts.significant[j]):
            roles.append(SWAP)
        else:
            roles.append(SPARE if facts.significant[j] or share.get(j, 0.0) > 0.2 else NOTHING)
    return {
        "roles": [{"key": key, "label": label, "note": note} for key, label, note in ROLES],
        "names": list(names),
        "role": roles,
        "alone": [round(value, 3) for value in facts.alone],
        "nearest": list(facts.nearest),
        "shared": [round(value, 3) for value in facts.shared],
        "share": [round(share.get(j, 0.0), 3) for j in range(len(names))] if share else None,
        "twin": {str(j): twin for j, twin in enumerate(found["duplicate_of"]) if twin},
        "constant": [j for j, flat in enumerate(found["constant"]) if flat],
    }


def cards(
    selection: Selection,
    k: int,
    facts: ColumnFacts | None,
    share: Mapping[int, float] | None,
    copies: Mapping[str, str],
    sets: Mapping[int, Sequence[str]],
) -> list[dict[str, Any]]:
    """One entry a step: rank, name, how often it was chosen, what it says alone, what is lost without it."""
    entries = []
    for step in selection.steps[:k]:
        note = ""
        if len(step.members) > 1:
            note = f"{len(step.members)} columns: {words.joined([selection.feature_names[j] for j in step.members])}"
        if step.name in copies:
            note = f"exact copy of {words.cut(copies[step.name])}; not in the lists"
        first = step.members[0]
        single = facts is not None and len(step.members) == 1
        lost = facts.without if facts is not None and facts.with_all is not None else ()
        members = [name for j in step.members for name in sets.get(j, ())]
        entries.append(
            {
                "rank": step.rank,
                "name": step.name,
                "column": first if len(step.members) == 1 else None,
                "share": None if share is None else min(share.get(j, 0.0) for j in step.members),
                "note": note,
                "copy": step.name in copies,
                "alone": facts.alone[first] if single and facts is not None else None,
                "lost": lost[step.rank - 1] - float(facts.with_all or 0.0)
                if facts is not None and len(lost) >= step.rank
                else None,
                "p": step.p_value,
                "status": status(step, members),
                "set": members,
            }
        )
    return entries


def status(step: Any, members: Sequence[str]) -> str:
    """How sure a pick is, with the number of columns that it is one of."""
    told = getattr(step, "status", None) or (
        "" if not members else "confirmed" if len(members) == 1 else "one of these"
    )
    return f"one of {len(members)}" if told == "one of these" and len(members) > 1 else str(told)


def credible_sets(selection: Selection) -> dict[int, list[str]]:
    """Names that could stand for each chosen column, itself first; empty where no set was made."""
    found: dict[int, list[str]] = {}
    made = getattr(selection, "credible_sets", None) or ()
    for step, own in zip(selection.steps, made, strict=False):
        names = [str(name) for name in getattr(own, "names", ())]
        if names and len(step.members) == 1:
            found[step.members[0]] = names
    return found
