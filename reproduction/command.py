"""`python -m reproduction`, or `entropick reproduce` from a checkout: a table of the papers made again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from entropick.cli.flags import FORMS, Debug, Jobs, Quiet
from entropick.cli.group import complain, emit
from entropick.cli.write import output_file, write_whole
from entropick.errors import InvalidParameter

if TYPE_CHECKING:
    from .paper_table import Result

FILES = (".md", ".json", ".csv", ".txt")


def reproduce(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[TABLE]...", help="The tables; without one they are listed.", show_default=False),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Every table of the papers.")] = False,
    quick: Annotated[bool, typer.Option("--quick", help="Fewer trials or data sets.")] = False,
    fresh: Annotated[bool, typer.Option("--fresh", help="Compute again what is kept from earlier runs.")] = False,
    kept: Annotated[bool, typer.Option("--kept", help="Compute nothing: show what is kept.")] = False,
    data_dir: Annotated[
        Path | None,
        typer.Option(help="Folder of data sets, else the environment's ENTROPICK_DATA.", show_default=False),
    ] = None,
    cache_dir: Annotated[
        Path | None,
        typer.Option(help="Folder of kept results, else the environment's ENTROPICK_CACHE.", show_default=False),
    ] = None,
    output: Annotated[
        str,
        typer.Option("--output", "-o", help="table, json or csv; or a .md, .json, .csv or .txt file."),
    ] = "table",
    update: Annotated[
        Path | None,
        typer.Option(help="A .md page of earlier tables: put these in, leave its others.", show_default=False),
    ] = None,
    jobs: Jobs = -1,
    quiet: Quiet = False,
    debug: Debug = False,
) -> None:
    """Make tables of the papers again: our figures beside theirs."""
    from .tables import TABLES, get_table
    from .tables import reproduce as make

    page = _page(update, output)
    file = output_file(output, FORMS, FILES) if update is None else update
    if fresh and kept:
        raise InvalidParameter("--fresh: computes everything again, so it does not go with --kept; give one of them")
    wanted = [table.name for table in TABLES.values() if table.paper] if every else list(names or [])
    for name in wanted:
        get_table(name)  # a misspelt name is told before hours of computing
    if not wanted:
        wide = max(map(len, TABLES))
        emit("\n".join(f"{table.name:<{wide}}  {table.title}" for table in TABLES.values()))
        return
    results = [
        make(
            name, quick=quick, fresh=fresh, only_kept=kept, cache_dir=cache_dir, data_dir=data_dir, n_jobs=jobs,
            verbose=0 if quiet else 1,
        )
        for name in wanted
    ]  # fmt: skip
    if kept and not quick:  # what was only ever made quickly is shown so, and says so
        results = [
            result
            if result.finished
            else make(result.table.name, quick=True, only_kept=True, cache_dir=cache_dir, data_dir=data_dir)
            for result in results
        ]
    text = _formed(results, file.suffix.lower() if file else f".{output}", page)
    if file is None:
        emit(text)
    else:
        write_whole(file, text)
    if not quiet:
        for reason in dict.fromkeys(reason for result in results for reason in result.skipped):
            complain(reason, "skipped", "yellow")
        if file is not None:
            complain(str(file), "saved", "green")


def _page(update: Path | None, output: str) -> str:
    """The page that is to be updated, or nothing."""
    if update is None:
        return ""
    if update.suffix.lower() != ".md":
        raise InvalidParameter(f"--update: must end in .md, got {str(update)!r}")
    if output != "table":
        raise InvalidParameter("--update: writes into its own page, so it does not go with --output; give one of them")
    try:
        return update.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidParameter(f"--update: cannot read {str(update)!r} ({error}); name a page that is there") from error


def _formed(results: Sequence[Result], form: str, page: str) -> str:
    from .page import as_markdown, as_text

    if form == ".md":
        return as_markdown(results, page)
    if form in (".json", ".csv"):
        return _records(results, form)
    return "\n".join(map(as_text, results))


def _records(results: Sequence[Result], form: str) -> str:
    """One record a figure; the table's name is a column where there are several."""
    import pandas as pd

    frames = {result.table.name: result.frame() for result in results if result.figures}
    frame = pd.concat(frames, names=["table", "row"]).reset_index("table") if frames else pd.DataFrame()
    if len(results) == 1 and frames:
        frame = frame.drop(columns="table")
    if form == ".json":
        return frame.to_json(orient="records", indent=2, force_ascii=False) + "\n"
    return frame.to_csv(index=False, lineterminator="\n")
