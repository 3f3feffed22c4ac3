"use strict";
// The tree of declarations; see tree.py for the data.
const symbols = { C: "\u2663", D: "\u2666", H: "\u2665", S: "\u2660" };
const drawn = tree.examples.map((names) => names.replace(/[CDHS]\b/g, (suit) => symbols[suit]));

function whose(position) {
  const last = tree.players - 1;
  const seat = position.player === last ? `Seat ${last}, the dealer,` : `Seat ${position.player}`;
  const near = position.parent < 0 ? "" : ` (\u00b1 ${rare(position.error)})`;
  const never = position.reach === 0 ? " Nobody declares so (probability zero); hands are as dealt." : "";
  return `${seat} declares. Chance of this history: ${rare(position.reach)}${near}.${never}`;
}

function ending(position, column) {
  const after = position.player + 1;
  if (after === tree.players) return "ends the declarations";
  const allPassed = position.actions[column] === "pass" && passedOnly(position);
  return allPassed && after === tree.players - 1 ? "leaves the pot to the dealer" : undefined;
}

function passedOnly(position) {
  return position.parent < 0 || (position.said === "pass" && passedOnly(tree.positions[position.parent]));
}

function handHeads(position) {
  const classes = ["trumps", "best", "kings", "queens", "longest", "dealt"];
  return ["such as", ...classes, ...position.actions, "value", "error", "lays down", "so often"];
}

function number(value, text) {
  return make("td", value === null ? "-" : text, value === null ? {} : { "data-v": value });
}

function handRow(position, index) {
  const chart = tree.charts[position.chart];
  const held = tree.classes[index];
  const hand = held.join(",");
  const row = make("tr");
  row.dataset.hand = hand;
  row.append(make("td", drawn[index]));
  row.append(...held.map((count) => number(count, count)));
  row.append(number(tree.weights[index], percent(tree.weights[index] / 1e6)));
  position.actions.forEach((action, column) => {
    const share = chart.mixes[index][column] / 1e4;
    row.append(shareCell(share, { "data-hand": hand, "data-action": action }));
  });
  const value = chart.values[index];
  const share = chart.shares[index];
  const error = chart.errors[index];
  const few = chart.few.includes(index);
  row.append(number(value, few ? `~${(value / 1e4).toFixed(3)}?` : (value / 1e4).toFixed(3)), number(error, (error / 1e4).toFixed(3)));
  row.append(make("td", chart.laid[index]), number(share, `${share}%`));
  row.dataset.text = `trumps:${held[0]} best:${held[1]} kings:${held[2]} queens:${held[3]} longest:${held[4]}`;
  return row;
}

function handRows(position) {
  return tree.classes.map((_, index) => handRow(position, index));
}

// The class of a hand of cards, with the card turned up; the same as hand_shapes in Python.
function classOf(names, turned) {
  const trump = turned.at(-1);
  const order = tree.orders[trump];
  const held = (cards) => cards.filter((card) => names.includes(card));
  const inPlay = order[trump].filter((card) => card !== turned);
  const trumps = held(order[trump]);
  const best = trumps.length ? inPlay.length - Math.max(...trumps.map((card) => inPlay.indexOf(card))) : 0;
  const plain = Object.keys(order).filter((suit) => suit !== trump).map((suit) => order[suit]);
  const count = (place) => plain.filter((cards) => names.includes(cards.at(place))).length;
  const longest = Math.max(0, ...plain.map((cards) => held(cards).length));
  return [trumps.length, best, count(-1), count(-2), longest];
}

// Cards, the last of them the one turned up, find the class of the hand.
matcher = (text) => {
  const cards = text.toUpperCase().split(/[\s,;/]+/).filter(Boolean);
  const words = hasWords(text);
  const known = new Set(Object.values(tree.orders).flatMap((order) => Object.values(order).flat()));
  if (cards.length === 0 || !cards.every((card) => known.has(card))) return words;
  const turned = cards.at(-1);
  const held = cards.slice(0, -1);
  let match = words;
  if (cards.length !== tree.hand_size + 1 || new Set(cards).size !== cards.length) {
    match = () => true;
    match.said = `${tree.hand_size} cards of a hand and the card turned up, such as ${tree.sample}`;
  } else if (turned === tree.pamphile) {
    match = () => true;
    match.said = "the Pamphile is turned up: the dealer names trumps";
  } else {
    const wanted = classOf(held, turned).join(",");
    match = (row) => (row.dataset.hand === undefined ? words(row) : row.dataset.hand === wanted);
    const [trumps, best, kings, queens, longest] = wanted.split(",");
    match.said = `trumps:${trumps} best:${best} kings:${kings} queens:${queens} longest:${longest}`;
  }
  return match;
};

fromAddress();
