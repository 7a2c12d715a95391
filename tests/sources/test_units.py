"""Money, percent and units beside numbers."""

from __future__ import annotations

import pytest

from entropick.sources import open_source


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
