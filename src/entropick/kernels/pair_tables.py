"""Tables of (own level, other level, class) of one column with all others, and a bound on their interaction.

Planes lie side by side, (level, word, column): the innermost loop runs over columns, so that counting, the levels that
follow from margins and the bound are all plain vector code. The last level of a column has no plane.

The statistic that is bounded is the likelihood ratio of the three-way term, G² = 2N · min KL(p ‖ q) over all q without
such a term. Kirkwood's q = p_ab p_ac p_bc / (η p_a p_b p_c) has none, and KL(p ‖ q) ≤ log Σ p²/q, hence

    G² ≤ 2N log(η Σ p²/q′),   q′ = p_ab U_ac V_bc,  U = p_ac / p_a,  V = p_bc / (p_b p_c),  η = Σ q′

with no logarithm of a cell: products and one division a cell of (a, b), in float32. `kirkwood` has the bound with
logarithms, for those that are left, and `fit_highest` the statistic itself.
"""

from __future__ import annotations

import math

import numpy as np

from .kernel import kernel
from .side_by_side import _ones

LOOK = 8  # rounds of a fit between two looks at its statistic
NEAR = 1e-6  # of a statistic, that may still be missing where a fit is at the border


@kernel
def planes_side_by_side(codes, columns, order, class_start, word_start, planes, margins):
    """Fill planes (levels − 1, words, D) and margins (levels, classes, D) from codes (all columns, rows).

    ``columns`` (D,) says which; ``order`` (rows,) puts classes together. The last level has no plane.
    """
    n_planes = planes.shape[0]
    words = np.empty(n_planes + 1, np.uint64)
    for j in range(columns.size):
        code = codes[columns[j]]
        for c in range(class_start.size - 1):
            for a in range(n_planes + 1):
                margins[a, c, j] = 0
            for w in range(word_start[c], word_start[c + 1]):
                start = class_start[c] + 64 * (w - word_start[c])
                words[:] = np.uint64(0)
                for t in range(start, min(start + 64, class_start[c + 1])):
                    words[code[order[t]]] |= np.uint64(1) << np.uint64(t - start)
                for a in range(n_planes + 1):
                    margins[a, c, j] += np.int32(_ones(words[a]))
                for a in range(n_planes):
                    planes[a, w, j] = words[a]


@kernel
def count_tile(own, own_margins, planes, margins, word_start, start, stop, counts):
    """counts (classes, levels of own × of others, ≥ stop − start) of one column with the columns start … stop.

    ``own`` (own levels − 1, words), ``own_margins`` (own levels, classes); ``margins`` (levels, classes, columns).
    """
    n_own, n_other, m = own_margins.shape[0], margins.shape[0], stop - start
    for c in range(own_margins.shape[1]):
        for a in range(n_own - 1):
            for b in range(n_other - 1):
                count = counts[c, a * n_other + b, :m]
                for j in range(m):
                    count[j] = 0
        w, last = word_start[c], word_start[c + 1]
        while w + 4 <= last:  # four words at a time: counts are read and written less often
            for b in range(n_other - 1):
                p0, p1 = planes[b, w, start:stop], planes[b, w + 1, start:stop]
                p2, p3 = planes[b, w + 2, start:stop], planes[b, w + 3, start:stop]
                for a in range(n_own - 1):
                    w0, w1, w2, w3 = own[a, w], own[a, w + 1], own[a, w + 2], own[a, w + 3]
                    count = counts[c, a * n_other + b, :m]
                    for j in range(m):
                        count[j] += np.int32(
                            _ones(w0 & p0[j]) + _ones(w1 & p1[j]) + _ones(w2 & p2[j]) + _ones(w3 & p3[j])
                        )
            w += 4
        while w < last:
            for b in range(n_other - 1):
                p0 = planes[b, w, start:stop]
                for a in range(n_own - 1):
                    w0 = own[a, w]
                    count = counts[c, a * n_other + b, :m]
                    for j in range(m):
                        count[j] += np.int32(_ones(w0 & p0[j]))
            w += 1
        for a in range(n_own - 1):  # the last level of the others, then that of the own column, by difference
            count, total = counts[c, a * n_other + n_other - 1, :m], own_margins[a, c]
            for j in range(m):
                count[j] = total
            for b in range(n_other - 1):
                known = counts[c, a * n_other + b, :m]
                for j in range(m):
                    count[j] -= known[j]
        for b in range(n_other):
            count, margin = counts[c, (n_own - 1) * n_other + b, :m], margins[b, c, start:stop]
            for j in range(m):
                count[j] = margin[j]
            for a in range(n_own - 1):
                known = counts[c, a * n_other + b, :m]
                for j in range(m):
                    count[j] -= known[j]


@kernel
def bound_tile(counts, own_share, own_inverse, share, inverse, relative, start, stop, scratch):
    """η and Σ p²/q′ of every table of `count_tile`, times the rows, in scratch[0] and scratch[1] (see the head).

    ``own_share`` (own levels, classes) is U, ``share`` (levels, classes, columns) times ``relative`` (classes,) is V;
    the inverses are 0 where shares are.
    """
    n_own, n_other, m = own_share.shape[0], share.shape[0], stop - start
    n_classes = own_share.shape[1]
    one = np.float32(1.0)
    eta, squares = scratch[0, :m], scratch[1, :m]
    cell_sum, cell_eta, cell_squares = scratch[2, :m], scratch[3, :m], scratch[4, :m]
    for j in range(m):
        eta[j] = 0.0
        squares[j] = 0.0
    for a in range(n_own):
        for b in range(n_other):
            for j in range(m):
                cell_sum[j] = 0.0
                cell_eta[j] = 0.0
                cell_squares[j] = 0.0
            for c in range(n_classes):
                count = counts[c, a * n_other + b, :m]
                v, w = share[b, c, start:stop], inverse[b, c, start:stop]
                mine, back = own_share[a, c] * relative[c], own_inverse[a, c] / relative[c]
                for j in range(m):
                    x = np.float32(count[j])
                    cell_sum[j] += x
                    cell_eta[j] += mine * v[j]
                    cell_squares[j] += x * x * (back * w[j])
            for j in range(m):
                eta[j] += cell_sum[j] * cell_eta[j]
                squares[j] += cell_squares[j] / max(cell_sum[j], one)


@kernel
def kirkwood(counts, at, n_own, n_other, own_margins, margins, column, class_sizes, n):
    """G² of Kirkwood's q in place of the fitted one: never below the statistic. One table of `count_tile`."""
    n_classes = class_sizes.size
    information, eta = 0.0, 0.0
    for a in range(n_own):
        own_total = 0.0
        for c in range(n_classes):
            own_total += own_margins[a, c]
        for b in range(n_other):
            other_total, both = 0.0, 0.0
            for c in range(n_classes):
                other_total += margins[b, c, column]
                both += counts[c, a * n_other + b, at]
            if both == 0.0:
                continue
            for c in range(n_classes):
                q = both * (own_margins[a, c] / own_total) * (margins[b, c, column] / other_total) / class_sizes[c]
                eta += q
                x = float(counts[c, a * n_other + b, at])
                if x > 0.0:
                    information += x * math.log(x / (q * n))
    return 2.0 * (information + n * math.log(eta))


@kernel
def ratio_to(x, m):
    """2 Σ x log(x / m)."""
    ratio = 0.0
    for cell in range(x.size):
        if x[cell] > 0.0 and m[cell] > 0.0:
            ratio += x[cell] * math.log(x[cell] / m[cell])
    return max(2.0 * ratio, 0.0)


@kernel
def fit_highest(x, m, shape, tolerance, most, limit):
    """G² of the highest term of a table x, flat, of ``shape``: against the fit m with all margins and no such term.

    Iterative proportional fitting. It ends when no margin is off by more than ``tolerance`` rows, or after ``most``
    rounds. Every round can only lower G² (x has the margins, so a round is a projection towards it), so it also ends
    when G² is below ``limit``; and where the fit is at the border, cells empty one after another, the falls shrink as
    1/rounds², when what is still to fall is a millionth of it.
    """
    for cell in range(x.size):
        m[cell] = 1.0
    before = np.inf
    for done in range(1, most + 1):
        worst, inner = 0.0, 1
        for axis in range(shape.size - 1, -1, -1):
            step = inner * shape[axis]
            for outer in range(0, x.size, step):
                for r in range(outer, outer + inner):
                    want, have = 0.0, 0.0
                    for cell in range(r, r + step, inner):
                        want += x[cell]
                        have += m[cell]
                    worst = max(worst, abs(want - have))
                    ratio = want / have if have > 0.0 else 0.0
                    for cell in range(r, r + step, inner):
                        m[cell] *= ratio
            inner = step
        if worst <= tolerance:
            break
        if done % LOOK == 0:
            now = ratio_to(x, m)
            if now < limit or (before - now) * done <= LOOK * NEAR * now:
                return now
            before = now
    return ratio_to(x, m)


@kernel
def screen_rows(
    own_planes, own_margins, own_share, own_inverse, planes, margins, share, inverse, word_start, class_sizes,
    relative, first_own, last_own, start, stop, triangle, limit, counts, scratch, shape, x, m, found_pairs,
    found_statistics,
):  # fmt: skip
    """Columns first_own … last_own of one group with start … stop of another: pairs whose G² is ``limit`` or more.

    ``own_…`` are by column, (columns, levels, …). ``triangle``: both groups are the same, and only pairs with the
    second column after the first are wanted. Returns how many of ``found_pairs`` (room, 2) and ``found_statistics`` are
    filled, and the own column that the next call has to begin with: there may be no room for more.
    """
    n_own, n_other, n_classes = own_margins.shape[1], margins.shape[0], class_sizes.size
    n = 0.0
    for c in range(n_classes):
        n += class_sizes[c]
    least = np.float32(n * math.exp(limit / (2.0 * n)) * n * (1.0 - 1e-4))  # of η Σ p²/q′, with slack for float32
    found = 0
    for i in range(first_own, last_own):
        begin = max(start, i + 1) if triangle else start
        if begin >= stop:
            continue
        if found + stop - begin > found_pairs.shape[0]:
            return found, i
        mine = own_margins[i]
        count_tile(own_planes[i], mine, planes, margins, word_start, begin, stop, counts)
        bound_tile(counts, own_share[i], own_inverse[i], share, inverse, relative, begin, stop, scratch)
        for at in range(stop - begin):
            if scratch[0, at] * scratch[1, at] <= least:
                continue
            if kirkwood(counts, at, n_own, n_other, mine, margins, begin + at, class_sizes, n) < limit:
                continue
            for cell in range(n_own * n_other):
                for c in range(n_classes):
                    x[cell * n_classes + c] = counts[c, cell, at]
            statistic = fit_highest(x, m, shape, 1e-8 * n, 10_000, limit)
            if statistic >= limit:
                found_pairs[found, 0] = i
                found_pairs[found, 1] = begin + at
                found_statistics[found] = statistic
                found += 1
    return found, last_own
