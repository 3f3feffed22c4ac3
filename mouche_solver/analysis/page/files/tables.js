"use strict";
// Tables that sort by a click on a heading, and one box that searches all of them.
const valueOf = (cell) => (cell.dataset.v === undefined ? cell.textContent : Number(cell.dataset.v));

function compare(a, b) {
  if (typeof a === typeof b) return typeof a === "number" ? a - b : a.localeCompare(b, "en", { numeric: true });
  return typeof a === "number" ? -1 : 1; // cells without a number come last
}

function sortBy(heading, down) {
  const table = heading.closest("table");
  const column = [...heading.parentNode.children].indexOf(heading);
  for (const other of heading.parentNode.children) other.removeAttribute("aria-sort");
  heading.setAttribute("aria-sort", down ? "descending" : "ascending");
  const body = table.tBodies[0];
  const rows = [...body.rows].map((row) => [valueOf(row.cells[column]), row]);
  rows.sort((a, b) => (down ? compare(b[0], a[0]) : compare(a[0], b[0])));
  body.append(...rows.map((pair) => pair[1]));
}

const searchBox = document.getElementById("search");

function hasWords(text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return (row) => words.every((word) => (row.dataset.text ?? [...row.cells].map((cell) => cell.textContent).join(" ")).toLowerCase().includes(word));
}

// A game's script may know more: whether a row is about the dice or cards that were written. Such a
// function has a text "said", which is shown beside the box.
let matcher = hasWords;

function filterTable(table, matches) {
  const rows = [...table.tBodies[0].rows];
  const found = new Set(rows.filter(matches));
  // A table of something else than hands, in which nothing is found, stays whole.
  const whole = found.size === 0 && table.dataset.hands === undefined;
  for (const row of rows) row.hidden = !whole && !found.has(row);
}

function filterAll() {
  const matches = matcher(searchBox.value);
  document.getElementById("heard").textContent = matches.said ?? "";
  for (const table of document.querySelectorAll("table.sortable")) filterTable(table, matches);
}

document.addEventListener("click", (event) => {
  const heading = event.target.closest("table.sortable thead th");
  if (heading && event.target.closest("button")) sortBy(heading, heading.getAttribute("aria-sort") !== "descending");
});
searchBox.addEventListener("input", filterAll);

// On paper one looks a hand up: tables of hands in the order of hands, and nothing folded.
window.addEventListener("beforeprint", () => {
  for (const details of document.querySelectorAll("details")) details.open = true;
  for (const heading of document.querySelectorAll("table.sortable th")) {
    if (heading.textContent === "hand" && heading.closest("table").id !== "hands") sortBy(heading, false);
  }
});
