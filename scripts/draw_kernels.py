#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws docs/kernels.svg, the picture in the README: the kernels of `teff bench` on Teff and the other runtimes.

usage: draw_kernels.py RESULTS.md >docs/kernels.svg

The numbers are those of the section below in bench/RESULTS.md. A runtime's mark is the least median of its compilers
and variants; a runtime whose runs were all stopped at the limit of time has its mark at the right edge. The picture
brings light and dark colours and a background of its own, so that it can be read on any page.
"""
import math
import re
import sys

SECTION = "2026-11-21: all nine kernels beside all peers"
LIMIT_S = 10
# Name in the table, name in the picture, shape, light and dark colour; drawn in this order.
RUNTIMES = [
    ("serial", "one serial thread", "bar", "#667079", "#9aa4ae"),
    ("tbb", "oneTBB", "square", "#cc79a7", "#e29bc4"),
    ("libomp", "LLVM libomp", "triangle", "#56b4e9", "#8fd0f5"),
    ("libiomp5", "Intel libiomp5", "diamond", "#009e73", "#2fc79a"),
    ("libgomp", "GNU libgomp", "square", "#0072b2", "#4aa3df"),
    ("teff", "Teff", "circle", "#d55e00", "#ff7f2a"),
]
WIDTH, LEFT, RIGHT, TOP, ROW = 760, 92, 34, 92, 34
LOW_S, HIGH_S = 0.02, 20


def read_medians(path):
    """{kernel: {runtime: seconds, or None if each run was over the limit}}, in the table's order."""
    text = open(path, encoding="utf-8").read()
    section = re.search(r"^## " + re.escape(SECTION) + r"\n(.*?)^## ", text, re.M | re.S)
    if section is None:
        sys.exit(f"{path} has no section '{SECTION}'")
    kernels = {}
    row = re.compile(r"^(\w+) +quick +(\w+) +(\w+) +(?:gcc|clang) +\S+ +\d+ +([\d.]+) +[\d.]+ +[\d.]+ +\d+ ", re.M)
    for kernel, variant, runtime, median in row.findall(section[1]):
        if variant in ("recursive", "nowait", "wait"):
            of = kernels.setdefault(kernel, {})
            of[runtime] = min(float(median), of.get(runtime, math.inf))
    for kernel, runtime in re.findall(r"^  (\w+) quick \w+ (\w+) .*over the limit", section[1], re.M):
        kernels[kernel].setdefault(runtime, None)
    return kernels


def x_of(seconds):
    return LEFT + (WIDTH - LEFT - RIGHT) * math.log(seconds / LOW_S) / math.log(HIGH_S / LOW_S)


def mark(shape, runtime, x, y, label):
    size = 6 if runtime == "teff" else 5
    corners = {"square": [(-1, -1), (1, -1), (1, 1), (-1, 1)],
               "diamond": [(0, -1.3), (1.3, 0), (0, 1.3), (-1.3, 0)],
               "triangle": [(0, -1.2), (1.2, 1), (-1.2, 1)],
               "bar": [(-0.35, -1.6), (0.35, -1.6), (0.35, 1.6), (-0.35, 1.6)]}
    title = f"<title>{label}</title>"
    if shape == "circle":
        return f'<circle class="{runtime}" cx="{x:.1f}" cy="{y:.1f}" r="{size}">{title}</circle>'
    points = " ".join(f"{x + size * dx:.1f},{y + size * dy:.1f}" for dx, dy in corners[shape])
    return f'<polygon class="{runtime}" points="{points}">{title}</polygon>'


def placed(times):
    """(row of RUNTIMES, x, y relative to the kernel's line); marks that would cover each other are stacked."""
    at, beyond = [], 0
    for each in RUNTIMES:
        seconds = times.get(each[0], math.inf)
        if seconds is None:
            at.append((WIDTH - RIGHT + 6 - 15 * beyond, each))
            beyond += 1
        elif seconds != math.inf:
            at.append((x_of(seconds), each))
    at.sort(key=lambda mark: mark[0])
    while at:
        stack = [each for each in at if each[0] - at[0][0] < 10]
        at = at[len(stack):]
        stack.sort(key=lambda mark: -RUNTIMES.index(mark[1]))
        for level, (x, runtime) in enumerate(stack):
            yield runtime, x, (level - (len(stack) - 1) / 2) * 9.5


def draw(kernels):
    height = TOP + ROW * len(kernels) + 46
    bottom = TOP + ROW * len(kernels)
    colours = [[f".{name} {{ fill: {each[i]} }}" for name, *each in RUNTIMES] for i in (2, 3)]
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}">'
    yield f"""<title>Nine kernels on two threads: seconds on Teff, four other runtimes and one serial thread</title>
<style>
.paper {{ fill: #ffffff }} text {{ fill: #1c2024; font: 13px system-ui, "Segoe UI", "DejaVu Sans", sans-serif }}
.soft {{ fill: #667079; font-size: 12px }} .strong {{ font-weight: 600 }}
.end {{ text-anchor: end }} .middle {{ text-anchor: middle }} .rule {{ stroke: #e2e5e9 }}
polygon, circle {{ stroke: #ffffff; stroke-width: 1 }}
{" ".join(colours[0])}
@media (prefers-color-scheme: dark) {{
.paper {{ fill: #1e2226 }} text {{ fill: #e8eaed }} .soft {{ fill: #9aa4ae }} .rule {{ stroke: #343a40 }}
polygon, circle {{ stroke: #1e2226 }}
{" ".join(colours[1])}
}}
</style>
<rect class="paper" width="{WIDTH}" height="{height}" rx="8"/>
<text class="strong" x="16" y="26">Seconds on two threads; farther left is faster</text>"""
    x, y = 22, 52
    for runtime, name, shape, *_ in reversed(RUNTIMES):
        yield mark(shape, runtime, x, y - 4.5, name)
        yield f'<text x="{x + 13}" y="{y}">{name}</text>'
        x += 38 + 7.3 * len(name)
    for seconds in (0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10):
        x = x_of(seconds)
        yield f'<path class="rule" d="M{x:.1f} {TOP - 14}V{bottom}"/>'
        yield f'<text class="soft middle" x="{x:.1f}" y="{bottom + 18}">{seconds:g}</text>'
    yield f'<text class="soft middle" x="{WIDTH - RIGHT - 6}" y="{bottom + 18}">longer</text>'
    yield (f'<text class="soft" x="16" y="{bottom + 38}">AMD EPYC (Zen 3), 2 cores; the better of GCC 12 and Clang 19 '
           f"for each; {SECTION[:10]}; logarithmic scale</text>")
    for row, (kernel, times) in enumerate(kernels.items()):
        y = TOP + ROW * row + ROW / 2 - 7
        yield f'<path class="rule" stroke-dasharray="1 4" d="M{LEFT} {y:.1f}H{WIDTH - RIGHT + 10}"/>'
        yield f'<text class="end" x="{LEFT - 14}" y="{y + 4.5:.1f}">{kernel}</text>'
        for (runtime, name, shape, *_), x, shift in placed(times):
            said = f"over {LIMIT_S} s" if times[runtime] is None else f"{times[runtime]:g} s"
            yield mark(shape, runtime, x, y + shift, f"{kernel}, {name}: {said}")
    yield "</svg>"


if len(sys.argv) != 2:
    sys.exit("usage: draw_kernels.py RESULTS.md >docs/kernels.svg")
print("\n".join(draw(read_medians(sys.argv[1]))))
