"""`entropick select`: the columns of a table that say most, together, about one of them."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..errors import InvalidParameter
from .flags import RUN, Debug, Output, Quiet
from .group import complain, emit, one_line

if TYPE_CHECKING:
    from ..selection import Selection
    from .rows import Rows

WHAT, READ, HOW = "What is selected from", "How it is read", "How it is scored"

STATISTICS = ".stats"

Columns = list[str] | None
Settings = dict[str, Any]


def select(
    files: Annotated[
        list[str],
        typer.Argument(
            help="Files, folders or patterns: CSV, Parquet, Arrow, JSON lines, ARFF, svmlight, DuckDB, SQLite;"
            " - for the standard input.",
            show_default=False,
        ),
    ],
    target: Annotated[str | None, typer.Option("--target", "-t", help="Column to predict.", show_default=False)] = None,
    method: Annotated[str, typer.Option("--method", "-m", help="See `entropick methods`.")] = "jmi",
    k: Annotated[
        str,
        typer.Option("-k", help="How many: a number, a fraction, `all`, or `auto` to stop at chance level."),
    ] = "auto",
    output: Annotated[Output, typer.Option("--output", "-o", help="Form of the result.")] = Output.table,
    save: Annotated[Path | None, typer.Option(help="Also write it to a .json, .csv, .txt or .html file.")] = None,
    save_statistics: Annotated[
        Path | None, typer.Option(metavar="FILE.stats", help="Also save counts and moments, to be merged.")
    ] = None,
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
        str,
        typer.Option(help="Of rows in blocks: exact; sketch, a pass less; another's FILE.stats.", rich_help_panel=RUN),
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
    if save_statistics is not None and not save_statistics.parent.is_dir():
        raise InvalidParameter(f"--save-statistics: must be in an existing folder, got {str(save_statistics)!r}")
    how: Settings = {
        "method": method,
        "k": parse.number_of_features(k),
        "search": search,
        "alpha": alpha,
        "test": test,
        "random_state": seed,
        "n_jobs": jobs,
        "verbose": 0 if quiet else 1,
        **parse.option_values(option or []),
    }
    coded: Settings = {
        "task": task,
        "discretizer": parse.discretizer(discretizer),
        "missing": missing,
        "memory": memory,
        "coding": coding,
    }
    from ..methods import get_method
    from .rows import Rows

    get_method(method)  # a misspelt method is told before a large file is read
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        if files[0].endswith(STATISTICS):
            selection = _from_statistics(files, target, include or [], exclude or [], how)
            if save is not None:
                write.save(selection, save)
        elif target is None:
            raise InvalidParameter("--target: must name the column to predict")
        else:
            rows = Rows(
                files, target, sql, categorical or (), numeric or (), drop or (), ids or (), na or (), encoding, memory
            )
            selection = _from_rows(rows, include or [], exclude or [], how, coded, save, save_statistics)
    emit(result(selection, output, explain))
    if not quiet:
        for text in dict.fromkeys(str(warning.message) for warning in caught):
            complain(text, "warning", "yellow")
        for path in (save, save_statistics):
            if path is not None:
                complain(str(path), "saved", "green")


def _from_rows(
    rows: Rows,
    include: list[str],
    exclude: list[str],
    how: Settings,
    coded: Settings,
    save: Path | None,
    statistics: Path | None,
) -> Selection:
    import entropick as ep

    from ..selectors.saved import Statistics
    from . import parse, write

    with rows.opened() as (source, roles):
        if how["verbose"]:
            print(*roles, sep="\n", file=sys.stderr, flush=True)
        selection = ep.select(
            source,
            rows.target,
            include=parse.column_names(include, source.names, "--include"),
            exclude=parse.column_names(exclude, source.names, "--exclude"),
            **how,
            **coded,
        )
        if save is not None:
            write.save(selection, save, source, rows.target)
        if statistics is not None:
            Statistics.collect(source, rows.target, n_jobs=how["n_jobs"], **coded).save(statistics)
    return selection


def _from_statistics(
    files: list[str], target: str | None, include: list[str], exclude: list[str], how: Settings
) -> Selection:
    """From counts and moments that were saved, without any rows."""
    from ..selectors.saved import Statistics
    from . import parse

    if len(files) > 1:
        raise InvalidParameter(f"files: saved statistics go with no other file, got {len(files)}; merge them first")
    statistics = Statistics.load(files[0])
    if target not in (None, statistics.target):
        raise InvalidParameter(f"--target: {files[0]} was saved for {statistics.target!r}, got {target!r}")
    return statistics.select(
        include=parse.column_names(include, statistics.names, "--include"),
        exclude=parse.column_names(exclude, statistics.names, "--exclude"),
        **how,
    )


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
