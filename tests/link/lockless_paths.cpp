// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The paths that promise to do without locked instructions and fences, each in a function of its own, to be looked at
// by no_locked_instructions.sh; and functions that break the promise, on which that script is tried out.
#include <teff/queue/bqueue.hpp>
#include <teff/queue/hand_over_cell.hpp>
#include <teff/scheduler/steal_request.hpp>
#include <teff/scheduler/xqueue_scheduler.hpp>

#include <cstdint>
#include <utility>

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

// What the schedulers of X-OpenMP do on the way of an item: for a task, for a thief, and while one waits. What they may
// call are the cold functions that wake a sleeper, and the end of an orphaned team.
using member = teff::xqueue_scheduler<int>::local;

[[gnu::noinline]] bool push(member& self, int item) { return self.try_push(std::move(item)); }
[[gnu::noinline]] int* claim(member& self) { return self.claim(); }
[[gnu::noinline]] void release(member& self, int* item) {
    self.release(item);
    self.ran_one();
}
[[gnu::noinline]] int* refill_and_answer(member& self) { return self.refill(); }
[[gnu::noinline]] bool steal(member& self) { return self.steal(); }

// The steps of a theft by themselves.
using teff::steal_request;

[[gnu::noinline]] steal_request::round ask(steal_request& at, unsigned thief) { return at.ask(thief); }
[[gnu::noinline]] void ask_again(steal_request& at, unsigned thief, steal_request::round asked) {
    if (!at.is_over(asked))
        at.ask_again(thief, asked);
}
[[gnu::noinline]] void answer(steal_request& mine, unsigned self, teff::hand_over_cell<int>* cells, int item) {
    const unsigned thief = mine.asking_thief(self);
    if (thief == steal_request::nobody)
        return;
    cells[thief].put(std::move(item));
    mine.next_round();
}
[[gnu::noinline]] void close(steal_request& mine, unsigned self) { mine.close(self); }
[[gnu::noinline]] bool take(teff::hand_over_cell<int>& cell, int& item) {
    const int* const got = cell.get();
    if (got == nullptr)
        return false;
    item = *got;
    cell.clear();
    return true;
}

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
