#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Copies a source of teff/mpi with one of the mistakes of mutants.txt.

usage: make_mutant.py TABLE NAME FOLDER_OF_SOURCES OUTPUT
"""
import pathlib
import sys

table, name, sources, output = sys.argv[1:]
lines = pathlib.Path(table).read_text(encoding="utf-8").splitlines()
begin = next(i for i, line in enumerate(lines) if line.startswith(name + ": "))
file_name = lines[begin].removeprefix(name + ": ")
replacements = []
before, after = [], []
for line in [*lines[begin + 1 :], ""]:
    if after and not line.startswith("+"):
        replacements.append(("\n".join(before), "\n".join(after)))
        before, after = [], []
    if line.startswith("-"):
        before.append(line[1:])
    elif line.startswith("+"):
        after.append(line[1:])
    else:
        break
text = pathlib.Path(sources, file_name).read_text(encoding="utf-8")
for old, new in replacements:
    if text.count(old) != 1:
        sys.exit(f"{table}: {name}: this occurs {text.count(old)} times in {file_name} instead of once:\n{old}")
    text = text.replace(old, new)
path = pathlib.Path(output)
path.parent.mkdir(parents=True, exist_ok=True)
path.write_text(text, encoding="utf-8")
