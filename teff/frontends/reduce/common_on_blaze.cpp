// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The common form on `blaze`.
#include <teff/frontends/reduce/common_team.hpp>

#include <teff/scheduler/blaze.hpp>
#include <teff/scheduler/schedulers.hpp>

namespace teff::reducing {

void run_on_blaze(common_call& call, slots<common_slot>& slots, const team_options& options,
                  const std::stop_token& stop) {
    run_items_on<blaze::type>(call, slots, options, stop);
}

}  // namespace teff::reducing
