"""The flags: what each is called, its line of help, and the panel it is shown in."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

WHAT, READ, HOW, RUN = "What is selected from", "How it is read", "How it is scored", "Running"


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
        help="Files, folders or patterns: CSV, Parquet, Arrow, JSON lines, ARFF, svmlight, DuckDB, SQLite;"
        " - for the standard input.",
        show_default=False,
    ),
]
Target = Annotated[str, typer.Option("--target", "-t", help="Column to predict.", show_default=False)]
Plugin = Annotated[
    Columns,
    typer.Option(metavar="MODULE", help="Module or .py file that registers methods of one's own.", rich_help_panel=RUN),
]
OneMethod = Annotated[str, typer.Option("--method", "-m", help="See `entropick methods`.")]
HowMany = Annotated[
    str, typer.Option("-k", "--k", help="How many: a number, a fraction, `all`, or `auto` to stop at chance level.")
]
Form = Annotated[Output, typer.Option("--output", "-o", help="Form of the result.")]
Save = Annotated[Path | None, typer.Option(help="Also write it to a .json, .csv, .txt or .html file.")]
SaveStatistics = Annotated[
    Path | None, typer.Option(metavar="FILE.stats", help="Also save counts and moments, to be merged.")
]
Explain = Annotated[bool, typer.Option("--explain", help="Say why each was chosen.")]

Include = Annotated[
    Columns, typer.Option(metavar="COLS", help="Columns that are chosen first: a,b.", rich_help_panel=WHAT)
]
Exclude = Annotated[Columns, typer.Option(metavar="COLS", help="Columns that are never chosen.", rich_help_panel=WHAT)]
Given = Annotated[
    Columns,
    typer.Option(metavar="COLS", help="Covariates, whose effect is taken out first (joint).", rich_help_panel=WHAT),
]
Costs = Annotated[
    list[str] | None,
    typer.Option(metavar="COL=NUMBER", help="What a column costs; others cost 1. Repeatable.", rich_help_panel=WHAT),
]
Budget = Annotated[float | None, typer.Option(help="End when the costs have reached this.", rich_help_panel=WHAT)]
Drop = Annotated[Columns, typer.Option(metavar="COLS", help="Columns to leave out altogether.", rich_help_panel=WHAT)]
Ids = Annotated[Columns, typer.Option("--id", metavar="COLS", help="The same, for identifiers.", rich_help_panel=WHAT)]
Task = Annotated[str, typer.Option(help="auto, classification or regression.", rich_help_panel=WHAT)]
Missing = Annotated[str, typer.Option(help="Missing values: a level of their own, or an error.", rich_help_panel=WHAT)]

Sheet = Annotated[str | None, typer.Option(help="Of a workbook that has several.", rich_help_panel=READ)]
Transpose = Annotated[
    bool, typer.Option("--transpose", help="Exchange rows and columns: genes in rows.", rich_help_panel=READ)
]
Join = Annotated[
    str | None, typer.Option(metavar="FILE", help="Add the columns of another file, by --on.", rich_help_panel=READ)
]
On = Annotated[str | None, typer.Option(metavar="COL", help="The column that both files have.", rich_help_panel=READ)]
MissingTarget = Annotated[
    str, typer.Option(help="Rows without a target: drop, with a note, or error.", rich_help_panel=WHAT)
]
AllColumns = Annotated[
    bool, typer.Option("--columns", help="Name all columns of a kind, not the first few.", rich_help_panel=RUN)
]
Sql = Annotated[
    str | None, typer.Option(help="A query over the files, as `data`, or over a database.", rich_help_panel=READ)
]
Categorical = Annotated[
    Columns, typer.Option(metavar="COLS", help="Columns to read as categories.", rich_help_panel=READ)
]
Numeric = Annotated[Columns, typer.Option(metavar="COLS", help="Columns to read as numbers.", rich_help_panel=READ)]
Na = Annotated[Columns, typer.Option(metavar="WORD", help="Also a missing value, in texts.", rich_help_panel=READ)]
Encoding = Annotated[str | None, typer.Option(help="Of text files that are not UTF-8: latin-1.", rich_help_panel=READ)]

Discretizer = Annotated[
    str,
    typer.Option(help="auto, mdl, quantile, uniform, kmeans, sigma, a number of bins, or none.", rich_help_panel=HOW),
]
Search = Annotated[str | None, typer.Option(help="Another search than the method's own.", rich_help_panel=HOW)]
Options = Annotated[
    Columns,
    typer.Option("--option", metavar="NAME=VALUE", help="What only this method understands.", rich_help_panel=HOW),
]
Alpha = Annotated[float, typer.Option(help="Error rate of `-k auto`.", rich_help_panel=HOW)]
Test = Annotated[str, typer.Option(help="Test of `-k auto`: joint, chi2 or permutation.", rich_help_panel=HOW)]
Level = Annotated[
    float | None, typer.Option(help="Of credible sets: 0.95; asks for them with a fixed -k.", rich_help_panel=HOW)
]

Memory = Annotated[
    str | None,
    typer.Option(help="Rows beyond it are gone through in blocks: 2GB. Half of it all.", rich_help_panel=RUN),
]
Coding = Annotated[
    str,
    typer.Option(help="Of rows in blocks: exact; sketch, a pass less; another's FILE.stats.", rich_help_panel=RUN),
]
Seed = Annotated[int | None, typer.Option(help="Makes what is random repeatable.", rich_help_panel=RUN)]
Jobs = Annotated[int, typer.Option(help="Threads or processes; -1 for all processors.", rich_help_panel=RUN)]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress bar, no remarks.", rich_help_panel=RUN)]
Debug = Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.", rich_help_panel=RUN)]
