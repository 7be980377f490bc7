// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In the place of the library's header of this name: threads of a scenario end with the scenario, and what they keep
// ends with the checker's heap. So nothing is called at their ends.
#pragma once

namespace teff {

struct end_of_main_thread {
    constexpr end_of_main_thread() noexcept {}
};

template <void (*Function)() noexcept>
[[nodiscard]] bool call_at_thread_end() noexcept {
    return true;
}

}  // namespace teff
