// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls several functions, possibly at the same time. Unlike fork_join() it returns no results, and it throws the
// exception that was first in time.
#pragma once

#include <teff/fork_join.hpp>
#include <teff/algorithms/halt.hpp>
#include <teff/version.hpp>

#include <functional>
#include <stop_token>
#include <type_traits>

namespace teff {

// Calls each function once and returns when all have returned; results are discarded. Throws the first exception in
// time; functions that have not begun by then are not called. Also throws stack_exhausted, std::bad_alloc and stopped,
// like fork_join(). Any thread may call it. The name is from the oneTBB specification, section "parallel_invoke".
template <class F, class G, class... More>
void parallel_invoke(F&& f, G&& g, More&&... more) {
    constexpr bool are_callable =
        std::is_invocable_v<F&> && std::is_invocable_v<G&> && (std::is_invocable_v<More&> && ...);
    if constexpr (!are_callable) {
        static_assert(are_callable, "teff: each function given to parallel_invoke() must be callable without "
                                    "arguments, as in parallel_invoke([&] { left(); }, [&] { right(); })");
    } else {
        algorithm::halt stop{std::stop_token()};
        const auto guarded = [&stop](auto& function) {
            return [&stop, &function] {
                if (!stop.is_set())
                    stop.guard([&function] { static_cast<void>(std::invoke(function)); });
            };
        };
        stop.guard([&] { fork_join(guarded(f), guarded(g), guarded(more)...); });
        stop.rethrow();
    }
}

}  // namespace teff
