// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replaces teff/frontends/fork_join/own_copies.hpp in the model build: each thread of the scenario has its own.
#pragma once

#include <teff/frontends/fork_join/thread_copies.hpp>

#include <model/operations.hpp>

#include <new>
#include <type_traits>

namespace teff::forking {

inline thread_copies& own_copies_of_scenario() noexcept {
    static_assert(std::is_trivially_destructible_v<thread_copies> &&
                  sizeof(thread_copies) <= model::thread_storage_size);
    const model::thread_storage storage = model::this_thread_storage(model::storage_use::copies);
    return storage.fresh ? *::new (storage.memory) thread_copies() : *static_cast<thread_copies*>(storage.memory);
}

}  // namespace teff::forking

#define own_copies own_copies_of_scenario()
