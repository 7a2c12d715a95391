"""Files as desks have them, by the command as a stranger types it: the right column, or an error with the remedy."""

from __future__ import annotations

import json
import re
import sqlite3
from datetime import datetime

import duckdb
import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from entropick.cli.app import app

N = 60
Y = np.arange(N) % 2
HIGH = 100 + 10 * np.arange(N) + 1500 * Y  # tells the target by its size alone
NOISE = np.random.default_rng(0).normal(size=N).round(3)


def table(**columns):
    return pd.DataFrame({"noise": NOISE, **columns, "y": np.where(Y, "ill", "well")})


def csv(frame, **how):
    return lambda folder: frame.to_csv(folder / "a.csv", index=False, **how)


def workbook(name, **sheets):
    def write(folder):
        with pd.ExcelWriter(str(folder / name)) as book:
            for sheet, frame in sheets.items():
                frame.to_excel(book, sheet_name=sheet, index=False)

    return write


def titled(folder):
    """A workbook whose cells hold dates and an empty row between."""
    frame = table(seen=[datetime(2020, 1, 1 + day % 28, 12) for day in range(N)], good=HIGH)
    pd.concat([frame[:30], pd.DataFrame([{}]), frame[30:]]).to_excel(folder / "a.xlsx", index=False)


def sqlite(folder):
    with sqlite3.connect(folder / "a.db") as connection:
        table(good=[f"€{value:,}" for value in HIGH]).to_sql("visits", connection, index=False)


def two_tables(folder):
    frame = table(good=HIGH)  # noqa: F841  DuckDB finds it by its name
    with duckdb.connect(str(folder / "a.duckdb")) as connection:
        connection.execute("CREATE TABLE one AS SELECT * FROM frame; CREATE TABLE two AS SELECT * FROM frame")


def genes(corner="gene", key="sample", samples=range(N), more=0):
    """Genes in rows, one of them twice, with NA; phenotypes of the samples in another file, in another order."""

    def write(folder):
        values = np.vstack([NOISE, HIGH, *[NOISE[::-1]] * (1 + more)]).astype(object)
        values[0, 3] = "NA"
        names = ["noise", "good", "noise", *(f"g{j}" for j in range(more))]
        frame = pd.DataFrame(values, columns=[f"s{i}" for i in range(N)], index=names)
        frame.rename_axis(corner or None).to_csv(folder / "a.csv")
        phenotype = pd.DataFrame({key: [f"s{i}" for i in range(N)], "y": Y}).iloc[list(samples)]
        phenotype.iloc[::-1].to_csv(folder / "phenotype.csv", index=False)

    return write


def some_missing(share):
    values = HIGH.astype(float)
    values[np.random.default_rng(1).random(N) < share] = np.nan
    return values


def y_missing(frame, rows):
    frame.loc[rows, "y"] = None
    return frame


JOIN = ["--transpose", "--join", "phenotype.csv", "--on", "sample"]

# name of the case -> (what writes the file, words after it, what the notes say)
RIGHT = {
    "money": (csv(table(good=[f"${v:,.2f}" for v in HIGH])), [], "symbols and units .* 'good'"),
    "money, its sign behind, decimal commas": (
        csv(table(good=[f"{v:.2f} €".replace(".", ",") for v in HIGH]), sep=";"), [], "symbols",
    ),
    "percent": (csv(table(good=[f"{v / 100}%" for v in HIGH])), [], "symbols and units"),
    "thousands": (csv(table(good=[f"{v * 1000:,}" for v in HIGH])), [], ""),
    "kilograms": (csv(table(good=[f"{v} kg" for v in HIGH])), [], "symbols and units"),
    "losses in brackets are no numbers": (csv(table(good=np.where(Y, "(5)", "7"))), [], ""),
    "dates as they are written in an office": (
        csv(table(good=[f"{1 + i % 28:02d}.01.{2000 + 20 * Y[i]}" for i in range(N)])), [], "read as seconds: 'good'",
    ),
    "text dates in Parquet": (
        lambda folder: table(good=[f"{2000 + 20 * y}-01-{1 + i % 28:02d}" for i, y in enumerate(Y)]).to_parquet(
            folder / "a.parquet"
        ), [], "read as seconds: 'good'",
    ),
    "rows without a target": (csv(y_missing(table(good=HIGH), [1, 7])), [], "2 of 60 rows left out: no value of 'y'"),
    "two columns of one name": (
        csv(table(good=HIGH, again=NOISE).rename(columns={"again": "noise"})), [], "'noise' is repeated; renamed",
    ),
    "a row number": (csv(table(good=HIGH).rename_axis("Row_No").reset_index()), [], "'Row_No'.*ignored unless"),
    "identifiers that name the rows": (
        csv(table(customer=[f"C-{7919 * (i + 1) % 100003}" for i in range(N)], good=HIGH)), [], "'customer'.*ignored",
    ),
    "row names of R and pandas": (csv(table(good=HIGH).set_index(pd.Index(range(N), name="")).reset_index()), [],
                                  "treated as row names and ignored"),
    "60 % missing": (csv(table(good=some_missing(0.6))), [], ""),
    "a column without any value": (csv(table(empty=[None] * N, good=HIGH)), [], "'?empty'?"),
    "k above the number of columns": (csv(table(good=HIGH)), ["-k", "9"], "k = 9 is above the 2 features available"),
    "a workbook with a gap and dates": (titled, [], "read as seconds: 'seen'"),
    "a sheet among several": (workbook("a.xlsx", rows=table(good=HIGH), notes=table()), ["--sheet", "rows"], ""),
    "an OpenDocument sheet": (workbook("a.ods", rows=table(good=HIGH)), [], ""),
    "Stata": (lambda folder: table(good=HIGH).to_stata(folder / "a.dta", write_index=False), [], ""),
    "SQLite with money as text": (sqlite, [], "symbols and units"),
    "DuckDB with two tables": (two_tables, ["--sql", "SELECT * FROM two"], ""),
    "genes in rows": (genes(), JOIN, "several columns have the same name: 'noise'"),
    "genes in rows, no corner": (genes(corner=""), JOIN, ""),
    "phenotypes of some samples only": (genes(samples=range(50)), JOIN, "10 rows left out, as 'sample' has no match"),
}  # fmt: skip


# name of the case -> (what writes the file, words after it, what the error says)
REFUSED = {
    "rows without a target, not allowed": (
        csv(y_missing(table(good=HIGH), [1])), ["--missing-target", "error"], "1 row without 'y'.* --missing-target",
    ),
    "several sheets": (
        workbook("a.xlsx", rows=table(good=HIGH), notes=table()), [], r"2 \('rows', 'notes'\); choose one with --sheet",
    ),
    "no such sheet": (workbook("a.xlsx", rows=table(good=HIGH)), ["--sheet", "row"], "Did you mean 'rows'"),
    "DuckDB with two tables, none named": (two_tables, [], "'one', 'two'"),
    "genes in rows, not said": (genes(more=620), [], "rows are features .* --transpose"),
    "phenotypes joined to genes in rows, not said": (genes(), JOIN[1:], "swap them with --transpose"),
    "another key": (genes(key="id"), JOIN, "the joined table has no column 'sample'"),
    "two phenotypes of a sample": (genes(samples=[0, 0, 1]), JOIN, "must be unique in the joined table, got 's0'"),
    "no sample in both": (genes(samples=[]), JOIN, "phenotype.csv"),
    "not a workbook": (lambda folder: (folder / "a.xlsx").write_text("a,b\n1,2\n"), [], "is not a readable workbook"),
    "an address on the web": (lambda folder: None, ["https://host/a.csv"], "is a remote address; download the file"),
}  # fmt: skip


def run(folder, monkeypatch, write, words):
    monkeypatch.chdir(folder)
    write(folder)
    files = [path.name for path in folder.iterdir() if path.stem == "a"]
    return CliRunner().invoke(
        app, ["select", *files, "-t", "y", *(words if "-k" in words else [*words, "-k", "1"]), "-o", "json"]
    )


@pytest.mark.parametrize("case", RIGHT)
def test_right(tmp_path, monkeypatch, case):
    write, words, notes = RIGHT[case]
    done = run(tmp_path, monkeypatch, write, words)
    assert done.exit_code == 0, done.stderr
    answer = json.loads(done.stdout)
    assert answer["steps"][0]["name"] == "good"
    assert re.search(notes, " ".join(answer["notes"]) + done.stderr), (answer["notes"], done.stderr)


@pytest.mark.parametrize("case", REFUSED)
def test_an_error_with_the_remedy(tmp_path, monkeypatch, case):
    write, words, told = REFUSED[case]
    done = run(tmp_path, monkeypatch, write, words)
    assert (done.exit_code, done.stdout) == (1, "")
    *before, last = done.stderr.splitlines()
    assert last.startswith("error: ")
    assert "Traceback" not in before
    assert re.search(told, last), done.stderr
