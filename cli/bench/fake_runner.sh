#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A runner that speaks the protocol and computes nothing, for the tests of `teff bench`. It is copied under the names
# of real runners and takes its runtime from its name. Each kernel is a way to behave; times are made up, so no test
# depends on how fast anything is. Every start is written to the file `log` beside it.
name=${0##*/}
name=${name#teff-bench-}
compiler=${name##*-}
runtime=${name%-*}
# The program of two runtimes, which fake_mpirun.sh starts.
[ "$name" != teff-mpi-bench ] || compiler=gcc
echo "$name library=$LD_LIBRARY_PATH omp=$OMP_NUM_THREADS,$OMP_DYNAMIC,$OMP_PROC_BIND,$OMP_WAIT_POLICY" \
    "blas=$OPENBLAS_NUM_THREADS $*" >> "${0%/*}/log"
# What an OpenMP runtime of Teff is told.
[ -z "$TEFF_SCHEDULER" ] || echo "$name teff=$TEFF_SCHEDULER,$TEFF_TRACKER,$TEFF_RECLAIMER $*" >> "${0%/*}/log"

kernel= size=quick variant= threads=1 describe= counters=
while [ $# -gt 0 ]; do
    case $1 in
    --describe) describe=yes; shift ;;
    --calibrate) echo '{"pace":3000}'; exit 0 ;;
    --counters | --json) shift ;;
    --runtime) runtime=$2; shift 2 ;;
    --hardware-counters)
        counters=',"counters":{"hardware":{"context_switches":7,"unavailable":[{"counters":["cycles"],'
        counters="$counters"'"reason":"no PMU; get one"}]}}'
        shift
        ;;
    --kernel) kernel=$2; shift 2 ;;
    --size) size=$2; shift 2 ;;
    --variant) variant=$2; shift 2 ;;
    --threads) threads=$2; shift 2 ;;
    *) shift 2 ;;
    esac
done

variants='"nowait"'
ratio='{"nowait":true}'
if [ "$runtime" = serial ]; then
    variants='"recursive","stack"'
    ratio='{"recursive":true,"stack":true}'
fi

# Kernels of kind mpi: in one process, on ranks, and one whose answer is wrong there.
sizes='"sizes":{"quick":"3,4","paper":"7"},"kind":"mpi"'
if [ "$name" = teff-mpi-bench ] && [ "$describe" ] && [ -z "$kernel" ]; then
    list=
    for each in '"spread","runtime":"teff-mpi"' '"spread","runtime":"mpi"' '"astray","runtime":"teff-mpi"'; do
        list="$list${list:+,}{\"kernel\":$each,\"variants\":[\"nowait\"],\"compiler\":\"gcc\",$sizes}"
    done
    echo "[$list]"
    exit 0
fi

if [ "$describe" ] && [ -z "$kernel" ]; then
    list=
    for each in good uneven wrong hang memory huge crash garbage stop; do
        [ "$each" = good ] && takes=true || takes=false
        list="$list${list:+,}{\"kernel\":\"$each\",\"variants\":[$variants],\"ratio\":$ratio,"
        list="$list\"sizes\":{\"quick\":\"1\",\"paper\":\"2\"},\"cutoff\":$takes,\"input\":$takes}"
    done
    # A kernel of two kinds.
    waiting='"wait"'
    [ "$runtime" = serial ] && waiting='"recursive"'
    list="$list,{\"kernel\":\"good\",\"variants\":[$waiting],\"kind\":\"fork_join\","
    list="$list\"sizes\":{\"quick\":\"1\",\"paper\":\"2\"}}"
    # Two micro-benchmarks: of tasks, and of threads without a runtime.
    figures='[{"shape":"lines","title":"Lines","measured":"cost_ns","measured_title":"cost, ns","across":"delay_ns"},'
    figures="$figures"'{"shape":"boxes","title":"Boxes","measured":"tasks_by_worker","measured_title":"tasks"}]'
    micro='"kind":"micro","headline":"cost_ns","headline_title":"cost ns","cutoff":false,"input":false'
    micro="$micro,\"figures\":$figures"
    list="$list,{\"kernel\":\"spin\",\"variants\":[$variants],\"ratio\":$ratio,$micro,\"paced\":true,"
    list="$list\"sizes\":{\"quick\":\"1x5,10x5\",\"paper\":\"1x9\"}}"
    if [ "$runtime" = serial ] || [ "$runtime" = teff ]; then
        list="$list,{\"kernel\":\"lock\",\"variants\":[\"mutex\",\"spin_lock\"],\"variants_differ\":true,"
        list="$list\"own_threads\":true,\"by_threads\":true,\"sizes\":{\"quick\":\"7\"},$micro}"
    fi
    # Of kind openmp: a program, one that finds another library than it should, and one with measures.
    case $runtime in
    serial | libgomp | libomp)
        for each in tasks stray; do
            list="$list,{\"kernel\":\"$each\",\"variants\":[$waiting],\"kind\":\"openmp\",\"cutoff\":true,"
            list="$list\"sizes\":{\"quick\":\"3,5@2\",\"paper\":\"7\"}}"
        done
        ;;
    esac
    if [ "$runtime" = libgomp ] || [ "$runtime" = libomp ]; then
        dots='[{"shape":"dots","title":"Dots","measured":"cost_ns","measured_title":"cost, ns"}]'
        list="$list,{\"kernel\":\"ways\",\"variants\":[\"first\",\"second\"],\"accesses\":[\"second\"],\"kind\":\"openmp\","
        list="$list\"variants_differ\":true,\"compared\":\"all_ns\",\"headline\":\"cost_ns\",\"headline_title\":\"ns\","
        list="$list\"figures\":$dots,\"sizes\":{\"quick\":\"1\"}}"
    fi
    list="$list,{\"kernel\":\"spread\",\"variants\":[$variants],$sizes}"
    # A dataflow program, whose serial version has the same variant.
    if [ "$compiler" = gcc ]; then
        list="$list,{\"kernel\":\"flow\",\"variants\":[\"tasks\"],\"kind\":\"dataflow\",\"headline\":\"cost_ns\","
        list="$list\"headline_title\":\"cost ns\",\"figures\":$figures,\"sizes\":{\"quick\":\"3,4\"}}"
    fi
    # Of kind threads: with the name of another kernel, and one that only threads have.
    threads="\"kind\":\"threads\",\"headline\":\"cost_ns\",\"headline_title\":\"cost ns\",\"figures\":$figures"
    threads="$threads,\"sizes\":{\"quick\":\"8,9\"}"
    case $runtime in
    serial)
        list="$list,{\"kernel\":\"good\",\"variants\":[\"recursive\",\"threads\"],\"own_threads_in\":[\"threads\"],"
        list="$list$threads},{\"kernel\":\"hand\",\"variants\":[\"threads\"],\"own_threads_in\":[\"threads\"],$threads}"
        ;;
    teff | boost-fiber)
        for each in good hand; do list="$list,{\"kernel\":\"$each\",\"variants\":[\"threads\"],$threads}"; done
        ;;
    *) list="$list,{\"kernel\":\"good\",\"variants\":[\"tasks\"],$threads}" ;;
    esac
    echo "[$list]"
    exit 0
fi

case $size in
quick | paper | [0-9]*) ;;
*) echo "teff-bench: size '$size' is no number" >&2; exit 2 ;;
esac

if [ "$describe" ]; then
    [ "$kernel" = huge ] && bytes=1000000000000000 || bytes=1000
    echo "{\"memory_bytes\":$bytes}"
    exit 0
fi

# A timeline as the library writes it. The kernel uneven has none.
if [ "$TEFF_TRACE" ] && [ "$kernel" != uneven ]; then
    sums='"work_ns":750000,"search_ns":0,"pool_ns":0,"sleep_ns":250000,"wait_ns":0,"merged":0,"merged_below_ns":0'
    cat > "$TEFF_TRACE" <<END
{"teff":{"span_ns":1000000,"threads_left_out":0,"threads":[{"thread":1,"order":1,"name":"caller",$sums}]},
"traceEvents":[{"ph":"X","pid":1,"tid":1,"ts":0.0,"dur":750.0,"name":"work"}]}
END
fi

# A task graph as the library writes it: as many tasks as the size says, one after the other. Size 5 has none.
if [ "$TEFF_DATAFLOW_GRAPH" ] && [ "$size" != 5 ]; then
    facts='"function":0,"thread":0,"outcome":"ended","begin_ns":0,"end_ns":9,"own_ns":1000,"syncs_before":0'
    {
        echo "{\"teff_dataflow_graph\":1,\"work_ns\":${size}000,\"span_ns\":2000,\"parallelism\":1.5,"
        echo '"elapsed_ns":4000,"tasks_left_out":7,"threads":["caller"],"functions":["step"],"addresses":[],"tasks":['
        task=0
        while [ "$task" -lt "$size" ]; do
            [ "$task" = 0 ] || echo ,
            echo "{\"task\":$((task + 1)),\"parent\":0,\"outermost\":1,\"depth\":$task,$facts,\"critical_ns\":1000,"
            echo '"accesses":[]}'
            task=$((task + 1))
        done
        echo '],"dependences":[],"critical_path":[1]}'
    } > "$TEFF_DATAFLOW_GRAPH"
fi

measures=
case $kernel in
spin | lock | flow | hand)
    measures=",\"given\":{\"delay_ns\":${size%%x*}},\"found\":{\"cost_ns\":2.5,\"tasks_by_worker\":[400,600]}" ;;
esac
[ "$name" != teff-mpi-bench ] || measures=',"given":{},"found":{"least_rank_cpu_percent":2.4,"most_rank_cpu_percent":101,"peak_rank_mib":31}'

# The one library with these names, or another one.
libraries=
case $kernel.$runtime in
stray.libomp) libraries=',"openmp_libraries":["/elsewhere/libomp.so"]' ;;
*.libgomp | *.libomp)
    used=$(readlink -f "$LD_LIBRARY_PATH/libomp.so.5")
    libraries=",\"openmp_libraries\":[\"${used:-/usr/lib/its_own.so}\"]"
    ;;
esac
# On Teff all that is measured is half.
part=1.0
[ -z "$TEFF_SCHEDULER" ] || part=0.5
[ "$kernel" != ways ] || measures=",\"given\":{},\"found\":{\"cost_ns\":$part,\"all_ns\":$part}"

answer() {
    echo "{\"kernel\":\"$kernel\",\"size\":\"$size\",\"variant\":\"$variant\",\"seconds\":$1,\"tasks\":1000,\"answer\":\"$2\",\"expected\":\"42\",\"verified\":$3$measures$libraries$counters}"
}

case $kernel.$runtime in
uneven.libgomp) answer 5.5 42 true ;;
wrong.tbb) answer 0.1 41 false; exit 3 ;;
hang.libgomp) sleep 1000 ;;
# The user presses Ctrl-C during the second run, or while a timeline is recorded.
stop.teff)
    [ -z "$TEFF_TRACE" ] || { kill -INT $PPID; sleep 1000; }
    answer 0.1 42 true
    ;;
stop.libgomp)
    runs=$(grep "^libgomp-.*--kernel stop " "${0%/*}/log" | grep -vc -e --describe)
    [ "$runs" -lt 2 ] || { kill -INT $PPID; sleep 1000; }
    answer 0.2 42 true
    ;;
memory.libgomp) echo "teff-bench: out of memory" >&2; exit 4 ;;
crash.libgomp) kill -SEGV $$ ;;
garbage.libgomp) echo "hello" ;;
astray.*) answer 0.1 41 false; exit 3 ;;
*.teff-mpi) answer 0.15 42 true ;;
*.serial) answer 0.4 42 true ;;
*.teff) answer 0.1 42 true ;;
*) answer 0.2 42 true ;;
esac
