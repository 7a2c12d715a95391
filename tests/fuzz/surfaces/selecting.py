"""Selecting under random calls: `select`, `Selector`, `partial_fit`, and the slow reference beside all of them."""

from __future__ import annotations

import contextlib
import inspect
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

import entropick as ep
from entropick.methods import REGISTRY
from entropick.selectors.answer import run
from entropick.selectors.request import Request
from entropick.sources import TableSource, as_table
from entropick.sources.blocks import LocalBlocks
from reference import discrete

from ..exotic import anything, frame, label, spoilt
from ..hostile import case
from .surface import FAST, promises, surface


@surface
def select(rng: np.random.Generator, folder: Path) -> None:
    """Frames with columns of every type, arguments of every type."""
    n, d = int(rng.choice([0, 1, 2, 9, 40])), int(rng.choice([0, 1, 3, 6]))
    X, y = frame(rng, n, d), label(rng, n)
    if rng.random() < 0.3:
        y = str(rng.choice(["c0", "c1", "nothing"]))
    known = inspect.signature(ep.select).parameters
    given: dict[str, Any] = {"method": str(rng.choice(FAST)), "k": 1 if rng.random() < 0.5 else "auto"}
    for name in rng.choice([name for name in known if name not in ("X", "y", "method", "options")], 2):
        given[str(name)] = anything(rng)
    promises(ep.select(X, y, **(given if rng.random() < 0.4 else {"method": given["method"]})))


@surface
def selector(rng: np.random.Generator, folder: Path) -> None:
    """A fitted Selector says what `select` says, keeps it when pickled, and transforms what it was fitted to."""
    one = case(int(rng.integers(1 << 40)))
    weight = one.keywords.pop("sample_weight", None)
    own = REGISTRY[one.keywords["method"]].options.keys() - {"memory"}  # which is also a parameter of its own
    options = {key: one.keywords.pop(key) for key in list(one.keywords) if key in own}
    one.keywords.setdefault("k_min", 1)  # the selector's default, so that a pipeline has a column
    fitted = clone(ep.Selector(**one.keywords, options=options or None))
    expected = ep.select(one.X, one.y, sample_weight=weight, **one.keywords, **options)
    fitted.fit(one.X, one.y, sample_weight=weight)
    assert fitted.selection_.to_json() == expected.to_json()
    again = pickle.loads(pickle.dumps(fitted))
    assert again.selection_.to_json() == expected.to_json()
    assert again.get_support(indices=True).tolist() == sorted(expected.indices.tolist())
    names = again.get_feature_names_out()
    if all(isinstance(name, str) for name in getattr(one.X, "columns", ())):
        assert names.tolist() == [expected.feature_names[j] for j in sorted(expected.indices)]
    with contextlib.suppress(NotFittedError):
        ep.Selector().get_support()
        raise AssertionError("support of what was not fitted")
    if hasattr(one.X, "shape") and np.isfinite(np.asarray(one.X, dtype=float) if is_numbers(one.X) else np.nan).all():
        if rng.random() < 0.5 and not hasattr(one.X, "tocsc"):
            again.set_output(transform="pandas")
        out = again.transform(one.X)
        assert out.shape == (one.X.shape[0], len(names))


def is_numbers(X: Any) -> bool:
    return isinstance(X, np.ndarray) and X.dtype.kind in "biuf"


@surface
def partial_fit(rng: np.random.Generator, folder: Path) -> None:
    """Blocks in a row give what all rows together give, to rounding; counted scores to the last bit."""
    n, d = int(rng.integers(4, 60)), int(rng.integers(1, 7))
    X, y = rng.integers(0, 3, (n, d)), rng.integers(0, 2, n)
    method = str(rng.choice(["jmi", "cmim", "mrmr", "spec.cmi", "gc.mi", "anova", "pearson", "relieff", "lasso"]))
    wanted = ep.Selector(**spoilt(rng, {"method": method, "k": 1, "discretizer": None}))
    weights = rng.integers(0, 3, n) if rng.random() < 0.3 else None
    cut = int(rng.integers(1, n))
    classes = spoilt(rng, {"classes": [0, 1]}, 0.2)
    for rows in (slice(cut), slice(cut, None)):
        if rng.random() < 0.1:
            X[rows] = X[rows] + rng.integers(0, 2)  # a level that was not there
        wanted.partial_fit(X[rows], y[rows], sample_weight=None if weights is None else weights[rows], **classes)
    expected = ep.Selector(**wanted.get_params()).fit(X, y, sample_weight=weights).selection_
    assert wanted.selection_.n_samples == expected.n_samples
    np.testing.assert_allclose(wanted.selection_.scores, expected.scores, rtol=1e-6, atol=1e-9)


@surface
def reference(rng: np.random.Generator, folder: Path) -> None:
    """Counted scores are the slow reference's, from memory, blocks, saved statistics and merged ones."""
    n, d = int(rng.integers(6, 50)), int(rng.integers(1, 6))
    X, y = rng.integers(0, int(rng.integers(2, 5)), (n, d)), rng.integers(0, int(rng.integers(2, 4)), n)
    y[:2] = [0, 1]
    method, k = str(rng.choice(discrete.METHODS)), int(rng.integers(1, d + 1))
    weights = np.maximum(rng.integers(0, 4, n), [1, 1] + [0] * (n - 2)) if rng.random() < 0.4 else None
    if weights is not None and (np.ptp(X[weights > 0], axis=0) == 0).any():
        return  # a column that is constant on the rows that count is left out, which the reference does not know
    picks, scores = discrete.forward(X.tolist(), y.tolist(), method, k, weights)
    table = pd.DataFrame(X, columns=[f"c{j}" for j in range(d)]).assign(label=y)
    given: dict[str, Any] = {"method": method, "k": k}
    coded: dict[str, Any] = {"discretizer": None, "task": "classification"}
    if weights is not None:
        table["w"] = weights
        coded["sample_weight"] = "w"
    blocks = [table.iloc[rows] for rows in np.array_split(np.arange(n), 3)]
    found = [
        ep.select(table, "label", **given, **coded),
        ep.select((block for block in blocks), "label", memory="1MB", **given, **coded),
    ]
    if method != "cmi":  # which asks for the levels of rows
        weight = coded.pop("sample_weight", None)
        in_blocks = LocalBlocks(TableSource(as_table(table)), rows=int(rng.integers(1, n + 1)))
        found.append(run(in_blocks, "label", Request(**given, **coded), weight).selection)
        coded["sample_weight"] = weight
    if method not in ("cmi",) and (weights is None or weights.all()):
        whole = ep.Statistics.collect(table, "label", **coded)
        parts = [ep.Statistics.collect(block, "label", **coded, coding=whole) for block in blocks[::-1]]
        merged = parts[0].merge(parts[1]).merge(parts[2])
        merged.save(folder / "a.stats")
        found += [whole.select(**given), ep.Statistics.load(folder / "a.stats").select(**given)]
    for one in found:
        chosen = len(one) if method == "cmi" else k  # cmi stops where no row is left to learn from
        assert one.indices.tolist() == picks[:chosen], (method, one.indices.tolist(), picks)
        np.testing.assert_allclose(one.scores, scores[:chosen], rtol=1e-9, atol=1e-9)
