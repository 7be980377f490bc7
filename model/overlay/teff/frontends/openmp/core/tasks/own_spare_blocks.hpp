// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replaces the header of this name in teff/ in the model build: each thread of the scenario has its own.
#pragma once

#include <teff/frontends/openmp/core/tasks/spare_blocks.hpp>

#include <model/operations.hpp>

#include <new>
#include <type_traits>

namespace teff::openmp {

inline spare_blocks& own_spare_blocks_of_scenario() noexcept {
    static_assert(std::is_trivially_destructible_v<spare_blocks> && sizeof(spare_blocks) <= model::thread_storage_size);
    const model::thread_storage storage = model::this_thread_storage(model::storage_use::spare_blocks);
    return storage.fresh ? *::new (storage.memory) spare_blocks() : *static_cast<spare_blocks*>(storage.memory);
}

}  // namespace teff::openmp

#define own_spare_blocks own_spare_blocks_of_scenario()
