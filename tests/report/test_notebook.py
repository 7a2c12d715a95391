"""What a notebook shows of an answer: verdict, curve, features; no script, no name that becomes markup."""

from __future__ import annotations

from html.parser import HTMLParser

import numpy as np

import entropick as ep
from comparisons import comparison, selection
from entropick.report.notebook import fragment

HOSTILE = ("<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "a" * 300, "\u202eb", "</div>", "c")


class Tags(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.tags, self.open = [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.open.append(tag)
        assert not any(name.startswith("on") for name, _ in attributes)

    def handle_startendtag(self, tag, attributes):
        self.tags.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_a_comparison_shows_verdict_cautions_curve_and_features():
    shown = comparison()._repr_html_()
    assert "Predicting <b>sick</b> from 6 columns and 120 rows" in shown
    assert "At least 2 features, chosen by jmi." in shown
    assert 'class="ep-warn"' in shown
    tags = Tags(shown)
    assert tags.open == []
    assert tags.tags.count("polyline") == 3
    assert tags.tags.count("li") == 2
    assert len(shown.encode()) < 20_000


def test_a_selection_shows_its_steps():
    shown = selection()._repr_html_()
    assert "Four features, chosen by jmi." in shown
    assert shown.count("<tr>") == 5


def test_hostile_names_stay_text():
    for made in (comparison(HOSTILE, {"<i>x</i>": 0, "jmi": 0}), selection(HOSTILE)):
        tags = Tags(fragment(made))
        assert tags.open == []
        assert not {"script", "img", "i"} & set(tags.tags)


def test_interactions_show_their_network():
    X = np.random.default_rng(0).integers(0, 3, (400, 6))
    names = ["<b>x</b>", "a", "b", "c", "d", "e"]
    found = ep.interactions(dict(zip(names, X.T, strict=True)), (X[:, 0] > 0) ^ (X[:, 3] > 0))
    shown = found._repr_html_()
    tags = Tags(shown)
    assert tags.open == []
    assert "1 of 15 pairs interacts." in shown
    assert "&lt;b&gt;x&lt;/b&gt; &#215; c" in shown
    assert tags.tags.count("line") == 1
    assert tags.tags.count("circle") == 2
    nothing = ep.interactions(X, np.random.default_rng(1).integers(0, 2, 400))._repr_html_()
    assert "No pair interacts." in nothing
    assert "<svg" not in nothing


def test_a_fitted_selector_shows_its_selection():
    X = np.random.default_rng(0).integers(0, 3, (60, 4))
    selector = ep.Selector("jmi", k=2)
    assert "ep-answer" not in selector._repr_mimebundle_()["text/html"]
    shown = selector.fit(X, X[:, 1])._repr_mimebundle_()["text/html"]
    assert "Two features, chosen by jmi." in shown
