// Elements and numbers. Text from the data only ever becomes a text node.

// long lists of records come by column, see page.py
const unpacked = (_, value) => (value?.$rows === undefined ? value : Array.from({ length: value.$rows }, (_, i) =>
  Object.fromEntries(Object.entries(value).slice(1).map(([key, own]) => [key, typeof own === "string" ? own : own[i]]))));
const data = JSON.parse(document.getElementById("data").textContent, unpacked);
const SVG = "http://www.w3.org/2000/svg";
const LONGEST = 90; // characters of a name that are shown; the whole name is its title

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") for (const [event, listen] of Object.entries(value)) node.addEventListener(event, listen);
    else if (name === "colour") node.style.fill = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return node;
}

const el = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
const svg = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

function short(text, longest = LONGEST) {
  const letters = Array.from(text.replace(/[\t-\r ]+/g, " ").trim());
  if (letters.length <= longest) return letters.join("") || "\u2423";
  const tail = Math.floor((longest - 1) / 3);
  return letters.slice(0, longest - 1 - tail).join("") + "\u2026" + letters.slice(-tail).join("");
}

// a name of the data: apart from the writing direction of what surrounds it
// it may break where its parts meet
const named = (text) => el("bdi", { title: text.length > LONGEST ? text : null },
  short(text).split(/(?<=[_./:-])/).flatMap((part, i) => (i ? [el("wbr"), part] : part)));

const counted = (value) => value.toLocaleString("en-GB").replaceAll(",", "\u202f");
const brief = (value) => (Math.abs(value) >= 1e4 && Math.abs(value) < 1e9 ? counted(+value.toPrecision(6)) : String(+value.toPrecision(6))).replace("-", "\u2212");
const percent = (value, digits = 1) => (100 * value).toFixed(digits) + "\u202f%";

function number(value) {
  if (value === null || value === undefined) return "\u2013";
  if (Number.isInteger(value)) return counted(value);
  const size = Math.abs(value);
  if (size >= 1e9 || (size < 1e-4 && size > 0)) return value.toExponential(2).replace("-", "\u2212");
  if (size >= 1e4) return counted(Math.round(value)).replace("-", "\u2212");
  return value.toFixed(size >= 100 ? 1 : size >= 10 ? 2 : size >= 0.1 ? 3 : 4).replace("-", "\u2212");
}

// a p-value that is too small for a float is not 0
const chance = (value) => (value === 0 ? "<1e\u2212300" : number(value));
