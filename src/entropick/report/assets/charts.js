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

function drawPath(data, rows, width) {
  const known = rows.filter((row) => row.information !== null);
  const shared = data.units === "nats"; // scores in other units get a scale of their own
  const plot = rowPlot(width, rows.map((row) => row.name), "The selection step by step", { top: known.length && !shared ? 40 : 8 });
  const { root, gutter, top, bottom, middle } = plot;
  const nats = Math.max(data.class_entropy ?? 0, ...known.map((row) => row.information));
  const scores = rows.map((row) => row.score);
  const [low, high] = [Math.min(0, ...scores), Math.max(...scores, shared ? nats : 0)];
  const x = linear([low, 1.03 * high || 1], [gutter, width - 14]);
  const xi = shared ? x : linear([0, 1.03 * nats || 1], [gutter, width - 14]);
  const count = width > 500 ? 6 : 3;
  plot.scale(x, ticks(low, high, count));
  if (known.length && !shared) {
    root.append(text(gutter, top - 30, "joint information (nats)", {}),
      ...ticks(0, nats, count).map((value) => text(xi(value), top - 12, brief(value), { "text-anchor": "middle" })));
  }
  if (data.enough < rows.length) {
    const y = middle(data.enough - 1) + ROW / 2;
    const words = `${data.enough} ${data.enough === 1 ? "is" : "are"} enough`;
    root.append(line(0, y, width, y, "rule"),
      text((gutter + width) / 2, y + 10, words, { "text-anchor": "middle", class: "halo" }));
  }
  rows.forEach((row, i) => {
    const group = plot.row(i);
    group.append(plot.bar(i, x(0), x(row.score), "bar"));
    root.append(explain(group, `${row.rank}. ${row.name}`, () => stepPairs(row)), plot.name(i));
  });
  root.append(line(x(0), top, x(0), bottom, "axis"));
  if (known.length) {
    drawInformation(root, known, (row) => [xi(row.information), middle(rows.indexOf(row))], gutter);
    const most = data.class_entropy;
    if (most !== null) root.append(line(xi(most), top, xi(most), bottom, "rule"));
  }
  const unit = data.units ? ` (${data.units})` : "";
  root.append(text((gutter + width) / 2, bottom + 38, `score of ${data.method}${unit}`, { "text-anchor": "middle" }));
  return walkable(root);
}

function drawInformation(root, known, place, gutter) {
  const still = { "pointer-events": "none" };
  const points = known.map((row) => place(row).join(",")).join(" ");
  root.append(svg("polyline", { points, class: "line best", stroke: "var(--accent)", ...still }));
  for (const row of known) {
    const [x, y] = place(row);
    root.append(svg("circle", { cx: x, cy: y, r: 4.2, fill: "var(--accent)", ...still }));
    if (row.floor > 0 && x - gutter > 96) {
      const words = `error \u2265 ${percent(row.floor)}`;
      root.append(text(x - 10, y, words, { class: "name halo", "text-anchor": "end", ...still }));
    }
  }
}

const stepPairs = (row) => [
  ["score", number(row.score)],
  row.relevance !== null && ["alone", number(row.relevance)],
  row.information !== null && ["all so far", `${number(row.information)} nats`],
  row.floor !== null && ["error at least", percent(row.floor)],
  row.runner_up !== null && ["preferred to", row.runner_up],
  row.runner_up !== null && ["by", number(row.margin)],
].filter(Boolean);

function pathFigure(data) {
  const rows = data.rows.slice(0, STEPS);
  const known = rows.some((row) => row.information !== null);
  const stroke = (attributes) => svg("line", { x1: 0, y1: 6, x2: 26, y2: 6, ...attributes });
  const accent = "var(--accent)";
  const entries = [
    [svg("rect", { x: 0, y: 1, width: 26, height: 10, fill: accent, opacity: 0.4 }), "score of the step"],
    known && [[stroke({ stroke: accent, "stroke-width": 2 }), svg("circle", { cx: 13, cy: 6, r: 4, fill: accent })],
      "information of all so far"],
    known && data.class_entropy !== null
      && [stroke({ stroke: "currentColor", "stroke-dasharray": "4 4" }), "all there is to know about the target"],
  ].filter(Boolean);
  return figure("Step by step", data.caption, (width) => drawPath(data, rows, width), [key(...entries)]);
}

// -- classes --

function drawBalance(classes, width) {
  const plot = rowPlot(width, classes.map((row) => row.label), "Rows of each class", { bottom: 6 });
  const x = linear([0, Math.max(...classes.map((row) => row.share))], [plot.gutter, width - 110]);
  classes.forEach((row, i) => plot.root.append(plot.name(i), plot.bar(i, x(0), Math.max(x(row.share), x(0) + 1), "bar best"),
    text(x(row.share) + 8, plot.middle(i), `${counted(row.count)}  (${percent(row.share, 0)})`, {})));
  return plot.root;
}
