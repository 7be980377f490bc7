// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replaces teff/base/thread.hpp in the model build: threads are those of the scenario (model/overlay/base.cpp), each
// with objects of its own. They end with the scenario, and what they keep ends with the checker's heap; so nothing is
// called at their ends.
#pragma once

#include <model/operations.hpp>

#include <cstddef>
#include <new>
#include <type_traits>

namespace teff {

[[nodiscard]] bool start_thread(void* (*run)(void*), void* argument) noexcept;
void choose_stack_size(std::size_t bytes) noexcept;
[[nodiscard]] std::size_t next_stack_size() noexcept;

inline namespace model_checked {

template <class T>
T& per_thread() noexcept {
    static_assert(std::is_trivially_destructible_v<T> && sizeof(T) <= model::thread_storage_size);
    const model::thread_storage storage = model::this_thread_storage(model::storage_use::runtime);
    return storage.fresh ? *::new (storage.memory) T() : *static_cast<T*>(storage.memory);
}

}  // namespace model_checked

struct end_of_main_thread {
    constexpr end_of_main_thread() noexcept {}
};

template <void (*Function)() noexcept>
[[nodiscard]] bool call_at_thread_end() noexcept {
    return true;
}

}  // namespace teff
