"""Tables from a Selection made by hand."""

from __future__ import annotations

import re

import pytest
from rich.cells import cell_len

from entropick.cli import show
from entropick.cli.group import one_line
from entropick.methods import REGISTRY
from entropick.selection import Selection, Step

NAMES = (
    "mean concave points",
    "worst perimeter",
    "a very long name of a column that nobody typed by hand",
    "日本語の列",
)


def selection(names=NAMES, **fields):
    steps = tuple(
        Step(
            rank=i + 1,
            name=name,
            members=(i,),
            score=0.5 / (i + 1),
            relevance=0.4,
            redundancy=(0.1,) * i,
            complementarity=(0.2,) * i,
            runner_up=names[(i + 1) % len(names)],
            runner_up_score=0.3 / (i + 1),
            p_value=fields.get("p_value"),
        )
        for i, name in enumerate(names)
    )
    return Selection("jmi", steps, names, n_samples=569, notes=("one column is constant: x",))


def lines(room, monkeypatch, **fields):
    monkeypatch.setenv("COLUMNS", str(room))
    return show.rendered(*show.selection_table(selection(**fields), room)).splitlines()


@pytest.mark.parametrize("room", [200, 120, 100, 80, 60, 50, 40])
@pytest.mark.parametrize("p_value", [None, 0.01])
def test_a_step_is_a_line_that_fits(room, p_value, monkeypatch):
    shown = lines(room, monkeypatch, p_value=p_value)
    assert all(cell_len(line) <= room for line in shown)
    assert [line.split()[0] for line in shown[1:5]] == ["1", "2", "3", "4"]
    assert "0.5000" in shown[1]


def test_everything_is_shown_where_there_is_room(monkeypatch):
    head, first, second, *_ = lines(200, monkeypatch)
    assert head.split() == [
        "rank", "feature", "score", "alone", "shared", "within", "classes", "runner-up", "margin",
    ]  # fmt: skip
    assert "mean concave points" in first
    assert second.split()[3:7] == ["0.2500", "0.4000", "0.1000", "0.2000"]


def test_eighty_columns_keep_every_number(monkeypatch):
    head, *rest = lines(80, monkeypatch)
    assert head.split() == ["#", "feature", "score", "alone", "shared", "within", "runner-up", "margin"]
    assert "mean concave points" in rest[0]
    assert "…" in rest[2]
    assert "alone: own information" in " ".join(rest)


def test_columns_without_a_value_are_left_out(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    bare = Selection("pearson", (Step(1, "a", (0,), 0.5),), ("a", "b"), units="")
    text = show.rendered(*show.selection_table(bare, 80))
    assert text.splitlines()[0].split() == ["rank", "feature", "score"]
    assert show.summary(bare) == "pearson chose 1 of 2 features from 0 rows"


def test_summary():
    assert show.summary(selection()) == "jmi chose 4 of 4 features from 569 rows, scores in nats"


@pytest.mark.parametrize("room", range(3, 22))
def test_shortened_fits_and_keeps_both_ends(room):
    for name in NAMES:
        short = show.shortened(name, room)
        assert cell_len(short) <= room
        assert short == name or "…" in short
    if room >= 5:
        assert re.fullmatch("m.*…(.*s)?", show.shortened(NAMES[0] + "s" * 30, room))


def test_names_are_text_and_not_markup(monkeypatch):
    names = ("[red]x[/red]", ":smile:", "a\nb", "\x1b[31mz")
    monkeypatch.setenv("COLUMNS", "200")
    text = show.rendered(*show.selection_table(selection(names), 200))
    assert "[red]x[/red]" in text
    assert ":smile:" in text
    assert "a b" in text
    assert "\x1b" not in text
    assert len(text.splitlines()) == 5


def test_one_line():
    assert one_line(" a\r\n\tb ") == "a b"
    assert "\x1b" not in one_line("\x1b[2J")


@pytest.mark.parametrize("room", [80, 120, 10_000])
def test_every_method_is_listed(room, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(room))
    shown = show.rendered(show.methods_table(list(REGISTRY.values()), room)).splitlines()
    assert all(cell_len(line) <= room for line in shown)
    assert [line.split()[0] for line in shown[1:] if not line.startswith(" ")] == list(REGISTRY)
    assert ("Battiti 1994" in "\n".join(shown)) == (room >= 100)


def test_a_p_value_below_what_floats_hold_is_not_nothing():
    step = Step(rank=1, name="a", members=(0,), score=1.0, p_value=0.0)
    assert show._cells(step)["p_value"] == "<1e-300"
    assert show._cells(Step(rank=1, name="a", members=(0,), score=1.0, p_value=0.012))["p_value"] == "0.01"
