#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# usage: check_manual.sh TEFF MANUAL_FOLDER
# Each command has a manual page, which names all of its options; and the pages have no fault that man would show.
set -euo pipefail
teff=$1 folder=$2
names=$("$teff" --help | sed -n '/^Subcommands:/,/^$/s/^  \([a-z]\+\) .*/\1/p' | grep -vx help)
[ "$(wc -l <<<"$names")" -ge 4 ]
for name in "" $names; do
    page=$folder/teff${name:+-$name}.1
    [ -s "$page" ] || { echo "there is no $page"; exit 1; }
    "$teff" ${name:+"$name"} --help | grep -oE '^  [^ ]*--[a-z-]+' | grep -oE -- '--[a-z-]+' | while read -r option; do
        grep -qF -- "${option//-/\\-}" "$page" || { echo "$page does not name $option"; exit 1; }
    done
    if command -v groff >/dev/null; then
        said=$(groff -man -Tutf8 -ww -z "$page" 2>&1)
        [ -z "$said" ] || { echo "$page: $said"; exit 1; }
    fi
done
for option in $("$teff" info --options | grep -oE '\(TEFF_[A-Z_]+\)' | tr -d '()'); do
    grep -qF "$option" "$folder/teff.1" || { echo "teff.1 does not name $option"; exit 1; }
done
