"""The live reports of the gallery, each made of a comparison that is kept beside its picture as JSON."""

from __future__ import annotations

from typing import Any

from mkdocs.structure.files import File

from entropick.evaluation.comparison import Comparison
from entropick.report import page, summarised


def on_files(files: Any, config: Any) -> Any:
    """A page in place of each comparison."""
    for kept in [file for file in files if file.src_uri.startswith("gallery/") and file.src_uri.endswith(".json")]:
        text = page(summarised(Comparison.from_json(kept.content_string)))
        files.remove(kept)
        files.append(File.generated(config, f"{kept.src_uri.removesuffix('json')}html", content=text))
    return files
