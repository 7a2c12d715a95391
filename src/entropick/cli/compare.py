"""`entropick compare`: several methods on one file, judged by cross-validation."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..errors import InvalidParameter
from . import flags, parse
from .beside import taken
from .flags import FORMS
from .group import emit, one_line, remarks
from .rows import Rows, reads_rows
from .write import output_file, spreadsheet, write_whole

if TYPE_CHECKING:
    from rich.table import Table as Shown

    from ..evaluation.comparison import Comparison
    from ..pairs.answer import Interactions
    from ..sources import Source

FILES = (".html", ".json", ".csv")
JUDGED = "Evaluation"

Methods = Annotated[
    str | None,
    typer.Option(
        "--methods",
        "-m",
        metavar="NAMES",
        help="Methods to compare; `entropick methods` lists all.",
        show_default="joint,jmi,mrmr,cmim,gc.mi,spec.cmi, as far as the data allow",
    ),
]
Numbers = Annotated[
    str | None,
    typer.Option(
        "-k",
        "--k",
        metavar="NUMBERS",
        help="Numbers of features to try.",
        show_default="1,2,3,5,8,13,20, and more while the error falls",
    ),
]
Destination = Annotated[
    str, typer.Option("--output", "-o", help="table, json or csv; or a file: .html (report), .json or .csv.")
]
Estimators = Annotated[
    str | None,
    typer.Option(
        metavar="NAMES",
        help="Models to evaluate with: 3-NN, linear SVM, RBF SVM, QDA, boosted stumps, nearest mean; for"
        " regression, ridge.",
        rich_help_panel=JUDGED,
    ),
]
Scoring = Annotated[
    str | None,
    typer.Option(
        metavar="NAMES",
        help="scikit-learn scorers, such as roc_auc,f1; the first one decides.",
        show_default="accuracy; roc_auc if one class holds over 80 %",
        rich_help_panel=JUDGED,
    ),
]
Event = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMN",
        help="Whether the event was seen (0 and 1, or yes and no); --target is then the time until it, or until the row"
        " was last seen.",
        rich_help_panel=flags.WHAT,
    ),
]
Period = Annotated[
    str | None,
    typer.Option(metavar="COLUMN", help="Periods, to tell which features last.", rich_help_panel=flags.WHAT),
]
Site = Annotated[
    str | None,
    typer.Option(metavar="COLUMN", help="The same with sites instead of periods.", rich_help_panel=flags.WHAT),
]
Resamples = Annotated[
    str, typer.Option(metavar="FOLDSxREPEATS", help="Cross-validation folds x repetitions.", rich_help_panel=JUDGED)
]
Bootstrap = Annotated[
    int | None, typer.Option(metavar="N", help="Number of bootstrap samples, instead of folds.", rich_help_panel=JUDGED)
]
Together = Annotated[
    bool,
    typer.Option("--interactions", help="Also test all pairs of columns; the report gets their network."),
]
Resume = Annotated[
    Path | None,
    typer.Option(
        metavar="FOLDER", help="Save finished trials in this folder and continue from them.", rich_help_panel=flags.RUN
    ),
]


@reads_rows
def compare(
    rows: Rows,
    methods: Methods = None,
    k: Numbers = None,
    output: Destination = "table",
    interactions: Together = False,
    event: Event = None,
    period: Period = None,
    site: Site = None,
    missing: flags.Missing = "level",
    discretizer: flags.Discretizer = "auto",
    estimators: Estimators = None,
    scoring: Scoring = None,
    resamples: Resamples = "5x2",
    bootstrap: Bootstrap = None,
    resume: Resume = None,
    plugin: flags.Plugin = None,
    seed: flags.Seed = 0,
    jobs: flags.Jobs = -1,
    quiet: flags.Quiet = False,
    debug: flags.Debug = False,
) -> None:
    """Try several methods on a table and say which to take, with how many columns."""
    from ..evaluation.compare import compare as run
    from ..evaluation.ready_made import READY
    from ..methods import get_method
    from .plugins import load_plugins

    load_plugins(plugin)
    path = output_file(output, FORMS, FILES)
    if interactions and (path is None or path.suffix.lower() != ".html"):
        raise InvalidParameter(
            f"--interactions: needs --output FILE.html, whose page shows them, got --output {output}"
        )
    if interactions and event is not None:
        raise InvalidParameter("--interactions: does not support events and times; omit --event or --interactions")
    wanted = None if methods is None else _words(methods, "--methods")
    folds, repeats = _folds(resamples)
    settings: dict[str, Any] = {
        "k": None if k is None else [_number(word) for word in _words(k, "-k")],
        "estimators": None if estimators is None else _words(estimators, "--estimators"),
        "scoring": None if scoring is None else _words(scoring, "--scoring"),
        "cv": folds,
        "repeats": repeats,
        "bootstraps": bootstrap,
        "task": rows.task,
        "discretizer": parse.discretizer(discretizer),
        "missing": missing,
        "random_state": seed,
        "n_jobs": jobs,
        "resume": resume,
        "verbose": 0 if quiet else 1,
    }
    for name in wanted or []:
        if name not in READY:
            get_method(name)  # a misspelt method is an error before a large file is read
    with remarks(quiet, path):
        beside = {flag: name for flag, name in (("event", event), ("period", period), ("site", site)) if name}
        with rows.opened(quiet, list(beside.values())) as source:
            X, y, labels = taken(source.table(), rows.target, beside)
            comparison = run(X, y, wanted, **labels, **settings)
            pairs = _pairs(source, rows, settings) if interactions else None
        read = shlex.join([word for flag, name in beside.items() for word in (f"--{flag}", name)])
        read = " ".join(part for part in (rows.flags(), read) if part)
        told = {"files": list(rows.files), "target": rows.target, **({"read": read} if read else {})}
        comparison = replace(comparison, settings={**comparison.settings, **told})
        if path is not None:
            _save(comparison, path, pairs)
        emit(_formed(comparison, "table" if path is not None else output))


def _words(text: str, flag: str) -> list[str]:
    words = [word.strip() for word in text.split(",") if word.strip()]
    if not words:
        raise InvalidParameter(f"{flag}: must be names or numbers separated by commas, got {text!r}")
    return words


def _number(word: str) -> int:
    parse.check_length("-k", word)
    if not word.isdecimal():
        raise InvalidParameter(f"-k: must be whole numbers separated by commas, got {word!r}")
    return int(word)


def _folds(text: str) -> tuple[int, int]:
    """``5x2`` five folds drawn twice, ``10`` ten folds drawn once.

    >>> _folds("5x2"), _folds("10")
    ((5, 2), (10, 1))
    """
    folds, _, repeats = text.lower().replace("×", "x").partition("x")
    parse.check_length("--resamples", text)
    if not folds.isdecimal() or not (repeats or "1").isdecimal():
        raise InvalidParameter(f"--resamples: must be like 5x2 (5 folds, drawn twice) or 10, got {text!r}")
    return int(folds), int(repeats or "1")


def _pairs(source: Source, rows: Rows, settings: Mapping[str, Any]) -> Interactions:
    """All pairs of columns tested, as the comparison was made."""
    import entropick as ep

    same = {name: settings[name] for name in ("task", "discretizer", "missing", "n_jobs", "verbose")}
    return ep.interactions(source, rows.target, **same)


def _save(comparison: Comparison, path: Path, pairs: Interactions | None) -> None:
    suffix = path.suffix.lower()
    if suffix == ".html":
        comparison.report(path, pairs)
    else:
        text = spreadsheet(comparison.curves()) if suffix == ".csv" else _formed(comparison, suffix[1:])
        write_whole(path, text)


def _formed(comparison: Comparison, form: str) -> str:
    if form == "json":
        return comparison.to_json(indent=2) + "\n"
    if form == "csv":
        return comparison.curves().to_csv(index=False, lineterminator="\n")
    from rich.text import Text

    from ..evaluation.scoring import in_short
    from .show import rendered

    best = comparison.best()
    spent = comparison.seconds()
    resampled = f"{comparison.n_samples} rows, {comparison.resampling}"
    words = [
        Text(""),
        Text(one_line(best.words), style="bold"),
        Text(f"features: {', '.join(one_line(name) for name in comparison.features)}"),
        Text(f"{resampled}; selection {spent['selection']:.1f} s, estimation {spent['estimation']:.1f} s", style="dim"),
    ]
    if len(comparison.drift):
        words.insert(-1, Text(_lasting(comparison)))
    words += [Text(f"note: {one_line(note)}", style="yellow") for note in comparison.notes]
    unit = "error in %" if comparison.percent else "RMSE in standard deviations of the target"
    unit = unit if comparison.standard else in_short(comparison.scoring[0])
    head = f"{unit}, {best.estimator}; stability at k = {best.k}; selection time"
    return rendered(Text(head, style="dim"), errors_table(comparison), *words)


def _lasting(comparison: Comparison) -> str:
    """Which of the features keep their distribution, in a line."""
    from ..evaluation.drift import STATUSES

    status = dict(zip(comparison.drift["name"], comparison.drift["status"], strict=True))
    told = [(part, [one_line(name) for name in comparison.features if status.get(name) == part]) for part in STATUSES]
    return "; ".join(f"{part}: {', '.join(names)}" for part, names in told if names)


def errors_table(comparison: Comparison) -> Shown:
    """One row a method: the mean error at each k, how stable its choice is, how long it took to choose."""
    from rich.table import Table
    from rich.text import Text

    best = comparison.best()
    from ..evaluation.scoring import shown

    percent = 100.0 if comparison.percent else 1.0
    digits = 1 if comparison.percent else 3
    curves = comparison.curves()
    curves = curves[curves["estimator"] == best.estimator]
    stability = comparison.stability(best.k)["nogueira"]
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    table.add_column("method", style="cyan", no_wrap=True)
    for heading in (*(f"k = {k}" for k in comparison.ks), "stability", "seconds"):
        table.add_column(heading, justify="right", no_wrap=True)
    for method, steady in zip(comparison.methods, stability, strict=True):
        own = curves[curves["method"] == method]
        cells = []
        for k, mean, se in zip(own["k"], own["mean"], own["se"], strict=True):
            taken = (method, k) == (best.method, best.k)
            mean = mean if comparison.standard else shown(mean, comparison.ideal)
            text = "–" if mean != mean else f"{percent * mean:.{digits}f} ± {percent * se:.{digits}f}"
            cells.append(Text(text, style="bold green" if taken else ""))
        times = comparison.times
        seconds = times.loc[(times["method"] == method) & (times["part"] == "selection"), "seconds"].sum()
        steadiness = "–" if steady != steady else f"{steady:.2f}"
        table.add_row(Text(one_line(method)), *cells, Text(steadiness), Text(f"{seconds:.1f}"))
    return table
