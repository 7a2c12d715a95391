"""What a surface is: a function of a random generator and an empty folder that calls entropick through one door.

It asserts what the answer promises; an error of entropick's own, in one line, is a fair answer too. The folder is the
working one while the call lasts: a random text may be taken for a path.
"""

from __future__ import annotations

import traceback
import warnings
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import entropick as ep

from ..exotic import label
from ..hostile import TEXTS, column
from ..verdict import elsewhere

Surface = Callable[[np.random.Generator, Path], None]
SURFACES: dict[str, Surface] = {}
FAST = ("jmi", "mim", "cmim", "gc.mi", "anova", "relieff", "spec.cmi", "fcbf")


def surface(make: Surface) -> Surface:
    SURFACES[make.__name__] = make
    return make


ANSWERED, REFUSED = "answered", "refused"


def outcome(name: str, seed: int) -> str:
    """`ANSWERED` where one call of a surface keeps its promises, `REFUSED` in one clear line, else what is wrong."""
    rng = np.random.default_rng([zlib.crc32(name.encode()), seed])
    with elsewhere() as folder, warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", ep.EntropickWarning)
        warnings.filterwarnings("ignore", message="A column-vector y was passed")
        warnings.filterwarnings("ignore", category=ResourceWarning)
        warnings.filterwarnings("ignore", message="No features were selected")  # scikit-learn's word for it
        warnings.filterwarnings("ignore", message="Glyph .* missing")  # no font has every letter
        warnings.filterwarnings("ignore", message="PySpark does not yet fully support pandas")
        try:
            SURFACES[name](rng, folder)
        except ep.EntropickError as error:
            return REFUSED if str(error) and "\n" not in str(error) else f"refused without one clear line: {error!r}"
        except KeyboardInterrupt:
            raise
        except BaseException:  # polars panics with an exception that is none of Python's
            return traceback.format_exc(limit=-12)
    return ANSWERED


def promises(selection: ep.Selection) -> None:
    indices = selection.indices.tolist()
    assert len(set(indices)) == len(indices)
    assert all(0 <= index < len(selection.feature_names) for index in indices)
    assert not np.isnan(selection.scores).any()
    assert ep.Selection.from_json(selection.to_json()).to_json() == selection.to_json()
    assert selection.explain()
    assert len(selection.to_frame()) == len(selection.steps)


def task(rng: np.random.Generator) -> tuple[pd.DataFrame, Any]:
    """A small table to compare on: mostly one that can be learned from."""
    n, d = int(rng.choice([12, 30, 60])), int(rng.integers(1, 6))
    names = [TEXTS[i] for i in rng.choice(len(TEXTS), d, replace=False)] if rng.random() < 0.3 else [*"abcde"[:d]]
    columns = [column(rng, n) if rng.random() < 0.3 else rng.normal(size=n) for _ in names]
    X = pd.concat([pd.Series(one).reset_index(drop=True) for one in columns], axis=1)
    X.columns = names
    y = label(rng, n) if rng.random() < 0.2 else rng.integers(0, 2, n) if rng.random() < 0.7 else rng.normal(size=n)
    return X, y


def damaged(rng: np.random.Generator, raw: bytes) -> bytes:
    out = bytearray(raw)
    if rng.random() < 0.5:
        return bytes(out[: int(rng.integers(len(out) + 1))])
    for _ in range(int(rng.integers(1, 5))):
        if out:
            out[int(rng.integers(len(out)))] = int(rng.integers(256))
    return bytes(out)
