#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# usage: manual_pages.sh TEFF FOLDER VERSION
# Writes the manual pages of the command TEFF into FOLDER: teff.1, and teff-COMMAND.1 for each of its commands. They are
# made of what it says with --help, and of its table of options, so they say the same.
set -euo pipefail
teff=$1 folder=$2 version=$3
rm -rf "$folder"
mkdir -p "$folder"

commands=$("$teff" --help | awk '/^Subcommands:/ { inside = 1; next } inside && NF == 0 { exit } inside && /^  [^ ]/ { print $1 }')
[ -n "$commands" ] || { echo "manual_pages.sh: $teff --help lists no commands" >&2; exit 1; }

# page NAME USAGE...: from the help on standard input.
page() {
    awk -v name="$1" -v version="$version" -v others="$2" '
        function plain(text) {
            gsub(/\\/, "\\e", text)
            gsub(/-/, "\\-", text)
            return text ~ /^[.'\'']/ ? "\\&" text : text
        }
        function section(title) { print ".SH " title }
        NR == 1 {
            print ".\\\" Made from the help of the command."
            print ".TH \"" toupper(name) "\" 1 \"\" \"Teff " version "\" \"User Commands\""
            section("NAME")
            first = $0
            sub(/^Teff: /, "", first)
            sub(/[.].*/, "", first)
            print plain(name) " \\- " plain(first)
            description = $0
            next
        }
        # A description may have several lines.
        !usage && !/^Usage:/ { description = description "\n" $0; next }
        /^Usage:/ {
            usage = 1
            sub(/^Usage: /, "")
            section("SYNOPSIS")
            print ".B " plain($0)
            section("DESCRIPTION")
            print plain(description)
            next
        }
        /^[A-Z][A-Za-z ]*:$/ {
            title = toupper(substr($0, 1, length($0) - 1))
            section(title == "POSITIONALS" ? "ARGUMENTS" : title == "SUBCOMMANDS" ? "COMMANDS" : title)
            entries = 1
            next
        }
        entries && /^  [^ ]/ {
            text = substr($0, 3)
            word = text
            rest = ""
            if (match(text, /  +/)) {
                word = substr(text, 1, RSTART - 1)
                rest = substr(text, RSTART + RLENGTH)
            }
            print ".TP\n.B " plain(word)
            if (rest != "") print plain(rest)
            next
        }
        entries && /^   / { sub(/^ +/, ""); print plain($0); next }
        NF == 0 { entries = 0; next }
        { if (!notes++) section("NOTES"); print plain($0); print ".br" }
        END { if (others != "") { section("SEE ALSO"); print others } }'
}

see_also=""
for command in $commands; do
    [ "$command" = help ] || see_also+="${see_also:+, }.BR teff\\-$command (1)"
done
see_also=$(sed 's/, \.BR/ ,\n.BR/g' <<<"$see_also")
{
    "$teff" --help | page teff ""
    echo ".SH ENVIRONMENT"
    echo "The options of the runtime, for every program that uses Teff:"
    echo ".PP"
    echo ".nf"
    "$teff" info --options | sed 's/\\/\\e/g; s/-/\\-/g; s/^\([.'"'"']\)/\\\&\1/'
    echo ".fi"
    echo ".SH SEE ALSO"
    echo "$see_also"
} >"$folder/teff.1"
for command in $commands; do
    [ "$command" = help ] || "$teff" "$command" --help | page "teff-$command" ".BR teff (1)" >"$folder/teff-$command.1"
done
