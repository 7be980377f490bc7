#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tables and pictures of docs/openmp_performance.md.

usage: openmp_performance.py tables RESULTS.json      prints the tables of constructs and programs
       openmp_performance.py schedulers RESULTS.json  prints the table of schedulers
       openmp_performance.py constructs PAGE.md >docs/openmp_constructs.svg
       openmp_performance.py programs PAGE.md >docs/openmp_programs.svg

RESULTS.json is what `teff bench --json` has written; the page names the commands. The pictures show the numbers of the
page's tables, so that nobody needs the results to check them.
"""
import dataclasses
import json
import re
import sys

sys.dont_write_bytecode = True  # beside the module
import dot_picture  # noqa: E402

# Name in the tables, runtime and compiler.
COLUMNS = [("Teff, GCC", "teff-omp", "gcc"), ("libgomp", "libgomp", "gcc"), ("Teff, Clang", "teff-omp", "clang"),
           ("libomp", "libomp", "clang"), ("libiomp5", "libiomp5", "clang")]
RUNTIMES = {"Teff, GCC": dataclasses.replace(dot_picture.TEFF, name="Teff (GCC)"),
            "libgomp": dot_picture.LIBGOMP, "libomp": dot_picture.LIBOMP,
            "libiomp5": dot_picture.LIBIOMP5,
            "Teff, Clang": dot_picture.Runtime("teff_clang", "Teff (Clang)", "circle", "#e9a15b", "#ffc48a")}


def name_of(row):
    if row["kernel"] == "constructs":
        return row["variant"].replace("_", " ")
    cut_off = f" cut-off {row['cutoff']}" if row["cutoff"] else ""
    return f"{row['kernel']} {row['size']}{cut_off}"


def rows_of(path, threads=2):
    with open(path, encoding="utf-8") as file:
        return [row for row in json.load(file)["rows"] if row["threads"] == threads or row["runtime"] == "serial"]


def short(value):
    """Three digits of a number."""
    return f"{value:,.0f}" if value >= 99.5 else f"{value:.1f}" if value >= 9.95 else f"{value:.2f}"


def ratio(mine, peers):
    return f"{mine / min(peers):.2f}" if mine and peers else "-"


def print_tables(path):
    for head, unit, scale, is_wanted in [
            ("construct, 2 threads, ns", "construct_ns_median", 1, lambda row: row["kernel"] == "constructs"),
            ("program, 2 threads, ms", "seconds_median", 1e3, lambda row: row["kernel"] != "constructs")]:
        cases = {}
        for row in filter(is_wanted, rows_of(path)):
            for name, runtime, compiler in COLUMNS:
                if (row["runtime"], row["compiler"]) == (runtime, compiler):
                    cases.setdefault(name_of(row), {})[name] = row[unit] * scale
        print(f"| {head} | " + " | ".join(name for name, *_ in COLUMNS) + " | GCC | Clang |")
        print("|---|" + "---:|" * (len(COLUMNS) + 2))
        for case, values in cases.items():
            by_clang = [values[name] for name in ("libomp", "libiomp5") if name in values]
            print(f"| {case} | " + " | ".join(short(values[name]) if name in values else "-" for name, *_ in COLUMNS) +
                  f" | {ratio(values.get('Teff, GCC'), [values['libgomp']])}"
                  f" | {ratio(values.get('Teff, Clang'), by_clang)} |")
        print()


def print_schedulers(path):
    cases, schedulers = {}, []
    for row in rows_of(path):
        of = cases.setdefault(name_of(row), {})
        of[row["scheduler"] or row["runtime"]] = row
        if row["scheduler"] and row["scheduler"] not in schedulers:
            schedulers.append(row["scheduler"])
    print("| program | ns of work per task | " + " | ".join(schedulers) + " |")
    print("|---|" + "---:|" * (len(schedulers) + 1))
    for case, of in cases.items():
        work = of["serial"]["seconds_median"] / of["serial"]["tasks"] * 1e9
        ratios = [f"{of[each]['seconds_median'] / of['libgomp']['seconds_median']:.2f}" if each in of else "-"
                  for each in schedulers]
        print(f"| {case} | {work:,.0f} | " + " | ".join(ratios) + " |")


def read_table(path, head):
    """{case: {column: number}} of the page's table whose first column has this head."""
    text = open(path, encoding="utf-8").read()
    table = re.search(rf"^\| {head}[^\n]*\n\|---[^\n]*\n((?:\|[^\n]*\n)+)", text, re.M)
    if table is None:
        sys.exit(f"{path} has no table of a {head}")
    names = [cell.strip() for cell in table[0].split("\n")[0].strip("|").split("|")]
    cases = {}
    for line in table[1].splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        cases[cells[0]] = {name: float(cell.strip("*").replace(",", "")) for name, cell in zip(names, cells)
                           if name in RUNTIMES and cell != "-"}
    return cases


def draw(path, head, said_head, unit, ticks, left):
    runtimes = [RUNTIMES[name] for name in ("libomp", "libiomp5", "libgomp", "Teff, Clang", "Teff, GCC")]
    cases = {case: {RUNTIMES[name].key: value for name, value in values.items()}
             for case, values in read_table(path, head).items()}
    everything = [value for values in cases.values() for value in values.values()]
    picture = dot_picture.Picture(
        title=f"OpenMP on two threads: {said_head}", head=f"{said_head} on two threads; farther left is faster",
        foot="AMD EPYC, 2 cores; GCC 12 for Teff and libgomp, Clang 19 for the others; logarithmic scale",
        runtimes=runtimes, ticks=[tick for tick in ticks if tick > min(everything)],
        low=min(everything) * 0.8, high=max(everything) * 1.2,
        said=lambda value: f"{value:,g} {unit}", left=left)
    print("\n".join(picture.draw(cases)))


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in ("tables", "schedulers", "constructs", "programs"):
        sys.exit("usage: openmp_performance.py tables|schedulers RESULTS.json, or constructs|programs PAGE.md")
    what, path = sys.argv[1:]
    if what == "tables":
        print_tables(path)
    elif what == "schedulers":
        print_schedulers(path)
    elif what == "constructs":
        draw(path, "construct", "Nanoseconds of one construct", "ns", [10**i for i in range(1, 6)], 135)
    else:
        ticks = [step * 10**i for i in range(0, 3) for step in (1, 2, 5)]
        draw(path, "program", "Milliseconds of a program", "ms", ticks, 205)


main()
