// The evidence: panels, tabs, the theme.

// -- the panels --

function stepTable({ rows, columns: caption }) {
  const columns = [
    ["rank", "#", "number"], ["name", "feature", "column"], ["score", "score", "number"], ["relevance", "alone", "number"],
    ["redundancy", "redundancy", "number"], ["complementarity", "within classes", "number"],
    ["information", "all so far", "number"], ["floor", "error at least", "percent"], ["margin", "margin", "number"],
    ["runner_up", "preferred to", "column"], ["p_value", "p", "chance"],
  ].filter(([key]) => rows.some((row) => row[key] !== null));
  return [el("h3", null, "Every step"), el("p", { class: "caption" }, caption),
    table(columns, rows, { filter: rows.length > 12 ? "Find" : null, caption: "Steps" })];
}

function frequencyTable({ methods, rows, words }) {
  const columns = [["name", "feature", "column"], ...methods.map((method, i) => [`m${i}`, method, "share"])];
  const records = rows.map(([name, ...shares]) => ({ name, ...Object.fromEntries(shares.map((share, i) => [`m${i}`, share])) }));
  return [el("p", { class: "lead" }, words), table(columns, records,
    { filter: "Find a feature", sort: "m0", descending: true, caption: "How often each feature was chosen", unit: "features" })];
}

const bullets = (notes) => el("ul", { class: "notes" }, notes.map((note) => el("li", null, note)));

const drifts = (columns) => columns.some(({ psi }) => psi !== undefined)
  ? [["lasts", "over time", "words"], ["psi", "stability index", "number"], ["drift", "I(X;period), nats", "number"],
    ["within", "I(X;Y|period), nats", "number"]] : [];

const health = ({ notes, target, classes, columns }) => [
  notes.length ? bullets(notes)
    : el("p", { class: "lead" }, "No column is constant, a copy of another, or has missing values."),
  figure(target, null, (width) => drawBalance(classes.slice(0, 30), width)),
  el("h3", null, "Columns"),
  table([["name", "column", "column"], ["kind", "type", "words"], ["missing", "missing", "number"],
    ["distinct", "distinct", "number"], ["levels", "levels", "number"], ["bins", "coded by", "words"],
    ["remark", "remark", "text"], ...drifts(columns)], columns, { filter: "Find a column", caption: "Columns", unit: "columns" }),
];

const reproduce = ({ python, command, settings, notes, references }) => [
  el("h3", null, "In Python"), el("pre", { tabindex: "0" }, python),
  command ? [el("h3", null, "On the command line"), el("pre", { tabindex: "0" }, command)] : null,
  el("h3", null, "Settings"),
  table([["name", "setting", "text"], ["value", "value", "words"]], settings, { caption: "Settings" }),
  notes.length ? [el("h3", null, "Notes"), bullets(notes)] : null,
  references.length ? [el("h3", null, "References"), bullets(references)] : null,
];

const methods = () => [
  data.map ? el("div", { class: "pair" }, data.pareto ? paretoFigure(data.pareto, style) : null, mapFigure(data.map, style)) : null,
  el("h3", null, "Time"), el("p", { class: "caption" }, "Mean seconds for one resample."),
  table([["method", "method", "text"], ["selection", "selection", "number"], ["estimation", "estimation", "number"]],
    data.times, { caption: "Time" }),
];

const PANELS = [
  ["Accuracy", data.accuracy, (section) => accuracyFigure(section, style)],
  ["Stability", data.stability, stabilityFigure],
  ["Methods", data.times, methods],
  ["What each adds", data.path, (path) => [...pathFigures(path), stepTable(path)]],
  ["Redundancy", data.redundancy, redundancyFigure],
  ["Interactions", data.interactions, interactionsPanel],
  ["Features", data.frequency, frequencyTable],
  ["Data", data.health, health],
  ["Reproduce", data.reproduce, reproduce],
].filter(([, section]) => section);

// -- tabs and theme --

const slug = (title) => title.toLowerCase().replaceAll(" ", "-");

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
  }

  const turn = (i) => {
    open(i);
    history.replaceState(null, "", `#tab=${slug(PANELS[i][0])}`);
  };
  buttons.forEach((button, i) => button.addEventListener("click", () => turn(i)));
  bar.addEventListener("keydown", (event) => {
    const here = buttons.indexOf(document.activeElement);
    const to = { ArrowRight: here + 1, ArrowLeft: here - 1, Home: 0, End: buttons.length - 1 }[event.key];
    if (to === undefined || here < 0) return;
    event.preventDefault();
    const next = (to + buttons.length) % buttons.length;
    turn(next);
    buttons[next].focus();
  });
  bar.append(...buttons);
  bar.after(...panels);
  open(0);
  return (title) => {
    const found = PANELS.findIndex(([own]) => slug(own) === title);
    if (found < 0) return;
    open(found);
    bar.scrollIntoView({ block: "start" });
  };
}

function theme() {
  const button = document.getElementById("theme");
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");
  const dark = () => (root.dataset.theme ? root.dataset.theme === "dark" : system.matches);
  const say = () => {
    const other = dark() ? "Light" : "Dark";
    button.textContent = other;
    button.setAttribute("aria-label", `${other} theme`);
  };
  const kept = remembered();
  if (kept) root.dataset.theme = kept;
  button.addEventListener("click", () => {
    root.dataset.theme = dark() ? "light" : "dark";
    remembered(root.dataset.theme);
    say();
  });
  system.addEventListener("change", say);
  say();
}

// the theme that was chosen last, where the browser keeps such things for files
function remembered(theme) {
  try {
    if (theme) localStorage.setItem("entropick-theme", theme);
    return localStorage.getItem("entropick-theme");
  } catch {
    return null;
  }
}

// #tab=stability opens a tab, #feature=age the story of a column
function follow(openTab) {
  const [, what, name] = /^#(tab|feature)=(.*)$/s.exec(location.hash) ?? [];
  if (what === "tab") openTab(name);
  if (what !== "feature") return;
  try {
    tell(decodeURIComponent(name));
  } catch {
    // an address that somebody cut short
  }
}

document.getElementById("meta").textContent = data.meta;
document.getElementById("answer").append(hero(data.answer));
fill(document.getElementById("columns"), null, [
  cards(data.answer), data.columns ? keepSwapDrop(data.columns, data.answer.kept) : actions(null, data.answer.kept)]);
theme();
const openTab = tabs();
follow(openTab);
addEventListener("hashchange", () => follow(openTab));
