// The kept columns and their nearest alternatives, clustered by what they share.

const EXPLAINED = 16; // columns up to which every cell is a stop of the arrow keys; beyond, the table below has the numbers

// leaves in the order of the tree, and for every join its two ends and its height
function tree(n, merges) {
  const nodes = Array.from({ length: n }, (_, i) => ({ leaves: [i] }));
  for (const [a, b, shared] of merges) nodes.push({ ends: [nodes[a], nodes[b]], shared, leaves: [...nodes[a].leaves, ...nodes[b].leaves] });
  return nodes.at(-1);
}

function drawTree(root, node, y, x) {
  if (!node.ends) return { at: y(node.leaves[0]), x: x(1) };
  const [one, other] = node.ends.map((end) => drawTree(root, end, y, x));
  const left = x(node.shared);
  root.append(svg("path", { d: `M${one.x},${one.at}H${left}V${other.at}H${other.x}`, class: "branch" }));
  return { at: (one.at + other.at) / 2, x: left };
}

function drawClusters({ names: columns, kept, members, matrix, merges }, width) {
  const n = columns.length;
  const names = columns.map((name, i) => (members?.[i].length > 1 ? `${short(name, 28)} +${members[i].length - 1}` : name));
  const top = tree(n, merges);
  const order = top.leaves;
  const at = new Map(order.map((leaf, i) => [leaf, i]));
  const branches = width > 560 ? 74 : 34;
  const gutter = branches + Math.min(width * 0.34, Math.max(60, 14 + Math.max(...names.map((name) => wide(short(name, 34))))));
  const side = Math.max(4, Math.min(30, (width - gutter - 2) / n));
  const root = canvas(width, side * n + 8, "What the kept columns and their alternatives share");
  const middle = (leaf) => 4 + (at.get(leaf) + 0.5) * side;
  drawTree(root, top, middle, linear([0, 1], [2, branches - 4]));
  let named = -Infinity; // where the last name is; names keep apart
  order.forEach((leaf, row) => {
    if (side >= 11 || (kept[leaf] && middle(leaf) - named >= 11)) {
      named = middle(leaf);
      root.append(text(gutter - 8, middle(leaf), fit(names[leaf], gutter - branches - 8),
        { "text-anchor": "end", class: kept[leaf] ? "strong" : "name" }));
    }
    order.forEach((other, column) => {
      const value = matrix[leaf][other];
      const cell = svg("g", null, svg("rect", { x: gutter + column * side, y: 4 + row * side, width: side, height: side, class: side > 8 ? "cell" : null,
        fill: `color-mix(in oklab, var(--accent) ${value}%, var(--card))` }));
      if (side >= 26 && leaf !== other) {
        cell.append(text(gutter + (column + 0.5) * side, 4 + (row + 0.5) * side, String(value),
          { "text-anchor": "middle", class: value > 72 ? "cellhigh" : value > 55 ? "cellmid" : "celllow" }));
      }
      if (row === column) root.append(cell);
      else if (n <= EXPLAINED) root.append(explain(cell, `${names[leaf]} \u2013 ${names[other]}`, () => [["shared", `${value}\u202f%`]]));
      else root.append(hover(cell, names[leaf], names[other], value));
    });
  });
  return n <= EXPLAINED ? walkable(root) : root;
}

function hover(cell, one, other, value) {
  cell.addEventListener("pointermove", (event) => showTip(event.clientX, event.clientY, one, [[short(other, 40), `${value}\u202f% shared`]]));
  cell.addEventListener("pointerleave", hideTip);
  return cell;
}

const scale = () => el("p", { class: "key" }, el("span", null, "0\u202f%", svg("svg", { viewBox: "0 0 120 12", class: "ramp", "aria-hidden": "true" },
  Array.from({ length: 24 }, (_, i) => svg("rect", { x: 5 * i, y: 0, width: 5, height: 12,
    fill: `color-mix(in oklab, var(--accent) ${Math.round((100 * i) / 23)}%, var(--card))` }))), "100\u202f% shared"), el("span", null, "bold: kept"));

function redundancyFigure(section) {
  const { names, members, matrix } = section;
  const pairs = [];
  names.forEach((one, i) => names.slice(0, i).forEach((other, j) => {
    if (matrix[i][j] >= 5) pairs.push({ one, other, shared: matrix[i][j] / 100 });
  }));
  pairs.sort((a, b) => b.shared - a.shared);
  const groups = (members ?? []).filter((own) => own.length > 1).sort((a, b) => b.length - a.length).map((own) => ({ size: own.length, columns: own }));
  const joined = groups.length ? ` The ${counted(members.flat().length)} columns are drawn as ${counted(names.length)} rows: those most alike share one (+n), listed below.` : "";
  return figure("Redundancy", "The kept columns and their closest alternatives, clustered. Each cell is the information two columns share, as a percentage "
    + `of the smaller one's, corrected for small samples. Columns in one branch are similar.${joined}`,
  (width) => drawClusters(section, width), [scale(),
    groups.length ? el("details", null, el("summary", null, "Columns that share a row"),
      table([["size", "columns", "number"], ["columns", "names", "columns"]], groups, { caption: "Columns that share a row" })) : null,
    numbers([["one", "column", "column"], ["other", "and", "column"], ["shared", "shared", "percent"]], pairs, "Shared information")].filter(Boolean));
}
