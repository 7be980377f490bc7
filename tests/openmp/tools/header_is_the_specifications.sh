#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# header_is_the_specifications.sh FOLDER COMPILER
# Compares FOLDER/omp-tools.h with LLVM's: the value of each enumerator, the size of each type, and that each function
# type can be assigned to the other header's.
set -euo pipefail
folder=$1 compiler=$2
other=$(find /usr/lib/llvm-*/lib/clang/*/include -name omp-tools.h 2>/dev/null | head -n 1)
[ -n "$other" ] || { echo "LLVM's omp-tools.h is not installed (libomp-19-dev)"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Alone: beside it are headers that only Clang reads.
mkdir "$work/ours" "$work/theirs"
cp "$folder/omp-tools.h" "$work/ours"
cp "$other" "$work/theirs"

enumerators=$(grep -oE '^ +ompt_[a-z0-9_]+ =' "$folder/omp-tools.h" | grep -oE 'ompt_[a-z0-9_]+')
types=$(grep -oE '^} ompt_[a-z_]+_t;|\(\*ompt_[a-z_0-9]+_t\)\(|^typedef [a-z0-9_ ]+ ompt_[a-z_]+_t;' "$folder/omp-tools.h" |
    grep -oE 'ompt_[a-z_0-9]+_t' | grep -vE '^ompt_(device|buffer)_t$' | sort -u)
[ "$(wc -l <<<"$enumerators")" -gt 150 ] && [ "$(wc -l <<<"$types")" -gt 60 ] || { echo "names are not found"; exit 1; }
{
    echo '#include <omp-tools.h>'
    echo '#include <stdio.h>'
    echo 'int main(void) {'
    for name in $enumerators; do echo "    printf(\"$name %lld\\n\", (long long)(int)$name);"; done
    for name in $types; do echo "    printf(\"$name %zu\\n\", sizeof($name));"; done
    echo '    return 0; }'
} >"$work/values.c"
for which in ours theirs; do
    "$compiler" -w -I"$work/$which" "$work/values.c" -o "$work/values"
    "$work/values" >"$work/$which/values"
done
diff "$work/ours/values" "$work/theirs/values"

# Function types: one declaration by each header, which the compiler must find compatible.
preprocessed() { "$compiler" -E -P -I"$1" -include omp-tools.h - </dev/null | tr '\n' ' ' | sed 's/;/;\n/g; s/  */ /g'; }
signatures() { # the typedefs of callbacks and routines, without the names of parameters
    preprocessed "$1" | grep -E 'typedef .*\(\* ?ompt_[a-z_0-9]+_t\) ?\(' |
        sed -E 's/^ *//; s/(struct|enum) //g; s/ ?([(),*]) ?/\1/g; s/ [a-z_0-9]+([,)])/\1/g; s/\*[a-z_0-9]+([,)])/*\1/g' | sort
}
signatures "$work/ours" >"$work/ours/types"
signatures "$work/theirs" >"$work/theirs/types"
missing=$(comm -23 "$work/ours/types" "$work/theirs/types")
[ -z "$missing" ] || { echo "these types are not those of $other:"; echo "$missing"; exit 1; }
[ "$(wc -l <"$work/ours/types")" -gt 40 ] || { echo "types are not found"; exit 1; }
