"""Words to values."""

from __future__ import annotations

import inspect

import pytest

import entropick as ep
from entropick.cli import parse
from entropick.errors import InvalidParameter


@pytest.mark.parametrize(
    ("text", "value"),
    [("20", 20), ("0.25", 0.25), ("1e-1", 0.1), ("all", None), ("ALL", None), ("auto", "auto"), ("-3", -3)],
)
def test_k(text, value):
    assert parse.number_of_features(text) == value
    assert type(parse.number_of_features(text)) is type(value)


@pytest.mark.parametrize("text", ["", "many", "3 4", "5%"])
def test_k_that_is_none_of_these(text):
    with pytest.raises(InvalidParameter, match="-k: must be"):
        parse.number_of_features(text)


def test_discretizer():
    assert parse.discretizer("5") == 5
    assert parse.discretizer("None") is None
    assert parse.discretizer("MDL") == "mdl"
    assert parse.discretizer("-5") == -5  # the library says why not


def test_options():
    given = ["beta=2", "gamma=.5", "estimator=miller-madow", "deep=true", "x-y=null", "words=a=b"]
    assert parse.option_values(given) == {
        "beta": 2, "gamma": 0.5, "estimator": "miller-madow", "deep": True, "x_y": None, "words": "a=b",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["beta"], "name=value"),
        (["=2"], "name=value"),
        (["be ta=2"], "name=value"),
        (["beta=1", "beta=2"], "twice"),
        (["method=jmi"], "not a method option"),
        (["sample_weight=w"], "not a method option"),
    ],
)
def test_bad_options(given, message):
    with pytest.raises(InvalidParameter, match=message):
        parse.option_values(given)


COLUMNS = ("a", "b", "c,d", 'e"f', " g")


@pytest.mark.parametrize(
    ("given", "names"),
    [
        ([], []),
        ([""], []),
        (["a,b"], ["a", "b"]),
        (["a, b"], ["a", "b"]),
        (["a", "b", "a"], ["a", "b"]),
        (["c,d"], ["c,d"]),
        (['"c,d",a'], ["c,d", "a"]),
        (['e"f'], ['e"f']),
        ([" g"], [" g"]),
    ],
)
def test_column_names(given, names):
    assert parse.column_names(given, COLUMNS, "--drop") == names


def test_unknown_column():
    with pytest.raises(InvalidParameter, match=r"--drop: no column 'colum' in the file\. Did you mean 'column'"):
        parse.column_names(["colum"], ["column"], "--drop")


def test_a_line_break_in_names():
    """Python's reader of CSV refuses it outside quotes."""
    assert parse.column_names(["a\nb"], ["a\nb", "c"], "--drop") == ["a\nb"]
    with pytest.raises(InvalidParameter, match=r"^--drop: no column 'a\\nb' in the file"):
        parse.column_names(["a\nb"], ["a", "b"], "--drop")


def test_what_is_a_flag_is_no_option():
    named = set(inspect.signature(ep.select).parameters) - {"options", "n_permutations"}  # which has no flag
    for name in sorted(named):
        with pytest.raises(InvalidParameter, match=f"--option: {name} is not a method option"):
            parse.option_values([f"{name}=1"])
