"""Whatever ends the reading of a text file ends the process too: no abort, no hang, no thread that reads on."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
import threading

import pytest

pytest.importorskip("pyarrow", reason="text files need pyarrow")

from entropick.errors import InvalidInput
from entropick.sources import open_source
from entropick.sources.text import stream as streams

GOOD = b"1,2,3,0\n4,5,6,1\n"
BYTES = 12 << 20  # several times what Arrow takes at once

# The stream is slow, so that Arrow's thread is in the middle of it, waiting for the interpreter, when the process ends.
CHILD = """
    import os, signal, sys, threading, time
    from entropick.sources import open_source
    from entropick.sources.text import stream

    real = stream.TextStream.readinto
    def slow(self, target):
        time.sleep(0.05)
        return real(self, target)
    stream.TextStream.readinto = slow
    path, how = sys.argv[1:]
    if how == "caught":
        try:
            open_source(path)
        except ValueError as error:
            print(error)
    elif how == "uncaught":
        open_source(path)
    elif how == "left":
        blocks = open_source(path).blocks(1000)
        next(blocks)
        print("left")
    elif how == "interrupted":
        source = open_source(path)
        threading.Timer(0.15, os.kill, (os.getpid(), signal.SIGINT)).start()
        for block in source.blocks():
            pass
"""


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("ends")
    body = GOOD * (BYTES // len(GOOD))
    middle = len(body) // 2
    texts = {
        "good": body,
        "ragged first": GOOD * 10 + b"z,z\n" + body,
        "ragged": body[:middle] + b"z,z\n" + body[middle:],
        "no UTF-8": body[:middle] + b"\xff,1,1,1\n" + body[middle:],
    }
    for name, text in texts.items():
        (folder / f"{name}.csv").write_bytes(b"a,b,c,y\n" + text)
    return folder


@pytest.mark.parametrize(
    ("name", "how", "code", "told"),
    [
        ("ragged first", "caught", 0, "data row 21 has 2 values for 4 columns"),
        ("ragged", "caught", 0, "has 2 values for 4 columns"),
        ("no UTF-8", "caught", 0, "is not UTF-8 text"),
        ("ragged", "uncaught", 1, ""),
        ("good", "left", 0, "left"),
        ("good", "interrupted", -2, ""),
    ],
)
def test_the_process_ends(files, name, how, code, told):
    words = [sys.executable, "-c", textwrap.dedent(CHILD), str(files / f"{name}.csv"), how]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=100)
    assert done.returncode == code, done.stderr
    assert told in done.stdout
    assert "terminate" not in done.stderr
    assert "Fatal" not in done.stderr


def test_nothing_reads_on_after_an_error(files, monkeypatch):
    reads = []
    real = streams.TextStream.readinto

    def counted(self, target):
        reads.append(threading.get_ident())
        return real(self, target)

    monkeypatch.setattr(streams.TextStream, "readinto", counted)
    for name in ("ragged first", "ragged", "no UTF-8"):
        with pytest.raises(InvalidInput):
            open_source(files / f"{name}.csv")
        n = len(reads)
        assert not streams.open_readings
        open_source(os.fspath(files / "good.csv")).close()
        assert len(reads) > n
