#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds the documentation site in build/site/html: all pages of the tree, and the reference of the public headers. A
# public name without a text, a dead link and every other warning is an error. Needs the network for what is missing:
# Debian's doxygen, and the packages of PyPI that docs/site/requirements.txt pins (in build/site/venv).
set -euo pipefail
cd "$(dirname "$0")/.."
site=$PWD/build/site
venv=$site/venv
pinned=docs/site/requirements.txt
mkdir -p "$site"

if ! scripts/ensure_packages.sh doxygen python3 python3-venv; then
    echo "teff: make docs needs Debian's packages doxygen, python3 and python3-venv, which could not be installed;" \
        "without a network, install them from elsewhere" >&2
    exit 1
fi
if ! cmp -s "$pinned" "$venv/installed.txt"; then
    echo "==> installing the packages pinned in $pinned into build/site/venv"
    rm -rf "$venv"
    # Debian's own interpreter: another one that stands earlier in PATH may lack venv or pip.
    /usr/bin/python3 -m venv "$venv"
    if ! "$venv/bin/pip" install --quiet --disable-pip-version-check --retries 1 --no-deps -r "$pinned"; then
        echo "teff: make docs needs $(grep '^mkdocs-material==' "$pinned") and what else $pinned pins, which could" \
            "not be fetched from PyPI; without a network, put the wheels into a folder and set PIP_NO_INDEX=1" \
            "PIP_FIND_LINKS=FOLDER" >&2
        exit 1
    fi
    cp "$pinned" "$venv/installed.txt"
fi

echo "==> reading the public headers"
rm -rf "$site/xml"
{ cat docs/site/Doxyfile; echo "OUTPUT_DIRECTORY = $site"; } | doxygen -
echo "==> building the site"
"$venv/bin/python" docs/site/pages.py . "$site/xml" "$site"
# Not --quiet, which hides warnings from --strict. The variable turns off what the theme says of a later mkdocs.
NO_MKDOCS_2_WARNING=1 "$venv/bin/mkdocs" build --strict --config-file "$site/mkdocs.yml"
echo "the site is in build/site/html; begin at build/site/html/index.html"
