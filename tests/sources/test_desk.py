"""The files of a desk: workbooks, statistics packages, databases by address, two files, genes in rows."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from typer.testing import CliRunner

import entropick as ep
from entropick.cli.app import app
from entropick.errors import InvalidInput, InvalidParameter
from entropick.sources import open_source


@pytest.fixture(scope="module")
def frame():
    random = np.random.default_rng(0)
    y = random.integers(0, 2, 90)
    frame = pd.DataFrame(
        {
            "a": (y + random.normal(size=90)).round(3),
            "b": random.normal(size=90).round(3),
            "town": np.array(["Ulm", "Bonn", "Kiel"])[(y + random.integers(0, 2, 90)) % 3],
            "count": random.integers(0, 4, 90),
            "fee": [f"${value:,.2f}" for value in np.exp(6 + y + random.normal(size=90))],
            "since": [f"{day:02d}.03.2020" for day in 1 + 10 * y + random.integers(0, 18, 90)],
            "y": np.array(["no", "sure"])[y],
        }
    )
    frame.loc[5, "a"] = np.nan
    return frame


@pytest.fixture(scope="module")
def expected(frame):
    return ep.select(frame, "y", method="jmi", k=5)


def same(found, expected):
    assert found.names == expected.names
    assert found.scores.tolist() == expected.scores.tolist()


def in_duckdb(frame, path):
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE rows AS SELECT * FROM frame")


def in_sqlite(frame, path):
    import sqlite3

    connection = sqlite3.connect(path)
    frame.to_sql("rows", connection, index=False)
    connection.close()


WRITERS = {
    "a.csv": lambda frame, path: frame.to_csv(path, index=False),
    "a.xlsx": lambda frame, path: frame.to_excel(path, index=False),
    "a.ods": lambda frame, path: frame.to_excel(path, index=False, engine="odf"),
    "a.parquet": lambda frame, path: frame.to_parquet(path),
    "a.dta": lambda frame, path: frame.to_stata(path, write_index=False),
    "a.duckdb": in_duckdb,
    "a.sqlite": in_sqlite,
}


@pytest.mark.parametrize("name", WRITERS)
def test_the_same_table_gives_the_same_answer(tmp_path, frame, expected, name):
    WRITERS[name](frame, tmp_path / name)
    same(ep.select(tmp_path / name, "y", method="jmi", k=5), expected)


def test_frames_of_other_libraries(frame, expected):
    same(ep.select(pl.from_pandas(frame), "y", method="jmi", k=5), expected)
    same(ep.select(pa.Table.from_pandas(frame), "y", method="jmi", k=5), expected)


def test_spss(tmp_path, frame, expected):
    pyreadstat = pytest.importorskip("pyreadstat")
    pyreadstat.write_sav(frame, str(tmp_path / "a.sav"))
    found = ep.select(tmp_path / "a.sav", "y", method="jmi", k=5)
    assert found.names == expected.names  # SPSS has no whole numbers: `count` comes back as fractions


def test_a_database_by_its_address(tmp_path, frame, expected):
    pytest.importorskip("sqlalchemy")
    in_sqlite(frame, tmp_path / "a.sqlite")
    address = f"sqlite:///{tmp_path / 'a.sqlite'}"
    with open_source(address) as source:
        same(ep.select(source, "y", method="jmi", k=5), expected)
    with open_source(address, sql="SELECT * FROM rows WHERE town = 'Ulm'") as source:
        assert source.n_rows == (frame["town"] == "Ulm").sum()
    with pytest.raises(InvalidInput, match="sql: sqlite database"):
        open_source(address, sql="SELECT * FROM nowhere")
    with pytest.raises(InvalidParameter, match="unknown kind of database 'nosuchdb'"):
        open_source("nosuchdb://ann:hidden@host/x")


def test_credentials_are_not_shown():
    pytest.importorskip("psycopg")
    with pytest.raises(InvalidInput) as caught:
        open_source("postgresql://ann:hidden@127.0.0.1:1/rows?sslpassword=other", sql="SELECT 1")
    assert "hidden" not in str(caught.value)
    assert "other" not in str(caught.value)


@pytest.mark.parametrize("address", ["https://ann:hidden@host/a.csv", "s3://ann:hidden@host/a.csv"])
def test_a_file_elsewhere(address):
    with pytest.raises(InvalidInput, match="is a remote address; download the file") as caught:
        open_source(address)
    assert "hidden" not in str(caught.value)


@pytest.fixture(scope="module")
def postgres():
    """The address of a server of our own. It refuses to run as root: then it is somebody else's."""
    pytest.importorskip("psycopg")
    if shutil.which("initdb") is None:
        pytest.skip("needs PostgreSQL's initdb")
    as_other = {} if os.geteuid() else {"user": "nobody", "group": "nogroup", "extra_groups": []}
    with tempfile.TemporaryDirectory() as folder:
        if as_other:
            shutil.chown(folder, "nobody")
        data = f"{folder}/data"

        def run(*words):
            subprocess.run(words, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, cwd=folder, **as_other)

        run("initdb", "-D", data, "-U", "ann", "-A", "trust", "--no-sync")
        run(
            "pg_ctl",
            "-D",
            data,
            "-w",
            "-l",
            f"{folder}/log",
            "-o",
            f"-k {folder} -c listen_addresses= -c fsync=off",
            "start",
        )
        yield f"postgresql://ann:hidden@/postgres?host={folder}"
        run("pg_ctl", "-D", data, "-m", "immediate", "stop")


def test_postgres(postgres, frame, expected):
    import sqlalchemy as sa

    engine = sa.create_engine(postgres.replace("postgresql://", "postgresql+psycopg://"))
    frame.to_sql("rows", engine, index=False)
    engine.dispose()
    with open_source(postgres) as source:
        same(ep.select(source, "y", method="jmi", k=5), expected)


def test_sheets(tmp_path, frame):
    path = tmp_path / "a.xlsx"
    with pd.ExcelWriter(path) as book:
        frame.to_excel(book, sheet_name="rows", index=False)
        frame.head(3).to_excel(book, sheet_name="few", index=False)
    assert open_source(path, sheet="few").n_rows == 3
    with pytest.raises(InvalidParameter, match=r"has 2 \('rows', 'few'\); choose one with --sheet"):
        open_source(path)
    with pytest.raises(InvalidParameter, match=r"no sheet 'row'\. Did you mean 'rows'"):
        open_source(path, sheet="row")


def test_labels_in_another_order_are_paired_by_label(frame):
    X = frame[["a", "b"]].set_axis([f"s{i}" for i in range(90)])
    y = frame["y"].set_axis(X.index)
    found = ep.select(X, y.sample(frac=1, random_state=1), method="jmi", k=1)
    same(found, ep.select(X, y, method="jmi", k=1))
    assert "matched by label" in found.notes[0]
    with pytest.raises(InvalidInput, match="no row 's0', which X has"):
        ep.select(X, y.set_axis([f"t{i}" for i in range(90)]), method="jmi", k=1)


@pytest.fixture
def laboratory(tmp_path):
    """Genes in rows, samples in columns, one name twice; phenotypes in another file, in another order."""
    random = np.random.default_rng(0)
    samples = [f"s{i}" for i in range(40)]
    ill = np.arange(40) % 2
    genes = pd.DataFrame(
        random.normal(size=(6, 40)).round(3), columns=samples, index=["g1", "g2", "g3", "g3", "g4", "g5"]
    )
    genes.iloc[2] += 3 * ill
    genes.to_csv(tmp_path / "genes.csv")
    phenotype = pd.DataFrame({"sample": samples, "state": np.where(ill, "ill", "well")})
    pd.concat([phenotype.iloc[::-1], pd.DataFrame({"sample": ["s99"], "state": ["ill"]})]).to_csv(
        tmp_path / "phenotype.csv", index=False
    )
    return tmp_path / "genes.csv", tmp_path / "phenotype.csv", genes, ill


def test_genes_in_rows_and_phenotypes_in_another_file(laboratory):
    path, phenotype, genes, ill = laboratory
    with open_source(path, transpose=True, join=phenotype, on="sample") as source:
        assert source.names == ("g1", "g2", "g3", "g3_2", "g4", "g5", "state")
        found = ep.select(source, "state", method="jmi", k=2)
    X = genes.T.set_axis(source.names[:-1], axis=1)
    same(found, ep.select(X, np.where(ill, "ill", "well"), method="jmi", k=2))
    assert found.names[0] == "g3"
    assert any("1 row left out, as 'sample' has no match in the table: 's99'" in note for note in found.notes)
    path.write_text("gene" + path.read_text())  # the corner says what the rows are
    with open_source(path, transpose=True, join=phenotype, on="sample") as source:
        same(ep.select(source, "state", method="jmi", k=2), found)
    with pytest.raises(InvalidParameter, match="--transpose"):
        open_source(path, join=phenotype, on="sample")
    with pytest.raises(InvalidParameter, match="join: needs on"):
        open_source(path, join=phenotype)


def test_a_table_whose_rows_are_features_is_told(tmp_path):
    genes = pd.DataFrame({"gene": [f"g{j}" for j in range(60)], "s1": np.arange(60.0), "s2": np.arange(60.0) ** 2})
    genes.to_csv(tmp_path / "genes.csv", index=False)
    for words in ([], ["--target", "state"]):
        done = CliRunner().invoke(app, ["select", str(tmp_path / "genes.csv"), *words])
        assert done.exit_code == 1
        assert "swap them with --transpose" in done.stderr
        assert "--join FILE --on COLUMN" in done.stderr
