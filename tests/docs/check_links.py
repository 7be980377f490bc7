#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the links of all pages (*.md) of the tree: each file must exist, and each #heading be one of the page.

usage: check_links.py FOLDER
"""
import os
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1]).resolve()
SKIPPED = {".git", "build", ".cache", "suites"}


def pages():
    # Folders of builds change while this runs, so they are not looked into.
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(set(folders) - SKIPPED)
        for name in sorted(files):
            if name.endswith(".md"):
                yield pathlib.Path(folder, name)


def prose(text):
    return re.sub(r"^ *```.*?^ *```$", "", text, flags=re.M | re.S)


def slug(heading):
    """The identifier that GitHub and the site give a heading."""
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    return re.sub(r"[^\w\- ]", "", plain.strip().lower()).replace(" ", "-")


def headings(path):
    seen = {}
    for heading in re.findall(r"^#{1,6} +(.+?) *#*$", prose(path.read_text(encoding="utf-8")), re.M):
        name = slug(heading)
        count = seen[name] = seen.get(name, -1) + 1
        yield f"{name}-{count}" if count else name


bad = checked = 0
for page in pages():
    text = re.sub(r"`[^`\n]*`", "", prose(page.read_text(encoding="utf-8")))
    for target in re.findall(r"\]\(<?([^)>\s]+)>?\)", text):
        if re.match(r"[a-z]+:", target):
            continue
        checked += 1
        name, _, anchor = target.partition("#")
        file = (page.parent / name).resolve() if name else page
        if not file.exists():
            print(f"{page.relative_to(root)}: {target}: there is no such file")
            bad += 1
        elif anchor and anchor not in set(headings(file)):
            print(f"{page.relative_to(root)}: {target}: the page has no such heading")
            bad += 1
if checked == 0:
    sys.exit("no link was found to check")
sys.exit(1 if bad else 0)
