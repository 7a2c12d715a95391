"""Progress: silent unless asked, lines only where a bar cannot be shown, gone when the loop is left."""

from __future__ import annotations

import io
import sys
from collections import deque

import pytest

from entropick import progress
from entropick.progress import track


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_silent_by_default(capsys):
    assert list(track(3, "counting")) == [0, 1, 2]
    assert list(track(iter("ab"), "letters")) == ["a", "b"]
    assert list(track([], "nothing", verbose=3)) == []
    assert capsys.readouterr() == ("", "")


def test_verbose_one_without_a_terminal_is_silent(capsys):
    assert list(track(3, "counting", verbose=1)) == [0, 1, 2]
    assert capsys.readouterr() == ("", "")


def test_plain_lines(capsys):
    assert list(track(100, "choosing", verbose=2)) == list(range(100))
    out, err = capsys.readouterr()
    assert out == ""
    lines = err.splitlines()
    assert len(lines) == 20
    assert lines[0] == "choosing: 5/100"
    assert lines[-1] == "choosing: 100/100"


def test_plain_lines_without_a_length(capsys):
    assert sum(1 for _ in track(iter(range(250)), "reading", verbose=2)) == 250
    assert capsys.readouterr().err.splitlines() == ["reading: 100", "reading: 200"]


def test_bar_on_a_terminal_and_none_inside_it(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    inner = []
    for _ in track(3, "choosing [x]", verbose=1):
        inner += track(2, "inner loop", verbose=1)
    assert inner == [0, 1] * 3
    assert "choosing [x]" in terminal.getvalue()
    assert "inner loop" not in terminal.getvalue()
    assert terminal.getvalue().endswith("\x1b[2K")  # erased


def test_short_loop_shows_no_bar(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    assert list(track(3, "choosing", verbose=1)) == [0, 1, 2]
    assert terminal.getvalue() == ""


def test_leaving_early_takes_the_bar_away(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    for i in track(100, "first", verbose=1):
        if i == 2:
            break
    with pytest.raises(ZeroDivisionError):
        deque((1 / i for i in track(100, "second", verbose=1)), maxlen=0)
    assert not progress._shown
    assert "second" in terminal.getvalue()
    assert "\x1b[?25h" in terminal.getvalue().rpartition("second")[2]  # the cursor is back


def test_without_rich(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setattr(progress.importlib.util, "find_spec", lambda name: None)
    assert list(track(2, "counting", verbose=1)) == [0, 1]
    assert sys.stderr.getvalue() == ""
