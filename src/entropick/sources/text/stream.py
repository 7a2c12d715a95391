"""The bytes of a text file: unpacked, without lines of remarks, quotes counted on the way."""

from __future__ import annotations

import codecs
import io
import lzma
from pathlib import Path
from typing import Any

from ...errors import MissingExtra

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
        return b"".join(line for line in lines if not line.startswith(b"#"))

    def close(self) -> None:
        self._inner.close()
        super().close()
