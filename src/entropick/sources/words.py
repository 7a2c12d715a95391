"""A column of texts as its words: one sparse column a word, `review: refund`, how often it is in the text.

Words are those of scikit-learn's ``CountVectorizer``: two letters or digits at least, in lower case; those in fewer
than `LEAST` rows are left out, since nothing could be learnt of them. Another vectoriser may be given instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import InvalidInput, InvalidParameter, closest
from .arrays import from_sparse
from .side_by_side import parted, side_by_side
from .source import Schema, Source
from .table import Table, distinct_names

LEAST = 5  # rows that a word must be in


@dataclass(frozen=True)
class Fitted:
    """A vectoriser that knows its words: new texts are read by the same."""

    vectorizer: Any


class WordSource(Source):
    """The columns of a source without one of texts, then a column for every word of it.

    ``fitted``: what read the words of every column of texts so far.
    """

    def __init__(self, source: Source, column: str, vectorizer: Any) -> None:
        self._source, self._at = source, source.names.index(column)
        self._others = [j for j in range(source.n_columns) if j != self._at]
        own = vectorizer.vectorizer if isinstance(vectorizer, Fitted) else _fitted(vectorizer, self._texts(), column)
        self._vectorizer = own
        earlier = source.fitted if isinstance(source, WordSource) else {}
        self.fitted: dict[str, Fitted] = {**earlier, column: Fitted(own)}
        words = [f"{column}: {word}" for word in self._vectorizer.get_feature_names_out()]
        before = [source.names[j] for j in self._others]
        names, twice = distinct_names([*before, *words])
        self._words = tuple(names[len(before) :])
        kinds = [source.kinds[j] for j in self._others] + [self._kind(column)] * len(words)
        note = f"{len(words)} words of {column!r} are columns; the text itself is none"
        notes = (*source.notes, note, *twice)
        super().__init__(Schema(tuple(names), tuple(kinds)), source.n_rows, notes=notes, vacant=source.vacant)
        self.aside = source.aside
        self.hold(source)

    def _texts(self) -> Iterator[str]:
        """Of every row; a missing one has no word."""
        for block in self._source.blocks(columns=[self._at]):
            yield from ("" if text is None else str(text) for text in block.column(0).tolist())

    def _kind(self, column: str) -> str:
        made = self._vectorizer.transform([column])
        return {"b": "boolean", "f": "numeric"}.get(made.dtype.kind, "integer")

    def blocks(self, rows: int | None = None, columns: Sequence[int] | None = None) -> Iterator[Table]:
        wanted = range(self.n_columns) if columns is None else columns
        own, words, place = parted(wanted, len(self._others))
        read = [self._others[j] for j in own]
        if len(words) or not read:
            read.append(self._at)
        for block in self._source.blocks(rows, read):
            parts = [block.select(range(len(own)))] if len(own) else []
            if len(words):
                texts = ["" if text is None else str(text) for text in block.column(len(own)).tolist()]
                found = from_sparse(self._vectorizer.transform(texts)[:, words])
                found.names, found.named = tuple(self._words[j] for j in words), True
                parts.append(found)
            table = side_by_side(parts)
            yield table if place is None else table.select(place.tolist())

    def memory(self) -> int | None:
        return self._source.memory()  # a word takes no more than it does in its text, by and large


def with_words(source: Source, text: Any) -> Source:
    """The source with columns of texts taken for their words; ``text``: names, or a dict from names to vectorisers."""
    for column, vectorizer in wanted_words(text).items():
        if column not in source.names:
            raise InvalidParameter(f"text: no column {column!r}.{closest(str(column), source.names)}")
        if source.kinds[source.names.index(column)] != "category":
            raise InvalidParameter(f"text: column {column!r} must hold texts, got numbers")
        if not isinstance(vectorizer, Fitted | None) and not (
            hasattr(vectorizer, "fit") and hasattr(vectorizer, "transform")
        ):
            raise InvalidParameter(f"text: must be names, or names and vectorisers, got {vectorizer!r:.60}")
        source = WordSource(source, column, vectorizer)
    return source


def wanted_words(text: Any) -> Mapping[str, Any]:
    """Names of columns of texts and their vectorisers, None for the usual one."""
    names = [text] if isinstance(text, str) else text
    if not isinstance(names, (Mapping, list, tuple)) or not all(isinstance(name, str) for name in names):
        raise InvalidParameter(f"text: must be names, or names and vectorisers, got {text!r:.60}")
    return names if isinstance(names, Mapping) else dict.fromkeys(names)


def _fitted(vectorizer: Any, texts: Iterator[str], column: str) -> Any:
    from sklearn.base import clone
    from sklearn.feature_extraction.text import CountVectorizer

    chosen = CountVectorizer(min_df=LEAST) if vectorizer is None else clone(vectorizer)
    try:
        chosen.fit(texts)
    except ValueError as error:
        raise InvalidInput(
            f"text: column {column!r} has no word in at least {LEAST} rows ({error}); give a vectoriser of your own"
        ) from error
    if not hasattr(chosen, "get_feature_names_out"):
        raise InvalidParameter(f"text: {type(chosen).__name__} has no names for its columns; take a CountVectorizer")
    return chosen
