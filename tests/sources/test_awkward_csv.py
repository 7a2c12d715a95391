"""`entropick select` on files as people have them: the right columns and values, or one line that says what is wrong.

Every expectation is written by hand. In each readable file `good` decides the target `y` and `noise` says nothing.
"""

from __future__ import annotations

import gzip
import re

import numpy as np
import pytest
from typer.testing import CliRunner

from entropick.cli.app import app
from entropick.selection import Selection
from entropick.sources import open_source

NAN = float("nan")


def rows(*lines, times=3):
    """A header and lines of values, which come several times, as there must be enough to tell `good` from `noise`."""
    header, *values = lines
    return "".join(line + "\n" for line in [header, *values * times])


# name of the case -> (file, kinds of good and of other columns, first values of columns), hand-written
READABLE = {
    "plain": (
        rows("good,noise,y", "1.5,0,a", "1.25,1,a", "7.5,0,b", "8.0,1,b"),
        {"good": "numeric", "noise": "integer", "y": "category"},
        {"good": [1.5, 1.25, 7.5, 8.0], "noise": [0, 1, 0, 1]},
    ),
    "quotes around everything": (
        rows('"good","noise","y"', '"1.5","0","a"', '"1.25","1","a"', '"7.5","0","b"', '"8.0","1","b"'),
        {"good": "numeric", "noise": "integer"},
        {"good": [1.5, 1.25, 7.5, 8.0]},
    ),
    "separators and quotes inside quotes": (
        rows("good,noise,y", '"say ""a"", b",0,a', '"say ""a"", b",1,a', '"x;y",0,b', '"x;y",1,b'),
        {"good": "category", "noise": "integer"},
        {"good": ['say "a", b', 'say "a", b', "x;y", "x;y"]},
    ),
    "line breaks inside quotes": (
        rows("good,noise,y", '"two\nlines",0,a', '"two\nlines",1,a', "one,0,b", "one,1,b"),
        {"good": "category"},
        {"good": ["two\nlines", "two\nlines", "one", "one"]},
    ),
    "a quote in the middle of a text": (
        rows("good,noise,y", '5" pipe,0,a', '5" pipe,1,a', "rod,0,b", "rod,1,b", times=1)
        + '5" pipe,0,a\n',  # an odd number of quotes
        {"good": "category"},
        {"good": ['5" pipe', '5" pipe', "rod"]},
    ),
    "semicolons": (
        rows("good;noise;y", "1.5;0;a", "1.25;1;a", "7.5;0;b", "8.0;1;b"),
        {"good": "numeric", "noise": "integer"},
        {"good": [1.5, 1.25, 7.5, 8.0]},
    ),
    "semicolons and decimal commas": (
        rows("good;noise;y", "1,5;0;a", "1,25;1;a", "7,5;0;b", "8,0;1;b"),
        {"good": "numeric", "noise": "integer"},
        {"good": [1.5, 1.25, 7.5, 8.0]},
    ),
    "commas in names, semicolons, decimal commas": (
        rows("good;noise, cm;y", "1,5;0,5;a", "1,25;1,5;a", "7,5;0,5;b", "8,0;1,5;b"),
        {"good": "numeric", "noise, cm": "numeric"},
        {"good": [1.5, 1.25, 7.5, 8.0], "noise, cm": [0.5, 1.5, 0.5, 1.5]},
    ),
    "points between thousands, decimal commas": (
        rows("good;noise;big;y", "1.234,5;0;1.234;a", "999,0;1;999;a", "7.000.000,5;0;1.234;b", "8.000.000,0;1;999;b"),
        {"good": "numeric", "big": "numeric"},
        {"good": [1234.5, 999.0, 7000000.5, 8000000.0], "big": [1234, 999, 1234, 999]},
    ),
    "commas between thousands": (
        rows("good,noise,y", '"1,234",0,a', "950,1,a", '"7,000,000",0,b', '"8,000,000.5",1,b'),
        {"good": "numeric"},
        {"good": [1234, 950, 7000000, 8000000.5]},
    ),
    "spaces between thousands": (
        rows("good,noise,y", "1 234,0,a", "950,1,a", "7 000 000,0,b", "8 000 000,1,b"),
        {"good": "numeric"},
        {"good": [1234, 950, 7000000, 8000000]},
    ),
    "tabs in a .csv": (
        rows("good\tnoise\ty", "1.5\t0\ta", "1.25\t1\ta", "7.5\t0\tb", "8.0\t1\tb"),
        {"good": "numeric", "noise": "integer"},
        {"good": [1.5, 1.25, 7.5, 8.0]},
    ),
    "byte-order mark": (
        "\ufeff" + rows("good,noise,y", "1.5,0,a", "1.25,1,a", "7.5,0,b", "8.0,1,b"),
        {"good": "numeric"},
        {"good": [1.5, 1.25, 7.5, 8.0]},
    ),
    "UTF-16, as spreadsheets save it": (
        rows("good\tnoise\ty", "é\t0\ta", "é\t1\ta", "ü\t0\tb", "ü\t1\tb").encode("utf-16"),
        {"good": "category"},
        {"good": ["é", "é", "ü", "ü"]},
    ),
    "Windows line ends": (
        rows("good,noise,y", "1.5,0,a", "1.25,1,a", "7.5,0,b", "8.0,1,b").replace("\n", "\r\n"),
        {"good": "numeric", "y": "category"},
        {"good": [1.5, 1.25, 7.5, 8.0], "y": ["a", "a", "b", "b"]},
    ),
    "line ends of old Macs": (
        rows("good,noise,y", "1.5,0,a", "1.25,1,a", "7.5,0,b", "8.0,1,b").replace("\n", "\r"),
        {"good": "numeric", "y": "category"},
        {"good": [1.5, 1.25, 7.5, 8.0], "y": ["a", "a", "b", "b"]},
    ),
    "no line end at the end": (
        rows("good,noise,y", "1.5,0,a", "1.25,1,a", "7.5,0,b", "8.0,1,b").rstrip("\n"),
        {"good": "numeric"},
        {"good": [1.5, 1.25, 7.5, 8.0]},
    ),
    "blank lines here and there": (
        "\n\n" + rows("good,noise,y", "1.5,0,a", "", "1.25,1,a", "7.5,0,b", "", "8.0,1,b", "") + "\n",
        {"good": "numeric"},
        {"good": [1.5, 1.25, 7.5, 8.0]},
    ),
    "spaces around everything": (
        rows("good , noise , y", "  1.5 , 0 , a ", " 1.25 , 1 , a ", " 7.5 , 0 , b", " 8.0 , 1 , b"),
        {"good": "numeric", "noise": "integer", "y": "category"},
        {"good": [1.5, 1.25, 7.5, 8.0], "y": ["a", "a", "b", "b"]},
    ),
    "quotes after spaces": (
        rows("good, noise, y", '"u", 0, "a"', '"u", 1, "a"', '"v", 0, "b"', '"v", 1, "b"'),
        {"good": "category", "y": "category"},
        {"good": ["u", "u", "v", "v"], "y": ["a", "a", "b", "b"]},
    ),
    "lines of remarks": (
        "# measured in May\n# by hand, twice\n"
        + rows("good,noise,y", "1.5,0,a", "# a pause, then", "1.25,1,a", "7.5,0,b", "# 1,2,3", "8.0,1,b"),
        {"good": "numeric", "noise": "integer"},
        {"good": [1.5, 1.25, 7.5, 8.0]},
    ),
    "names after a hash": (
        rows("#good,noise,y", "1.5,0,a", "1.25,1,a", "7.5,0,b", "8.0,1,b"),
        {"good": "numeric"},
        {"good": [1.5, 1.25, 7.5, 8.0]},
    ),
    "separators at the ends of lines": (
        rows("good,noise,y,", "1.5,0,a,", "1.25,1,a,", "7.5,0,b,", "8.0,1,b,"),
        {"good": "numeric", "noise": "integer", "y": "category"},
        {"good": [1.5, 1.25, 7.5, 8.0]},
    ),
    "spellings of missing": (
        rows("good,noise,y", "NA,0,a", "n/a,1,a", "NULL,0,a", "7.5,1,b", "nan,0,a", ",1,a", "8,0,b", "#N/A,1,a"),
        {"good": "numeric", "noise": "integer"},
        {"good": [NAN, NAN, NAN, 7.5, NAN, NAN, 8.0, NAN]},
    ),
    "question marks among numbers": (
        rows("good,noise,y", "?,0,a", "-,1,a", "7,0,b", "8,1,b"),
        {"good": "integer", "noise": "integer"},
        {"good": [NAN, NAN, 7, 8]},
    ),
    "question marks among texts": (
        rows("good,noise,y", "?,0,a", "?,1,a", "yes,0,b", "maybe,1,b"),
        {"good": "category"},
        {"good": ["?", "?", "yes", "maybe"]},
    ),
    "numbers, then a text": (
        rows("good,noise,y", "1,0,a", "1,1,a", "2,0,b", "2,1,b") + "many,0,b\n",
        {"good": "category", "noise": "integer"},
        {"good": ["1", "1", "2", "2"]},
    ),
    "integers, then fractions": (
        rows("good,noise,y", "1,0,a", "2,1,a", "7,0,b", "8,1,b", times=1) + "1.5,0,a\n2.5,1,a\n7.5,0,b\n8.5,1,b\n",
        {"good": "numeric", "noise": "integer"},
        {"good": [1, 2, 7, 8, 1.5, 2.5, 7.5, 8.5]},
    ),
    "empty columns": (
        rows("good,none,noise,y", "1.5,,0,a", "1.25,,1,a", "7.5,,0,b", "8.0,,1,b"),
        {"good": "numeric", "none": "numeric", "noise": "integer"},
        {"none": [NAN] * 4},
    ),
    "dates": (
        rows("good,noise,y", "2020-01-01,0,a", "2020-01-02,1,a", "2021-07-01,0,b", "2021-07-02,1,b"),
        {"good": "numeric"},
        {"good": [1577836800, 1577923200, 1625097600, 1625184000]},  # seconds since 1970
    ),
    "dates and times with a zone": (
        rows("good,noise,y", "1970-01-01T00:00:10Z,0,a", "1970-01-01T01:00:00+01:00,1,a", "1970-01-02T00:00:00Z,0,b"),
        {"good": "numeric"},
        {"good": [10, 0, 86400]},
    ),
    "days first": (
        rows("good,noise,y", "31.12.1969,0,a", "1.1.1970,1,a", "2.1.1970,0,b", "3.1.1970,1,b"),
        {"good": "numeric"},
        {"good": [-86400, 0, 86400, 172800]},
    ),
    "days or months first, nobody knows": (
        rows("good,noise,y", "01/02/2020,0,a", "01/02/2020,1,a", "03/04/2020,0,b", "03/04/2020,1,b"),
        {"good": "category"},
        {"good": ["01/02/2020", "01/02/2020", "03/04/2020", "03/04/2020"]},
    ),
    "yes and no": (
        rows("good,noise,y", "yes,0,a", "Yes,1,a", "no,0,b", "NO,1,b"),
        {"good": "boolean", "noise": "integer"},
        {"good": [True, True, False, False]},
    ),
    "a target of yes and no": (
        rows("good,noise,y", "1.5,0,no", "1.25,1,no", "7.5,0,yes", "8.0,1,yes"),
        {"good": "numeric", "y": "boolean"},
        {"y": [False, False, True, True]},
    ),
    "TRUE and FALSE with gaps": (
        rows("good,noise,y", "TRUE,0,a", ",1,b", "FALSE,0,b", "TRUE,1,a"),
        {"good": "boolean"},
        {"good": [1, NAN, 0, 1]},
    ),
    "huge integers": (
        rows("good,noise,y", "9007199254740993,0,a", "5,1,a", "123456789012345678901234,0,b", "1e30,1,b"),
        {"good": "numeric"},
        {"good": [9007199254740992.0, 5.0, 1.2345678901234568e23, 1e30]},
    ),
    "integers of 64 bits": (
        rows("good,noise,y", "9223372036854775807,0,a", "9223372036854775806,1,a", "1,0,b", "2,1,b"),
        {"good": "integer"},
        {"good": [9223372036854775807, 9223372036854775806, 1, 2]},
    ),
    "codes with leading zeros": (
        rows("good,noise,y", "01234,0,a", "01234,1,a", "1234,0,b", "1234,1,b"),
        {"good": "category"},
        {"good": ["01234", "01234", "1234", "1234"]},
    ),
    "signs and exponents": (
        rows("good,noise,y", "+1.5,0,a", "-2e-3,1,a", "7E2,0,b", ".5e3,1,b"),
        {"good": "numeric"},
        {"good": [1.5, -0.002, 700, 500]},
    ),
    "row names, as pandas writes them": (
        rows(",good,noise,y", "0,1.5,0,a", "1,1.25,1,a", "2,7.5,0,b", "3,8.0,1,b"),
        {"good": "numeric", "noise": "integer"},
        {"good": [1.5, 1.25, 7.5, 8.0], "noise": [0, 1, 0, 1]},
    ),
    "row names and an empty column at the end": (
        rows('"",good,noise,y,', '"r1",1.5,0,a,', '"r2",1.25,1,a,', '"r3",7.5,0,b,', '"r4",8.0,1,b,'),
        {"good": "numeric", "noise": "integer"},
        {"good": [1.5, 1.25, 7.5, 8.0], "noise": [0, 1, 0, 1]},
    ),
    "names that are numbers": (
        rows("2019,2020,y", "1.5,0,a", "1.25,1,a", "7.5,0,b", "8.0,1,b"),
        {"2019": "numeric", "2020": "integer"},
        {"2019": [1.5, 1.25, 7.5, 8.0]},
    ),
}

# name of the case -> (file, words of the error)
UNREADABLE = {
    "nothing": ("", "is empty"),
    "blank lines only": ("\n \n\n", "is empty"),
    "remarks only": ("# a\n# b\n", "is empty"),
    "names only": ("good,y\n", "has column names but no rows"),
    "names only, no line end": ("good,y", "has column names but no rows"),
    "no names": ("1.5,2\n3.5,4\n", r"must begin with column names, got numbers \(1.5"),
    "a column without a name": (rows("good,,y", "1,0,a", "2,0,b"), "no name for column 2"),
    "a value without a name": (rows("good,y,", "1,a,", "2,b,3"), "no name for column 3"),
    "row names and a column without a name": (rows(",good,,y", "1,1,0,a", "2,2,0,b"), "no name for column 3"),
    "row names, as R writes them": (rows("good,y", "1,1.5,a", "2,2.5,b"), "2 column names and 3 values a row"),
    "too many values": (
        "good,y\n" + "1,a\n" * 1000 + "2,b,c\n" + "2,b\n",
        "data row 1001 has 3 values for 2 columns ",
    ),
    "too few values": ("good,y\n1,a\n2\n3,b\n", "data row 2 has 1 values for 2 columns"),
    "cut in the middle": ("good,noise,y\n1,2,a\n1,2,b\n1,", "data row 3 has 2 values for 3 columns"),
    "cut in a quote": ('good,y\n1,a\n2,"b', "a quotation mark is never closed"),
    "a quote that is never closed": ('good,y\n1,"a\n2,b\n3,c\n', "a quotation mark is never closed"),
    "latin-1": ("good,y\nété,a\n".encode("latin-1"), "not UTF-8 text; give its encoding, such as latin-1"),
    "latin-1 far down": (b"good,y\n" + b"ete,a\n" * 100_000 + b"\xe9t\xe9,b\n", "not UTF-8 text"),
    "no text at all": (bytes(range(256)) * 40, "not UTF-8 text"),
    "infinity": (rows("good,y", "1,a", "inf,b"), "infinity in column 'good', row 1"),
    "one column": ("y\na\nb\n", "no column is left to select from"),
    "no such target": (rows("good,Y", "1,a", "2,b"), "no column 'y' in .* Did you mean 'Y'"),
    "separated by spaces": (rows("good y", "1 a", "2 b"), "no column 'y' in .* It has: good y"),
}


def write(folder, content, name="data.csv"):
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def select(path, *words, code=0):
    result = CliRunner().invoke(app, ["select", str(path), "-t", "y", "-k", "1", "-o", "json", "-q", *words])
    assert result.exit_code == code, result.output
    return result


@pytest.mark.parametrize("case", READABLE)
def test_right(tmp_path, case):
    content, kinds, values = READABLE[case]
    path = write(tmp_path, content)
    source = open_source(path)
    table = source.table()
    assert {name: source.kinds[source.names.index(name)] for name in kinds} == kinds
    for name, expected in values.items():
        np.testing.assert_array_equal(table.column(table.names.index(name))[: len(expected)], expected)
    selection = Selection.from_json(select(path).stdout)
    assert selection.names == [source.names[0]]
    assert selection.n_samples == table.n_rows
    assert "" not in source.names


@pytest.mark.parametrize("case", UNREADABLE)
def test_a_clear_error(tmp_path, case):
    content, words = UNREADABLE[case]
    path = write(tmp_path, content)
    result = select(path, code=1)
    assert result.stdout == ""
    assert result.stderr.startswith("error: ")
    assert result.stderr.count("\n") == 1
    assert not any(word in result.stderr for word in ("Traceback", "bug in entropick", "pyarrow", "Arrow"))
    assert re.search(words, result.stderr), result.stderr
    assert [file.name for file in tmp_path.iterdir()] == ["data.csv"]


def test_twenty_thousand_columns(tmp_path):
    """The header alone is far longer than what is looked at to find the separator."""
    random = np.random.default_rng(0)
    values = random.integers(0, 2, size=(40, 20_000))
    names = [f"a rather long name of column {j}" for j in range(20_000)]
    names[0] = "y"
    names[12_345] = "good"
    values[:, 12_345] = values[:, 0]
    path = tmp_path / "wide.csv"
    np.savetxt(path, values, fmt="%d", delimiter=",", header=",".join(names), comments="")
    assert Selection.from_json(select(path, "-m", "mim").stdout).names == ["good"]


def test_latin_1_with_its_encoding(tmp_path):
    path = write(tmp_path, rows("good,y", "été,a", "hiver,b").encode("latin-1"))
    assert Selection.from_json(select(path, "--encoding", "latin-1").stdout).names == ["good"]
    assert open_source(path, encoding="latin-1").table().column(0)[:2].tolist() == ["été", "hiver"]


@pytest.mark.parametrize("cut", [1, 5, 9, 40])
def test_a_truncated_gz(tmp_path, cut):
    packed = gzip.compress(rows("good,y", "1,a", "2,b", times=500).encode())
    path = write(tmp_path, packed[:-cut], "data.csv.gz")
    assert "cannot be read" in select(path, code=1).stderr


@pytest.mark.parametrize("cut", [1, 8, 100, 400])
def test_a_truncated_parquet(tmp_path, cut):
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = tmp_path / "data.parquet"
    pq.write_table(pa.table({"good": list(range(100)), "y": ["a", "b"] * 50}), path)
    path.write_bytes(path.read_bytes()[:-cut])
    assert "not a readable Parquet file" in select(path, code=1).stderr


def test_a_damaged_parquet(tmp_path):
    """The end, which is read first, is whole; the values are not."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = tmp_path / "data.parquet"
    pq.write_table(pa.table({"good": list(range(10_000)), "y": ["a", "b"] * 5_000}), path)
    raw = bytearray(path.read_bytes())
    raw[100:5_000] = b"\xff" * 4_900
    path.write_bytes(raw)
    error = select(path, code=1).stderr
    assert error.startswith("error: file: 'data.parquet' is not a readable Parquet file")
    assert error.count("\n") == 1
