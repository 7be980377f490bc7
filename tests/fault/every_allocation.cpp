// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of malloc's family; see every_allocation.hpp. As a shared object, TEFF_TEST_REFUSE=k refuses the k-th
// allocation of the program it is preloaded into, counted from the start of main(). At the end it writes how many were
// asked for to the file that TEFF_TEST_ASKED names.
#include <tests/fault/every_allocation.hpp>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <fcntl.h>
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
[[gnu::noinline]] void* refused() {
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
void free(void* memory) {
    all_allocations.live -= memory != nullptr;
    __libc_free(memory);
}
}

#if defined(TEFF_TEST_PRELOADED)
namespace {

int (*real_main)(int, char**, char**);

void write_count() {
    all_allocations.disarm();
    const char* const file = std::getenv("TEFF_TEST_ASKED");
    if (file == nullptr)
        return;
    const int descriptor = ::open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    char text[24];
    const int length = std::snprintf(text, sizeof text, "%ld", all_allocations.asked.load());
    [[maybe_unused]] const auto written = ::write(descriptor, text, static_cast<std::size_t>(length));
    ::close(descriptor);
}

int armed_main(int count, char** arguments, char** environment) {
    std::atexit(write_count);
    if (const char* const refused_at = std::getenv("TEFF_TEST_REFUSE"))
        all_allocations.arm(std::strtol(refused_at, nullptr, 10));
    return real_main(count, arguments, environment);
}

}  // namespace

extern "C" int __libc_start_main(int (*main)(int, char**, char**), int count, char** arguments, void (*init)(),
                                 void (*fini)(), void (*loader_fini)(), void* stack_end) {
    real_main = main;
    const auto next = reinterpret_cast<decltype(&__libc_start_main)>(::dlsym(RTLD_NEXT, "__libc_start_main"));
    return next(armed_main, count, arguments, init, fini, loader_fini, stack_end);
}
#endif
