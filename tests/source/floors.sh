#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A file includes only its own floor or a lower one, and front ends never include each other. Public headers stand on
# two floors: those of the front ends, and above them dataflow, the algorithms, MPI, and their headers, which are written
# on those below. The command, the benchmarks and the examples include public headers only (the command also the tables
# that it prints: of options, and of names, and how text and files are written, which is one thing for all; the
# benchmarks of the B-queue that queue, and their report the text of JSON). In the command, cli/report/ includes nothing
# of cli/bench/, and its rooms include each other in one direction (cli/README.md). In the core of the OpenMP runtime, a file includes only its own room or a lower one (its README.md);
# tests may include all.
set -euo pipefail

{ grep -rnE --include='*.hpp' --include='*.cpp' '^ *# *include *<teff/' include teff cli bench examples || true; } | sed 's@^include/@@' | awk -F: '
    BEGIN {
        split("base machine reclaim queue depend task scheduler fiber options strand observe pool team frontends public dataflow algorithms mpi upper_headers c qthread", order, " ")
        for (i in order) rank[order[i]] = i + 0
        split("events environment synchronization iterations teams tasks worksharing data affinity regions process tools", order, " ")
        for (i in order) room_rank[order[i]] = i + 0
    }
    # teff/queue/x.hpp is on floor queue; teff/x.hpp, in include/, is public. Some public headers are made of the standard library
    # alone and are for all.
    function floor_of(path,    part, count) {
        count = split(path, part, "/")
        if (path == "teff/openmp/omp-tools.h") return "base"
        if (count != 2) return part[2]
        if (path ~ /^teff\/(version|options|counters|timeline|label|blocked_range|partitioner)\.hpp$/) return "base"
        return path ~ /^teff\/(parallel_[a-z_]+|algorithms|dataflow|mpi|mpi_dataflow|teff)\.hpp$/ ? "upper_headers" : "public"
    }
    function frontend_of(path,    part) {
        split(path, part, "/")
        return part[2] == "frontends" ? part[3] : ""
    }
    function room_of(path,    part) {
        split(path, part, "/")
        return path ~ /^teff\/frontends\/openmp\/core\// ? part[5] : ""
    }
    function complain(why) { print $1 ":" $2 ": includes " target ": " why; bad = 1 }
    {
        match($3, /<[^>]*>/)
        target = substr($3, RSTART + 1, RLENGTH - 2)
        to = floor_of(target)
        checked++
        if (!(to in rank)) { complain("no such floor"); next }
        if ($1 !~ /^teff\//) {
            allowed = target ~ /^teff\/([a-z_]+\.hpp|openmp\/omp-tools\.h)$/ ||
                      ($1 ~ /^cli\// && target ~ /^teff\/(options\/options|[a-z]+\/names)\.hpp$/) ||
                      ($1 ~ /^cli\// && target ~ /^teff\/base\/(escaped_text|file_place|whole_file)\.hpp$/) ||
                      $1 " " target == "bench/harness/report.cpp teff/base/escaped_text.hpp" ||
                      $1 " " target == "bench/harness/pair_queue.hpp teff/queue/bqueue.hpp"
            if (!allowed) complain("only public headers are allowed here")
            next
        }
        from = floor_of($1)
        if (!(from in rank)) complain("the including file is on no floor")
        else if (rank[to] > rank[from]) complain("floor " to " is above floor " from)
        else if (to == "frontends" && from == "frontends" && frontend_of($1) != frontend_of(target))
            complain("front ends do not include each other")
        if (room_of($1) == "" || frontend_of(target) != "openmp" || $1 ~ /_(test|stress)\.cpp$/) next
        in_rooms++
        if (!(room_of($1) in room_rank)) complain("the including file is in no room of openmp/core/")
        else if (!(room_of(target) in room_rank)) complain("what is included is in no room of openmp/core/")
        else if (room_rank[room_of(target)] > room_rank[room_of($1)]) complain("room " room_of(target) " is above room " room_of($1))
    }
    END {
        if (!checked || !in_rooms) { print "no include was found to check"; exit 1 }
        exit bad
    }'

if grep -rnE '^ *# *include *<cli/(bench|graph|info|simulate)/' cli/report; then
    echo "cli/report/ turns results into text; it must not depend on how they were made"
    exit 1
fi

if grep -nE '^ *# *include *<cli/report/page/' cli/report/*.?pp ||
    grep -rnE '^ *# *include *<cli/report/([a-z_]+[.]|page/|trace/)' cli/report/graph ||
    grep -rnE '^ *# *include *<cli/report/([a-z_]+[.]|page/|graph/)' cli/report/trace ||
    grep -rnE '^ *# *include *<cli/report/([a-z_]+[.]|page/|graph/|trace/)' cli/report/drawing; then
    echo "the rooms of cli/report/ include each other in one direction (cli/README.md)"
    exit 1
fi
