#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# no_locked_instructions.sh OBJECT PATTERN...
# Fails if a function of the object file whose demangled name matches one of the patterns (extended regular expressions)
# has an instruction with a lock prefix, an xchg with memory, or a fence. So that nothing passes by accident, it also
# fails if a pattern matches no function, or if one of the functions calls what is not among them, or through a pointer.
# Says that it skips (status 77) where the object is not one of x86-64.
set -euo pipefail
[ $# -ge 2 ] || { echo "usage: $0 OBJECT PATTERN..."; exit 2; }
object=$1
shift

if ! objdump -f "$object" | grep -q 'file format elf64-x86-64'; then
    echo "skipped: $object is not an object file of x86-64"
    exit 77
fi

patterns=$(printf '%s\n' "$@")
objdump -drC --no-show-raw-insn "$object" | PATTERNS=$patterns awk '
    function complain(what) { print what; bad = 1 }
    function matching(name,    i, found) {
        for (i = 1; i <= count; i++) if (name ~ pattern[i]) { matched[i] = 1; found = 1 }
        return found
    }
    # Sections are the places of cold parts, which are listed as functions of their own.
    function call(name) {
        sub(/[-+]0x[0-9a-f]+$/, "", name)
        if (name !~ /^\.text/) caller[name] = current
    }
    BEGIN { count = split(ENVIRON["PATTERNS"], pattern, "\n") }
    /^[0-9a-f]+ <.*>:$/ {
        current = $0
        sub(/^[0-9a-f]+ </, "", current)
        sub(/>:$/, "", current)
        is_checked = matching(current)
        if (is_checked) { checked[current] = 1; functions++ }
        next
    }
    !is_checked { next }
    /^[ \t]+[0-9a-f]+: R_/ {
        if (after_call) { target = $0; sub(/^[ \t]+[0-9a-f]+: R_[A-Z0-9_]+[ \t]+/, "", target); call(target) }
        next
    }
    /^[ \t]+[0-9a-f]+:/ {
        instruction = $0
        sub(/^[ \t]+[0-9a-f]+:[ \t]*/, "", instruction)
        sub(/[ \t]+#.*$/, "", instruction)
        target = instruction
        after_call = sub(/^(call|j[a-z]+)[ \t]+[0-9a-f]+ </, "", target) && sub(/>$/, "", target)
        if (after_call) call(target)
        else if (instruction ~ /^(notrack )?(call|jmp)[ \t]+\*/) complain(current ": calls through a pointer")
        sub(/<.*$/, "", instruction)
        if (instruction ~ /(^| )(lock|mfence|lfence|sfence)( |$)/ || instruction ~ /(^| )xchg.*\(/)
            complain(current ": " instruction)
    }
    END {
        for (name in caller) if (!(name in checked)) complain(caller[name] ": calls " name ", which is not checked")
        for (i = 1; i <= count; i++) if (!(i in matched)) complain("no function matches " pattern[i])
        if (!bad) print functions " functions without a locked instruction or fence"
        exit bad
    }'
