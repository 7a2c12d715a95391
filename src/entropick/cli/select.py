"""`entropick select`: the columns of a table that say most, together, about one of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import InvalidParameter
from . import flags, parse
from .flags import Output
from .group import emit, one_line, remarks
from .rows import Rows, reads_rows

if TYPE_CHECKING:
    from ..selection import Selection

STATISTICS = ".stats"

Settings = dict[str, Any]


@reads_rows
def select(
    rows: Rows,
    method: flags.OneMethod = "joint",
    k: flags.HowMany = "auto",
    output: flags.Form = Output.table,
    save: flags.Save = None,
    save_statistics: flags.SaveStatistics = None,
    explain: flags.Explain = False,
    write_back: flags.WriteBack = False,
    include: flags.Include = None,
    exclude: flags.Exclude = None,
    given: flags.Given = None,
    costs: flags.Costs = None,
    budget: flags.Budget = None,
    class_weight: flags.ClassWeight = None,
    per_class: flags.PerClass = 0,
    missing: flags.Missing = "level",
    discretizer: flags.Discretizer = "auto",
    search: flags.Search = None,
    option: flags.Options = None,
    alpha: flags.Alpha = 0.05,
    test: flags.Test = "joint",
    level: flags.Level = None,
    coding: flags.Coding = "exact",
    plugin: flags.Plugin = None,
    seed: flags.Seed = None,
    jobs: flags.Jobs = -1,
    quiet: flags.Quiet = False,
    debug: flags.Debug = False,
) -> None:
    """Choose the columns of a table that say most, together, about a target column."""
    from ..methods import get_method
    from . import write
    from .plugins import load_plugins

    load_plugins(plugin)
    if explain and output is not Output.table:
        raise InvalidParameter(f"--explain: only works with --output table, got --output {output}")
    if save is not None:
        write.check_destination(save)
    if write_back and (len(rows.files) > 1 or not rows.files[0].rstrip("/").endswith((".h5ad", ".zarr"))):
        raise InvalidParameter(f"--write-back: goes with one .h5ad file or zarr store, got {', '.join(rows.files)}")
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
        "class_weight": parse.class_weight(class_weight),
        "per_class": per_class,
        **parse.option_values(option or []),
    }
    coded: Settings = {
        "task": rows.task,
        "discretizer": parse.discretizer(discretizer),
        "missing": missing,
        "memory": rows.memory,
        "coding": coding,
    }
    get_method(method)  # a misspelt method is an error before a large file is read
    with remarks(quiet, save, save_statistics):
        if rows.files[0].endswith(STATISTICS):
            selection = _from_statistics(rows, include or [], exclude or [], how)
            if save is not None:
                write.save(selection, save)
        else:
            selection = _from_rows(rows, include or [], exclude or [], how, coded, save, save_statistics)
            if write_back:
                selection.annotate(rows.files[0])
        emit(result(selection, output, explain))


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
    from . import write

    with rows.opened(not how["verbose"], [*include, *how["given"]]) as source:
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


def _from_statistics(rows: Rows, include: list[str], exclude: list[str], how: Settings) -> Selection:
    """From counts and moments that were saved, without any rows."""
    from ..statistics.saved import Statistics

    if len(rows.files) > 1:
        count = len(rows.files)
        raise InvalidParameter(
            f"files: saved statistics cannot be combined with other files, got {count}; merge them first"
        )
    statistics = Statistics.load(rows.files[0])
    if rows.target not in ("", statistics.target):
        raise InvalidParameter(f"--target: {rows.files[0]} was saved for {statistics.target!r}, got {rows.target!r}")
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
