// One function a plot: the data of its section in, a figure out.

function axes(root, { x, y, left, right, top, bottom, xTicks, yTicks, xFormat, yFormat, xName, yName }) {
  for (const value of yTicks) {
    root.append(line(left, y(value), right, y(value), "grid"), text(left - 8, y(value), yFormat(value), { "text-anchor": "end" }));
  }
  for (const value of xTicks) {
    root.append(line(x(value), bottom, x(value), bottom + 4, "axis"), text(x(value), bottom + 16, xFormat(value), { "text-anchor": "middle" }));
  }
  root.append(line(left, bottom, right, bottom, "axis"),
    text((left + right) / 2, bottom + 38, xName, { "text-anchor": "middle" }),
    text(left - 8, top - 16, yName, { "text-anchor": "start", x: 2 }));
}

function accuracyFigure(data, style) {
  const state = { estimator: data.best.estimator, hidden: new Set(), bands: false };
  const format = data.percent ? (v) => percent(v) : number;
  const curves = () => data.curves[state.estimator].filter((curve) => !state.hidden.has(curve.method));

  function draw(width) {
    const height = Math.round(Math.max(300, Math.min(430, width * 0.5)));
    const root = canvas(width, height, `${data.error} against the number of features`);
    const all = data.curves[state.estimator];
    const values = all.flatMap((c) => c.mean.flatMap((m, i) => [m - c.se[i], m + c.se[i]]));
    const [low, high] = around(values, 0.06);
    const bottomValue = low < 0.3 * high ? Math.min(0, low < 0 ? low : 0) : low;
    const direct = width > 620;
    const [left, right, top, bottom] = [58, width - (direct ? 118 : 12), 34, height - 50];
    const log = data.ks.at(-1) / data.ks[0] > 12;
    const place = (k) => (log ? Math.log(k) : k);
    const x = (k) => linear([place(data.ks[0]), place(data.ks.at(-1))], [left + 14, right - 14])(place(k));
    const y = linear([bottomValue, high], [bottom, top]);
    let last = -Infinity;
    const xTicks = data.ks.filter((k) => { const free = x(k) - last > 30; if (free) last = x(k); return free; });
    const yTicks = ticks(bottomValue, high, 5);
    const digits = data.percent && yTicks.some((t) => Math.abs(t * 100 - Math.round(t * 100)) > 1e-6) ? 1 : 0;
    axes(root, { x, y, left, right, top, bottom, xTicks, yTicks, xFormat: String,
      yFormat: data.percent ? (v) => percent(v, digits) : brief, xName: "number of features", yName: data.error });

    const { best } = data;
    if (state.estimator === best.estimator) {
      root.append(line(left, y(best.limit), right, y(best.limit), "rule"));
    }
    const guide = line(0, top, 0, bottom, "axis");
    guide.setAttribute("visibility", "hidden");
    root.append(guide);
    const drawn = curves();
    for (const curve of drawn.toReversed()) {
      const kind = style(curve.method);
      const up = curve.k.map((k, i) => `${x(k)},${y(curve.mean[i] + curve.se[i])}`);
      const down = curve.k.map((k, i) => `${x(k)},${y(curve.mean[i] - curve.se[i])}`).reverse();
      const best0 = curve.method === best.method;
      if (best0 || state.bands) root.append(svg("polygon", { points: [...up, ...down].join(" "), fill: kind.colour, class: "band" }));
      root.append(svg("polyline", { points: curve.k.map((k, i) => `${x(k)},${y(curve.mean[i])}`).join(" "), stroke: kind.colour,
          "stroke-dasharray": kind.dashes, class: best0 ? "line best" : "line", "data-method": curve.method }),
        ...curve.k.map((k, i) => markAt(kind, x(k), y(curve.mean[i]), best0 ? 4 : 3.2)));
    }
    if (direct && state.estimator === best.estimator) root.append(text(left + 6, y(best.limit) + 11, "least error + 1 standard error", { class: "halo" }));
    if (state.estimator === best.estimator && !state.hidden.has(best.method)) {
      root.append(svg("circle", { cx: x(best.k), cy: y(best.error), r: 10, class: "ring" }));
    }
    if (direct) {
      const ends = drawn.map((c) => ({ method: c.method, want: y(c.mean.at(-1)) })).sort((a, b) => a.want - b.want);
      ends.forEach((end, i) => { end.at = Math.max(end.want, i ? ends[i - 1].at + 15 : top); });
      const over = ends.length ? Math.max(0, ends.at(-1).at - bottom) : 0;
      ends.forEach((end) => root.append(text(right + 8, end.at - over, fit(end.method, 106),
        { colour: style(end.method).colour, class: end.method === best.method ? "strong" : "name" })));
    }

    function show(k, clientX, clientY) {
      guide.setAttribute("x1", x(k));
      guide.setAttribute("x2", x(k));
      guide.setAttribute("visibility", "visible");
      const rows = curves().map((c) => ({ c, i: c.k.indexOf(k) })).filter(({ i }) => i >= 0).sort((a, b) => a.c.mean[a.i] - b.c.mean[b.i]);
      showTip(clientX, clientY, `${k} feature${k === 1 ? "" : "s"}`,
        rows.map(({ c, i }) => [c.method, `${format(c.mean[i])} \u00b1 ${data.percent ? (100 * c.se[i]).toFixed(1) : number(c.se[i])}`]));
    }
    const leave = () => { guide.setAttribute("visibility", "hidden"); hideTip(); };
    let at = data.ks.indexOf(best.k);
    const byKey = () => {
      const box = root.getBoundingClientRect();
      show(data.ks[at], box.left + x(data.ks[at]), box.top + box.height / 2);
    };
    root.setAttribute("tabindex", "0");
    root.addEventListener("pointermove", (event) => {
      const box = root.getBoundingClientRect();
      const px = ((event.clientX - box.left) / box.width) * width;
      at = data.ks.reduce((near, k, i) => (Math.abs(x(k) - px) < Math.abs(x(data.ks[near]) - px) ? i : near), 0);
      show(data.ks[at], event.clientX, event.clientY);
    });
    root.addEventListener("pointerleave", leave);
    root.addEventListener("focus", () => { if (root.matches(":focus-visible")) byKey(); });
    root.addEventListener("blur", leave);
    root.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (event.key === "Escape") leave();
      if (!step) return;
      event.preventDefault();
      at = Math.max(0, Math.min(data.ks.length - 1, at + step));
      byKey();
    });
    return root;
  }

  const node = figure("Error against the number of features",
    `Mean over ${data.resampling}; a band is one standard error either way. Features were chosen anew inside every training part. `
    + "The ring is the recommendation: the fewest features whose error is below the dashed line, the least error plus one standard error.", draw);
  const chips = data.methods.map((method) => {
    const chip = el("button", { type: "button", class: "chip", "aria-pressed": "true", on: { click: () => {
      const off = chip.getAttribute("aria-pressed") === "true";
      chip.setAttribute("aria-pressed", String(!off));
      if (off) state.hidden.add(method); else state.hidden.delete(method);
      node.redraw();
    } } }, swatch(style(method)), named(method));
    return chip;
  });
  const bands = data.methods.length > 1 && el("label", null,
    el("input", { type: "checkbox", on: { change: (event) => { state.bands = event.target.checked; node.redraw(); } } }), "all bands");
  const judge = data.estimators.length > 1 && el("label", null, "Judged by",
    el("select", { on: { change: (event) => { state.estimator = event.target.value; node.redraw(); } } },
      data.estimators.map((name) => el("option", { value: name, selected: name === state.estimator }, name))));
  node.querySelector(".plot").before(el("div", { class: "controls" }, judge || null, bands || null),
    el("div", { class: "controls", role: "group", "aria-label": "Methods shown" }, chips));
  const rows = data.estimators.flatMap((estimator) => data.curves[estimator].flatMap((c) =>
    c.k.map((k, i) => ({ method: c.method, estimator, k, mean: c.mean[i], se: c.se[i] }))));
  const kind = data.percent ? "percent" : "number";
  node.append(numbers([
    { key: "method", label: "method", kind: "text" }, { key: "estimator", label: "judged by", kind: "text" },
    { key: "k", label: "features", kind: "number" }, { key: "mean", label: "error", kind }, { key: "se", label: "standard error", kind },
  ], rows, "Errors"));
  return node;
}

const swatch = (kind) => svg("svg", { viewBox: "0 0 26 12", "aria-hidden": "true" },
  svg("line", { x1: 1, y1: 6, x2: 25, y2: 6, stroke: kind.colour, "stroke-width": 2, "stroke-dasharray": kind.dashes }), markAt(kind, 13, 6, 3));

// rows of names with something drawn to the right of each
function rowPlot(width, rows, label, { rowHeight = 30, top = 8, bottom = 46 }) {
  const gutter = Math.min(width * 0.4, Math.max(60, 12 + Math.max(...rows.map((row) => wide(short(row.label, 34))))));
  const height = top + rows.length * rowHeight + bottom;
  const root = canvas(width, height, label);
  const middle = (i) => top + (i + 0.5) * rowHeight;
  return { root, gutter, top, height, bottom: height - bottom, middle, rowHeight,
    name: (i, kind = "name") => text(gutter - 10, middle(i), fit(rows[i].label, gutter - 11), { "text-anchor": "end", class: kind }) };
}

function stabilityFigure(data) {
  const rows = data.rows.map((row) => ({ ...row, label: row.method }));
  function draw(width) {
    const plot = rowPlot(width, rows, "Stability of the methods", {});
    const { root, gutter, bottom, middle } = plot;
    const low = Math.min(0, ...rows.flatMap((r) => [r.low, r.nogueira, r.kuncheva]).filter((v) => v !== null));
    const x = linear([low, 1], [gutter, width - 18]);
    for (const value of ticks(low, 1, width > 500 ? 6 : 4)) {
      root.append(line(x(value), plot.top, x(value), bottom, "grid"), text(x(value), bottom + 16, brief(value), { "text-anchor": "middle" }));
    }
    rows.forEach((row, i) => {
      const best = row.method === data.best;
      const y = middle(i);
      const group = svg("g", null, svg("rect", { x: 0, y: y - 15, width, height: 30, fill: "transparent" }));
      if (row.nogueira !== null) group.append(svg("rect", { x: Math.min(x(0), x(row.nogueira)), y: y - 8, width: Math.abs(x(row.nogueira) - x(0)), height: 16, class: best ? "bar best" : "bar" }));
      if (row.low !== null && row.high !== null) {
        const [from, to] = [x(Math.max(low, row.low)), x(Math.min(1, row.high))];
        group.append(svg("path", { d: `M${from},${y}H${to}M${from},${y - 4}v8M${to},${y - 4}v8`, class: "whisker" }));
      }
      if (row.consistency !== null) group.append(svg("path", { d: MARKS[0](x(row.consistency), y, 3.6), class: "mark" }));
      root.append(explain(group, row.method, () => [
        ["Nogueira", number(row.nogueira)], ["95\u202f% interval", row.low === null ? "\u2013" : `${number(row.low)} to ${number(row.high)}`],
        ["Kuncheva", number(row.kuncheva)], ["information consistency", number(row.consistency)]]), plot.name(i, best ? "strong" : "name"));
    });
    root.append(line(x(0), plot.top, x(0), bottom, "axis"), text((gutter + width) / 2, bottom + 38, "0 chance, 1 always the same", { "text-anchor": "middle" }));
    return walkable(root);
  }
  return figure(`Stability of the first ${data.k}`,
    "Would another sample have given the same features? Sets chosen from different resamples are compared.", draw,
    [key([svg("rect", { x: 0, y: 2, width: 26, height: 8, class: "bar best", fill: "var(--accent)" }), "Nogueira, with 95\u202f% interval"],
      [svg("path", { d: MARKS[0](13, 6, 3.6), fill: "none", stroke: "currentColor" }), "information consistency: equal information counts as equal"]),
    numbers([{ key: "method", label: "method", kind: "text" }, { key: "nogueira", label: "Nogueira", kind: "number" },
      { key: "low", label: "low", kind: "number" }, { key: "high", label: "high", kind: "number" },
      { key: "kuncheva", label: "Kuncheva", kind: "number" }, { key: "consistency", label: "consistency", kind: "number" }], rows, "Stability")]);
}

function scatter(root, rows, x, y, width, height, style, best, pairs) {
  const points = rows.map((row) => ({ x: x(row), y: y(row), name: row.method, row }));
  for (const point of points) {
    root.append(explain(svg("g", null, svg("circle", { cx: point.x, cy: point.y, r: 13, fill: "transparent" }),
      markAt(style(point.name), point.x, point.y, point.name === best ? 5.5 : 4.2)), point.name, () => pairs(point.row)));
  }
  root.append(...labels(points, width, height).flat().filter(Boolean));
}

function paretoFigure(data, style) {
  const format = data.percent ? (v) => percent(v) : number;
  function draw(width) {
    const height = Math.round(Math.max(300, Math.min(400, width * 0.8)));
    const root = canvas(width, height, "Error against stability");
    const [left, right, top, bottom] = [52, width - 12, 34, height - 50];
    const [xs, ys] = [around(data.rows.map((r) => r.error), 0.14), around(data.rows.map((r) => r.stability), 0.14)];
    const [x, y] = [linear(xs, [left, right]), linear(ys, [bottom, top])];
    const xTicks = ticks(...xs, width > 420 ? 5 : 3);
    axes(root, { x, y, left, right, top, bottom, xTicks, yTicks: ticks(...ys, 5), xFormat: data.percent ? format : brief, yFormat: brief,
      xName: `${data.error} (left is better)`, yName: "stability (up is better)" });
    const front = data.rows.filter((r) => r.front === 1).sort((a, b) => a.error - b.error);
    const path = front.map((r, i) => `${i ? `H${x(r.error)}V` : `M${x(r.error)},`}${y(r.stability)}`).join("");
    root.append(svg("path", { d: path, class: "rule" }));
    scatter(root, data.rows, (r) => x(r.error), (r) => y(r.stability), width, height, style, data.best,
      (r) => [["error", format(r.error)], ["stability", number(r.stability)], ["front", String(r.front)]]);
    return walkable(root);
  }
  return figure("Accuracy against stability", `At ${data.k} features. A method on the dashed front is beaten by no other in both; farther fronts have higher numbers.`, draw,
    [numbers([{ key: "method", label: "method", kind: "text" }, { key: "error", label: "error", kind: data.percent ? "percent" : "number" },
      { key: "stability", label: "stability", kind: "number" }, { key: "front", label: "front", kind: "number" }], data.rows, "Fronts")]);
}

function mapFigure(data, style) {
  function draw(width) {
    const height = Math.round(Math.max(300, Math.min(400, width * 0.8)));
    const root = canvas(width, height, "Map of the methods");
    const spread = (values) => Math.max(...values) - Math.min(...values);
    const [px, py] = [data.rows.map((r) => r.x), data.rows.map((r) => r.y)];
    const scale = Math.min((width - 130) / (spread(px) || 1e-9), (height - 80) / (spread(py) || 1e-9));
    const centre = (values) => (Math.max(...values) + Math.min(...values)) / 2;
    const unit = spread(px) + spread(py) > 1e-9 ? scale : 0; // methods that all choose the same share one point
    const [cx, cy] = [centre(px), centre(py)];
    root.append(svg("rect", { x: 0.5, y: 0.5, width: width - 1, height: height - 1, fill: "none", class: "grid" }));
    scatter(root, data.rows, (r) => width / 2 + unit * (r.x - cx), (r) => height / 2 - unit * (r.y - cy), width, height, style, data.best,
      (r) => [["most alike", data.nearest[r.method] ?? "\u2013"]]);
    return walkable(root);
  }
  return figure("Which methods choose alike", "Near means alike: distances follow the mean consistency between what two methods chose (classical scaling). Directions mean nothing.", draw);
}

function pathFigure(data) {
  const rows = data.rows.slice(0, 40).map((row) => ({ ...row, label: row.name }));
  const information = rows.some((row) => row.information !== null);
  function draw(width) {
    const plot = rowPlot(width, rows, "The selection step by step", { top: information && data.units !== "nats" ? 40 : 8 });
    const { root, gutter, top, bottom, middle } = plot;
    const scores = rows.map((row) => row.score);
    const nats = rows.map((row) => row.information ?? 0).concat(data.class_entropy ?? 0);
    const shared = data.units === "nats"; // scores in other units get a scale of their own
    const lowest = Math.min(0, ...scores);
    const x = linear([lowest, 1.03 * Math.max(...scores, ...(shared ? nats : [0])) || 1], [gutter, width - 14]);
    const xi = shared ? x : linear([0, 1.03 * Math.max(...nats) || 1], [gutter, width - 14]);
    const count = width > 500 ? 6 : 3;
    for (const value of ticks(lowest, Math.max(...scores, ...(shared ? nats : [0])), count)) {
      root.append(line(x(value), top, x(value), bottom, "grid"), text(x(value), bottom + 16, brief(value), { "text-anchor": "middle" }));
    }
    if (information && !shared) for (const value of ticks(0, Math.max(...nats), count)) root.append(text(xi(value), top - 12, brief(value), { "text-anchor": "middle" }));
    if (information && !shared) root.append(text(gutter, top - 30, "joint information (nats)", {}));
    if (data.enough < rows.length) {
      const y = middle(data.enough - 1) + 15;
      root.append(line(0, y, width, y, "rule"), text((gutter + width) / 2, y + 10, `${data.enough} ${data.enough === 1 ? "is" : "are"} enough`, { "text-anchor": "middle", class: "halo" }));
    }
    const known = [];
    rows.forEach((row, i) => {
      const y = middle(i);
      root.append(explain(svg("g", null, svg("rect", { x: 0, y: y - 15, width, height: 30, fill: "transparent" }),
        svg("rect", { x: Math.min(x(0), x(row.score)), y: y - 9, width: Math.abs(x(row.score) - x(0)), height: 18, class: "bar" })),
      `${row.rank}. ${row.name}`, () => [["score", number(row.score)],
        ...(row.relevance !== null ? [["alone", number(row.relevance)]] : []),
        ...(row.information !== null ? [["all so far", `${number(row.information)} nats`]] : []),
        ...(row.floor !== null ? [["error at least", percent(row.floor)]] : []),
        ...(row.runner_up !== null ? [["preferred to", named(row.runner_up)], ["by", number(row.margin)]] : [])]), plot.name(i));
      if (row.information !== null) known.push([xi(row.information), y, row]);
    });
    root.append(line(x(0), top, x(0), bottom, "axis"));
    if (information && data.class_entropy !== null) root.append(line(xi(data.class_entropy), top, xi(data.class_entropy), bottom, "rule"));
    root.append(svg("polyline", { points: known.map(([a, b]) => `${a},${b}`).join(" "), class: "line best", stroke: "var(--accent)", "pointer-events": "none" }),
      ...known.map(([a, b]) => svg("circle", { cx: a, cy: b, r: 4.2, fill: "var(--accent)", "pointer-events": "none" })),
      ...known.filter(([a, , row]) => row.floor > 0 && a - gutter > 96).map(([a, b, row]) =>
        text(a - 10, b, `error \u2265 ${percent(row.floor)}`, { class: "name halo", "text-anchor": "end", "pointer-events": "none" })),
      text((gutter + width) / 2, bottom + 38, `score of ${data.method}${data.units ? ` (${data.units})` : ""}`, { "text-anchor": "middle" }));
    return walkable(root);
  }
  const entries = [[svg("rect", { x: 0, y: 1, width: 26, height: 10, class: "bar", fill: "var(--accent)", opacity: 0.4 }), "score of the step"]];
  if (information) entries.push([[svg("line", { x1: 0, y1: 6, x2: 26, y2: 6, stroke: "var(--accent)", "stroke-width": 2 }), svg("circle", { cx: 13, cy: 6, r: 4, fill: "var(--accent)" })], "information of all so far"]);
  if (information && data.class_entropy !== null) entries.push([svg("line", { x1: 0, y1: 6, x2: 26, y2: 6, stroke: "currentColor", "stroke-dasharray": "4 4" }), "all there is to know about the target"]);
  return figure("Step by step", data.caption, draw, [key(...entries)]);
}

function redundancyFigure(data) {
  const n = Math.min(30, data.names.length);
  const rows = data.names.slice(0, n).map((name) => ({ label: name }));
  const most = Math.max(1e-12, ...data.matrix.slice(0, n).flatMap((row) => row.slice(0, n).filter((v) => v !== null)));
  function draw(width) {
    const gutter = Math.min(width * 0.42, Math.max(70, 38 + Math.max(...rows.map((row) => wide(short(row.label, 34))))));
    const side = Math.max(7, Math.min(46, (width - gutter - 2) / n));
    const root = canvas(width, 26 + side * n + 6, "Redundancy of the chosen features");
    const size = side < 13 ? 8 : 12.5;
    rows.forEach((row, i) => {
      const y = 26 + (i + 0.5) * side;
      if (side > 11) root.append(text(gutter - 34, y, fit(row.label, gutter - 36), { "text-anchor": "end", class: "name" }));
      if (side > 11 || i % 5 === 4) root.append(text(gutter - 8, y, String(i + 1), { "text-anchor": "end", "font-size": size }), text(gutter + (i + 0.5) * side, 14, String(i + 1), { "text-anchor": "middle", "font-size": size }));
      for (let j = 0; j < n; j += 1) {
        const value = data.matrix[i][j];
        if (value === null) continue;
        const share = Math.round(100 * Math.sqrt(value / most));
        const cell = svg("g", null, svg("rect", { x: gutter + j * side, y: 26 + i * side, width: side, height: side, class: "cell",
          fill: `color-mix(in oklab, var(--accent) ${share}%, var(--card))` }));
        if (side >= 36) cell.append(text(gutter + (j + 0.5) * side, y, value.toFixed(2), { "text-anchor": "middle", colour: share > 55 ? "var(--back)" : "var(--ink)" }));
        root.append(explain(cell, `${row.label} \u2013 ${rows[j].label}`, () => [["shared", `${number(value)}${data.units ? ` ${data.units}` : ""}`]]));
      }
    });
    return walkable(root);
  }
  return figure("Said twice", "What two chosen features share, whatever the target. A strong colour is a pair of which one repeats much of the other.", draw);
}
