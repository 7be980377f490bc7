// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The thread-local state of the checked program's threads under the overlay: these threads are fibers of one system
// thread, so the checker must keep a copy per fiber.
#pragma once

#include <model/operations.hpp>

#include <array>
#include <cstddef>
#include <cxxabi.h>
#include <utility>

namespace model {

// The storage of one thread for each use of this_thread_storage().
class kept_for_thread {
public:
    thread_storage get(storage_use whose) noexcept {
        const auto index = static_cast<std::size_t>(whose);
        return {memory_[index], !std::exchange(is_used_[index], true)};
    }
    void forget() noexcept { is_used_ = {}; }

private:
    alignas(64) std::byte memory_[storage_uses][thread_storage_size];
    std::array<bool, storage_uses> is_used_{};
};

// The exceptions that a thread handles at present, as the C++ ABI of Itanium keeps them for each thread of the system.
// The fibers of an execution share such a thread, so each switch exchanges them.
struct handled_exceptions {
    void* caught;
    unsigned uncaught;
};
inline handled_exceptions& handled_here() noexcept {
    return *reinterpret_cast<handled_exceptions*>(abi::__cxa_get_globals());
}

}  // namespace model
