"""The page as a file: whole, self-contained, and deaf to what the data say."""

from __future__ import annotations

import json
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser

import pytest

import entropick as ep
from comparisons import comparison, selection
from entropick.report import page, summarised, write_report
from entropick.report.page import packed

HOSTILE = (
    "<script>alert(1)</script>",
    "</script><script>alert(2)</script>",
    '"><img src=x onerror=alert(3)>',
    "{{script}}{{data}}",
    "<!--",
    "\u202ereversed",
)


class Tags(HTMLParser):
    """Every element with its attributes, and the text inside each kind."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.elements, self.text, self._open = [], {}, []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        if tag != "meta":
            self._open.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        assert self._open.pop()[0] == tag

    def handle_data(self, data):
        tag, attributes = self._open[-1] if self._open else ("", {})
        key = attributes.get("id", tag)
        self.text[key] = self.text.get(key, "") + data


@pytest.mark.parametrize("made", [comparison, selection])
def test_names_cannot_add_an_element(made):
    harmless, hostile = (Tags(page(summarised(made(names)))) for names in (("a", "b", "c", "d", "e", "f"), HOSTILE))
    assert [tag for tag, _ in harmless.elements] == [tag for tag, _ in hostile.elements]


def test_names_arrive_as_they_are():
    names = (*HOSTILE, "\ud83d half a pair", "שלום", "\x00\x1b[31m", " ")
    text = page(summarised(selection(names, k=10)))
    assert text.encode("utf-8")
    data = json.loads(Tags(text).text["data"])
    assert tuple(row["name"] for row in data["path"]["rows"]) == names


def test_nothing_is_fetched():
    tags = Tags(page(summarised(comparison())))
    for tag, attributes in tags.elements:
        assert tag not in ("link", "img", "iframe", "object", "embed", "base", "form")
        assert not set(attributes) & {"src", "srcset", "data", "action"}
        assert attributes.get("href", "#").startswith("#")
        assert not any(name.startswith("on") for name in attributes)
    assert "url(" not in tags.text["style"]
    assert "@import" not in tags.text["style"]


def test_policy_allows_only_the_template_script_and_style():
    text = page(summarised(comparison()))
    tags = Tags(text)
    policy = next(a["content"] for _, a in tags.elements if a.get("http-equiv") == "Content-Security-Policy")
    assert policy.startswith("default-src 'none';")
    for element in ("script", "style"):
        inside = text.split(f"<{element}>")[1].split(f"</{element}>")[0]
        assert f"{element}-src 'sha256-{b64encode(sha256(inside.encode()).digest()).decode()}'" in policy


def test_the_answer_is_there_without_a_script():
    told = Tags(page(summarised(comparison())))
    assert told.text["h1"] == "At least 2 features, chosen by jmi."
    assert "age and height" in told.text["p"]


def test_size():
    """Far below five megabytes, also with 5 000 features."""
    names = tuple(f"feature number {i}" for i in range(5000))
    assert len(page(summarised(comparison(names)))) < 2_000_000
    assert len(page(summarised(comparison()))) < 140_000


def test_report_of_a_selection_with_its_rows(tmp_path):
    X, y = ep.datasets.load_demo()
    chosen = ep.select(X, y, method="jmi", k=3)
    assert chosen.report(tmp_path / "one.html", X, y) == tmp_path / "one.html"
    data = json.loads(Tags((tmp_path / "one.html").read_text("utf-8")).text["data"])
    assert len(data["health"]["columns"]) == 30
    assert data["path"]["rows"][0]["information"] == pytest.approx(chosen.scores[0])


def test_report_of_a_comparison(tmp_path):
    path = comparison().report(str(tmp_path / "all.html"))
    assert path.read_text("utf-8") == page(summarised(comparison()))


def test_an_error_leaves_what_was_there(tmp_path, monkeypatch):
    path = tmp_path / "report.html"
    path.write_text("before")
    monkeypatch.setattr("os.replace", lambda *_: (_ for _ in ()).throw(OSError("disk full")))
    with pytest.raises(OSError, match="disk full"):
        write_report(selection(), path)
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


def test_long_lists_are_packed_by_column():
    records = [{"name": f"c{i}", "kind": "numeric", "n": i} for i in range(100)]
    assert packed({"short": records[:3], "long": records}) == {
        "short": records[:3],
        "long": {"$rows": 100, "name": [f"c{i}" for i in range(100)], "kind": "numeric", "n": list(range(100))},
    }
