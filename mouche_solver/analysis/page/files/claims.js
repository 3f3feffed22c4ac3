"use strict";
// The tree of claims. Probabilities are whole ten-thousandths; see report.py for the data, values are in thousandths.
function whose(position) {
  const never = position.reach === 0 ? " Nobody plays so (probability zero); hands are as rolled." : "";
  return `Player ${position.player} to act. Chance of this line: ${rare(position.reach)}.${never}`;
}

function ending(position, column) {
  return position.actions[column] === "doubt" ? "ends the round" : undefined;
}

function usedColumns(position) {
  const used = new Set(position.mixes.flatMap((mixed) => Object.keys(mixed).map(Number)));
  return [...used].sort((a, b) => a - b);
}

function handHeads(position) {
  return ["hand", "held", "value", ...usedColumns(position).map((column) => position.actions[column])];
}

function dice(hand) {
  const cell = make("td");
  const template = document.createElement("template");
  template.innerHTML = tree.dice[hand] ?? (tree.dice[hand] = hand.split(",").map((face) => tree.faces[face]).join(""));
  cell.append(template.content, make("small", ` ${hand}`));
  return cell;
}

function handRow(position, hand, index, columns) {
  const mixed = position.mixes[position.groups[index]];
  const row = make("tr");
  row.dataset.text = hand;
  row.dataset.hand = hand;
  const held = position.held[index] / 1e6;
  row.append(dice(hand), make("td", percent(held), { "data-v": held }), valueCell(position.values[index]));
  for (const column of columns) {
    const share = (mixed[column] ?? 0) / 1e4;
    row.append(shareCell(share, { "data-hand": hand, "data-action": position.actions[column] }));
  }
  return row;
}

function handRows(position) {
  const columns = usedColumns(position);
  return tree.hands[position.player].map((hand, index) => handRow(position, hand, index, columns));
}

// Dice, in any order, find the hands that hold them.
matcher = (text) => {
  const faces = text.split(/[\s,]+/).filter(Boolean);
  const words = hasWords(text);
  if (faces.length === 0 || !faces.every((face) => /^\d+$/.test(face))) return words;
  return (row) => {
    if (row.dataset.hand === undefined) return words(row);
    const left = row.dataset.hand.split(",");
    return faces.every((face) => left.includes(face) && left.splice(left.indexOf(face), 1));
  };
};

fromAddress();
