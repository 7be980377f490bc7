// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replaces, in the model build, the sources of teff/base that call the system: memory, threads, messages.
#include <teff/base/allocation.hpp>
#include <teff/base/assert.hpp>
#include <teff/base/thread.hpp>

#include <model/operations.hpp>

#include <cstdio>

namespace teff {

void* allocate(std::size_t size, std::size_t alignment) noexcept { return model::allocate(size, alignment); }
void deallocate(void* memory, std::size_t, std::size_t) noexcept { model::deallocate(memory); }

bool start_thread(void* (*run)(void*), void* argument) noexcept { return model::start_thread(run, argument); }
std::size_t next_stack_size() noexcept { return 0; }

void fatal(const char* component, const char* cause, const char* remedy) noexcept {
    char text[256];
    std::snprintf(text, sizeof text, "%s: %s; %s", component, cause, remedy);
    model::fail(text);
}

void warn(const char*, ...) noexcept {}

}  // namespace teff
