// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clang's calls for directives without a block: flush and error (OpenMP 5.1, sections 2.19.8 and 2.5.4), allocate, also
// as a clause, and threadprivate.
#include <teff/base/atomic.hpp>
#include <teff/frontends/openmp/core/data/allocator.hpp>
#include <teff/frontends/openmp/core/data/threadprivate.hpp>
#include <teff/frontends/openmp/core/environment/warning.hpp>
#include <teff/frontends/openmp/core/events/events.hpp>
#include <teff/frontends/openmp/core/teams/place.hpp>
#include <teff/frontends/openmp/kmpc/ident.hpp>

#include <cstdlib>
#include <unistd.h>

// The error directive's line has the words of LLVM's runtime, since scripts look for them.
using namespace teff::openmp;
using kmpc::ident;

extern "C" {

void __kmpc_flush(ident*) {
    // seq_cst: a flush without a list orders all accesses of the thread before it and all after it, and all such
    // flushes have one order.
    teff::atomic_thread_fence(std::memory_order_seq_cst);
    events::flushed(TEFF_CALL_SITE);
}

void __kmpc_error(ident* where, int severity, const char* message) {
    const bool is_fatal = severity == 2;
    events::error(is_fatal, message, TEFF_CALL_SITE);
    char storage[1024];
    teff::bounded_text line(storage);
    line.add(is_fatal ? "OMP: Error #282: " : "OMP: Warning #283: ");
    add_source_place(line, where == nullptr ? nullptr : where->source);
    line.add(is_fatal ? ": Encountered user-directed error: " : ": Encountered user-directed warning: ")
        .add(message == nullptr ? "no message" : message)
        .add(".\n");
    // A line that cannot be written is lost.
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, line.view().data(), line.view().size());
    if (is_fatal)
        std::exit(1);
}
}

// Variables with an allocator, and memory for depend objects. The program has no code for the case that there is no
// memory for a variable. The other functions of the family do the same as the specification's routines.
extern "C" {

void* __kmpc_alloc(int, std::size_t size, allocator_handle from) { return allocate_variable(from, 1, size); }
void* __kmpc_aligned_alloc(int, std::size_t alignment, std::size_t size, allocator_handle from) {
    return allocate_variable(from, alignment, size);
}
void* __kmpc_calloc(int, std::size_t count, std::size_t size, allocator_handle from) {
    return allocate_elements(from, 1, count, size);
}
void* __kmpc_realloc(int, void* block, std::size_t size, allocator_handle to, allocator_handle /*from*/) {
    return resize_block(block, size, to);
}
void __kmpc_free(int, void* block, allocator_handle /*from*/) { free_block(block); }

allocator_handle __kmpc_init_allocator(int, std::uintptr_t memory_space, int count, const allocator_trait* traits) {
    return make_allocator(memory_space, count, traits);
}
void __kmpc_destroy_allocator(int, allocator_handle destroyed) { destroy_allocator(destroyed); }
void __kmpc_set_default_allocator(int, allocator_handle chosen) { set_default_allocator_of_task(chosen); }
allocator_handle __kmpc_get_default_allocator(int) { return default_allocator_of_task(); }
}

// Threadprivate variables of code that is compiled with -fnoopenmp-use-tls. All other code has them in thread-local
// storage.
namespace {

bool is_main_thread() noexcept { return this_place().global_number == 0; }

}  // namespace

extern "C" {

void __kmpc_threadprivate_register(ident*, void* variable, void* (*construct)(void*), void* (*copy)(void*, void*),
                                   void (*end)(void*)) {
    register_threadprivate(variable, {.construct = construct, .copy = copy, .end = end});
}
// For a variable that is an array of `count` objects.
void __kmpc_threadprivate_register_vec(ident*, void* variable, void* (*construct)(void*, std::size_t),
                                       void* (*copy)(void*, void*, std::size_t), void (*end)(void*, std::size_t),
                                       std::size_t count) {
    register_threadprivate(variable,
                           {.construct_all = construct, .copy_all = copy, .end_all = end, .count = count});
}

void* __kmpc_threadprivate(ident*, std::int32_t, void* variable, std::size_t size) {
    return copy_of(find_variable(variable, size), is_main_thread());
}
// cache: one word of the program for each variable, which holds the address of the runtime's record of the variable.
void* __kmpc_threadprivate_cached(ident*, std::int32_t, void* variable, std::size_t size, void*** cache) {
    auto& kept = *reinterpret_cast<teff::atomic<threadprivate_variable*>*>(cache);
    // acquire: makes the record's contents visible; partner: the release below.
    threadprivate_variable* found = kept.load(std::memory_order_acquire);
    if (found == nullptr) {
        found = &find_variable(variable, size);
        // release: passes on the record, which the table's mutex has made visible to this thread.
        kept.store(found, std::memory_order_release);
    }
    return copy_of(*found, is_main_thread());
}
}
