"""Files appear whole or not at all, and a full disk is told with the name of what it has no room for."""

from __future__ import annotations

import errno
import os
import struct
import tempfile
import tokenize
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any
from zipfile import BadZipFile

from .errors import InvalidInput

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)  # no room on the disk, or for this user, or in one file

# what NumPy, the libraries below it and whoever looks into the arrays raise on a damaged .npz file
UNREADABLE = (
    OSError, EOFError, ValueError, KeyError, TypeError, AttributeError, IndexError, RuntimeError, OverflowError,
    MemoryError, SyntaxError, BadZipFile, zlib.error, struct.error, tokenize.TokenError,
)  # fmt: skip


@contextmanager
def whole_file(path: Path, mode: str = "wb", **how: Any) -> Iterator[IO[Any]]:
    """A file under a temporary name beside the path, renamed at the end; an error leaves what was there before."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with open(temporary, mode, **how) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), str(path)) from error
    finally:
        temporary.unlink(missing_ok=True)


def write_whole(path: Path, text: str) -> None:
    """The text as a file, whole or not at all."""
    with whole_file(path, "w", encoding="utf-8", newline="") as file:
        file.write(text)


@contextmanager
def room_for(what: str) -> Iterator[None]:
    """While ``what`` is written to temporary files: a full disk is an error that says where they are."""
    try:
        yield
    except OSError as error:
        if error.errno not in FULL:
            raise
        raise InvalidInput(
            f"{what} go to {tempfile.gettempdir()!r}, which is full ({os.strerror(error.errno)});"
            " set TMPDIR to a folder with room"
        ) from error
