"""Files appear whole or not at all, and a full disk is told with the name of what it has no room for."""

from __future__ import annotations

import errno
import os
import secrets
import stat
import struct
import tempfile
import tokenize
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any
from zipfile import BadZipFile

from .errors import InvalidInput

try:
    import fcntl
except ImportError:  # Windows, where nothing tells a file that is being written from one that was left
    fcntl = None  # type: ignore[assignment]

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)  # no room on the disk, or for this user, or in one file

# what NumPy, the libraries below it and whoever looks into the arrays raise on a damaged .npz file
UNREADABLE = (
    OSError, EOFError, ValueError, KeyError, TypeError, AttributeError, IndexError, RuntimeError, OverflowError,
    MemoryError, SyntaxError, BadZipFile, zlib.error, struct.error, tokenize.TokenError,
)  # fmt: skip

PREFIX, SUFFIX = ".entropick-", ".part"  # of a temporary name, which is short whatever the file is called
swept: set[str] = set()  # folders in which this process has looked for what others left


@contextmanager
def whole_file(path: str | os.PathLike[str], mode: str = "wb", **how: Any) -> Iterator[IO[Any]]:
    """A file under a temporary name beside the path, renamed at the end; an error leaves what was there before.

    The temporary name is new and opened exclusively, so that threads and processes that write to one path never meet
    and nobody can lay a link there. A link at the path itself is followed, the mode and the owner of the file that is
    replaced are kept, and a device or a pipe, which cannot be renamed, is written to as it is.
    """
    path = Path(path)
    temporary = None
    try:
        there = _stat(path)
        if there is not None and not stat.S_ISREG(there.st_mode):
            with open(path, mode, **how) as file:
                yield file
            return
        destination = _end_of_links(path)
        _sweep(destination.parent)
        handle, temporary = _exclusive(destination.parent, 0o666 if there is None else 0o600)
        lock = os.dup(handle) if fcntl else None  # held until the file has its name
        try:
            with os.fdopen(handle, mode, **how) as file:
                yield file
                file.flush()
                _take_after(file.fileno(), there)
                os.fsync(file.fileno())
            os.replace(temporary, destination)
            temporary = None
            _sync_folder(destination.parent)
        finally:
            if lock is not None:
                os.close(lock)
    except OSError as error:
        if _of_another(error, path):
            raise
        raise OSError(error.errno, _reason(error, path), str(path)) from error
    finally:
        if temporary is not None:
            temporary.unlink(missing_ok=True)


def write_whole(path: str | os.PathLike[str], text: str) -> None:
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


def _stat(path: Path) -> os.stat_result | None:
    """Of what is at the path, at the end of all links; None where nothing is."""
    try:
        return os.stat(path)
    except FileNotFoundError:
        return None


def _end_of_links(path: Path) -> Path:
    if not path.is_symlink():
        return path
    end = Path(os.path.realpath(path))
    if end.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    return end


def _exclusive(folder: Path, mode: int) -> tuple[int, Path]:
    """A new file of ours, locked for as long as it is open, so that nobody takes it for one that was left.

    ``tempfile.mkstemp`` would do the same with mode 600, and the user's umask cannot be asked for without setting it.
    """
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    while True:
        path = folder / f"{PREFIX}{secrets.token_hex(8)}{SUFFIX}"
        try:
            handle = os.open(path, flags, mode)
        except FileExistsError:
            continue
        if fcntl is None:
            return handle, path
        with suppress(OSError):  # a file system without locks: then nobody sweeps there either
            fcntl.flock(handle, fcntl.LOCK_EX)
        if path.exists():
            return handle, path
        os.close(handle)  # swept between the two calls


def _sweep(folder: Path) -> None:
    """Remove what writers left that were killed: temporary files of ours that no process holds. Once a process."""
    where = os.path.abspath(folder)
    if fcntl is None or where in swept:
        return
    swept.add(where)
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.startswith(PREFIX) and entry.name.endswith(SUFFIX) and entry.is_file(follow_symlinks=False):
                with suppress(OSError):
                    _remove_abandoned(entry.path)


def _remove_abandoned(path: str) -> None:
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.path.samestat(os.fstat(handle), os.lstat(path)) and os.fstat(handle).st_uid == os.geteuid():
            os.unlink(path)
    finally:
        os.close(handle)


def _take_after(handle: int, there: os.stat_result | None) -> None:
    """Owner, where we may, and mode of the file that is replaced."""
    if there is None or not hasattr(os, "fchmod"):
        return
    made = os.fstat(handle)
    if (made.st_uid, made.st_gid) != (there.st_uid, there.st_gid):
        with suppress(OSError):
            os.fchown(handle, there.st_uid, there.st_gid)
    os.fchmod(handle, stat.S_IMODE(there.st_mode) & 0o777)


def _sync_folder(folder: Path) -> None:
    """The new name outlasts a loss of power too."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    with suppress(OSError):  # some file systems have no such thing
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _of_another(error: OSError, path: Path) -> bool:
    """Whether the error is of another file, which whoever writes this one was reading."""
    if error.filename is None:
        return False
    name = os.fsdecode(error.filename) if isinstance(error.filename, (str, bytes)) else str(error.filename)
    return name != str(path) and not os.path.basename(name).startswith(PREFIX)


def _reason(error: OSError, path: Path) -> str:
    """What the system says, and what it says it of where that is not the file itself."""
    folder = path.parent
    if error.errno == errno.ENOENT and not folder.is_dir():
        return f"there is no folder {str(folder)!r}"
    reason = error.strerror or str(error)
    if error.errno in (errno.EACCES, errno.EPERM) and not os.access(folder, os.W_OK | os.X_OK):
        return f"{reason} to write in the folder {str(folder)!r}"
    return reason
