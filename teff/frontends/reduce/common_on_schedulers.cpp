// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The common form, compiled for each class of schedulers: `blaze`, those of X-OpenMP, and those whose queues hold
// descriptors. Apart from start.cpp, which names the scheduler of each row without its definition.
#include <teff/frontends/reduce/common_team.hpp>

#include <teff/scheduler/blaze.hpp>
#include <teff/scheduler/schedulers.hpp>
#include <teff/scheduler/task_scheduler_for.hpp>
#include <teff/scheduler/xqueue_scheduler.hpp>

namespace teff::reducing {

void run_on_blaze(common_call& call, slots<common_slot>& slots, const team_options& options,
                  const std::stop_token& stop) {
    run_items_on<blaze::type>(call, slots, options, stop);
}

void run_on_xqueue(common_call& call, slots<common_slot>& slots, const team_options& options,
                   const std::stop_token& stop) {
    run_items_on<xqueue_scheduler>(call, slots, options, stop);
}

void run_on_descriptors(common_call& call, slots<common_slot>& slots, const team_options& options,
                        const std::stop_token& stop) {
    run_items_on<task_scheduler_for>(call, slots, options, stop);
}

}  // namespace teff::reducing
