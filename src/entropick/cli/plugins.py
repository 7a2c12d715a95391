"""`--plugin`: modules that register methods of one's own."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

from ..errors import InvalidParameter


def load_plugins(modules: list[str] | None) -> None:
    """Import each, by its name as `python -m` would find it, or by its file."""
    for name in modules or ():
        path = Path(name)
        by_file = path.suffix == ".py"
        if by_file and not path.is_file():
            raise InvalidParameter(f"--plugin: no file {name!r}")
        folder = str(path.parent.resolve() if by_file else Path.cwd())
        if folder not in sys.path:
            sys.path.insert(0, folder)
        try:
            import_module(path.stem if by_file else name)
        except ImportError as error:
            raise InvalidParameter(f"--plugin: {name!r} cannot be imported ({error})") from error
