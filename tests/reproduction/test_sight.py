"""What each method sees, on problems whose answer is known."""

from __future__ import annotations

import numpy as np
import pytest

from entropick.errors import InvalidParameter, UnknownMethod
from reproduction.sight import PROBES, as_markdown, what_each_sees

METHODS = ("fisher", "mim", "jmi", "relieff", "fcbf", "lasso")


@pytest.fixture(scope="module")
def frame():
    return what_each_sees(METHODS, repeats=2)


def test_what_theory_says(frame):
    assert list(frame.index) == list(METHODS)
    assert list(frame.columns) == list(PROBES)
    assert (frame["linear"] == 1).all()
    assert (frame["scale"] == 1).all()
    assert np.isnan(frame.loc["fisher", "quad"])
    assert frame.loc["relieff", "xor"] == 1
    assert (frame.loc[["fisher", "mim", "lasso"], "xor"] < 1).all()
    assert frame.loc["relieff", "three-way"] == 1
    assert frame.loc["mim", "non-linear"] == 1 > frame.loc["fisher", "non-linear"]
    assert frame.loc["fcbf", "redundancy"] == 1 > frame.loc["fisher", "redundancy"]


def test_the_same_twice(frame):
    assert what_each_sees(["mim"], repeats=2).equals(frame.loc[["mim"]])


def test_as_a_page(frame):
    lines = as_markdown(frame).splitlines()
    assert len(lines) == 2 + len(METHODS)
    assert lines[2].startswith("| `fisher` | **1.00** |")
    assert "–" in lines[2]


def test_bad_arguments():
    with pytest.raises(InvalidParameter, match="repeats"):
        what_each_sees(["mim"], repeats=0)
    with pytest.raises(UnknownMethod, match="method"):
        what_each_sees(["nim"])
