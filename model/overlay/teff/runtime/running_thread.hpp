// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replaces teff/runtime/running_thread.hpp in the model build: each thread of the scenario has a context of its own.
// The stack of the thread counts as already measured and as hardly used.
#pragma once

#include <teff/runtime/thread_context.hpp>

#include <model/operations.hpp>

#include <cstring>
#include <limits>
#include <type_traits>

namespace teff {

inline thread_context& running_thread_of_scenario() noexcept {
    static_assert(std::is_trivially_destructible_v<thread_context> &&
                  sizeof(thread_context) <= model::thread_storage_size);
    const model::thread_storage storage = model::this_thread_storage(model::storage_use::context);
    static constinit thread_context first{.stack = {.limit = 1, .high = std::numeric_limits<std::uintptr_t>::max()},
                                          .own = {.home = nullptr}};
    // The copy is not reported to the checker as an access of this thread, since other threads may obtain the address
    // of the context before they synchronize with its first use.
    if (storage.fresh) {
        std::memcpy(storage.memory, static_cast<const void*>(&first), sizeof first);
        auto& made = *static_cast<thread_context*>(storage.memory);
        made.own.stack = &made.stack;
    }
    return *static_cast<thread_context*>(storage.memory);
}

}  // namespace teff

#define running_thread running_thread_of_scenario()
