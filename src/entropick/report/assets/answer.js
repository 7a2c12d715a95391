// The first screen: what is predicted, the verdict, what to be careful about; then a card for each feature.

const CARDS = 24; // before the reader asks for more
const PORTION = 200; // at each asking

const caution = ({ text: words, link, command }) => el("li", null, link ? el("a", { href: `#${link}` }, words) : words,
  command ? el("code", null, command) : null);

function hero({ predicting: [target, rest], headline, words, figures, cautions }) {
  const told = el("div", null,
    el("p", { class: "predicting" }, "Predicting ", el("b", null, named(target)), ` ${rest}`),
    el("h1", null, headline),
    cautions.length ? el("ul", { class: "cautions", "aria-label": "What to be careful about" }, cautions.map(caution)) : null,
    el("div", { class: "words" }, words.map(([lead, text_]) => el("p", null, lead ? [el("b", null, lead), " "] : null, text_))));
  const picture = data.accuracy && data.accuracy.ks.length > 1 ? heroFigure(data.accuracy, style) : null;
  const facts = el("dl", { class: "figures" }, figures.map(({ value, label, note }) => el("div", null, el("dt", null, label),
    el("dd", { class: "value" }, value), note ? el("dd", { class: "note" }, note) : null)));
  return el("div", { class: picture ? "hero" : "hero single" }, told, el("div", null, picture, facts));
}

// -- cards --

function dots(share) {
  const low = share < 0.5;
  return el("span", { class: low ? "dots low" : "dots", "aria-hidden": "true" },
    Array.from({ length: 10 }, (_, i) => el("span", { class: !low && i < Math.round(10 * share) ? "on" : null })));
}

function pill({ status }) {
  if (!status) return null;
  return el("span", { class: status === "confirmed" ? "pill sure" : "pill doubt" }, status === "confirmed" ? status : status);
}

function card(feature) {
  const { rank, name, share, note, alone, column } = feature;
  const picture = column === null ? null : data.pictures?.[column];
  const way = picture ? direction(picture) : "";
  const sure = share === null ? null : el("span", { class: "whole" }, dots(share), share < 0.5 ? `${percent(share, 0)}, uncertain` : percent(share, 0),
    el("span", { class: "sr" }, " of resamples"));
  return el("li", null, el("button", { type: "button", class: feature.copy ? "card copy" : "card", "data-feature": name,
    on: { click: () => openStory(name) } },
  el("span", { class: "title" }, el("span", { class: "rank" }, String(rank)), named(name)),
  el("span", { class: "facts" }, sure, pill(feature)),
  el("span", { class: "facts" }, [alone === null ? "" : `${percent(alone, 0)} alone`, way].filter(Boolean).join(" \u00b7 ")),
  note ? el("span", { class: "facts" }, note) : null,
  picture ? figureInside(picture) : null));
}

function figureInside(picture) {
  const plot = el("span", { class: "plot", "aria-hidden": "true" });
  plot.append(small(picture, 210));
  return plot;
}

function cards({ features, shares }) {
  if (!features.length) return [];
  const root = el("ol", { class: "cards" }, features.slice(0, CARDS).map(card));
  const more = el("button", { type: "button", class: "quiet more", on: { click: () => grow(PORTION) } });
  function grow(by) {
    const there = root.children.length;
    root.append(...features.slice(there, there + by).map(card));
    const left = features.length - root.children.length;
    more.hidden = left === 0;
    more.textContent = `Show ${counted(Math.min(PORTION, left))} more`;
  }
  grow(0);
  const first = features.map(({ column }) => data.pictures?.[column]).find((picture) => picture && classKey(picture));
  return [el("h2", null, "The features"), el("p", { class: "caption" }, shares, " Click a card for details."),
    first ? classKey(first) : null, root, more];
}
