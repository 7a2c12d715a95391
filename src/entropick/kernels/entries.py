"""Loops over the entries of sparse columns: what they hold, where they are cut, their levels, the same by rows.

Entries lie column after column: those of column j are ``at[j] … at[j + 1]``. What is no entry is 0, and so is an entry
that holds 0. A column in ascending order is its values below 0, all its zeros, its values above 0: `_ranked` reads it
that way, and no zero is ever written down.
"""

from __future__ import annotations

import numpy as np

from .kernel import kernel

SMALL = 24  # values that are sorted by insertion; more are left to NumPy's sort, a call each


@kernel
def tell_numbers(values, at, negative, positive, gone, highest):
    """Of every column: entries below 0, above 0, NaN; the largest value below 0 (−∞ where there is none)."""
    for j in range(at.size - 1):
        low, high, nan, top = 0, 0, 0, -np.inf
        for k in range(at[j], at[j + 1]):
            x = values[k]
            if x > 0:
                high += 1
            elif x < 0:
                low += 1
                top = max(top, x)
            elif x != x:
                nan += 1
        negative[j], positive[j], gone[j], highest[j] = low, high, nan, top


@kernel
def tell_integers(values, at, n_rows, low, high, bits):
    """Of every column: the least and the largest value, and a bit for each value from 0 to 63 that occurs."""
    for j in range(at.size - 1):
        full = at[j + 1] - at[j] == n_rows
        least = values[at[j]] if full else np.int64(0)
        most, seen = least, np.uint64(0) if full else np.uint64(1)
        for k in range(at[j], at[j + 1]):
            x = values[k]
            least, most = min(least, x), max(most, x)
            if 0 <= x < 64:
                seen |= np.uint64(1) << np.uint64(x)
        low[j], high[j], bits[j] = least, most, seen


@kernel
def gather_values(values, at, columns, into, out):
    """The values of some columns that are neither 0 nor NaN, at ``into``; few of them in ascending order."""
    for c in range(columns.size):
        j, first = columns[c], into[c]
        last = first
        for k in range(at[j], at[j + 1]):
            x = values[k]
            if x > 0 or x < 0:
                out[last] = x
                last += 1
        if last - first <= SMALL:
            for k in range(first + 1, last):
                x, place = out[k], k
                while place > first and out[place - 1] > x:
                    out[place] = out[place - 1]
                    place -= 1
                out[place] = x


@kernel
def _ranked(ordered, first, negative, zeros, rank):
    """The value of that rank (0 is the least) in a column whose other values are ``ordered`` from ``first`` on."""
    if rank < negative:
        return ordered[first + rank]
    if rank < negative + zeros:
        return 0.0
    return ordered[first + rank - zeros]


@kernel
def _below_top(ordered, first, negative, zeros, held):
    """The rank of the largest value less than the largest; −1 where all are equal."""
    top = _ranked(ordered, first, negative, zeros, held - 1)
    rank = held - 1
    while rank >= 0 and _ranked(ordered, first, negative, zeros, rank) == top:
        in_zeros = negative <= rank < negative + zeros
        rank = negative - 1 if in_zeros else rank - 1
    return rank


@kernel
def cut_equally(ordered, at, negative, held, bins, edges, n_edges):
    """Edges of equal frequency of every column, as `coding.binning.quantile_edges` has them.

    ordered: values that are not 0, ascending, of column c ``at[c] … at[c + 1]``; negative (c,) how many are below 0;
    held (c,) values of the column, zeros among them. Writes ``edges`` (c, bins − 1) and how many there are.
    """
    for c in range(held.size):
        first, n, below = at[c], held[c], negative[c]
        zeros = n - (at[c + 1] - first)
        last = 0
        for k in range(1, bins):
            x = _ranked(ordered, first, below, zeros, (k * n + bins - 1) // bins - 1)
            if last == 0 or x != edges[c, last - 1]:
                edges[c, last] = x
                last += 1
        if edges[c, last - 1] == _ranked(ordered, first, below, zeros, n - 1):  # it would cut nothing off
            last -= 1
            rank = _below_top(ordered, first, below, zeros, n)
            if rank < 0:
                last = 0
            else:
                x = _ranked(ordered, first, below, zeros, rank)
                if last == 0 or edges[c, last - 1] < x:
                    edges[c, last] = x
                    last += 1
        n_edges[c] = last


@kernel
def count_distinct(ordered, at, zeros, most, out, found):
    """Ascending distinct values of every column, 0 among them where ``zeros``; found (c,) how many, at most ``most``.

    A column of more has ``found`` = most + 1, and ``out`` (c, most) holds its first ones.
    """
    for c in range(zeros.size):
        n, pending = 0, zeros[c]
        k = at[c]
        while k < at[c + 1] or pending:
            if pending and (k == at[c + 1] or ordered[k] > 0):
                x, pending = np.int64(0), False
            else:
                x = ordered[k]
                while k < at[c + 1] and ordered[k] == x:
                    k += 1
            if n < most:
                out[c, n] = x
            n += 1
            if n > most:
                break
        found[c] = n


@kernel
def cut_entries(ordered, at, negative, held, gone, most, edges, n_edges, distinct):
    """Edges of the groups of every column, as `kernels.lifted.cut_groups` has them; edges (c, most)."""
    for c in range(held.size):
        first, n, below = at[c], held[c], negative[c]
        own = at[c + 1] - first
        zeros, room = n - own, most - (gone[c] > 0)
        found, k, pending = 0, 0, n > own
        while (k < own or pending) and found <= room:
            if pending and k >= below:
                x, pending = 0.0, False
            else:
                x = ordered[first + k]
                while k < own and ordered[first + k] == x:
                    k += 1
            if found < most:
                edges[c, found] = x
            found += 1
        if found <= room:
            n_edges[c], distinct[c] = max(found - 1, 0), found
            continue
        distinct[c], last = most + 1, 0
        for k in range(1, room):
            x = _ranked(ordered, first, below, zeros, (k * n + room - 1) // room - 1)
            if last == 0 or x != edges[c, last - 1]:
                edges[c, last] = x
                last += 1
        if edges[c, last - 1] == _ranked(ordered, first, below, zeros, n - 1):
            last -= 1
            x = _ranked(ordered, first, below, zeros, _below_top(ordered, first, below, zeros, n))
            if last == 0 or edges[c, last - 1] < x:
                edges[c, last] = x
                last += 1
        n_edges[c] = last


@kernel
def _edges_below(edges, first, last, x):
    low, high = first, last
    while low < high:
        middle = (low + high) // 2
        if edges[middle] < x:
            low = middle + 1
        else:
            high = middle
    return low - first


@kernel
def code_numbers(values, at, rule_of, edges_at, edges, missing, out):
    """out[k] = number of its column's edges below values[k], NaN -> the rule's ``missing``.

    Column j goes by rule ``rule_of[j]`` (−1: not at all), whose edges are ``edges[edges_at[r] : edges_at[r + 1]]``.
    Returns the first column with a NaN where ``missing`` is −1, or −1; a rule of missing −2 has one level only.
    """
    for j in range(at.size - 1):
        r = rule_of[j]
        if r < 0:
            continue
        first, last, nan = edges_at[r], edges_at[r + 1], missing[r]
        for k in range(at[j], at[j + 1]):
            x = values[k]
            if nan == -2:
                out[k] = 0
            elif x == x:
                out[k] = _edges_below(edges, first, last, np.float64(x))
            elif nan < 0:
                return j
            else:
                out[k] = nan
    return -1


@kernel
def match_values(values, at, rule_of, known_at, known, missing, out):
    """out[k] = place of values[k] among the ascending ``known`` ones of its column's rule, NaN -> ``missing``.

    Returns the first column with a value that is not known, or −1.
    """
    for j in range(at.size - 1):
        r = rule_of[j]
        if r < 0:
            continue
        first, last = known_at[r], known_at[r + 1]
        for k in range(at[j], at[j + 1]):
            x = values[k]
            place = _edges_below(known, first, last, x)
            if x == x and first + place < last and known[first + place] == x:
                out[k] = place
            elif x != x and missing[r] >= 0:
                out[k] = missing[r]
            else:
                return j
    return -1


@kernel
def fill_codes(at, rows, codes, base, out):
    """out[j, i] = the code of row i: that of its entry, else ``base[j]``."""
    for j in range(at.size - 1):
        out[j] = base[j]
        for k in range(at[j], at[j + 1]):
            out[j, rows[k]] = codes[k]


@kernel
def fill_rows(at, rows, codes, base, out):
    """The same as ``out[i, j]``."""
    for i in range(out.shape[0]):
        out[i] = base
    for j in range(at.size - 1):
        for k in range(at[j], at[j + 1]):
            out[rows[k], j] = codes[k]


@kernel
def count_rows(rows, row_at):
    """row_at (n + 2,) comes as zeros: where the entries of each row are to begin, one place on; see `turn_cells`."""
    for k in range(rows.size):
        row_at[rows[k] + 2] += 1
    for i in range(2, row_at.size):
        row_at[i] += row_at[i - 1]


@kernel
def turn_cells(at, rows, codes, base, spot, row_at, out):
    """Row after row, the cell of every entry: ``spot[j]`` + its code, of which that of zero is left out.

    An entry with the code of zero gets the cell ``spot[D]``, which nobody reads. ``row_at`` is that of `count_rows` and
    ends up as where each row begins.
    """
    for j in range(at.size - 1):
        zero, first = np.int64(base[j]), spot[j]
        for k in range(at[j], at[j + 1]):
            code, to = np.int64(codes[k]), rows[k] + 1
            out[row_at[to]] = spot[at.size - 1] if code == zero else first + code - (code > zero)
            row_at[to] += 1


@kernel
def cells_of_rows(values, columns, rule_of, rule_at, known, missing, base, spot, out):
    """The same for entries that lie row after row already, coded as by `code_numbers` and `match_values`.

    known: edges of the rules, or the values that they match, one rule after another from ``rule_at[r]`` on. All values
    are known to their rules.
    """
    trash = spot[base.size]
    for k in range(values.size):
        j, x = columns[k], values[k]
        r = rule_of[j]
        zero = np.int64(base[j])
        if missing[r] == -2:
            out[k] = trash
            continue
        code = _edges_below(known, rule_at[r], rule_at[r + 1], x) if x == x else missing[r]
        out[k] = trash if code == zero else spot[j] + code - (code > zero)
