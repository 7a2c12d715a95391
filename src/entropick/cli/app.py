"""The commands. Libraries that take long to load are imported inside them, so that --help is instant."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import InvalidParameter
from ..version import __version__
from .compare import compare
from .describe import describe
from .flags import Debug, OneMethod, Output, Plugin, Quiet
from .group import Group, emit
from .interactions import interactions
from .merge import merge
from .select import result, select

if TYPE_CHECKING:
    from ..methods import Method

app = typer.Typer(
    cls=Group,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


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


app.command()(select)
app.command()(describe)
app.command()(interactions)


@app.command()
def methods(
    name: Annotated[str | None, typer.Argument(help="Show one method in detail.", show_default=False)] = None,
    output: Annotated[Output, typer.Option("--output", "-o", help="Output format.")] = Output.table,
    plugin: Plugin = None,
    debug: Debug = False,
) -> None:
    """List the methods, or tell everything about one."""
    from ..methods import get_method, known_methods
    from .plugins import load_plugins

    load_plugins(plugin)
    chosen = [get_method(name)] if name is not None else list(known_methods().values())
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
        **method.facts(),
        "columns": list(method.columns or ()),
        "invariant": list(method.invariant or ()),
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
    folder: Annotated[Path, typer.Option("--folder", help="Folder for the results.")] = Path("demo"),
    method: OneMethod = "joint",
    k: Annotated[str, typer.Option("-k", help="As for `entropick select`.")] = "6",
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
    emit(result(selection, Output.table, explain=True))
    if not quiet:
        emit("\nComparing methods by cross-validation (a few seconds) …")
    contenders = list(dict.fromkeys([method, "joint", "jmi", "mrmr", "cmim", "gc.mi", "relieff"]))
    comparison = run(X, y, contenders, k=[1, 2, 3, 4, 6, 8, 12], repeats=1, verbose=0 if quiet else 1)
    comparison.report(folder / "report.html")
    emit(comparison.best().words)
    if not quiet:
        emit(
            f"\nThe report: {folder / 'report.html'} (open it in a browser). The selection: {folder / 'selection.json'}"
        )


app.command()(compare)


@app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []})
def reproduce(ctx: typer.Context) -> None:
    """Reproduce tables of the papers: our figures beside theirs (from a checkout of the repository)."""
    checkout = next((place for place in (Path.cwd(), Path(__file__).parents[3]) if _has_tables(place)), None)
    if checkout is None:
        raise InvalidParameter(
            "reproduce: the papers' tables are not part of the installed package; run this, or"
            " `python -m reproduction`, in a clone of the repository"
        )
    sys.path.insert(0, str(checkout))
    from reproduction.__main__ import main

    main(ctx.args)


def _has_tables(folder: Path) -> bool:
    return (folder / "reproduction" / "paper_table.py").is_file() and (folder / "src" / "entropick").is_dir()


app.command()(merge)
