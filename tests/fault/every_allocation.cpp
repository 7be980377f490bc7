// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of malloc's family; see every_allocation.hpp.
#include <tests/fault/every_allocation.hpp>

#include <cerrno>
#include <cstddef>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace teff::testing {
constinit every_allocation all_allocations;
}

using teff::testing::all_allocations;

namespace {

void* counted(void* memory) {
    all_allocations.live += memory != nullptr;
    return memory;
}
void* refused() {
    errno = ENOMEM;
    return nullptr;
}

}  // namespace

extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* memory, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
void __libc_free(void* memory);

void* malloc(std::size_t size) {
    return all_allocations.refuses_next() ? refused() : counted(__libc_malloc(size));
}
void* calloc(std::size_t count, std::size_t size) {
    return all_allocations.refuses_next() ? refused() : counted(__libc_calloc(count, size));
}
void* realloc(void* memory, std::size_t size) {
    if (all_allocations.refuses_next())
        return refused();
    void* const larger = __libc_realloc(memory, size);
    all_allocations.live += (larger != nullptr) - (memory != nullptr && (larger != nullptr || size == 0));
    return larger;
}
void* memalign(std::size_t alignment, std::size_t size) {
    return all_allocations.refuses_next() ? refused() : counted(__libc_memalign(alignment, size));
}
void* aligned_alloc(std::size_t alignment, std::size_t size) { return memalign(alignment, size); }
int posix_memalign(void** memory, std::size_t alignment, std::size_t size) {
    void* const made = memalign(alignment, size);
    if (made == nullptr)
        return ENOMEM;
    *memory = made;
    return 0;
}
// Mappings are refused, too, but not counted among the blocks: the runtime keeps them, or gives back parts.
void* mmap(void* address, std::size_t size, int protection, int flags, int file, off_t offset) noexcept {
    if (all_allocations.refuses_next()) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    return reinterpret_cast<void*>(::syscall(SYS_mmap, address, size, protection, flags, file, offset));
}
void free(void* memory) {
    all_allocations.live -= memory != nullptr;
    __libc_free(memory);
}
}
