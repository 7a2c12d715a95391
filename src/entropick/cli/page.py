"""A Selection as one self-contained HTML page: no script, no network, light and dark, printable."""

from __future__ import annotations

from html import escape

from ..selection import Selection

STYLE = """
:root { color-scheme: light dark; --ink: #1d2430; --dim: #5b6675; --line: #dfe3e8; --back: #ffffff;
        --card: #f6f7f9; --accent: #1a6fb5; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e9ee; --dim: #9aa5b4; --line: #333b47; --back: #14181e; --card: #1c222b;
          --accent: #6cb4ee; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2rem 1rem 4rem; max-width: 62rem; background: var(--back); color: var(--ink);
       font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.6rem; margin: 0 0 .25rem; } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
.lead { color: var(--dim); margin: 0 0 1.5rem; }
.answer { padding-left: 0; list-style: none; counter-reset: rank; display: flex; flex-wrap: wrap;
          gap: .5rem; }
.answer li { counter-increment: rank; background: var(--card); border: 1px solid var(--line);
             border-radius: 999px; padding: .2rem .8rem; overflow-wrap: anywhere; }
.answer li::before { content: counter(rank) "  "; color: var(--accent); font-weight: 600; white-space: pre; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .92rem; }
th, td { padding: .35rem .7rem; border-bottom: 1px solid var(--line); text-align: right;
         white-space: nowrap; }
th { color: var(--dim); font-weight: 600; } tbody tr:hover { background: var(--card); }
th:nth-child(2), td:nth-child(2) { text-align: left; }
pre { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: 1rem;
      overflow-x: auto; font: .88rem/1.45 ui-monospace, monospace; white-space: pre-wrap; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; }
dt { color: var(--dim); } dd { margin: 0; overflow-wrap: anywhere; }
@media print { body { max-width: none; padding: 0; } pre { white-space: pre-wrap; } }
"""


def page(selection: Selection, title: str = "Chosen features") -> str:
    """The page as text; every name and value in it is escaped."""
    chosen = "".join(f"<li>{escape(name)}</li>" for name in selection.names)
    settings = {"method": selection.method, "task": selection.task, **selection.options}
    listed = "".join(f"<dt>{escape(str(name))}</dt><dd>{escape(str(value))}</dd>" for name, value in settings.items())
    units = f", scores in {selection.units}" if selection.units else ""
    lead = (
        f"{len(selection.names)} of {len(selection.feature_names)} features, chosen by {selection.method}"
        f" from {selection.n_samples:g} rows{units}."
    )
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}</title>
<style>{STYLE}</style>
</head>
<body>
<main>
<h1>{escape(title)}</h1>
<p class="lead">{escape(lead)}</p>
<ol class="answer">{chosen}</ol>
<h2>Step by step</h2>
<div class="scroll" tabindex="0" role="region" aria-label="Step by step">{selection._repr_html_()}</div>
<h2>Why</h2>
<pre>{escape(selection.explain())}</pre>
<h2>Settings</h2>
<dl>{listed}<dt>entropick</dt><dd>{escape(selection.version)}</dd></dl>
</main>
</body>
</html>
"""
