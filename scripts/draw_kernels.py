#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws docs/kernels.svg, the picture in the README: the kernels of `teff bench` on Teff and the other runtimes.

usage: draw_kernels.py RESULTS.md >docs/kernels.svg

The numbers are those of the section below in bench/RESULTS.md. A runtime's mark is the least median of its compilers
and variants; a runtime whose runs were all stopped at the limit of time has its mark at the right edge.
"""
import math
import re
import sys

sys.dont_write_bytecode = True  # beside the module
import dot_picture  # noqa: E402

SECTION = "2026-11-21: all nine kernels beside all peers"
LIMIT_S = 10


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


if len(sys.argv) != 2:
    sys.exit("usage: draw_kernels.py RESULTS.md >docs/kernels.svg")
picture = dot_picture.Picture(
    title="Nine kernels on two threads: seconds on Teff, four other runtimes and one serial thread",
    head="Seconds on two threads; farther left is faster",
    foot="AMD EPYC (Zen 3), 2 cores; the better of GCC 12 and Clang 19 "
         f"for each; {SECTION[:10]}; logarithmic scale",
    runtimes=[dot_picture.SERIAL, dot_picture.TBB, dot_picture.LIBOMP, dot_picture.LIBIOMP5, dot_picture.LIBGOMP,
              dot_picture.TEFF],
    ticks=[0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10], low=0.02, high=20, beyond="longer",
    said=lambda seconds: f"over {LIMIT_S} s" if seconds is None else f"{seconds:g} s")
print("\n".join(picture.draw(read_medians(sys.argv[1]))))
