"""From the words of the command line to the rows that are selected from, and what their columns are taken for."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, fields
from inspect import Parameter, Signature, signature
from typing import TYPE_CHECKING, Any, get_type_hints

from ..errors import InvalidInput, InvalidParameter, check_choice, closest, without_password
from . import flags, parse
from .group import one_line

if TYPE_CHECKING:
    from ..sources import Source
    from ..sources.roles import Roles

SHOWN = 4  # names of columns in a line
MANY = 20  # more whole numbers than this may well be a quantity


@dataclass(frozen=True)
class Rows:
    """Where rows are and how to read them, in the words of the flags."""

    files: flags.Files
    target: flags.Target = ""
    task: flags.Task = "auto"
    drop: flags.Drop = None
    ids: flags.Ids = None
    missing_target: flags.MissingTarget = "drop"
    sql: flags.Sql = None
    categorical: flags.Categorical = None
    numeric: flags.Numeric = None
    na: flags.Na = None
    encoding: flags.Encoding = None
    sheet: flags.Sheet = None
    transpose: flags.Transpose = False
    join: flags.Join = None
    on: flags.On = None
    dates: flags.Dates = "elapsed"
    layer: flags.Layer = None
    text: flags.Text = None
    memory: flags.Memory = None
    columns: flags.AllColumns = False

    @contextmanager
    def opened(self, quiet: bool, beside: Sequence[str] = (), targeted: bool = True) -> Iterator[Source]:
        """The source with its columns as the flags ask for; unless quiet, says what each is taken for.

        ``beside`` asks by name for columns that are no features, as those of ``obs``. ``targeted``: a target must be
        named.
        """
        from ..sources import open_source
        from ..sources.blocks import parse_memory

        memory = parse_memory(self.memory)
        with ExitStack() as stack:
            with _waiting(f"reading {', '.join(self.files)} …", quiet):
                source = stack.enter_context(
                    open_source(
                        *self.files,
                        sql=self.sql,
                        encoding=self.encoding,
                        missing=self.na or (),
                        memory=memory,
                        sheet=self.sheet,
                        transpose=self.transpose,
                        join=self.join,
                        on=self.on,
                        layer=self.layer,
                        text=self.text or (),
                    )
                )
                source = self._offered(source, beside)
                if targeted or self.target:
                    self._check_target(source)
                source, dropped, ids = self._recast(source)
            if not quiet:
                print(*self._told(source, dropped, ids), sep="\n", file=sys.stderr, flush=True)
            yield self._labelled(source) if targeted else source

    def flags(self) -> str:
        """How the rows are read, as it is written on the command line."""
        lists = {"--categorical": self.categorical, "--numeric": self.numeric, "--drop": self.drop, "--id": self.ids}
        pairs = [(flag, one) for flag, given in (*lists.items(), ("--na", self.na)) for one in given or ()]
        words = [word for pair in pairs for word in pair]
        words += [word for name in self.text or () for word in ("--text", name)]
        others = (("--sheet", self.sheet), ("--join", self.join), ("--on", self.on), ("--layer", self.layer))
        for flag, text in (("--sql", self.sql), ("--encoding", self.encoding), *others):
            words += [flag, text] if text is not None else []
        words += ["--transpose"] if self.transpose else []
        words += ["--dates", self.dates] if self.dates != "elapsed" else []
        return shlex.join(words)

    def _labelled(self, source: Source) -> Source:
        """Where rows without a target are an error, that there is none; else selecting leaves them out with a note."""
        from ..sources.labelled import LabelledSource

        if check_choice("--missing-target", self.missing_target, ("drop", "error")) == "drop":
            return source
        count = (source.table().n_rows if source.n_rows is None else source.n_rows) - (
            LabelledSource(source, self.target).n_rows or 0
        )
        if count:
            rows = "1 row" if count == 1 else f"{count} rows"
            raise InvalidInput(f"--target: {rows} without {self.target!r}; fill them in, or use --missing-target drop")
        return source

    def _offered(self, source: Source, beside: Sequence[str]) -> Source:
        """Without the columns beside the features that nobody asks for by name."""
        from ..sources.annotated import check_beside, offered

        if not self.target:
            return source
        check_beside(source, self.target, "--target")
        return offered(source, parse.words([self.target, *beside, *(self.drop or ()), *(self.ids or ())]))

    def _check_target(self, source: Source) -> None:
        from ..sources.files import TextOptions
        from ..sources.transposed import looks_turned, named_in_rows

        names, label = source.names, without_password(", ".join(self.files))
        some = ", ".join(names[:8]) + (", …" if len(names) > 8 else "")
        if self.target in names:
            return
        near = closest(self.target, names) if self.target else ""
        if self.transpose:
            pass
        elif self.target and named_in_rows(self.files[0], self.target, TextOptions(encoding=self.encoding)):
            near = " It is the name of a row: swap rows and columns with --transpose."
        elif looks_turned(source):
            near = (
                " If its rows are features and its columns samples: swap them with --transpose, and add a file that has"
                " the target with --join FILE --on COLUMN."
            )
        if not self.target:
            raise InvalidParameter(f"--target: must name the column to predict.{near} {label} has: {some}")
        raise InvalidInput(f"--target: no column {self.target!r} in {label}.{near} It has: {some}")

    def _recast(self, source: Source) -> tuple[Source, list[str], list[str]]:
        """The source as the flags ask for, and the columns that were left out for being unwanted, and for being ids."""
        from ..sources.date_parts import with_date_parts
        from ..sources.open import recast_columns

        names = source.names
        categorical = parse.column_names(self.categorical or (), names, "--categorical")
        numeric = parse.column_names(self.numeric or (), names, "--numeric")
        dropped = parse.column_names(self.drop or (), names, "--drop")
        ids = parse.column_names(self.ids or (), names, "--id")
        for flag, left_out in (("--drop", dropped), ("--id", ids)):
            if self.target in left_out:
                raise InvalidParameter(f"{flag}: must not be the target, got {self.target!r}")
        if self.target in names and source.kinds[names.index(self.target)] == "boolean" and self.target not in numeric:
            categorical.append(self.target)  # so that yes and no stay the names of the classes
        recast = recast_columns(source, categorical=categorical, numeric=numeric, drop=[*dropped, *ids])
        if check_choice("--dates", self.dates, ("elapsed", "parts")) == "parts":
            recast = with_date_parts(recast, self.target)
        return recast, dropped, ids

    def _told(self, source: Source, dropped: Sequence[str], ids: Sequence[str]) -> list[str]:
        rows = "" if source.n_rows is None else f"{source.n_rows} rows, "
        n_columns = len(source.names) + len({*dropped, *ids})
        head = f"{without_password(', '.join(self.files))}: {rows}{n_columns} columns"
        lines = (head, *_roles(source, self.target, self.task, dropped, ids, self.columns))
        return [one_line(line) for line in lines]


def reads_rows(command: Callable[..., None]) -> Callable[..., None]:
    """A command of ``rows`` and flags of its own, as one that has the flags of `Rows` in the place of ``rows``."""
    hints = get_type_hints(Rows, include_extras=True)
    reading = [
        Parameter(field.name, Parameter.KEYWORD_ONLY, annotation=hints[field.name], default=field.default)
        if field.name != "files"
        else Parameter(field.name, Parameter.KEYWORD_ONLY, annotation=hints[field.name])
        for field in fields(Rows)
    ]
    own = list(signature(command, eval_str=True).parameters.values())[1:]

    def run(**given: Any) -> None:
        rows = Rows(**{parameter.name: given.pop(parameter.name) for parameter in reading})
        command(rows, **given)

    run.__name__, run.__doc__ = command.__name__, command.__doc__
    run.__signature__ = Signature([*reading, *(one.replace(kind=Parameter.KEYWORD_ONLY) for one in own)])  # type: ignore[attr-defined]
    run.__annotations__ = {}
    return run


def _waiting(words: str, quiet: bool) -> AbstractContextManager[object]:
    """The words with a sign of life, on a terminal and as long as it lasts: the columns of a file are all looked at."""
    if quiet or not sys.stderr.isatty():
        return nullcontext()
    from rich.console import Console
    from rich.text import Text

    return Console(stderr=True).status(Text(one_line(words)))


def _roles(
    source: Source, target: str, task: str, dropped: Sequence[str], ids: Sequence[str], all_columns: bool = False
) -> Iterator[str]:
    """A line for every role that any column has."""
    from ..sources.roles import find_roles
    from ..sources.source import DATES

    roles = find_roles(source, target)
    dates = [name for name in roles.numbers if source.why.get(name) == DATES]
    yield f"target: {target} ({_taken_for(roles, task)})"
    named = {
        "numbers": [name for name in roles.numbers if name not in dates],
        "dates": dates,
        "categories": roles.categories,
        "empty": roles.empty,
        "left out": dropped,
        "ids": ids,
    }
    shown = len(source.names) + len(dropped) + len(ids) if all_columns else SHOWN
    parts = "" if source.groups else " (as elapsed time; --dates parts adds year, month and weekday)"
    for role, members in named.items():
        if members:
            yield f"{role}: {_some(members, shown)}{parts if role == 'dates' else ''}"
    if roles.suspects:
        yield f"probably ids: {_some(roles.suspects)} (ignored unless named with --include)"


def _taken_for(roles: Roles, task: str) -> str:
    """What the target is treated as; for whole numbers, which may be either, also how to choose the other reading."""
    from ..coding.target import is_quantity

    if roles.target_kind in ("category", "boolean"):
        return "classes"
    kind = "integers" if roles.target_kind == "integer" else "numbers"
    if task != "auto":
        return f"{kind}, treated as {'a quantity' if task == 'regression' else 'classes'}"
    if not roles.whole:
        return kind
    if roles.distinct <= MANY:
        return f"{kind}, treated as classes"
    values = f"{kind}, {roles.distinct} values"
    if roles.n_rows != roles.counted:  # the rest of the rows may have more values
        return f"{kind}, more than {MANY} values; choose with --task classification or --task regression"
    if is_quantity(roles.distinct, roles.counted, roles.target_kind == "numeric"):
        return f"{values}, treated as a quantity; for classes use --task classification"
    return f"{values}, treated as classes; for a quantity use --task regression"


def _some(names: Sequence[str], shown: int = SHOWN) -> str:
    more = f", … ({len(names)})" if len(names) > shown else ""
    return ", ".join(names[:shown]) + more
