"""What every column says alone, which chosen one it resembles, and pictures of the most interesting ones.

alone(X) = I(X;Y) / H(Y) and shared(X, Z) = I(X;Z) / min(H(X), H(Z)), counted from coded levels. What independent
columns would show by chance, (a − 1)(b − 1) / 2n nats for a and b levels, is taken off first: on a table of 72 rows
that is most of what a plug-in estimate sees.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..coding import Coder, Target
from ..selection import Selection
from ..sources import Table
from .portraits import Portrait, portrait

ROWS = 20_000  # at most so many are counted, evenly spaced
BLOCK = 256  # columns counted together
LEVELS = 32  # of a column; rarer ones are counted as one
PICTURES = 60  # columns that have a picture
MAPPED = 160  # columns of the map
PARTNERS = 60  # chosen features that all columns are compared with
ALPHA = 0.05

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class ColumnFacts:
    """Facts about every column of a table, given what was chosen from it.

    Attributes
    ----------
    alone
        (D,) share of the target's entropy that the column tells by itself, 0 to 1.
    significant
        (D,) whether that is more than chance, tested at 5 % over all columns (Bonferroni).
    nearest, shared
        (D,) the column number of the chosen feature that it shares most with (−1 without any), and how much, 0 to 1.
    mapped, matrix, merges
        column numbers of the map, the chosen ones first; (m, m) what two of them share; (m − 1, 3) of the clustering:
        two nodes that are joined (m + i is the i-th join) and how much they share on average.
    pictures
        by column number, see `evaluation.portraits`.
    without, with_all
        cross-validated error of the recommended features without each of them, in the order chosen, and with all;
        empty and None where it was not measured.
    spread
        standard deviation of a continuous target; None for classes.
    """

    alone: tuple[float, ...]
    significant: tuple[bool, ...]
    nearest: tuple[int, ...]
    shared: tuple[float, ...]
    mapped: tuple[int, ...]
    matrix: tuple[tuple[float, ...], ...]
    merges: tuple[tuple[float, ...], ...]
    pictures: dict[str, Portrait] = field(default_factory=dict)
    without: tuple[float, ...] = ()
    with_all: float | None = None
    spread: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """As JSON can hold it."""
        return asdict(self)

    @classmethod
    def from_dict(cls, fields: dict[str, Any]) -> ColumnFacts:
        """From what `to_dict` gave."""
        fields = {name: tuple(value) if isinstance(value, list) else value for name, value in fields.items()}
        for name in ("matrix", "merges"):
            fields[name] = tuple(map(tuple, fields[name]))
        return cls(**fields)


def column_facts(selection: Selection, k: int, table: Table, target: Target, discretizer: Any = "auto") -> ColumnFacts:
    """Facts about all columns, given the first k steps of the selection."""
    every = max(1, -(-table.n_rows // ROWS))
    rows = np.arange(0, table.n_rows, every)
    sample = table if every == 1 else table.take(rows)
    own = Target(
        target.codes[rows], target.classes, target.n_classes, target.task,
        None if target.values is None else target.values[rows],
    )  # fmt: skip
    levels = _Levels(sample, own, discretizer)
    kept = [j for step in selection.steps[:k] for j in step.members][:MAPPED]
    chosen = kept[:PARTNERS]
    partners: list[NDArray[Any]] = [own.codes, *(levels.codes(j) for j in chosen)]
    information, entropy, p_values = levels.information(partners)
    alone = np.clip(information[:, 0] / max(_entropy(own.codes), 1e-12), 0.0, 1.0)
    shared, nearest = np.zeros(table.n_columns), np.full(table.n_columns, -1)
    if chosen:
        least = np.minimum(entropy[:, None], entropy[chosen][None, :])
        share = np.clip(information[:, 1:] / np.maximum(least, 1e-12), 0.0, 1.0)
        share[chosen, np.arange(len(chosen))] = 0.0  # with another, not with itself
        nearest = np.array(chosen)[share.argmax(axis=1)]
        shared = share.max(axis=1)
        nearest[shared == 0] = -1
    mapped = _mapped(kept, shared, alone, selection)
    matrix = _pairs(levels, mapped, entropy)
    return ColumnFacts(
        _rounded(alone),
        tuple((p_values < ALPHA / table.n_columns).tolist()),
        tuple(nearest.tolist()),
        _rounded(shared),
        tuple(mapped),
        tuple(map(_rounded, matrix)),
        _merges(matrix),
        {str(j): picture for j in mapped[:PICTURES] if (picture := portrait(sample, j, own)) is not None},
        spread=None if target.values is None or target.values.ndim > 1 else float(target.values.std()),
    )


def _mapped(chosen: Sequence[int], shared: Floats, alone: Floats, selection: Selection) -> list[int]:
    """The chosen columns, their closest alternatives, then those that say most alone and the next of the selection."""
    later = [j for step in selection.steps for j in step.members]
    twins = [j for j in np.argsort(-shared, kind="stable")[: 2 * MAPPED].tolist() if shared[j] >= 0.2]
    telling = np.argsort(-alone, kind="stable")[: PICTURES // 2].tolist()
    room = min(MAPPED, max(2 * len(chosen), len(chosen) + 12))
    return list(dict.fromkeys([*chosen, *twins, *telling, *later]))[:room]


class _Levels:
    """Coded columns, at most `LEVELS` levels each."""

    def __init__(self, table: Table, target: Target, discretizer: Any) -> None:
        self._table = table
        self._coder = Coder(discretizer).fit(table, target.codes, target.n_classes)

    def codes(self, j: int) -> NDArray[np.intp]:
        own: NDArray[np.intp] = self._block(j, j + 1)[0]
        return own

    def _block(self, start: int, stop: int) -> NDArray[np.intp]:
        coded = self._coder.codes(self._table, start, stop).astype(np.intp)
        for row in coded:
            if row.max(initial=0) >= LEVELS:
                order = np.argsort(-np.bincount(row), kind="stable")
                place = np.full(len(order), LEVELS - 1)
                place[order[: LEVELS - 1]] = np.arange(LEVELS - 1)
                row[:] = place[row]
        return coded

    def information(self, partners: Sequence[NDArray[Any]]) -> tuple[Floats, Floats, Floats]:
        """(D, p) nats shared with each partner, chance taken off; (D,) entropies; (D,) p-values of the first."""
        n, total = self._table.n_rows, self._table.n_columns
        sizes = [int(codes.max()) + 1 for codes in partners]
        ends = np.cumsum(sizes)
        marks = np.zeros((n, ends[-1]), np.float32)
        for end, size, codes in zip(ends, sizes, partners, strict=True):
            marks[np.arange(n), end - size + codes] = 1.0
        information, entropy, p_values = np.empty((total, len(sizes))), np.empty(total), np.empty(total)
        for start in range(0, total, BLOCK):
            stop = min(start + BLOCK, total)
            coded = self._block(start, stop)
            counts = np.stack([(coded == a).astype(np.float32) @ marks for a in range(int(coded.max()) + 1)], axis=1)
            for i, (end, size) in enumerate(zip(ends, sizes, strict=True)):
                joint = counts[:, :, end - size : end].astype(np.float64)
                found = _corrected(joint, n)
                information[start:stop, i] = found[0]
                if i == 0:
                    entropy[start:stop], p_values[start:stop] = found[1:]
        return information, entropy, p_values


def _corrected(joint: Floats, n: int) -> tuple[Floats, Floats, Floats]:
    """Of each table: information less what chance gives, entropy of its rows, p-value of the likelihood ratio."""
    from scipy.stats import chi2

    rows, columns = joint.sum(axis=2), joint.sum(axis=1)
    raw = np.maximum(_entropies(rows) + _entropies(columns) - _entropies(joint.reshape(len(joint), -1)), 0.0)
    freedom = np.maximum((rows > 0).sum(axis=1) - 1, 0) * np.maximum((columns > 0).sum(axis=1) - 1, 0)
    p_values = np.where(freedom > 0, chi2.sf(2 * n * raw, np.maximum(freedom, 1)), 1.0)
    return np.maximum(raw - freedom / (2 * n), 0.0), _entropies(rows), p_values


def _entropies(counts: Floats) -> Floats:
    share = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1.0)
    found: Floats = -(share * np.log(np.where(share > 0, share, 1.0))).sum(axis=1)
    return found


def _entropy(codes: NDArray[Any]) -> float:
    return float(_entropies(np.bincount(codes)[None, :].astype(np.float64))[0])


def _pairs(levels: _Levels, mapped: Sequence[int], entropy: Floats) -> Floats:
    """(m, m) what two columns of the map share, 1 on the diagonal."""
    m = len(mapped)
    matrix = np.eye(m)
    own = [levels.codes(j) for j in mapped]
    for a in range(m):
        for b in range(a):
            wide = int(own[b].max()) + 1
            table = np.bincount(own[a] * wide + own[b], minlength=(int(own[a].max()) + 1) * wide)
            nats = _corrected(table.reshape(1, -1, wide).astype(np.float64), len(own[a]))[0][0]
            least = max(min(entropy[mapped[a]], entropy[mapped[b]]), 1e-12)
            matrix[a, b] = matrix[b, a] = min(1.0, nats / least)
    return matrix


def _merges(matrix: Floats) -> tuple[tuple[float, ...], ...]:
    """Average linkage of 1 − shared."""
    from scipy.cluster.hierarchy import linkage
    from scipy.spatial.distance import squareform

    if len(matrix) < 2:
        return ()
    joins = linkage(squareform(1.0 - matrix, checks=False), "average")
    return tuple((float(a), float(b), round(1.0 - float(far), 4)) for a, b, far, _ in joins)


def _rounded(values: Floats) -> tuple[float, ...]:
    return tuple(round(float(value), 4) for value in values)
