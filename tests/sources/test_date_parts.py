"""Dates as elapsed time, year, month and weekday: one group."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import entropick as ep
from entropick.cli.app import app
from entropick.errors import InvalidParameter
from entropick.sources import open_source
from entropick.sources.date_parts import date_part


def test_parts_are_those_of_pandas():
    days = pd.date_range("1899-12-28", "2035-01-01", freq="7h")
    seconds = days.to_numpy().astype("M8[s]").astype(np.int64).astype(float)
    assert (date_part(seconds, "year") == days.year).all()
    assert (date_part(seconds, "month") == days.month).all()
    assert (date_part(seconds, "weekday") == days.day_of_week + 1).all()


@pytest.fixture(scope="module")
def frame():
    """Sales are high at weekends: nothing that the elapsed time tells."""
    random = np.random.default_rng(0)
    day = pd.Timestamp("2020-01-01") + pd.to_timedelta(random.integers(0, 1400, 500), unit="D")
    high = (day.day_of_week >= 5) ^ (random.random(500) < 0.1)
    noise = {f"n{j}": random.normal(size=500) for j in range(4)}
    frame = pd.DataFrame({"row": np.arange(500), "day": day, **noise, "sales": np.where(high, "high", "low")})
    frame.loc[3, "day"] = pd.NaT
    return frame


@pytest.mark.parametrize("method", ["joint", "jmi"])
def test_a_date_is_chosen_for_its_weekday(tmp_path, frame, method):
    frame.to_csv(tmp_path / "a.csv", index=False)
    with open_source(tmp_path / "a.csv", dates="parts") as source:
        assert source.groups == {"day": ["day", "day (year)", "day (month)", "day (weekday)"]}
        found = ep.select(source, "sales", method=method, k=1)
    assert found.steps[0].name == "day"
    assert len(found.steps[0].members) == 4
    assert any("'row'" in note for note in found.notes)  # still no candidate
    elapsed = ep.select(tmp_path / "a.csv", "sales", method=method, k=1)
    assert elapsed.scores[0] < found.scores[0] / 3


def test_every_source(tmp_path, frame):
    frame.to_parquet(tmp_path / "a.parquet")
    frame.to_csv(tmp_path / "a.csv", index=False)
    tables = [open_source(X, dates="parts").table() for X in (tmp_path / "a.parquet", tmp_path / "a.csv", frame)]
    for table in tables[1:]:
        assert table.names == tables[0].names
        for j in range(2, 7):
            np.testing.assert_array_equal(table.column(j), tables[0].column(j))
    blocks = list(open_source(tmp_path / "a.csv", dates="parts").blocks(100, [8, 1]))
    assert [block.names for block in blocks] == [("day (month)", "day")] * 5


def test_the_command_offers_parts_where_there_are_dates(tmp_path, frame):
    frame.to_csv(tmp_path / "a.csv", index=False)
    words = ["select", str(tmp_path / "a.csv"), "-t", "sales", "-k", "1"]
    told = [CliRunner().invoke(app, [*words, *more]).stderr.splitlines()[3] for more in ([], ["--dates", "parts"])]
    assert told == ["dates: day (as elapsed time; --dates parts adds year, month and weekday)", "dates: day"]


def test_another_word(frame):
    with pytest.raises(InvalidParameter, match="dates: must be 'elapsed' or 'parts'"):
        open_source(frame, dates="months")
