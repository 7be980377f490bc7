#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws docs/many_machines.svg: the efficiency of simulated ranks, from the tables of docs/many_machines.md.

usage: draw_ranks.py docs/many_machines.md >docs/many_machines.svg

The horizontal scale is logarithmic. As in dot_picture.py, the picture brings light and dark colours and a background.
"""
import math
import re
import sys

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 760, 380, 60, 150, 60, 330
LOW, HIGH, LOWEST, HIGHEST = 80, 120000, 0, 100
# Name, key, light and dark colour, column of the table whose first column has this head.
LINES = [("now", "now", "#d55e00", "#ff7f2a", "ranks, weak", "efficiency, %"),
         ("before", "before", "#0072b2", "#4aa3df", "ranks, weak", "before, %"),
         ("T1WL, fixed", "strong", "#009e73", "#2fc79a", "ranks, T1WL", "efficiency, %")]


def read_table(text, head):
    """The rows of the table, as {column: number or None}."""
    table = re.search(rf"^\| {head}[^\n]*\n\|---[^\n]*\n((?:\|[^\n]*\n)+)", text, re.M)
    if table is None:
        sys.exit(f"there is no table with the column '{head}'")
    names = [cell.strip() for cell in table[0].split("\n")[0].strip("|").split("|")]
    rows = []
    for line in table[1].splitlines():
        cells = [cell.strip().replace(",", "") for cell in line.strip("|").split("|")]
        rows.append({name: float(cell) if re.fullmatch(r"[\d.]+", cell) else None for name, cell in zip(names, cells)})
    return rows


def x_of(workers):
    return LEFT + (WIDTH - LEFT - RIGHT) * math.log(workers / LOW) / math.log(HIGH / LOW)


def y_of(efficiency):
    return BOTTOM - (BOTTOM - TOP) * (efficiency - LOWEST) / (HIGHEST - LOWEST)


def draw(text):
    light = " ".join(f".{key} {{ fill: {colour}; stroke: {colour} }}" for _, key, colour, _, _, _ in LINES)
    dark = " ".join(f".{key} {{ fill: {colour}; stroke: {colour} }}" for _, key, _, colour, _, _ in LINES)
    size = f'viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}"'
    yield f'<svg xmlns="http://www.w3.org/2000/svg" {size}>'
    yield f"""<title>Simulated efficiency of UTS on many ranks of 24 workers</title>
<style>
.paper {{ fill: #ffffff }} text {{ fill: #1c2024; font: 13px system-ui, "Segoe UI", "DejaVu Sans", sans-serif }}
.soft {{ fill: #667079; font-size: 12px }} .strong_text {{ font-weight: 600 }}
.end {{ text-anchor: end }} .middle {{ text-anchor: middle }} .rule {{ stroke: #e2e5e9 }}
{light}
@media (prefers-color-scheme: dark) {{
.paper {{ fill: #1e2226 }} text {{ fill: #e8eaed }} .soft {{ fill: #9aa4ae }} .rule {{ stroke: #343a40 }}
{dark}
}}
.line {{ fill: none; stroke-width: 2 }}
</style>
<rect class="paper" width="{WIDTH}" height="{HEIGHT}" rx="8"/>
<text class="strong_text" x="16" y="26">Simulated: efficiency of UTS in %, by workers (24 for each rank)</text>"""
    for efficiency in range(LOWEST, HIGHEST + 1, 20):
        y = y_of(efficiency)
        yield f'<path class="rule" d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}"/>'
        yield f'<text class="soft end" x="{LEFT - 8}" y="{y + 4:.1f}">{efficiency}</text>'
    for workers in (100, 1000, 10000, 100000):
        x = x_of(workers)
        yield f'<path class="rule" d="M{x:.1f} {TOP}V{BOTTOM}"/>'
        yield f'<text class="soft middle" x="{x:.1f}" y="{BOTTOM + 18}">{workers:,}</text>'
    names = []
    for name, key, _, _, head, column in LINES:
        points = [(row["workers"], row[column]) for row in read_table(text, head) if row[column] is not None]
        path = "L".join(f"{x_of(workers):.1f} {y_of(value):.1f}" for workers, value in points)
        yield f'<path class="{key} line" style="fill: none" d="M{path}"/>'
        for workers, value in points:
            title = f"<title>{name}, {workers:,.0f} workers: {value:g} %</title>"
            yield f'<circle class="{key}" cx="{x_of(workers):.1f}" cy="{y_of(value):.1f}" r="4">{title}</circle>'
        workers, value = points[-1]
        names.append((y_of(value) + 4, x_of(workers) + 10, name))
    lowest = -math.inf
    for y, x, name in sorted(names):
        lowest = max(y, lowest + 15)  # names of neighbours do not cover each other
        yield f'<text x="{x:.1f}" y="{lowest:.1f}">{name}</text>'
    yield (f'<text class="soft" x="16" y="{HEIGHT - 12}">now and before: 0.9 s of work for each worker; '
           'T1WL: the same tree for all; teff_simulate_ranks, 2026-11-29</text>')
    yield "</svg>"


if len(sys.argv) != 2:
    sys.exit("usage: draw_ranks.py docs/many_machines.md >docs/many_machines.svg")
with open(sys.argv[1], encoding="utf-8") as page:
    print("\n".join(draw(page.read())))
