"""Words that neither leak nor lie: passwords, hidden characters, formulas, numbers of five thousand digits."""

from __future__ import annotations

import re

import pandas as pd
import pytest

import entropick as ep
from entropick.errors import InvalidInput, InvalidParameter
from entropick.plain import one_line, printable

HIDDEN = (
    "\x1b[31m",
    "\u202eabc",
    "\u2066a",
    "\u200b",
    "\u200d",
    "\ufeff",
    "\u061c",
    "\x9b",
    "\x00",
    "\U000e0041",
    "\u2028",
)


@pytest.mark.parametrize("text", HIDDEN, ids=ascii)
def test_hidden_characters_are_dots(text):
    frame = pd.DataFrame({f"a{text}": [0, 1] * 10, "b": [0, 0, 1, 1] * 5})
    found = ep.select(frame, [0, 1] * 10, method="mim", k=1)
    bad = next(character for character in text if not character.isprintable() or character in "\u200b\u200d")
    for shown in (found.explain(), repr(found), printable(text), one_line(text)):
        assert bad not in shown
    assert "·" in found.explain() or text == "\u2028"  # which is a line break
    assert found.names == [f"a{text}"]  # the name itself is what it was


def test_a_name_of_nothing_visible_is_seen():
    assert one_line("\u200b\u200b") == "··"


def test_a_password_in_an_address():
    with pytest.raises(InvalidInput, match=re.escape("ann:…@host/a.csv")) as told:
        ep.select("https://ann:se:cret@host/a.csv", "y")
    assert "cret" not in str(told.value)


typer = pytest.importorskip("typer", reason="the command line is not installed")


def test_files_for_spreadsheets_hold_no_formula(tmp_path):
    from entropick.cli.write import save

    names = ["=cmd|' /C calc'!A0", "+1", "-1", "@a", "\tb", "plain"]
    frame = pd.DataFrame({name: [0, 1, 1, 0, j % 2, 1] for j, name in enumerate(names)})
    found = ep.select(frame, [0, 1, 1, 0, 0, 1], method="mim", k=None)
    save(found, tmp_path / "a.csv")
    written = pd.read_csv(tmp_path / "a.csv")
    assert sorted(written["feature"]) == sorted([*("'" + name for name in names[:5]), "plain"])
    assert (written["score"] == found.scores).all()  # numbers, negative ones too, stay numbers


@pytest.mark.parametrize("digits", [41, 5000])
def test_numbers_that_nobody_means(digits):
    from entropick.cli import parse

    for read in (parse.number_of_features, parse.discretizer):
        with pytest.raises(InvalidParameter, match=f"must be at most 40 characters long, got {digits}"):
            read("9" * digits)


def test_records_that_are_nested_too_deep():
    for kind in (ep.Selection, ep.Comparison):
        with pytest.raises(InvalidInput, match=f"not a {kind.__name__} as to_json writes it"):
            kind.from_json('{"format": ' + "[" * 200_000 + "]" * 200_000 + "}")
