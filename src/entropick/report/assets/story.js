// The story of one column: what it looks like, why it was taken or not, what could stand for it. Its address is #feature=…

const dialog = document.getElementById("story");
const place = new Map((data.columns?.names ?? []).map((name, j) => [name, j]));

function openStory(name) {
  const address = `#feature=${encodeURIComponent(name)}`;
  if (location.hash !== address) history.replaceState(null, "", address);
  tell(name);
}

const link = (name) => el("button", { type: "button", class: "link", on: { click: () => openStory(name) } }, named(name));
const links = (names) => names.flatMap((name, i) => [i ? ", " : null, link(name)]);

// why it is kept, or why not
function verdict(columns, j) {
  const { names, role, alone, nearest, shared, twin, constant } = columns;
  const said = percent(alone[j], 0);
  const beside = nearest[j] >= 0 ? names[nearest[j]] : null;
  switch (columns.roles[role[j]].key) {
    case "kept": return [`Kept. Alone it carries ${said} of the information about the target.`];
    case "copy": return constant.includes(j) ? ["Left out: it has only one value."]
      : ["Left out: it is an exact copy of ", link(twin[j]), "."];
    case "swap": return [`Not kept, but it could replace `, beside ? link(beside) : "a kept column",
      `: they share ${percent(shared[j], 0)} of their information. Alone it carries ${said}.`];
    case "spare": return [`Not kept: alone it carries ${said}, but adds little to the kept columns. `,
      beside && shared[j] >= 0.1 ? [`It shares ${percent(shared[j], 0)} with `, link(beside), "."] : null];
    default: return ["Not kept: it has no significant information about the target."];
  }
}

function agreement(name) {
  const row = data.frequency?.rows.find(([own]) => own === name);
  if (!data.frequency) return null;
  const shares = row ? data.frequency.methods.map((method, i) => [method, row[i + 1]]).filter(([, share]) => share) : [];
  return shares.length ? shares.map(([method, share]) => `${short(method, 24)} ${percent(share, 0)}`).join(", ") : "none";
}

function facts(name, j) {
  const columns = data.columns;
  const feature = data.answer.features.find((one) => one.name === name);
  const step = data.path?.rows.find((row) => row.name === name);
  const pairs = [];
  if (feature) pairs.push(["Rank", String(feature.rank)]);
  if (feature?.status) pairs.push(["How sure", feature.status === "confirmed" ? "confirmed: no other column can replace it"
    : feature.set?.length > 1 ? [`${feature.status}: the data cannot tell these apart: `, links(feature.set)] : feature.status]);
  if (feature?.share !== null && feature) pairs.push(["Selected in", `${percent(feature.share, 0)} of the resamples${feature.share < 0.5 ? ", uncertain" : ""}`]);
  if (feature && feature.lost !== null) {
    const more = feature.lost;
    const size = data.accuracy?.percent ? `${(100 * Math.abs(more)).toFixed(1)} points` : number(Math.abs(more));
    pairs.push(["Error without it", Math.abs(more) < 1e-9 ? "unchanged" : `${size} ${more > 0 ? "higher" : "lower"}`]);
  }
  if (columns && j !== undefined) {
    const could = columns.nearest.map((near, i) => [near, i]).filter(([near, i]) => near === j && columns.role[i] !== 0 && columns.shared[i] >= 0.3)
      .sort((a, b) => columns.shared[b[1]] - columns.shared[a[1]]).slice(0, 5);
    if (could.length) pairs.push(["Could be replaced by", could.flatMap(([, i], n) => [n ? ", " : null, link(columns.names[i]), ` (${percent(columns.shared[i], 0)} shared)`])]);
    if (feature && columns.nearest[j] >= 0 && columns.shared[j] >= 0.05) pairs.push(["Most similar kept column", [link(columns.names[columns.nearest[j]]), ` (${percent(columns.shared[j], 0)} shared)`]]);
  }
  if (step?.with) pairs.push(["Works with", [link(step.with), ` (${number(step.synergy)} ${data.path.units} of synergy)`]]);
  const company = (data.interactions?.network?.lines ?? []).map(([a, b, synergy]) => [data.interactions.network.names[a], data.interactions.network.names[b], synergy])
    .filter(([a, b]) => a === name || b === name).slice(0, 5);
  if (company.length) pairs.push(["Interacts with", company.flatMap(([a, b, synergy], i) => [i ? ", " : null, link(a === name ? b : a), ` (${number(synergy)} nats of synergy)`])]);
  if (step?.runner_up) pairs.push(["Preferred to", [link(step.runner_up), step.margin === null ? "" : ` by ${number(step.margin)} ${data.path.units}`]]);
  if (step && step.p_value !== null) pairs.push(["p-value", chance(step.p_value)]);
  const agreed = agreement(name);
  if (agreed) pairs.push(["Selected by", agreed]);
  return pairs;
}

function tell(name) {
  const j = place.get(name);
  const picture = j === undefined ? null : data.pictures?.[j];
  const drawn = picture ? large(picture) : null;
  dialog.replaceChildren(el("div", { class: "story" },
    el("header", null, el("h2", { id: "story-title" }, named(name)),
      el("button", { type: "button", class: "quiet", on: { click: () => dialog.close() } }, "Close")),
    data.columns && j !== undefined ? el("p", { class: "verdict" }, verdict(data.columns, j)) : null, drawn,
    el("dl", null, facts(name, j).map(([term, words]) => [el("dt", null, term), el("dd", null, words)]))));
  if (!dialog.open) dialog.showModal();
  if (drawn) drawn.fit();
}

dialog.addEventListener("close", () => { if (location.hash.startsWith("#feature=")) history.replaceState(null, "", location.pathname + location.search); });
dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
