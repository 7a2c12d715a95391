"""Subscripts of the site: X_i in a text becomes X with a small i. The pages themselves stay plain."""

from __future__ import annotations

import re
from typing import Any

CODE = re.compile(r"(^```.*?^```$|^    [^\n]*$|`[^`\n]*`|\]\([^)]*\))", re.MULTILINE | re.DOTALL)
SUBSCRIPT = re.compile(r"(?<!\w)((?:max|H2|[A-Za-zΑ-ω])[\u0302²]?)_([a-zA-Z0-9ȳ]{1,2})(?![a-zA-Z0-9_])")


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Called by MkDocs for every page; code and addresses are left alone."""
    parts = CODE.split(markdown)  # text, code, text, …
    return "".join(part if i % 2 else SUBSCRIPT.sub(r"\1<sub>\2</sub>", part) for i, part in enumerate(parts))
