#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# usage: check_completion.sh TEFF COMPLETION
# Completes lines as bash does, with the file that is installed for it; and as fish and zsh do, if they are there.
set -euo pipefail
teff=$1
. "$2"
[ "$(complete -p teff)" = "complete -F _teff teff" ]

# completed WORD...: what bash would offer for the last word; it splits words at `=`.
completed() {
    COMP_WORDS=("$teff" "$@")
    COMP_CWORD=$#
    _teff
    echo "${COMPREPLY[*]-}"
}
expect() {
    local wanted=$1 got
    shift
    got=$(completed "$@")
    [ "$got" = "$wanted" ] || { echo "teff $*: '$got' and not '$wanted'"; exit 1; }
}
expect "bench" be
expect "--scheduler" bench --sch
expect "sherwood" run --scheduler sh
expect "sherwood" run --scheduler = sh
expect "demand,blaze" bench --scheduler demand,bl
expect "micro" bench --kind mi
expect "8x24x2" simulate --machine 8x24x
cd "$(dirname "$2")"
expect "teff.bash" run teff.ba
expect "teff.bash" run --threads 2 ./program teff.ba
expect "teff.bash" graph teff.ba
expect "" nothing x
grep -q -- --options <<<"$(completed info --)"
for name in $("$teff" info --schedulers | sed -n '/^schedulers/,/^[^ ]*reclaimers/s/^  \([a-z0-9_]\+\) .*/\1/p'); do
    grep -qw "$name" <<<"$(completed run --scheduler "")" || { echo "$name is not offered"; exit 1; }
done

# The same of the other shells, where they are installed.
folder=$(dirname "$2")
if command -v fish >/dev/null; then
    got=$(fish --no-config -c "set PATH $(dirname "$teff") \$PATH; source $folder/teff.fish; complete -C 'teff run --scheduler sh'")
    grep -q '^sherwood' <<<"$got"
else
    echo "fish is not installed: its completion is not tested"
fi
if command -v zsh >/dev/null; then
    got=$(zsh -f -c "
        _describe() { print -rl -- \${(P)3}; }
        _files() { print files; }
        words=($teff run --scheduler sh) CURRENT=4
        . $folder/teff.zsh
        words=($teff graph '') CURRENT=3
        _teff")
    grep -q '^sherwood:' <<<"$got"
    grep -qx files <<<"$got"
else
    echo "zsh is not installed: its completion is not tested"
fi
