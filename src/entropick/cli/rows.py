"""From the words of the command line to the rows that are selected from, and what their columns are taken for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..errors import InvalidInput, InvalidParameter, closest
from ..sources import Source
from . import parse
from .group import one_line

SHOWN = 4  # names of columns in a line


@dataclass(frozen=True)
class Columns:
    """The words of the flags that name columns, as they were given."""

    categorical: Sequence[str] = ()
    numeric: Sequence[str] = ()
    drop: Sequence[str] = ()
    ids: Sequence[str] = ()


def told_what_columns_are(source: Source, target: str, columns: Columns, label: str) -> tuple[Source, list[str]]:
    """The source with its columns as the flags ask for, and lines that say what each is taken for.

    The target keeps its labels: ``yes`` and ``no`` are not turned into true and false.
    """
    from ..sources.open import recast_columns
    from ..sources.roles import find_roles

    names = source.names
    if target not in names:
        listed = ", ".join(names[:8]) + (", …" if len(names) > 8 else "")
        raise InvalidInput(f"--target: no column {target!r} in {label}.{closest(target, names)} It has: {listed}")
    categorical = parse.column_names(columns.categorical, names, "--categorical")
    numeric = parse.column_names(columns.numeric, names, "--numeric")
    dropped = parse.column_names(columns.drop, names, "--drop")
    ids = parse.column_names(columns.ids, names, "--id")
    for flag, left_out in (("--drop", dropped), ("--id", ids)):
        if target in left_out:
            raise InvalidParameter(f"{flag}: must not name the target, got {target!r}")
    if source.kinds[names.index(target)] == "boolean" and target not in numeric:
        categorical.append(target)
    source = recast_columns(source, categorical=categorical, numeric=numeric, drop=[*dropped, *ids])
    roles = find_roles(source, target)
    rows = "" if source.n_rows is None else f"{source.n_rows} rows, "
    kind = {"category": "classes", "boolean": "classes", "integer": "integers"}.get(roles.target_kind, "numbers")
    named = {
        "numbers": roles.numbers,
        "categories": roles.categories,
        "empty": roles.empty,
        "left out": dropped,
        "ids": ids,
    }
    lines = [
        f"{label}: {rows}{len(names)} columns",
        f"target: {target} ({kind})",
        *(f"{role}: {_some(members)}" for role, members in named.items() if members),
    ]
    if roles.suspects:
        lines.append(f"ids? {_some(roles.suspects)}: to leave such columns out, name them with --id")
    return source, [one_line(line) for line in lines]


def _some(names: Sequence[str]) -> str:
    more = f", … ({len(names)})" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more
