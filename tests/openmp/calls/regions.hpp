// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parallel regions and leagues through Clang's calls, for tests of what is called inside.
#pragma once

#include "functions.hpp"

#include <functional>

namespace openmp_calls {

// Runs `body` by a call that takes a function with any number of arguments.
inline void call_with_body(const char* name, std::function<void()> body) {
    using outlined = void(std::int32_t*, std::int32_t*, std::function<void()>*);
    outlined* const call = [](std::int32_t*, std::int32_t*, std::function<void()>* self) { (*self)(); };
    function<void(void*, std::int32_t, outlined*, ...)>(name)(nullptr, 1, call, &body);
}
// On `threads` threads.
inline void in_region(std::int32_t threads, const std::function<void()>& body) {
    function<void(void*, std::int32_t, std::int32_t)>("__kmpc_push_num_threads")(nullptr, 0, threads);
    call_with_body("__kmpc_fork_call", body);
}
// In each of so many teams.
inline void in_league(std::int32_t teams, const std::function<void()>& body) {
    function<void(void*, std::int32_t, std::int32_t, std::int32_t)>("__kmpc_push_num_teams")(nullptr, 0, teams, 0);
    call_with_body("__kmpc_fork_teams", body);
}

inline int thread_num() { return function<int()>("omp_get_thread_num")(); }
inline int num_threads() { return function<int()>("omp_get_num_threads")(); }

}  // namespace openmp_calls
