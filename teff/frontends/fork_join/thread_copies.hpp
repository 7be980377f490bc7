// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread's cache of copies (copies.hpp): the thread's number, and the copies that it has found last. A file of its
// own, because own_copies.hpp and the header that takes its place in the model build both include it.
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
