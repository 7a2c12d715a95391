// Keep, swap, drop: one bar of all columns, a list behind each part, and the names to take away.

function copied(words, said) {
  const done = () => { said.textContent = "Copied."; };
  const byHand = () => {
    const box = el("textarea", { class: "sr" });
    box.value = words;
    document.body.append(box);
    box.select();
    if (document.execCommand("copy")) done();
    box.remove();
  };
  if (navigator.clipboard) navigator.clipboard.writeText(words).then(done, byHand);
  else byHand();
}

const quoted = (name) => JSON.stringify(name).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
const pythonList = (names) => `[${names.map(quoted).join(", ")}]`;
// a spreadsheet runs what begins like a formula, unless an apostrophe stands before it
const inert = (value) => (/^[=+\-@\t\r]/.test(value) ? `'${value}` : value);
const quotedCell = (value) => (/[",\n\r]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);
const csvCell = (value) => quotedCell(inert(value));

function download(name, words) {
  const address = URL.createObjectURL(new Blob([words], { type: "text/csv" }));
  el("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

function csv(columns) {
  const rows = columns.names.map((name, j) => [csvCell(name), columns.roles[columns.role[j]].key, columns.alone[j],
    columns.share ? columns.share[j] : "", columns.nearest[j] < 0 ? "" : csvCell(columns.names[columns.nearest[j]]), columns.shared[j]].join(","));
  return `${["column,role,information_alone,share_of_resamples,nearest_kept,shared_with_it", ...rows].join("\n")}\n`;
}

function actions(columns, kept) {
  const said = el("span", { class: "said", role: "status" });
  const python = el("button", { type: "button", class: "quiet", on: { click: () => copied(pythonList(kept), said) } }, "Copy as Python list");
  const file = columns && el("button", { type: "button", class: "quiet",
    on: { click: () => { download("columns.csv", csv(columns)); said.textContent = "Saved as columns.csv."; } } }, "Download CSV");
  return el("div", { class: "actions" }, python, file, said);
}

function columnRows(columns, role) {
  return columns.role.map((own, j) => [own, j]).filter(([own]) => own === role).map(([, j]) => ({
    name: columns.names[j], alone: columns.alone[j], share: columns.share ? columns.share[j] : null,
    nearest: columns.nearest[j] < 0 ? null : columns.names[columns.nearest[j]],
    shared: columns.nearest[j] < 0 ? null : columns.shared[j],
    note: columns.twin[j] ? `copy of ${short(columns.twin[j])}` : columns.constant.includes(j) ? "constant" : null }));
}

function keepSwapDrop(columns, kept) {
  const counts = columns.roles.map((_, r) => columns.role.filter((own) => own === r).length);
  const behind = el("div");
  let open = -1;
  const present = columns.roles.map((role, r) => ({ ...role, r, count: counts[r] })).filter(({ count }) => count);
  const show = (r) => {
    open = open === r ? -1 : r;
    for (const button of section.querySelectorAll("[data-role]")) button.setAttribute("aria-pressed", String(+button.dataset.role === open));
    if (open < 0) { behind.replaceChildren(); return; }
    const rows = columnRows(columns, open);
    const shown = [["name", "column", "column"], ["alone", "information alone", "percent"], ["share", "selected in", "share"],
      ["nearest", open === 0 ? "most similar" : "most similar kept", "column"], ["shared", "shared with it", "percent"], ["note", "", "words"],
    ].filter(([key]) => key === "name" || rows.some((row) => row[key] !== null));
    behind.replaceChildren(table(shown, rows, { filter: "Find a column", caption: columns.roles[open].label,
      ...(open ? { sort: "alone", descending: true } : {}) }));
  };
  const bar = el("div", { class: "bar-of-columns", role: "group", "aria-label": "All columns by what to do with them" },
    present.map(({ key, label, count, r }) => {
      const part = el("button", { type: "button", class: `role-${key}`, "data-role": r, "aria-pressed": "false",
        "aria-label": `${label}: ${count}`, title: `${label}: ${count}`, on: { click: () => show(r) } });
      part.style.flex = `${count} 0 0`;
      return part;
    }));
  const chips = el("div", { class: "roles" }, present.map(({ key, label, note, count, r }) => el("button", { type: "button", class: "chip",
    "data-role": r, "aria-pressed": "false", title: note, on: { click: () => show(r) } }, el("span", { class: `patch role-${key}` }), `${label} ${counted(count)}`)));
  const section = el("div", null, el("h2", null, "Keep, swap, drop"),
    el("p", { class: "caption" }, "All ", counted(columns.names.length), " columns. ",
      present.map(({ label, note }) => `${label}: ${note}`).join("; "), ". Click a part to list it."),
    bar, chips, actions(columns, kept), behind);
  return section;
}
