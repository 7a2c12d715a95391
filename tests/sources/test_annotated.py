"""Cells, genotypes and words: matrices with something beside them."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from scipy.io import mmwrite

import entropick as ep
from entropick.sources import TableSource, as_table, open_source
from entropick.sources.annotated import ArrayMatrix, annotated, offered
from entropick.sources.side_by_side import SideBySide

N, D = 240, 30


def counts() -> tuple[sparse.csr_array, np.ndarray, list[str]]:
    """Sparse counts, the type of each row (genes 3 and 7 tell), and names."""
    random = np.random.default_rng(1)
    kind = random.choice(["B", "NK", "T"], N, p=[0.5, 0.3, 0.2])
    X = random.poisson(0.4, (N, D))
    X[:, 3] += random.poisson(3, N) * (kind == "B")
    X[:, 7] += random.poisson(3, N) * (kind == "NK")
    return sparse.csr_array(X), kind, [f"g{j}" for j in range(D)]


def labelled() -> pd.DataFrame:
    return pd.DataFrame({"cell": [f"c{i}" for i in range(N)], "type": counts()[1], "batch": np.arange(N) % 2})


def source_of(X: object):
    return annotated(ArrayMatrix(X), counts()[2], as_table(labelled()))


# -- beside the features -------------------------------------------------------------------------------------


@pytest.mark.parametrize("dense", [True, False])
def test_what_is_beside_is_no_feature_unless_it_is_named(dense: bool) -> None:
    X, kind, names = counts()
    source = source_of(X.toarray() if dense else X)
    found = ep.select(source, "type", k=2)
    assert found.feature_names == tuple(names)
    assert set(found.names) == {"g3", "g7"}
    assert np.array_equal(found.scores, ep.select(X.toarray(), kind, k=2).scores)
    given = ep.select(source, "type", k=2, given="batch")
    beside = ep.select(X.toarray(), kind, k=2, given=labelled()[["batch"]].to_numpy())
    assert np.array_equal(given.scores, beside.scores)


@pytest.mark.parametrize("method", ["joint", "jmi"])
def test_blocks_are_the_rows(method: str) -> None:
    X, _, _ = counts()
    source = source_of(X)
    memory = ep.select(source, "type", method=method, k=4, given="batch" if method == "joint" else None)
    from entropick.sources.blocks import LocalBlocks
    from entropick.sources.origin import InBlocks

    narrow = offered(source, ["type", "batch"] if method == "joint" else ["type"])
    blocks = InBlocks(LocalBlocks(narrow, rows=37), "type")
    found = ep.select(blocks, "type", method=method, k=4, given=["batch"] if method == "joint" else None)
    assert found.names == memory.names
    assert np.array_equal(found.scores, memory.scores)


def test_columns_in_any_order() -> None:
    X, kind, _ = counts()
    source = source_of(X)
    (block,) = source.blocks(None, [5, 1, 3, 2])
    assert block.names == ("g2", "type", "g0", "batch")
    assert np.array_equal(block.column(0), X.toarray()[:, 2])
    assert block.column(1).tolist() == kind.tolist()
    table = source.select([8, 0, 4]).table()
    assert table.names == ("g5", "cell", "g1")
    assert np.array_equal(table.column(2), X.toarray()[:, 1])


def test_side_by_side_keeps_what_is_sparse() -> None:
    X, _, _ = counts()
    left, right = as_table(labelled()[["batch"]]), as_table(X)
    both = SideBySide(left, right)
    assert type(both.select(range(1, D + 1))) is type(right)
    assert np.array_equal(both.dense(0, 4)[:, 1:], X.toarray()[:, :3])
    assert np.array_equal(both.take(np.arange(5)).column(4), X.toarray()[:5, 3])


def test_a_damaged_index_is_no_crash() -> None:
    X, _, names = counts()
    X.indices[5] = D + 4000
    with pytest.raises((ep.InvalidInput, ValueError)):
        annotated(ArrayMatrix(X), names, None).table()


# -- 10x -----------------------------------------------------------------------------------------------------


def tenx(folder: Path, packed: bool = True) -> Path:
    X, _, names = counts()
    folder.mkdir()
    end = ".gz" if packed else ""
    opened = gzip.open if packed else open
    with opened(folder / f"matrix.mtx{end}", "wb") as file:
        mmwrite(file, X.T.tocoo())
    with opened(folder / f"barcodes.tsv{end}", "wt") as file:
        file.write("".join(f"c{i}\n" for i in range(N)))
    with opened(folder / f"features.tsv{end}", "wt") as file:
        file.write("".join(f"ENSG{j}\t{name}\tGene Expression\n" for j, name in enumerate(names)))
    return folder


@pytest.mark.parametrize("packed", [True, False])
def test_folder_of_10x_with_labels(tmp_path: Path, packed: bool) -> None:
    X, kind, _ = counts()
    folder = tenx(tmp_path / "run", packed)
    labels = tmp_path / "labels.csv"
    labelled().rename(columns={"cell": "barcode"}).iloc[:-3].to_csv(labels, index=False)
    with open_source(folder, join=labels, on="barcode") as source:
        found = ep.select(source, "type", k=2)
    assert np.array_equal(found.scores, ep.select(X.toarray()[:-3], kind[:-3], k=2).scores)
    assert len(found.feature_names) == D
    assert any("3 rows left out, as 'barcode' has no match" in note for note in found.notes)
    with pytest.raises(ep.InvalidInput, match=r"no column 'type'. Beside the features: 'barcode'"):
        ep.select(folder, "type", k=2)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        (b"", "empty"),
        (b"hello\n1 2 3\n", "does not begin"),
        (b"%%MatrixMarket matrix coordinate integer general\n30 240\n", "no MatrixMarket|two or three"),
        (b"%%MatrixMarket matrix coordinate integer general\n30 240 9000000000000\n1 1 1\n", "claims"),
        (b"%%MatrixMarket matrix coordinate integer general\n30 240 5\n1 1 1\n", "no MatrixMarket"),
        (b"%%MatrixMarket matrix coordinate integer general\n30 240 1\n31 1 1\n", "no MatrixMarket"),
        (b"%%MatrixMarket matrix coordinate integer general\n4 5 1\n1 1 1\n", "not of the same run"),
    ],
)
def test_damaged_mtx(tmp_path: Path, text: bytes, word: str) -> None:
    folder = tenx(tmp_path / "run", packed=False)
    (folder / "matrix.mtx").write_bytes(text)
    with pytest.raises(ep.InvalidInput, match=word):
        ep.select(folder, "barcode", k=2)


# -- AnnData -------------------------------------------------------------------------------------------------


@pytest.fixture
def cells():
    anndata = pytest.importorskip("anndata", reason="the extra cells is not installed")
    X, _, names = counts()
    obs = labelled().set_index("cell")
    obs["type"] = obs["type"].astype("category")
    obs["cluster"] = np.unique(obs["type"], return_inverse=True)[1]  # would be chosen first
    data = anndata.AnnData(sparse.csr_matrix(X), obs=obs, var=pd.DataFrame(index=names))
    data.layers["turned"] = sparse.csc_matrix(X[:, ::-1])
    data.raw = data[:, :20].copy()
    return data


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("layer", [None, "turned", "raw"])
@pytest.mark.parametrize("form", ["memory", ".h5ad", ".zarr", "backed"])
def test_anndata(cells, tmp_path: Path, form: str, layer: str | None) -> None:
    import anndata

    X, kind, _ = counts()
    dense = {None: X, "turned": X[:, ::-1], "raw": X[:, :20]}[layer].toarray()
    where = cells
    if form != "memory":
        where = tmp_path / f"cells{'.zarr' if form == '.zarr' else '.h5ad'}"
        (cells.write_zarr if form == ".zarr" else cells.write_h5ad)(where)
    if form == "backed":
        where = anndata.read_h5ad(where, backed="r")
    found = ep.select(where, "type", k=3, layer=layer)
    assert np.array_equal(found.scores, ep.select(dense, kind, k=3).scores)
    assert len(found.feature_names) == dense.shape[1]
    if form == ".h5ad":
        by_blocks = ep.select(where, "type", k=3, layer=layer, method="jmi", memory="1MB")
        assert np.array_equal(by_blocks.scores, ep.select(dense, kind, k=3, method="jmi").scores)


def test_anndata_elsewhere(cells) -> None:
    X, kind, _ = counts()
    assert np.array_equal(ep.select(cells, kind, k=2).scores, ep.select(X.toarray(), kind, k=2).scores)
    assert ep.Selector(k=2).fit(cells, "type").transform(cells).shape == (N, 2)
    assert ep.compare(cells, "type", ["mim"], k=[2], cv=2, repeats=1).ks == (2,)
    with pytest.raises(ep.InvalidParameter, match=r"no layer 'count'. There are: 'turned', 'raw'"):
        ep.select(cells, "type", layer="count")
    with pytest.raises(ep.InvalidInput, match=r"no column 'typ'. Did you mean 'type'"):
        ep.select(cells, "typ")


def test_results_are_written_back(cells, tmp_path: Path) -> None:
    import anndata

    found = ep.select(cells, "type", k=3)
    found.annotate(cells)
    ranks = cells.var["entropick_rank"]
    assert ranks[found.names].tolist() == [1, 2, 3]
    assert ranks.isna().sum() == D - 3
    assert list(cells.uns["entropick"]["names"]) == found.names
    assert np.array_equal(cells.uns["entropick"]["scores"], found.scores)
    for ending, write in ((".h5ad", cells.write_h5ad), (".zarr", cells.write_zarr)):
        path = tmp_path / f"cells{ending}"
        write(path)
        ep.select(path, "batch", k=2, method="mim").annotate(path, key="batch")
        again = anndata.read_h5ad(path) if ending == ".h5ad" else anndata.read_zarr(path)
        assert again.var["batch_rank"].notna().sum() == 2
        assert again.uns["batch"]["method"] == "mim"
        assert again.var["entropick_rank"].equals(cells.var["entropick_rank"])
    with pytest.raises(ep.InvalidInput, match="other genes"):
        ep.select(np.eye(4), [0, 1, 0, 1], k=1).annotate(cells)


@pytest.mark.parametrize("damage", ["cut", "text", "indices", "no obs", "shape"])
def test_damaged_h5ad(cells, tmp_path: Path, damage: str) -> None:
    h5py = pytest.importorskip("h5py")
    path = tmp_path / "cells.h5ad"
    cells.write_h5ad(path)
    if damage == "cut":
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 3])
    elif damage == "text":
        path.write_bytes(b"a,b\n1,2\n")
    else:
        with h5py.File(path, "r+") as file:
            if damage == "indices":
                file["X/indices"][7] = 1_000_000
            elif damage == "no obs":
                del file["obs"]
            else:
                file["X"].attrs["shape"] = (N, D + 5)
    with pytest.raises(ep.InvalidInput, match=r"file: 'cells.h5ad' is no .h5ad file"):
        ep.select(path, "type", k=2)


def test_extra_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import sys

    (tmp_path / "cells.h5ad").write_bytes(b"\x89HDF")
    (tmp_path / "calls.bed").write_bytes(b"\x6c\x1b\x01")
    for module in ("h5py", "anndata", "anndata.io", "bed_reader"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ep.MissingExtra, match=r"pip install 'entropick\[cells\]'"):
        ep.select(tmp_path / "cells.h5ad", "type")
    with pytest.raises(ep.MissingExtra, match=r"pip install 'entropick\[genetics\]'"):
        ep.select(tmp_path / "calls.bed", "phenotype")


# -- genotypes -----------------------------------------------------------------------------------------------


@pytest.fixture
def genotypes(tmp_path: Path) -> tuple[Path, np.ndarray, np.ndarray]:
    reader = pytest.importorskip("bed_reader", reason="the extra genetics is not installed")
    random = np.random.default_rng(0)
    calls = random.binomial(2, 0.3, (N, 40)).astype(np.float32)
    case = (calls[:, 5] + calls[:, 11] + random.normal(size=N) > 1.2).astype(int) + 1
    calls[random.random(calls.shape) < 0.03] = np.nan
    people = {
        "iid": [f"p{i}" for i in range(N)],
        "sex": random.integers(1, 3, N),
        "pheno": ["-9" if i % 60 == 0 else str(one) for i, one in enumerate(case)],
        "sid": ["." if j == 0 else f"rs{j}" for j in range(40)],
        "chromosome": ["1"] * 40,
        "bp_position": list(range(100, 140)),
    }
    reader.to_bed(tmp_path / "calls.bed", calls, properties=people)
    return tmp_path / "calls.bed", calls, case


def test_plink(genotypes) -> None:
    path, calls, case = genotypes
    known = np.arange(N) % 60 != 0
    for method in ("joint", "jmi"):
        found = ep.select(path, "phenotype", k=3, method=method)
        same = ep.select(calls[known], case[known], k=3, method=method)
        assert np.array_equal(found.indices, same.indices)
        assert np.allclose(found.scores, same.scores, rtol=1e-12)
        blocks = ep.select(path, "phenotype", k=3, method=method, memory="1MB")
        assert np.array_equal(blocks.scores, found.scores)
    assert {"rs5", "rs11"} <= set(found.names)
    assert found.feature_names[0] == "1:100"
    assert ep.select(path, "phenotype", k=2, given="sex").names == ep.select(path, "phenotype", k=2).names


@pytest.mark.parametrize("damage", ["cut", "text", "no bim"])
def test_damaged_bed(genotypes, damage: str) -> None:
    path, _, _ = genotypes
    if damage == "cut":
        path.write_bytes(path.read_bytes()[:-20])
    elif damage == "text":
        path.write_text("chr1\t100\t200\n")
    else:
        path.with_suffix(".bim").unlink()
    with pytest.raises(ep.InvalidInput, match=r"file: 'calls.bed' is no PLINK .bed file"):
        ep.select(path, "phenotype", k=2)


# -- words ---------------------------------------------------------------------------------------------------


def reviews() -> pd.DataFrame:
    said = ["please refund my money", "love it", "it broke, money gone", None]
    return pd.DataFrame({
        "review": [said[i % 4] for i in range(80)],
        "size": np.random.default_rng(0).normal(size=80),
        "stars": [(1, 5, 1, 3)[i % 4] for i in range(80)],
    })  # fmt: skip


def test_words_are_columns() -> None:
    from sklearn.feature_extraction.text import CountVectorizer

    found = ep.select(reviews(), "stars", k=2, text="review")
    words = CountVectorizer(min_df=5).fit(reviews()["review"].fillna(""))
    assert found.feature_names == ("size", *(f"review: {word}" for word in words.get_feature_names_out()))
    assert found.names[0] == "review: money"
    by_hand = words.transform(reviews()["review"].fillna("")).toarray()
    dense = np.column_stack([reviews()["size"], by_hand])
    same = ep.select(dense, reviews()["stars"].to_numpy(), k=2)
    assert np.array_equal(found.scores, same.scores)
    assert any("the text itself is none" in note for note in found.notes)


def test_words_in_blocks_and_by_a_vectoriser_of_ones_own(tmp_path: Path) -> None:
    from sklearn.feature_extraction.text import TfidfVectorizer

    path = tmp_path / "reviews.csv"
    reviews().to_csv(path, index=False)
    memory = ep.select(path, "stars", k=3, method="jmi", text=["review"])
    with open_source(path, text="review") as source:
        rows = [block.n_rows for block in source.blocks(30)]
        both = [block.column(3) for block in source.blocks(30)]
        whole = source.table().column(3)
    assert sum(rows) == 80
    assert np.array_equal(np.concatenate(both), whole)
    own = ep.select(reviews(), "stars", k=3, method="jmi", text={"review": TfidfVectorizer(min_df=5)})
    assert own.feature_names == memory.feature_names


@pytest.mark.parametrize(
    ("text", "word"), [("revue", "no column 'revue'. Did you mean 'review'"), ("size", "must hold texts")]
)
def test_words_of_what_is_none(text: str, word: str) -> None:
    with pytest.raises(ep.InvalidParameter, match=word):
        ep.select(reviews(), "stars", k=1, text=text)


def test_words_in_a_pipeline() -> None:
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    X, y = reviews()[["review", "size"]], reviews()["stars"]
    pipeline = make_pipeline(ep.Selector("jmi", 3, text="review"), LogisticRegression()).fit(X, y)
    assert pipeline[0].selection_.names == ep.select(X, y, k=3, method="jmi", text="review").names
    assert pipeline.score(X, y) == 1.0
    new = pd.DataFrame({"review": ["money, money", "words never seen"], "size": [0.0, 0.0]})
    assert pipeline[0].transform(new)["review: money"].tolist() == [2, 0]  # the words are those of the fit
    with pytest.raises(ep.InvalidParameter, match="text: no column 'review'"):
        pipeline.predict(new[["size"]])
    with pytest.raises(ep.InvalidParameter, match="text: needs all rows at once"):
        ep.Selector("jmi", 3, text="review").partial_fit(X, y)


def test_layer_of_what_has_none() -> None:
    with pytest.raises(ep.InvalidParameter, match="layer: is for cells"):
        ep.select(TableSource(as_table(reviews())), "stars", k=1, layer="counts")
