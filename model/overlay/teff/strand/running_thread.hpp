// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replaces teff/strand/running_thread.hpp in the model build: each thread of the scenario has a context of its own.
// The stack of the thread is known without being measured.
#pragma once

#include <teff/strand/thread_context.hpp>

#include <model/operations.hpp>

#include <cstring>
#include <limits>
#include <type_traits>

namespace teff {

stack_bounds bounds_of(const void* lowest, std::size_t size) noexcept;  // strand/stack.hpp, which needs this header

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
        const model::thread_stack own = model::this_thread_stack();
        if (own.size != 0)
            made.stack = bounds_of(own.lowest, own.size);
    }
    return *static_cast<thread_context*>(storage.memory);
}

}  // namespace teff

#define running_thread running_thread_of_scenario()
