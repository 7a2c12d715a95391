"""Selection: frozen, readable, and the same after a trip through JSON."""

from __future__ import annotations

import dataclasses
import json
import string

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import entropick as ep
from entropick.errors import InvalidInput
from entropick.plain import printable
from entropick.selection import Selection, Step
from reference import discrete as reference

NAMES = ("age", "income <b>", "<script>alert(1)</script>", "ünï", "")


def made(names=NAMES, **fields):
    """A Selection of three steps over five features, the second a group of two."""
    steps = (
        Step(1, names[2], (2,), 0.5, relevance=0.5, runner_up=names[0], runner_up_score=0.25, p_value=1e-9),
        Step(2, "pair", (0, 4), 0.25, 0.3, (0.1,), (0.05,), made_redundant=(names[1],), extra={"gain": 1.5}),
        Step(3, names[3], (3,), -0.125, 0.1, (0.1, 0.3), (0.2, 0.0), runner_up=names[1], runner_up_score=-0.125),
    )
    return Selection("jmi", steps, tuple(names), n_samples=100, **fields)


def test_answer():
    sel = made()
    assert sel.indices.tolist() == [2, 0, 4, 3]
    assert sel.names == [NAMES[2], NAMES[0], NAMES[4], NAMES[3]]
    assert sel.scores.tolist() == [0.5, 0.25, -0.125]
    assert sel.ranking.tolist() == [2, 4, 1, 3, 2]
    assert len(sel) == 3
    assert [step.rank for step in sel] == [1, 2, 3]
    assert sel.steps[0].margin == 0.25
    assert sel.steps[1].margin is None


def test_frozen():
    sel = made()
    with pytest.raises(dataclasses.FrozenInstanceError):
        sel.method = "mim"
    with pytest.raises(dataclasses.FrozenInstanceError):
        sel.steps[0].score = 1.0


@pytest.mark.parametrize("name", ["indices", "scores", "ranking"])
def test_arrays_cannot_be_edited(name):
    """An answer that is kept and handed out twice must be the same the second time."""
    sel = made()
    array = getattr(sel, name)
    before = array.tolist()
    with pytest.raises(ValueError, match="read-only"):
        array[0] = 7
    assert getattr(sel, name).tolist() == before


def test_frame():
    frame = made().to_frame()
    assert frame["rank"].tolist() == [1, 2, 3]
    assert frame["feature"].tolist() == [NAMES[2], "pair", NAMES[3]]
    assert frame["score"].tolist() == [0.5, 0.25, -0.125]
    assert frame["redundancy"].tolist()[1:] == [0.1, 0.2]
    assert frame["complementarity"].tolist()[1:] == [0.05, 0.1]
    assert frame["gain"].tolist()[1] == 1.5
    assert "runner_up" in frame
    assert "p_value" in frame


def test_frame_leaves_out_what_the_method_has_no_value_for():
    sel = Selection("mim", (Step(1, "a", (0,), 0.5),), ("a", "b"))
    assert list(sel.to_frame().columns) == ["rank", "feature", "score"]


def test_nothing_chosen():
    sel = Selection("jmi", (), ("a", "b"), stopped="nothing is left that chance would not give")
    assert sel.indices.tolist() == []
    assert sel.indices.dtype == np.intp
    assert sel.scores.tolist() == []
    assert sel.names == []
    assert sel.ranking.tolist() == [1, 1]
    assert len(sel.to_frame()) == 0
    assert {"rank", "feature", "score"} <= set(sel.to_frame().columns)
    assert "nothing is left" in sel.explain()
    assert "0 of 2" in repr(sel)
    assert sel._repr_html_()
    assert Selection.from_json(sel.to_json()) == sel


def test_explain():
    text = made(notes=("column age is constant",)).explain()
    for step in made().steps:
        assert f"{step.name}   score {step.score:.4g} nats" in text
    assert f"preferred to {NAMES[0]} by 0.25" in text
    assert f"tied with {NAMES[1]}" in text
    assert f"makes redundant: {NAMES[1]}" in text
    assert "column age is constant" in text


def test_explain_keeps_a_name_in_its_line():
    text = made(names=("one", "two\nlines", "three\r\nof\u2028them", "ünï", "")).explain()
    assert len(text.splitlines()) == len(made().explain().splitlines())
    assert "three of them   score 0.5 nats" in text
    assert "makes redundant: two lines" in text


def test_html_escapes():
    html = made()._repr_html_()
    assert "<script" not in html
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html
    hostile = dataclasses.replace(made(), method="<img src=x>", units="<i>")
    assert "<img" not in hostile._repr_html_()
    assert "<i>" not in hostile._repr_html_()
    extra = Selection("m", (Step(1, "a", (0,), 1.0, extra={"<u>": "<svg>"}),), ("a",))
    assert "<u>" not in extra._repr_html_()
    assert "<svg>" not in extra._repr_html_()


def test_html_of_many_steps_is_compact():
    names = tuple(f"f{i}" for i in range(100))
    sel = Selection("mim", tuple(Step(i + 1, n, (i,), 1.0) for i, n in enumerate(names)), names)
    assert "and 70 more" in sel._repr_html_()
    assert "f99" not in sel._repr_html_()


# -- JSON -------------------------------------------------------------------------------------------------

finite = st.floats(allow_nan=False)
plain = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | finite | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


@st.composite
def selections(draw):
    names = draw(st.lists(st.text() | st.text(string.punctuation), min_size=1, max_size=6))
    chosen = draw(st.permutations(range(len(names))))
    number = st.none() | finite
    steps = []
    for rank, i in enumerate(chosen[: draw(st.integers(0, len(names)))]):
        terms = st.none() | st.tuples(*[finite] * rank)
        steps.append(
            Step(
                rank + 1, names[i], (i,), draw(finite), draw(number), draw(terms), draw(terms),
                draw(st.none() | st.sampled_from(names)), draw(number),
                tuple(draw(st.lists(st.sampled_from(names), max_size=2))), draw(number),
                draw(st.dictionaries(st.text(), plain, max_size=2)),
            )
        )  # fmt: skip
    return Selection(
        draw(st.text()), tuple(steps), tuple(names), draw(st.text()), draw(finite), draw(st.text()),
        draw(st.dictionaries(st.text(), plain, max_size=3)), tuple(draw(st.lists(st.text(), max_size=2))),
        draw(st.text()), draw(st.dictionaries(st.text(), plain, max_size=2)), draw(st.text()),
    )  # fmt: skip


@settings(max_examples=60)
@given(sel=selections(), indent=st.sampled_from([None, 2]))
def test_json_round_trip(sel, indent):
    back = Selection.from_json(sel.to_json(indent))
    assert back == sel
    assert back.to_json(indent) == sel.to_json(indent)


@settings(max_examples=40)
@given(sel=selections())
def test_text_forms_never_fail(sel):
    text = sel.explain()
    # line breaks become spaces, what cannot be seen becomes dots
    assert all(printable(" ".join(step.name.splitlines())) in text for step in sel.steps)
    assert "<script" not in sel._repr_html_()
    assert len(sel.to_frame()) == len(sel.steps)
    assert repr(sel).startswith("<Selection")


def table():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 3, (80, 5))
    return X, (X[:, 0] + X[:, 3]) % 2


@pytest.mark.parametrize("method", reference.METHODS)
def test_real_selection_round_trip(method):
    X, y = table()
    sel = ep.select(X, y, method=method, k=3, discretizer=None, exclude=["x4"])
    assert ep.Selection.from_json(sel.to_json()) == sel
    assert json.loads(sel.to_json())["method"] == method


def test_round_trip_with_a_function_as_an_option():
    X, y = table()
    sel = ep.select(X, y, method="linear", k=2, beta=lambda size: 1 / size, gamma=0.5)
    assert ep.Selection.from_json(sel.to_json()) == sel


def test_ledger_of_a_real_selection():
    """The score follows from the ledger: JMI = relevance − mean(redundancy − complementarity)."""
    X, y = table()
    sel = ep.select(X, y, method="jmi", k=None, discretizer=None)
    for step in sel.steps:
        if step.rank > 1:
            assert len(step.redundancy) == len(step.complementarity) == step.rank - 1
            shared = np.subtract(step.redundancy, step.complementarity).mean()
            assert step.score == pytest.approx(step.relevance - shared, abs=1e-12)
        if step.rank < len(sel):
            assert step.runner_up in sel.names[step.rank :]
            assert step.margin >= -1e-12
    assert sel.steps[-1].runner_up is None
    assert sel.names == [f"x{i}" for i in sel.indices]
    assert sel.n_samples == 80
    assert sorted(sel.ranking.tolist()) == [1, 2, 3, 4, 5]
    assert sel.version == ep.__version__


@pytest.mark.parametrize(
    "text",
    [
        "", "{", "[]", "null", "3", '"text"', "{}", '{"format": 1}', '{"format": 99}',
        '{"format": 1, "steps": 3}',
        '{"format": 1, "method": "jmi", "steps": [{"rank": 1}], "feature_names": []}',
        '{"format": 1, "method": "jmi", "steps": [3], "feature_names": []}',
        '{"format": 1, "method": "jmi", "steps": [], "feature_names": [], "surprise": 1}',
        '{"format": 1, "method": "jmi", "steps": [], "feature_names": 7}',
    ],
)  # fmt: skip
def test_broken_json(text):
    with pytest.raises(InvalidInput, match="text"):
        Selection.from_json(text)


def test_a_feature_that_tells_the_target_is_asked_about():
    y = np.arange(200) % 2
    X = pd.DataFrame({"noise": np.arange(200) // 7 % 3, "refund": np.where(y == 1, 3.5, np.nan)})
    note = "'refund' alone predicts the target almost perfectly (100 % of its information): possible leak"
    assert ep.select(X, y, k=1).notes == (note,)
    assert ep.select(X[:40], y[:40], k=1).notes == ()  # of few rows a feature tells all by chance
    assert ep.select(X[["noise"]], y, k=1).notes == ()
    assert ep.select(X, y, method="fcbf", k=1).notes == ()  # its relevance is no information
