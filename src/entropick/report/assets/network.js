// Columns that interact: points joined by lines, the wider a line the more the two say only together.

function drawNetwork({ names, at, alone, lines }, width) {
  const height = Math.round(Math.max(300, Math.min(560, width * 0.7, 220 + 14 * names.length)));
  const root = canvas(width, height, "Network of columns that interact");
  const ends = [0, 1].map((axis) => [Math.min(...at.map((place) => place[axis])), Math.max(...at.map((place) => place[axis]))]);
  const [x, y] = [linear(ends[0], [70, width - 70]), linear(ends[1], [height - 30, 30])];
  const places = at.map(([a, b]) => [names.length > 1 ? x(a) : width / 2, ends[1][0] === ends[1][1] ? height / 2 : y(b)]);
  const most = Math.max(...lines.map(([, , nats]) => nats), 1e-9);
  const largest = Math.max(...alone, 0.01);
  root.append(...lines.map(([a, b, nats]) => svg("line", { x1: places[a][0], y1: places[a][1], x2: places[b][0], y2: places[b][1],
    class: "edge", "stroke-width": (1 + (5 * Math.max(0, nats)) / most).toFixed(1) })));
  names.forEach((name, i) => {
    const partners = lines.filter(([a, b]) => a === i || b === i).map(([a, b, nats]) => [names[a === i ? b : a], `${number(nats)} nats`]);
    const point = svg("g", null, svg("circle", { cx: places[i][0], cy: places[i][1], r: 14, fill: "transparent" }),
      svg("circle", { cx: places[i][0], cy: places[i][1], r: 4 + 6 * Math.sqrt(Math.max(0, alone[i]) / largest), class: "node" }));
    point.addEventListener("click", () => openStory(name));
    root.append(explain(point, name, () => [["alone", `${number(alone[i])} nats`], ...partners.slice(0, 6)]));
  });
  root.append(...labels(names.map((name, i) => ({ x: places[i][0], y: places[i][1], name })), width, height).flat().filter(Boolean));
  return walkable(root);
}

function interactionsPanel({ words, order, rows, network }) {
  const numbered = rows.map(({ features, ...rest }) => ({ ...rest, ...Object.fromEntries(features.map((name, i) => [`f${i}`, name])) }));
  const columns = [["f0", "column", "column"], ["f1", "and", "column"], ["f2", "and", "column"], ["synergy", "synergy", "number"],
    ["share", "of the target", "percent"], ["alone", "better one alone", "number"], ["together", "together", "number"], ["p", "adjusted p", "chance"],
  ].filter(([key]) => (key !== "f2" || order > 2) && (key !== "share" || rows.some((row) => row.share !== null)));
  return [el("p", { class: "lead" }, words, " Synergy is the information about the target that appears only when the columns are combined."),
    network ? figure("Columns that interact", "Lines: synergy of two columns. Points: the information of one alone. Click a point for details.",
      (width) => drawNetwork(network, width)) : null,
    el("h3", null, order > 2 ? "Best triples" : "Best pairs"),
    table(columns, numbered, { filter: rows.length > 12 ? "Find a column" : null, caption: "Interactions, in nats", unit: "rows" })];
}
