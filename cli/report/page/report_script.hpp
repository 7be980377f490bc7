// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The script of the report page: sorts a table by the column whose title is clicked, and shows a hint where a table or
// picture is wider than its frame. Without scripts the page shows the same content, in the order of the measurement.
//
// The first click sorts in ascending order, the second in descending order, and the third restores the first order. A
// cell is sorted by its data-value if it has one, else by its text; a missing value is last in both directions.
#pragma once

namespace teff::cli {

inline constexpr const char* report_script = R"js(
for (const table of document.querySelectorAll("table")) {
  const heads = [...table.tHead.rows[0].cells], body = table.tBodies[0], rows = [...body.rows];
  const value = (row, column) => {
    const cell = row.cells[column];
    if (cell.dataset.value === undefined) return cell.textContent.trim();
    return cell.dataset.value === "" ? "" : Number(cell.dataset.value);
  };
  const compare = (a, b) => typeof a === "number" && typeof b === "number" ? a - b
    : String(a).localeCompare(String(b), undefined, {numeric: true});
  heads.forEach((head, column) => head.querySelector("button")?.addEventListener("click", () => {
    const next = {ascending: "descending", descending: null}[head.getAttribute("aria-sort")];
    const order = next === undefined ? "ascending" : next;
    heads.forEach(each => each.removeAttribute("aria-sort"));
    if (order) head.setAttribute("aria-sort", order);
    table.classList.toggle("sorted", order !== null);
    const sign = order === "descending" ? -1 : 1;
    const sorted = order === null ? rows : [...rows].sort((a, b) => {
      const [x, y] = [value(a, column), value(b, column)];
      return x === "" || y === "" ? (x === "") - (y === "") : sign * compare(x, y);
    });
    body.append(...sorted);
  }));
}
const tellOverflow = () => {
  for (const part of document.querySelectorAll(".scroll"))
    part.parentElement.classList.toggle("overflows", part.scrollWidth > part.clientWidth + 1);
};
const watch = new ResizeObserver(tellOverflow);
document.querySelectorAll(".scroll").forEach(part => watch.observe(part));
tellOverflow();
)js";

}  // namespace teff::cli
