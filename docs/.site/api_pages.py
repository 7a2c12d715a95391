"""One page for each object that api.md names; api.md itself becomes their index, with a line about each."""

from __future__ import annotations

import re
from importlib import import_module
from inspect import getdoc
from typing import Any

from mkdocs.structure.files import File

ENTRY = re.compile(r"^::: entropick\.([\w.]+)\n((?:    [^\n]*\n)*)", re.MULTILINE)


def on_files(files: Any, config: Any) -> Any:
    """A page for each entry, beside those in the folder."""
    source = files.get_file_from_path("api.md").content_string
    for path, options in ENTRY.findall(source):
        name = path.rpartition(".")[2]
        text = f"---\ntitle: {name}\n---\n\n[API](../api.md)\n\n::: entropick.{path}\n{options}"
        files.append(File.generated(config, f"api/{name}.md", content=text))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """The entries of api.md as links."""
    return ENTRY.sub(_link, f"{markdown}\n") if page.file.src_uri == "api.md" else markdown


def _link(entry: re.Match[str]) -> str:
    path = entry[1].split(".")
    found = import_module("entropick")
    for name in path:
        found = getattr(found, name, found)  # entropick.methods is the function, not the module around it
    return f"- [`{path[-1]}`](api/{path[-1]}.md): {(getdoc(found) or '').splitlines()[0]}\n"
