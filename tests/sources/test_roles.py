"""What columns are taken for."""

from __future__ import annotations

import numpy as np
import pandas as pd

from entropick.sources import open_source
from entropick.sources.roles import find_roles


def test_roles():
    frame = pd.DataFrame(
        {
            "row": np.arange(5, 35),
            "who": [f"p{i}" for i in range(30)],
            "PatientID": np.arange(30)[::-1] * 7,
            "Customer ID": np.arange(30)[::-1] * 3,
            "visit_no": [1, 2, 3] * 10,  # named like an identifier, but values come again
            "height": np.linspace(150, 190, 30),
            "income": np.arange(30) ** 2,  # all differ, but nothing says that they name rows
            "town": ["a", "b", "c"] * 10,
            "notes": [f"n{i}" for i in range(29)] + [None],
            "smoker": [True, False] * 15,
            "nothing": [None] * 30,
            "y": [0, 1] * 15,
        }
    )
    roles = find_roles(open_source(iter([frame])), "y")
    assert (roles.target, roles.target_kind) == ("y", "integer")
    assert roles.numbers == ("row", "PatientID", "Customer ID", "visit_no", "height", "income", "smoker")
    assert roles.categories == ("who", "town", "notes")
    assert roles.empty == ("nothing",)
    assert roles.suspects == ("row", "who", "PatientID", "Customer ID")


def test_few_rows_tell_nothing():
    frame = pd.DataFrame({"who": ["a", "b", "c"], "y": [0, 1, 0]})
    assert find_roles(open_source(frame), "y").suspects == ()


def test_the_target_is_no_suspect():
    frame = pd.DataFrame({"x": [0.5] * 30, "y": np.arange(30)})
    assert find_roles(open_source(frame), "y").suspects == ()
