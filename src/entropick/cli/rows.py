"""From the words of the command line to the rows that are selected from, and what their columns are taken for."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass

from ..errors import InvalidInput, InvalidParameter, closest
from ..sources import Source
from . import parse
from .group import one_line

SHOWN = 4  # names of columns in a line


@dataclass(frozen=True)
class Rows:
    """Where rows are and how to read them, in the words of the flags."""

    files: Sequence[str]
    target: str
    sql: str | None = None
    categorical: Sequence[str] = ()
    numeric: Sequence[str] = ()
    drop: Sequence[str] = ()
    ids: Sequence[str] = ()
    na: Sequence[str] = ()
    encoding: str | None = None
    memory: str | None = None

    @contextmanager
    def opened(self, quiet: bool) -> Iterator[Source]:
        """The source with its columns as the flags ask for; unless quiet, says what each is taken for."""
        from ..sources import open_source
        from ..sources.blocks import parse_memory

        memory = parse_memory(self.memory)
        with ExitStack() as stack:
            with _waiting(f"reading {', '.join(self.files)} …", quiet):
                source = stack.enter_context(
                    open_source(*self.files, sql=self.sql, encoding=self.encoding, missing=self.na, memory=memory)
                )
                source, roles = self._with_roles(source)
            if not quiet:
                print(*roles, sep="\n", file=sys.stderr, flush=True)
            yield source

    def _with_roles(self, source: Source) -> tuple[Source, list[str]]:
        from ..sources.open import recast_columns

        names, label = source.names, ", ".join(self.files)
        if self.target not in names:
            some = ", ".join(names[:8]) + (", …" if len(names) > 8 else "")
            near = closest(self.target, names)
            raise InvalidInput(f"--target: no column {self.target!r} in {label}.{near} It has: {some}")
        categorical = parse.column_names(self.categorical, names, "--categorical")
        numeric = parse.column_names(self.numeric, names, "--numeric")
        dropped = parse.column_names(self.drop, names, "--drop")
        ids = parse.column_names(self.ids, names, "--id")
        for flag, left_out in (("--drop", dropped), ("--id", ids)):
            if self.target in left_out:
                raise InvalidParameter(f"{flag}: must not name the target, got {self.target!r}")
        if source.kinds[names.index(self.target)] == "boolean" and self.target not in numeric:
            categorical.append(self.target)  # so that yes and no stay the names of the classes
        source = recast_columns(source, categorical=categorical, numeric=numeric, drop=[*dropped, *ids])
        head = f"{label}: {'' if source.n_rows is None else f'{source.n_rows} rows, '}{len(names)} columns"
        return source, [one_line(line) for line in (head, *_roles(source, self.target, dropped, ids))]


def _waiting(words: str, quiet: bool) -> AbstractContextManager[object]:
    """The words with a sign of life, on a terminal and as long as it lasts: the columns of a file are all looked at."""
    if quiet or not sys.stderr.isatty():
        return nullcontext()
    from rich.console import Console
    from rich.text import Text

    return Console(stderr=True).status(Text(one_line(words)))


def _roles(source: Source, target: str, dropped: Sequence[str], ids: Sequence[str]) -> Iterator[str]:
    """A line for every role that any column has."""
    from ..sources.roles import find_roles

    roles = find_roles(source, target)
    kind = {"category": "classes", "boolean": "classes", "integer": "integers"}.get(roles.target_kind, "numbers")
    yield f"target: {target} ({kind})"
    named = {
        "numbers": roles.numbers,
        "categories": roles.categories,
        "empty": roles.empty,
        "left out": dropped,
        "ids": ids,
    }
    yield from (f"{role}: {_some(members)}" for role, members in named.items() if members)
    if roles.suspects:
        yield f"ids? {_some(roles.suspects)}: to leave such columns out, name them with --id"


def _some(names: Sequence[str]) -> str:
    more = f", … ({len(names)})" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more
