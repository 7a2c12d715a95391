"""A sparse table says what the dense one says, wherever it is held: by rows, by columns, in blocks, in a file.

Counts are whole numbers, so features and scores are the same to the last bit. The tables are awkward on purpose: zeros
that are written down, indices in no order, entries given in two halves, negative values, NaN, whole numbers, truths,
rows and columns without entries.
"""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from scipy.io import mmwrite

import entropick as ep
from entropick.sources import as_table, open_source
from entropick.sources.annotated import ArrayMatrix, annotated, offered
from entropick.sources.blocks import LocalBlocks
from entropick.sources.origin import InBlocks
from entropick.statistics.levels import collect as levels_collect
from entropick.statistics.lifted import collect as lifted_collect

KINDS = (np.float64, np.float32, np.int64, np.int8, bool)
METHODS = ("jmi", "cmim", "joint")
FORMS = ("csr", "csc", "coo", "frame", "blocks", "annotated")
FILES = (".h5ad", ".h5ad by genes", ".h5ad in blocks", ".zarr", ".mtx")
N, D = 120, 22


def awkward(seed: int, kind: Any) -> tuple[np.ndarray, sparse.csr_array, np.ndarray]:
    """(dense, sparse with everything that may go wrong, y)."""
    random = np.random.default_rng(seed)
    dense = np.zeros((N, D))
    for j in range(D):
        rows = random.choice(N, random.choice([0, 1, 4, N // 5, N // 2, N]), replace=False)
        values = (random.normal(size=N), random.integers(-3, 4, N), random.poisson(2, N), random.integers(-99, 99, N))
        dense[rows, j] = np.round(values[random.integers(4)][: rows.size], 2)
    dense[random.choice(N, 9, replace=False)] = 0
    if np.dtype(kind).kind == "f":
        dense[random.choice(N, 12), random.choice(D, 12)] = np.nan
    dense = dense.astype(kind)
    y = (np.nan_to_num(dense.astype(float))[:, [2, 5, 8, 11]].sum(axis=1) + random.normal(size=N) > 0.3).astype(int)
    rows, columns = np.nonzero(dense)
    values = dense[rows, columns]
    written = tuple(np.argwhere(dense == 0)[random.choice((dense == 0).sum(), 30, replace=False)].T)
    twice = random.choice(rows.size, rows.size // 4, replace=False)
    if kind is bool:
        rest = values[twice]  # truths add up to the truth
    elif np.dtype(kind).kind == "f":
        values[twice] = rest = values[twice] / 2
    else:
        rest = values[twice] // 2
        values[twice] -= rest
    all_rows = np.concatenate([rows, rows[twice], written[0]])
    all_columns = np.concatenate([columns, columns[twice], written[1]])
    everything = np.concatenate([values, rest, np.zeros(30, kind)]).astype(kind)
    order = random.permutation(all_rows.size)
    order = order[np.argsort(all_rows[order], kind="stable")]  # by rows, in no order within them
    starts = np.append(0, np.cumsum(np.bincount(all_rows, minlength=N)))
    held = sparse.csr_array((everything[order], all_columns[order].astype(np.int32), starts), shape=(N, D))
    held.has_canonical_format = held.has_sorted_indices = False
    np.testing.assert_array_equal(held.toarray(), dense)
    return dense, held, y


def names() -> list[str]:
    return [f"g{j}" for j in range(D)]


def found(X: Any, y: Any, method: str, **more: Any) -> tuple[Any, ...]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        one = ep.select(X, y, method=method, k=7, **more)
    p_values = None if one.p_values is None else np.asarray(one.p_values).tobytes()
    return one.indices.tolist(), one.scores.tobytes(), p_values


def held_as(form: str, held: sparse.csr_array, y: np.ndarray) -> tuple[Any, Any]:
    if form == "frame":
        plain = held.copy()
        plain.sum_duplicates()
        return pd.DataFrame.sparse.from_spmatrix(sparse.csr_matrix(plain), columns=names()), y
    if form in ("blocks", "annotated"):
        labels = as_table(pd.DataFrame({"label": y}))
        source = annotated(ArrayMatrix(held), names(), labels)
        blocks = LocalBlocks(offered(source, ["label"]), rows=37)
        return source if form == "annotated" else InBlocks(blocks, "label"), "label"
    return getattr(held, f"to{form}")(), y


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: np.dtype(kind).name)
@pytest.mark.filterwarnings("ignore:Allowing arbitrary scalar fill_value")
@pytest.mark.parametrize("form", FORMS)
def test_in_memory_and_in_blocks(kind: Any, form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(2):
        for counting in (levels_collect, lifted_collect):  # as few entries have it, or as many
            monkeypatch.setattr(counting, "POSTINGS", (2.0, 0.2)[seed])
        dense, held, y = awkward(seed, kind)
        for method in METHODS:
            X, target = held_as(form, held.copy(), y)
            assert found(X, target, method) == found(dense, y, method), (seed, method)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("form", "kind"),
    [(form, kind) for form in FILES for kind in KINDS if (form, kind) != (".mtx", bool)],  # it has no truths
    ids=lambda one: one if isinstance(one, str) else np.dtype(one).name,
)
def test_in_files(kind: Any, form: str, tmp_path: Path) -> None:
    dense, held, y = awkward(3, kind)
    more: dict[str, Any] = {"memory": "1MB"} if form.endswith("in blocks") else {}
    path: Any = tmp_path / f"cells{form.partition(' ')[0]}"
    target: Any = "label"
    if form == ".mtx":
        mmwrite(path, held.tocoo())
        with open_source(path) as source:
            path, target = source.table(), y
    else:
        anndata = pytest.importorskip("anndata", reason="the extra cells is not installed")
        matrix = sparse.csc_matrix(held) if form.endswith("by genes") else sparse.csr_matrix(held)
        obs = pd.DataFrame({"label": y}, index=[f"c{i}" for i in range(N)])
        data = anndata.AnnData(matrix, obs=obs, var=pd.DataFrame(index=names()))
        (data.write_zarr if form == ".zarr" else data.write_h5ad)(path)
    for method in METHODS:
        assert found(path, target, method, **more) == found(dense, y, method), method


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: np.dtype(kind).name)
@pytest.mark.parametrize("how", ["weights", "groups", "class_weight", "given", "exclude"])
def test_with_what_else_may_be_asked(kind: Any, how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for counting in (levels_collect, lifted_collect):
        monkeypatch.setattr(counting, "POSTINGS", 2.0)
    random = np.random.default_rng(5)
    more: dict[str, Any] = {
        "weights": {"sample_weight": random.integers(1, 5, N).astype(float)},
        "groups": {"groups": {"a": [2, 3], "b": [5, 6, 7]}},
        "class_weight": {"class_weight": "balanced"},
        "given": {"given": random.normal(size=(N, 1))},
        "exclude": {"exclude": "x1*", "include": ["x2"]},
    }[how]
    dense, held, y = awkward(4, kind)
    for method in ("joint",) if how == "given" else ("jmi", "joint"):
        assert found(held, y, method, **more) == found(dense, y, method, **more), method
