// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arenas: teams that threads of the program join for one call. The arena, its team and the pool's workers are all real.
// Each call and each task is run once, never more threads are in an arena than it has slots, what a call leaves is
// visible to its caller, and no thread waits for ever: neither a guest beside a free slot, nor a task beside an idle
// worker.
#include "definition.hpp"
#include "fork_join_kit.hpp"

#include <teff/base/atomic.hpp>
#include <teff/frontends/fork_join/arena_state.hpp>
#include <teff/frontends/fork_join/arena_task.hpp>
#include <teff/pool/pool.hpp>
#include <teff/team/team_options.hpp>

#include <stop_token>

namespace scenarios {
namespace {

class open_arena {
public:
    explicit open_arena(unsigned slots) : slots_(slots), life_(options_for(slots), {}) {}

    template <class F>
    void execute(F function) {
        life_.run([](void* given) { (*static_cast<F*>(given))(); }, &function);
    }
    template <class F>
    void enqueue(F function) {
        forking::enqueue<forking::no_group>(life_, nullptr, function);
    }
    template <class F>
    void enqueue(plain_group& group, F function) {
        forking::enqueue<plain_group>(life_, &group, function);
    }
    void wait() { life_.wait(); }

    // Calls `function`, and checks that the arena has no more threads in it than it may.
    template <class F>
    void as_one_of_its_threads(F&& function) {
        // relaxed, both: a count.
        model::check(inside_.fetch_add(1, std::memory_order_relaxed) < slots_, "an arena has too many threads in it");
        function();
        inside_.fetch_sub(1, std::memory_order_relaxed);
    }

private:
    static teff::team_options options_for(unsigned slots) {
        teff::team_options how;
        how.settings.slots = slots;
        how.settings.dry_polls = 1;
        how.scheduler = "demand";
        how.spin_us = 10;  // one look at the model's clock
        return how;
    }

    const unsigned slots_;
    teff::atomic<unsigned> inside_{0};
    forking::arena_life life_;
};

// A call of a thread of the program, which finds what the call has left.
void call(open_arena& arena, visit& function, unsigned expected) {
    arena.execute([&] { arena.as_one_of_its_threads(function); });
    function.expect(expected);
}

// The worker may find no slot for the task, and sleep, before the guest leaves.
TEFF_SCENARIO(guests, a_task_comes_while_a_guest_has_the_only_slot) {
    visit one(0), two(1);
    {
        open_arena arena(1);
        const auto guest = [&] { call(arena, one, 1); };
        const auto foreign = [&] { arena.enqueue([&] { arena.as_one_of_its_threads(two); }); };
        model::parallel(guest, foreign);
    }
    two.expect(2);
    model::expect_taken_once(2);
}

// The same where no other thread enters the arena, so the guest that leaves has to call the worker.
TEFF_SCENARIO(guests, a_task_comes_as_a_guest_frees_the_only_slot) {
    visit one(0), two(1);
    teff::atomic<bool> has_run{false};
    {
        open_arena arena(1);
        const auto guest = [&] { call(arena, one, 1); };
        const auto foreign = [&] {
            arena.enqueue([&] {
                arena.as_one_of_its_threads(two);
                // relaxed, both: what is to be seen, the arena orders.
                has_run.store(true, std::memory_order_relaxed);
            });
            model::wait_until([&] { return has_run.load(std::memory_order_relaxed); });
        };
        model::parallel(guest, foreign);
    }
    two.expect(2);
    model::expect_taken_once(2);
}

// The guest waits until the task has ended, and no other thread calls the worker.
TEFF_SCENARIO(guests, a_guest_enqueues_a_task_and_waits_for_it) {
    visit one(0), two(1);
    {
        open_arena arena(1);
        arena.execute([&] {
            one();
            arena.enqueue([&] { arena.as_one_of_its_threads(two); });
        });
        arena.wait();
        two.expect(2);
    }
    model::expect_taken_once(2);
}

TEFF_SCENARIO(guests, two_guests_of_one_slot) {
    visit one(0), two(1);
    {
        open_arena arena(1);
        model::parallel([&] { call(arena, one, 1); }, [&] { call(arena, two, 2); });
    }
    model::expect_taken_once(2);
}

TEFF_SCENARIO(guests, three_guests_of_two_slots) {
    visit one(0), two(1), three(2);
    {
        open_arena arena(2);
        model::parallel([&] { call(arena, one, 1); }, [&] { call(arena, two, 2); }, [&] { call(arena, three, 3); });
    }
    model::expect_taken_once(3);
}

// The worker runs the call between its tasks, or passes its slot to the guest when it leaves.
TEFF_SCENARIO(guests, a_guest_finds_the_slot_taken_by_a_worker) {
    visit one(0), two(1), three(2);
    {
        open_arena arena(1);
        arena.enqueue([&] { arena.as_one_of_its_threads(one); });
        arena.enqueue([&] { arena.as_one_of_its_threads(two); });
        call(arena, three, 3);
    }
    one.expect(1);
    two.expect(2);
    model::expect_taken_once(3);
}

// The guests are members of an arena each, and wait for a slot of the other one.
TEFF_SCENARIO(guests, guests_of_two_arenas_change_places) {
    visit one(0), two(1);
    {
        open_arena left(1), right(1);
        model::parallel([&] { left.execute([&] { call(right, one, 1); }); },
                        [&] { right.execute([&] { call(left, two, 2); }); });
    }
    model::expect_taken_once(2);
}

// A thread that enters the arena a second time, through another one, uses no second slot.
TEFF_SCENARIO(guests, a_guest_enters_the_same_arena_again) {
    visit one(0), two(1);
    {
        open_arena left(1), right(1);
        model::parallel([&] { left.execute([&] { right.execute([&] { left.execute([&] { one(); }); }); }); },
                        [&] { call(left, two, 2); });
    }
    one.expect(1);
    model::expect_taken_once(2);
}

// The guest leaves while its tasks are queued; the next member runs them.
TEFF_SCENARIO(guests, a_guest_leaves_tasks_behind) {
    visit one(0), two(1), three(2);
    plain_group group;
    {
        open_arena arena(1);
        const auto first = [&] {
            arena.execute([&] {
                run_in(group, [&] { one(); });
                run_in(group, [&] { two(); });
            });
        };
        model::parallel(first, [&] { call(arena, three, 3); });
    }
    group.wait();
    one.expect(1);
    two.expect(2);
    model::expect_taken_once(3);
}

// The arena may be gone as soon as the last task has counted down.
TEFF_SCENARIO(guests, an_arena_ends_while_its_tasks_do) {
    visit one(0), two(1);
    {
        open_arena arena(2);
        arena.enqueue([&] { one(); });
        arena.enqueue([&] { two(); });
    }
    one.expect(1);
    two.expect(2);
    model::expect_taken_once(2);
}

// A task comes while the threads that wait for the arena's tasks take slots and leave them.
TEFF_SCENARIO(guests, two_threads_wait_while_a_task_comes) {
    visit one(0), two(1);
    {
        open_arena arena(1);
        arena.enqueue([&] { arena.as_one_of_its_threads(one); });
        model::parallel([&] { arena.wait(); },
                        [&] {
                            arena.enqueue([&] { arena.as_one_of_its_threads(two); });
                            arena.wait();
                            two.expect(2);
                        });
        one.expect(1);
    }
    model::expect_taken_once(2);
}

// The only worker stays in the first arena until it finds no more work there. Only then does it serve the other one.
TEFF_SCENARIO(guests, one_worker_serves_two_arenas) {
    visit one(0), two(1), three(2);
    {
        open_arena left(1), right(1);
        left.enqueue([&] { left.as_one_of_its_threads(one); });
        model::parallel([&] { right.enqueue([&] { right.as_one_of_its_threads(two); }); },
                        [&] { call(left, three, 3); });
        right.wait();
        two.expect(2);
    }
    one.expect(1);
    model::expect_taken_once(3);
}

// On top of its wait for a slot of `wanted`, a guest runs a task that waits for a call in `wanted`. Nothing may keep a
// slot for the guest then.
TEFF_SCENARIO(guests, a_guest_waits_again_on_top_of_its_wait_for_a_slot) {
    teff::pool::instance().ensure_workers(2);
    visit one(0), two(1), three(2);
    {
        open_arena wanted(1), other(1), own(1);
        const auto guest = [&] {
            own.execute([&] {
                own.enqueue([&] {
                    plain_group group;
                    other.enqueue(group, [&] { call(wanted, one, 1); });
                    group.wait();
                });
                call(wanted, two, 2);
            });
        };
        model::parallel(guest, [&] { call(wanted, three, 3); });
    }
    model::expect_taken_once(3);
}

// The call waits for a task that waits itself, in the only slot. The member may not run the call on top of the task.
TEFF_SCENARIO(guests, a_guest_waits_for_a_task_that_waits) {
    visit one(0), two(1), three(2);
    {
        open_arena arena(1);
        plain_group group;
        arena.enqueue(group, [&] {
            one();
            plain_group inner;
            arena.enqueue(inner, [&] { two(); });
            inner.wait();
        });
        arena.execute([&] {
            group.wait();
            three();
        });
        one.expect(1);
    }
    model::expect_taken_once(3);
}

// The same where the guest is a member of another arena.
TEFF_SCENARIO(guests, a_member_of_another_arena_waits_for_a_task_that_waits) {
    visit one(0), two(1), three(2);
    {
        open_arena arena(1), other(1);
        other.execute([&] {
            plain_group group;
            arena.enqueue(group, [&] {
                one();
                plain_group inner;
                arena.enqueue(inner, [&] { two(); });
                inner.wait();
            });
            arena.execute([&] {
                group.wait();
                three();
            });
        });
    }
    model::expect_taken_once(3);
}

// The only thread of `outer` waits in `inner` for a task, which another thread runs, and which calls `outer`. So that
// call is run on top of the wait, whether it comes before the thread sleeps or wakes it.
TEFF_SCENARIO(guests, a_member_further_in_runs_a_call_of_the_arena_further_out) {
    visit one(0), two(1);
    {
        open_arena outer(1), inner(2);
        outer.execute([&] {
            inner.execute([&] {
                plain_group group;
                run_in(group, [&] { call(outer, one, 1); });
                group.wait();
                two();
            });
        });
        one.expect(1);
    }
    model::expect_taken_once(2);
}

// The same with a task that another thread of the program enqueues, and that the thread waits for on its way.
TEFF_SCENARIO(guests, a_member_further_in_runs_a_task_of_the_arena_further_out) {
    visit one(0), two(1);
    {
        open_arena outer(1), inner(1);
        teff::atomic<bool> is_inside{false};
        const auto member = [&] {
            outer.execute([&] {
                inner.execute([&] {
                    plain_group group;
                    outer.enqueue(group, [&] { one(); });
                    // relaxed, both: only tells the other thread when to begin.
                    is_inside.store(true, std::memory_order_relaxed);
                    group.wait();
                    one.expect(1);
                });
            });
        };
        const auto foreign = [&] {
            model::wait_until([&] { return is_inside.load(std::memory_order_relaxed); });
            outer.enqueue([&] { two(); });
        };
        model::parallel(member, foreign);
    }
    two.expect(2);
    model::expect_taken_once(2);
}

// Each of two threads has the only slot of an arena, and waits in a third one for a task that calls the other's.
TEFF_SCENARIO(guests, members_further_in_run_calls_of_each_other) {
    visit one(0), two(1);
    {
        open_arena left(1), right(1), common(2);
        const auto enters = [&](open_arena& own, open_arena& other, visit& mine, unsigned identity) {
            own.execute([&] { common.execute([&] { call(other, mine, identity); }); });
        };
        model::parallel([&] { enters(left, right, one, 1); }, [&] { enters(right, left, two, 2); });
    }
    model::expect_taken_once(2);
}

}  // namespace

std::span<const model::scenario> guest_scenarios() { return defined_here; }

}  // namespace scenarios
