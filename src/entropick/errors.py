"""Everything that entropick raises on purpose.

    EntropickError
    ├── InvalidInput       (also ValueError)   the data break a rule: NaN, one class, no rows, ...
    ├── InvalidParameter   (also ValueError)   an argument breaks a rule
    │   └── UnknownMethod                      no method of that name
    ├── WorkerDied         (also RuntimeError) a worker process was ended from outside, most likely for lack of memory
    └── MissingExtra       (also ImportError)  an optional library is not installed
    EntropickWarning       (a UserWarning)     the answer stands, but something about it should be known

A message is one line; it names the argument, the rule, what was received and what to do.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from fnmatch import fnmatchcase
from typing import Any

PASSWORD = re.compile(r"(\w:/{1,2}[^\s/:@]*):[^\s/@]*@")  # a path has one stroke where an address has two


def without_password(text: str) -> str:
    """The text, a password in an address left out.

    >>> without_password("no file 'https://ann:secret@host/a.csv'")
    "no file 'https://ann:…@host/a.csv'"
    """
    return PASSWORD.sub(r"\1:…@", text)


class EntropickError(Exception):
    """Base of every error that entropick raises on purpose."""

    def __init__(self, message: str = "") -> None:
        line = " ".join(line.strip() for line in message.splitlines())  # an array is shown in several lines
        super().__init__(without_password(line))


class InvalidInput(EntropickError, ValueError):
    """The data break a rule."""


class InvalidParameter(EntropickError, ValueError):
    """An argument breaks a rule."""


class UnknownMethod(InvalidParameter):
    """No method of that name is registered."""


class MissingExtra(EntropickError, ImportError):
    """An optional library is needed and not installed."""

    def __init__(self, library: str, extra: str, purpose: str) -> None:
        super().__init__(f"{purpose} needs {library}: install with  pip install 'entropick[{extra}]'")
        self.library, self.extra, self.purpose = library, extra, purpose

    def __reduce__(self) -> tuple[type, tuple[str, str, str]]:
        return type(self), (self.library, self.extra, self.purpose)  # so that a worker can send it home


class WorkerDied(EntropickError, RuntimeError):
    """A worker process was ended from outside."""


class EntropickWarning(UserWarning):
    """The answer stands, but something about it should be known."""


def check_choice(name: str, value: Any, known: Sequence[str]) -> str:
    """The value of an argument, which must be one of these words."""
    if not isinstance(value, str) or value not in known:
        words = ", ".join(map(repr, known[:-1]))
        raise InvalidParameter(f"{name}: must be {words} or {known[-1]!r}, got {value!r}")
    return value


def matching(pattern: str, known: Iterable[str]) -> list[str]:
    """The known names that a pattern with ``*`` or ``?`` stands for, upper and lower case apart.

    >>> matching("MT-*", ["CD3D", "MT-CO1", "MT-ND1"])
    ['MT-CO1', 'MT-ND1']
    """
    return [name for name in known if fnmatchcase(name, pattern)] if {"*", "?"} & set(pattern) else []


def closest(name: str, known: Iterable[str]) -> str:
    """`` Did you mean 'x'?`` where a known name is near, else an empty string."""
    by_lower = {one.lower(): one for one in known}
    near = get_close_matches(str(name).lower(), list(by_lower), n=1)
    return f" Did you mean {by_lower[near[0]]!r}?" if near else ""
