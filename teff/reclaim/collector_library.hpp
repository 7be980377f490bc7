// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of the Boehm collector that the reclaimer gc calls. They come from libgc.so.1, which is loaded when
// that reclaimer is first chosen: so the library needs no collector to be built, linked or started, and a program that
// does not choose gc never maps one. If the program itself has loaded libgc.so.1, both use the same collector.
//
// The declarations are those of the collector's interface from version 8.0 on, on all machines but Itanium.
#pragma once

#include <cstddef>
#include <span>

namespace teff {

struct collector_library {
    struct stack_base {
        void* memory;
    };
    static constexpr int success = 0, duplicate = 1;

    void (*init)();
    int (*is_init_called)();
    void (*allow_register_threads)();
    int (*get_stack_base)(stack_base*);
    void (*set_stackbottom)(void* thread, const stack_base*);
    int (*register_my_thread)(const stack_base*);
    int (*unregister_my_thread)();
    void (*register_altstack)(void* stack, std::size_t stack_size, void* other, std::size_t other_size);
    int (*get_suspend_signal)();
    int (*get_thr_restart_signal)();
    void (*enable)();
    void (*disable)();
    void* (*malloc)(std::size_t);
    void* (*malloc_uncollectable)(std::size_t);
    void* (*memalign)(std::size_t alignment, std::size_t);
    void* (*base)(void*);
    void (*free)(void*);
};

// Loads the collector at the first call. Returns nullptr if the collector can be used, by collector(); otherwise a text
// that says why not, which lives for ever. Any thread.
[[nodiscard]] const char* collector_obstacle() noexcept;

// The functions, once collector_obstacle() has returned nullptr.
const collector_library& collector() noexcept;

}  // namespace teff

// For collector_obstacle(). False: `obstacle` says why, and what to do. Has C linkage, so that tests can name it to the
// linker, which then takes it from the archive.
extern "C" bool teff_load_collector(teff::collector_library& functions, std::span<char> obstacle) noexcept;
