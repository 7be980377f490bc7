#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# usage: openmp_symbols.sh TABLE FOLDER SOURCE...
# Makes the following in FOLDER from the table of the OpenMP runtime's symbols (teff/frontends/openmp/symbols.txt).
#   exports.map                 the version script: the nodes, and every symbol in its default node
#   required.txt                options for the link: a symbol that its source does not define is an error
#   stubs.cpp                   the functions and data of the rows that are internal or missing
#   entry_points.cpp            the addresses of all functions but stubs, for the runtime for tools; stubs end the
#                               process in both runtimes, and are not aligned
#   symbol_versions/SOURCE.inc  the aliases of what SOURCE.cpp defines, to be included by it. An alias must be made
#                               where its symbol is defined; made by the assembler it costs no jump. The assembler
#                               complains about an external or second version if the source does not define the symbol.
# Files that would not change are left alone, so that only the sources concerned are compiled again.
set -euo pipefail
table=$1 folder=$2
shift 2
new=$folder/new
mkdir -p "$new"
for source in "$@"; do
    mkdir -p "$new/symbol_versions/$(dirname "$source")" "$folder/symbol_versions/$(dirname "$source")"
    : >"$new/symbol_versions/${source%.cpp}.inc"
done

SOURCES=$* awk -v table="$table" -v new="$new" '
    function complain(what) { print table ":" FNR ": " what >"/dev/stderr"; bad = 1 }
    function versions_of(source) { return new "/symbol_versions/" source ".inc" }
    function alias(where, defined, symbol) { printf "__asm__(\".symver %s, %s\");\n", defined, symbol >where }
    function require(name) { print "-Wl,--require-defined=" name >(new "/required.txt") }
    function stub(name, state, kind) {
        if (kind ~ /^data:/) printf "extern \"C\" { alignas(8) char %s[%d]; }\n", name, substr(kind, 6) >stubs
        else printf "extern \"C\" %svoid %s() { teff::openmp::end_at_%s(\"%s\"); }\n", \
                kind == "weak" ? "[[gnu::weak]] " : "", name, state, name >stubs
    }
    function entry_point(name) {
        if (name in points) return
        points[name] = 1
        declarations = declarations "void " name "();\n"
        addresses = addresses "    &" name ",\n"
    }
    BEGIN {
        stubs = new "/stubs.cpp"
        print "#include <teff/frontends/openmp/api/unavailable.hpp>" >stubs
        count = split(ENVIRON["SOURCES"], listed, " ")
        for (i = 1; i <= count; i++) { sub(/\.cpp$/, "", listed[i]); is_listed[listed[i]] = 1 }
    }
    /^#/ || NF == 0 { next }
    $1 == "node" {
        if (NF > 3 || $2 in parent || (NF == 3 && !($3 in parent)))
            complain("a node is named twice, or before its parent")
        parent[$2] = $3
        nodes[++node_count] = $2
        next
    }
    {
        name = $1; state = $3; kind = $4
        if (NF < 3 || NF > 4 || kind !~ /^(|weak|data:[1-9][0-9]*)$/) { complain("not NAME NODES STATE [KIND]"); next }
        if (name in seen) complain(name " has a second row")
        seen[name] = 1
        is_stub = state == "internal" || state == "missing"
        if (!is_stub && !(state in is_listed)) {
            complain(name " is to be defined by " state ".cpp, which is not in the list of sources")
            next
        }
        if (is_stub) stub(name, state, kind)
        require(name)
        if (kind == "" && !is_stub) entry_point(name)
        aliases = is_stub ? stubs : versions_of(state)
        count = split($2, part, ",")
        for (i = 1; i <= count; i++) {
            node = part[i]
            defined = name
            if (match(node, /=/)) {
                defined = substr(node, RSTART + 1)
                node = substr(node, 1, RSTART - 1)
                if (i == 1) complain("the default node of " name " cannot have another function")
                if (is_stub) defined = name
                else {
                    require(defined)
                    entry_point(defined)
                }
            }
            if (!(node in parent)) complain(name ": no node " node)
            if (i > 1) alias(aliases, defined, name "@" node)
            else members[node] = members[node] "        " name ";\n"
        }
        # A linker would not give the name without a version to the default node if there are others, so it goes.
        if (count > 1) alias(aliases, name, name "@@" substr($2, 1, index($2, ",") - 1) ", remove")
    }
    END {
        map = new "/exports.map"
        for (i = 1; i <= node_count; i++) {
            node = nodes[i]
            print node " {" >map
            if (members[node] != "") printf "    global:\n%s", members[node] >map
            if (i == 1) print "    local:\n        *;" >map
            print "}" (parent[node] == "" ? "" : " " parent[node]) ";" >map
        }
        printf "#include <teff/frontends/openmp/core/tools/redirection.hpp>\nextern \"C\" {\n%s}\n" \
            "namespace teff::openmp::tools {\nextern const entry_point entry_points[] = {\n%s};\n" \
            "extern const std::size_t entry_point_count = sizeof entry_points / sizeof *entry_points;\n}\n", \
            declarations, addresses >(new "/entry_points.cpp")
        exit bad
    }' "$table"

for file in exports.map required.txt stubs.cpp entry_points.cpp "${@/%.cpp/.inc}"; do
    case $file in *.inc) file=symbol_versions/$file ;; esac
    cmp -s "$new/$file" "$folder/$file" || mv "$new/$file" "$folder/$file"
done
rm -r "$new"
