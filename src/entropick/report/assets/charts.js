// One function a plot: the data of its section in, a figure out. Error against the number of features is apart.

function axes(root, { x, y, left, right, top, bottom, xTicks, yTicks, xFormat, yFormat, xName, yName }) {
  for (const value of yTicks) {
    root.append(line(left, y(value), right, y(value), "grid"),
      text(left - 8, y(value), yFormat(value), { "text-anchor": "end" }));
  }
  for (const value of xTicks) {
    root.append(line(x(value), bottom, x(value), bottom + 4, "axis"),
      text(x(value), bottom + 16, xFormat(value), { "text-anchor": "middle" }));
  }
  root.append(line(left, bottom, right, bottom, "axis"), text(2, top - 16, yName, {}),
    text((left + right) / 2, bottom + 38, xName, { "text-anchor": "middle" }));
}

// rows of names with something drawn to the right of each
const ROW = 30;
function rowPlot(width, names, label, { top = 8, bottom = 46 }) {
  const gutter = Math.min(width * 0.4, Math.max(60, 12 + Math.max(...names.map((name) => wide(short(name, 34))))));
  const height = top + names.length * ROW + bottom;
  const middle = (i) => top + (i + 0.5) * ROW;
  const root = canvas(width, height, label);
  return { root, gutter, top, bottom: height - bottom, middle,
    // what the pointer meets: the whole row
    row: (i) => svg("g", null, svg("rect", { x: 0, y: middle(i) - ROW / 2, width, height: ROW, fill: "transparent" })),
    bar: (i, from, to, kind) => svg("rect",
      { x: Math.min(from, to), y: middle(i) - 8, width: Math.abs(to - from), height: 16, class: kind }),
    name: (i, kind = "name") => text(gutter - 10, middle(i), fit(names[i], gutter - 11),
      { "text-anchor": "end", class: kind }),
    scale: (x, values) => root.append(...values.flatMap((value) => [
      line(x(value), top, x(value), height - bottom, "grid"),
      text(x(value), height - bottom + 16, brief(value), { "text-anchor": "middle" })])) };
}

// -- stability --

function drawStability({ rows, best }, width) {
  const plot = rowPlot(width, rows.map((row) => row.method), "Stability of the methods", {});
  const { root, gutter, top, bottom, middle } = plot;
  const low = Math.min(0, ...rows.flatMap((row) => [row.low, row.nogueira]).filter((value) => value !== null));
  const x = linear([low, 1], [gutter, width - 18]);
  plot.scale(x, ticks(low, 1, width > 500 ? 6 : 4));
  rows.forEach((row, i) => {
    const own = row.method === best;
    const y = middle(i);
    const group = plot.row(i);
    if (row.nogueira !== null) group.append(plot.bar(i, x(0), x(row.nogueira), own ? "bar best" : "bar"));
    if (row.low !== null) {
      const [from, to] = [x(Math.max(low, row.low)), x(Math.min(1, row.high))];
      group.append(svg("path", { d: `M${from},${y}H${to}M${from},${y - 4}v8M${to},${y - 4}v8`, class: "whisker" }));
    }
    if (row.consistency !== null) group.append(svg("path", { d: MARKS[0](x(row.consistency), y, 3.6), class: "mark" }));
    const interval = row.low === null ? "\u2013" : `${number(row.low)} to ${number(row.high)}`;
    root.append(explain(group, row.method, () => [["Nogueira", number(row.nogueira)], ["95\u202f% interval", interval],
      ["Kuncheva", number(row.kuncheva)], ["information consistency", number(row.consistency)]]),
    plot.name(i, own ? "strong" : "name"));
  });
  root.append(line(x(0), top, x(0), bottom, "axis"),
    text((gutter + width) / 2, bottom + 38, "0 chance, 1 always the same", { "text-anchor": "middle" }));
  return walkable(root);
}

const stabilityFigure = (data) => figure(`Stability of the first ${data.k}`,
  "Would another sample have given the same features? Sets chosen from different resamples are compared.",
  (width) => drawStability(data, width), [
    key([svg("rect", { x: 0, y: 2, width: 26, height: 8, fill: "var(--accent)" }), "Nogueira, with 95\u202f% interval"],
      [svg("path", { d: MARKS[0](13, 6, 3.6), fill: "none", stroke: "currentColor" }),
        "information consistency: equal information counts as equal"]),
    numbers([["method", "method", "text"], ["nogueira", "Nogueira", "number"], ["low", "low", "number"],
      ["high", "high", "number"], ["kuncheva", "Kuncheva", "number"], ["consistency", "consistency", "number"]],
    data.rows, "Stability")]);

// -- methods as points --

function scatter(root, points, { width, height }, style, best, pairs) {
  for (const { x, y, name, row } of points) {
    root.append(explain(svg("g", null, svg("circle", { cx: x, cy: y, r: 13, fill: "transparent" }),
      markAt(style(name), x, y, name === best ? 5.5 : 4.2)), name, () => pairs(row)));
  }
  root.append(...labels(points, width, height).flat().filter(Boolean));
  return walkable(root);
}

const squarish = (width) => Math.round(Math.max(300, Math.min(400, width * 0.8)));

function drawPareto(data, style, width) {
  const format = data.percent ? (value) => percent(value) : number;
  const height = squarish(width);
  const root = canvas(width, height, "Error against stability");
  const [left, right, top, bottom] = [52, width - 12, 34, height - 50];
  const [xs, ys] = ["error", "stability"].map((what) => around(data.rows.map((row) => row[what]), 0.14));
  const [x, y] = [linear(xs, [left, right]), linear(ys, [bottom, top])];
  axes(root, { x, y, left, right, top, bottom, xTicks: ticks(...xs, width > 420 ? 5 : 3), yTicks: ticks(...ys, 5),
    xFormat: data.percent ? format : brief, yFormat: brief,
    xName: `${data.error} (left is better)`, yName: "stability (up is better)" });
  const front = data.rows.filter((row) => row.front === 1).sort((a, b) => a.error - b.error);
  const steps = front.map((row, i) => `${i ? `H${x(row.error)}V` : `M${x(row.error)},`}${y(row.stability)}`);
  root.append(svg("path", { d: steps.join(""), class: "rule" }));
  const points = data.rows.map((row) => ({ x: x(row.error), y: y(row.stability), name: row.method, row }));
  return scatter(root, points, { width, height }, style, data.best, (row) => [
    ["error", format(row.error)], ["stability", number(row.stability)], ["front", String(row.front)]]);
}

const paretoFigure = (data, style) => figure("Accuracy against stability",
  `At ${data.k} features. A method on the dashed front is beaten by no other in both; farther fronts have higher numbers.`,
  (width) => drawPareto(data, style, width), [
    numbers([["method", "method", "text"], ["error", "error", data.percent ? "percent" : "number"],
      ["stability", "stability", "number"], ["front", "front", "number"]], data.rows, "Fronts")]);

function drawMap(data, style, width) {
  const height = squarish(width);
  const root = canvas(width, height, "Map of the methods");
  const [xs, ys] = ["x", "y"].map((axis) => data.rows.map((row) => row[axis]));
  const spread = (values) => Math.max(...values) - Math.min(...values);
  const centre = (values) => (Math.max(...values) + Math.min(...values)) / 2;
  const same = spread(xs) + spread(ys) < 1e-9; // methods that all choose alike share one point
  const unit = same ? 0 : Math.min((width - 130) / (spread(xs) || 1e-9), (height - 80) / (spread(ys) || 1e-9));
  root.append(svg("rect", { x: 0.5, y: 0.5, width: width - 1, height: height - 1, fill: "none", class: "grid" }));
  const points = data.rows.map((row) => ({ x: width / 2 + unit * (row.x - centre(xs)),
    y: height / 2 - unit * (row.y - centre(ys)), name: row.method, row }));
  return scatter(root, points, { width, height }, style, data.best,
    (row) => [["most alike", data.nearest[row.method] ?? "\u2013"]]);
}

const mapFigure = (data, style) => figure("Which methods choose alike",
  "Near means alike: distances follow how much two methods chose in common from the same rows (classical scaling). "
  + "Directions mean nothing.", (width) => drawMap(data, style, width));

// -- the path --

const STEPS = 40; // that are drawn; the table below has all

// how the error falls with each feature: a mark after every number of features that was tried
function drawErrors(data, rows, width) {
  const plot = rowPlot(width, rows.map((row) => `${row.rank}. ${row.name}`), "Error after each feature", {});
  const { root, gutter, top, bottom, middle } = plot;
  const tried = rows.filter((row) => row.error !== null && row.error !== undefined);
  const [low, high] = around(tried.flatMap((row) => [row.error - row.se, row.error + row.se]), 0.08);
  const x = linear([Math.max(0, low), high], [gutter + 8, width - 70]);
  const shown = (value) => (data.percent ? percent(value) : number(value));
  for (const value of ticks(Math.max(0, low), high, width > 500 ? 6 : 3)) {
    root.append(line(x(value), top, x(value), bottom, "grid"),
      text(x(value), bottom + 16, data.percent ? percent(value, 1) : brief(value), { "text-anchor": "middle" }));
  }
  enoughLine(data, rows, plot, width);
  const at = (row) => middle(rows.indexOf(row));
  root.append(svg("polyline", { points: tried.map((row) => `${x(row.error)},${at(row)}`).join(" "), class: "line best", stroke: "var(--accent)" }));
  rows.forEach((row, i) => {
    const group = plot.row(i);
    if (tried.includes(row)) {
      group.append(svg("line", { x1: x(Math.max(0, row.error - row.se)), x2: x(row.error + row.se), y1: middle(i), y2: middle(i), class: "whisker thin" }),
        svg("circle", { cx: x(row.error), cy: middle(i), r: 4.2, fill: "var(--accent)" }),
        text(x(row.error + row.se) + 8, middle(i), shown(row.error), { class: "name halo" }));
    }
    root.append(explain(group, `${row.rank}. ${row.name}`, () => stepPairs(row, data)), plot.name(i));
  });
  root.append(text((gutter + width) / 2, bottom + 38, data.error, { "text-anchor": "middle" }));
  return walkable(root);
}

function enoughLine(data, rows, { root, middle, gutter }, width) {
  if (data.enough >= rows.length) return;
  const y = middle(data.enough - 1) + ROW / 2;
  root.append(line(0, y, width, y, "rule"),
    text(width - 2, y + 10, `first ${data.enough}: recommended`, { "text-anchor": "end", class: "halo" }));
}

// what all features so far carry together, as a share of what there is to know where that is known
function drawInformation(data, rows, width) {
  const whole = data.class_entropy;
  const plot = rowPlot(width, rows.map((row) => `${row.rank}. ${row.name}`), "Information of the features so far", {});
  const { root, gutter, top, bottom, middle } = plot;
  const x = linear([0, 1.02 * (whole || Math.max(...rows.map((row) => row.information)))], [gutter, width - 60]);
  const marks = whole ? [0, 0.25, 0.5, 0.75, 1].map((share) => share * whole) : ticks(0, Math.max(...rows.map((row) => row.information)), 5);
  const shown = (value) => (whole ? percent(value / whole, 0) : number(value));
  for (const value of marks) root.append(line(x(value), top, x(value), bottom, "grid"), text(x(value), bottom + 16, shown(value), { "text-anchor": "middle" }));
  rows.forEach((row, i) => {
    const group = plot.row(i);
    const before = i ? rows[i - 1].information : 0;
    group.append(plot.bar(i, x(0), x(Math.min(before, row.information)), "bar"), plot.bar(i, x(Math.min(before, row.information)), x(row.information), "bar best"),
      text(x(row.information) + 6, middle(i), shown(row.information), { class: "name" }));
    root.append(explain(group, `${row.rank}. ${row.name}`, () => stepPairs(row, data)), plot.name(i));
  });
  root.append(line(x(0), top, x(0), bottom, "axis"));
  return walkable(root);
}

function drawScores(data, rows, width) {
  const plot = rowPlot(width, rows.map((row) => `${row.rank}. ${row.name}`), "Score of each feature", {});
  const { root, gutter, top, bottom } = plot;
  const scores = rows.map((row) => row.score);
  const x = linear([Math.min(0, ...scores), 1.03 * Math.max(0, ...scores) || 1], [gutter, width - 14]);
  plot.scale(x, ticks(Math.min(0, ...scores), Math.max(0, ...scores), width > 500 ? 6 : 3));
  enoughLine(data, rows, plot, width);
  rows.forEach((row, i) => {
    const group = plot.row(i);
    group.append(plot.bar(i, x(0), x(row.score), "bar best"));
    root.append(explain(group, `${row.rank}. ${row.name}`, () => stepPairs(row, data)), plot.name(i));
  });
  const unit = data.units ? ` (${data.units})` : "";
  root.append(line(x(0), top, x(0), bottom, "axis"),
    text((gutter + width) / 2, bottom + 38, `score of ${data.method}${unit}`, { "text-anchor": "middle" }));
  return walkable(root);
}

const stepPairs = (row, data) => [
  row.error !== null && row.error !== undefined && [data.error, data.percent ? percent(row.error) : number(row.error)],
  ["score", number(row.score)],
  row.relevance !== null && ["alone", number(row.relevance)],
  row.information !== null && ["all so far", `${number(row.information)} nats`],
  row.floor !== null && ["error at least", percent(row.floor)],
  row.runner_up !== null && ["preferred to", row.runner_up],
  row.runner_up !== null && ["by", number(row.margin)],
].filter(Boolean);

// what each feature adds: to the error where it was measured, and to the information; the scores where neither is known
function pathFigures(data) {
  const rows = data.rows.slice(0, STEPS);
  const known = rows.filter((row) => row.information !== null);
  const tried = rows.filter((row) => row.error !== null && row.error !== undefined);
  const figures = [];
  if (tried.length > 1) {
    figures.push(figure("What each feature adds: error", `Cross-validated ${data.error} of ${data.method} after each number of features tried; the line is one standard error either way.`,
      (width) => drawErrors(data, rows.slice(0, tried.at(-1).rank), width)));
  }
  if (known.length) {
    figures.push(figure("What each feature adds: information", `${data.caption} The dark part is what the feature adds.`,
      (width) => drawInformation(data, known, width)));
  }
  if (!figures.length) figures.push(figure("What each feature adds: score", data.caption, (width) => drawScores(data, rows, width)));
  return figures;
}

// -- classes --

function drawBalance(classes, width) {
  const plot = rowPlot(width, classes.map((row) => row.label), "Rows of each class", { bottom: 6 });
  const x = linear([0, Math.max(...classes.map((row) => row.share))], [plot.gutter, width - 110]);
  classes.forEach((row, i) => plot.root.append(plot.name(i), plot.bar(i, x(0), Math.max(x(row.share), x(0) + 1), "bar best"),
    text(x(row.share) + 8, plot.middle(i), `${counted(row.count)}  (${percent(row.share, 0)})`, {})));
  return plot.root;
}
