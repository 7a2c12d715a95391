// Scales, axes, marks, labels that keep apart, and one tooltip for all plots.

const WIDE = 880; // of a plot that is drawn while its panel is hidden; print scales it to the paper
const tip = document.getElementById("tip");

function showTip(x, y, heading, pairs) {
  tip.replaceChildren(el("b", null, named(heading)),
    el("dl", null, pairs.map(([term, value]) => [el("dt", null, named(term)), el("dd", null, named(value))])));
  tip.hidden = false;
  const box = tip.getBoundingClientRect();
  const left = x + 16 + box.width > innerWidth ? x - 16 - box.width : x + 16;
  tip.style.left = `${Math.max(4, Math.min(left, innerWidth - box.width - 4))}px`;
  tip.style.top = `${Math.max(4, Math.min(y - box.height / 2, innerHeight - box.height - 4))}px`;
}
const hideTip = () => { tip.hidden = true; };

// show the tip while the pointer is on the node or the keyboard focus is
function explain(node, heading, pairs) {
  const at = (x, y) => showTip(x, y, heading, pairs());
  const centre = () => {
    const box = node.getBoundingClientRect();
    at(box.left + box.width / 2, box.top + box.height / 2);
  };
  node.setAttribute("tabindex", "-1");
  node.setAttribute("role", "img");
  const told = pairs().map(([term, value]) => `${term} ${value}`).join(", ");
  node.setAttribute("aria-label", `${short(heading, 60)}: ${told}`);
  node.addEventListener("pointermove", (event) => at(event.clientX, event.clientY));
  node.addEventListener("pointerleave", hideTip);
  node.addEventListener("focus", centre);
  node.addEventListener("blur", hideTip);
  return node;
}

// one stop of the tab key for all explained nodes of a plot; arrows go from one to the next
function walkable(root) {
  const stops = [...root.querySelectorAll("[tabindex]")];
  if (!stops.length) return root;
  stops[0].setAttribute("tabindex", "0");
  root.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const here = stops.indexOf(document.activeElement);
    if (event.key === "Escape") hideTip();
    if (!step || here < 0) return;
    event.preventDefault();
    const next = stops[Math.max(0, Math.min(stops.length - 1, here + step))];
    stops[here].setAttribute("tabindex", "-1");
    next.setAttribute("tabindex", "0");
    next.focus();
  });
  return root;
}

const linear = ([a, b], [from, to]) => (value) => from + ((value - a) / (b - a || 1)) * (to - from);

function ticks(low, high, wanted) {
  const rough = (high - low || 1) / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((m) => m * power).find((s) => s >= rough * 0.999);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => +((first + i) * step).toPrecision(12));
}

function around(values, share) {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const margin = (high - low || Math.abs(high) || 1) * share;
  return [low - margin, high + margin];
}

// how wide words are drawn at most, and what of them has room in so many pixels
const pen = document.createElement("canvas").getContext("2d");
function wide(words) {
  pen.font = `bold 12.5px ${getComputedStyle(document.body).fontFamily}`;
  return pen.measureText(words).width;
}
function fit(words, room) {
  const full = short(words, 60);
  if (wide(full) <= room) return full;
  let longest = Math.floor((Array.from(full).length * room) / wide(full)) + 1;
  while (longest > 2 && wide(short(full, longest)) > room) longest -= 1;
  return short(full, longest);
}

const text = (x, y, words, attributes) => svg("text", { x, y, "dominant-baseline": "middle", ...attributes }, words);
const line = (x1, y1, x2, y2, kind) => svg("line", { x1, y1, x2, y2, class: kind });
const canvas = (width, height, label) =>
  svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "group", "aria-label": label });

// arms so long and so thick
const plus = (x, y, long, thick) => `M${x - long - thick / 2},${y - thick / 2}h${long}v${-long}h${thick}v${long}h${long}`
  + `v${thick}h${-long}v${long}h${-thick}v${-long}h${-long}z`;
const MARKS = [
  (x, y, r) => `M${x - r},${y}a${r},${r} 0 1,0 ${2 * r},0a${r},${r} 0 1,0 ${-2 * r},0`,
  (x, y, r) => `M${x - r},${y - r}h${2 * r}v${2 * r}h${-2 * r}z`,
  (x, y, r) => `M${x},${y - 1.3 * r}l${1.25 * r},${2.2 * r}h${-2.5 * r}z`,
  (x, y, r) => `M${x},${y - 1.4 * r}l${1.4 * r},${1.4 * r}l${-1.4 * r},${1.4 * r}l${-1.4 * r},${-1.4 * r}z`,
  (x, y, r) => `M${x},${y + 1.3 * r}l${1.25 * r},${-2.2 * r}h${-2.5 * r}z`,
  (x, y, r) => plus(x, y, 0.9 * r, 0.8 * r),
  (x, y, r) => `M${x - r},${y - r}l${2 * r},${2 * r}m0,${-2 * r}l${-2 * r},${2 * r}`,
];
const DASHES = [null, "7 4", "2 3", "9 3 2 3"];

// colour, mark and dashes of the method with this number
const look = (i) => ({ colour: `var(--s${i % 7})`, mark: MARKS[(i + 2 * Math.floor(i / 7)) % 7], dashes: DASHES[Math.floor(i / 7) % 4] });
const style = (method) => look(data.looks?.[method] ?? 0);
const markAt = ({ colour, mark }, x, y, r) => svg("path", { d: mark(x, y, r), fill: colour, stroke: colour, "stroke-width": 1.2 });

// names beside points, each on the side where it covers least
function labels(points, width, height) {
  const taken = points.map(({ x, y }) => [x - 6, y - 6, x + 6, y + 6]);
  const common = (a, b, i) => Math.max(0, Math.min(a[i + 2], b[i + 2]) - Math.max(a[i], b[i]));
  const over = (a, b) => common(a, b, 0) * common(a, b, 1);
  return points.map(({ x, y, name }) => {
    const words = short(name, 22);
    const long = wide(words) + 2;
    let best = null;
    for (const far of [10, 20, 32]) {
      for (const [dx, dy] of [[1, 0], [-1, 0], [0, -1], [0, 1], [1, -1], [-1, -1], [1, 1], [-1, 1]]) {
        const left = x + dx * far - (dx < 0 ? long : dx ? 0 : long / 2);
        const middle = y + dy * (far + 3);
        const box = [left, middle - 8, left + long, middle + 8];
        const cost = taken.reduce((sum, other) => sum + over(box, other), 0) + far / 10
          + 1000 * (box[0] < 0 || box[2] > width || box[1] < 0 || box[3] > height);
        if (!best || cost < best.cost) best = { cost, box, left, middle, far };
      }
    }
    taken.push(best.box);
    const side = best.left >= x ? "start" : best.left + long <= x ? "end" : "middle";
    const at = { start: best.left, middle: best.left + long / 2, end: best.left + long }[side];
    return [
      best.far > 10 ? line(x, y, at, best.middle, "leader") : null,
      text(at, best.middle, words, { class: "name halo", "text-anchor": side, "pointer-events": "none" }),
    ];
  });
}

// a figure that draws itself as wide as it is, and again when that changes
function figure(title, caption, draw, extra = []) {
  const plot = el("div", { class: "plot" });
  let width = 0;
  const redraw = () => {
    width = Math.floor(plot.clientWidth) || width || WIDE;
    plot.replaceChildren(draw(width));
  };
  const refit = () => { if (plot.clientWidth && Math.floor(plot.clientWidth) !== width) redraw(); };
  new ResizeObserver(refit).observe(plot);
  redraw();
  const node = el("figure", null, title && el("h3", null, title), caption && el("p", { class: "caption" }, caption), plot, extra);
  return Object.assign(node, { redraw, fit: refit });
}

const key = (...entries) => el("p", { class: "key" }, entries.filter(Boolean).map(([drawn, words]) =>
  el("span", null, svg("svg", { viewBox: "0 0 26 12", "aria-hidden": "true" }, drawn), words)));
const numbers = (triples, rows, caption) =>
  el("details", null, el("summary", null, "The numbers"), table(triples, rows, { caption }));
