"""Values as JSON has them, and records of them: what is written of a Selection, a Comparison, and their settings."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from numbers import Integral, Real
from typing import Any

from .errors import InvalidInput


def plain(value: Any, *, finite: bool = False) -> Any:
    """NumPy's numbers as Python's, arrays, tuples and sets as lists; what has no such form is told by its name or text.

    finite : None for numbers that are not, which JSON proper does not have.

    >>> import numpy as np
    >>> plain({"k": np.int64(3), "beta": (0.5, np.nan), "by": len}, finite=True)
    {'k': 3, 'beta': [0.5, None], 'by': 'len'}
    """
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Real):
        return None if finite and not math.isfinite(value) else float(value)
    if isinstance(value, Mapping):
        return {str(key): plain(entry, finite=finite) for key, entry in value.items()}
    import numpy as np  # here, for the help of the command line does without it

    if isinstance(value, np.ndarray | np.bool_):
        return plain(value.tolist(), finite=finite)
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(entry, finite=finite) for entry in value]
    return getattr(value, "__name__", None) or repr(value)


# what moves the cursor, colours the screen, turns the direction of writing, or is not seen at all
UNSEEN = re.compile(
    "[\\x00-\\x1f\\x7f-\\x9f\\xad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f"
    "\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufffb\\U000e0000-\\U000e0fff]"
)


WORD, LINE = 500, 10_000  # characters that are shown of a word and of a line: a name may have any length


def printable(line: str) -> str:
    """The line, spaces kept, a dot for every character that could mislead a reader or a terminal; if long, cut.

    >>> printable("a\\x1b[31m b\\u202e")
    'a·[31m b·'
    >>> len(printable(100_000 * "a"))
    500
    """
    if len(line) > WORD:
        line = re.sub(rf"(\S{{{WORD - 1}}})\S{{2,}}", r"\1…", line)
        line = line if len(line) <= LINE else line[: LINE - 1] + "…"
    return UNSEEN.sub("·", line)


def one_line(text: str) -> str:
    """The text in one line that can be shown anywhere: a name may carry line breaks and control characters.

    >>> one_line("a\\n  b\\x1b[31m")
    'a b·[31m'
    """
    return printable(" ".join(text.split()))


@contextmanager
def record(text: str, kind: str, written: int) -> Iterator[dict[str, Any]]:
    """The fields of a record of this kind and format, to be made into an object; text that does not fit is an error."""
    try:
        fields = json.loads(text)
        if fields.pop("format") != written:
            raise InvalidInput(f"text: a {kind} of format {written} is read by this version, got another")
        yield fields
    except InvalidInput:
        raise
    except (KeyError, TypeError, AttributeError, ValueError, IndexError, ArithmeticError, RecursionError) as error:
        raise InvalidInput(f"text: not a {kind} as to_json writes it ({error})") from error
