"""One colour, marker and dash pattern a method, the same in the report, in notebooks and in plots."""

from __future__ import annotations

from collections.abc import Iterable
from zlib import crc32

# Told apart by all kinds of colour vision (after Okabe and Ito), 3:1 on white at least.
COLOURS = ("#0b63a5", "#c4520c", "#00805c", "#a5508a", "#9a7400", "#2f86bd", "#59626f")
DASHES = 4  # patterns
FIRST = ("joint", "jmi", "mrmr", "cmim", "gc.mi", "spec.cmi", "mim", "wilks", "lasso", "relieff", "cfs", "fcbf", "disr",
         "icap", "mifs", "miq", "jmim", "cife", "condred", "qpfs", "gc.e", "gkl.mi", "hsic.l1", "lsmi.l1", "fisher",
         "chi2", "infogain", "pearson")  # fmt: skip


def looks(methods: Iterable[str]) -> dict[str, int]:
    """A number for each method: its colour is number % 7, its dashes number // 7. The next free one where it is taken.

    >>> looks(["jmi", "mim", "my own"])
    {'jmi': 1, 'mim': 6, 'my own': 0}
    """
    most = DASHES * len(COLOURS)
    given: dict[str, int] = {}
    for method in methods:
        wanted = FIRST.index(method) if method in FIRST else crc32(method.encode("utf-8", "replace")) % most
        taken = set(given.values())
        given[method] = next(((wanted + i) % most for i in range(most) if (wanted + i) % most not in taken), wanted)
    return given
