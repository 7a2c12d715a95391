"""The clustered map of what columns share; beyond so many columns, those most alike become one row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

MOST = 60  # rows of the map


def clustered(
    names: Sequence[str],
    kept: Sequence[bool],
    matrix: Sequence[Sequence[float]],
    merges: Sequence[Sequence[float]],
    most: int = MOST,
) -> dict[str, Any]:
    """names, kept, members, matrix in percent and merges of the rows.

    ``merges`` are the n − 1 joins of a linkage, closest first: two nodes, where n + i is the i-th join, and what they
    share. With more than ``most`` columns the first joins are carried out: a row is then called after its first kept
    column, else its first, and shares with another what their columns share on average.
    """
    n = len(names)
    early = max(0, n - most)
    leaves: dict[int, list[int]] = {j: [j] for j in range(n)}
    for i, (a, b, _) in enumerate(merges[:early]):
        leaves[n + i] = leaves.pop(int(a)) + leaves.pop(int(b))
    rows = {node: sorted(own) for node, own in sorted(leaves.items(), key=lambda one: min(one[1]))}
    place = {node: i for i, node in enumerate(rows)}
    place |= {n + i: len(rows) + i - early for i in range(early, len(merges))}

    def shared(one: Sequence[int], other: Sequence[int]) -> int:
        values = [matrix[i][j] for i in one for j in other]
        return 100 if one is other else round(100 * sum(values) / len(values))

    def first(own: Sequence[int]) -> int:
        return next((j for j in own if kept[j]), own[0])

    return {
        "names": [names[first(own)] for own in rows.values()],
        "kept": [any(kept[j] for j in own) for own in rows.values()],
        "members": [[names[j] for j in own] for own in rows.values()] if early else None,
        "matrix": [[shared(one, other) for other in rows.values()] for one in rows.values()],
        "merges": [[place[int(a)], place[int(b)], value] for a, b, value in merges[early:]],
    }
