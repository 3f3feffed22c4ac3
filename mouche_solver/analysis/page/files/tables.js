"use strict";
// Tables that sort by a click on a heading and show the rows that hold the words of the filter.
const valueOf = (cell) => (cell.dataset.v === undefined ? cell.textContent : Number(cell.dataset.v));

function compare(a, b) {
  if (typeof a === typeof b) return typeof a === "number" ? a - b : a.localeCompare(b, "en", { numeric: true });
  return typeof a === "number" ? -1 : 1; // cells without a number come last
}

function sortBy(heading) {
  const table = heading.closest("table");
  const column = [...heading.parentNode.children].indexOf(heading);
  const down = heading.getAttribute("aria-sort") !== "descending";
  for (const other of heading.parentNode.children) other.removeAttribute("aria-sort");
  heading.setAttribute("aria-sort", down ? "descending" : "ascending");
  const body = table.tBodies[0];
  const rows = [...body.rows].map((row) => [valueOf(row.cells[column]), row]);
  rows.sort((a, b) => (down ? compare(b[0], a[0]) : compare(a[0], b[0])));
  body.append(...rows.map((pair) => pair[1]));
}

function filterBy(input) {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const row of document.getElementById(input.dataset.for).tBodies[0].rows) {
    const text = row.dataset.text ?? row.textContent.toLowerCase();
    row.hidden = !words.every((word) => text.includes(word));
  }
}

document.addEventListener("click", (event) => {
  const heading = event.target.closest("table.sortable thead th");
  if (heading && event.target.closest("button")) sortBy(heading);
});
document.addEventListener("input", (event) => {
  if (event.target.matches("input[type=search]")) filterBy(event.target);
});
