// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See constructs.hpp. There may be fewer threads than asked for; the results do not depend on their number.
#include <tests/openmp/refused/constructs.hpp>

#include <array>
#include <cstring>
#include <omp.h>

namespace teff::testing {
namespace {

long sum_of(const long* values, int count) {
    long sum = 0;
    for (int i = 0; i < count; ++i)
        sum += values[i];
    return sum;
}

long regions() {
    long sum = 0;
    int threads = 0;
    for (int round = 0; round < 3; ++round) {
#pragma omp parallel reduction(+ : sum)
        {
#pragma omp single
            threads = omp_get_num_threads();
            sum += omp_get_thread_num() + 1;
        }
        sum -= threads * (threads + 1L) / 2;
    }
    return sum;
}

long loops() {
    std::array<long, 300> values{};
    long sum = 0;
#pragma omp parallel
    {
#pragma omp for schedule(static, 3)
        for (int i = 0; i < 300; ++i)
            values[static_cast<std::size_t>(i)] = i;
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 300; ++i)
            values[static_cast<std::size_t>(i)] += 1;
#pragma omp for schedule(guided) nowait
        for (int i = 0; i < 300; ++i)
#pragma omp atomic
            sum += 1;
#pragma omp for schedule(runtime)
        for (int i = 0; i < 300; ++i)
#pragma omp atomic
            sum += 1;
    }
    return sum + sum_of(values.data(), 300);
}

long ordered_loops() {
    long digits = 0;
    long grid[8][8] = {};
#pragma omp parallel
    {
#pragma omp for ordered schedule(dynamic)
        for (int i = 1; i < 6; ++i) {
#pragma omp ordered
            digits = 10 * digits + i;
        }
#pragma omp for ordered(2)
        for (int i = 1; i < 8; ++i)
            for (int j = 1; j < 8; ++j) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
                grid[i][j] = grid[i - 1][j] + grid[i][j - 1] + 1;
#pragma omp ordered depend(source)
            }
    }
    return digits + grid[7][7];
}

long parts() {
    long sum = 0, named = 0, unnamed = 0;
    int given = 0, threads = 0;
#pragma omp parallel private(given)
    {
#pragma omp sections reduction(+ : sum)
        {
#pragma omp section
            sum += 1;
#pragma omp section
            sum += 10;
#pragma omp section
            sum += 100;
        }
#pragma omp single copyprivate(given)
        given = 7;
#pragma omp critical(sums)
        named += given;
#pragma omp critical
        unnamed += given;
#pragma omp master
        threads = omp_get_num_threads();
    }
    return sum + (named == 7 * threads && unnamed == named ? 1000 : 0);
}

long reductions() {
    long sums[40] = {};
    double product = 1;
#pragma omp parallel for reduction(+ : sums) reduction(* : product)
    for (int i = 0; i < 40; ++i) {
        sums[i] += i;
        product *= i == 10 ? 2 : 1;
    }
    return sum_of(sums, 40) + static_cast<long>(product);
}

long fib(int n) {
    if (n < 2)
        return n;
    long left = 0, right = 0;
#pragma omp task shared(left) firstprivate(n)
    left = fib(n - 1);
#pragma omp task shared(right) firstprivate(n)
    right = fib(n - 2);
#pragma omp taskwait
    return left + right;
}
long tasks() {
    long result = 0;
    struct large {
        long values[100];
    } given = {};
    given.values[99] = 5;
#pragma omp parallel
#pragma omp single
    {
        result = fib(10);
#pragma omp taskgroup
        for (int i = 0; i < 20; ++i) {
#pragma omp task firstprivate(given) shared(result) priority(i)
#pragma omp atomic
            result += given.values[99];
        }
    }
    return result;
}

// Uses some hundred KiB of the stack.
long depth_of(int more) {
    volatile char frame[500];
    long below = 0;
    frame[0] = 1;
    if (more == 0)
        return frame[0];
#pragma omp task shared(below) firstprivate(more)
    below = depth_of(more - 1);
#pragma omp taskwait
    return below + frame[0];
}
long deep_tasks() {
    long result = 0;
#pragma omp parallel
#pragma omp master
    result = depth_of(300);
    return result;
}

long task_loops() {
    long sum = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskloop grainsize(7) shared(sum)
        for (int i = 0; i < 100; ++i)
#pragma omp atomic
            sum += i;
#pragma omp taskloop num_tasks(5) reduction(+ : sum)
        for (int i = 0; i < 100; ++i)
            sum += i;
    }
    return sum;
}

long dependences() {
    long cells[30] = {};
    long sum = 0;
    omp_depend_t kept;
#pragma omp parallel
#pragma omp single
    {
        for (int i = 1; i < 30; ++i) {
#pragma omp task depend(in : cells[i - 1]) depend(out : cells[i]) shared(cells) firstprivate(i)
            cells[i] = cells[i - 1] + 1;
        }
        for (int i = 0; i < 5; ++i) {
#pragma omp task depend(mutexinoutset : sum) depend(in : cells[29]) shared(sum, cells)
            sum += cells[29];
        }
#pragma omp depobj(kept) depend(inout : sum)
#pragma omp task depend(depobj : kept) shared(sum)
        sum += 1;
#pragma omp taskwait depend(in : sum)
#pragma omp depobj(kept) destroy
    }
    return sum;
}

long task_reductions() {
    long sum = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : sum)
    for (int i = 0; i < 20; ++i) {
#pragma omp task in_reduction(+ : sum) firstprivate(i)
        sum += i;
    }
#pragma omp parallel reduction(task, + : sum)
    {
#pragma omp single
        for (int i = 0; i < 20; ++i) {
#pragma omp task in_reduction(+ : sum) firstprivate(i)
            sum += i;
        }
    }
    return sum;
}

long nested() {
    long sum = 0;
    omp_set_max_active_levels(3);
#pragma omp parallel for num_threads(2) reduction(+ : sum)
    for (int i = 0; i < 4; ++i) {
        long inner = 0;
#pragma omp parallel for num_threads(2) reduction(+ : inner)
        for (int j = 0; j < 10; ++j)
            inner += j;
        sum += inner;
    }
    return sum;
}

long own_value = 3;
long own_values[50] = {1};
#pragma omp threadprivate(own_value, own_values)
long threadprivate() {
    long wrong = 0;
    own_value = 8;
    own_values[49] = 2;
#pragma omp parallel copyin(own_value, own_values) reduction(+ : wrong)
    {
        wrong += own_value != 8 || own_values[49] != 2;
        own_value = omp_get_thread_num();
        own_values[0] = own_value;
    }
#pragma omp parallel reduction(+ : wrong)
    wrong += own_value != own_values[0] && own_values[49] == 2;
    return wrong;
}

long locks() {
    long sum = 0, others = 0;
    omp_lock_t simple;
    omp_nest_lock_t nesting;
    omp_init_lock(&simple);
    omp_init_nest_lock_with_hint(&nesting, omp_sync_hint_contended);
#pragma omp parallel for
    for (int i = 0; i < 100; ++i) {
        omp_set_lock(&simple);
        ++sum;
        omp_unset_lock(&simple);
        omp_set_nest_lock(&nesting);
        omp_set_nest_lock(&nesting);
        ++others;
        omp_unset_nest_lock(&nesting);
        omp_unset_nest_lock(&nesting);
    }
    omp_destroy_lock(&simple);
    omp_destroy_nest_lock(&nesting);
    return sum + others;
}

long use_and_free(void* block, omp_allocator_handle_t from) {
    if (block == nullptr)
        return -1;
    std::memset(block, 1, 100);
    omp_free(block, from);
    return 1;
}
long allocators() {
    omp_alloctrait_t traits[] = {
        {omp_atk_alignment, 256}, {omp_atk_pool_size, 100'000}, {omp_atk_fallback, omp_atv_null_fb}};
    if (use_and_free(omp_alloc(100, omp_default_mem_alloc), omp_default_mem_alloc) < 0 ||
        use_and_free(omp_aligned_alloc(512, 1024, omp_large_cap_mem_alloc), omp_large_cap_mem_alloc) < 0 ||
        use_and_free(omp_calloc(10, 20, omp_null_allocator), omp_null_allocator) < 0)
        return -1;
    void* const first = omp_alloc(100, omp_default_mem_alloc);
    if (first == nullptr)
        return -1;
    void* const second = omp_realloc(first, 5000, omp_default_mem_alloc, omp_default_mem_alloc);
    omp_free(second != nullptr ? second : first, omp_default_mem_alloc);
    if (second == nullptr)
        return -1;
    const omp_allocator_handle_t made = omp_init_allocator(omp_default_mem_space, 3, traits);
    if (made == omp_null_allocator)
        return -1;
    const long result = use_and_free(omp_alloc(300, made), made);
    omp_destroy_allocator(made);
    return result;
}

long allocate_clauses() {
    long table[20] = {1};
    long sum = 0;
#pragma omp parallel firstprivate(table) allocate(omp_default_mem_alloc : table) reduction(+ : sum)
    {
        table[0] += omp_get_thread_num();
        sum += table[0] - omp_get_thread_num() - 1;
    }
    return sum;
}

long cancellation() {
    long found = 0;
#pragma omp parallel
    {
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 1000; ++i) {
#pragma omp cancellation point for
            if (i == 20) {
#pragma omp atomic write
                found = 1;
#pragma omp cancel for
            }
        }
    }
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup
    for (int i = 0; i < 20; ++i) {
#pragma omp task
        {
#pragma omp cancel taskgroup
        }
    }
    return found;
}

long host_device() {
    long sum = 0;
    long values[30];
    for (long& each : values)
        each = 2;
#pragma omp target map(tofrom : sum) map(to : values)
    for (int i = 0; i < 30; ++i)
        sum += values[i];
#pragma omp target teams distribute parallel for map(tofrom : sum) map(to : values) reduction(+ : sum)
    for (int i = 0; i < 30; ++i)
        sum += values[i];
    void* const block = omp_target_alloc(100, omp_get_initial_device());
    if (block == nullptr)
        return -1;
    omp_target_free(block, omp_get_initial_device());
    return sum;
}

long detached() {
    long sum = 0;
    omp_event_handle_t event{};
#pragma omp parallel
#pragma omp single
    {
#pragma omp task detach(event) shared(sum)
        {
#pragma omp atomic
            ++sum;
        }
#pragma omp task firstprivate(event)
        omp_fulfill_event(event);
#pragma omp taskwait
    }
    return sum;
}

long places() {
    long wrong = 0;
    char text[200];
    omp_set_affinity_format("%n of %N, level %L");
#pragma omp parallel reduction(+ : wrong)
    wrong += omp_get_num_procs() < 1;
    wrong += omp_capture_affinity(text, sizeof text, "%n %H") == 0;
    return wrong;
}

}  // namespace

const openmp_construct openmp_constructs[] = {
    {"regions", regions, 0},
    {"loops", loops, 300L * 301 / 2 + 600, {"OMP_SCHEDULE=guided,2"}},
    {"ordered_loops", ordered_loops, 12345 + 3431},
    {"parts", parts, 1111},
    {"reductions", reductions, 782},
    {"tasks", tasks, 155, {"OMP_MAX_TASK_PRIORITY=5"}},
    {"deep_tasks", deep_tasks, 301},
    {"task_loops", task_loops, 2 * 4950},
    {"dependences", dependences, 146},
    {"task_reductions", task_reductions, 380},
    {"nested", nested, 180, {"OMP_NUM_THREADS=3,2,2"}},
    {"threadprivate", threadprivate, 0},
    {"locks", locks, 200},
    {"allocators", allocators, 1, {"OMP_ALLOCATOR=omp_default_mem_space:alignment=64"}},
    {"allocate_clauses", allocate_clauses, 0},
    {"cancellation", cancellation, 1, {"OMP_CANCELLATION=true"}},
    {"host_device", host_device, 120},
    {"detached", detached, 1},
    {"places", places, 0, {"OMP_PLACES={0},{0:1}", "OMP_PROC_BIND=close", "OMP_DISPLAY_AFFINITY=false"}},
    {"places_of_cores", places, 0, {"OMP_PLACES=cores", "OMP_PROC_BIND=spread"}},
};
const std::size_t openmp_construct_count = sizeof openmp_constructs / sizeof *openmp_constructs;

}  // namespace teff::testing
