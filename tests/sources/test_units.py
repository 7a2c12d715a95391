"""Money, percent and units beside numbers."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from entropick.sources import as_table, open_source, split_target


@pytest.mark.parametrize(
    ("texts", "values"),
    [
        (["$1,350.00", "$2.50", "-$7"], [1350, 2.5, -7]),
        (["5%", "12.5%", "100 %"], [5, 12.5, 100]),
        (["12 kg", "7.5 kg", "1,200 kg"], [12, 7.5, 1200]),
        (["1.350,00 €", "2,50 €", "7 €"], [1350, 2.5, 7]),
    ],
)
def test_numbers_beside_a_sign(tmp_path, texts, values):
    path = tmp_path / "a.csv"
    path.write_text("price;y\n" + "".join(f"{text};u\n" for text in texts))
    source = open_source(path)
    assert source.kinds == ("numeric", "category")
    assert source.table().column(0).tolist() == values
    assert "symbols and units next to numbers ignored in 'price'" in source.notes


@pytest.mark.parametrize("texts", [["12 kg", "500 g"], ["$5", "€5"], ["5%", "high"], ["1e5", "3A"], ["3A", "4B"]])
def test_different_units_are_no_numbers(tmp_path, texts):
    path = tmp_path / "a.csv"
    path.write_text("price;y\n" + "".join(f"{text};u\n" for text in texts))
    assert open_source(path).kinds == ("category", "category")
    assert open_source(path, categorical=["price"]).table().column(0).tolist() == texts


TYPED = {
    "fee": (["$1,350.00", "$2.50", "$7", None], [1350.0, 2.5, 7.0, np.nan]),
    "share": (["5%", "12%", "7.5%", "1%"], [5.0, 12.0, 7.5, 1.0]),
    "text": (["1.5", "2", "?", "3"], [1.5, 2.0, np.nan, 3.0]),
    "since": (["2020-01-01", "2020-01-02", "", "1970-01-01"], [1577836800.0, 1577923200.0, np.nan, 0.0]),
    "code": (["1", "2", "30", "4"], None),
    "long": (["9223372036854775808", "99999999999999999999", "1", "2"], None),
    "place": (["1st", "1st", "1st", "1st"], None),
    "mixed": (["1.5", "2", "three", "3"], None),
}


@pytest.mark.parametrize("make", [lambda X: X, pl.from_pandas, pa.Table.from_pandas, lambda X: X.to_dict("list")])
def test_texts_of_frames_are_read_as_those_of_files(make):
    table = as_table(make(pd.DataFrame({name: texts for name, (texts, _) in TYPED.items()})))
    for j, (texts, values) in enumerate(TYPED.values()):
        if values is None:
            assert table.kind(j) == "category"
            assert table.column(j).tolist() == texts
        else:
            assert table.kind(j) == "numeric"
            np.testing.assert_array_equal(table.column(j), values)
    assert "text read as numbers in 'text'" in table.notes


def test_categories_of_a_frame_stay():
    frame = pd.DataFrame({"a": pd.Categorical(["1.5", "2.5"]), "b": ["$1", "$2"]})
    assert [as_table(frame).kind(j) for j in range(2)] == ["category", "numeric"]
    source = open_source(frame, categorical=["b"])
    assert source.table().column(1).tolist() == ["$1", "$2"]


def test_a_target_of_texts(tmp_path):
    frame = pd.DataFrame({"a": range(40), "y": [f"${one}.50" for one in range(40)]})
    frame.to_csv(tmp_path / "a.csv", index=False)
    _, values, _ = split_target(frame, "y")
    assert values.tolist() == split_target(open_source(tmp_path / "a.csv").table(), "y")[1].tolist()
