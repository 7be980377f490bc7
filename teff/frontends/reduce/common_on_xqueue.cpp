// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The common form on the schedulers of X-OpenMP.
#include <teff/frontends/reduce/common_team.hpp>

#include <teff/scheduler/xqueue_scheduler.hpp>

namespace teff::reducing {

void run_on_xqueue(common_call& call, slots<common_slot>& slots, const team_options& options,
                   const std::stop_token& stop) {
    run_items_on<xqueue_scheduler>(call, slots, options, stop);
}

}  // namespace teff::reducing
