"""One form for every record: what `plain` gives, JSON gives back."""

from __future__ import annotations

import json
import math

import numpy as np

from entropick.plain import plain


def rule(x):
    return x


def test_what_it_gives_is_json():
    given = {
        1: np.float32(0.5),
        "n": np.int8(-3),
        "yes": np.bool_(True),
        "table": np.array([[1, 2], [3, 4]], np.uint8),
        "names": ("a", np.str_("b")),
        "nested": {"set": {7}, "none": None},
        "how": rule,
        "when": np.datetime64("2020-01-02"),
    }
    wanted = {
        "1": 0.5,
        "n": -3,
        "yes": True,
        "table": [[1, 2], [3, 4]],
        "names": ["a", "b"],
        "nested": {"set": [7], "none": None},
        "how": "rule",
        "when": repr(np.datetime64("2020-01-02")),
    }
    assert plain(given) == wanted
    assert json.loads(json.dumps(plain(given))) == wanted
    assert plain(wanted) == wanted


def test_what_is_not_finite():
    assert math.isnan(plain(np.float64("nan")))
    assert plain([math.inf, np.array([np.nan, 1.0])], finite=True) == [None, [None, 1.0]]
