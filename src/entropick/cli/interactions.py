"""`entropick interactions`: the pairs of columns that say something about the target only together."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import InvalidParameter
from . import flags, parse
from .flags import Output
from .group import emit, one_line, remarks
from .rows import Rows, reads_rows
from .write import write_whole

if TYPE_CHECKING:
    from ..pairs.answer import Interactions

SHOWN = 20  # rows of the table on a terminal

Order = Annotated[int, typer.Option(help="2 tests pairs, 3 triples.")]
Top = Annotated[int, typer.Option("--top", "-n", help="Number of pairs to list, significant or not.")]
Alpha = Annotated[
    float, typer.Option(help="Family-wise error rate: the chance of any false discovery.", rich_help_panel=flags.HOW)
]
Given = Annotated[
    flags.Columns,
    typer.Option(metavar="COLS", help="Covariates to adjust for.", rich_help_panel=flags.HOW),
]
Only = Annotated[flags.Columns, typer.Option("--only", metavar="COLS", help="Look at these columns only.")]
Save = Annotated[Path | None, typer.Option(help="Also save the result as .json, .csv or .txt.")]


@reads_rows
def interactions(
    rows: Rows,
    order: Order = 2,
    top: Top = 100,
    output: flags.Form = Output.table,
    save: Save = None,
    explain: Annotated[bool, typer.Option("--explain", help="Explain each pair in words.")] = False,
    missing: flags.Missing = "level",
    discretizer: flags.Discretizer = "auto",
    given: Given = None,
    only: Only = None,
    alpha: Alpha = 0.05,
    jobs: flags.Jobs = -1,
    quiet: flags.Quiet = False,
    debug: flags.Debug = False,
) -> None:
    """Find the pairs of columns that say something about a target column only together."""
    import entropick as ep

    if explain and output is not Output.table:
        raise InvalidParameter(f"--explain: only works with --output table, got --output {output}")
    if save is not None:
        _check(save)
    with remarks(quiet, save):
        with rows.opened(quiet, given or ()) as source:
            found = ep.interactions(
                source,
                rows.target,
                order=order,
                top=top,
                alpha=alpha,
                task=rows.task,
                discretizer=parse.discretizer(discretizer),
                missing=missing,
                given=parse.column_names(given or (), source.names, "--given") or None,
                columns=parse.column_names(only or (), source.names, "--only") or None,
                n_jobs=jobs,
                verbose=0 if quiet else 1,
            )
        if save is not None:
            write_whole(save, _text(found, save.suffix.lower()))
        emit(result(found, output, explain))


def _check(path: Path) -> None:
    if path.suffix.lower() not in (".json", ".csv", ".txt"):
        raise InvalidParameter(f"--save: must end in .json, .csv or .txt, got {str(path)!r}")
    if not path.parent.is_dir():
        raise InvalidParameter(f"--save: must be in an existing folder, got {str(path)!r}")


def _text(found: Interactions, suffix: str) -> str:
    if suffix == ".json":
        return found.to_json(indent=2)
    return found.to_frame().to_csv(index=False, lineterminator="\n") if suffix == ".csv" else found.explain() + "\n"


def result(found: Interactions, output: Output, explain: bool) -> str:
    """The pairs in the form that is asked for."""
    if output is Output.json:
        return found.to_json(indent=2)
    if output is Output.csv:
        return found.to_frame().to_csv(index=False, lineterminator="\n")
    if explain:
        return found.explain()
    from rich.table import Table
    from rich.text import Text

    from .show import rendered

    table = Table(box=None, pad_edge=False, header_style="bold")
    frame = found.to_frame().head(SHOWN)
    names = [f"feature_{k}" for k in range(1, found.order + 1)]
    for name in (*names, "synergy", "statistic", "df", "p_value", "p_adjusted"):
        table.add_column(name, justify="left" if name in names else "right", overflow="fold")
    for row in frame.to_dict("records"):
        cells = [one_line(str(row[name])) for name in names]
        cells += [f"{row[name]:.4g}" for name in ("synergy", "statistic", "df", "p_value", "p_adjusted")]
        table.add_row(*(Text(cell) for cell in cells), style="bold" if row["p_adjusted"] <= found.alpha else "")
    words = [Text(""), Text(one_line(found.explain().split("\n", 1)[0]), style="bold")]
    words += [Text(f"note: {one_line(note)}", style="yellow") for note in found.notes]
    return rendered(*([table] if len(found) else []), *words)
