"""The bytes of a text file: unpacked, without lines of remarks, quotes counted on the way; and how to stop reading."""

from __future__ import annotations

import atexit
import codecs
import ctypes
import io
import lzma
import time
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from ...errors import MissingExtra

LONGEST_LINE = 1 << 26  # bytes, where lines are looked at one by one
PACKED = {".gz": "gzip", ".bz2": "bz2", ".zst": "zstd", ".xz": "xz"}


def open_packed(path: Path) -> Any:
    """A binary stream of the file, unpacked as its ending asks for."""
    try:
        import pyarrow as pa
    except ImportError as error:
        raise MissingExtra("pyarrow", "cli", "reading text files") from error
    packing = PACKED.get(path.suffix.lower())
    return lzma.open(path) if packing == "xz" else pa.input_stream(str(path), compression=packing)


class TextStream(io.RawIOBase):
    """What a text is read from, in UTF-8 without a mark. ``quotes`` is the number of quotation marks so far."""

    def __init__(self, path: Path, encoding: str, *, remarks: bool) -> None:
        self._inner = open_packed(path)
        utf8 = codecs.lookup(encoding).name == "utf-8"
        self._decoder = None if utf8 else codecs.getincrementaldecoder(encoding)()
        self._remarks = remarks
        self._begun = False
        self._line = b""  # begun and not ended yet
        self._ready = b""
        self.quotes = 0

    def readable(self) -> bool:
        return True

    def readinto(self, target: Any) -> int:
        while not self._ready:
            data = self._inner.read(len(target))
            self._ready = self._prepared(data)
            self.quotes += self._ready.count(b'"')
            if not data:
                break
        n = min(len(target), len(self._ready))
        target[:n] = self._ready[:n]
        self._ready = self._ready[n:]
        return n

    def _prepared(self, data: bytes) -> bytes:
        last = not data
        if self._decoder is not None:
            data = self._decoder.decode(data, final=last).encode("utf-8")
        if data and not self._begun:
            data = data.removeprefix(codecs.BOM_UTF8)
            self._begun = True
        return self._without_remarks(data, last) if self._remarks else data

    def _without_remarks(self, data: bytes, last: bool) -> bytes:
        """The lines that end in the data, or all that is left at the end of the file; none begins with ``#``."""
        lines = (self._line + data).splitlines(keepends=True)
        self._line = b"" if last or not lines else lines.pop()
        if len(self._line) > LONGEST_LINE:
            raise OSError(f"a line is longer than {LONGEST_LINE >> 20} MB")
        return b"".join(line for line in lines if not line.startswith(b"#"))

    def close(self) -> None:
        self._inner.close()
        super().close()


class Feed(io.RawIOBase):
    """What Arrow's thread reads: a stream until it is stopped, then the end of a file."""

    def __init__(self, stream: TextStream) -> None:
        self._stream: TextStream | None = stream

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        stream = self._stream
        return b"" if stream is None else stream.read(size) or b""

    def stop(self) -> None:
        self._stream = None


PATIENCE = 30.0  # seconds for Arrow's thread to end, which one read of a block takes at most
open_readings: weakref.WeakSet[Reading] = weakref.WeakSet()


class Reading:
    """The record batches of one of Arrow's CSV readers, whose thread has ended when `close` returns.

    Arrow reads ahead in a thread, which calls our stream, which is Python. If that thread lives when the interpreter
    ends, it aborts the process; if the reader is dropped while it lives, by someone who holds the interpreter's lock,
    each waits for the other. So the stream says that it is over, the last reference to the reader is given up without
    the lock (by way of Arrow's C interface, as ctypes lets go of it), and then nobody may hold the stream any more.
    """

    def __init__(self, stream: TextStream, make: Callable[[Callable[[], Feed]], Any]) -> None:
        given = [Feed(stream)]
        self._feed = weakref.ref(given[0])
        self._reader: Any = None
        open_readings.add(self)
        try:
            self._reader = make(given.pop)  # no variable holds the feed, which an exception's frames would keep alive
        except BaseException:
            self.close()
            raise

    def __iter__(self) -> Iterator[Any]:
        while True:
            try:
                batch = self._reader.read_next_batch()
            except StopIteration:
                return
            yield batch

    def close(self) -> None:
        feed = self._feed()
        if feed is not None:
            feed.stop()
        del feed
        if self._reader is not None:
            exported = (ctypes.c_void_p * 5)()  # struct ArrowArrayStream, of which the fourth is its release
            self._reader._export_to_c(ctypes.addressof(exported))
            self._reader = None
            release = exported[3]
            assert release is not None
            ctypes.CFUNCTYPE(None, ctypes.c_void_p)(release)(ctypes.addressof(exported))
        end = time.monotonic() + PATIENCE
        while self._feed() is not None and time.monotonic() < end:
            time.sleep(0.001)
        open_readings.discard(self)


@atexit.register
def close_readings() -> None:
    """What an exception that nobody caught, or an interrupt in the middle of `close`, has left open."""
    for reading in list(open_readings):
        reading.close()
