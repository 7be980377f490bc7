// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Identifies a task's function in the recorded task graph (recording.hpp).
#pragma once

#include <cstdint>
#include <type_traits>

namespace teff::dataflow {

struct task_function {
    const char* type;               // a text that contains the name of the type after "F = "
    const void* address = nullptr;  // of a plain function
};

// F: a function object's type, or a pointer to a function.
template <class F>
task_function function_of([[maybe_unused]] const F& function) noexcept {
    // A literal: a variable of a template would be one that the loader makes unique in the process.
    if constexpr (std::is_pointer_v<F> && std::is_function_v<std::remove_pointer_t<F>>)
        return {__PRETTY_FUNCTION__, reinterpret_cast<const void*>(function)};
    else
        return {__PRETTY_FUNCTION__};
}

// A task or function in the record. An entry from an older record, or with record 0, is ignored.
struct record_entry {
    std::uint32_t place;
    std::uint32_t record;  // 0: none
};

// The run of a recorded task, on the thread that runs it.
struct recorded_run {
    record_entry self{};
    record_entry outer{};  // the entry that the thread ran before
    bool is_on = false;
};

// A task that may be called at once.
struct recorded_spawn {
    task_function function;
    recorded_run run{};
};

}  // namespace teff::dataflow
