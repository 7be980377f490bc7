// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every single allocation of programs of Qthreads' functions is refused once, at the first use of the runtime in a
// process and again when it is warm; and so is each thread. A function has the right result, or returns what its header
// says about a lack of memory, or throws std::bad_alloc where it has no result for that. A qthread that cannot run ends
// the program with one line that says so, since nobody could learn of it otherwise. None ends the program without that
// line, hangs, or leaks; and the same call is right afterwards.
#include <tests/fault/refused_face.hpp>

#include <qthread/allpairs.h>
#include <qthread/barrier.h>
#include <qthread/dictionary.h>
#include <qthread/qalloc.h>
#include <qthread/qarray.h>
#include <qthread/qdqueue.h>
#include <qthread/qlfqueue.h>
#include <qthread/qloop.h>
#include <qthread/qpool.h>
#include <qthread/qswsrqueue.h>
#include <qthread/qt_syscalls.h>
#include <qthread/qthread.h>
#include <qthread/qutil.h>
#include <qthread/sinc.h>
#include <qthread/wavefront.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <gtest/gtest.h>
#include <iterator>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <unistd.h>

namespace teff::testing {
namespace {

// For a result that says that there is no memory.
void need(int code) {
    if (code == QTHREAD_MALLOC_ERROR)
        throw std::bad_alloc();
    EXPECT_EQ(code, QTHREAD_SUCCESS);
}
template <class T>
std::unique_ptr<T, void (*)(T*)> owned(T* made, void (*end)(T*)) {
    if (made == nullptr)
        throw std::bad_alloc();
    return {made, end};
}
// A refused operation has changed nothing, so it can be repeated, and must be where another qthread waits for it.
template <class Operation>
void insist(const Operation& operation) {
    for (;;) {
        const int code = operation();
        if (code == QTHREAD_MALLOC_ERROR)
            continue;
        EXPECT_EQ(code, QTHREAD_SUCCESS);
        return;
    }
}
aligned_t awaited(aligned_t& word) {
    aligned_t value = 0;
    insist([&] { return qthread_readFF(&value, &word); });
    return value;
}

// What cannot be forked is called.
aligned_t fib(void* argument) {
    const auto n = reinterpret_cast<std::uintptr_t>(argument);
    if (n < 2)
        return n;
    aligned_t left = 0;
    void* const less = reinterpret_cast<void*>(n - 1);
    const bool is_forked = qthread_fork(fib, less, &left) == QTHREAD_SUCCESS;
    const aligned_t right = fib(reinterpret_cast<void*>(n - 2));
    if (is_forked)
        return awaited(left) + right;
    insist([&] { return qthread_fill(&left); });
    return fib(less) + right;
}
long forks() { return static_cast<long>(fib(reinterpret_cast<void*>(7))); }

long life() {
    need(qthread_initialize());
    const long result = forks();
    qthread_finalize();
    return result;
}

struct pair {
    aligned_t there = 0, back = 0;
};
aligned_t echo(void* argument) {
    auto& with = *static_cast<pair*>(argument);
    aligned_t sum = 0;
    for (int i = 0; i < 20; ++i) {
        aligned_t value = 0;
        insist([&] { return qthread_readFE(&value, &with.there); });
        insist([&] { return qthread_writeEF_const(&with.back, value + 1); });
        sum += value;
    }
    return sum;
}
// Empty words are filled at the end, as memory that is used for something else must be.
long words() {
    pair with;
    aligned_t sum = 0;
    insist([&] { return qthread_empty(&with.there); });
    insist([&] { return qthread_purge(&with.back); });
    insist([&] { return qthread_fork(echo, &with, &sum); });
    for (aligned_t i = 0; i < 20; ++i) {
        aligned_t value = 0;
        insist([&] { return qthread_writeEF(&with.there, &i); });
        insist([&] { return qthread_readFE(&value, &with.back); });
        EXPECT_EQ(value, i + 1);
    }
    const aligned_t result = awaited(sum);
    insist([&] { return qthread_writeF_const(&with.there, 1); });
    insist([&] { return qthread_fill(&with.back); });
    return static_cast<long>(result);
}

aligned_t add_some(void* argument) {
    for (int i = 0; i < 10; ++i)
        qthread_syncvar_incrF(static_cast<syncvar_t*>(argument), 1);
    return 5;
}
long variables() {
    syncvar_t count = SYNCVAR_STATIC_INITIALIZE_TO(7);
    syncvar_t results[4] = {SYNCVAR_STATIC_EMPTY_INITIALIZER, SYNCVAR_STATIC_EMPTY_INITIALIZER,
                            SYNCVAR_STATIC_INITIALIZER, SYNCVAR_STATIC_INITIALIZER};
    std::uint64_t value = 0, sum = 0;
    for (syncvar_t& each : results)
        insist([&] { return qthread_fork_syncvar(add_some, &count, &each); });
    for (syncvar_t& each : results) {
        insist([&] { return qthread_syncvar_readFF(&value, &each); });
        sum += value;
    }
    insist([&] { return qthread_syncvar_readFE(&value, &count); });
    insist([&] { return qthread_syncvar_writeEF_const(&count, 0); });
    return static_cast<long>(sum + value);
}

aligned_t add_two(void* argument) {
    auto* const local = static_cast<aligned_t*>(qthread_get_tasklocal(1000));
    if (local != nullptr)
        local[100] = qthread_id();
    return *static_cast<aligned_t*>(argument) + 2;
}
long preconditions() {
    aligned_t first = 0, second = 0, result = 0, later = 0, also = 0;
    void* both[] = {&first, &second};
    aligned_t* words[] = {&first, &second};
    const aligned_t forty = 40;
    insist([&] { return qthread_empty(&first); });
    insist([&] { return qthread_empty(&second); });
    insist([&] { return qthread_fork_copyargs(add_two, &forty, sizeof forty, &result); });
    insist([&] { return qthread_fork_precond(fib, reinterpret_cast<void*>(5), &later, -2, words); });
    insist([&] { return qthread_spawn(fib, reinterpret_cast<void*>(5), 0, &also, 2, both, NO_SHEPHERD, 0); });
    insist([&] { return qthread_fill(&second); });
    EXPECT_EQ(qthread_feb_status(&later), 0);
    insist([&] { return qthread_fill(&first); });
    return static_cast<long>(awaited(result) + awaited(later) + awaited(also));
}

void add_value(void* target, const void* source) {
    *static_cast<aligned_t*>(target) += *static_cast<const aligned_t*>(source);
}
long sincs() {
    const aligned_t zero = 0;
    aligned_t result = 0;
    const auto sinc = owned(qt_sinc_create(sizeof zero, &zero, add_value, 5), qt_sinc_destroy);
    for (std::uintptr_t i = 0; i < 5; ++i)
        insist([&] {
            return qthread_spawn(fib, reinterpret_cast<void*>(i), 0, sinc.get(), 0, nullptr, NO_SHEPHERD,
                                 QTHREAD_SPAWN_RET_SINC);
        });
    qt_sinc_wait(sinc.get(), &result);
    return static_cast<long>(result);
}

aligned_t found_others(void*) {
    aligned_t inner = 0;
    insist([&] {
        return qthread_spawn(fib, reinterpret_cast<void*>(6), 0, &inner, 0, nullptr, NO_SHEPHERD,
                             QTHREAD_SPAWN_NEW_SUBTEAM);
    });
    return awaited(inner) + fib(reinterpret_cast<void*>(6));
}
long teams() {
    aligned_t result = 0;
    insist([&] {
        return qthread_spawn(found_others, nullptr, 0, &result, 0, nullptr, NO_SHEPHERD, QTHREAD_SPAWN_NEW_TEAM);
    });
    return static_cast<long>(awaited(result));
}

void add_range(std::size_t first, std::size_t last, void* sum) {
    for (std::size_t i = first; i < last; ++i)
        *static_cast<std::atomic<long>*>(sum) += static_cast<long>(i);
}
void add_indices(std::size_t first, std::size_t last, void*, void* sum) {
    *static_cast<aligned_t*>(sum) = 0;
    for (std::size_t i = first; i < last; ++i)
        *static_cast<aligned_t*>(sum) += i;
}
long loops() {
    std::atomic<long> sum{0};
    aligned_t accumulated = 0;
    aligned_t values[50];
    double reals[300];
    qt_loop(0, 20, add_range, &sum);
    qt_loop_balance(0, 20, add_range, &sum);
    qt_loopaccum_balance(0, 20, sizeof accumulated, &accumulated, add_indices, nullptr, add_value);
    for (std::size_t i = 0; i < std::size(values); ++i)
        values[i] = i;
    for (std::size_t i = 0; i < std::size(reals); ++i)
        reals[i] = static_cast<double>(std::size(reals) - i);
    qutil_qsort(reals, std::size(reals));
    const auto added = qt_uint_sum(values, std::size(values), 1);
    return sum + static_cast<long>(accumulated + added) + static_cast<long>(reals[0]);
}
long queued_loops() {
    std::atomic<long> sum{0};
    for (const qt_loop_queue_type type : {CHUNK, GUIDED, FACTORED, TIMED}) {
        qqloop_handle_t* const loop = qt_loop_queue_create(type, 0, 30, 1, add_range, &sum);
        if (loop == nullptr)
            throw std::bad_alloc();
        qt_loop_queue_run(loop);
    }
    return sum;
}

aligned_t set_one(void* element) {
    *static_cast<aligned_t*>(element) = 1;
    return 0;
}
void add_elements(std::size_t first, std::size_t last, qarray* array, void*, void* sum) {
    *static_cast<aligned_t*>(sum) = 0;
    for (std::size_t i = first; i < last; ++i)
        *static_cast<aligned_t*>(sum) += *static_cast<aligned_t*>(qarray_elem(array, i));
}
void double_elements(std::size_t first, std::size_t last, qarray* array, void*) {
    for (std::size_t i = first; i < last; ++i)
        *static_cast<aligned_t*>(qarray_elem(array, i)) *= 2;
}
std::atomic<long> compared{0};
void compare(const void*, const void*) { ++compared; }
void add_up(const void* left, const void* below_left, const void* below, void* result) {
    *static_cast<aligned_t*>(result) = *static_cast<const aligned_t*>(left) +
                                       *static_cast<const aligned_t*>(below_left) +
                                       *static_cast<const aligned_t*>(below);
}
long arrays() {
    const auto array =
        owned(qarray_create_configured(3000, sizeof(aligned_t), DIST_STRIPES, 0, 1), qarray_destroy);
    const auto small = owned(qarray_create(4, sizeof(aligned_t)), qarray_destroy);
    aligned_t sum = 0, done = 0;
    qarray_iter(array.get(), 0, 3000, set_one);
    qarray_iter(small.get(), 0, 4, set_one);
    qarray_iter_loop_nb(array.get(), 0, 1000, double_elements, nullptr, &done);
    awaited(done);
    qarray_iter_loopaccum(array.get(), 0, 3000, add_elements, nullptr, &sum, sizeof sum, add_value);
    compared = 0;
    qt_allpairs(small.get(), small.get(), compare);
    qt_wavefront_destroy_lattice(
        owned(qt_wavefront(small.get(), small.get(), add_up), qt_wavefront_destroy_lattice).release());
    return static_cast<long>(sum) + compared;
}

long queues() {
    int items[10];
    long taken = 0;
    const auto any = owned(qlfqueue_create(), +[](qlfqueue_t* of) { qlfqueue_destroy(of); });
    const auto parts = owned(qdqueue_create(), +[](qdqueue_t* of) { qdqueue_destroy(of); });
    const auto limited = owned(qswsrqueue_create(10), +[](qswsrqueue_t* of) { qswsrqueue_destroy(of); });
    const auto pool = owned(qpool_create(100), qpool_destroy);
    for (int& each : items) {
        need(qlfqueue_enqueue(any.get(), &each));
        need(qdqueue_enqueue(parts.get(), &each));
        need(qswsrqueue_enqueue(limited.get(), &each));
        void* const item = qpool_alloc(pool.get());
        if (item == nullptr)
            throw std::bad_alloc();
        qpool_free(pool.get(), item);
    }
    while (qlfqueue_dequeue(any.get()) != nullptr)
        ++taken;
    while (qdqueue_dequeue(parts.get()) != nullptr)
        ++taken;
    while (qswsrqueue_dequeue(limited.get()) != nullptr)
        ++taken;
    return taken;
}

long files() {
    // In memory, if there is such a file system, since the maps are written at each end.
    struct removed_file {
        std::string name = ::access("/dev/shm", W_OK) == 0 ? "/dev/shm/teff_qalloc_XXXXXX" : "/tmp/teff_qalloc_XXXXXX";
        removed_file() { ::close(::mkstemp(name.data())); }
        ~removed_file() {
            qalloc_cleanup();
            ::unlink(name.c_str());
        }
    } const items, pieces;
    // A map that could not be made has left no trace, so that the same call succeeds.
    const auto made = [](const auto& make) {
        void* map = nullptr;
        insist([&] { return (map = make()) != nullptr ? QTHREAD_SUCCESS : errno; });
        return map;
    };
    void* const of_items = made([&] { return qalloc_makestatmap(8192, nullptr, items.name.c_str(), 100, 1); });
    void* const of_pieces = made([&] { return qalloc_makedynmap(8192, nullptr, pieces.name.c_str(), 1); });
    long taken = 0;
    for (int i = 0; i < 10; ++i)
        taken += (qalloc_malloc(of_items, 0) != nullptr ? 1 : 0) + (qalloc_malloc(of_pieces, 200) != nullptr ? 1 : 0);
    return taken;
}

int equal(void* a, void* b) { return a == b ? 1 : 0; }
int hash(void* key) { return static_cast<int>(reinterpret_cast<std::uintptr_t>(key)); }
long dictionary() {
    const auto made = owned(qt_dictionary_create(equal, hash, nullptr), qt_dictionary_destroy);
    long found = 0;
    for (std::uintptr_t i = 1; i <= 20; ++i) {
        if (qt_dictionary_put(made.get(), reinterpret_cast<void*>(i), reinterpret_cast<void*>(i + 100)) == nullptr)
            throw std::bad_alloc();
        found += qt_dictionary_get(made.get(), reinterpret_cast<void*>(i)) == reinterpret_cast<void*>(i + 100);
    }
    qt_dictionary_delete(made.get(), reinterpret_cast<void*>(3));
    const auto each = owned(qt_dictionary_iterator_create(made.get()), qt_dictionary_iterator_destroy);
    while (qt_dictionary_iterator_next(each.get()) != nullptr)
        ++found;
    return found;
}

aligned_t a_lock = 0;
qthread_spinlock_t a_spin_lock;
long locked = 0;
aligned_t count_locked(void*) {
    for (int i = 0; i < 5; ++i) {
        insist([] { return qthread_lock(&a_lock); });
        insist([] { return qthread_spinlock_lock(&a_spin_lock); });
        insist([] { return qthread_spinlock_lock(&a_spin_lock); });
        ++locked;
        qthread_yield();
        insist([] { return qthread_spinlock_unlock(&a_spin_lock); });
        insist([] { return qthread_spinlock_unlock(&a_spin_lock); });
        insist([] { return qthread_unlock(&a_lock); });
    }
    return 0;
}
long locks() {
    aligned_t done[4] = {};
    locked = 0;
    insist([] { return qthread_lock_init(&a_lock, true); });
    insist([] { return qthread_spinlock_init(&a_spin_lock, true); });
    for (aligned_t& each : done)
        insist([&] { return qthread_fork(count_locked, nullptr, &each); });
    for (aligned_t& each : done)
        awaited(each);
    insist([] { return qthread_spinlock_destroy(&a_spin_lock); });
    insist([] { return qthread_lock_destroy(&a_lock); });
    return locked;
}

aligned_t go_round(void*) {
    for (qthread_shepherd_id_t i = 0; i < qthread_num_shepherds(); ++i)
        insist([i] { return qthread_migrate_to(i); });
    return qthread_retloc() != nullptr && qthread_worker(nullptr) != NO_WORKER ? 1 : 0;
}
long shepherds() {
    aligned_t done[4] = {};
    long sum = 0;
    need(qthread_initialize());
    if (qthread_num_shepherds() > 1 && qthread_sorted_sheps() == nullptr)
        throw std::bad_alloc();
    for (aligned_t i = 0; i < 4; ++i)
        insist([&] {
            return qthread_fork_to(go_round, nullptr, &done[i], static_cast<qthread_shepherd_id_t>(i));
        });
    for (aligned_t& each : done)
        sum += static_cast<long>(awaited(each));
    return sum;
}

struct meeting {
    qt_barrier_t* barrier;
    qthread_queue_t queue;
};
aligned_t meet(void* argument) {
    const auto& at = *static_cast<meeting*>(argument);
    qt_barrier_enter(at.barrier);
    return qthread_queue_join(at.queue) == QTHREAD_SUCCESS ? 1 : 0;
}
long waits() {
    aligned_t done[3] = {};
    long sum = 0;
    const auto barrier = owned(qt_barrier_create(3, REGION_BARRIER), qt_barrier_destroy);
    meeting at{barrier.get(), qthread_queue_create(0, 0)};
    if (at.queue == nullptr)
        throw std::bad_alloc();
    for (aligned_t& each : done)
        insist([&] { return qthread_fork(meet, &at, &each); });
    for (aligned_t& each : done) {
        while (qthread_feb_status(&each) == 0) {
            qthread_queue_release_one(at.queue);
            qthread_yield();
        }
        sum += static_cast<long>(awaited(each));
    }
    qthread_queue_destroy(at.queue);
    return sum;
}

aligned_t write_and_read(void*) {
    int ends[2];
    char letter = 'a';
    if (::pipe(ends) != 0)
        return 0;
    const bool is_right = qt_write(ends[1], &letter, 1) == 1 && qt_read(ends[0], &letter, 1) == 1;
    ::close(ends[0]);
    ::close(ends[1]);
    return is_right && letter == 'a' ? 1 : 0;
}
long system_calls() {
    aligned_t done = 0;
    insist([&] { return qthread_fork(write_and_read, nullptr, &done); });
    return static_cast<long>(awaited(done) + write_and_read(nullptr));
}

constexpr face faces[] = {
    {"life", life, 13},
    {"forks", forks, 13},
    {"words", words, 190},
    {"variables", variables, 67},
    {"preconditions", preconditions, 52},
    {"sincs", sincs, 7},
    {"teams", teams, 16},
    {"loops", loops, 3 * 190 + 1225 + 1},
    {"queued_loops", queued_loops, 4 * 435},
    {"arrays", arrays, 4000 + 16},
    {"queues", queues, 30},
    {"files", files, 20},
    {"dictionary", dictionary, 39},
    {"locks", locks, 20},
    {"shepherds", shepherds, 4},
    {"waits", waits, 3},
    {"system_calls", system_calls, 2},
};

class every_allocation_of_qthreads : public refused_face<face> {
protected:
    every_allocation_of_qthreads() : refused_face({.last = "teff: Qthreads: there is no memory for "}) {}

    void set_variables() const override {
        ::setenv("TEFF_NUM_THREADS", std::to_string(GetParam().threads).c_str(), 1);
        ::setenv("TEFF_SHEPHERDS", GetParam().threads == 1 ? "1" : "2", 1);
    }
};

INSTANTIATE_TEST_SUITE_P(, every_allocation_of_qthreads,
                         ::testing::ValuesIn(calls_with_two_schedulers(std::span<const face>(faces))),
                         [](const auto& about) { return about.param.name(); });

TEST_P(every_allocation_of_qthreads, is_refused_at_the_first_use) { try_first_use(); }
TEST_P(every_allocation_of_qthreads, is_refused_when_warm_and_leaks_nothing) { try_when_warm(); }
TEST_P(every_allocation_of_qthreads, no_thread_can_be_created_from_the_kth_on) { try_without_threads(); }

}  // namespace
}  // namespace teff::testing
