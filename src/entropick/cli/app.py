"""The commands. Libraries that take long to load are imported inside them, so that --help is instant."""

from __future__ import annotations

import json
import warnings
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import InvalidInput, InvalidParameter, closest
from ..version import __version__
from .compare import compare
from .group import Group, complain, emit
from .reproduce import reproduce

if TYPE_CHECKING:
    from ..methods import Method
    from ..selection import Selection

app = typer.Typer(
    cls=Group,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


class Output(StrEnum):
    """Forms of a result on the standard output."""

    table = "table"
    json = "json"
    csv = "csv"


WHAT, HOW, RUN = "What is selected from", "How it is scored", "Running"

Debug = Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.", rich_help_panel=RUN)]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress bar, no remarks.", rich_help_panel=RUN)]


def _version(wanted: bool) -> None:
    if wanted:
        emit(f"entropick {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def program(
    ctx: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Pick the features that are informative together."""
    if ctx.invoked_subcommand is None:
        emit(ctx.get_help())


@app.command()
def select(
    file: Annotated[str, typer.Argument(help="A CSV, TSV or Parquet file.", show_default=False)],
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
        list[str] | None,
        typer.Option(metavar="COLS", help="Columns that are chosen first: a,b.", rich_help_panel=WHAT),
    ] = None,
    exclude: Annotated[
        list[str] | None,
        typer.Option(metavar="COLS", help="Columns that are never chosen.", rich_help_panel=WHAT),
    ] = None,
    drop: Annotated[
        list[str] | None,
        typer.Option(metavar="COLS", help="Columns to leave out altogether, such as an id.", rich_help_panel=WHAT),
    ] = None,
    task: Annotated[str, typer.Option(help="auto, classification or regression.", rich_help_panel=WHAT)] = "auto",
    missing: Annotated[
        str, typer.Option(help="Missing values: a level of their own, or an error.", rich_help_panel=WHAT)
    ] = "level",
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
        "verbose": 0 if quiet else 1,
        **parse.option_values(option or []),
    }
    from ..methods import get_method

    get_method(method)  # a misspelt method is told before a large file is read

    import entropick as ep

    from ..sources import read_file

    table = read_file(file)
    columns = table.names
    if target not in columns:
        listed = ", ".join(columns[:8]) + (", …" if len(columns) > 8 else "")
        raise InvalidInput(f"--target: no column {target!r} in {file}.{closest(target, columns)} It has: {listed}")
    dropped = set(parse.column_names(drop or [], columns, "--drop"))
    if target in dropped:
        raise InvalidParameter(f"--drop: must not name the target, got {target!r}")
    table = table.select([j for j, name in enumerate(columns) if name not in dropped])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        selection = ep.select(
            table,
            target,
            include=parse.column_names(include or [], table.names, "--include"),
            exclude=parse.column_names(exclude or [], table.names, "--exclude"),
            **settings,
        )
    if save is not None:
        write.save(selection, save)
    emit(_result(selection, output, explain))
    if not quiet:
        for text in dict.fromkeys(str(warning.message) for warning in caught):
            complain(text, "warning", "yellow")
        if save is not None:
            complain(str(save), "saved", "green")


def _result(selection: Selection, output: Output, explain: bool) -> str:
    if output is Output.json:
        return selection.to_json(indent=2)
    if output is Output.csv:
        return selection.to_frame().to_csv(index=False, lineterminator="\n")
    from rich.text import Text

    from .group import one_line
    from .show import explanation, rendered, selection_table, summary, width

    table = selection_table(selection, width()) if selection.steps else []
    if explain:
        words = [Text(""), *explanation(selection, width())]
    else:
        words = [Text(""), Text(summary(selection), style="bold")]
        words += [Text(f"note: {one_line(note)}", style="yellow") for note in selection.notes]
    return rendered(*table, *(words if table else words[1:]))


@app.command()
def methods(
    name: Annotated[str | None, typer.Argument(help="One method, with its options.", show_default=False)] = None,
    output: Annotated[Output, typer.Option("--output", "-o", help="Form of the list.")] = Output.table,
    debug: Debug = False,
) -> None:
    """List the methods, or tell everything about one."""
    from ..methods import REGISTRY, get_method

    chosen = [get_method(name)] if name is not None else list(REGISTRY.values())
    if output is Output.json:
        records = [_record(method) for method in chosen]
        emit(json.dumps(records[0] if name is not None else records, indent=2, ensure_ascii=False))
    elif output is Output.csv:
        emit(_csv([_record(method) for method in chosen]))
    else:
        from .show import method_details, methods_table, rendered, width

        emit(rendered(*(method_details(chosen[0]) if name is not None else [methods_table(chosen, width())])))


def _record(method: Method) -> dict[str, object]:
    return {
        "method": method.name,
        "family": method.family,
        "summary": method.summary,
        **{what: what in method.sees for what in ("redundancy", "interaction", "nonlinear")},
        "tasks": list(method.tasks),
        "searches": list(method.searches),
        "options": {key: {"default": option.default, "rule": option.rule} for key, option in method.options.items()},
        "paper": method.paper,
    }


def _csv(records: list[dict[str, object]]) -> str:
    import csv
    import io

    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(records[0])
    for record in records:
        writer.writerow(" ".join(cell) if isinstance(cell, (list, dict)) else cell for cell in record.values())
    return buffer.getvalue()


@app.command()
def demo(
    folder: Annotated[Path, typer.Option("--folder", help="Where the result is written.")] = Path("demo"),
    method: Annotated[str, typer.Option("--method", "-m", help="See `entropick methods`.")] = "jmi",
    k: Annotated[str, typer.Option("-k", help="As for select.")] = "6",
    quiet: Quiet = False,
    debug: Debug = False,
) -> None:
    """Select from a table that comes along, 30 measurements of cell nuclei, benign or malignant; compare; report."""
    import entropick as ep

    from ..datasets import load_demo
    from ..evaluation.compare import compare as run
    from . import parse, write

    if folder.exists() and not folder.is_dir():
        raise InvalidParameter(f"--folder: must be a folder, got the file {str(folder)!r}")
    X, y = load_demo()
    selection = ep.select(X, y, method=method, k=parse.number_of_features(k), verbose=0 if quiet else 1)
    folder.mkdir(parents=True, exist_ok=True)
    write.save(selection, folder / "selection.json")
    emit(_result(selection, Output.table, explain=True))
    if not quiet:
        emit("\nComparing methods by cross-validation, a few seconds …")
    contenders = list(dict.fromkeys([method, "jmi", "mrmr", "cmim", "gc.mi", "relieff"]))
    comparison = run(X, y, contenders, k=[1, 2, 3, 4, 6, 8, 12], repeats=1, verbose=0 if quiet else 1)
    comparison.report(folder / "report.html")
    emit(comparison.best().words)
    if not quiet:
        emit(f"\nThe report: {folder / 'report.html'} (open it in a browser). The selection: {folder / 'selection.json'}")


app.command()(compare)
app.command()(reproduce)
