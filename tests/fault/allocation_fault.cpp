// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The wrapped allocation functions and operators; see allocation_fault.hpp.
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

// operator new and delete, by their mangled names.
void* __real__Znwm(std::size_t size);
void __real__ZdlPv(void* memory);
void* __wrap__Znwm(std::size_t size);
void __wrap__ZdlPv(void* memory);
void __wrap__ZdlPvm(void* memory, std::size_t size);

void* __wrap__Znwm(std::size_t size) {
    if (allocation_faults.refuses_next())
        throw std::bad_alloc();
    void* const memory = __real__Znwm(size);
    ++allocation_faults.live;
    return memory;
}

void __wrap__ZdlPv(void* memory) {
    allocation_faults.live -= memory != nullptr;
    __real__ZdlPv(memory);
}

void __wrap__ZdlPvm(void* memory, std::size_t) { __wrap__ZdlPv(memory); }
}
