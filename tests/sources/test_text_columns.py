"""Kinds and values of text columns: by hand, and against a reader that looks at one value at a time."""

from __future__ import annotations

import csv
import io
import random
import re
from datetime import datetime

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from entropick.errors import InvalidInput
from entropick.sources.text import csv_files
from entropick.sources.text.columns import TextColumn
from entropick.sources.text.csv_files import open_csv
from entropick.sources.text.forms import GAPS, MISSING

NAN = float("nan")


# -- an obvious reader of one column, for commas as separators -----------------------------------------------

INTEGER = re.compile(r"-?[0-9]+")
NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def obvious(texts):
    """(kind, values) of a column of texts by trying one kind after the other on every text."""
    texts = [text.strip() for text in texts]
    texts = [None if text in MISSING else text for text in texts]
    known = [text for text in texts if text is not None]
    if known and all(text.lower() in ("yes", "no") for text in known):
        return "boolean", [None if text is None else float(text.lower() == "yes") for text in texts]
    numbers = [None if text is None or text.lower() in GAPS else text for text in texts]
    said = [text for text in numbers if text is not None]
    if not said and not any(text is not None and text not in GAPS for text in texts):
        return "numeric", [None] * len(texts)
    if all(INTEGER.fullmatch(text) and abs(int(text)) < 2**63 for text in said):
        if any(re.match("0[0-9]", text) for text in said):
            return "category", numbers
        return "integer", [None if text is None else int(text) for text in numbers]
    if all(NUMBER.fullmatch(text) for text in said):
        return "numeric", [None if text is None else float(text) for text in numbers]
    if all(DATE.fullmatch(text) for text in said):
        start = datetime(1970, 1, 1)
        return "numeric", [
            None if text is None else (datetime.fromisoformat(text) - start).total_seconds() for text in numbers
        ]
    return "category", texts


WORD = st.sampled_from(["x", "seven", "a b", "1st", 'say "so"', "1,5,0", "ü", "two\nlines", "-x", "nano", "info"])
VALUE = {
    "integer": st.integers(-(2**40), 2**40).map(str),
    "small": st.integers(0, 3).map(str),
    "fraction": st.floats(allow_nan=False, allow_infinity=False).map(repr),
    "code": st.integers(0, 999).map(lambda i: f"{i:04d}"),
    "boolean": st.sampled_from(["yes", "no", "Yes", "NO"]),
    "date": st.dates().map(str),
    "word": WORD,
    "missing": st.sampled_from(["", "NA", "null", "nan"]),
    "gap": st.sampled_from(["?", "-", "n.a."]),
}


@st.composite
def column(draw, n):
    """Mostly of one kind, with some of another, with spaces."""
    kinds = draw(st.lists(st.sampled_from(sorted(VALUE)), min_size=1, max_size=3))
    texts = [draw(VALUE[draw(st.sampled_from(kinds))]) for _ in range(n)]
    pad = draw(st.sampled_from(["", "", " "]))
    return [pad + text + pad for text in texts]


@st.composite
def tables(draw):
    n = draw(st.integers(1, 12))
    return [[str(i) for i in range(n)], *draw(st.lists(column(n), min_size=1, max_size=4))]


def written(columns):
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([f"c{j}" for j in range(len(columns))])
    writer.writerows(zip(*columns, strict=True))
    return out.getvalue().encode()


@given(columns=tables(), chunk=st.sampled_from([1 << 8, 1 << 12]))
@settings(max_examples=300, deadline=None)
def test_as_an_obvious_reader_reads(tmp_path_factory, columns, chunk):
    path = tmp_path_factory.mktemp("text") / "a.csv"
    path.write_bytes(written(columns))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(csv_files, "CHUNK", chunk)
        patch.setattr(csv_files, "TALLEST", 1)
        source = open_csv(path)
        table = source.table()
        blocks = list(source.blocks(3))
    for j, texts in enumerate(columns):
        kind, values = obvious(texts)
        assert (source.kinds[j], texts) == (kind, texts)
        expected = np.array(values, dtype=object if kind == "category" else float)
        np.testing.assert_array_equal(table.column(j), expected)
        np.testing.assert_array_equal(np.concatenate([block.column(j) for block in blocks]), expected)


@given(columns=tables())
@settings(max_examples=100, deadline=None)
def test_numbers_are_the_same_by_arrows_reader_and_by_ours(tmp_path_factory, columns):
    path = tmp_path_factory.mktemp("text") / "a.csv"
    path.write_bytes(written(columns))
    source = open_csv(path)
    direct = [column.direct for column in source._columns]
    ours = csv_files.CsvSource(
        source._text, [TextColumn(c.name, c.form, c.vacant) for c in source._columns], source.n_rows, source._sizes
    )
    assert direct[0]
    for j in range(source.n_columns):
        np.testing.assert_array_equal(source.table().column(j), ours.table().column(j))


def test_kinds_do_not_depend_on_where_the_odd_value_is(tmp_path, monkeypatch):
    """In chunks of a few rows, so that most have seen nothing odd."""
    monkeypatch.setattr(csv_files, "CHUNK", 256)
    monkeypatch.setattr(csv_files, "TALLEST", 1)
    path = tmp_path / "a.csv"
    for odd, kind in {"1.5": "numeric", "x": "category", "": "integer", "?": "integer", "007": "category"}.items():
        for place in (0, 1, 250, 499):
            values = [str(i % 7) for i in range(500)]
            values[place] = odd
            path.write_text("a,b\n" + "".join(f"{value},1\n" for value in values))
            assert open_csv(path).kinds[0] == kind, (odd, place)


@pytest.mark.parametrize("place", [1, 2, 250, 499])
def test_the_row_of_the_odd_value_is_named(tmp_path, monkeypatch, place):
    monkeypatch.setattr(csv_files, "CHUNK", 256)
    path = tmp_path / "a.csv"
    values = ["1", "1.5", "", "?"] * 125
    values[place] = "much"
    path.write_text("a,b\n" + "".join(f"{value},1\n" for value in values))
    source = open_csv(path)
    turn = f"'a' turns from numbers or dates to text in data row {place + 1} ('much'): read as a category"
    assert source.notes[-1] == f"{turn}; if that marks a missing value, name it with missing="
    with pytest.raises(InvalidInput, match=f"must hold numbers, got 'much' in data row {place + 1}"):
        source.recast(["numeric", "integer"])


@pytest.mark.parametrize(
    ("header", "lines", "values"),
    [
        ("a;b", ["1,234;x", "5,678;y"], [1.234, 5.678]),  # nothing else to go by: as the separator says
        ("a,b", ['"1,234",x', '"5,678",y'], [1234, 5678]),
        ("a;b", ["1,234;0.5", "5,678;1.5"], [1234, 5678]),  # the other column has decimal points
        ("a,b", ['"1,234","0,5"', '"5,678","1,5"'], [1.234, 5.678]),  # and here commas
        ("a;b", ["1.234;0,5", "5.678;1,5"], [1234, 5678]),
        ("a;b", ["1.234;0.5", "5.678;1.5"], [1.234, 5.678]),
        ("a;b", ["1.234;x", "5.678;y"], [1.234, 5.678]),
        ("a,b", ["1'234.5,x", "5.25,y"], [1234.5, 5.25]),
        ("a;b", ["1 234,5;x", "5,25;y"], [1234.5, 5.25]),
    ],
)
def test_commas_and_points(tmp_path, header, lines, values):
    path = tmp_path / "a.csv"
    path.write_text("\n".join([header, *lines]))
    source = open_csv(path)
    assert source.kinds[0] == "numeric"
    assert source.table().column(0).tolist() == values


@pytest.mark.parametrize(
    ("texts", "values"),
    [
        (["2020-02-29", "1970-01-01"], [1582934400, 0]),
        (["1970-01-01 00:01", "1970-01-02 00:00:01.5"], [60, 86401.5]),
        (["1970-01-01T01:00:00+01:00", "1970-01-01T00:00:01Z"], [0, 1]),
        (["31/12/1969", "01/01/1970"], [-86400, 0]),
        (["12/31/1969", "01/01/1970"], [-86400, 0]),
        (["1970/01/02", "1970/1/1"], [86400, 0]),
        (["2.1.1970", "01.01.1970"], [86400, 0]),
        (["1-Jan-1970", "2-Jan-1970"], [0, 86400]),
        (["1970-01-02", "?"], [86400, NAN]),
    ],
)
def test_dates(tmp_path, texts, values):
    path = tmp_path / "a.csv"
    path.write_text("a,b\n" + "".join(f"{text},1\n" for text in texts))
    source = open_csv(path)
    assert source.notes[-1] == "dates and durations are read as seconds: 'a'"
    np.testing.assert_array_equal(source.table().column(0), values)


@pytest.mark.parametrize(
    "texts",
    [["2020-13-01"], ["2020-01-01", "soon"], ["31/12/2020", "12/31/2020"], ["555-12-3456"], ["10.0.0.1"], ["0x1F"]],
)
def test_not_dates_or_numbers(tmp_path, texts):
    path = tmp_path / "a.csv"
    path.write_text("a,b\n" + "".join(f"{text},1\n" for text in texts))
    source = open_csv(path)
    assert source.kinds[0] == "category"
    assert source.table().column(0).tolist() == texts


def test_values_are_exact(tmp_path):
    """As Python reads them: the nearest double, whatever the number of digits."""
    generator = random.Random(0)
    texts = [repr(generator.uniform(-1, 1) * 10 ** generator.randint(-300, 300)) for _ in range(2000)]
    texts += ["0.1000000000000000055511151231257827", "1e23", "9007199254740993.0", "5e-324", "1.7976931348623157e308"]
    path = tmp_path / "a.csv"
    path.write_text("a,b\n" + "".join(f"{text},1\n" for text in texts))
    assert open_csv(path).table().column(0).tolist() == [float(text) for text in texts]


def test_only_the_columns_that_are_asked_for_are_read(tmp_path, monkeypatch):
    path = tmp_path / "a.csv"
    path.write_text("a,b,c\n1,x,2\n3,y,4\n")
    source = open_csv(path)
    seen = []
    original = csv_files.TextFile._reader

    def spy(self, stream, names, *rest):
        seen.append(list(names))
        return original(self, stream, names, *rest)

    monkeypatch.setattr(csv_files.TextFile, "_reader", spy)
    assert [column.tolist() for block in source.blocks(columns=[2]) for column in [block.column(0)]] == [[2, 4]]
    assert seen == [["c"]]


def test_text_columns_become_arrow_arrays(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("a,b,d,n\n1,x,2020-01-01,\n3,y,2020-01-02,\n")
    (batch,) = open_csv(path).arrow_batches()
    assert batch.schema.types == [pa.int64(), pa.string(), pa.timestamp("us"), pa.float64()]
