"""The command line: parse, call, print. Nothing is decided here that Python users could not decide too."""

from __future__ import annotations

import sys

NEEDED = {"typer", "rich", "click"}  # by the extra "cli"; older Typers bring click along


def main() -> None:
    """Entry point of the command ``entropick``."""
    try:
        import rich  # noqa: F401  Typer alone would fail in the middle of a command
        from typer.main import get_command

        from .app import app
        from .group import remember_interrupts, report_unforeseen
    except ModuleNotFoundError as error:
        library = (error.name or "").split(".")[0]
        if library not in NEEDED:
            raise
        print(
            f"error: the command line needs {library}: install with  pip install 'entropick[cli]'",
            file=sys.stderr,
        )
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
    report_unforeseen()  # first: it tells of an interrupt that comes while the next line runs
    remember_interrupts()
    get_command(app)()  # not app(): that puts a hook of Typer's in place of ours
