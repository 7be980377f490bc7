// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See surroundings.hpp.
#include <teff/frontends/threads/surroundings.hpp>

#include <teff/frontends/threads/fiber_state.hpp>

#include <utility>

namespace teff::threads {

surroundings surroundings_here() noexcept {
    fiber_state* const here = fiber_state::that_can_wait();
    return here != nullptr ? here->around() : surroundings();
}

scoped_surroundings::scoped_surroundings(const surroundings& inside) noexcept
    : here_(fiber_state::that_can_wait()->around()), before_(std::exchange(here_, inside)) {}

}  // namespace teff::threads
