// The page: the answer, the tabs, the theme.

const data = JSON.parse(document.getElementById("data").textContent);
const order = new Map((data.methods ?? []).map((method, i) => [method, i]));
const style = (method) => look(order.get(method) ?? 0);

// -- the answer --

const FEATURES = 24; // listed before the reader asks for more
const PORTION = 200; // listed at each asking

function answer({ headline, words, figures, features, heading, shares }) {
  return [
    el("h1", null, headline),
    el("div", { class: "words" }, words.map(([lead, told]) => el("p", null, lead ? [el("b", null, lead), " "] : null, told))),
    el("dl", { class: "figures" }, figures.map(({ value, label, note }) => el("div", null, el("dt", null, label),
      el("dd", { class: "value" }, value), note ? el("dd", { class: "note" }, note) : null))),
    el("h2", null, heading),
    shares ? el("p", { class: "caption" }, shares) : null,
    list(features),
  ];
}

function list(features) {
  const item = ({ rank, name, share, note }) => el("li", null, el("span", { class: "rank" }, String(rank)), named(name),
    el("span", { class: "share" }, share === null ? "" : percent(share, 0)), note ? el("span", { class: "note" }, note) : null);
  const root = el("ol", { class: "chosen" }, features.slice(0, FEATURES).map(item));
  const more = el("button", { type: "button", class: "quiet more", on: { click: () => grow(PORTION) } });
  function grow(by) {
    const there = root.children.length;
    root.append(...features.slice(there, there + by).map(item));
    const left = features.length - root.children.length;
    more.hidden = left === 0;
    more.textContent = `Show ${counted(Math.min(PORTION, left))} more`;
  }
  grow(0);
  return [root, more];
}

// -- the panels --

function stepTable({ rows, columns: caption }) {
  const columns = [
    ["rank", "", "number"], ["name", "feature", "text"], ["score", "score", "number"], ["relevance", "alone", "number"],
    ["redundancy", "redundancy", "number"], ["complementarity", "within classes", "number"],
    ["information", "all so far", "number"], ["floor", "error at least", "percent"], ["margin", "margin", "number"],
    ["runner_up", "preferred to", "text"], ["p_value", "p", "number"],
  ].filter(([key]) => rows.some((row) => row[key] !== null));
  return [el("h3", null, "Every step"), el("p", { class: "caption" }, caption),
    table(columns, rows, { filter: rows.length > 12 ? "Find" : null, caption: "Steps" })];
}

function frequencyTable({ methods, rows, words }) {
  const columns = [["name", "feature", "text"], ...methods.map((method, i) => [`m${i}`, method, "share"])];
  const records = rows.map(([name, ...shares]) => ({ name, ...Object.fromEntries(shares.map((share, i) => [`m${i}`, share])) }));
  return [el("p", { class: "lead" }, words), table(columns, records,
    { filter: "Find a feature", sort: "m0", descending: true, caption: "How often each feature was chosen" })];
}

const bullets = (notes) => el("ul", { class: "notes" }, notes.map((note) => el("li", null, note)));

const health = ({ notes, target, classes, columns }) => [
  notes.length ? bullets(notes)
    : el("p", { class: "lead" }, "No column is constant, a copy of another, or has missing values."),
  figure(target, null, (width) => drawBalance(classes.slice(0, 30), width)),
  el("h3", null, "Columns"),
  table([["name", "column", "text"], ["kind", "type", "words"], ["missing", "missing", "number"],
    ["distinct", "distinct", "number"], ["levels", "levels", "number"], ["bins", "coded by", "words"],
    ["remark", "remark", "text"]], columns, { filter: "Find a column", caption: "Columns" }),
];

const reproduce = ({ python, command, settings, notes }) => [
  el("h3", null, "In Python"), el("pre", { tabindex: "0" }, python),
  command ? [el("h3", null, "On the command line"), el("pre", { tabindex: "0" }, command)] : null,
  el("h3", null, "Settings"),
  table([["name", "setting", "text"], ["value", "value", "words"]], settings, { caption: "Settings" }),
  notes.length ? [el("h3", null, "Noticed"), bullets(notes)] : null,
];

const methods = () => [
  el("div", { class: "pair" }, data.pareto ? paretoFigure(data.pareto, style) : null, mapFigure(data.map, style)),
  el("h3", null, "Time"), el("p", { class: "caption" }, "Seconds for one resample, on average."),
  table([["method", "method", "text"], ["selection", "to choose", "number"], ["estimation", "to judge", "number"]],
    data.times, { caption: "Time" }),
];

const PANELS = [
  ["Accuracy", data.accuracy, accuracyFigure],
  ["Stability", data.stability, stabilityFigure],
  ["Methods", data.map, methods],
  ["Path", data.path, (path) => [pathFigure(path), stepTable(path)]],
  ["Redundancy", data.redundancy, redundancyFigure],
  ["Features", data.frequency, frequencyTable],
  ["Data", data.health, health],
  ["Reproduce", data.reproduce, reproduce],
].filter(([, section]) => section);

// -- tabs and theme --

function tabs() {
  const bar = document.querySelector("[role=tablist]");
  const buttons = PANELS.map(([title], i) =>
    el("button", { type: "button", role: "tab", id: `tab${i}`, "aria-controls": `panel${i}` }, title));
  const panels = PANELS.map(([title, section, build], i) =>
    el("div", { class: "panel", role: "tabpanel", id: `panel${i}`, "aria-labelledby": `tab${i}` },
      el("h2", null, title), build(section, style)));

  function open(chosen) {
    hideTip();
    buttons.forEach((button, i) => {
      button.setAttribute("aria-selected", String(i === chosen));
      button.setAttribute("tabindex", i === chosen ? "0" : "-1");
      panels[i].hidden = i !== chosen;
    });
    for (const plot of panels[chosen].querySelectorAll("figure")) plot.fit(); // now, not a frame later
    const [frame, inside] = [bar, buttons[chosen]].map((node) => node.getBoundingClientRect());
    bar.scrollLeft += Math.min(0, inside.left - frame.left) + Math.max(0, inside.right - frame.right);
  }

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
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");
  const dark = () => (root.dataset.theme ? root.dataset.theme === "dark" : system.matches);
  const say = () => { button.textContent = dark() ? "Light" : "Dark"; };
  button.addEventListener("click", () => { root.dataset.theme = dark() ? "light" : "dark"; say(); });
  system.addEventListener("change", say);
  say();
}

document.getElementById("meta").textContent = data.meta;
fill(document.getElementById("answer"), null, answer(data.answer));
theme();
tabs();
