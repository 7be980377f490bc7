// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes the program's operations to the current simulation, which says when they happen; then performs them. Outside a
// simulation they cost nothing.
#include <simulator/memory.hpp>
#include <simulator/simulation.hpp>

#include <model/operations.hpp>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace model {

using simulator::simulation;
using simulator::simulator_scope;

namespace {

std::uint64_t bits_at(const void* where, std::size_t size) noexcept {
    std::uint64_t bits = 0;
    std::memcpy(&bits, where, size);
    return bits;
}

}  // namespace

void begin_lifetime(void*) noexcept {}

std::uint64_t atomic_load(const void* where, std::size_t size, std::memory_order, const site& at) noexcept {
    const simulator_scope scope;
    if (simulation* const current = simulation::current())
        current->before_load(where, at);
    return bits_at(where, size);
}

void atomic_store(void* where, std::size_t size, std::uint64_t value, std::memory_order order,
                  const site& at) noexcept {
    const simulator_scope scope;
    if (simulation* const current = simulation::current()) {
        if (order == std::memory_order_seq_cst)
            current->before_modify(where, at);
        else
            current->before_store(where, at);
    }
    std::memcpy(where, &value, size);
}

std::uint64_t atomic_modify(void* where, std::size_t size, modification kind, std::uint64_t operand,
                            std::memory_order, const site& at) noexcept {
    const simulator_scope scope;
    if (simulation* const current = simulation::current())
        current->before_modify(where, at);
    const std::uint64_t old = bits_at(where, size);
    const std::uint64_t made = modified(kind, old, operand);
    std::memcpy(where, &made, size);
    return old;
}

bool atomic_compare_exchange(void* where, std::size_t size, std::uint64_t& expected, std::uint64_t desired,
                             std::memory_order, std::memory_order, bool, const site& at) noexcept {
    const simulator_scope scope;
    if (simulation* const current = simulation::current())
        current->before_modify(where, at);
    const std::uint64_t seen = bits_at(where, size);
    const bool equal = seen == expected;
    if (equal)
        std::memcpy(where, &desired, size);
    expected = seen;
    return equal;
}

// On x86-64 only this order needs an instruction.
void fence(std::memory_order order, const site&) noexcept {
    const simulator_scope scope;
    simulation* const current = simulation::current();
    if (current != nullptr && order == std::memory_order_seq_cst)
        current->full_fence();
}

void fence_in_all_threads(const site&) noexcept {
    const simulator_scope scope;
    if (simulation* const current = simulation::current())
        current->fence_in_all_threads();
}

bool futex_wait(const void* word, std::uint32_t seen, std::int64_t timeout_ns, const site&) noexcept {
    const simulator_scope scope;
    constexpr std::int64_t longest_ns = 1'000'000'000'000;
    const std::int64_t limit_ns = timeout_ns > longest_ns ? longest_ns : timeout_ns;
    return simulation::current()->futex_wait(word, seen, limit_ns < 0 ? -1 : limit_ns * 1000);
}
void futex_wake(const void* word, int count, const site&) noexcept {
    const simulator_scope scope;
    if (simulation* const current = simulation::current())
        current->futex_wake(word, count);
}

void yield() noexcept {
    const simulator_scope scope;
    if (simulation* const current = simulation::current())
        current->yield();
}
void pause() noexcept {
    const simulator_scope scope;
    if (simulation* const current = simulation::current())
        current->pause(1);
}
// As teff/base/backoff.hpp does.
void back_off(unsigned round) noexcept {
    constexpr unsigned yield_from = 10;
    const simulator_scope scope;
    simulation* const current = simulation::current();
    if (current == nullptr)
        return;
    if (round < yield_from)
        current->pause(1U << round);
    else
        current->yield();
}
std::int64_t clock_ns() noexcept {
    const simulator_scope scope;
    simulation* const current = simulation::current();
    return current != nullptr ? current->clock_ns() : 0;
}

std::int64_t cycle_count() noexcept {
    const simulator_scope scope;
    simulation* const current = simulation::current();
    return current != nullptr ? current->cycle_count() : 0;
}
std::int64_t ns_of_cycles(std::int64_t cycles) noexcept {
    return static_cast<std::int64_t>(static_cast<double>(cycles) / simulator::machine::cycles_per_ns);
}

bool start_thread(void* (*run)(void*), void* argument) noexcept {
    const simulator_scope scope;
    return simulation::current()->start_thread(run, argument);
}

thread_storage this_thread_storage(storage_use whose) noexcept {
    static kept_for_thread outside;
    simulation* const current = simulation::current();
    return current != nullptr ? current->storage(whose) : outside.get(whose);
}

thread_stack this_thread_stack() noexcept {
    const simulation* const current = simulation::current();
    return current != nullptr ? current->stack() : thread_stack{nullptr, 0};
}

void* allocate(std::size_t size, std::size_t alignment) noexcept {
    const simulator_scope scope;
    return simulator::program_memory().allocate(size, alignment);
}
void deallocate(void* memory) noexcept {
    const simulator_scope scope;
    simulator::program_memory().deallocate(memory);
}

void ordinary_access(const void* address, std::size_t size, access kind, const void* code) noexcept {
    if (simulation* const current = simulation::current()) {
        const simulator_scope scope;
        current->access(address, size, kind == access::write, code);
    }
}

void fail(const char* what) noexcept {
    const simulator_scope scope;
    if (simulation* const current = simulation::current())
        current->fail(what);
    std::fprintf(stderr, "teff_simulator: %s\n", what);
    std::abort();
}

}  // namespace model
