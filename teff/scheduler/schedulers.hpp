// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The list of schedulers that a call site can choose from by name.
//
// Each entry of all_schedulers is compiled into every call that uses it; a user who wants smaller or faster builds
// names fewer, per call (reduce_tasks<scheduler_list<demand>>) or per build (define TEFF_SCHEDULERS as a list).
// The names and their order are those of names.hpp.
#pragma once

#include <teff/reclaim/chosen.hpp>
#include <teff/scheduler/blaze.hpp>
#include <teff/scheduler/demand.hpp>
#include <teff/scheduler/task_scheduler_for.hpp>
#include <teff/scheduler/xqueue_scheduler.hpp>

#include <string_view>

namespace teff {

// An entry makes the scheduler's class from the item. Variants of one scheduler share a class, and with it what is
// compiled; select() tells them apart. `reclaims`: whether it frees shared nodes, by the reclaimer that the settings
// name. `shares_queued`: whether any idle worker may come to take what is queued; otherwise a queued item waits for the
// worker, or shepherd, that it was dealt to.
struct demand {
    static constexpr std::string_view name = "demand";
    static constexpr bool reclaims = false;
    template <class T>
    using type = demand_scheduler<T>;
    static constexpr bool shares_queued = true;
    static void select(scheduler_settings&) noexcept {}
};

struct blaze {
    static constexpr std::string_view name = "blaze";
    static constexpr bool reclaims = true;
    template <class T>
    using type = blaze_scheduler<T, chosen_reclaimer>;
    static constexpr bool shares_queued = true;
    static void select(scheduler_settings&) noexcept {}
};

template <xqueue_stealing Stealing>
struct xqueue_entry {
    static constexpr bool reclaims = false;
    template <class T>
    using type = xqueue_scheduler<T>;
    static constexpr bool shares_queued = false;
    static void select(scheduler_settings& settings) noexcept { settings.stealing = Stealing; }
};
struct xqueue_static : xqueue_entry<xqueue_stealing::none> {
    static constexpr std::string_view name = "xqueue_static";
};
struct xqueue_wait : xqueue_entry<xqueue_stealing::wait> {
    static constexpr std::string_view name = "xqueue_wait";
};
struct xqueue_nowait : xqueue_entry<xqueue_stealing::no_wait> {
    static constexpr std::string_view name = "xqueue_nowait";
};
struct xqueue_nowait2 : xqueue_entry<xqueue_stealing::no_wait_two> {
    static constexpr std::string_view name = "xqueue_nowait2";
};

template <task_scheduler_kind Kind>
struct task_scheduler_entry {
    static constexpr bool reclaims = false;
    template <class T>
    using type = task_scheduler_for<T>;
    static constexpr bool shares_queued = Kind != task_scheduler_kind::fifo && Kind != task_scheduler_kind::nemesis;
    static void select(scheduler_settings& settings) noexcept { settings.kind = Kind; }
};
struct ompi : task_scheduler_entry<task_scheduler_kind::ompi> {
    static constexpr std::string_view name = "ompi";
};
struct fifo : task_scheduler_entry<task_scheduler_kind::fifo> {
    static constexpr std::string_view name = "fifo";
};
struct sherwood : task_scheduler_entry<task_scheduler_kind::sherwood> {
    static constexpr std::string_view name = "sherwood";
};
struct nemesis : task_scheduler_entry<task_scheduler_kind::nemesis> {
    static constexpr std::string_view name = "nemesis";
};
struct distrib : task_scheduler_entry<task_scheduler_kind::distrib> {
    static constexpr std::string_view name = "distrib";
};

template <class... Entries>
struct scheduler_list {};

#if defined(TEFF_SCHEDULERS)
using all_schedulers = TEFF_SCHEDULERS;
#else
using all_schedulers = scheduler_list<demand, blaze, xqueue_static, xqueue_wait, xqueue_nowait, xqueue_nowait2, ompi,
                                      fifo, sherwood, nemesis, distrib>;
#endif

}  // namespace teff
