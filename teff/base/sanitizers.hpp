// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Annotations for programs that are built with a sanitizer but use a library that was built without one.
//
// ThreadSanitizer learns happens-before from instrumented code and from calls of its interface. The user's program
// compiles our headers, so their atomics are instrumented. The library's atomics are not, and the tool misses each
// synchronization that is made there. So the library reports it:
//
//   happens_before(word)    before a release operation, with the address of the word that it writes
//   happens_after(word)     after the acquire operation that has read that word
// Instrumented atomics use the address of their word. So one side of a pair may be in a header and the other in the
// library. If both sides are in the library, they may use any address that belongs to the pair alone, such as a task's.
//
// The tools' functions are weak references: their addresses are null in a program without the tool, so that each call
// here is a load and a branch. In headers the calls are compiled for the library alone (TEFF_LIBRARY). They are empty
// in a library that is instrumented itself, and in the model checker, where they would hide mistakes of ours.
//
// A shared object may leave its orders to others that report them (leave_orders_to_others()), such as Archer, an OMPT
// tool: it reports the orders that OpenMP promises, and more orders would hide races from it. Promised orders that it
// does not know are reported nevertheless (always_before(), always_after()).
//
// Rejected: annotations of all atomic operations, which would slow down the fast paths; a second, instrumented library.
#pragma once

#include <cstddef>
#include <cstring>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TEFF_INSTRUMENTED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define TEFF_INSTRUMENTED 1
#endif
#endif

// As the tools' own headers declare them.
extern "C" {
[[gnu::weak]] void __sanitizer_print_stack_trace(void);  // every tool has it
[[gnu::weak]] void __sanitizer_start_switch_fiber(void** fake_stack_save, const void* bottom, std::size_t size);
[[gnu::weak]] void __sanitizer_finish_switch_fiber(void* fake_stack_save, const void** bottom_old,
                                                   std::size_t* size_old);
[[gnu::weak]] void __asan_unpoison_memory_region(const volatile void* address, std::size_t size);
[[gnu::weak]] void __tsan_acquire(void* address);
[[gnu::weak]] void __tsan_release(void* address);
[[gnu::weak]] void* __tsan_get_current_fiber(void);
[[gnu::weak]] void* __tsan_create_fiber(unsigned flags);
[[gnu::weak]] void __tsan_destroy_fiber(void* fiber);
[[gnu::weak]] void __tsan_switch_to_fiber(void* fiber, unsigned flags);
// From the older interface; every program that either compiler builds with ThreadSanitizer has these.
[[gnu::weak]] void AnnotateIgnoreReadsBegin(const char* file, int line);
[[gnu::weak]] void AnnotateIgnoreReadsEnd(const char* file, int line);
[[gnu::weak]] void AnnotateIgnoreWritesBegin(const char* file, int line);
[[gnu::weak]] void AnnotateIgnoreWritesEnd(const char* file, int line);
}

namespace teff::sanitizers {

// Whether any sanitizer is in the process. In a program without one, this single check is the whole cost.
inline bool is_any_present() noexcept { return &__sanitizer_print_stack_trace != nullptr; }
inline bool is_address_sanitizer_present() noexcept { return &__sanitizer_start_switch_fiber != nullptr; }
inline bool is_thread_sanitizer_present() noexcept { return &__tsan_switch_to_fiber != nullptr; }
// Whether the program's functions need larger stacks than usual, and freed memory must be given back at once.
inline bool is_program_instrumented() noexcept {
    return is_any_present() && (is_address_sanitizer_present() || is_thread_sanitizer_present());
}

#if defined(TEFF_LIBRARY) && !defined(TEFF_INSTRUMENTED)
// One for each shared object. Written before other threads use the object's functions.
[[gnu::visibility("hidden")]] inline constinit bool others_tell_orders = false;
// From now on, or no longer, the orders of the calling shared object are reported without its help.
inline void leave_orders_to_others(bool others_tell) noexcept { others_tell_orders = others_tell; }
// Whether they are. Then memory that the program uses must not be kept for reuse by another thread: the allocator tells
// ThreadSanitizer that memory is new, and nothing else does.
inline bool leaves_orders() noexcept { return others_tell_orders; }
// Whether this code must report its synchronization.
inline bool tells_orders() noexcept {
    if (&__tsan_release != nullptr) [[unlikely]]
        return !others_tell_orders;
    return false;
}
inline void happens_before(const void* word) noexcept {
    if (tells_orders()) [[unlikely]]
        __tsan_release(const_cast<void*>(word));
}
inline void happens_after(const void* word) noexcept {
    if (tells_orders()) [[unlikely]]
        __tsan_acquire(const_cast<void*>(word));
}
// As these two, whether or not others tell orders.
inline void always_before(const void* word) noexcept {
    if (&__tsan_release != nullptr) [[unlikely]]
        __tsan_release(const_cast<void*>(word));
}
inline void always_after(const void* word) noexcept {
    if (&__tsan_release != nullptr) [[unlikely]]
        __tsan_acquire(const_cast<void*>(word));
}
[[gnu::cold, gnu::noinline]] inline void move_bytes_unwatched(void* to, const void* from, std::size_t size) noexcept {
    if (&AnnotateIgnoreReadsBegin == nullptr || &AnnotateIgnoreWritesBegin == nullptr) {
        std::memmove(to, from, size);
        return;
    }
    AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
    AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
    std::memmove(to, from, size);
    AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
    AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
}
// As std::memmove(), for the library's own memory. ThreadSanitizer intercepts std::memmove() in uninstrumented code,
// too, and would report races there.
inline void move_bytes(void* to, const void* from, std::size_t size) noexcept {
    if (&__tsan_release != nullptr) [[unlikely]]
        move_bytes_unwatched(to, from, size);
    else
        std::memmove(to, from, size);
}
#else
inline void leave_orders_to_others(bool) noexcept {}
constexpr bool leaves_orders() noexcept { return false; }
constexpr bool tells_orders() noexcept { return false; }
inline void happens_before(const void*) noexcept {}
inline void happens_after(const void*) noexcept {}
inline void always_before(const void*) noexcept {}
inline void always_after(const void*) noexcept {}
inline void move_bytes(void* to, const void* from, std::size_t size) noexcept { std::memmove(to, from, size); }
#endif

}  // namespace teff::sanitizers
