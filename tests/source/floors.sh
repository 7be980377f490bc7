#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A file includes only its own floor or a lower one; front ends never include each other (the algorithms include what
# fork-join offers to users); the command and the benchmarks include public headers only (the command also the tables
# that it prints: of options, and of names; the one benchmark of a part of the library that part).
set -euo pipefail

{ grep -rnE --include='*.hpp' --include='*.cpp' '^ *# *include *<teff/' teff cli bench || true; } | awk -F: '
    BEGIN {
        split("base machine reclaim queue task scheduler fiber runtime depend frontends public", order, " ")
        for (i in order) rank[order[i]] = i + 0
    }
    # teff/queue/x.hpp is on floor queue; teff/x.hpp is public. Some public headers include nothing and are for all.
    function floor_of(path,    part, count) {
        count = split(path, part, "/")
        if (path == "teff/version.hpp" || path == "teff/options.hpp" || path == "teff/counters.hpp") return "base"
        return count == 2 ? "public" : part[2]
    }
    function frontend_of(path,    part) {
        split(path, part, "/")
        return part[2] == "frontends" ? part[3] : ""
    }
    function complain(why) { print $1 ":" $2 ": includes " target ": " why; bad = 1 }
    {
        match($3, /<[^>]*>/)
        target = substr($3, RSTART + 1, RLENGTH - 2)
        to = floor_of(target)
        checked++
        if (!(to in rank)) { complain("no such floor"); next }
        if ($1 !~ /^teff\//) {
            allowed = target ~ /^teff\/[a-z_]+\.hpp$/ ||
                      ($1 ~ /^cli\// && target ~ /^teff\/(runtime\/(options|nearest_name)|[a-z]+\/names)\.hpp$/) ||
                      $1 " " target == "bench/queue_throughput/teff.cpp teff/queue/bqueue.hpp"
            if (!allowed) complain("only public headers are allowed here")
            next
        }
        # The algorithms are written on top of fork-join, as a user would write them.
        if (frontend_of($1) == "algorithms" && target ~ /^teff\/(fork_join|task_group|blocked_range|partitioner)\.hpp$/) next
        from = floor_of($1)
        if (!(from in rank)) complain("the including file is on no floor")
        else if (rank[to] > rank[from]) complain("floor " to " is above floor " from)
        else if (to == "frontends" && from == "frontends" && frontend_of($1) != frontend_of(target))
            complain("front ends do not include each other")
    }
    END {
        if (!checked) { print "no include was found to check"; exit 1 }
        exit bad
    }'
