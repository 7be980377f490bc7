#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# count.sh check TABLE COMPILER TEFF_PROGRAM OPENMP_PROGRAM OPENMP_FOLDER ROW
#     Counts the instructions of one row of TABLE (instructions.txt) and fails if they differ from it by more than 2 %.
#     Exits with 77, after a line that says why, where they cannot be compared: without valgrind, or with another
#     compiler than the table's.
# count.sh renew TABLE COMPILER TEFF_PROGRAM OPENMP_PROGRAM OPENMP_FOLDER
#     Counts all rows and writes them, and the compiler, to TABLE.
#
# OPENMP_FOLDER has the OpenMP runtime that OPENMP_PROGRAM is to load.
set -euo pipefail
shopt -s inherit_errexit
action=$1 table=$2 compiler=$3 teff=$4 openmp=$5 openmp_folder=$6
tolerance_percent=2

cannot() { # STATUS WHY
    echo "instructions are not counted: $2"
    exit "$1"
}

# The compiler as the table names it; the command's own name and path do not count.
version() { "$compiler" --version | sed -n '1s/^[^ ]* //p'; }
status=77
[ "$action" = check ] || status=1
command -v valgrind >/dev/null || cannot $status "valgrind is not installed"
[ "$(uname -m)" = x86_64 ] || cannot $status "the table is for x86-64"
expected=$(sed -n 's/^compiler: [^ ]* //p' "$table")
[ "$action" = renew ] || [ "$(version)" = "$expected" ] ||
    cannot 77 "the compiler is $(version), and $(basename "$table") is for $expected"

log=$(mktemp)
trap 'rm -f "$log"' EXIT

# one_run PROGRAM ROW SIZE: prints the instructions and the tasks. Variables of the user must not change the options.
one_run() {
    local program=$teff tasks instructions
    local -a libraries=()
    [ "$1" = teff ] || { program=$openmp; libraries=("LD_LIBRARY_PATH=$openmp_folder"); }
    tasks=$(env -i "PATH=$PATH" "${libraries[@]}" \
        valgrind --tool=callgrind --callgrind-out-file=/dev/null "$program" "$2" "$3" 2>"$log") ||
        { cat "$log" >&2; return 1; }
    instructions=$(sed -n 's/.*Collected : \([0-9]*\).*/\1/p' "$log")
    [ -n "$instructions" ] || { cat "$log" >&2; return 1; }
    echo "$instructions $tasks"
}

# per_task PROGRAM ROW SMALL LARGE
per_task() {
    local small large
    small=$(one_run "$1" "$2" "$3")
    large=$(one_run "$1" "$2" "$4")
    awk '{ printf "%.2f\n", ($3 - $1) / ($4 - $2) }' <<<"$small $large"
}

if [ "$action" = renew ]; then
    renewed=$(mktemp)
    trap 'rm -f "$log" "$renewed"' EXIT
    while IFS= read -r line; do
        read -r row program small large old <<<"$line"
        case $line in
            "compiler: "*) printf 'compiler: g++ %s\n' "$(version)" ;;
            "#"*) printf '%s\n' "$line" ;;
            *)
                new=$(per_task "$program" "$row" "$small" "$large")
                printf '%-17s %-7s %6s %6s %13s\n' "$row" "$program" "$small" "$large" "$new"
                [ "$new" = "$old" ] || echo "$row: $old before, $new now" >&2
                ;;
        esac
    done <"$table" >"$renewed"
    cat "$renewed" >"$table"
    exit
fi

row=$7
read -r program small large before < <(awk -v row="$row" '$1 == row { print $2, $3, $4, $5 }' "$table") ||
    { echo "$table has no row $row" >&2; exit 1; }
now=$(per_task "$program" "$row" "$small" "$large")
change=$(awk -v before="$before" -v now="$now" -v most=$tolerance_percent 'BEGIN {
    percent = before > 0 ? 100 * (now - before) / before : 100
    verdict = (percent > most) ? "more" : (percent < -most) ? "fewer" : "same"
    printf("%s %+.1f\n", verdict, percent) }')
echo "$row: $now instructions now, $before in $(basename "$table") (${change#* } %)"
remedy="renew the table: make instructions"
case $change in
    more*) echo "$row has grown by more than $tolerance_percent %. If that is meant, $remedy" ;;
    fewer*) echo "$row has shrunk by more than $tolerance_percent %. So that it stays so, $remedy" ;;
    *) exit 0 ;;
esac
exit 1
