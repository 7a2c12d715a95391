"""Joint tables of a variable with sparse columns, counted from entries.

The cells of feature k start at ``at[k]``, each (n_classes, n_levels, levels of the feature), as in `kernels.counts`.
What is no entry is never visited: its counts are what is left of the margins once the entries are taken off. Rows whose
class is −1 are left out; ``weights`` may be empty.
"""

from __future__ import annotations

import numpy as np

from .kernel import kernel


@kernel
def count_entries(
    starts, rows, codes, base, features, variable, classes, weights, own, first, last, at, levels, n_levels, out
):  # fmt: skip
    """A variable given in every row with features first … last − 1; own (n_classes, n_levels) are its own counts."""
    for k in range(first, last):
        j, width = features[k], levels[k]
        cells = out[at[k] : at[k] + own.size * width]
        for e in range(starts[j], starts[j + 1]):
            i = rows[e]
            c = classes[i]
            if c >= 0:
                cell = (np.int64(c) * n_levels + variable[i]) * width + codes[e]
                cells[cell] += weights[i] if weights.size else np.int64(1)
        zero = np.int64(base[j])
        for c in range(own.shape[0]):
            for a in range(n_levels):
                line = cells[(c * n_levels + a) * width : (c * n_levels + a + 1) * width]
                left = own[c, a]
                for b in range(width):
                    if b != zero:
                        left -= line[b]
                line[zero] = left


@kernel
def count_margins(starts, rows, codes, base, classes, weights, totals, first, last, at, widths, out):
    """Counts (n_classes, levels) of features first … last − 1 by class, feature j from ``at[j]`` on."""
    for j in range(first, last):
        width = widths[j]
        cells = out[at[j] : at[j] + totals.size * width]
        if weights.size:
            for e in range(starts[j], starts[j + 1]):
                c = classes[rows[e]]
                if c >= 0:
                    cells[np.int64(c) * width + codes[e]] += weights[rows[e]]
        else:
            for e in range(starts[j], starts[j + 1]):
                cells[np.int64(classes[rows[e]]) * width + codes[e]] += 1
        zero = np.int64(base[j])
        for c in range(totals.size):
            line = cells[c * width : (c + 1) * width]
            left = totals[c]
            for b in range(width):
                if b != zero:
                    left -= line[b]
            line[zero] = left


@kernel
def count_common(row_at, cells, picked, codes, spared, classes, weights, tally):
    """tally (n_classes, levels of the pick − 1, cells): rows in which the pick has entries, ``picked`` with ``codes``.

    cells are those of `coding.entries.EntryCells`; entries of the pick with the code of zero, ``spared``, are passed
    over.
    """
    for t in range(picked.size):
        i, a = picked[t], np.int64(codes[t])
        if a == spared or classes[i] < 0:
            continue
        line = tally[classes[i], a - (a > spared)]
        if weights.size:
            for e in range(row_at[i], row_at[i + 1]):
                line[cells[e]] += weights[i]
        else:
            for e in range(row_at[i], row_at[i + 1]):
                line[cells[e]] += 1


@kernel
def complete_counts(
    tally, features, base, spot, margins, margin_at, own, spared, first, last, at, levels, n_levels, out
):  # fmt: skip
    """All counts of a pick with features first … last − 1, from the `count_common` of both and the margins of each.

    margins: of feature j from ``margin_at[j]`` on, (classes, levels) counts by class, as many as ``tally`` has or more,
    which are then taken together; own (n_classes, n_levels) those of the pick.
    """
    n_classes = own.shape[0]
    for k in range(first, last):
        j, width = features[k], levels[k]
        zero, cells = np.int64(base[j]), spot[j]
        together = (margin_at[j + 1] - margin_at[j]) // (width * n_classes)
        for c in range(n_classes):
            block = out[at[k] + c * n_levels * width : at[k] + (c + 1) * n_levels * width]
            for b in range(width):
                left = np.int64(0)
                for d in range(c * together, (c + 1) * together):
                    left += margins[margin_at[j] + d * width + b]
                block[spared * width + b] = left
            for a in range(n_levels):
                if a == spared:
                    continue
                line, left = tally[c, a - (a > spared)], own[c, a]
                for b in range(width):
                    if b != zero:
                        count = np.int64(line[cells + b - (b > zero)])
                        block[a * width + b] = count
                        block[spared * width + b] -= count
                        left -= count
                block[a * width + zero] = left
                block[spared * width + zero] -= left
