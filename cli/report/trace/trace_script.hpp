// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The script and the style sheet of the page of a trace (trace_report.hpp).
//
// The picture is one canvas, drawn anew after each change of the view: of a lane the slices that are in view are found
// by their order, and those narrower than half a pixel are drawn as one. The wheel zooms around the pointer, a drag
// moves the view, a double click shows all again; keys do the same: + and -, the arrows, 0. A legend of colours is a
// list of buttons; a click on one shows its slices alone.
#pragma once

namespace teff::cli {

inline constexpr const char* trace_style = R"css(
:root { --ink: #1c2024; --soft: #5b6570; --paper: #f6f7f8; --card: #ffffff; --rule: #e2e5e9; --bar: #0a4f80;
  --search: #e07b00; --pool: #eab91f; --sleep: #dfe4e9; --wait: #b9a3d0; --label: #3b4249; color-scheme: light; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8eaed; --soft: #9aa4ae; --paper: #15181b; --card: #1e2226; --rule: #343a40; --bar: #4aa3df;
    --search: #ff9b3d; --pool: #d9b34a; --sleep: #2c3238; --wait: #6d5a86; --label: #c3c9cf; color-scheme: dark; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; }
main { max-width: 1600px; margin: 0 auto; padding: 24px 20px 48px; }
h1 { font-size: 24px; line-height: 1.2; margin: 0 0 4px; overflow-wrap: anywhere; }
p { margin: 0 0 12px; }
.soft { color: var(--soft); }
.card { background: var(--card); border: 1px solid var(--rule); border-radius: 10px; padding: 12px; margin: 0 0 16px; }
canvas { display: block; width: 100%; cursor: grab; touch-action: none; }
canvas:focus-visible { outline: 2px solid var(--bar); outline-offset: 2px; }
.legend { display: flex; flex-wrap: wrap; gap: 6px; margin: 0 0 12px; padding: 0; list-style: none; }
.legend button { font: inherit; font-size: 13px; color: inherit; background: none; border: 1px solid var(--rule);
  border-radius: 6px; padding: 2px 8px; cursor: pointer; max-width: 100%; overflow: hidden; text-overflow: ellipsis;
  white-space: nowrap; }
.legend button[aria-pressed="true"] { border-color: var(--ink); font-weight: 600; }
.legend i { display: inline-block; width: 12px; height: 12px; margin-right: 6px; border-radius: 2px;
  vertical-align: -1px; }
#tip { position: fixed; pointer-events: none; background: var(--card); border: 1px solid var(--rule);
  border-radius: 6px;
  padding: 6px 10px; font-size: 13px; max-width: min(520px, 90vw); overflow-wrap: anywhere; display: none;
  box-shadow: 0 2px 8px #0003; white-space: pre-line; }
pre { font: 12.5px/1.45 ui-monospace, "DejaVu Sans Mono", monospace; overflow-x: auto; margin: 0; }
)css";

inline constexpr const char* trace_script = R"js(
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const canvas = document.querySelector("canvas"), tip = document.getElementById("tip"), pen = canvas.getContext("2d");
const left = 96, top_of_lanes = 74, row = 16, gap = 10, least_us = 0.01;
let begin = 0, end = Math.max(data.span, least_us), only = -1, pointer = null;
const style = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const fixed = { search: "--search", pool: "--pool", sleep: "--sleep", wait: "--wait" };
const isActivity = slice => data.categories[slice[3]] === "activity";
// Hues that lie far apart for neighbours in the list.
const hue = name => (name * 137.5 + 205) % 360;
const isDark = () => matchMedia("(prefers-color-scheme: dark)").matches;
const colour = slice => {
  const category = data.categories[slice[3]], name = data.names[slice[2]];
  if (category === "activity") return name in fixed ? style(fixed[name]) : style("--bar");
  if (category === "label") return style("--label");
  return `hsl(${hue(slice[2])} 55% ${isDark() ? 58 : 42}%)`;
};
const lanes = [];
let height = top_of_lanes;
for (const thread of data.threads) {
  const depth = thread.slices.reduce((most, each) => Math.max(most, each[4]), 0) + 1;
  lanes.push({ ...thread, y: height, depth });
  height += depth * row + gap;
}
const text_of = us => us >= 1e6 ? `${+(us / 1e6).toPrecision(5)} s` : us >= 1e3 ? `${+(us / 1e3).toPrecision(5)} ms`
  : `${+us.toPrecision(4)} \u00b5s`;
const width = () => canvas.clientWidth;
const x_of = us => left + (us - begin) / (end - begin) * (width() - left);
const us_of = x => begin + (x - left) / (width() - left) * (end - begin);
// The first slice of a lane that may reach into the view: outer slices are long, so all before it are looked at by
// depth.
const first_in_view = slices => {
  let low = 0, high = slices.length;
  while (low < high) { const middle = (low + high) >> 1; slices[middle][5] < begin ? low = middle + 1 : high = middle; }
  return low;
};
// The greatest end of all slices up to each one, so that the search above works although slices lie in others.
for (const lane of lanes) {
  let most = 0;
  for (const each of lane.slices) each[5] = most = Math.max(most, each[0] + each[1]);
}

function ticks() {
  const rough = (end - begin) / Math.max(width() / 130, 1), unit = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map(each => each * unit).find(each => each >= rough) || 10 * unit, all = [];
  for (let at = Math.ceil(begin / step) * step; at <= end && all.length < 100; at += step) all.push(at);
  return all;
}
function draw() {
  const scale = devicePixelRatio || 1;
  canvas.width = Math.round(width() * scale);
  canvas.height = Math.round(height * scale);
  canvas.style.height = `${height}px`;
  pen.setTransform(scale, 0, 0, scale, 0, 0);
  pen.font = '12px system-ui, "DejaVu Sans", sans-serif';
  pen.textBaseline = "middle";
  const ink = style("--ink"), soft = style("--soft"), rule = style("--rule"), bar = style("--bar");
  for (const at of ticks()) {
    const x = x_of(at);
    pen.fillStyle = rule; pen.fillRect(x, 18, 1, height);
    const text = text_of(at), room = pen.measureText(text).width;
    pen.fillStyle = soft;
    if (x + room < width()) pen.fillText(text, x + 3, 9);
  }
  pen.fillStyle = soft;
  pen.fillText("running", 4, 46);
  pen.save();
  pen.beginPath(); pen.rect(left, 0, width() - left, height); pen.clip();
  const most = Math.max(data.threads.length, 1);
  pen.fillStyle = bar;
  data.running.forEach(([at, count], i) => {
    const until = i + 1 < data.running.length ? data.running[i + 1][0] : data.span;
    if (until < begin || at > end) return;
    const x = x_of(at), tall = 40 * Math.min(count / most, 1);
    pen.fillRect(x, 64 - tall, Math.max(x_of(until) - x, 0.5), tall);
  });
  const colours = new Map();
  for (const lane of lanes) {
    const drawn_to = new Array(lane.depth).fill(-1);
    for (let i = first_in_view(lane.slices); i < lane.slices.length; ++i) {
      const slice = lane.slices[i];
      if (slice[0] > end) break;
      const x = Math.max(x_of(slice[0]), left - 2), to = Math.min(x_of(slice[0] + slice[1]), width() + 2);
      if (to < left || to < drawn_to[slice[4]] + 0.5) continue;
      const key = slice[3] * 1e6 + slice[2];
      if (!colours.has(key)) colours.set(key, colour(slice));
      const y = lane.y + slice[4] * row;
      pen.globalAlpha = only < 0 || slice[2] === only ? 1 : 0.15;
      pen.fillStyle = colours.get(key);
      pen.fillRect(x, y, Math.max(to - x, 0.6), row - 2);
      drawn_to[slice[4]] = to;
      if (to - x > 40) {
        const pale = isActivity(slice) && data.names[slice[2]] !== "search";
        pen.fillStyle = pale ? ink : isDark() ? "#101214" : "#ffffff";
        pen.save(); pen.beginPath(); pen.rect(x, y, to - x - 3, row - 2); pen.clip();
        pen.fillText(data.names[slice[2]], x + 4, y + row / 2 - 0.5);
        pen.restore();
      }
    }
    pen.globalAlpha = 1;
    pen.fillStyle = ink;
    let last = -9;
    for (const at of lane.steals) {
      const x = x_of(at);
      if (x < left || x > width() || x < last + 3) continue;
      last = x;
      pen.beginPath();
      pen.moveTo(x, lane.y - 1); pen.lineTo(x - 3, lane.y - 7); pen.lineTo(x + 3, lane.y - 7);
      pen.fill();
    }
  }
  pen.restore();
  pen.fillStyle = ink;
  for (const lane of lanes) pen.fillText(lane.name, 4, lane.y + row / 2 - 1, left - 10);
}
let is_due = false;
function redraw() {
  if (is_due) return;
  is_due = true;
  requestAnimationFrame(() => { is_due = false; draw(); });
}
function show(from, to) {
  const length = Math.min(Math.max(to - from, least_us), Math.max(data.span, least_us));
  begin = Math.min(Math.max(from, 0), Math.max(data.span - length, 0));
  end = begin + length;
  redraw();
}
function zoom(factor, around) { show(around - (around - begin) * factor, around + (end - around) * factor); }
function slice_at(x, y) {
  const lane = lanes.find(each => y >= each.y && y < each.y + each.depth * row);
  if (!lane || x < left) return null;
  const at = us_of(x), slack = (end - begin) / width(), depth = Math.floor((y - lane.y) / row);
  let best = null;
  for (let i = first_in_view(lane.slices); i < lane.slices.length && lane.slices[i][0] <= at + slack; ++i) {
    const slice = lane.slices[i];
    if (slice[4] === depth && slice[0] + slice[1] >= at - slack && (!best || slice[1] > best[1])) best = slice;
  }
  return best && { lane, slice: best };
}
canvas.addEventListener("wheel", event => {
  event.preventDefault();
  if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
    const by = (event.deltaX || event.deltaY) / width() * (end - begin);
    show(begin + by, end + by);
  } else zoom(Math.exp(event.deltaY * 0.002), us_of(Math.max(event.offsetX, left)));
}, { passive: false });
canvas.addEventListener("pointerdown", event => {
  pointer = event.offsetX;
  canvas.setPointerCapture(event.pointerId);
});
canvas.addEventListener("pointerup", () => { pointer = null; });
canvas.addEventListener("pointermove", event => {
  if (pointer !== null) {
    const by = (pointer - event.offsetX) / (width() - left) * (end - begin);
    pointer = event.offsetX;
    show(begin + by, end + by);
  }
  const found = pointer === null ? slice_at(event.offsetX, event.offsetY) : null;
  tip.style.display = found ? "block" : "none";
  if (!found) return;
  tip.textContent = `${data.names[found.slice[2]]}\n${data.categories[found.slice[3]]}, ${text_of(found.slice[1])}, ` +
    `from ${text_of(found.slice[0])} on ${found.lane.name}`;
  tip.style.left = `${Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8)}px`;
  tip.style.top = `${Math.min(event.clientY + 14, innerHeight - tip.offsetHeight - 8)}px`;
});
canvas.addEventListener("pointerleave", () => { tip.style.display = "none"; });
canvas.addEventListener("dblclick", () => show(0, data.span));
canvas.addEventListener("keydown", event => {
  const by = (end - begin) / 5, middle = (begin + end) / 2;
  const keys = { "+": () => zoom(0.6, middle), "-": () => zoom(1.6, middle), "0": () => show(0, data.span),
    ArrowLeft: () => show(begin - by, end - by), ArrowRight: () => show(begin + by, end + by) };
  if (event.key in keys) { event.preventDefault(); keys[event.key](); }
});
const legend = document.querySelector(".legend");
for (const entry of data.legend) {
  const button = document.createElement("button"), mark = document.createElement("i");
  mark.style.background = colour([0, 0, entry[0], entry[1], 0]);
  button.append(mark, data.names[entry[0]]);
  button.title = data.names[entry[0]];
  button.setAttribute("aria-pressed", "false");
  button.addEventListener("click", () => {
    only = only === entry[0] ? -1 : entry[0];
    for (const each of legend.querySelectorAll("button")) each.setAttribute("aria-pressed", "false");
    button.setAttribute("aria-pressed", String(only === entry[0]));
    redraw();
  });
  const item = document.createElement("li");
  item.append(button);
  legend.append(item);
}
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => location.reload());
addEventListener("resize", redraw);
draw();
)js";

}  // namespace teff::cli
