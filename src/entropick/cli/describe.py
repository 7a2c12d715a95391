"""`entropick describe`: what a table holds, column by column, before anything is selected from it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import without_password
from . import flags
from .flags import Output
from .group import emit, one_line, remarks
from .rows import Rows, reads_rows

if TYPE_CHECKING:
    from ..evaluation.describe import Description

REMARKED = 40  # columns shown without a remark, where there are more of them


@reads_rows
def describe(
    rows: Rows,
    output: flags.Form = Output.table,
    json: Annotated[bool, typer.Option("--json", help="The same as --output json.")] = False,
    quiet: flags.Quiet = False,
    debug: flags.Debug = False,
) -> None:
    """Show how each column is read and why: missing values, copies, identifiers, possible leaks."""
    from ..evaluation.describe import describe as look

    with remarks(quiet), rows.opened(quiet=True, targeted=False) as source:
        found = look(source, rows.target or None, task=rows.task, memory=rows.memory)
    form = Output.json if json else output
    if form is Output.json:
        emit(found.to_json(indent=2))
    elif form is Output.csv:
        emit(found.columns.to_csv(index=False, lineterminator="\n"))
    else:
        emit(_page(found, without_password(", ".join(rows.files)), rows.columns))


def _page(found: Description, label: str, everything: bool) -> str:
    from rich.table import Table
    from rich.text import Text

    from .show import rendered

    target = "" if found.target is None else f", target: {found.target}"
    lines = found.columns.to_dict("records")
    plain = [one for one in lines if not one["remark"] and not one["missing"]]
    left = set() if everything else {one["name"] for one in plain[REMARKED:]}
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    for heading in ("column", "kind", "reason", "missing", "distinct", "remark"):
        numbers = heading in ("missing", "distinct")
        table.add_column(heading, justify="right" if numbers else "left", overflow="fold")
    for one in lines:
        if one["name"] not in left:
            missing = f"{one['missing']:.1%}" if one["missing"] else ""
            cells = (one["name"], one["kind"], one["why"], missing, str(one["distinct"]), one["remark"])
            table.add_row(*(Text(one_line(cell)) for cell in cells))
    words = [Text(f"… and {len(left)} more columns without remarks; --columns shows all", style="dim")] if left else []
    words += [Text(f"note: {one_line(note)}", style="yellow") for note in found.notes]
    head = Text(one_line(f"{label}: {found.n_rows} rows, {len(lines)} columns{target}"), style="bold")
    return rendered(head, table, *words)
