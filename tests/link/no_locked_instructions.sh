#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# no_locked_instructions.sh OBJECT PATTERN...
# Fails if a function of the object file whose demangled name matches one of the patterns (extended regular expressions)
# has an instruction with a lock prefix, an xchg with memory, or a fence. So that nothing passes by accident, it also
# fails if a pattern matches no function, or if one of the functions calls a function outside the patterns or through a
# pointer.
# A pattern that begins with ! names exceptions: what these functions may call, and at least one of them does.
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
    function matching(name, exceptions,    i, found) {
        for (i = 1; i <= count; i++)
            if (is_exception[i] == exceptions && name ~ pattern[i]) { matched[i] = 1; found = 1 }
        return found
    }
    function hexadecimal(digits,    i, value) {
        for (i = 1; i <= length(digits); i++) value = 16 * value + index("0123456789abcdef", substr(digits, i, 1)) - 1
        return value
    }
    function call(name) { sub(/[-+]0x[0-9a-f]+$/, "", name); caller[name] = current }
    # What the last instruction calls, once it is known that no relocation says it better.
    function end_instruction() { if (target != "") call(target); target = "" }
    # The function at a place of a section, as in ".text.unlikely+0x2d"; the place is counted from four bytes before.
    function function_at(place,    section, offset, i, found) {
        section = place
        sub(/[-+]0x[0-9a-f]+$/, "", section)
        offset = substr(place, length(section) + 4)
        offset = 4 + (place ~ /-0x[0-9a-f]+$/ ? -1 : 1) * hexadecimal(offset)
        for (i = 1; i <= functions_of[section]; i++) if (start[section, i] <= offset) found = name_of[section, i]
        return found
    }
    BEGIN {
        count = split(ENVIRON["PATTERNS"], pattern, "\n")
        for (i = 1; i <= count; i++) is_exception[i] = sub(/^!/, "", pattern[i])
    }
    /^Disassembly of section / { end_instruction(); section = $4; sub(/:$/, "", section); is_checked = 0; next }
    /^[0-9a-f]+ <.*>:$/ {
        end_instruction()
        current = $0
        sub(/^[0-9a-f]+ </, "", current)
        sub(/>:$/, "", current)
        start[section, ++functions_of[section]] = hexadecimal($1)
        name_of[section, functions_of[section]] = current
        is_checked = matching(current, 0)
        if (is_checked) { checked[current] = 1; functions++ }
        next
    }
    !is_checked { next }
    /^[ \t]+[0-9a-f]+: R_/ {
        if (target == "") next
        target = ""
        place = $0
        sub(/^[ \t]+[0-9a-f]+: R_[A-Z0-9_]+[ \t]+/, "", place)
        if (place ~ /^\.text/) section_caller[place] = current
        else call(place)
        next
    }
    /^[ \t]+[0-9a-f]+:/ {
        end_instruction()
        instruction = $0
        sub(/^[ \t]+[0-9a-f]+:[ \t]*/, "", instruction)
        sub(/[ \t]+#.*$/, "", instruction)
        target = instruction
        if (!sub(/^(call|j[a-z]+)[ \t]+[0-9a-f]+ </, "", target) || !sub(/>$/, "", target)) target = ""
        if (instruction ~ /^(notrack )?(call|jmp)[ \t]+\*/) complain(current ": calls through a pointer")
        sub(/<.*$/, "", instruction)
        if (instruction ~ /(^| )(lock|mfence|lfence|sfence)( |$)/ || instruction ~ /(^| )xchg.*\(/)
            complain(current ": " instruction)
    }
    END {
        end_instruction()
        for (place in section_caller) caller[function_at(place)] = section_caller[place]
        for (name in caller)
            if (!(name in checked) && !matching(name, 1))
                complain(caller[name] ": calls " name ", which is not checked")
        for (i in pattern) if (!(i in matched)) complain("no function matches " pattern[i])
        if (!bad) print functions " functions without a locked instruction or fence"
        exit bad
    }'
