"""Cells are computed once and kept, what lacks data is skipped and said, pages show ours beside the paper's."""

from __future__ import annotations

import json
import math

import pytest

from reproduction.cells import Cell, Cells
from reproduction.data import MissingDataSet
from reproduction.page import as_markdown, as_text, distance, grid, mode
from reproduction.paper_table import Figure, Means, PaperTable, averaged, make

HOSTILE = "<b>&|\"'"


def _cells(quick):
    return [{"data": name, "k": k} for name in ("a", HOSTILE) for k in ((1,) if quick else (1, 2))]


def _compute(settings, means):
    if settings["data"] == means.data_dir:
        raise MissingDataSet(f"{settings['data']}: not here")
    return {"value": 10.0 * settings["k"] + len(settings["data"])}


def _figures(found):
    return [Figure({"data": s["data"], "k": s["k"]}, n["value"], 11.0 if s["k"] == 1 else math.nan) for s, n in found]


def table(**changes):
    return PaperTable("tiny", "A table", "A paper", _cells, _compute, _figures, **{"across": "k", **changes})


@pytest.fixture
def counted(tmp_path):
    """A table whose cells are counted as they are computed, and a folder to keep them in."""
    calls = []

    def compute(settings, means):
        calls.append(settings)
        return _compute(settings, means)

    return PaperTable("tiny", "A table", "A paper", _cells, compute, _figures), calls, Cells(tmp_path / "cells")


def test_kept_cells_are_not_computed_again(counted):
    made, calls, cells = counted
    quick = make(made, quick=True, cells=cells)
    assert (quick.wanted, quick.finished, len(calls)) == (2, 2, 2)
    full = make(made, cells=cells)
    assert (full.wanted, full.finished, len(calls)) == (4, 4, 4)  # two of the four were kept
    assert make(made, cells=cells).frame().equals(full.frame())
    assert len(calls) == 4
    make(made, fresh=True, cells=cells)
    assert len(calls) == 8


def test_an_interrupt_leaves_what_was_finished(counted):
    made, calls, cells = counted

    def stopped(settings, means):
        if len(calls) == 2:
            raise KeyboardInterrupt
        return made.compute(settings, means)

    with pytest.raises(KeyboardInterrupt):
        make(PaperTable("tiny", "A table", "A paper", _cells, stopped, _figures), cells=cells)
    assert make(made, only_kept=True, cells=cells).finished == 2
    make(made, cells=cells)
    assert len(calls) == 4


def test_only_kept_computes_nothing(counted):
    made, calls, cells = counted
    result = make(made, only_kept=True, cells=cells)
    assert (result.finished, result.figures, calls) == (0, (), [])
    assert result.skipped == (f"no cell is kept of a, {HOSTILE}",)


def test_cells_depend_on_settings_and_protocol(tmp_path):
    cells = Cells(tmp_path)
    cells.put("t", 1, {"a": 1, "b": "é"}, Cell({"x": 0.1}, 2.0, "0"))
    assert cells.get("t", 1, {"b": "é", "a": 1}) == Cell({"x": 0.1}, 2.0, "0")
    assert cells.get("t", 2, {"a": 1, "b": "é"}) is None
    assert cells.get("t", 1, {"a": 2, "b": "é"}) is None
    assert cells.get("u", 1, {"a": 1, "b": "é"}) is None


@pytest.mark.parametrize("content", ["", "{", "[]", '{"numbers": 1}', "null"])
def test_a_spoilt_cell_is_computed_again(tmp_path, content):
    cells = Cells(tmp_path)
    path = cells.path("t", 1, {})
    path.parent.mkdir()
    path.write_text(content)
    assert cells.get("t", 1, {}) is None


def test_a_cell_appears_whole_or_not_at_all(tmp_path):
    cells = Cells(tmp_path)
    cells.put("t", 1, {}, Cell({"x": 1}, 0.0, "0"))
    with pytest.raises(TypeError):
        cells.put("t", 1, {}, Cell({"x": object()}, 0.0, "0"))
    assert cells.get("t", 1, {}) == Cell({"x": 1}, 0.0, "0")
    assert [path.suffix for path in (tmp_path / "t").iterdir()] == [".json"]


def test_missing_data_are_skipped_and_said(tmp_path):
    result = make(table(), cells=Cells(tmp_path), means=Means(data_dir="a"))
    assert result.skipped == ("a: not here",)
    assert (result.finished, result.wanted) == (2, 4)
    assert {f.labels["data"] for f in result.figures} == {HOSTILE}
    assert mode(result) == "full, 2 of 4 cells"
    assert "Skipped: a: not here." in as_text(result)


def test_processes_give_the_same(tmp_path):
    one = make(table(), cells=Cells(tmp_path / "1"), means=Means(n_jobs=1))
    two = make(table(alone=False), cells=Cells(tmp_path / "2"), means=Means(n_jobs=2))
    assert one.figures == two.figures


def test_grid_and_distance(tmp_path):
    result = make(table(), cells=Cells(tmp_path))
    laid = grid(result)
    assert (laid.labels, laid.columns) == (("data",), ("1", "2"))
    assert [[f.ours for f in figures] for _, figures in laid.rows] == [[11.0, 21.0], [17.0, 27.0]]
    # printed: 11 for k = 1, so off by 0 and 6
    assert distance(result).startswith("2 figures beside the paper's: median difference 3.00, largest 6.00")


def test_markdown_keeps_its_columns(tmp_path):
    lines = as_markdown([make(table(), cells=Cells(tmp_path))]).splitlines()
    rows = [line for line in lines if line.startswith("| ")]
    assert "| <b>&\\|\"' | 17.00 / 11.00 | 27.00 |" in rows


def test_frame_drops_what_is_empty(tmp_path):
    frame = make(table(), cells=Cells(tmp_path)).frame()
    assert list(frame.columns) == ["data", "k", "ours", "paper", "difference"]
    assert frame["difference"].tolist()[::2] == [0.0, 6.0]
    assert json.loads(frame.to_json(orient="records"))[1]["paper"] is None


def test_averaged_leaves_out_what_is_none():
    found = [({"m": "x", "t": t}, {"f": f}) for t, f in enumerate([1.0, None, 3.0])] + [
        ({"m": "y", "t": 0}, {"f": 5.0})
    ]
    means = averaged(found, ["m"], "f")
    assert means["x",] == (2.0, 1.0)
    assert means["y",][0] == 5.0
    assert math.isnan(means["y",][1])
