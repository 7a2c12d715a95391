"""Opening a database is not running what is written in it."""

from __future__ import annotations

import os
import sqlite3

import pytest

pytest.importorskip("pyarrow", reason="files need pyarrow")

from entropick.errors import InvalidInput, InvalidParameter
from entropick.sources import open_source

ENDLESS = "WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r) SELECT i AS a, i % 2 AS y FROM r"


def make(path, *statements):
    if path.suffix == ".duckdb":
        duckdb = pytest.importorskip("duckdb")
        with duckdb.connect(str(path)) as connection:
            for statement in statements:
                connection.execute(statement)
    else:
        connection = sqlite3.connect(path)
        for statement in statements:
            connection.execute(statement)
        connection.commit()
        connection.close()


@pytest.mark.parametrize("ending", [".duckdb", ".sqlite"])
def test_a_view_is_not_run(tmp_path, ending):
    path = tmp_path / f"a{ending}"
    make(path, f"CREATE VIEW v AS {ENDLESS}")
    with pytest.raises(InvalidParameter, match="has only the views 'v', which are only run when named"):
        open_source(path)


@pytest.mark.parametrize("ending", [".duckdb", ".sqlite"])
def test_a_table_beside_a_view(tmp_path, ending):
    path = tmp_path / f"a{ending}"
    make(
        path,
        "CREATE TABLE t (a INTEGER, y INTEGER)",
        "INSERT INTO t VALUES (1, 0), (2, 1)",
        f"CREATE VIEW v AS {ENDLESS}",
    )
    assert open_source(path).n_rows == 2
    assert open_source(path, sql="SELECT * FROM v LIMIT 5").n_rows == 5  # the user's own right


def test_a_view_of_another_file(tmp_path):
    secret = tmp_path / "secret.csv"
    secret.write_text("a,y\n1,0\n2,1\n")
    path = tmp_path / "a.duckdb"
    make(path, f"CREATE VIEW v AS SELECT * FROM read_csv('{secret}')")
    with pytest.raises(InvalidParameter, match="only the views"):
        open_source(path)
    assert open_source(path, sql="SELECT * FROM v").n_rows == 2


def test_a_cell_that_is_made_while_it_is_read(tmp_path):
    path = tmp_path / "a.sqlite"
    make(path, "CREATE TABLE t (y INTEGER, a AS (zeroblob(900000000)))", "INSERT INTO t (y) VALUES (0), (1)")
    with pytest.raises(InvalidInput, match="longer than 64 MB"):
        open_source(path)


def test_a_write_ahead_log_in_a_folder_that_cannot_be_written_to(tmp_path, monkeypatch):
    path = tmp_path / "a.sqlite"
    make(
        path,
        "PRAGMA journal_mode = WAL",
        "CREATE TABLE t (a INTEGER, y INTEGER)",
        "INSERT INTO t VALUES (1, 0), (2, 1)",
    )
    monkeypatch.setattr(os, "access", lambda path, how: how != os.W_OK)  # root may write anywhere
    assert open_source(path).n_rows == 2
    assert sorted(os.listdir(tmp_path)) == ["a.sqlite"]
