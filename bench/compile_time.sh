#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# usage: bench/compile_time.sh [RUNS [COMPILER [FLAG...]]]
# Prints a table of what it costs to compile a minimal program with each public header, beside the same program with
# oneTBB's matching header: medians of the seconds of user time of RUNS compilations (11), the two in turns; and the
# bytes of code and data in the object file. COMPILER: g++; FLAG: -O2. Teff's headers are those of this checkout. A
# header that has no match in oneTBB stands alone.
set -euo pipefail
runs=${1:-11} compiler=${2:-g++}
flags=("${@:3}")
[ "${#flags[@]}" -ne 0 ] || flags=(-O2)
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
names=()

# The two sources of a line of the table: of_teff begins the line, of_tbb, if there is one, belongs to it. The program
# is the standard input; in that of of_both `lib::` stands for either namespace.
of_teff() { # HEADER
    names+=("$1")
    { echo "#include <teff/$1.hpp>"; cat; } >"$work/$1.teff.cpp"
}
of_tbb() { # HEADER TBBS_HEADER
    echo "$2.h" >"$work/$1.title"
    { echo "#include <tbb/$2.h>"; cat; } >"$work/$1.tbb.cpp"
}
of_both() { # HEADER [OTHER_HEADER]
    local source teffs="" tbbs=""
    source=$(cat)
    [ $# -eq 1 ] || { teffs="#include <teff/$2.hpp>" tbbs="#include <tbb/$2.h>"; }
    of_teff "$1" <<<"$teffs"$'\n'"${source//lib::/teff::}"
    of_tbb "$1" "$1" <<<"$tbbs"$'\n'"${source//lib::/tbb::}"
}

of_teff reduce <<'END'
struct count {
    template <class Pool> long operator()(Pool& pool, int n) const {
        if (n > 1) { pool.enq(n - 1); pool.enq(n - 2); }
        return 1;
    }
};
int main() { return teff::reduce_tasks({}, count{}, 10) == 89; }
END
of_tbb reduce parallel_for_each <<'END'
#include <atomic>
int main() {
    int first = 10;
    std::atomic<long> sum{0};
    tbb::parallel_for_each(&first, &first + 1, [&](int n, tbb::feeder<int>& pool) {
        if (n > 1) { pool.add(n - 1); pool.add(n - 2); }
        ++sum;
    });
    return sum == 89;
}
END
of_teff fork_join <<'END'
long fib(int n) {
    if (n < 2) return n;
    const auto [a, b] = teff::fork_join([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
    return a + b;
}
int main() { return fib(10) == 55; }
END
of_tbb fork_join parallel_invoke <<'END'
long fib(int n) {
    if (n < 2) return n;
    long a = 0, b = 0;
    tbb::parallel_invoke([n, &a] { a = fib(n - 1); }, [n, &b] { b = fib(n - 2); });
    return a + b;
}
int main() { return fib(10) == 55; }
END
of_both parallel_invoke <<'END'
int main() {
    int a = 0, b = 0;
    lib::parallel_invoke([&] { a = 1; }, [&] { b = 2; });
    return a + b;
}
END
of_both task_group <<'END'
int main() {
    int a = 0;
    lib::task_group group;
    group.run([&] { a = 1; });
    group.wait();
    return a;
}
END
of_both parallel_for <<'END'
double a[1000];
int main() {
    lib::parallel_for(0, 1000, [](int i) { a[i] = i; });
    return a[7] == 7;
}
END
of_both parallel_reduce blocked_range <<'END'
int main() {
    const lib::blocked_range<int> range(0, 1000);
    return lib::parallel_reduce(range, 0L, [](const lib::blocked_range<int>& part, long sum) {
        for (int i = part.begin(); i != part.end(); ++i) sum += i;
        return sum;
    }, [](long a, long b) { return a + b; }) == 499500;
}
END
of_both parallel_scan blocked_range <<'END'
long out[1000];
int main() {
    const lib::blocked_range<int> range(0, 1000);
    return lib::parallel_scan(range, 0L, [](const lib::blocked_range<int>& part, long sum, bool is_final) {
        for (int i = part.begin(); i != part.end(); ++i) { sum += i; if (is_final) out[i] = sum; }
        return sum;
    }, [](long a, long b) { return a + b; }) == 499500;
}
END
of_both parallel_sort <<'END'
int a[1000];
int main() {
    lib::parallel_sort(a, a + 1000);
    return a[0];
}
END
of_both parallel_pipeline <<'END'
int main() {
    int next = 0, sum = 0;
    lib::parallel_pipeline(4,
        lib::make_filter<void, int>(lib::filter_mode::serial_in_order, [&](lib::flow_control& stop) {
            if (next == 10) stop.stop();
            return next++;
        }) &
        lib::make_filter<int, int>(lib::filter_mode::parallel, [](int i) { return i * i; }) &
        lib::make_filter<int, void>(lib::filter_mode::serial_in_order, [&](int i) { sum += i; }));
    return sum == 285;
}
END
of_teff reducer <<'END'
int main() {
    teff::reducer<int> sum;
    *sum += 1;
    return sum.get();
}
END
of_tbb reducer combinable <<'END'
int main() {
    tbb::combinable<int> sum;
    sum.local() += 1;
    return sum.combine([](int a, int b) { return a + b; });
}
END
of_teff dataflow <<'END'
int main() {
    teff::object<int> a;
    teff::spawn([](int& x) { ++x; }, teff::inout(a));
    teff::sync();
    return a.value();
}
END
of_tbb dataflow flow_graph <<'END'
int main() {
    int a = 1;
    tbb::flow::graph graph;
    tbb::flow::continue_node<tbb::flow::continue_msg> node(graph, [&](const tbb::flow::continue_msg&) { ++a; });
    node.try_put({});
    graph.wait_for_all();
    return a;
}
END
of_teff parallel_transform <<'END'
double a[1000], b[1000];
int main() {
    teff::parallel_transform(a, a + 1000, b, [](double x) { return x + 1; });
    return b[7] == 1;
}
END
of_teff spawn <<'END'
int main() {
    auto one = teff::spawn([] { return 1; });
    return one.get();
}
END
of_teff coroutine <<'END'
int main() { return 0; }
END
of_teff threads <<'END'
int main() {
    int a = 0;
    teff::fiber one([&] { a = 1; });
    one.join();
    return a;
}
END
of_teff options <<'END'
int main() { return teff::options{.threads = 2}.threads == 2; }
END
of_tbb options global_control <<'END'
int main() {
    const tbb::global_control two(tbb::global_control::max_allowed_parallelism, 2);
    return 0;
}
END
of_teff teff <<'END'
int main() { return 0; }
END
of_tbb teff tbb <<'END'
int main() { return 0; }
END

# NAME LIBRARY: compiles once, and adds the time to a file.
compile() {
    local source=$work/$1.$2.cpp TIMEFORMAT=%U
    { time "$compiler" -std=c++20 "${flags[@]}" -I"$root/include" -I"$root" -c "$source" -o "$work/$1.$2.o" 2>"$work/messages"; } \
        2>>"$work/$1.$2.times" || { cat "$work/messages" >&2; exit 1; }
}
median() { sort -n "$work/$1.$2.times" | awk '{a[NR] = $1} END {print a[int((NR + 1) / 2)]}'; }
bytes() { size "$work/$1.$2.o" | awk 'END {print $1 + $2}'; }

echo "$("$compiler" --version | head -n 1), ${flags[*]}, $runs runs, $(date +%F)"
echo
echo "| Teff | s | bytes | oneTBB | s | bytes | ratio of times |"
echo "|---|---:|---:|---|---:|---:|---:|"
for ((run = 0; run < runs; ++run)); do
    for name in "${names[@]}"; do
        compile "$name" teff
        [ ! -e "$work/$name.tbb.cpp" ] || compile "$name" tbb
    done
done
for name in "${names[@]}"; do
    seconds=$(median "$name" teff)
    echo -n "| \`$name.hpp\` | $seconds | $(bytes "$name" teff) |"
    if [ -e "$work/$name.tbb.cpp" ]; then
        other=$(median "$name" tbb)
        ratio=$(awk "BEGIN {printf \"%.2f\", $seconds / $other}")
        echo " \`$(cat "$work/$name.title")\` | $other | $(bytes "$name" tbb) | $ratio |"
    else
        echo " | | | |"
    fi
done
