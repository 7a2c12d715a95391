// The page: the answer, the tabs, the theme.

const data = JSON.parse(document.getElementById("data").textContent);
const number0 = new Map((data.methods || []).map((method, i) => [method, i]));
const style = (method) => look(number0.get(method) ?? 0);

function answer({ headline, words, figures, features, heading, shares }) {
  return [
    el("h1", null, headline),
    el("div", { class: "words" }, words.map(([lead, told]) => el("p", null, lead && el("b", null, lead), lead && " ", told))),
    el("dl", { class: "figures" }, figures.map(({ value, label, note }) =>
      el("div", null, el("dt", null, label), el("dd", { class: "value" }, value), note && el("dd", { class: "note" }, note)))),
    el("h2", null, heading),
    shares && el("p", { class: "caption" }, shares),
    list(features),
  ];
}

const FEATURES = 24; // of the answer that are listed before the reader asks for more

function list(features) {
  const item = ({ rank, name, share, note }) =>
    el("li", null, el("span", { class: "rank" }, String(rank)), named(name),
      el("span", { class: "share" }, share === null ? "" : percent(share, 0)), note && el("span", { class: "note" }, note));
  const root = el("ol", { class: "chosen" }, features.slice(0, FEATURES).map(item));
  if (features.length <= FEATURES) return root;
  const more = el("button", { type: "button", class: "quiet more", on: { click: () => {
    root.append(...features.slice(root.children.length, root.children.length + 200).map(item));
    more.hidden = root.children.length === features.length;
  } } }, `Show all ${counted(features.length)}`);
  if (features.length > FEATURES + 200) more.textContent = "Show 200 more";
  return [root, more];
}

function stepTable(path) {
  const has = (key) => path.rows.some((row) => row[key] !== null);
  const columns = [
    ["rank", "", "number"], ["name", "feature", "text"], ["score", "score", "number"], ["relevance", "alone", "number"],
    ["redundancy", "redundancy", "number"], ["complementarity", "within classes", "number"], ["information", "all so far", "number"],
    ["floor", "error at least", "percent"], ["margin", "margin", "number"], ["runner_up", "preferred to", "text"], ["p_value", "p", "number"],
  ].filter(([key]) => has(key)).map(([key, label, kind]) => ({ key, label, kind }));
  return [el("h3", null, "Every step"), el("p", { class: "caption" }, path.columns),
    table(columns, path.rows, { filter: path.rows.length > 12 ? "Find" : null, caption: "Steps" })];
}

function frequencyTable(frequency) {
  const columns = [{ key: "name", label: "feature", kind: "text" },
    ...frequency.methods.map((method, i) => ({ key: `m${i}`, label: method, kind: "share" }))];
  const rows = frequency.rows.map(([name, ...shares]) => Object.fromEntries([["name", name], ...shares.map((share, i) => [`m${i}`, share])]));
  return [el("p", { class: "lead" }, frequency.words), table(columns, rows, { filter: "Find a feature", sort: "m0", descending: true, caption: "How often each feature was chosen" })];
}

function health(told) {
  const largest = Math.max(...told.classes.map((row) => row.share));
  const columns = [["name", "column", "text"], ["kind", "type", "words"], ["missing", "missing", "number"], ["distinct", "distinct", "number"],
    ["levels", "levels", "number"], ["bins", "coded by", "words"], ["remark", "remark", "text"]].map(([key, label, kind]) => ({ key, label, kind }));
  return [
    told.notes.length ? el("ul", { class: "notes" }, told.notes.map((note) => el("li", null, note)))
      : el("p", { class: "lead" }, "No column is constant, a copy of another, or has missing values."),
    figure(told.target, null, (width) => balance(told.classes.slice(0, 30), largest, width)),
    el("h3", null, "Columns"), table(columns, told.columns, { filter: "Find a column", caption: "Columns" }),
  ];
}

function balance(classes, largest, width) {
  const rows = classes.map((row) => ({ ...row, label: row.label }));
  const plot = rowPlot(width, rows, "Rows of each class", { bottom: 6 });
  const x = linear([0, largest], [plot.gutter, width - 110]);
  rows.forEach((row, i) => plot.root.append(plot.name(i),
    svg("rect", { x: plot.gutter, y: plot.middle(i) - 8, width: Math.max(1, x(row.share) - plot.gutter), height: 16, class: "bar best" }),
    text(x(row.share) + 8, plot.middle(i), `${counted(row.count)}  (${percent(row.share, 0)})`, {})));
  return plot.root;
}

const reproduce = ({ python, command, settings, notes }) => [
  el("h3", null, "In Python"), el("pre", { tabindex: "0" }, python),
  command && el("h3", null, "On the command line"), command && el("pre", { tabindex: "0" }, command),
  el("h3", null, "Settings"), table([{ key: "name", label: "setting", kind: "text" }, { key: "value", label: "value", kind: "words" }], settings, { caption: "Settings" }),
  notes.length ? el("h3", null, "Noticed") : null, notes.length ? el("ul", { class: "notes" }, notes.map((note) => el("li", null, note))) : null,
];

const times = (rows) => [el("h3", null, "Time"), table([{ key: "method", label: "method", kind: "text" },
  { key: "selection", label: "seconds to choose", kind: "number" }, { key: "estimation", label: "seconds to judge", kind: "number" }], rows, { caption: "Time" })];

const PANELS = [
  ["Accuracy", data.accuracy && (() => [accuracyFigure(data.accuracy, style)])],
  ["Stability", data.stability && (() => [stabilityFigure(data.stability)])],
  ["Methods", data.pareto && (() => [el("div", { class: "pair" }, paretoFigure(data.pareto, style), mapFigure(data.map, style)), times(data.times)])],
  ["Path", data.path && (() => [pathFigure(data.path), stepTable(data.path)])],
  ["Redundancy", data.redundancy && (() => [redundancyFigure(data.redundancy)])],
  ["Features", data.frequency && (() => frequencyTable(data.frequency))],
  ["Data", data.health && (() => health(data.health))],
  ["Reproduce", () => reproduce(data.reproduce)],
].filter(([, build]) => build);

function tabs() {
  const bar = document.querySelector("[role=tablist]");
  const buttons = PANELS.map(([title], i) => el("button", { type: "button", role: "tab", id: `tab${i}`, "aria-controls": `panel${i}` }, title));
  const panels = PANELS.map(([title, build], i) =>
    el("div", { class: "panel", role: "tabpanel", id: `panel${i}`, "aria-labelledby": `tab${i}` }, el("h2", null, title), build()));
  const open = (chosen) => {
    hideTip();
    buttons.forEach((button, i) => {
      button.setAttribute("aria-selected", String(i === chosen));
      button.setAttribute("tabindex", i === chosen ? "0" : "-1");
      panels[i].hidden = i !== chosen;
    });
    const [box, inside] = [bar.getBoundingClientRect(), buttons[chosen].getBoundingClientRect()];
    bar.scrollLeft += inside.left < box.left ? inside.left - box.left : Math.max(0, inside.right - box.right);
  };
  buttons.forEach((button, i) => button.addEventListener("click", () => open(i)));
  bar.addEventListener("keydown", (event) => {
    const here = buttons.indexOf(document.activeElement);
    const to = { ArrowRight: here + 1, ArrowLeft: here - 1, Home: 0, End: buttons.length - 1 }[event.key];
    if (to === undefined || here < 0) return;
    event.preventDefault();
    const next = (to + buttons.length) % buttons.length;
    open(next);
    buttons[next].focus();
  });
  bar.append(...buttons);
  bar.after(...panels);
  open(0);
}

function theme() {
  const button = document.getElementById("theme");
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const now = () => document.documentElement.dataset.theme || (dark.matches ? "dark" : "light");
  const say = () => { button.textContent = now() === "dark" ? "Light" : "Dark"; };
  button.addEventListener("click", () => { document.documentElement.dataset.theme = now() === "dark" ? "light" : "dark"; say(); });
  dark.addEventListener("change", say);
  say();
}

document.getElementById("meta").textContent = data.meta;
document.getElementById("answer").append(...answer(data.answer).flat().filter(Boolean));
theme();
tabs();
