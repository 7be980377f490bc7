// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one table of schedulers: a row for each, and the list of the rows.
//
// A row holds a scheduler's traits and its class for items of a given type. The classes are only
// declared here, so code that needs only the traits compiles no scheduler; choice.hpp includes the classes. Variants
// of one scheduler share a class, and so share the code that is compiled at a call; select() stores the variant in
// the settings.
//
// A call of reduce_tasks() is compiled for `demand` alone; with any other scheduler it runs in the common form, which
// is compiled once, in the library (frontends/reduce/common_form.hpp). A user to whom nanoseconds matter with another
// scheduler names a list of rows, which are all compiled into the call: per call (reduce_tasks<scheduler_list<demand,
// blaze>>, or every_scheduler for all of them), or per build (define TEFF_SCHEDULERS as a list).
//
// Traits are values that the compiler computes, never variables. A variable that a call site used would be a symbol
// that is unique in the process, and a shared object with such a call could never be unloaded.
#pragma once

#include <teff/scheduler/settings.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace teff {

// The command `teff` prints the traits, the benchmarks estimate memory from them, `resolve()` derives from them how
// idle workers wait, and the tests choose with them which suites a scheduler must pass. Options are named as in the
// option table, which is on a higher floor and checks these names.

// Which one of its queued tasks a worker runs next.
enum class task_order : unsigned char {
    newest_first,  // last in, first out: a queue holds a few tasks per level of a recursion
    oldest_first   // first in, first out: a queue without a bound holds a whole level
};

// The traits of a scheduler. All texts live as long as the program.
struct scheduler_traits {
    // The name that chooses it.
    const char* name;
    const char* sentence;               // what it does, without a full stop
    // Which queued task a worker runs next.
    task_order order;
    const char* bound = nullptr;        // the option, besides max_queued, that limits queued tasks; nullptr: none
    bool steals = false;                // whether a worker without tasks takes others' tasks
    bool binds = false;                 // whether a queued task waits for the worker, or shepherd, it was dealt to
    bool on_request = false;            // whether tasks stay private to their worker until an idle one asks
    const char* idle_cycles = nullptr;  // the option, in cycles, that replaces spin_us; nullptr: none
    int shepherds = 1;                  // how many, if the option leaves it open; as in scheduler_settings
    std::array<const char*, 10> options = {};  // further options that it reads and not all schedulers do

    // Whether the scheduler reads the option of that name; only for options that not all schedulers read.
    constexpr bool reads(std::string_view option) const noexcept {
        for (const char* const each : options)
            if (each != nullptr && option == each)
                return true;
        return (bound != nullptr && option == bound) || (idle_cycles != nullptr && option == idle_cycles);
    }

    // Whether it frees shared memory by the reclaimer that the option `reclaimer` names.
    constexpr bool reclaims() const noexcept { return reads("reclaimer"); }
};

class chosen_reclaimer;
template <class T>
class task_scheduler_for;

// A scheduler whose queues hold pointers to task descriptors, and which is compiled once, in the library.
template <class Core>
struct on_descriptors {
    template <class T>
    using type = task_scheduler_for<T>;
    static void select(scheduler_settings& settings) noexcept { settings.make = make; }
    // Throws std::bad_alloc. Defined in make_task_scheduler.hpp, and instantiated in the scheduler's own source.
    static task_scheduler* make(const scheduler_settings& settings, idle_tracker& idle, std::size_t payload_size,
                                std::size_t payload_alignment);
};

// The rows. docs/schedulers.md describes them, so the reference leaves them out: @cond ROWS
template <class T>
class demand_scheduler;
struct demand {
    template <class T>
    using type = demand_scheduler<T>;
    static void select(scheduler_settings&) noexcept {}
    static consteval scheduler_traits traits() {
        return {.name = "demand",
                .sentence = "private LIFO of values per worker; items become stealable when somebody asks (Teff's own "
                            "default)",
                .order = task_order::newest_first,
                .bound = "demand_private_items",
                .steals = true,
                .on_request = true,
                .options = {"blaze_visits", "blaze_attempts_same_core", "blaze_attempts_same_socket",
                            "blaze_attempts_other_socket", "blaze_attempts_above_average",
                            "blaze_below_average_divisor", "dry_polls"}};
    }
};

template <class T, class Reclaimer>
class blaze_scheduler;
struct blaze {
    template <class T>
    using type = blaze_scheduler<T, chosen_reclaimer>;
    static void select(scheduler_settings&) noexcept {}
    static consteval scheduler_traits traits() {
        return {.name = "blaze",
                .sentence = "FIFO queue of blocks per worker, stealing by proximity and queue estimate (Blaze-Tasks, "
                            "section 4.3)",
                .order = task_order::oldest_first,
                .steals = true,
                .options = {"reclaimer", "epoch_threshold", "block_size", "blaze_steal", "blaze_visits",
                            "blaze_attempts_same_core", "blaze_attempts_same_socket", "blaze_attempts_other_socket",
                            "blaze_attempts_above_average", "blaze_below_average_divisor"}};
    }
};

// The four schedulers of X-OpenMP.
template <class T>
class xqueue_scheduler;
template <xqueue_stealing Stealing>
struct on_xqueue {
    template <class T>
    using type = xqueue_scheduler<T>;
    static void select(scheduler_settings& settings) noexcept { settings.stealing = Stealing; }
};
struct xqueue_static : on_xqueue<xqueue_stealing::none> {
    static consteval scheduler_traits traits() {
        return {.name = "xqueue_static",
                .sentence = "new tasks dealt out in turn over one queue per pair of workers (X-OpenMP, section 3)",
                .order = task_order::oldest_first,
                .bound = "xqueue_capacity",
                .binds = true,
                .options = {"xqueue_memory_mib", "xqueue_full_pause", "dry_polls", "rescue"}};
    }
};
struct xqueue_wait : on_xqueue<xqueue_stealing::wait> {
    static consteval scheduler_traits traits() {
        return {.name = "xqueue_wait",
                .sentence = "the same, and an idle worker asks one victim and waits for its answer (X-OpenMP, section "
                            "4.1)",
                .order = task_order::oldest_first,
                .bound = "xqueue_capacity",
                .steals = true,
                .binds = true,
                .options = {"xqueue_memory_mib", "xqueue_min_tries", "xqueue_max_tries", "xqueue_full_pause",
                            "dry_polls", "rescue"}};
    }
};
struct xqueue_nowait : on_xqueue<xqueue_stealing::no_wait> {
    static consteval scheduler_traits traits() {
        return {.name = "xqueue_nowait",
                .sentence = "the same, but it goes on looking while it has asked (X-OpenMP, section 4.2)",
                .order = task_order::oldest_first,
                .bound = "xqueue_capacity",
                .steals = true,
                .binds = true,
                .options = {"xqueue_memory_mib", "xqueue_full_pause", "dry_polls", "rescue"}};
    }
};
struct xqueue_nowait2 : on_xqueue<xqueue_stealing::no_wait_two> {
    static consteval scheduler_traits traits() {
        return {.name = "xqueue_nowait2",
                .sentence = "the same, and a victim gives two tasks at once (X-OpenMP, section 4.3)",
                .order = task_order::oldest_first,
                .bound = "xqueue_capacity",
                .steals = true,
                .binds = true,
                .options = {"xqueue_memory_mib", "xqueue_full_pause", "dry_polls", "rescue"}};
    }
};

struct ompi : on_descriptors<class ompi_scheduler> {
    static consteval scheduler_traits traits() {
        return {.name = "ompi",
                .sentence = "small ring per worker, dequeues combined; while it is full new tasks run at once (OMPi, "
                            "section 2.1)",
                .order = task_order::oldest_first,
                .bound = "ompi_queue_size",
                .steals = true,
                .options = {"ompi_combining_bound"}};
    }
};

// The four schedulers of Qthreads.
struct fifo : on_descriptors<class fifo_scheduler> {
    static consteval scheduler_traits traits() {
        return {.name = "fifo",
                .sentence = "lock-free FIFO per shepherd, new tasks go to the shepherds in turn, no stealing "
                            "(Qthreads)",
                .order = task_order::oldest_first,
                .bound = "task_limit",
                .binds = true,
                .shepherds = scheduler_settings::shepherd_per_worker,
                .options = {"epoch_threshold", "rescue"}};
    }
};
struct sherwood : on_descriptors<class sherwood_scheduler> {
    static consteval scheduler_traits traits() {
        return {.name = "sherwood",
                .sentence = "LIFO per shepherd under a lock, several tasks stolen at once, the oldest (Qthreads, "
                            "section 3.1)",
                .order = task_order::newest_first,
                .bound = "task_limit",
                .steals = true,
                .shepherds = scheduler_settings::shepherd_per_numa,
                .options = {"sherwood_steal"}};
    }
};
struct nemesis : on_descriptors<class nemesis_scheduler> {
    static consteval scheduler_traits traits() {
        return {.name = "nemesis",
                .sentence = "FIFO per worker, new tasks go to the workers in turn, no stealing (Qthreads, section 3.2)",
                .order = task_order::oldest_first,
                .bound = "task_limit",
                .binds = true,
                .shepherds = scheduler_settings::shepherd_per_worker,
                .options = {"rescue"}};
    }
};
struct distrib : on_descriptors<class distrib_scheduler> {
    static consteval scheduler_traits traits() {
        return {.name = "distrib",
                .sentence = "LIFO per worker, new tasks go to the workers in turn, the oldest stolen (Qthreads, "
                            "section 3.3)",
                .order = task_order::newest_first,
                .bound = "task_limit",
                .steals = true,
                .idle_cycles = "distrib_cond_backoff",
                .shepherds = scheduler_settings::shepherd_per_worker,
                .options = {"distrib_steal_ratio"}};
    }
};

// @endcond

// `blaze` with a reclaimer of the user's own (team_reclaimer, reclaim/reclaimer.hpp), which is compiled into the call;
// the option `reclaimer` has no effect. It takes the place of `blaze` in a list of schedulers, under the same name.
template <class Reclaimer>
struct blaze_with : blaze {
    // The scheduler's class for items of type T.
    template <class T>
    using type = blaze_scheduler<T, Reclaimer>;
};

// A choice of schedulers, as the argument of a call: reduce_tasks<scheduler_list<demand, blaze>>(...) is compiled for
// these alone. A name that is not among them is an error at run time.
template <class... Rows>
struct scheduler_list {};

// The rows, in the order in which they are shown. The first is the default.
using every_scheduler = scheduler_list<demand, blaze, xqueue_static, xqueue_wait, xqueue_nowait, xqueue_nowait2, ompi,
                                       fifo, sherwood, nemesis, distrib>;

// Instead of a list: the call is compiled for `demand`, and runs in the common form on every other scheduler.
struct any_scheduler {};

#if defined(TEFF_SCHEDULERS)
using all_schedulers = TEFF_SCHEDULERS;
#else
// The choice of calls that name none: the list in the macro TEFF_SCHEDULERS, if the program defines it, otherwise
// any_scheduler.
using all_schedulers = any_scheduler;
#endif

// The traits of every row.
constexpr auto schedulers() noexcept {
    return []<class... Rows>(scheduler_list<Rows...>) { return std::array{Rows::traits()...}; }(every_scheduler{});
}

// The traits of the scheduler with this name, or nothing if there is none.
constexpr std::optional<scheduler_traits> find_scheduler(std::string_view name) noexcept {
    for (const scheduler_traits& each : schedulers())
        if (name == each.name)
            return each;
    return std::nullopt;
}

}  // namespace teff
