// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The paths that promise to do without locked instructions and fences, each in a function of its own, to be looked at
// by no_locked_instructions.sh; and functions that break the promise, on which that script is tried out.
#include <teff/queue/bqueue.hpp>

#include <cstdint>

namespace lockless {

struct value {
    std::uint64_t first, second, third;
};
using values = teff::bqueue<value>;
using pointers = teff::bqueue<value*>;

[[gnu::noinline]] bool push(values& queue, const value& item) { return queue.try_push(item); }
[[gnu::noinline]] value* front(values& queue) { return queue.front(); }
[[gnu::noinline]] void pop_front(values& queue) { queue.pop_front(); }
[[gnu::noinline]] bool may_have_items(const values& queue) { return queue.may_have_items(); }

[[gnu::noinline]] bool push(pointers& queue, value* item) { return queue.try_push(item); }
[[gnu::noinline]] value* front(pointers& queue) { return queue.front(); }
[[gnu::noinline]] void pop_front(pointers& queue) { queue.pop_front(); }
[[gnu::noinline]] bool may_have_items(const pointers& queue) { return queue.may_have_items(); }

}  // namespace lockless

#if defined(__x86_64__)
namespace broken {

[[gnu::noinline]] void adds(int& word) { asm volatile("lock addl $1, %0" : "+m"(word)); }
[[gnu::noinline]] void exchanges(int& word, int by) { asm volatile("xchg %0, %1" : "+m"(word), "+r"(by)); }
[[gnu::noinline]] void fences() { asm volatile("mfence"); }
[[gnu::noinline]] void calls(int& word) {
    adds(word);
    word = 0;
}

}  // namespace broken
#endif
