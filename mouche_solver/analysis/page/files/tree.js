"use strict";
// A tree that one clicks through; see likeliest.py for the data. A game's script, which follows,
// has the functions whose(position), ending(position, column), handHeads(position) and
// handRows(position), and begins with fromAddress(). Every position has an address of its own.
const tree = JSON.parse(document.getElementById("data").textContent);
const percent = (share) => `${(100 * share).toFixed(2)}%`;
// Of something rare, two digits that are not zero.
const rare = (share) => (share > 0 && share < 1e-3 ? `${Number((100 * share).toPrecision(2))}%` : percent(share));

function make(name, text, attributes = {}) {
  const element = document.createElement(name);
  if (text !== undefined) element.textContent = text;
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

function shareCell(share, attributes = {}) {
  return make("td", percent(share), { class: "n", "data-v": share, style: `--p:${share}`, ...attributes });
}

// A payoff in thousandths; null where there is none to tell.
function valueCell(value) {
  if (value === null) return make("td", "-");
  return make("td", `${value < 0 ? "\u2212" : "+"}${(Math.abs(value) / 1e3).toFixed(3)}`, { "data-v": value });
}

function lineTo(number) {
  const line = [];
  for (let at = number; at >= 0; at = tree.positions[at].parent) line.unshift(at);
  return line;
}

function addressOf(number) {
  const line = lineTo(number).slice(1).map((at) => encodeURIComponent(tree.positions[at].said));
  return `#at/${line.join("/")}`;
}

const numberAt = new Map(tree.positions.map((_, number) => [addressOf(number), number]));

function go(number) {
  if (location.hash !== addressOf(number)) history.pushState(null, "", addressOf(number));
  show(number);
}

// What the address says; other addresses are those of sections.
function fromAddress() {
  if (!location.hash.startsWith("#at/") && location.hash !== "" && document.getElementById("actions").tHead.rows.length) return;
  const number = location.hash.startsWith("#at/") ? numberAt.get(location.hash) : 0;
  show(number ?? 0);
  if (number === undefined) document.getElementById("where").prepend("That position is not in this file; this is the start. ");
}

window.addEventListener("popstate", fromAddress);

function crumbs(number) {
  const place = document.getElementById("crumbs");
  place.replaceChildren();
  for (const at of lineTo(number)) {
    const button = make("button", at === 0 ? "start" : tree.positions[at].said);
    button.disabled = at === number;
    button.addEventListener("click", () => go(at));
    place.append(button);
  }
}

function actionRow(position, column) {
  const action = position.actions[column];
  const next = position.next[column];
  const button = make("button", action, { "data-action": action });
  button.disabled = next < 0;
  if (next < 0) button.title = ending(position, column) ?? "not in this file";
  else button.addEventListener("click", () => go(next));
  const row = make("tr");
  const name = make("td");
  name.append(button);
  row.append(name, shareCell(position.chances[column] / 1e6));
  if (position.worth) row.append(valueCell(position.worth[column]));
  return row;
}

function headRow(names) {
  const row = make("tr");
  for (const name of names) {
    const heading = make("th");
    heading.append(make("button", name));
    row.append(heading);
  }
  return row;
}

function show(number) {
  const position = tree.positions[number];
  crumbs(number);
  document.getElementById("where").textContent = whose(position);
  const rows = position.actions.map((_, column) => actionRow(position, column));
  const heads = position.worth ? ["action", "chance", "value"] : ["action", "chance"];
  document.getElementById("actions").tHead.replaceChildren(headRow(heads));
  document.getElementById("actions").tBodies[0].replaceChildren(...rows);
  const table = document.getElementById("hands");
  table.tHead.replaceChildren(headRow(handHeads(position)));
  table.tBodies[0].replaceChildren(...handRows(position));
  filterTable(table, matcher(searchBox.value));
}
