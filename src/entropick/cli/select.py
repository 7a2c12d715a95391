"""`entropick select`: the columns of a table that say most, together, about one of them."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import InvalidParameter
from . import flags
from .flags import Output
from .group import complain, emit, one_line

if TYPE_CHECKING:
    from ..selection import Selection
    from .rows import Rows

STATISTICS = ".stats"

Settings = dict[str, Any]


def select(
    files: flags.Files,
    target: flags.MaybeTarget = None,
    method: flags.OneMethod = "joint",
    k: flags.HowMany = "auto",
    output: flags.Form = Output.table,
    save: flags.Save = None,
    save_statistics: flags.SaveStatistics = None,
    explain: flags.Explain = False,
    include: flags.Include = None,
    exclude: flags.Exclude = None,
    given: flags.Given = None,
    costs: flags.Costs = None,
    budget: flags.Budget = None,
    drop: flags.Drop = None,
    ids: flags.Ids = None,
    task: flags.Task = "auto",
    missing: flags.Missing = "level",
    missing_target: flags.MissingTarget = "drop",
    sql: flags.Sql = None,
    categorical: flags.Categorical = None,
    numeric: flags.Numeric = None,
    na: flags.Na = None,
    encoding: flags.Encoding = None,
    sheet: flags.Sheet = None,
    transpose: flags.Transpose = False,
    join: flags.Join = None,
    on: flags.On = None,
    discretizer: flags.Discretizer = "auto",
    search: flags.Search = None,
    option: flags.Options = None,
    alpha: flags.Alpha = 0.05,
    test: flags.Test = "joint",
    level: flags.Level = None,
    memory: flags.Memory = None,
    coding: flags.Coding = "exact",
    plugin: flags.Plugin = None,
    seed: flags.Seed = None,
    jobs: flags.Jobs = -1,
    columns: flags.AllColumns = False,
    quiet: flags.Quiet = False,
    debug: flags.Debug = False,
) -> None:
    """Choose the columns of a table that say most, together, about a target column."""
    from ..methods import get_method
    from . import parse, write
    from .plugins import load_plugins
    from .rows import Rows

    load_plugins(plugin)
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
        "level": level,
        "random_state": seed,
        "n_jobs": jobs,
        "verbose": 0 if quiet else 1,
        "given": given or [],
        "costs": parse.costs(costs),
        "budget": budget,
        **parse.option_values(option or []),
    }
    coded: Settings = {
        "task": task,
        "discretizer": parse.discretizer(discretizer),
        "missing": missing,
        "memory": memory,
        "coding": coding,
    }
    get_method(method)  # a misspelt method is told before a large file is read
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        if files[0].endswith(STATISTICS):
            selection = _from_statistics(files, target, include or [], exclude or [], how)
            if save is not None:
                write.save(selection, save)
        else:
            rows = Rows(
                files, target or "", sql, categorical or (), numeric or (), drop or (), ids or (), na or (), encoding,
                memory, task, missing_target, columns, sheet, transpose, join, on,
            )  # fmt: skip
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

    from ..statistics.saved import Statistics
    from . import parse, write

    with rows.opened(quiet=not how["verbose"]) as source:
        selection = ep.select(
            source,
            rows.target,
            include=parse.column_names(include, source.names, "--include"),
            exclude=parse.column_names(exclude, source.names, "--exclude"),
            **how | {"given": parse.column_names(how["given"], source.names, "--given") or None},
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
    from ..statistics.saved import Statistics
    from . import parse

    if len(files) > 1:
        raise InvalidParameter(f"files: saved statistics go with no other file, got {len(files)}; merge them first")
    statistics = Statistics.load(files[0])
    if target not in (None, statistics.target):
        raise InvalidParameter(f"--target: {files[0]} was saved for {statistics.target!r}, got {target!r}")
    return statistics.select(
        include=parse.column_names(include, statistics.names, "--include"),
        exclude=parse.column_names(exclude, statistics.names, "--exclude"),
        **how | {"given": parse.column_names(how["given"], statistics.names, "--given") or None},
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
