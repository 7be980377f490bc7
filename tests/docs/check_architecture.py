#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the pages that describe the sources: ARCHITECTURE.md, the pages of docs/ that it is continued in, and the
README.md of each folder of sources. ARCHITECTURE.md is short, each floor has a README.md, and every file that one of
these pages names in `...` exists: below the page's folder, in teff/, in include/ or include/teff/, or at the root.

usage: check_architecture.py FOLDER
"""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1]).resolve()
LARGEST = 10240  # bytes: ten minutes to read
NAME = re.compile(r"[\w./-]+\.(?:hpp|cpp|h|inc|md|txt|py|awk|yml|cmake)|[\w./-]+/")
problems = []

size = (root / "ARCHITECTURE.md").stat().st_size
if size > LARGEST:
    problems.append(f"ARCHITECTURE.md has {size} bytes, more than {LARGEST}: move details to the README.md of a folder")

floors = [folder for folder in sorted((root / "teff").iterdir()) if folder.is_dir() and any(folder.glob("*.hpp"))]
floors += [folder for folder in sorted((root / "teff/frontends").iterdir()) if folder.is_dir()]
problems += [f"{folder.relative_to(root)} has no README.md" for folder in floors if not (folder / "README.md").is_file()]

pages = [root / "ARCHITECTURE.md"] + [root / "docs" / f"{name}.md" for name in ("glossary", "shared_lines", "shared_objects")]
pages += sorted((root / "teff").rglob("README.md")) + [root / folder / "README.md" for folder in ("bench", "cli")]
checked = 0
for page in pages:
    below = ["/" + str(file.relative_to(page.parent)) for file in page.parent.rglob("*")] if page.parent != root else []
    for name in re.findall(r"`([^`\n]+)`", page.read_text(encoding="utf-8")):
        if not NAME.fullmatch(name) or name.startswith("-"):
            continue
        checked += 1
        plain = name.rstrip("/")
        if not (any((root / folder / plain).exists() for folder in ("", "teff", "include", "include/teff"))
                or any(file.endswith("/" + plain) for file in below)):
            problems.append(f"{page.relative_to(root)}: `{name}`: there is no such file")

if checked == 0:
    problems.append("no name of a file was found to check")
print("\n".join(problems))
sys.exit(1 if problems else 0)
