"""``entropick interactions``: the same answer as in Python, in every form, and what is refused."""

from __future__ import annotations

import csv
import io
import json

import pytest

import entropick as ep
from entropick.pairs.answer import Interactions


def test_same_answer_as_in_python(invoke, table, frame):
    told = Interactions.from_json(invoke("interactions", table, "--target", "label", "-o", "json").stdout)
    here = ep.interactions(frame, "label")
    assert told.names == here.names
    assert told.names[0] == ("left", "right")
    assert [pair.statistic for pair in told] == pytest.approx([pair.statistic for pair in here])


def test_the_table_and_its_first_line(invoke, table):
    shown = invoke("interactions", table, "--target", "label").stdout
    assert shown.split()[:3] == ["feature_1", "feature_2", "synergy"]
    assert shown.splitlines()[1].split()[:2] == ["left", "right"]
    assert "10 pairs of 5 columns tested on 300 rows" in " ".join(shown.split())


def test_explain_says_what_the_pair_tells(invoke, table):
    words = invoke("interactions", table, "--target", "label", "--explain").stdout
    assert "left × right" in words
    assert "synergy" in words


def test_forms_and_files_agree(invoke, table, tmp_path):
    shown = invoke("interactions", table, "--target", "label", "-o", "csv", "--top", 3).stdout
    rows = list(csv.DictReader(io.StringIO(shown)))
    assert len(rows) == 3
    for ending in ("csv", "json", "txt"):
        path = tmp_path / f"pairs.{ending}"
        invoke("interactions", table, "--target", "label", "--top", 3, "--save", path)
        text = path.read_text(encoding="utf-8")
        assert rows[0]["feature_1"] in text
        if ending == "csv":
            assert text == shown
        if ending == "json":
            assert [pair["features"][1] for pair in json.loads(text)["pairs"]] == [row["feature_2"] for row in rows]


def test_triples_and_covariates(invoke, table):
    told = Interactions.from_json(invoke("interactions", table, "--target", "label", "--order", 3, "-o", "json").stdout)
    assert told.order == 3
    assert told.tests == 10
    given = Interactions.from_json(
        invoke("interactions", table, "--target", "label", "--given", "hint", "-o", "json").stdout
    )
    assert "hint" not in given.feature_names
    assert given.names[0] == ("left", "right")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--order", 5), "order: must be 2"),
        (("--save", "pairs.xls"), "--save: must end in"),
        (("--explain", "-o", "json"), "--explain: only works with"),
        (("--given", "nowhere"), "nowhere"),
    ],
)
def test_what_is_refused(invoke, table, words, told):
    done = invoke("interactions", table, "--target", "label", *words, code=1)
    assert told in done.output
