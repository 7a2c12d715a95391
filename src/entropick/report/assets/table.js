// A table that sorts and filters, and never shows more rows than a page can bear.

const ROWS = 60;
const WORDY = ["text", "words", "column", "columns"];

const shown = {
  text: (value) => (value === null || value === "" ? "" : named(String(value))),
  words: (value) => value,
  column: (value) => (value === null || value === "" ? "" : link(String(value))),
  columns: (value) => links(value),
  number: (value) => number(value),
  chance: (value) => chance(value),
  percent: (value) => (value === null ? "\u2013" : percent(value)),
  share: (value) => (value ? percent(value, 0) : "\u00b7"),
};

function cell({ kind }, value) {
  const node = el("td", { class: WORDY.includes(kind) ? "text" : kind }, shown[kind](value));
  if (kind === "share" && value) node.style.background = `color-mix(in oklab, var(--accent) ${Math.round(45 * value)}%, transparent)`;
  return node;
}

// triples: [key, label, kind] of each column; rows: objects. Options: filter (label of the box), sort (key), descending,
// caption, unit (what a row is)
function table(triples, rows, options = {}) {
  const columns = triples.map(([key, label, kind]) => ({ key, label, kind }));
  const state = { key: options.sort || null, descending: options.descending || false, find: "", limit: ROWS };
  const body = el("tbody");
  const count = el("span", { class: "count", role: "status" });
  const more = el("button", { type: "button", class: "quiet more", on: { click: () => draw((state.limit += 5 * ROWS)) } });
  const texts = columns.filter((column) => WORDY.includes(column.kind)).map((column) => column.key);
  const heads = columns.map((column) =>
    el("th", { scope: "col", class: WORDY.includes(column.kind) ? "text" : null },
      el("button", { type: "button", "aria-label": column.label ? null : "sort", on: { click: () => sort(column) } }, column.label || "\u00a0")));

  function sort(column) {
    const first = !WORDY.includes(column.kind); // numbers: the largest first
    state.descending = state.key === column.key ? !state.descending : first;
    state.key = column.key;
    draw();
  }

  function wanted() {
    const find = state.find.toLocaleLowerCase();
    const holds = (row) => texts.some((key) => String(row[key] ?? "").toLocaleLowerCase().includes(find));
    const kept = find ? rows.filter(holds) : rows.slice();
    if (!state.key) return kept;
    const sign = state.descending ? -1 : 1;
    const empty = (value) => value === null || value === undefined || value === "";
    return kept.sort((a, b) => {
      const [one, other] = [a[state.key], b[state.key]];
      if (empty(one) || empty(other)) return empty(one) - empty(other);
      return sign * (typeof one === "number" ? one - other : String(one).localeCompare(String(other), "en", { numeric: true }));
    });
  }

  function draw() {
    const kept = wanted();
    const visible = kept.slice(0, state.limit);
    body.replaceChildren(...visible.map((row) => el("tr", null, columns.map((column) => cell(column, row[column.key] ?? null)))));
    heads.forEach((head, i) => {
      if (columns[i].key === state.key) head.setAttribute("aria-sort", state.descending ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    });
    more.hidden = visible.length === kept.length;
    more.textContent = `Show ${Math.min(5 * ROWS, kept.length - visible.length)} more`;
    const all = visible.length === rows.length;
    count.textContent = all ? "" : `${counted(visible.length)} of ${counted(kept.length)}${state.find ? " found" : ` ${options.unit || "rows"}`}`;
  }

  const box = options.filter && el("input", {
    type: "search", autocomplete: "off", spellcheck: "false",
    on: { input: (event) => { state.find = event.target.value.trim(); state.limit = ROWS; draw(); } },
  });
  draw();
  return el("div", { class: "table" },
    el("div", { class: "controls" }, box && el("label", null, options.filter, box), count),
    el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": options.caption },
      el("table", null, el("thead", null, el("tr", null, heads)), body)),
    more);
}
