// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The number of a thread, and where it found some of its copies (copies.hpp) last.
#pragma once

#include <array>
#include <cstdint>

namespace teff::forking {

struct thread_copies {
    struct find {
        std::uint64_t key = 0;
        void* copy = nullptr;
    };
    std::uint64_t thread = 0;  // 0: none yet
    std::array<find, 8> recent{};
};

}  // namespace teff::forking
