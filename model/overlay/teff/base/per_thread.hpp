// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replaces teff/base/per_thread.hpp in the model build: one object per thread of the scenario.
#pragma once

#include <model/operations.hpp>

#include <new>
#include <type_traits>

namespace teff {
inline namespace model_checked {

template <class T>
T& per_thread() noexcept {
    static_assert(std::is_trivially_destructible_v<T> && sizeof(T) <= model::thread_storage_size);
    const model::thread_storage storage = model::this_thread_storage(model::storage_use::runtime);
    return storage.fresh ? *::new (storage.memory) T() : *static_cast<T*>(storage.memory);
}

}  // namespace model_checked
}  // namespace teff
