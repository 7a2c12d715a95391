"""Blocks of a source, what is kept of them, and the memory limit."""

from __future__ import annotations

import errno
import tempfile
from functools import partial

import numpy as np
import pytest

from entropick.errors import InvalidInput, InvalidParameter
from entropick.sources import Schema, Source, TableSource, as_table
from entropick.sources.blocks import LocalBlocks, LocalParts, parse_memory


def first_column(table):
    return table.column(0).tolist()


def joined(one, other):
    return one + other


@pytest.fixture
def source():
    return TableSource(as_table({"a": np.arange(10), "b": np.arange(10) / 2, "c": list("abcdefghij")}))


@pytest.mark.parametrize("rows", [1, 3, 10, 99])
def test_blocks_are_gone_through_in_order_again_and_again(source, rows):
    blocks = LocalBlocks(source, rows=rows)
    assert (blocks.names, blocks.kinds) == (("a", "b", "c"), ("integer", "numeric", "category"))
    for _ in range(2):
        assert blocks.reduce(first_column, joined) == list(range(10))
    assert blocks.select([1]).reduce(first_column, joined) == [i / 2 for i in range(10)]
    with blocks.keep(first_column) as kept:
        for _ in range(2):
            assert kept.reduce(len, joined) == 10
            assert kept.reduce(partial(map, float), lambda a, b: [*a, *b])


def test_rows_of_a_block_follow_from_the_limit(source):
    width = 8 + 8 + 64
    assert LocalBlocks(source, memory=1 << 30).rows == (1 << 30) // 16 // width
    assert LocalBlocks(source, memory=1 << 20).rows == (1 << 20) // 16 // width
    assert LocalBlocks(source).rows == (64 << 20) // width


def test_no_row_at_all():
    class Empty(Source):
        def blocks(self, rows=None, columns=None):
            return iter(())

    blocks = LocalBlocks(Empty(Schema(("a",), ("numeric",)), 0))
    with pytest.raises(InvalidInput, match="column names but no rows"):
        blocks.reduce(first_column, joined)


def test_parts_beyond_the_room_go_to_a_file_without_a_name(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    parts = LocalParts(room=300)
    given = [np.arange(100) + i for i in range(5)]
    for array in given:
        parts.append(array)
    assert parts._file is not None
    assert list(tmp_path.iterdir()) == []
    assert parts.reduce(np.sum, joined) == sum(array.sum() for array in given)
    parts.close()
    parts.close()


def test_an_error_or_interrupt_forgets_what_was_kept(source, tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    closed = []
    monkeypatch.setattr(LocalParts, "close", lambda self: closed.append(self))

    def interrupted(table):
        if table.column(0)[0] > 3:
            raise KeyboardInterrupt
        return table.column(0)

    with pytest.raises(KeyboardInterrupt):
        LocalBlocks(source, rows=2).keep(interrupted)
    assert len(closed) == 1
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_told(monkeypatch):
    class Full:
        def tell(self):
            return 0

        def write(self, data):
            raise OSError(errno.ENOSPC, "No space left on device")

        def close(self):
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(tempfile, "TemporaryFile", lambda **_: Full())
    parts = LocalParts(room=0)
    with pytest.raises(InvalidInput, match=r"memory: .* is full \(No space left on device\); set TMPDIR"):
        parts.append(np.arange(3))
    parts.close()


@pytest.mark.parametrize(
    ("given", "found"),
    [
        (None, None),
        ("1GB", 1 << 30),
        ("1.5 GiB", 3 << 29),
        ("512m", 512 << 20),
        ("2000 kb", 2000 << 10),
        (5_000_000, 5_000_000),
        (0.5, 1 << 29),
        (2, 2 << 30),
        (2.0, 2 << 30),
        (np.int64(2), 2 << 30),
        (5e6, 5_000_000),
        ("2t", 2 << 40),
    ],
)
def test_memory_limits(given, found):
    assert parse_memory(given) == found


@pytest.mark.parametrize(
    "given", ["much", "", "1 GX", -1, 0, 100_000, 0.0001, True, [1], "-1GB", float("nan"), float("inf")]
)
def test_memory_limits_that_are_none(given):
    with pytest.raises(InvalidParameter, match=r"memory: must be at least 1 MB"):
        parse_memory(given)
