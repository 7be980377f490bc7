// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What stands in for teff/frontends/fork_join/current.hpp in the model build: a context for each thread of the
// scenario, whose stack counts as measured and hardly used.
#pragma once

#include <teff/frontends/fork_join/context.hpp>

#include <model/operations.hpp>
// Others who have something of the name.
#include <teff/scheduler/schedulers.hpp>

#include <cstring>
#include <limits>
#include <type_traits>

namespace teff::forking {

inline context& current_of_scenario() noexcept {
    static_assert(std::is_trivially_destructible_v<context> && sizeof(context) <= model::thread_storage_size);
    const model::thread_storage storage = model::this_thread_storage(model::storage_use::fork_join);
    static constinit context first{.stack_limit = 1, .stack_high = std::numeric_limits<std::uintptr_t>::max()};
    // Not as an access of the thread's: others may have its address before they are in order with its first use.
    if (storage.fresh)
        std::memcpy(storage.memory, static_cast<const void*>(&first), sizeof first);
    return *static_cast<context*>(storage.memory);
}

}  // namespace teff::forking

#define current current_of_scenario()
