"""`python -m reproduction NAME`: a table of the papers made again."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import typer

from entropick.cli.group import Group

from .command import reproduce


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command with these arguments, the process's own by default."""
    app = typer.Typer(
        cls=Group,
        add_completion=False,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.command()(reproduce)
    app(list(sys.argv[1:] if arguments is None else arguments), prog_name="reproduction")


if __name__ == "__main__":
    main()
