"use strict";
// The tree of claims. Probabilities are whole ten-thousandths; see claim_tree.py for the data.
const tree = JSON.parse(document.getElementById("data").textContent);
const percent = (share) => `${(100 * share).toFixed(2)}%`;

function make(name, text, attributes = {}) {
  const element = document.createElement(name);
  if (text !== undefined) element.textContent = text;
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

function lineTo(number) {
  const line = [];
  for (let at = number; at >= 0; at = tree.positions[at].parent) line.unshift(at);
  return line;
}

function crumbs(number) {
  const place = document.getElementById("crumbs");
  place.replaceChildren();
  for (const at of lineTo(number)) {
    const button = make("button", at === 0 ? "start" : tree.positions[at].said);
    button.disabled = at === number;
    button.addEventListener("click", () => show(at));
    place.append(button);
  }
}

function actionRow(position, column) {
  const action = position.actions[column];
  const next = position.next[column];
  const button = make("button", action, { "data-action": action });
  button.disabled = next < 0;
  if (next < 0) button.title = action === "doubt" ? "ends the round" : "not in this file";
  else button.addEventListener("click", () => show(next));
  const row = make("tr");
  const name = make("td");
  name.append(button);
  const chance = position.chances[column] / 1e6;
  const share = make("td", percent(chance), { class: "n", "data-v": chance, style: `--p:${chance}` });
  row.append(name, share);
  return row;
}

function dice(hand) {
  const cell = make("td");
  const template = document.createElement("template");
  template.innerHTML = tree.dice[hand] ?? (tree.dice[hand] = hand.split(",").map((face) => tree.faces[face]).join(""));
  cell.append(template.content, make("small", ` ${hand}`));
  return cell;
}

function handRow(position, hands, index, columns) {
  const hand = hands[index];
  const mixed = position.mixes[position.groups[index]];
  const row = make("tr");
  row.dataset.text = hand;
  const held = position.held[index] / 1e6;
  row.append(dice(hand), make("td", percent(held), { "data-v": held }));
  for (const column of columns) {
    const share = (mixed[column] ?? 0) / 1e4;
    const attributes = { class: "n", "data-v": share, style: `--p:${share}` };
    row.append(make("td", percent(share), { ...attributes, "data-hand": hand, "data-action": position.actions[column] }));
  }
  return row;
}

function handTable(position) {
  const used = new Set(position.mixes.flatMap((mixed) => Object.keys(mixed).map(Number)));
  const columns = [...used].sort((a, b) => a - b);
  const head = make("tr");
  for (const name of ["hand", "held", ...columns.map((column) => position.actions[column])]) {
    const heading = make("th");
    heading.append(make("button", name));
    head.append(heading);
  }
  const table = document.getElementById("hands");
  table.tHead.replaceChildren(head);
  const hands = tree.hands[position.player];
  const rows = hands.map((_, index) => handRow(position, hands, index, columns));
  table.tBodies[0].replaceChildren(...rows);
  filterBy(document.querySelector("input[data-for=hands]"));
}

function show(number) {
  const position = tree.positions[number];
  crumbs(number);
  const never = position.reach === 0 ? " Nobody plays so (probability zero); hands are as rolled." : "";
  document.getElementById("where").textContent =
    `Player ${position.player} to act. Chance of this line: ${percent(position.reach)}.${never}`;
  const rows = position.actions.map((_, column) => actionRow(position, column));
  document.getElementById("actions").tBodies[0].replaceChildren(...rows);
  handTable(position);
}

show(0);
