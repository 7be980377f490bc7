// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The stop callback that cancels a team; see cancel_on_stop.hpp.
#include <teff/team/cancel_on_stop.hpp>

#include <teff/team/team.hpp>

namespace teff {

cancel_on_stop::cancel_on_stop(const std::stop_token& stop, team& what) : callback_(stop, canceller{what}) {}
cancel_on_stop::~cancel_on_stop() = default;

void cancel_on_stop::canceller::operator()() const noexcept { what.cancel(); }

}  // namespace teff
