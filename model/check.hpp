// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts of a scenario: threads, checks, and items with an identity.
//
// A scenario is a function. The checker calls it once per execution as thread 0. It builds its structure, runs
// threads on it by parallel(), and checks the result. It must be deterministic except for the decisions of the
// checker: no time, no randomness, no addresses as values, and no memory but that of teff::allocate(), of new and of
// the stack. It must have freed everything that it allocated when it returns. Values that are computed once per process
// (pthread_once, static variables in functions) have to be computed before the first execution, since static variables
// are restored after each execution.
//
//   void two_increments() {
//       teff::atomic<int> sum{0};
//       const auto increment = [&] { sum.fetch_add(1, std::memory_order_relaxed); };
//       model::parallel(increment, increment);
//       model::check(sum.load(std::memory_order_relaxed) == 2, "an increment was lost");
//   }
#pragma once

#include <model/operations.hpp>

#include <type_traits>
#include <utility>

namespace model {

// Runs the functions as threads and returns when all of them have returned. May be called by thread 0 only, any
// number of times in sequence.
inline constexpr unsigned max_parallel = 5;
struct thread_body {
    void (*run)(void* callable);
    void* callable;
};
void run_threads(const thread_body* bodies, unsigned count) noexcept;

template <class... Bodies>
void parallel(Bodies&&... bodies) noexcept {
    static_assert(sizeof...(Bodies) <= max_parallel);
    const thread_body all[] = {
        {[](void* callable) { (*static_cast<std::remove_reference_t<Bodies>*>(callable))(); },
         const_cast<void*>(static_cast<const void*>(&bodies))}...};
    run_threads(all, sizeof...(Bodies));
}

// Fails the execution unless the condition holds.
inline void check(bool condition, const char* what) noexcept {
    if (!condition) [[unlikely]]
        fail(what);
}

// Records the items, numbered from 0 to 63, that were taken: take(i) fails if item i was taken before;
// expect_taken_once() checks that exactly the items 0 to count-1 were taken. Neither orders anything between threads.
void take(unsigned item) noexcept;
void expect_taken_once(unsigned count) noexcept;
bool was_taken(unsigned item) noexcept;
unsigned taken_items() noexcept;

// Reports a result of the execution in a litmus test. The runner collects the distinct results.
void outcome(std::uint64_t value) noexcept;

// Imitates a garbage collector: stops all threads, so that everything any thread has done happens before everything
// any thread does from now on, and visits each word of the stacks of live threads, registers included. A scheduling
// point.
void stop_the_world(void (*visit)(void* context, const void* word), void* context) noexcept;

// Makes the calling thread wait until the condition holds, by a loop that yields. The condition is code of the
// scenario and should read atomics.
template <class Condition>
void wait_until(Condition&& condition) noexcept {
    while (!condition())
        yield();
}

// An item that detects misuse: to use it, move from it or destroy it when it is not alive fails. Its bytes are
// ordinary memory, so two threads that access it without order are a data race. `Padding` bytes make it larger.
template <std::size_t Padding = 1>
class item {
public:
    explicit item(unsigned number) noexcept : number_(number), state_(alive) {}
    item(item&& other) noexcept : number_(other.number()), state_(alive) { other.state_ = moved_from; }
    item(const item& other) noexcept : number_(other.number()), state_(alive) {}
    ~item() {
        check(state_ == alive || state_ == moved_from, "an item that is not there was destroyed");
        state_ = dead;
    }
    item& operator=(const item&) = delete;

    unsigned number() const noexcept {
        check(state_ == alive, "an item that is not there was used");
        return number_;
    }

private:
    static constexpr unsigned short alive = 0xA11E, moved_from = 0x3F3F, dead = 0xDEAD;
    unsigned number_;
    unsigned short state_;
    std::byte padding_[Padding];
};

// One scenario of a structure. `body` is called as described above.
struct scenario {
    const char* structure;
    const char* name;
    void (*body)();
};

}  // namespace model
