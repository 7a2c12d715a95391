"""Selections and scores are those of the recording: by counts to the last bit, by sums of floats to rounding.

The recording is the code's own output of an earlier day. It proves nothing right; it tells what has changed.
"""

from __future__ import annotations

import json

import numpy as np
import pytest

import entropick as ep
from recorded.runs import FILE, runs

RECORDED = json.loads(FILE.read_text(encoding="utf-8"))
COUNTED = {name for name, family in ep.methods()["family"].items() if family == "discrete"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("recorded")


def test_every_kind_of_outcome_is_in_it():
    found = [one for some in RECORDED.values() for one in some.values()]
    assert sum("refused" in one for one in found) > 100
    assert sum("i" in one for one in found) > 500


@pytest.mark.parametrize("name", RECORDED)
def test_as_recorded(name, folder):
    expected, found = RECORDED[name], runs(name, folder)
    assert list(found) == list(expected)
    told = {case: (one.get("refused"), one.get("i")) for case, one in found.items()}
    assert told == {case: (one.get("refused"), one.get("i")) for case, one in expected.items()}
    for case, one in found.items():
        scores, recorded = one.get("s", []), expected[case].get("s", [])
        if name in COUNTED:
            assert scores == recorded, case
        else:
            np.testing.assert_allclose(scores, recorded, rtol=1e-9, atol=1e-12, err_msg=case)
