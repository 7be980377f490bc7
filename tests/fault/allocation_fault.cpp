// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The wrapped allocation functions and the replaced operators; see allocation_fault.hpp.
#include <tests/fault/allocation_fault.hpp>

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace teff::testing {
constinit allocation_fault allocation_faults;
}

using teff::testing::allocation_faults;

extern "C" {
void* __real_malloc(std::size_t size);
int __real_posix_memalign(void** memory, std::size_t alignment, std::size_t size);
void __real_free(void* memory);
void* __wrap_malloc(std::size_t size);
int __wrap_posix_memalign(void** memory, std::size_t alignment, std::size_t size);
void __wrap_free(void* memory);

void* __wrap_malloc(std::size_t size) {
    void* const memory = allocation_faults.refuses_next() ? nullptr : __real_malloc(size);
    allocation_faults.live += memory != nullptr;
    return memory;
}

int __wrap_posix_memalign(void** memory, std::size_t alignment, std::size_t size) {
    const int error = allocation_faults.refuses_next() ? ENOMEM : __real_posix_memalign(memory, alignment, size);
    allocation_faults.live += error == 0;
    return error;
}

void __wrap_free(void* memory) {
    allocation_faults.live -= memory != nullptr;
    __real_free(memory);
}
}

// Every form, since a sanitizer would otherwise bring its own for those that are left out.
namespace {

void* allocate_or_null(std::size_t size) noexcept { return __wrap_malloc(size == 0 ? 1 : size); }

void* allocate_or_null(std::size_t size, std::align_val_t alignment) noexcept {
    void* memory = nullptr;
    const int error = __wrap_posix_memalign(&memory, static_cast<std::size_t>(alignment), size == 0 ? 1 : size);
    return error == 0 ? memory : nullptr;
}

template <class... Arguments>
void* allocate_or_throw(Arguments... arguments) {
    if (void* const memory = allocate_or_null(arguments...))
        return memory;
    throw std::bad_alloc();
}

}  // namespace

using alignment_type = std::align_val_t;
void* operator new(std::size_t size) { return allocate_or_throw(size); }
void* operator new[](std::size_t size) { return allocate_or_throw(size); }
void* operator new(std::size_t size, alignment_type alignment) { return allocate_or_throw(size, alignment); }
void* operator new[](std::size_t size, alignment_type alignment) { return allocate_or_throw(size, alignment); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate_or_null(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return allocate_or_null(size); }
void operator delete(void* memory) noexcept { __wrap_free(memory); }
void operator delete[](void* memory) noexcept { __wrap_free(memory); }
void operator delete(void* memory, std::size_t) noexcept { __wrap_free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { __wrap_free(memory); }
void operator delete(void* memory, alignment_type) noexcept { __wrap_free(memory); }
void operator delete[](void* memory, alignment_type) noexcept { __wrap_free(memory); }
void operator delete(void* memory, std::size_t, alignment_type) noexcept { __wrap_free(memory); }
void operator delete[](void* memory, std::size_t, alignment_type) noexcept { __wrap_free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { __wrap_free(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { __wrap_free(memory); }
