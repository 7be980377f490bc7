// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The common form on the schedulers whose queues hold descriptors.
#include <teff/frontends/reduce/common_team.hpp>

#include <teff/scheduler/task_scheduler_for.hpp>

namespace teff::reducing {

void run_on_descriptors(common_call& call, slots<common_slot>& slots, const team_options& options,
                        const std::stop_token& stop) {
    run_items_on<task_scheduler_for>(call, slots, options, stop);
}

}  // namespace teff::reducing
