"""From the words of the command line to the rows that are selected from, and what their columns are taken for."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..errors import InvalidInput, InvalidParameter, closest
from ..sources import Source
from ..sources.targets import MissingTarget
from . import parse
from .group import one_line

if TYPE_CHECKING:
    from ..sources.roles import Roles

SHOWN = 4  # names of columns in a line
MANY = 20  # more whole numbers than this may well be a quantity


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
    task: str = "auto"

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
            try:
                yield source
            except MissingTarget as error:
                rows = "1 row" if error.count == 1 else f"{error.count} rows"
                raise InvalidInput(f"--target: {rows} without {self.target!r}; {self._with_a_target()}") from error

    def flags(self) -> str:
        """How the rows are read, as it is written on the command line."""
        lists = {"--categorical": self.categorical, "--numeric": self.numeric, "--drop": self.drop, "--id": self.ids}
        words = [word for flag, given in (*lists.items(), ("--na", self.na)) for one in given for word in (flag, one)]
        for flag, text in (("--sql", self.sql), ("--encoding", self.encoding)):
            words += [flag, text] if text is not None else []
        return shlex.join(words)

    def _with_a_target(self) -> str:
        """How to leave out the rows without one."""
        name = self.target if self.target.isidentifier() else '"' + self.target.replace('"', '""') + '"'
        if self.sql is not None:
            return f"add WHERE {name} IS NOT NULL to the query"
        return f"leave them out with --sql 'SELECT * FROM data WHERE {name} IS NOT NULL'"

    def _with_roles(self, source: Source) -> tuple[Source, list[str]]:
        from ..sources.open import recast_columns

        names, label = source.names, ", ".join(self.files)
        some = ", ".join(names[:8]) + (", …" if len(names) > 8 else "")
        if not self.target:
            raise InvalidParameter(f"--target: must name the column to predict. {label} has: {some}")
        if self.target not in names:
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
        return source, [one_line(line) for line in (head, *_roles(source, self.target, self.task, dropped, ids))]


def _waiting(words: str, quiet: bool) -> AbstractContextManager[object]:
    """The words with a sign of life, on a terminal and as long as it lasts: the columns of a file are all looked at."""
    if quiet or not sys.stderr.isatty():
        return nullcontext()
    from rich.console import Console
    from rich.text import Text

    return Console(stderr=True).status(Text(one_line(words)))


def _roles(source: Source, target: str, task: str, dropped: Sequence[str], ids: Sequence[str]) -> Iterator[str]:
    """A line for every role that any column has."""
    from ..sources.roles import find_roles

    roles = find_roles(source, target)
    yield f"target: {target} ({_taken_for(roles, task)})"
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


def _taken_for(roles: Roles, task: str) -> str:
    """What the target is taken for; whole numbers may be either, so the other reading is told where it is likely."""
    if roles.target_kind in ("category", "boolean"):
        return "classes"
    kind = "integers" if roles.target_kind == "integer" else "numbers"
    if task != "auto":
        return f"{kind}, taken as {'a quantity' if task == 'regression' else 'classes'}"
    if not roles.whole:
        return kind
    other = f", {roles.distinct} values; for a quantity say --task regression" if roles.distinct > MANY else ""
    return f"{kind}, taken as classes{other}"


def _some(names: Sequence[str]) -> str:
    more = f", … ({len(names)})" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more
