"""Files appear whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from ..errors import InvalidParameter
from ..selection import Selection

WRITERS: dict[str, Callable[[Selection], str]] = {
    ".json": lambda selection: selection.to_json(indent=2) + "\n",
    ".csv": lambda selection: selection.to_frame().to_csv(index=False),
    ".txt": lambda selection: selection.explain() + "\n",
    ".html": lambda selection: _page(selection),
}


def _page(selection: Selection) -> str:
    from .page import page

    return page(selection)


def check_destination(path: Path) -> None:
    """Say before the work starts that its result could not be saved."""
    if path.suffix.lower() not in WRITERS:
        raise InvalidParameter(f"--save: must end in {', '.join(WRITERS)}, got {str(path)!r}")
    if not path.parent.is_dir():
        raise InvalidParameter(f"--save: must be in an existing folder, got {str(path)!r}")
    if path.is_dir():
        raise InvalidParameter(f"--save: must be a file, got the folder {str(path)!r}")


def save(selection: Selection, path: Path) -> None:
    """The selection in the form that the ending of the path names."""
    write_whole(path, WRITERS[path.suffix.lower()](selection))


def write_whole(path: Path, text: str) -> None:
    """Write under a temporary name beside the path, then rename; an error leaves what was there before."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with open(temporary, "w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
