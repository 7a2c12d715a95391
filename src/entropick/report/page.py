"""The summary, the template, and a file that appears whole or not at all."""

from __future__ import annotations

import json
import os
import re
from base64 import b64encode
from hashlib import sha256
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any

from ..errors import InvalidInput
from ..evaluation.comparison import Comparison
from ..files import write_whole
from ..pairs.answer import Interactions
from ..plain import plain
from ..selection import Selection
from . import evidence
from .summary import comparison_summary, selection_summary

LONG = 60  # records from which a list is packed
STYLES = ("base.css", "answer.css", "plots.css", "print.css")
SCRIPTS = ("dom.js", "table.js", "plot.js", "accuracy.js", "charts.js", "redundancy.js", "network.js", "portraits.js",
           "answer.js", "columns.js", "story.js", "page.js")  # fmt: skip


def write_report(
    answer: Selection | Comparison,
    path: str | os.PathLike[str],
    X: Any = None,
    y: Any = None,
    interactions: Interactions | None = None,
) -> Path:
    """Write the report of a Selection or a Comparison to ``path`` and return that.

    With the rows X and y that a Selection was made from, its report also has the state of the data and the joint
    information of the chosen features; a Comparison knows both. ``interactions`` of the same table get a tab.
    """
    destination = Path(path)
    summary = summarised(answer, X, y)
    if interactions is not None:
        summary["interactions"] = plain(evidence.interactions(interactions), finite=True)
    write_whole(destination, page(summary))
    return destination


def summarised(answer: Selection | Comparison, X: Any = None, y: Any = None) -> dict[str, Any]:
    """The summary of either, as `page` takes it."""
    if isinstance(answer, Comparison):
        try:
            return comparison_summary(answer)
        except (TypeError, ValueError, LookupError, AttributeError, ArithmeticError) as error:
            raise InvalidInput(
                f"Comparison: its parts do not fit together ({error}); was what from_json read altered? Compare again"
            ) from error
    if X is None:
        return selection_summary(answer)
    from ..coding import code_target
    from ..evaluation.columns import column_facts
    from ..evaluation.health import data_health
    from ..evaluation.path import coding_of, path_evidence
    from ..sources import split_target

    table, values, name = split_target(X, y)
    target, coding = code_target(values, answer.task), coding_of(answer)
    health = data_health(table, target, coding)
    evidence = path_evidence(answer, table, values)  # refuses other columns than those of the selection
    facts = column_facts(answer, len(answer.steps), table, target, coding)
    return selection_summary(answer, evidence, health, facts, name)


def page(summary: dict[str, Any]) -> str:
    """The page as text.

    Data go in as JSON without a single ``<``, so that no name can end the element that holds them, and the content
    security policy lets only the template's own script run.
    """
    style = "".join(_asset(name) for name in STYLES)
    script = f'"use strict";\n{"".join(_asset(name) for name in SCRIPTS)}'
    parts = {
        "title": _markup(summary["title"]),
        "headline": _markup(summary["answer"]["headline"]),
        "predicting": _markup("Predicting {} {}".format(*summary["answer"]["predicting"])),
        "words": _markup(" ".join(told for _, told in summary["answer"]["words"])),
        "style": style,
        "style-hash": _fingerprint(style),
        "script": script,
        "script-hash": _fingerprint(script),
        "data": json.dumps(packed(summary), allow_nan=False, separators=(",", ":")).replace("<", "\\u003c"),
    }
    # in one pass, so that a name which looks like a place to fill stays a name
    return re.sub(r"\{\{([a-z-]+)\}\}", lambda place: parts[place[1]], _asset("page.html"))


def packed(value: Any) -> Any:
    """Long lists of records by column, `dom.js` unpacks them: {"$rows": n, name: values, or one value for all rows}."""
    if isinstance(value, dict):
        return {key: packed(inner) for key, inner in value.items()}
    if not isinstance(value, list):
        return value
    if len(value) < LONG or not all(isinstance(row, dict) and row.keys() == value[0].keys() for row in value):
        return [packed(inner) for inner in value]
    columns = {key: [row[key] for row in value] for key in value[0]}
    same = {key: own[0] for key, own in columns.items() if isinstance(own[0], str) and own.count(own[0]) == len(own)}
    return {"$rows": len(value), **columns, **same}


def _asset(name: str) -> str:
    return (files(__package__) / "assets" / name).read_text("utf-8")


def _fingerprint(text: str) -> str:
    """The hash by which a content security policy allows an inline element."""
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _markup(text: str) -> str:
    """Escaped, in ASCII: half a surrogate pair, which a column name may carry, has no UTF-8 form."""
    return escape(text).encode("ascii", "xmlcharrefreplace").decode()
