"""The flags: what each is called, its line of help, and the panel it is shown in."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

WHAT, READ, HOW, RUN = "Columns and rows", "Reading the file", "Method settings", "Running"


class Output(StrEnum):
    """Forms of a result on the standard output."""

    table = "table"
    json = "json"
    csv = "csv"


FORMS = tuple(Output)  # of an --output that also takes the name of a file

Columns = list[str] | None

Files = Annotated[
    list[str],
    typer.Argument(
        help="Files, folders or patterns: CSV, Parquet, Arrow, JSON Lines, ARFF, svmlight, DuckDB, SQLite,"
        " .h5ad, zarr, 10x folders, PLINK .bed; - reads standard input.",
        show_default=False,
    ),
]
Target = Annotated[str, typer.Option("--target", "-t", help="The column to predict.", show_default=False)]
Plugin = Annotated[
    Columns,
    typer.Option(
        metavar="MODULE", help="Python module or .py file that registers your own methods.", rich_help_panel=RUN
    ),
]
OneMethod = Annotated[str, typer.Option("--method", "-m", help="The selection method; `entropick methods` lists all.")]
HowMany = Annotated[
    str, typer.Option("-k", "--k", help="Features to select: a number, a fraction, `all`, or `auto` (stop at chance).")
]
Form = Annotated[Output, typer.Option("--output", "-o", help="Output format.")]
Save = Annotated[Path | None, typer.Option(help="Also save the result: .json, .csv, .txt, or .html for a report.")]
SaveStatistics = Annotated[
    Path | None, typer.Option(metavar="FILE.stats", help="Save mergeable statistics, for `entropick merge`.")
]
WriteBack = Annotated[
    bool, typer.Option("--write-back", help="Write ranks and scores into the .h5ad file or zarr store.")
]
Explain = Annotated[bool, typer.Option("--explain", help="Explain why each feature was chosen.")]

Include = Annotated[
    Columns, typer.Option(metavar="COLS", help="Columns to select first: a,b or a pattern.", rich_help_panel=WHAT)
]
Exclude = Annotated[
    Columns, typer.Option(metavar="COLS", help="Columns never to select: a,b or MT-*.", rich_help_panel=WHAT)
]
Given = Annotated[
    Columns,
    typer.Option(metavar="COLS", help="Covariates to adjust for (method joint).", rich_help_panel=WHAT),
]
Costs = Annotated[
    list[str] | None,
    typer.Option(metavar="COL=NUMBER", help="Cost of a column; the default is 1. Repeatable.", rich_help_panel=WHAT),
]
Budget = Annotated[float | None, typer.Option(help="Stop when the total cost reaches this.", rich_help_panel=WHAT)]
Drop = Annotated[Columns, typer.Option(metavar="COLS", help="Columns to ignore.", rich_help_panel=WHAT)]
Ids = Annotated[
    Columns, typer.Option("--id", metavar="COLS", help="Identifier columns to ignore.", rich_help_panel=WHAT)
]
Task = Annotated[
    str, typer.Option(help="classification, regression, or auto to infer it from the target.", rich_help_panel=WHAT)
]
Missing = Annotated[
    str, typer.Option(help="Missing values: level (a category of their own) or error.", rich_help_panel=WHAT)
]
ClassWeight = Annotated[
    list[str] | None,
    typer.Option(
        metavar="CLASS=NUMBER",
        help="Weight of a class, or balanced: rare classes count as much as frequent ones. Repeatable.",
        rich_help_panel=WHAT,
    ),
]
PerClass = Annotated[
    int,
    typer.Option(
        metavar="NUMBER",
        help="So many columns for every class that tell it from all others, chosen first.",
        rich_help_panel=WHAT,
    ),
]

Sheet = Annotated[str | None, typer.Option(help="Sheet of a workbook.", rich_help_panel=READ)]
Transpose = Annotated[
    bool,
    typer.Option(
        "--transpose", help="Swap rows and columns, for files with one feature per row.", rich_help_panel=READ
    ),
]
Join = Annotated[
    str | None, typer.Option(metavar="FILE", help="Join the columns of another file; needs --on.", rich_help_panel=READ)
]
On = Annotated[
    str | None, typer.Option(metavar="COL", help="The key column that both files share.", rich_help_panel=READ)
]
Dates = Annotated[
    str, typer.Option(help="elapsed time, or parts: also year, month, weekday, as one group.", rich_help_panel=READ)
]
Layer = Annotated[
    str | None, typer.Option(help="Layer of an .h5ad file or zarr store, or raw, instead of X.", rich_help_panel=READ)
]
Text = Annotated[
    Columns, typer.Option(metavar="COL", help="Text column whose words become columns.", rich_help_panel=READ)
]
MissingTarget = Annotated[
    str, typer.Option(help="Rows without a target: drop (with a note) or error.", rich_help_panel=WHAT)
]
AllColumns = Annotated[
    bool, typer.Option("--columns", help="List every column by type, not just the first few.", rich_help_panel=RUN)
]
Sql = Annotated[
    str | None, typer.Option(help="SQL query over the files (as the table `data`) or a database.", rich_help_panel=READ)
]
Categorical = Annotated[
    Columns, typer.Option(metavar="COLS", help="Columns to read as categories.", rich_help_panel=READ)
]
Numeric = Annotated[Columns, typer.Option(metavar="COLS", help="Columns to read as numbers.", rich_help_panel=READ)]
Na = Annotated[
    Columns, typer.Option(metavar="WORD", help="Extra text that marks a missing value.", rich_help_panel=READ)
]
Encoding = Annotated[
    str | None, typer.Option(help="Encoding of text files, if not UTF-8: latin-1.", rich_help_panel=READ)
]

Discretizer = Annotated[
    str,
    typer.Option(help="auto, mdl, quantile, uniform, kmeans, sigma, a number of bins, or none.", rich_help_panel=HOW),
]
Search = Annotated[
    str | None, typer.Option(help="Search strategy; the default is the method's own.", rich_help_panel=HOW)
]
Options = Annotated[
    Columns,
    typer.Option("--option", metavar="NAME=VALUE", help="Method-specific option. Repeatable.", rich_help_panel=HOW),
]
Alpha = Annotated[float, typer.Option(help="Significance level of `-k auto`.", rich_help_panel=HOW)]
Test = Annotated[str, typer.Option(help="Stopping test of `-k auto`: joint, chi2 or permutation.", rich_help_panel=HOW)]
Level = Annotated[
    float | None, typer.Option(help="Credible sets at this level (0.95), also with a fixed -k.", rich_help_panel=HOW)
]

Memory = Annotated[
    str | None,
    typer.Option(help="Memory limit, such as 2GB; larger data is streamed. Default: half of RAM.", rich_help_panel=RUN),
]
Coding = Annotated[
    str,
    typer.Option(
        help="Binning of streamed data: exact, sketch (one pass less), or that of a FILE.stats.", rich_help_panel=RUN
    ),
]
Seed = Annotated[int | None, typer.Option(help="Random seed.", rich_help_panel=RUN)]
Jobs = Annotated[int, typer.Option(help="Number of threads or processes; -1 uses all processors.", rich_help_panel=RUN)]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Hide the progress bar and notes.", rich_help_panel=RUN)]
Debug = Annotated[bool, typer.Option("--debug", help="Show the full traceback on error.", rich_help_panel=RUN)]
