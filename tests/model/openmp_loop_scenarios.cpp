// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The worksharing constructs of OpenMP, each on two or three threads that are in no team of tasks: the ring of loops,
// which is used again after loops_at_once of them; ordered regions; `single`; and the copies of task reductions that a
// team shares.
#include "definition.hpp"
#include "openmp_kit.hpp"

#include <teff/frontends/openmp/core/tasks/task_reduction.hpp>
#include <teff/frontends/openmp/core/worksharing/doacross.hpp>
#include <teff/frontends/openmp/core/worksharing/loop.hpp>

namespace scenarios {
namespace {

using openmp::schedule_kind;

// Calls body(place) on `Size` threads.
template <unsigned Size, class Body>
void on_threads(Body&& body) {
    openmp_places places(Size);
    const auto member = [&](unsigned number) {
        return [&, number] {
            body(places.enter(number));
            teff::running_strand().place = nullptr;
        };
    };
    if constexpr (Size == 2)
        model::parallel(member(0), member(1));
    else
        model::parallel(member(0), member(1), member(2));
}

openmp::iteration_space of_count(std::uint64_t count) { return {.first = 0, .step = 1, .count = count}; }

// Each iteration runs once.
template <unsigned Size>
void a_loop(schedule_kind kind, unsigned count, bool is_monotonic = true) {
    on_threads<Size>([&](openmp::place& mine) {
        openmp::begin_loop(mine, of_count(count), {kind, 1, is_monotonic}, false);
        for (openmp::iteration_range chunk; !(chunk = openmp::next_chunk(mine)).is_empty();)
            for (std::uint64_t i = chunk.begin; i != chunk.end; ++i)
                model::take(static_cast<unsigned>(i));
        openmp::leave_loop(mine);
    });
    model::expect_taken_once(count);
}
TEFF_SCENARIO(openmp_loops, a_dynamic_loop) { a_loop<2>(schedule_kind::dynamic, 3); }
TEFF_SCENARIO(openmp_loops, a_dynamic_loop_of_three_threads) { a_loop<3>(schedule_kind::dynamic, 4); }
TEFF_SCENARIO(openmp_loops, a_guided_loop) { a_loop<2>(schedule_kind::guided, 7); }
// Each thread has a share of the chunks, from which others take when theirs are used up.
TEFF_SCENARIO(openmp_loops, a_loop_with_shares) { a_loop<2>(schedule_kind::dynamic, 5, false); }
TEFF_SCENARIO(openmp_loops, a_loop_with_shares_of_three_threads) { a_loop<3>(schedule_kind::dynamic, 7, false); }

TEFF_SCENARIO(openmp_loops, a_guided_loop_with_shares) { a_loop<2>(schedule_kind::guided, 7, false); }
TEFF_SCENARIO(openmp_loops, a_guided_loop_with_shares_of_three_threads) { a_loop<3>(schedule_kind::guided, 5, false); }

// Without a barrier between them. A thread that is ahead by more than the ring has entries waits, and the entry is as
// new when it is used again.
template <unsigned Size, bool HasShares>
void more_loops_than_entries() {
    // Each entry is used once, twice, or three times.
    constexpr unsigned loops = (Size == 2 ? 2 : 1) * openmp::loops_at_once + 2;
    on_threads<Size>([&](openmp::place& mine) {
        for (unsigned loop = 0; loop != loops; ++loop) {
            openmp::begin_loop(mine, of_count(2), {schedule_kind::dynamic, 1, !HasShares}, false);
            for (openmp::iteration_range chunk; !(chunk = openmp::next_chunk(mine)).is_empty();)
                model::take(2 * loop + static_cast<unsigned>(chunk.begin));
            openmp::leave_loop(mine);
        }
    });
    model::expect_taken_once(2 * loops);
}

// Loops with shares, which no thread counts as left before a barrier, between loops that are counted. Each entry of the
// ring is used twice at least, and a loop is followed by none of its kind.
TEFF_SCENARIO(openmp_loops, loops_that_end_with_a_barrier_and_others) {
    constexpr unsigned loops = openmp::loops_at_once + 3;
    openmp_team team(2);
    team.run([&](openmp::place& mine) {
        for (unsigned loop = 0; loop != loops; ++loop) {
            const bool has_shares = loop % 3 != 2, has_barrier = loop % 3 != 0;
            openmp::begin_loop(mine, of_count(2), {schedule_kind::dynamic, 1, !has_shares}, false);
            for (openmp::iteration_range chunk; !(chunk = openmp::next_chunk(mine)).is_empty();)
                model::take(2 * loop + static_cast<unsigned>(chunk.begin));
            if (!has_barrier) {
                openmp::leave_loop(mine);
                continue;
            }
            openmp::leave_loop_for_barrier(mine);
            self().wait_at_barrier();
            openmp::pass_loops(mine);
        }
    });
    model::expect_taken_once(2 * loops);
}

// A region ends although a thread has not left its loop. The next one begins with new loops, and so with the same
// numbers.
template <bool HasShares>
void a_loop_that_one_thread_does_not_leave() {
    openmp_places places(2);
    for (unsigned region = 0; region != 2; ++region) {
        const auto member = [&](unsigned number) {
            return [&, number] {
                openmp::place& mine = places.enter(number);
                openmp::begin_loop(mine, of_count(3), {schedule_kind::dynamic, 1, !HasShares}, false);
                for (openmp::iteration_range chunk; !(chunk = openmp::next_chunk(mine)).is_empty();)
                    model::take(3 * region + static_cast<unsigned>(chunk.begin));
                if (number == 0)
                    openmp::leave_loop(mine);
                mine.work = {};
                teff::running_strand().place = nullptr;
            };
        };
        model::parallel(member(0), member(1));
        openmp::restart_loops(places.team());
    }
    model::expect_taken_once(6);
}

// A thread cancels the region while the others are ahead of it by more loops than the ring has entries. They begin such
// a loop alone. Then the same once more in the next region.
TEFF_SCENARIO(openmp_loops, a_region_is_cancelled_before_one_thread_begins_its_loops) {
    allow_cancellation();
    openmp_places places(3);
    for (unsigned region = 0; region != 2; ++region) {
        const auto runs_ahead = [&](unsigned number) {
            return [&, number] {
                openmp::place& mine = places.enter(number);
                for (unsigned loop = 0; loop != openmp::loops_at_once + 1; ++loop) {
                    openmp::begin_loop(mine, of_count(1), {schedule_kind::dynamic, 1}, false);
                    openmp::next_chunk(mine);
                    openmp::leave_loop(mine);
                }
                mine.work = {};
                teff::running_strand().place = nullptr;
            };
        };
        const auto cancels = [&] {
            // relaxed: that it is cancelled is all that the others have to know.
            places.team().is_cancelled.store(true, std::memory_order_relaxed);
        };
        model::parallel(cancels, runs_ahead(1), runs_ahead(2));
        // relaxed: between two regions.
        places.team().is_cancelled.store(false, std::memory_order_relaxed);
        openmp::restart_loops(places.team());
    }
}

// 2^32 loops after a loop with shares there is another one, whose number is the same as far as the shares' words can
// tell. The loops between them use no shares. Only some of these run, so that each word and each entry of the ring sees
// one; the threads move their positions past the others.
TEFF_SCENARIO(openmp_loops, a_number_of_a_loop_with_shares_comes_again) {
    constexpr unsigned between = 2 * openmp::loops_at_once - 1;
    constexpr std::uint64_t left_out = (std::uint64_t{1} << 32) - (between + 1);
    constexpr unsigned count = 3;
    on_threads<2>([&](openmp::place& mine) {
        const auto run_loop = [&](unsigned loop, bool has_shares) {
            openmp::begin_loop(mine, of_count(count), {schedule_kind::dynamic, 1, !has_shares}, false);
            for (openmp::iteration_range chunk; !(chunk = openmp::next_chunk(mine)).is_empty();)
                model::take(loop * count + static_cast<unsigned>(chunk.begin));
        };
        run_loop(0, true);
        openmp::leave_loop(mine);
        for (unsigned loop = 1; loop <= between; ++loop) {
            run_loop(loop, false);
            // The last thread that leaves an entry for the last time gives it to a loop after those left out.
            const std::uint64_t moved = loop < openmp::loops_at_once ? 0 : left_out;
            mine.work.shared_loops += moved;
            openmp::leave_loop(mine);
            mine.work.shared_loops -= moved;
        }
        mine.work.shared_loops += left_out;
        run_loop(between + 1, true);
        openmp::leave_loop(mine);
    });
    model::expect_taken_once((between + 2) * count);
}

// The ordered regions run in the order of the iterations, each after the one before: what they access is ordinary
// memory. The loops follow each other without a barrier, so that an entry with a turn is used again.
template <unsigned Size>
void ordered_loops(schedule_kind kind, unsigned loops, unsigned count, bool has_region) {
    unsigned next[openmp::loops_at_once + 1] = {};
    on_threads<Size>([&](openmp::place& mine) {
        for (unsigned loop = 0; loop != loops; ++loop) {
            openmp::begin_loop(mine, of_count(count), {kind, 1}, true);
            for (openmp::iteration_range chunk; !(chunk = openmp::next_chunk(mine)).is_empty();) {
                for (std::uint64_t i = chunk.begin; i != chunk.end; ++i) {
                    // One iteration need not have a region.
                    if (!has_region && i == 1)
                        continue;
                    openmp::begin_ordered(mine);
                    model::check(next[loop] <= i, "ordered regions ran in a wrong order");
                    next[loop] = static_cast<unsigned>(i) + 1;
                    openmp::end_ordered(mine);
                }
            }
            openmp::leave_loop(mine);
        }
    });
    for (unsigned loop = 0; loop != loops; ++loop)
        model::check(next[loop] == count, "the last ordered region did not run");
}
TEFF_SCENARIO(openmp_loops, an_ordered_dynamic_loop) { ordered_loops<2>(schedule_kind::dynamic, 1, 3, true); }
TEFF_SCENARIO(openmp_loops, an_ordered_dynamic_loop_of_three_threads) {
    ordered_loops<3>(schedule_kind::dynamic, 1, 3, true);
}
TEFF_SCENARIO(openmp_loops, an_ordered_static_loop) { ordered_loops<2>(schedule_kind::static_, 1, 4, true); }
TEFF_SCENARIO(openmp_loops, an_ordered_loop_with_an_iteration_without_a_region) {
    ordered_loops<2>(schedule_kind::dynamic, 1, 3, false);
}
TEFF_SCENARIO(openmp_loops, more_ordered_loops_than_entries) {
    ordered_loops<2>(schedule_kind::dynamic, openmp::loops_at_once + 1, 2, true);
}

// Threads that wait for different numbers.
TEFF_SCENARIO(openmp_loops, two_threads_await_a_number) {
    openmp::progress number;
    const teff::atomic<bool> is_given_up{false};
    unsigned written[2] = {};
    const auto await = [&](unsigned target) {
        return [&, target] {
            number.await(target, 3, is_given_up);
            model::check(written[target - 1] == target, "a thread went on too early");
        };
    };
    model::parallel(await(1), await(2), [&] {
        // About as often as the others look before they sleep.
        for (unsigned turn = 0; turn != 20; ++turn)
            model::yield();
        written[0] = 1;
        number.advance_to(1);
        written[1] = 2;
        number.advance_to(2);
    });
}

// Threads that wait on their own, each for a condition. With this number of threads they do not give way before they
// sleep. is_met(): the condition, which a thread looks at only when it is about to sleep.
constexpr unsigned no_crowd = 1;
template <class IsMet>
void await_asleep(openmp::waiters& waiting, IsMet&& is_met) {
    waiting.await([&](std::memory_order order) { return order == std::memory_order_seq_cst && is_met(); }, no_crowd);
}

// seq_cst, in the scenarios that use it: the condition, see waiters.hpp.
class changed_condition {
public:
    bool is_met() const noexcept { return met_.load(std::memory_order_seq_cst); }
    void make_true(openmp::waiters& waiting) noexcept {
        met_.store(true, std::memory_order_seq_cst);
        waiting.notify();
    }

private:
    teff::atomic<bool> met_{false};
};

// The wake-up comes after the first thread has looked for the last time, and before it sleeps. Meanwhile a second one
// comes, which finds the condition true.
TEFF_SCENARIO(openmp_loops, a_thread_comes_between_the_last_look_and_the_sleep_of_another) {
    openmp::waiters waiting;
    changed_condition condition;
    // relaxed, both: for the order of events alone.
    teff::atomic<bool> has_looked{false}, has_left{false};
    const auto is_set = [](const teff::atomic<bool>& flag) {
        return [&flag] { return flag.load(std::memory_order_relaxed); };
    };
    model::parallel(
        [&] {
            await_asleep(waiting, [&] {
                const bool is_met = condition.is_met();
                has_looked.store(true, std::memory_order_relaxed);
                if (!is_met)
                    model::wait_until(is_set(has_left));
                return is_met;
            });
        },
        [&] {
            await_asleep(waiting, [&] { return condition.is_met(); });
            has_left.store(true, std::memory_order_relaxed);
        },
        [&] {
            model::wait_until(is_set(has_looked));
            condition.make_true(waiting);
        });
}

// Two threads wake at once. The first thread that waits is woken, looks, and is about to sleep again when its own
// condition becomes true; the second one that waits comes last and finds its condition true.
TEFF_SCENARIO(openmp_loops, two_threads_wake_while_another_one_is_about_to_sleep) {
    openmp::waiters waiting;
    changed_condition first, another, last;
    // relaxed, all: for the order of events alone.
    teff::atomic<unsigned> looks{0};
    teff::atomic<bool> has_woken{false}, has_left{false};
    const auto has_looked = [&](unsigned often) {
        return [&looks, often] { return looks.load(std::memory_order_relaxed) >= often; };
    };
    const auto is_set = [](const teff::atomic<bool>& flag) {
        return [&flag] { return flag.load(std::memory_order_relaxed); };
    };
    model::parallel(
        [&] {
            await_asleep(waiting, [&] {
                const bool is_met = last.is_met();
                const unsigned before = looks.load(std::memory_order_relaxed);
                looks.store(before + 1, std::memory_order_relaxed);
                if (!is_met && before == 1)
                    model::wait_until(is_set(has_left));
                return is_met;
            });
        },
        [&] {
            model::wait_until(has_looked(1));
            another.make_true(waiting);
            model::wait_until(has_looked(2));
            last.make_true(waiting);
        },
        [&] {
            model::wait_until(has_looked(1));
            first.make_true(waiting);
            has_woken.store(true, std::memory_order_relaxed);
        },
        [&] {
            model::wait_until(is_set(has_woken));
            await_asleep(waiting, [&] { return first.is_met(); });
            has_left.store(true, std::memory_order_relaxed);
        });
}

// Doacross loops, one after another without a barrier, so that an entry with a loop's bits is used again. Each
// iteration waits for the one before, and what they access is ordinary memory.
template <unsigned Size>
void doacross_loops(unsigned loops, unsigned count) {
    unsigned next[openmp::loops_at_once + 1] = {};
    on_threads<Size>([&](openmp::place& mine) {
        const openmp::iteration_space space = of_count(count);
        for (unsigned loop = 0; loop != loops; ++loop) {
            openmp::begin_doacross(mine, {&space, 1});
            openmp::begin_loop(mine, space, {schedule_kind::static_, 1}, false);
            openmp::doacross& crossing = *mine.work.crossing;
            for (openmp::iteration_range chunk; !(chunk = openmp::next_chunk(mine)).is_empty();) {
                const std::uint64_t i = chunk.begin;
                crossing.await(crossing.number([i](unsigned) { return i - 1; }), mine.size, mine.in->is_cancelled);
                model::check(next[loop] == i, "an iteration did not wait for the one before");
                next[loop] = static_cast<unsigned>(i) + 1;
                crossing.post(crossing.number([i](unsigned) { return i; }));
            }
            openmp::leave_loop(mine);
        }
    });
    for (unsigned loop = 0; loop != loops; ++loop)
        model::check(next[loop] == count, "the last iteration did not run");
}

// The posts of a doacross loop of three iterations, without a team. What an iteration leaves is ordinary memory.
class posted_iterations {
public:
    void post(unsigned number) noexcept {
        done_[number] = 1;
        posts_.post(number);
    }
    void await(unsigned number, unsigned threads) noexcept {
        posts_.await(number, threads, is_given_up_);
        model::check(done_[number] == 1, "an iteration did not wait for another one");
    }

private:
    static constexpr openmp::iteration_space space_{.first = 0, .step = 1, .count = 3};
    alignas(openmp::doacross) std::byte memory_[128];
    openmp::doacross& posts_ = openmp::doacross::make(memory_, {&space_, 1});
    const teff::atomic<bool> is_given_up_{false};
    unsigned done_[3] = {};
};

// Both posts are bits of one word.
TEFF_SCENARIO(openmp_loops, two_iterations_post_at_once) {
    posted_iterations all;
    model::parallel([&] { all.post(0); }, [&] { all.post(1); },
                    [&] {
                        all.await(1, 3);
                        all.await(0, 3);
                    });
}

TEFF_SCENARIO(openmp_loops, a_post_finds_a_thread_that_goes_to_sleep) {
    posted_iterations all;
    model::parallel([&] { all.post(0); }, [&] { all.await(0, no_crowd); });
}

// Without barriers: each block is executed by one thread, however far the threads are apart.
template <unsigned Size>
void singles_without_barriers() {
    constexpr unsigned count = 3;
    on_threads<Size>([&](openmp::place& mine) {
        for (unsigned i = 0; i != count; ++i) {
            if (openmp::begin_single(mine))
                model::take(i);
        }
    });
    model::expect_taken_once(count);
}

// copyprivate, twice in a row: what one thread publishes is there for all others, until the barrier at the end.
TEFF_SCENARIO(openmp_loops, values_of_singles) {
    openmp_team team(2);
    unsigned values[2] = {};
    team.run([&](openmp::place& mine) {
        teff::atomic<void*>& published = mine.in->broadcast;
        for (unsigned& value : values) {
            const bool is_mine = openmp::begin_single(mine);
            if (is_mine) {
                value = 7;
                // relaxed, both: the barriers order them, as in the calls of both compilers.
                published.store(&value, std::memory_order_relaxed);
            }
            self().wait_at_barrier();
            const auto* const seen = static_cast<const unsigned*>(published.load(std::memory_order_relaxed));
            model::check(seen == &value && *seen == 7, "a thread got a wrong value");
            self().wait_at_barrier();
        }
    });
}

// The first thread that arrives makes the copies, and the last one that leaves frees them. Two constructs in a row,
// each with the barrier at its end.
TEFF_SCENARIO(openmp_loops, copies_of_two_reductions) {
    openmp_team team(2);
    team.run([&](openmp::place& mine) {
        openmp::shared_reductions& shared = mine.in->reductions;
        for (unsigned construct = 0; construct != 2; ++construct) {
            openmp::reduction_copies& copies =
                openmp::share_copies(mine, shared, [&]() -> openmp::reduction_copies& {
                    return openmp::make_copies(mine.size, 1, sizeof(unsigned), alignof(unsigned));
                });
            ++*reinterpret_cast<unsigned*>(copies.copy(mine.number, 0));
            if (openmp::reduction_copies* const last = openmp::unshare_copies(mine, shared)) {
                for (unsigned thread = 0; thread != mine.size; ++thread)
                    model::check(*reinterpret_cast<unsigned*>(last->copy(thread, 0)) == 1,
                                 "the copy of a thread is not there");
                openmp::free_copies(*last);
            }
            self().wait_at_barrier();
        }
    });
}

TEFF_SCENARIO(openmp_loops, more_loops_with_shares_than_entries) { more_loops_than_entries<2, true>(); }
TEFF_SCENARIO(openmp_loops, more_loops_than_entries) { more_loops_than_entries<2, false>(); }
TEFF_SCENARIO(openmp_loops, more_loops_than_entries_on_three_threads) { more_loops_than_entries<3, false>(); }
TEFF_SCENARIO(openmp_loops, a_loop_that_one_thread_does_not_leave) { a_loop_that_one_thread_does_not_leave<false>(); }
TEFF_SCENARIO(openmp_loops, a_loop_with_shares_that_one_thread_does_not_leave) {
    a_loop_that_one_thread_does_not_leave<true>();
}
TEFF_SCENARIO(openmp_loops, a_doacross_loop) { doacross_loops<2>(1, 4); }
TEFF_SCENARIO(openmp_loops, a_doacross_loop_of_three_threads) { doacross_loops<3>(1, 3); }
TEFF_SCENARIO(openmp_loops, more_doacross_loops_than_entries) { doacross_loops<2>(openmp::loops_at_once + 1, 2); }
TEFF_SCENARIO(openmp_loops, singles_without_barriers) { singles_without_barriers<2>(); }
TEFF_SCENARIO(openmp_loops, singles_without_barriers_on_three_threads) { singles_without_barriers<3>(); }

}  // namespace

std::span<const model::scenario> openmp_loop_scenarios() { return in_prepared_process(defined_here); }

}  // namespace scenarios
