"""How a run ends: one red line and code 1 for a user's mistake, 130 for Ctrl-C, quiet for a closed pipe."""

from __future__ import annotations

import os
import signal
import sys
import threading
import traceback
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any

import typer
from typer.core import TyperGroup

from ..errors import EntropickError, without_password
from ..plain import one_line, printable

__all__ = ["Group", "complain", "emit", "one_line", "printable", "remarks"]

MISTAKE, INTERRUPTED, CLOSED_PIPE = 1, 130, 141
PATIENCE = 5.0  # seconds from Ctrl-C to the end, come what may
NO_ROOM = ("failed to map segment", "annot allocate memory")  # of the loader, where memory is too little for a library

# Typer has carried click inside itself since 0.26 and names no base of its usage errors; every version
# has BadParameter < UsageError < ClickException.
UsageProblem: type[Exception] = typer.BadParameter.__mro__[2]


class Group(TyperGroup):
    """The commands of one program; whatever stops one of them is told in a line."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> Any:
        words = list(sys.argv[1:] if args is None else args)
        try:
            code = super().main(words, prog_name or "entropick", complete_var, False, windows_expand_args, **extra)
        except (EntropickError, OSError, MemoryError, UnicodeError, UsageProblem) as error:
            if "--debug" in words:
                traceback.print_exc()
            complain(_message(error))
            code = MISTAKE
        except ImportError as error:
            if not any(words in str(error) for words in NO_ROOM):
                raise
            complain("not enough memory to load the required libraries")
            code = MISTAKE
        except (KeyboardInterrupt, typer.Abort):
            code = INTERRUPTED
        if standalone_mode:
            sys.exit(code if isinstance(code, int) else 0)
        return code


def _message(error: BaseException) -> str:
    if isinstance(error, UsageProblem):
        return f"{error.format_message()} (see --help)"  # type: ignore[attr-defined]
    if isinstance(error, FileNotFoundError) and not error.filename and not _has_a_folder():
        return "the current folder was deleted; change to another one"
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    if isinstance(error, MemoryError):
        return "not enough memory for this table; drop columns or rows, or set --memory"
    return str(error)


# what messages call an argument of Python -> the flag of the command line
FLAGS = {"(missing=)": "(--na)", "(sql=)": "(--sql)", "(coding=)": "(--coding)"}


def _has_a_folder() -> bool:
    try:
        os.getcwd()
    except FileNotFoundError:
        return False
    return True


def complain(message: str, kind: str = "error", colour: str = "red") -> None:
    """One line on the standard error, coloured where it is a terminal."""
    for argument, flag in FLAGS.items():
        message = message.replace(argument, flag)
    line = f"{kind}: {without_password(one_line(message))}"
    if sys.stderr.isatty() and "NO_COLOR" not in os.environ:
        line = typer.style(line, fg=colour)
    print(line, file=sys.stderr, flush=True)


def emit(text: str) -> None:
    """Write to the standard output; a reader who has left (``| head``) ends the run without a word."""
    try:
        sys.stdout.write(text if text.endswith("\n") else text + "\n")
        sys.stdout.flush()
    except OSError as error:
        # Python flushes the standard output once more as it ends, and would complain then.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            raise typer.Exit(CLOSED_PIPE) from None
        raise


@contextmanager
def remarks(quiet: bool, *saved: Path | None) -> Iterator[None]:
    """Warnings of what runs inside, and the files it ``saved``, a line each once it has ended; none where ``quiet``."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        yield
    if not quiet:
        for text in dict.fromkeys(str(warning.message) for warning in caught):
            complain(text, "warning", "yellow")
        for path in saved:
            if path is not None:
                complain(str(path), "saved", "green")


interrupts: list[int] = []  # that have come


def remember_interrupts() -> None:
    """Ctrl-C ends the run, also where a library that is being loaded or compiled makes something else of it.

    It may become another error (told by the hook below), or be swallowed with a lock held: a run that goes on
    regardless is ended after a few seconds.
    """

    def interrupted(number: int, frame: FrameType | None) -> None:
        interrupts.append(number)
        end = threading.Timer(PATIENCE, os._exit, [INTERRUPTED])
        end.daemon = True
        end.start()
        raise KeyboardInterrupt

    signal.signal(signal.SIGINT, interrupted)


def report_unforeseen() -> None:
    """From now on an exception nobody foresaw is told in one line too, as the fault of this program."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # a name the terminal cannot show is no crash

    def hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if interrupts:
            os._exit(INTERRUPTED)
        if "--debug" in sys.argv:
            traceback.print_exception(kind, error, trace)
        complain(f"this is a bug in entropick; please report it, with the output of --debug: {kind.__name__}: {error}")

    def unraisable(told: Any) -> None:
        if not interrupts:  # which may leave a half-made object, whose end then fails
            sys.__unraisablehook__(told)

    sys.excepthook = hook
    sys.unraisablehook = unraisable
