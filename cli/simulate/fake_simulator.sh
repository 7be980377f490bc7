#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Stands in for teff_simulator in tests: each of its kernels behaves in one way. The time of `good` is 8 ms divided by
# the threads. The arguments of each call are kept in the file `calls` beside it.
calls=$(dirname "$0")/calls
if [ "$1" = list ]; then
    for kernel in good wrong stuck slow garbled killed stop; do
        echo "{\"kernel\":\"$kernel\",\"face\":\"reduce\",\"size_is\":\"n\",\"usual_size\":20}"
    done
    echo '{"kernel":"good","face":"fork_join","size_is":"n","usual_size":10}'
    echo '{"kernel":"tiles","face":"dataflow","size_is":"tiles in a row","usual_size":24}'
    exit 0
fi
echo "$*" >>"$calls"
value() {
    for each in $words; do
        case $each in "$1"=*) echo "${each#*=}" ;; esac
    done
}
words=$*
threads=$(value threads)
case $1 in
wrong)
    echo 'teff_simulator: the result of the kernel is wrong; this program is called by `teff simulate`' >&2
    exit 125
    ;;
stuck)
    echo 'teff_simulator: no thread can run; this program is called by `teff simulate`' >&2
    exit 125
    ;;
slow) exec sleep 1000 ;;
stop)
    kill -INT $PPID
    exec sleep 1000
    ;;
garbled) echo '{"kernel":' ;;
killed) kill -SEGV $$ ;;
*)
    sites=
    [ "$(value sites)" = 0 ] ||
        sites=',"sites":[{"where":"teff/queue/a.hpp:5","per_task":0.25,"waited_ns":70.5}]'
    echo "{\"kernel\":\"$1\",\"face\":\"$2\",\"machine\":\"$(value machine)\",\"threads\":$threads,\"tasks\":1000," \
        "\"scheduler\":\"$(value scheduler)\",\"size\":$(value size),\"runs\":$(value runs)," \
        "\"seconds\":$(awk "BEGIN { print 0.008 / $threads }"),\"ns_per_task\":8000," \
        "\"near_lines_per_task\":0.125,\"far_lines_per_task\":0," \
        "\"share\":{\"work\":0.5,\"near_line\":0.25,\"far_line\":0,\"spin\":0.125}$sites}"
    ;;
esac
