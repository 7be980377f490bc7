// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A source of its own, since the model checker has its own memory (model/overlay/base.cpp). Calls malloc
// for ordinary alignments, posix_memalign for larger ones. Both are in the C library, so a preloaded object needs no
// other library.
#include <teff/base/allocation.hpp>

#include <cstdlib>

namespace teff {

void* allocate(std::size_t size, std::size_t alignment) noexcept {
    if (alignment <= alignof(std::max_align_t))
        return std::malloc(size);
    void* memory = nullptr;
    return ::posix_memalign(&memory, alignment, size) == 0 ? memory : nullptr;
}

void deallocate(void* memory, std::size_t, std::size_t) noexcept { std::free(memory); }

}  // namespace teff
