// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lists of schedulers and reclaimers that a call site can choose from by name.
//
// Each entry of all_schedulers is compiled into every call that uses it; a user who wants smaller or faster builds
// names fewer, per call (reduce_tasks<scheduler_list<demand>>) or per build (define TEFF_SCHEDULERS as a list).
// The names and their order are those of names.hpp.
#pragma once

#include <teff/reclaim/arena.hpp>
#include <teff/reclaim/epoch.hpp>
#include <teff/reclaim/hazard.hpp>
#include <teff/scheduler/blaze.hpp>
#include <teff/scheduler/demand.hpp>
#if defined(TEFF_WITH_GC)
#include <teff/reclaim/gc.hpp>
#endif

#include <string_view>

namespace teff {

// An entry makes the scheduler's class from the item and, where it frees shared nodes, the reclaimer.
struct demand {
    static constexpr std::string_view name = "demand";
    static constexpr bool reclaims = false;
    template <class T, class>
    using type = demand_scheduler<T>;
};

struct blaze {
    static constexpr std::string_view name = "blaze";
    static constexpr bool reclaims = true;
    template <class T, class Reclaimer>
    using type = blaze_scheduler<T, Reclaimer>;
};

template <class... Entries>
struct scheduler_list {};

template <class... Reclaimers>
struct reclaimer_list {};

#if defined(TEFF_SCHEDULERS)
using all_schedulers = TEFF_SCHEDULERS;
#else
using all_schedulers = scheduler_list<demand, blaze>;
#endif

#if defined(TEFF_WITH_GC)
using all_reclaimers = reclaimer_list<epoch_reclaimer, arena_reclaimer, hazard_reclaimer, gc_reclaimer>;
#else
using all_reclaimers = reclaimer_list<epoch_reclaimer, arena_reclaimer, hazard_reclaimer>;
#endif

}  // namespace teff
