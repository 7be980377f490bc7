// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A queue under the pool's mutex, which is free in the child of a fork(), and threads that sleep while it is empty. The
// child of a fork() has none of the threads, and begins with an empty queue.
#include <teff/frontends/openmp/core/regions/helper_threads.hpp>

#include <teff/base/allocation.hpp>
#include <teff/base/bounded_text.hpp>
#include <teff/base/locks.hpp>
#include <teff/base/thread.hpp>
#include <teff/frontends/openmp/core/affinity/binding.hpp>
#include <teff/frontends/openmp/core/affinity/cpu_places.hpp>
#include <teff/frontends/openmp/core/affinity/display.hpp>
#include <teff/frontends/openmp/core/regions/places.hpp>
#include <teff/frontends/openmp/core/regions/region.hpp>
#include <teff/frontends/openmp/core/tasks/completion_event.hpp>
#include <teff/frontends/openmp/core/tasks/wait.hpp>
#include <teff/frontends/openmp/core/teams/team.hpp>
#include <teff/observe/thread_waits.hpp>
#include <teff/pool/idle_sleep.hpp>
#include <teff/pool/pool.hpp>
#include <teff/team/latch_wait.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <unistd.h>

namespace teff::openmp {
namespace {

// The helpers of a process, and the tasks that none of them has taken. Never freed.
struct helpers_of_process {
    const unsigned generation = pool::instance().generation();
    // under the pool's mutex
    unsigned started = 0;
    unsigned busy = 0;  // helpers with a task
    task_header* first = nullptr;
    task_header* last = nullptr;
    atomic<unsigned> queued{0};  // read without the mutex as a hint

    event_count sleepers;
    count_latch unfinished;  // tasks
    count_latch beginning;  // helpers that may still have to write a line
};
constinit helpers_of_process* all_helpers = nullptr;  // under the pool's mutex
constinit thread_local bool is_helper = false;

constexpr unsigned first_number = 2;  // of a helper; process.cpp says why

void append(helpers_of_process& to, task_header& given) noexcept {
    // relaxed, all: under the mutex.
    given.next.store(nullptr, std::memory_order_relaxed);
    if (to.first == nullptr)
        to.first = &given;
    else
        to.last->next.store(&given, std::memory_order_relaxed);
    to.last = &given;
    to.queued.store(to.queued.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}
// nullptr: there is none. is_busy: whether the calling helper is counted as busy.
task_header* take(helpers_of_process& from, bool& is_busy) noexcept {
    const scoped_lock locked(pool::instance().process_mutex());
    task_header* const oldest = from.first;
    from.busy -= is_busy ? 1 : 0;
    is_busy = oldest != nullptr;
    from.busy += is_busy ? 1 : 0;
    if (oldest == nullptr)
        return nullptr;
    // relaxed, all: under the mutex.
    from.first = oldest->next.load(std::memory_order_relaxed);
    from.queued.store(from.queued.load(std::memory_order_relaxed) - 1, std::memory_order_relaxed);
    return oldest;
}

// The position for a helper's regions, if threads are bound, and the processors on which it may run.
void bind_helper(unsigned index, unsigned number) noexcept {
    const helper_places& own = places_of_helpers();
    const auto count = static_cast<int>(cpu_places().size());
    const auto own_count = static_cast<int>(own.all.size());
    cpu_mask mask = usable_processors();
    if (own_count != 0) {
        const cpu_position first{0, {0, own_count}};
        const int at = position_of(own.policy, index, std::max(process().helpers, 1U), first).place;
        mask = {};
        for (const int cpu : own.all[static_cast<unsigned>(at)])
            mask.add(cpu);
    }
    // The thread has begun with the mask of the thread that started it. If the system refuses, it keeps that.
    [[maybe_unused]] const bool is_bound = mask.bind_calling_thread();
    place& mine = this_place();
    if (count != 0 && process().initial.bind != binding::none) {
        mine.cpus = {static_cast<int>(index) % count, {0, count}};
        if (own_count == 0)
            bind_to(mine.cpus.place);
    }
    if (!own.is_verbose)
        return;
    // The lines have the words of LLVM's runtime, since scripts look for them.
    std::array<char, 512> storage;
    bounded_text line(std::span<char>(storage).first(storage.size() - 1));
    std::array<char, 256> set;
    write_affinity(set, "%A", mine);
    line.add("OMP: Info #254: KMP_HIDDEN_HELPER_AFFINITY: pid ").add(static_cast<long>(::getpid())).add(" tid ");
    line.add(static_cast<long>(::gettid())).add(" thread ").add(static_cast<long>(number));
    line.add(" bound to OS proc set ").add(std::string_view(set.data())).add('\n');
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, line.view().data(), line.view().size());
}

void run(deferred_task& self, helpers_of_process& all) noexcept {
    place& own = this_place();
    task* const before = own.current;
    // The region inherits the task's environment.
    own.current = &self;
    place& mine = enter_initial_region(own, 0, {});
    self.call(self);
    leave_serial_region(mine);
    own.current = before;
    fulfil(*self.event);
    all.unfinished.count_down();
}

struct start_of_helper {
    helpers_of_process& all;
    unsigned index;
};

void* be_helper(void* argument) noexcept {
    auto& start = *static_cast<start_of_helper*>(argument);
    helpers_of_process& all = start.all;
    const unsigned index = start.index;
    destroy(&start);
    is_helper = true;
    take_number_of_helper(first_number + index);
    // A stall is not reported while a helper works.
    know_this_thread();
    bind_helper(index, first_number + index);
    all.beginning.count_down();
    // relaxed, here and below: a hint; the mutex orders the queue. device(): see device_icvs.
    const auto is_filled = [&all] { return all.queued.load(std::memory_order_relaxed) != 0; };
    for (bool is_busy = true;;) {
        while (task_header* const taken = take(all, is_busy))
            run(deferred_task::of(*taken), all);
        all.sleepers.begin_search();
        constexpr long longest_us = 50;
        look_until_found(std::min(device().spin_us.load(std::memory_order_relaxed), longest_us), is_filled, [&] {
            sleep_unless(all.sleepers, is_filled,
                         [&](std::uint32_t ticket) { pool::instance().sleep_idle(all.sleepers, ticket); });
            return true;
        });
        all.sleepers.end_search();
        // seq_cst: the search has ended before the look; partner: the fence in event_count::notify_one().
        teff::atomic_thread_fence(std::memory_order_seq_cst);
        // The next task may have found this helper as a searcher.
        if (all.queued.load(std::memory_order_relaxed) > 1)
            all.sleepers.notify_one();
    }
    return nullptr;
}

// Waits at exit() for the tasks of helpers, and for those that have become ready after them.
void finish_tasks() noexcept {
    pool::instance().process_mutex().lock();
    helpers_of_process* const all = all_helpers;
    pool::instance().process_mutex().unlock();
    const place* const here = find_place();
    const bool is_outside = here != nullptr && here->in->opener == nullptr;
    if (is_helper || !is_outside || all == nullptr || all->generation != pool::instance().generation())
        return;
    sleep_until_over(all->beginning, work_of_other_threads);
    do {
        sleep_until_over(all->unfinished, work_of_other_threads);
    } while (run_a_descendant(this_place()) || !all->unfinished.is_over());
}

bool start_helper(helpers_of_process& all, unsigned index) noexcept {
    auto* const start = create<start_of_helper>(all, index);
    const auto begin = [](void* argument) -> void* { return be_helper(argument); };
    if (start != nullptr && start_thread(begin, start))
        return true;
    destroy(start);
    return false;
}

// Whether a task reduction around the task may need the copies of the team's threads.
bool is_in_reduction(const taskgroup* group) noexcept {
    for (; group != nullptr; group = group->outer)
        if (group->reductions != nullptr)
            return true;
    return false;
}

// Whether the calling thread works for the task of a helper, in that task or in a region inside it. Such a region waits
// for its own tasks of `target nowait`. If all helpers wait so, none is left to run those tasks.
bool is_inside_task_of_helper() noexcept {
    const place* outermost = &this_place();
    while (outermost->in->opener != nullptr)
        outermost = outermost->in->opener;
    const auto number = static_cast<unsigned>(outermost->global_number);
    return number >= first_number && number - first_number < process().helpers;
}

// The two functions below are called under the pool's mutex.
//
// The helpers of this process; nullptr: there is no memory.
helpers_of_process* helpers_here() noexcept {
    if (all_helpers == nullptr)
        // Without memory for the function exit() does not wait.
        ::atexit([] { finish_tasks(); });
    if (all_helpers == nullptr || all_helpers->generation != pool::instance().generation())
        all_helpers = create<helpers_of_process>();
    return all_helpers;
}
void tell_large_places() noexcept {
    constexpr std::string_view line = "OMP: Info #145: KMP_HIDDEN_HELPER_AFFINITY: Threads may migrate across the "
                                      "processors of a place\n";
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, line.data(), line.size());
}
// Starts a helper if none is idle. False: there is none, or they have enough tasks.
bool has_helper_for_one_more(helpers_of_process& all) noexcept {
    const bool is_verbose = places_of_helpers().is_verbose;
    const unsigned most = process().helpers;
    // Memory for waiting tasks is limited.
    constexpr unsigned many_tasks = 4096;
    // relaxed, here and below: under the mutex.
    if (all.queued.load(std::memory_order_relaxed) >= many_tasks)
        return false;
    if (all.started == 0 && is_verbose && places_of_helpers().has_large_places)
        tell_large_places();
    while (all.started < most && (is_verbose || all.busy + all.queued.load(std::memory_order_relaxed) >= all.started)) {
        all.beginning.count_up();
        if (!start_helper(all, all.started)) {
            all.beginning.count_down();
            break;
        }
        ++all.started;
        ++all.busy;
        if (!is_verbose)
            break;
    }
    return all.started != 0;
}

}  // namespace

bool give_to_helper(deferred_task& self) noexcept {
    if (is_in_reduction(self.group) || is_inside_task_of_helper())
        return false;
    helpers_of_process* all = nullptr;
    {
        const scoped_lock locked(pool::instance().process_mutex());
        all = helpers_here();
        if (all == nullptr || !has_helper_for_one_more(*all))
            return false;
        self.flags |= task::is_on_helper;
        all->unfinished.count_up();
        append(*all, self.memory());
    }
    all->sleepers.notify_one();
    return true;
}

}  // namespace teff::openmp
