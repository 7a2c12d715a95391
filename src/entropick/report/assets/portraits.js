// One column against the target, small on a card and large in its story.

const classColour = (c) => `var(--s${c % 7})`;
const shortNumber = (value) => {
  const size = Math.abs(value);
  if (size >= 1e5 || (size < 1e-3 && size > 0)) return value.toExponential(1).replace("-", "\u2212");
  return brief(+value.toPrecision(3));
};

// low and high under the picture
function ends(root, width, height, low, high) {
  root.append(text(2, height - 6, shortNumber(low), { class: "tick" }),
    text(width - 2, height - 6, shortNumber(high), { "text-anchor": "end", class: "tick" }));
}

function drawHistogram({ edges, counts }, width, height, base) {
  const root = canvas(width, height, base);
  const totals = counts.map((row) => Math.max(1, row.reduce((a, b) => a + b, 0)));
  const most = Math.max(...counts.flatMap((row, c) => row.map((n) => n / totals[c]))) || 1;
  const [x, y] = [linear([0, edges.length - 1], [2, width - 2]), linear([0, most], [height - 15, 4])];
  counts.forEach((row, c) => {
    const steps = row.map((n, b) => `L${x(b)},${y(n / totals[c])}H${x(b + 1)}`).join("");
    root.append(svg("path", { d: `M${x(0)},${y(0)}${steps}V${y(0)}Z`, class: "area", fill: classColour(c), stroke: classColour(c) }));
  });
  ends(root, width, height, edges[0], edges.at(-1));
  return root;
}

function drawBoxes({ boxes }, width, height, base) {
  const root = canvas(width, height, base);
  const y = linear([Math.min(...boxes.map((box) => box[1])), Math.max(...boxes.map((box) => box[5]))], [height - 15, 4]);
  const step = (width - 4) / boxes.length;
  boxes.forEach(([label, p10, p25, p50, p75, p90], i) => {
    const middle = 2 + (i + 0.5) * step;
    const wide = Math.min(16, step * 0.66);
    root.append(svg("line", { x1: middle, x2: middle, y1: y(p10), y2: y(p90), class: "whisker thin" }),
      svg("rect", { x: middle - wide / 2, width: wide, y: y(p75), height: Math.max(1, y(p25) - y(p75)), class: "box" }),
      svg("line", { x1: middle - wide / 2, x2: middle + wide / 2, y1: y(p50), y2: y(p50), class: "median" }));
    if (step > 9 + 6 * Math.min(label.length, 3)) root.append(text(middle, height - 6, fit(label, step), { "text-anchor": "middle", class: "tick" }));
  });
  return root;
}

// a row for each level: what is drawn of it lies between left and the width
function drawLevels(levels, width, height, base, draw) {
  const root = canvas(width, height, base);
  const gutter = Math.min(width * 0.42, 8 + Math.max(...levels.map(([label]) => wide(short(label, 24)))));
  const step = height / levels.length;
  levels.forEach((level, i) => {
    root.append(text(0, (i + 0.5) * step, fit(level[0], gutter - 4), { class: "tick" }));
    draw(root, level, gutter, (i + 0.5) * step, Math.min(16, step * 0.7));
  });
  return root;
}

const drawShares = ({ levels }, width, height, base) => drawLevels(levels, width, height, base,
  (root, [, , shares], left, middle, thick) => {
    let at = left;
    shares.forEach((share, c) => {
      const long = share * (width - left);
      root.append(svg("rect", { x: at, width: Math.max(0, long), y: middle - thick / 2, height: thick, fill: classColour(c) }));
      at += long;
    });
  });

function drawMeans({ levels }, width, height, base) {
  const low = Math.min(...levels.map(([, , mean, sd]) => mean - sd));
  const high = Math.max(...levels.map(([, , mean, sd]) => mean + sd));
  return drawLevels(levels, width, height, base, (root, [, , mean, sd], left, middle) => {
    const x = linear([low, high], [left + 4, width - 6]);
    root.append(svg("line", { x1: x(mean - sd), x2: x(mean + sd), y1: middle, y2: middle, class: "whisker thin" }),
      svg("circle", { cx: x(mean), cy: middle, r: 3.4, fill: "var(--accent)" }));
  });
}

function drawTrend({ points }, width, height, base) {
  const root = canvas(width, height, base);
  const x = linear([points[0][0], points.at(-1)[0]], [4, width - 4]);
  const y = linear([Math.min(...points.map(([, m, sd]) => m - sd)), Math.max(...points.map(([, m, sd]) => m + sd))], [height - 15, 4]);
  const edge = (sign) => points.map(([v, m, sd]) => `${x(v)},${y(m + sign * sd)}`);
  root.append(svg("polygon", { points: [...edge(1), ...edge(-1).reverse()].join(" "), fill: "var(--accent)", class: "band" }),
    svg("polyline", { points: points.map(([v, m]) => `${x(v)},${y(m)}`).join(" "), stroke: "var(--accent)", class: "line" }),
    ...points.map(([v, m]) => svg("circle", { cx: x(v), cy: y(m), r: 2.4, fill: "var(--accent)" })));
  ends(root, width, height, points[0][0], points.at(-1)[0]);
  return root;
}

const DRAWN = { histogram: drawHistogram, boxes: drawBoxes, shares: drawShares, trend: drawTrend, means: drawMeans };
const tall = (picture, height) => (picture.levels ? Math.max(34, Math.min(height * 1.6, 15 * picture.levels.length)) : height);
const small = (picture, width) => DRAWN[picture.kind](picture, width, tall(picture, 66), "");

const SAYS = {
  histogram: "Distribution in each class, each scaled to the same area.",
  boxes: "Each class by its median: box 25 to 75\u202f%, line 10 to 90\u202f%.",
  shares: "Shares of the classes at each level.",
  trend: "Mean of the target in bins of equal count; the band is one standard deviation.",
  means: "Mean of the target at each level; the line is one standard deviation either way.",
};

function classKey(picture) {
  if (!picture.classes || !["histogram", "shares"].includes(picture.kind)) return null;
  return key(...picture.classes.map((label, c) => [svg("rect", { x: 0, y: 1, width: 26, height: 10, fill: classColour(c) }), named(label)]));
}

const large = (picture) => figure(null, SAYS[picture.kind] + (picture.more ? ` ${counted(picture.more)} rarer levels are not drawn.` : "")
  + (picture.missing ? ` ${counted(picture.missing)} rows without a value are left out.` : ""),
(width) => DRAWN[picture.kind](picture, width, picture.levels ? tall(picture, 190) * 1.5 : 230, SAYS[picture.kind]), [classKey(picture)]);

// how the target goes with the column, in words; nothing where it goes neither way
function direction(picture) {
  if (picture.kind === "trend") {
    const means = picture.points.map((point) => point[1]);
    const mean = means.reduce((a, b) => a + b, 0) / means.length;
    const centre = (means.length - 1) / 2;
    const lean = means.reduce((sum, m, i) => sum + (i - centre) * (m - mean), 0);
    const size = Math.sqrt(means.reduce((sum, m) => sum + (m - mean) ** 2, 0) * means.reduce((sum, _, i) => sum + (i - centre) ** 2, 0)) || 1;
    return Math.abs(lean / size) < 0.7 ? "varies with the target" : lean > 0 ? "rises with the target" : "falls as the target rises";
  }
  if (picture.kind !== "histogram") return "";
  const means = picture.counts.map((row) => row.reduce((sum, n, b) => sum + n * b, 0) / Math.max(1, row.reduce((a, b) => a + b, 0)));
  const [low, high] = [means.indexOf(Math.min(...means)), means.indexOf(Math.max(...means))];
  return means[high] - means[low] < 0.7 ? "" : `highest in ${short(picture.classes[high], 24)}`;
}
