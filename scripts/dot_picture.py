# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A picture of measurements: a line for each of several cases, and on it a mark for each runtime, at its value.

Used by draw_kernels.py and draw_openmp.py. The scale is logarithmic. Marks that would cover each other are stacked. The
picture brings light and dark colours and a background of its own, so that it can be read on any page.
"""
import dataclasses
import math


@dataclasses.dataclass
class Runtime:
    key: str
    name: str
    shape: str  # bar, circle, diamond, square or triangle
    light: str  # colours
    dark: str


SERIAL = Runtime("serial", "one serial thread", "bar", "#667079", "#9aa4ae")
TBB = Runtime("tbb", "oneTBB", "square", "#cc79a7", "#e29bc4")
LIBOMP = Runtime("libomp", "LLVM libomp", "triangle", "#56b4e9", "#8fd0f5")
LIBIOMP5 = Runtime("libiomp5", "Intel libiomp5", "diamond", "#009e73", "#2fc79a")
LIBGOMP = Runtime("libgomp", "GNU libgomp", "square", "#0072b2", "#4aa3df")
TEFF = Runtime("teff", "Teff", "circle", "#d55e00", "#ff7f2a")


@dataclasses.dataclass
class Picture:
    title: str            # for those who cannot see the picture
    head: str
    foot: str
    runtimes: list        # of Runtime, drawn in this order, named in the reverse one
    ticks: list           # of the scale
    low: float            # the ends of the scale
    high: float
    said: object          # value -> text
    beyond: str = None    # name of the right edge, for values of None
    left: int = 92        # width of the cases' names

    WIDTH, RIGHT, TOP, ROW = 760, 34, 92, 34

    def x_of(self, value):
        width = self.WIDTH - self.left - self.RIGHT
        return self.left + width * math.log(value / self.low) / math.log(self.high / self.low)

    def placed(self, values):
        """(runtime, x, y relative to the case's line)."""
        at, beyond = [], 0
        for each in self.runtimes:
            value = values.get(each.key, math.inf)
            if value is None:
                at.append((self.WIDTH - self.RIGHT + 6 - 15 * beyond, each))
                beyond += 1
            elif value != math.inf:
                at.append((self.x_of(value), each))
        at.sort(key=lambda mark: mark[0])
        while at:
            stack = [each for each in at if each[0] - at[0][0] < 10]
            at = at[len(stack):]
            stack.sort(key=lambda mark: -self.runtimes.index(mark[1]))
            for level, (x, runtime) in enumerate(stack):
                yield runtime, x, (level - (len(stack) - 1) / 2) * 9.5

    def draw(self, cases):
        """The lines of an SVG file. cases: {name: {runtime's key: value, or None if it lies beyond the right edge}}."""
        width, left, row = self.WIDTH, self.left, self.ROW
        bottom = self.TOP + row * len(cases)
        height = bottom + 46
        light = " ".join(f".{each.key} {{ fill: {each.light} }}" for each in self.runtimes)
        dark = " ".join(f".{each.key} {{ fill: {each.dark} }}" for each in self.runtimes)
        size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
        yield f'<svg xmlns="http://www.w3.org/2000/svg" {size}>'
        yield f"""<title>{self.title}</title>
<style>
.paper {{ fill: #ffffff }} text {{ fill: #1c2024; font: 13px system-ui, "Segoe UI", "DejaVu Sans", sans-serif }}
.soft {{ fill: #667079; font-size: 12px }} .strong {{ font-weight: 600 }}
.end {{ text-anchor: end }} .middle {{ text-anchor: middle }} .rule {{ stroke: #e2e5e9 }}
polygon, circle {{ stroke: #ffffff; stroke-width: 1 }}
{light}
@media (prefers-color-scheme: dark) {{
.paper {{ fill: #1e2226 }} text {{ fill: #e8eaed }} .soft {{ fill: #9aa4ae }} .rule {{ stroke: #343a40 }}
polygon, circle {{ stroke: #1e2226 }}
{dark}
}}
</style>
<rect class="paper" width="{width}" height="{height}" rx="8"/>
<text class="strong" x="16" y="26">{self.head}</text>"""
        x, y = 22, 52
        for each in reversed(self.runtimes):
            yield mark(each, x, y - 4.5, each.name)
            yield f'<text x="{x + 13}" y="{y}">{each.name}</text>'
            x += 38 + 7.3 * len(each.name)
        for tick in self.ticks:
            x = self.x_of(tick)
            yield f'<path class="rule" d="M{x:.1f} {self.TOP - 14}V{bottom}"/>'
            yield f'<text class="soft middle" x="{x:.1f}" y="{bottom + 18}">{tick:,g}</text>'
        if self.beyond is not None:
            yield f'<text class="soft middle" x="{width - self.RIGHT - 6}" y="{bottom + 18}">{self.beyond}</text>'
        yield f'<text class="soft" x="16" y="{bottom + 38}">{self.foot}</text>'
        for number, (case, values) in enumerate(cases.items()):
            y = self.TOP + row * number + row / 2 - 7
            yield f'<path class="rule" stroke-dasharray="1 4" d="M{left} {y:.1f}H{width - self.RIGHT + 10}"/>'
            yield f'<text class="end" x="{left - 14}" y="{y + 4.5:.1f}">{case}</text>'
            for runtime, x, shift in self.placed(values):
                yield mark(runtime, x, y + shift, f"{case}, {runtime.name}: {self.said(values[runtime.key])}")
        yield "</svg>"


def mark(runtime, x, y, label):
    size = 6 if runtime.key == "teff" else 5
    corners = {"square": [(-1, -1), (1, -1), (1, 1), (-1, 1)],
               "diamond": [(0, -1.3), (1.3, 0), (0, 1.3), (-1.3, 0)],
               "triangle": [(0, -1.2), (1.2, 1), (-1.2, 1)],
               "bar": [(-0.35, -1.6), (0.35, -1.6), (0.35, 1.6), (-0.35, 1.6)]}
    title = f"<title>{label}</title>"
    if runtime.shape == "circle":
        return f'<circle class="{runtime.key}" cx="{x:.1f}" cy="{y:.1f}" r="{size}">{title}</circle>'
    points = " ".join(f"{x + size * dx:.1f},{y + size * dy:.1f}" for dx, dy in corners[runtime.shape])
    return f'<polygon class="{runtime.key}" points="{points}">{title}</polygon>'
