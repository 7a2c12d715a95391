// Error against the number of features.

const CAPTION = "the band is one standard error either way. Features are selected anew within every training set. "
  + "The ring marks the recommendation: the fewest features with an error below the dashed line, which is the lowest "
  + "error plus one standard error.";

// where things go: pixels of a number of features and of an error
function accuracyFrame(data, curves, width, blind = null) {
  const height = Math.round(Math.max(300, Math.min(430, width * 0.5)));
  const direct = width > 620 && blind === null; // room to write names at the ends of lines
  const [left, right, top, bottom] = [58, width - (direct ? 118 : 12), 34, height - 50];
  const [low, high] = around(curves.flatMap((c) => c.mean.flatMap((m, i) => [m - c.se[i], m + c.se[i]])), 0.06);
  const guess = blind !== null && blind < high * 1.8 && blind > low; // a guess far above would flatten the curves
  const most = guess ? Math.max(high, blind * 1.03) : high;
  const least = low < 0.3 * most ? 0 : low; // no error is below 0
  const place = data.ks.at(-1) / data.ks[0] > 12 ? Math.log : (k) => k;
  const along = linear([place(data.ks[0]), place(data.ks.at(-1))], [left + 14, right - 14]);
  return { width, height, direct, left, right, top, bottom, x: (k) => along(place(k)),
    blind: guess,
    y: linear([least, most], [bottom, top]), xTicks: apart(data.ks, (k) => along(place(k))), yTicks: ticks(least, most, 5) };
}

// those of the values that are drawn 30 pixels apart at least
function apart(values, x) {
  let last = -Infinity;
  return values.filter((value) => {
    const free = x(value) - last > 30;
    if (free) last = x(value);
    return free;
  });
}

function drawCurve(root, curve, { x, y }, kind, { best, band }) {
  const at = (sign) => curve.k.map((k, i) => `${x(k)},${y(Math.max(0, curve.mean[i] + sign * curve.se[i]))}`);
  if (band) root.append(svg("polygon", { points: [...at(1), ...at(-1).reverse()].join(" "), fill: kind.colour, class: "band" }));
  root.append(svg("polyline", { points: at(0).join(" "), stroke: kind.colour, "stroke-dasharray": kind.dashes,
    class: best ? "line best" : "line", "data-method": curve.method }),
  ...curve.k.map((k, i) => markAt(kind, x(k), y(curve.mean[i]), best ? 4 : 3.2)));
}

// names at the ends of the lines, pushed apart
function nameEnds(root, curves, { y, top, bottom, right }, style, best) {
  const ends = curves.map((c) => ({ method: c.method, at: y(c.mean.at(-1)) })).sort((a, b) => a.at - b.at);
  ends.forEach((end, i) => { end.at = Math.max(end.at, i ? ends[i - 1].at + 15 : top); });
  const over = ends.length ? Math.max(0, ends.at(-1).at - bottom) : 0;
  root.append(...ends.map(({ method, at }) => text(right + 8, at - over, fit(method, 106),
    { colour: style(method).colour, class: method === best ? "strong" : "name" })));
}

// pointer or arrow keys choose a number of features; the tip tells every method there
function readable(root, data, frame, curves) {
  const guide = line(0, frame.top, 0, frame.bottom, "axis");
  guide.setAttribute("visibility", "hidden");
  root.append(guide);
  const plus = (se) => (data.percent ? (100 * se).toFixed(1) : number(se));
  let at = data.ks.indexOf(data.best.k);

  function show(clientX, clientY) {
    const k = data.ks[at];
    for (const end of ["x1", "x2"]) guide.setAttribute(end, frame.x(k));
    guide.setAttribute("visibility", "visible");
    const there = curves.map((c) => ({ c, i: c.k.indexOf(k) })).filter(({ i }) => i >= 0);
    there.sort((a, b) => a.c.mean[a.i] - b.c.mean[b.i]);
    showTip(clientX, clientY, `${k} feature${k === 1 ? "" : "s"}`,
      there.map(({ c, i }) => [c.method, `${data.percent ? percent(c.mean[i]) : number(c.mean[i])} \u00b1 ${plus(c.se[i])}`]));
  }
  function hide() {
    guide.setAttribute("visibility", "hidden");
    hideTip();
  }
  function showByKey() {
    const box = root.getBoundingClientRect();
    show(box.left + frame.x(data.ks[at]), box.top + box.height / 2);
  }

  root.setAttribute("tabindex", "0");
  root.addEventListener("pointermove", (event) => {
    const box = root.getBoundingClientRect();
    const pixel = ((event.clientX - box.left) / box.width) * frame.width;
    const distance = (i) => Math.abs(frame.x(data.ks[i]) - pixel);
    at = data.ks.reduce((near, _, i) => (distance(i) < distance(near) ? i : near), 0);
    show(event.clientX, event.clientY);
  });
  root.addEventListener("pointerleave", hide);
  root.addEventListener("focus", () => { if (root.matches(":focus-visible")) showByKey(); });
  root.addEventListener("blur", hide);
  root.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (event.key === "Escape") hide();
    if (!step) return;
    event.preventDefault();
    at = Math.max(0, Math.min(data.ks.length - 1, at + step));
    showByKey();
  });
}

function drawAccuracy(data, state, style, width) {
  const { best } = data;
  const all = data.curves[state.estimator];
  const curves = all.filter((curve) => !state.hidden.has(curve.method));
  const frame = accuracyFrame(data, all, width);
  const { x, y, left, right } = frame;
  const root = canvas(width, frame.height, `${data.error} against the number of features`);
  const digits = frame.yTicks.some((tick) => Math.abs(tick * 100 - Math.round(tick * 100)) > 1e-6) ? 1 : 0;
  axes(root, { ...frame, xFormat: String, yFormat: data.percent ? (value) => percent(value, digits) : brief,
    xName: "number of features", yName: data.error });
  const judged = state.estimator === best.estimator; // the rule was applied to this estimator's errors
  if (judged) root.append(line(left, y(best.limit), right, y(best.limit), "rule"));
  for (const curve of curves.toReversed()) {
    const own = curve.method === best.method;
    drawCurve(root, curve, frame, style(curve.method), { best: own, band: own || state.bands });
  }
  if (judged && frame.direct) root.append(limitName(curves, frame, best.limit));
  if (judged && !state.hidden.has(best.method)) root.append(svg("circle", { cx: x(best.k), cy: y(best.error), r: 10, class: "ring" }));
  if (frame.direct) nameEnds(root, curves, frame, style, best.method);
  readable(root, data, frame, curves);
  return root;
}

// the name of the dashed line, above or below it, at the left or the right end: where the curves are farthest
function limitName(curves, { x, y, left, right, bottom }, limit) {
  const words = "lowest error + 1 standard error";
  const places = [11, -11].flatMap((up) => [[left + 6, "start"], [right - 6, "end"]].map(([at, anchor]) => {
    const [from, to] = anchor === "start" ? [at, at + wide(words)] : [at - wide(words), at];
    const near = curves.flatMap((c) => along(c.k.map((k, i) => [x(k), y(c.mean[i])])))
      .filter(([cx]) => cx >= from - 8 && cx <= to + 8).map(([, cy]) => Math.abs(cy - y(limit) - up));
    return { at, up, anchor, room: Math.min(...near, 40) - (y(limit) + up > bottom - 8 ? 100 : 0) };
  }));
  const { at, up, anchor } = places.reduce((best, one) => (one.room > best.room ? one : best));
  return text(at, y(limit) + up, words, { class: "halo", "text-anchor": anchor });
}

// points close to each other on a line through these
const along = (points) => points.slice(1).flatMap(([x2, y2], i) => {
  const [x1, y1] = points[i];
  return Array.from({ length: 21 }, (_, s) => [x1 + (x2 - x1) * s / 20, y1 + (y2 - y1) * s / 20]);
});

// -- the first screen: the recommended method in colour, the others in grey, the error of a guess, the plateau --

function drawHero(data, style, width) {
  const { best } = data;
  const all = data.curves[best.estimator];
  const own = all.find((curve) => curve.method === best.method);
  const frame = accuracyFrame({ ...data, ks: data.ks }, all, width, data.blind);
  const { x, y, left, right, top, bottom } = frame;
  const root = canvas(width, frame.height, `${data.error} against the number of features`);
  const digits = frame.yTicks.some((tick) => Math.abs(tick * 100 - Math.round(tick * 100)) > 1e-6) ? 1 : 0;
  const flat = own.k.filter((k, i) => k >= best.k && own.mean[i] <= best.limit);
  if (flat.length > 1) root.append(svg("rect", { x: x(flat[0]), width: x(flat.at(-1)) - x(flat[0]), y: top, height: bottom - top, class: "plateau" }));
  axes(root, { ...frame, xFormat: String, yFormat: data.percent ? (value) => percent(value, digits) : brief,
    xName: "number of features", yName: `${data.error}, ${best.estimator}` });
  if (frame.blind) {
    root.append(line(left, y(data.blind), right, y(data.blind), "rule"),
      text(right - 2, y(data.blind) + 11, "guessing", { "text-anchor": "end", class: "halo" }));
  }
  for (const curve of all.filter((one) => one !== own)) {
    root.append(svg("polyline", { points: curve.k.map((k, i) => `${x(k)},${y(curve.mean[i])}`).join(" "), class: "line other" }));
  }
  drawCurve(root, own, frame, style(own.method), { best: true, band: true });
  root.append(svg("circle", { cx: x(best.k), cy: y(best.error), r: 10, class: "ring" }));
  const words = `${best.k} feature${best.k === 1 ? "" : "s"}: ${data.percent ? percent(best.error) : number(best.error)}`;
  root.append(free(words, [x(best.k), y(best.error)], own.k.map((k, i) => [x(k), y(own.mean[i])]), frame));
  readable(root, data, frame, all);
  return root;
}

// the label where it is farthest from the curve: above or below the point, to its left or right
function free(words, [px, py], points, { left, right, top, bottom }) {
  const long = wide(words) * 1.06;
  const places = [-1, 1, -2, -3].flatMap((up) => [-1, 1].map((way) => {
    const [from, to] = way < 0 ? [px - long - 6, px - 6] : [px + 6, px + 6 + long];
    const at = py + up * 22;
    const inside = from >= left && to <= right && at > top + 6 && at < bottom - 8;
    const near = along(points).map(([cx, cy]) => Math.hypot(Math.max(from - cx, 0, cx - to), cy - at));
    return { at, way, room: (inside ? 1000 : 0) + Math.min(...near, 18) - 4 * Math.abs(up) };
  }));
  const { at, way } = places.reduce((best, one) => (one.room > best.room ? one : best));
  return text(px + 6 * way, at, words, { class: "strong halo", "text-anchor": way < 0 ? "end" : "start" });
}

const heroFigure = (data, style) => figure(null, null, (width) => drawHero(data, style, width), [
  key([[svg("line", { x1: 0, y1: 6, x2: 26, y2: 6, stroke: style(data.best.method).colour, "stroke-width": 2.6 })], `${data.best.method}, \u00b1 1 standard error`],
    data.methods.length > 1 ? [svg("line", { x1: 0, y1: 6, x2: 26, y2: 6, stroke: "var(--spare)", "stroke-width": 1.6 }), "other methods"] : null,
    [svg("rect", { x: 0, y: 1, width: 26, height: 10, fill: "var(--accent)", opacity: 0.14 }), "as good within one standard error"])]);

const swatch = (kind) => svg("svg", { viewBox: "0 0 26 12", "aria-hidden": "true" },
  svg("line", { x1: 1, y1: 6, x2: 25, y2: 6, stroke: kind.colour, "stroke-width": 2, "stroke-dasharray": kind.dashes }),
  markAt(kind, 13, 6, 3));

function accuracyFigure(data, style) {
  const state = { estimator: data.best.estimator, hidden: new Set(), bands: false };
  const node = figure("Error against the number of features", `Mean over ${data.resampling}; ${CAPTION}`,
    (width) => drawAccuracy(data, state, style, width));
  const change = (edit) => { edit(); node.redraw(); };

  const judge = el("label", null, "Judged by",
    el("select", { on: { change: (event) => change(() => { state.estimator = event.target.value; }) } },
      data.estimators.map((name) => el("option", { value: name, selected: name === state.estimator }, name))));
  const bands = el("label", null, el("input", { type: "checkbox",
    on: { change: (event) => change(() => { state.bands = event.target.checked; }) } }), "all bands");
  const chips = data.methods.map((method) => el("button", { type: "button", class: "chip", "aria-pressed": "true",
    on: { click: ({ currentTarget }) => change(() => {
      if (!state.hidden.delete(method)) state.hidden.add(method);
      currentTarget.setAttribute("aria-pressed", String(!state.hidden.has(method)));
    }) } }, swatch(style(method)), named(method)));

  node.querySelector(".plot").before(
    el("div", { class: "controls" }, data.estimators.length > 1 ? judge : null, data.methods.length > 1 ? bands : null),
    el("div", { class: "controls", role: "group", "aria-label": "Methods shown" }, chips));
  const kind = data.percent ? "percent" : "number";
  const rows = data.estimators.flatMap((estimator) => data.curves[estimator].flatMap((c) =>
    c.k.map((k, i) => ({ method: c.method, estimator, k, mean: c.mean[i], se: c.se[i] }))));
  node.append(numbers([["method", "method", "text"], ["estimator", "judged by", "text"], ["k", "features", "number"],
    ["mean", "error", kind], ["se", "standard error", kind]], rows, "Errors"));
  return node;
}
