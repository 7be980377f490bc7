// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes operations to the current execution. Outside an execution they act on the object itself.
#include <model/check.hpp>
#include <model/execution.hpp>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace model {

void begin_lifetime(void* where) noexcept {
    const checker_scope scope;
    if (execution* const current = execution::current())
        current->begin_lifetime(where);
}

std::uint64_t atomic_load(const void* where, std::size_t size, std::memory_order order, const site& at) noexcept {
    const checker_scope scope;
    execution* const current = execution::current();
    return current != nullptr ? current->load(where, size, order, at) : object_bits(where, size);
}

void atomic_store(void* where, std::size_t size, std::uint64_t value, std::memory_order order,
                  const site& at) noexcept {
    const checker_scope scope;
    if (execution* const current = execution::current())
        current->store(where, size, value, order, at);
    else
        std::memcpy(where, &value, size);
}

std::uint64_t atomic_modify(void* where, std::size_t size, modification kind, std::uint64_t operand,
                            std::memory_order order, const site& at) noexcept {
    const checker_scope scope;
    if (execution* const current = execution::current())
        return current->modify(where, size, kind, operand, order, at);
    const std::uint64_t old = object_bits(where, size);
    const std::uint64_t made = modified(kind, old, operand);
    std::memcpy(where, &made, size);
    return old;
}

bool atomic_compare_exchange(void* where, std::size_t size, std::uint64_t& expected, std::uint64_t desired,
                             std::memory_order success, std::memory_order failure, bool weak, const site& at) noexcept {
    const checker_scope scope;
    if (execution* const current = execution::current())
        return current->compare_exchange(where, size, expected, desired, success, failure, weak, at);
    const std::uint64_t seen = object_bits(where, size);
    const bool equal = seen == expected;
    if (equal)
        std::memcpy(where, &desired, size);
    expected = seen;
    return equal;
}

void fence(std::memory_order order, const site& at) noexcept {
    const checker_scope scope;
    if (execution* const current = execution::current())
        current->fence(order, at);
}

void fence_in_all_threads(const site& at) noexcept {
    const checker_scope scope;
    if (execution* const current = execution::current())
        current->fence_in_all_threads(at);
}

bool futex_wait(const void* word, std::uint32_t seen, std::int64_t, const site& at) noexcept {
    const checker_scope scope;
    execution::current()->futex_wait(word, seen, at);
    return true;
}
void futex_wake(const void* word, int count, const site& at) noexcept {
    const checker_scope scope;
    if (execution* const current = execution::current())
        current->futex_wake(word, count, at);
}

void yield() noexcept {
    const checker_scope scope;
    execution::current()->yield();
}
void pause() noexcept {}
void back_off(unsigned) noexcept { yield(); }
std::int64_t clock_ns() noexcept {
    const checker_scope scope;
    return execution::current()->clock_ns();
}

std::int64_t cycle_count() noexcept { return clock_ns(); }
std::int64_t ns_of_cycles(std::int64_t cycles) noexcept { return cycles; }

bool start_thread(void* (*run)(void*), void* argument) noexcept {
    const checker_scope scope;
    return execution::current()->start_thread(run, argument);
}

thread_storage this_thread_storage(storage_use whose) noexcept {
    const checker_scope scope;
    static kept_for_thread outside;
    execution* const current = execution::current();
    return current != nullptr ? current->storage(whose) : outside.get(whose);
}

thread_stack this_thread_stack() noexcept { return {nullptr, 0}; }

void* allocate(std::size_t size, std::size_t alignment) noexcept {
    const checker_scope scope;
    execution* const current = execution::current();
    return current != nullptr ? current->allocate(size, alignment) : std::malloc(size);
}
void deallocate(void* memory) noexcept {
    const checker_scope scope;
    if (execution* const current = execution::current())
        current->deallocate(memory);
    else
        std::free(memory);
}

void ordinary_access(const void* address, std::size_t size, access kind, const void* code) noexcept {
    const checker_scope scope;
    if (execution* const current = execution::current())
        current->ordinary_access(address, size, kind, code);
}

void fail(const char* what) noexcept {
    const checker_scope scope;
    if (execution* const current = execution::current())
        current->fail(what);
    std::fprintf(stderr, "teff_model: outside of an execution: %s\n", what);
    std::abort();
}

void run_threads(const thread_body* bodies, unsigned count) noexcept {
    const checker_scope scope;
    execution::current()->run_threads(bodies, count);
}
void stop_the_world(void (*visit)(void* context, const void* word), void* context) noexcept {
    const checker_scope scope;
    execution::current()->stop_the_world(visit, context);
}
void take(unsigned item) noexcept {
    const checker_scope scope;
    execution::current()->take(item);
}
void expect_taken_once(unsigned count) noexcept {
    const checker_scope scope;
    execution::current()->expect_taken_once(count);
}
bool was_taken(unsigned item) noexcept {
    const checker_scope scope;
    return execution::current()->was_taken(item);
}
unsigned taken_items() noexcept {
    const checker_scope scope;
    return execution::current()->taken_items();
}
void outcome(std::uint64_t value) noexcept {
    const checker_scope scope;
    execution::current()->set_outcome(value);
}

}  // namespace model
