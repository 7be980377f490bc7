// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Looks at a report page as a reader would see it, and writes what is wrong into the element `verdict`, one complaint a
// line after a line with the colours and the width. It runs before everything else on the page.
(() => {
  const complaints = [];
  const complain = text => complaints.push(text);
  window.addEventListener("error", event => complain(`error: ${event.message}`));
  const complainOfConsole = console.error;
  console.error = (...words) => { complain(`console: ${words.join(" ")}`); complainOfConsole(...words); };

  const name = svg => `picture '${svg.getAttribute("aria-label")}'`;

  // The part that is common to two boxes, in pixels; labels may touch.
  const overlap = (a, b) => Math.min(
    Math.min(a.right, b.right) - Math.max(a.left, b.left), Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top));

  const luminance = colour => {
    const [r, g, b] = colour.match(/[\d.]+/g).map(Number).map(part => part / 255)
      .map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (a, b) => {
    const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
    return (high + 0.05) / (low + 0.05);
  };
  const background = element => {
    for (let each = element; each; each = each.parentElement) {
      const colour = getComputedStyle(each).backgroundColor;
      if (colour !== "rgba(0, 0, 0, 0)") return colour;
    }
    return "rgb(255, 255, 255)";
  };

  const checkPicture = svg => {
    const frame = svg.getBoundingClientRect();
    const scale = frame.width / svg.viewBox.baseVal.width;
    const labels = [...svg.querySelectorAll("text")].filter(text => text.textContent.trim());
    const boxes = labels.map(text => text.getBoundingClientRect());
    const paper = background(svg.parentElement);
    labels.forEach((text, i) => {
      const box = boxes[i], style = getComputedStyle(text);
      if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 2 ||
          box.bottom > frame.bottom + 2)
        complain(`${name(svg)}: '${text.textContent}' is cut off`);
      const size = parseFloat(style.fontSize) * scale;
      if (size < 9.9) complain(`${name(svg)}: '${text.textContent}' has only ${size.toFixed(1)} pixels`);
      // Words on a coloured box of a task graph have colours of their own.
      if (!text.matches(".g-name, .g-time") && contrast(style.fill, paper) < 4.5)
        complain(`${name(svg)}: '${text.textContent}' is pale, ${style.fill} on ${paper}`);
      for (let k = 0; k < i; ++k)
        if (overlap(box, boxes[k]) > 2.5)
          complain(`${name(svg)}: '${labels[k].textContent}' and '${text.textContent}' overlap`);
    });
  };

  const checkText = element => {
    const style = getComputedStyle(element);
    if (style.visibility === "visible" && element.offsetParent && contrast(style.color, background(element)) < 4.5)
      complain(`'${element.textContent.slice(0, 40)}' is pale, ${style.color} on ${background(element)}`);
  };

  const checkScroller = scroller => {
    const hint = scroller.parentElement.querySelector(":scope > .hint");
    const overflows = scroller.scrollWidth > scroller.clientWidth + 1;
    const shown = hint !== null && getComputedStyle(hint).display !== "none";
    if (overflows !== shown) complain(`a part ${overflows ? "scrolls without" : "does not scroll and has"} a hint`);
    if (overflows && scroller.tabIndex !== 0) complain("a part that scrolls cannot be reached by the keyboard");
  };

  const column = (table, index) => [...table.tBodies[0].rows].map(row => {
    const cell = row.cells[index];
    if (cell.dataset.value === undefined) return cell.textContent.trim();
    return cell.dataset.value === "" ? "" : Number(cell.dataset.value);
  });
  const isSorted = (values, sign) => values.every((value, i) => {
    if (i === 0 || value === "" || values[i - 1] === "") return true;
    const before = values[i - 1];
    return typeof value === "number" && typeof before === "number" ? sign * (value - before) >= 0
      : sign * String(before).localeCompare(String(value), undefined, {numeric: true}) <= 0;
  });
  const checkTable = table => {
    const heads = [...table.tHead.rows[0].cells];
    const rows = table.tBodies[0].rows.length;
    heads.forEach((head, i) => {
      const button = head.querySelector("button");
      if (!button) {
        if (head.textContent.trim()) complain(`column '${head.textContent}' has no button`);
        return;
      }
      for (const [direction, sign] of [["ascending", 1], ["descending", -1]]) {
        button.click();
        if (head.getAttribute("aria-sort") !== direction || !isSorted(column(table, i), sign))
          complain(`column '${head.textContent}' is not sorted ${direction}`);
        if (heads.some(other => other !== head && other.hasAttribute("aria-sort")))
          complain(`two columns claim to be sorted`);
      }
      // Each row can still be told what it is.
      for (const row of table.tBodies[0].rows) {
        const named = row.cells[0].querySelector(".again") ?? row.cells[0];
        if (named.textContent.trim() === "" || getComputedStyle(named).visibility === "hidden")
          return complain("a sorted row has no name");
      }
    });
    if (table.tBodies[0].rows.length !== rows) complain("sorting has lost rows");
  };

  const check = () => {
    const page = document.documentElement;
    if (page.scrollWidth > page.clientWidth)
      complain(`the page is ${page.scrollWidth - page.clientWidth} pixels wider than the window`);
    document.querySelectorAll("svg").forEach(checkPicture);
    document.querySelectorAll("h1, h2, h3, p, dt, dd, th, td, summary, code, .soft").forEach(checkText);
    document.querySelectorAll(".scroll").forEach(checkScroller);
    document.querySelectorAll("table").forEach(checkTable);
    if (document.querySelector("script[src], link, img, iframe")) complain("the page loads something");
    if (!document.querySelector("svg") || !document.querySelector("table")) complain("nothing to check");
  };
  window.addEventListener("load", () => setTimeout(() => {
    try { check(); } catch (error) { complain(`this check: ${error.message}`); }
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    const verdict = document.createElement("pre");
    verdict.id = "verdict";
    verdict.textContent = [`${dark ? "dark" : "light"}, ${innerWidth}`, ...new Set(complaints), ""].join("\n");
    document.body.append(verdict);
  }, 100));
})();
