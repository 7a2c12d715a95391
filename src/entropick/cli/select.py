"""`entropick select`: the columns of a table that say most, together, about one of them."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import InvalidParameter
from .flags import RUN, Debug, Output, Quiet
from .group import complain, emit, one_line

if TYPE_CHECKING:
    from ..selection import Selection

WHAT, READ, HOW = "What is selected from", "How it is read", "How it is scored"

Columns = list[str] | None


def select(
    files: Annotated[
        list[str],
        typer.Argument(
            help="Files, folders or patterns: CSV, Parquet, Arrow, JSON lines, ARFF, svmlight, DuckDB, SQLite;"
            " - for the standard input.",
            show_default=False,
        ),
    ],
    target: Annotated[str, typer.Option("--target", "-t", help="Column to predict.", show_default=False)],
    method: Annotated[str, typer.Option("--method", "-m", help="See `entropick methods`.")] = "jmi",
    k: Annotated[
        str,
        typer.Option("-k", help="How many: a number, a fraction, `all`, or `auto` to stop at chance level."),
    ] = "auto",
    output: Annotated[Output, typer.Option("--output", "-o", help="Form of the result.")] = Output.table,
    save: Annotated[Path | None, typer.Option(help="Also write it to a .json, .csv, .txt or .html file.")] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Say why each was chosen.")] = False,
    include: Annotated[
        Columns, typer.Option(metavar="COLS", help="Columns that are chosen first: a,b.", rich_help_panel=WHAT)
    ] = None,
    exclude: Annotated[
        Columns, typer.Option(metavar="COLS", help="Columns that are never chosen.", rich_help_panel=WHAT)
    ] = None,
    drop: Annotated[
        Columns, typer.Option(metavar="COLS", help="Columns to leave out altogether.", rich_help_panel=WHAT)
    ] = None,
    ids: Annotated[
        Columns, typer.Option("--id", metavar="COLS", help="The same, for identifiers.", rich_help_panel=WHAT)
    ] = None,
    task: Annotated[str, typer.Option(help="auto, classification or regression.", rich_help_panel=WHAT)] = "auto",
    missing: Annotated[
        str, typer.Option(help="Missing values: a level of their own, or an error.", rich_help_panel=WHAT)
    ] = "level",
    sql: Annotated[
        str | None, typer.Option(help="A query over the files, as `data`, or over a database.", rich_help_panel=READ)
    ] = None,
    categorical: Annotated[
        Columns, typer.Option(metavar="COLS", help="Columns to read as categories.", rich_help_panel=READ)
    ] = None,
    numeric: Annotated[
        Columns, typer.Option(metavar="COLS", help="Columns to read as numbers.", rich_help_panel=READ)
    ] = None,
    na: Annotated[
        list[str] | None, typer.Option(metavar="WORD", help="Also a missing value, in texts.", rich_help_panel=READ)
    ] = None,
    encoding: Annotated[
        str | None, typer.Option(help="Of text files that are not UTF-8: latin-1.", rich_help_panel=READ)
    ] = None,
    memory: Annotated[
        str | None,
        typer.Option(help="Rows beyond it are gone through in blocks: 2GB. Half of it all.", rich_help_panel=RUN),
    ] = None,
    coding: Annotated[
        str, typer.Option(help="Of rows in blocks: exact, or sketch, a pass less.", rich_help_panel=RUN)
    ] = "exact",
    discretizer: Annotated[
        str,
        typer.Option(help="auto, mdl, quantile, uniform, kmeans, a number of bins, or none.", rich_help_panel=HOW),
    ] = "auto",
    search: Annotated[
        str | None, typer.Option(help="Another search than the method's own.", rich_help_panel=HOW)
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="What only this method understands.", rich_help_panel=HOW),
    ] = None,
    alpha: Annotated[float, typer.Option(help="False discovery rate of `-k auto`.", rich_help_panel=HOW)] = 0.05,
    test: Annotated[str, typer.Option(help="Test of `-k auto`: chi2 or permutation.", rich_help_panel=HOW)] = "chi2",
    seed: Annotated[int | None, typer.Option(help="Makes what is random repeatable.", rich_help_panel=RUN)] = None,
    jobs: Annotated[int, typer.Option(help="Threads; -1 for all there are.", rich_help_panel=RUN)] = -1,
    quiet: Quiet = False,
    debug: Debug = False,
) -> None:
    """Choose the columns of a table that say most, together, about a target column."""
    from . import parse, write

    if explain and output is not Output.table:
        raise InvalidParameter(f"--explain: goes with --output table only, got --output {output}")
    if save is not None:
        write.check_destination(save)
    settings = {
        "method": method,
        "k": parse.number_of_features(k),
        "task": task,
        "discretizer": parse.discretizer(discretizer),
        "missing": missing,
        "search": search,
        "alpha": alpha,
        "test": test,
        "random_state": seed,
        "n_jobs": jobs,
        "memory": memory,
        "coding": coding,
        "verbose": 0 if quiet else 1,
        **parse.option_values(option or []),
    }
    from ..methods import get_method

    get_method(method)  # a misspelt method is told before a large file is read

    import entropick as ep

    from ..sources import open_source
    from ..sources.blocks import parse_memory
    from . import rows

    words = rows.Columns(categorical or (), numeric or (), drop or (), ids or ())
    with open_source(*files, sql=sql, encoding=encoding, missing=na or (), memory=parse_memory(memory)) as opened:
        source, roles = rows.told_what_columns_are(opened, target, words, ", ".join(files))
        if not quiet:
            print(*roles, sep="\n", file=sys.stderr, flush=True)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", UserWarning)
            selection = ep.select(
                source,
                target,
                include=parse.column_names(include or [], source.names, "--include"),
                exclude=parse.column_names(exclude or [], source.names, "--exclude"),
                **settings,
            )
        if save is not None:
            write.save(selection, save, source, target)
    emit(result(selection, output, explain))
    if not quiet:
        for text in dict.fromkeys(str(warning.message) for warning in caught):
            complain(text, "warning", "yellow")
        if save is not None:
            complain(str(save), "saved", "green")


def result(selection: Selection, output: Output, explain: bool) -> str:
    """The selection in the form that is asked for."""
    if output is Output.json:
        return selection.to_json(indent=2)
    if output is Output.csv:
        return selection.to_frame().to_csv(index=False, lineterminator="\n")
    from rich.text import Text

    from .show import explanation, rendered, selection_table, summary, width

    table = selection_table(selection, width()) if selection.steps else []
    if explain:
        words = [Text(""), *explanation(selection, width())]
    else:
        words = [Text(""), Text(summary(selection), style="bold")]
        words += [Text(f"note: {one_line(note)}", style="yellow") for note in selection.notes]
    return rendered(*table, *(words if table else words[1:]))
