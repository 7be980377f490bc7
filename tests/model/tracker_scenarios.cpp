// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The dependence trackers alone, without a team: one thread issues tasks while others release them. Each task runs
// once, sees what every task that it depends on has done, and none is left at the end.
//
// A thread that makes tasks ready runs them itself, and a thread that issues a ready task runs it or hands it over. So
// the tracker alone orders tasks of different threads. A task is freed by the thread that has released it, and the
// objects are freed at the end, or as soon as they are idle; the tracker must not touch them after that.
#include "scenarios.hpp"

#include <teff/base/allocation.hpp>
#include <teff/base/backoff.hpp>
#include <teff/depend/every_tracker.hpp>
#include <teff/depend/tracker.hpp>

#include <array>
#include <initializer_list>
#include <iterator>
#include <vector>

namespace scenarios {
namespace {

namespace depend = teff::depend;
using depend::access_kind;

constexpr unsigned most_tasks = 8;  // of a program
constexpr unsigned most_accesses = 2;
constexpr unsigned object_count = 4;

struct use {
    unsigned object;
    access_kind kind;
};
constexpr use in(unsigned object) { return {object, access_kind::in}; }
constexpr use out(unsigned object) { return {object, access_kind::out}; }
constexpr use inout(unsigned object) { return {object, access_kind::inout}; }
constexpr use commutative(unsigned object) { return {object, access_kind::commutative}; }
constexpr use concurrent(unsigned object) { return {object, access_kind::concurrent}; }

struct room_for_accesses {
    std::array<depend::tracked_access, most_accesses> room;
};
struct work : room_for_accesses, depend::tracked_task {
    work(unsigned number_in_program, unsigned count) noexcept
        : tracked_task(room.data(), count), number(number_in_program) {}

    const unsigned number;
    unsigned awaited = 0;  // bits: the tasks that must have ended before
};

// The rules for one object (depend/tracked.hpp): all tasks of earlier generations must have ended.
class generations {
public:
    // The tasks that the next one waits for.
    unsigned next(unsigned task, access_kind kind) noexcept {
        if (youngest_ == 0 || !depend::joins(kind_, kind)) {
            older_ |= youngest_;
            youngest_ = 0;
            kind_ = kind;
        }
        youngest_ |= 1U << task;
        return older_;
    }
    unsigned all() const noexcept { return older_ | youngest_; }

private:
    unsigned older_ = 0, youngest_ = 0;  // bits: tasks
    access_kind kind_{};
};

template <class Tracker>
class program {
public:
    program() noexcept {
        for (depend::tracked_object*& each : objects_) {
            each = teff::create<depend::tracked_object>();
            model::check(each != nullptr, "no memory for an object");
            Tracker::open(*each);
        }
    }

    // The issuer. Returns the task if it is ready; otherwise the thread that makes it ready runs it.
    work* issue(std::initializer_list<use> uses) noexcept {
        work* const made = teff::create<work>(count_, static_cast<unsigned>(uses.size()));
        model::check(made != nullptr, "no memory for a task");
        depend::tracked_access* next = made->accesses;
        for (const use& each : uses) {
            made->awaited |= rules_[each.object].next(count_, each.kind);
            next->object = objects_[each.object];
            next->task = made;
            next->kind = each.kind;
            ++next;
        }
        ++count_;
        switch (tracker_.issue(*made)) {
        case depend::issue_result::ready:
            return made;
        case depend::issue_result::waits:
            break;
        case depend::issue_result::no_memory:
            model::fail("memory was refused");
        }
        return nullptr;
    }
    work* issue_ready(std::initializer_list<use> uses) noexcept {
        work* const made = issue(uses);
        model::check(made != nullptr, "a task waits for nothing");
        return made;
    }
    void issue_waiting(std::initializer_list<use> uses) noexcept {
        model::check(issue(uses) == nullptr, "a task does not wait");
    }
    bool can_start(use next) noexcept { return Tracker::can_start(*objects_[next.object], next.kind); }
    bool is_idle(unsigned object) noexcept { return Tracker::is_idle(*objects_[object]); }
    // When the object is idle: the issuer sees what its tasks did, and may free it.
    void expect_ended(unsigned object) noexcept { expect_done(rules_[object].all()); }
    void end_object(unsigned object) noexcept {
        Tracker::close(*objects_[object]);
        teff::destroy(objects_[object]);
        objects_[object] = nullptr;
    }

    // Any thread: runs a ready task and those that this makes ready. nullptr: has no effect.
    void run(work* first) noexcept {
        if (first == nullptr)
            return;
        depend::ready_list ready;
        ready.push(*first);
        run_all(ready, [&] { return search_now(ready); });
    }
    void issue_and_run(std::initializer_list<use> uses) noexcept { run(issue(uses)); }
    // A thread that has no task; runs what it finds.
    void search() noexcept {
        depend::ready_list ready;
        tracker_.search(ready);
        run_all(ready, [&] { return search_now(ready); });
    }
    // The same as the front end does it: searches are a task, which is queued here. It runs in run_queued_searches().
    void run_and_request_search(work* first) noexcept {
        depend::ready_list ready;
        ready.push(*first);
        run_all(ready, [&] { return queue_search(); });
    }
    void run_queued_searches() noexcept {
        // acquire: sees the search task; partner: the release in queue_search().
        while (is_queued_.exchange(false, std::memory_order_acquire)) {
            model::check(search_task_ == 1, "the search task is used twice");
            search_.begin();
            depend::ready_list ready;
            tracker_.search(ready);
            run_all(ready, [&] { return queue_search(); });
        }
    }

    // After all threads.
    void expect_end() noexcept {
        model::expect_taken_once(count_);
        for (unsigned i = 0; i < object_count; ++i) {
            if (objects_[i] == nullptr)
                continue;
            model::check(is_idle(i) && can_start(in(i)) && can_start(commutative(i)) && can_start(inout(i)),
                         "an object is still in use");
            end_object(i);
        }
        depend::ready_list found;
        while (tracker_.may_have_missed())
            tracker_.search(found);
        model::check(found.empty(), "a search found a task again");
    }

private:
    // missed: called when releases may have missed tasks; returns whether there are ready tasks again.
    template <class Missed>
    void run_all(depend::ready_list& ready, Missed&& missed) noexcept {
        for (;;) {
            while (depend::tracked_task* const next = ready.pop()) {
                auto* const task = static_cast<work*>(next);
                model::take(task->number);
                expect_done(task->awaited);
                done_[task->number] = 1;
                tracker_.release(*task, ready);
                teff::destroy(task);
            }
            if (!tracker_.may_have_missed() || !missed())
                return;
        }
    }
    bool search_now(depend::ready_list& found) noexcept {
        tracker_.search(found);
        return true;
    }
    bool queue_search() noexcept {
        if (search_.make()) {
            search_task_ = 1;
            // release: publishes the search task; partner: the acquire in run_queued_searches().
            is_queued_.store(true, std::memory_order_release);
        }
        return false;
    }
    void expect_done(unsigned tasks) const noexcept {
        for (unsigned i = 0; i < most_tasks; ++i)
            model::check((tasks >> i & 1) == 0 || done_[i] == 1, "a task came before one that it depends on");
    }

    Tracker tracker_;
    std::array<depend::tracked_object*, object_count> objects_{};
    // the issuer
    unsigned count_ = 0;
    std::array<generations, object_count> rules_;
    // Ordinary memory: each task writes its own, and reads those of the tasks that it depends on.
    std::array<unsigned, most_tasks> done_{};
    depend::search_request search_;
    unsigned search_task_ = 0;  // ordinary memory, as that of a task's descriptor
    teff::atomic<bool> is_queued_{false};
};

// Hands tasks from the issuer to one other thread, and the end of the program. It orders what came before put().
class hand_over {
public:
    void put(work* task) noexcept {
        // release: publishes the task; partner: the acquire in take().
        if (task != nullptr)
            cells_[put_++].store(task, std::memory_order_release);
    }
    // release: all that was put is seen before the end; partner: the acquire in take().
    void end() noexcept { is_over_.store(true, std::memory_order_release); }
    // Waits for the next one; nullptr: there are no more.
    work* take() noexcept {
        for (;;) {
            // acquire, both: partners of the releases in end() and put().
            const bool is_over = is_over_.load(std::memory_order_acquire);
            if (work* const got = cells_[taken_].load(std::memory_order_acquire)) {
                ++taken_;
                return got;
            }
            if (is_over)
                return nullptr;
            teff::yield_thread();
        }
    }

private:
    std::array<teff::atomic<work*>, most_tasks> cells_{};
    teff::atomic<bool> is_over_{false};
    unsigned put_ = 0;    // the issuer
    unsigned taken_ = 0;  // the other thread
};

template <class T>
void readers_after_a_writer() {
    program<T> all;
    work* const writer = all.issue_ready({inout(0)});
    model::parallel([&] { all.run(writer); },
                    [&] {
                        all.issue_and_run({in(0)});
                        all.issue_and_run({in(0)});
                    });
    all.expect_end();
}

template <class T>
void a_writer_after_two_readers() {
    program<T> all;
    work* const one = all.issue_ready({in(0)});
    work* const two = all.issue_ready({in(0)});
    model::parallel([&] { all.run(one); }, [&] { all.run(two); }, [&] { all.issue_and_run({inout(0)}); });
    all.expect_end();
}

// The generation before may have ended, or all of them. (A task that Fig. 3 of the paper counts as waiting then waits
// for ever.)
template <class T>
void generations_that_end_while_the_next_are_issued() {
    program<T> all;
    work* const first = all.issue_ready({in(0)});
    model::parallel([&] { all.run(first); },
                    [&] {
                        all.issue_and_run({inout(0)});
                        all.issue_and_run({in(0)});
                        all.issue_and_run({inout(0)});
                    });
    all.expect_end();
}

template <class T>
void concurrent_tasks_after_commutative_ones() {
    program<T> all;
    work* const one = all.issue_ready({commutative(0)});
    work* const two = all.issue_ready({commutative(0)});
    model::parallel([&] { all.run(one); }, [&] { all.run(two); },
                    [&] {
                        all.issue_and_run({concurrent(0)});
                        all.issue_and_run({concurrent(0)});
                        all.issue_and_run({commutative(0)});
                    });
    all.expect_end();
}

// Tasks join the generation that runs, and end before and after it.
template <class T>
void tasks_join_a_generation_that_ends() {
    program<T> all;
    work* const first = all.issue_ready({commutative(0)});
    model::parallel([&] { all.run(first); },
                    [&] {
                        work* const joined = all.issue_ready({commutative(0)});
                        work* const next = all.issue({in(0)});
                        all.run(joined);
                        all.run(next);
                    });
    all.expect_end();
}

template <class T>
void a_generation_grows_while_it_waits() {
    program<T> all;
    work* const writer = all.issue_ready({inout(0)});
    all.issue_waiting({concurrent(0)});
    model::parallel([&] { all.run(writer); },
                    [&] {
                        all.issue_and_run({concurrent(0)});
                        all.issue_and_run({commutative(0)});
                    });
    all.expect_end();
}

template <class T>
void a_task_waits_for_two_objects() {
    program<T> all;
    work* const left = all.issue_ready({inout(0)});
    work* const right = all.issue_ready({inout(1)});
    model::parallel([&] { all.run(left); }, [&] { all.run(right); },
                    [&] { all.issue_and_run({in(0), inout(1)}); });
    all.expect_end();
}

// Whichever release is the second one makes the task ready.
template <class T>
void two_releases_make_a_task_ready() {
    program<T> all;
    work* const left = all.issue_ready({inout(0)});
    work* const right = all.issue_ready({inout(1)});
    all.issue_waiting({inout(0), inout(1)});
    model::parallel([&] { all.run(left); }, [&] { all.run(right); });
    all.expect_end();
}

template <class T>
void two_readers_make_a_writer_ready() {
    program<T> all;
    work* const one = all.issue_ready({in(0)});
    work* const two = all.issue_ready({in(0)});
    all.issue_waiting({inout(0)});
    model::parallel([&] { all.run(one); }, [&] { all.run(two); });
    all.expect_end();
}

// The task before it may end after the first access has been registered and before the second.
template <class T>
void the_second_object_is_free() {
    program<T> all;
    work* const first = all.issue_ready({inout(0)});
    model::parallel([&] { all.run(first); },
                    [&] {
                        all.issue_and_run({in(0), commutative(1)});
                        all.issue_and_run({inout(1)});
                    });
    all.expect_end();
}

// A task has two accesses, and its release makes a task ready by each of them.
template <class T>
void one_release_makes_two_tasks_ready() {
    program<T> all;
    work* const first = all.issue_ready({inout(0), inout(1)});
    model::parallel([&] { all.run(first); },
                    [&] {
                        all.issue_and_run({in(0)});
                        all.issue_and_run({inout(1)});
                        all.issue_and_run({in(0), in(1)});
                    });
    all.expect_end();
}

// Only the issuer adds tasks, so what can start may be issued and is ready.
template <class T>
void what_can_start_is_ready() {
    program<T> all;
    work* const one = all.issue_ready({in(0)});
    model::parallel([&] { all.run(one); },
                    [&] {
                        const bool can_read = all.can_start(in(0));
                        model::check(can_read, "a reader waits for a reader");
                        const bool can_write = all.can_start(inout(0));
                        if (can_write)
                            all.expect_ended(0);
                        work* const writer = all.issue({inout(0)});
                        model::check(writer != nullptr || !can_write, "a task that can start waits");
                        const bool can_follow = all.can_start(concurrent(0));
                        model::check(writer == nullptr || !can_follow, "a task could start before one that it needs");
                        all.run(writer);
                        work* const last = all.issue({concurrent(0)});
                        model::check(last != nullptr || !can_follow, "a task that can start waits");
                        all.run(last);
                    });
    all.expect_end();
}

// The second reader joins one that may still wait for the writer.
template <class T>
void a_task_that_joins_waiting_ones_can_start_later() {
    program<T> all;
    work* const writer = all.issue_ready({inout(0)});
    all.issue_waiting({in(0)});
    model::check(!all.can_start(in(0)), "a task could start before one that it needs");
    model::parallel([&] { all.run(writer); },
                    [&] {
                        const bool can_join = all.can_start(in(0));
                        work* const reader = all.issue({in(0)});
                        model::check(reader != nullptr || !can_join, "a task that can start waits");
                        all.run(reader);
                    });
    all.expect_end();
}

// The front end renames an object that is not idle, and otherwise issues `out`.
template <class T>
void an_idle_object_is_overwritten() {
    program<T> all;
    work* const one = all.issue_ready({in(0)});
    work* const two = all.issue_ready({commutative(1)});
    model::parallel([&] { all.run(one); }, [&] { all.run(two); },
                    [&] {
                        for (unsigned object = 0; object < object_count; ++object) {
                            if (all.is_idle(object)) {
                                all.expect_ended(object);
                                all.run(all.issue_ready({out(object)}));
                            } else {
                                all.issue_and_run({inout(object)});
                            }
                        }
                    });
    all.expect_end();
}

template <class T>
void an_idle_object_is_freed() {
    program<T> all;
    work* const writer = all.issue_ready({inout(0)});
    model::parallel([&] { all.run(writer); },
                    [&] {
                        all.issue_and_run({in(0), inout(1)});
                        model::wait_until([&] { return all.is_idle(0); });
                        all.expect_ended(0);
                        all.end_object(0);
                        model::wait_until([&] { return all.is_idle(1); });
                        all.end_object(1);
                    });
    all.expect_end();
}

template <class T>
void another_thread_runs_what_is_issued() {
    program<T> all;
    hand_over ready;
    model::parallel(
        [&] {
            ready.put(all.issue({inout(0)}));
            ready.put(all.issue({in(0)}));
            ready.put(all.issue({in(0), inout(1)}));
            ready.put(all.issue({commutative(0)}));
            ready.end();
        },
        [&] {
            while (work* const next = ready.take())
                all.run(next);
        });
    all.expect_end();
}

template <class T>
void two_threads_run_what_is_issued() {
    program<T> all;
    hand_over left, right;
    const auto run = [&](hand_over& from) {
        while (work* const next = from.take())
            all.run(next);
    };
    model::parallel(
        [&] {
            left.put(all.issue({concurrent(0)}));
            right.put(all.issue({concurrent(0)}));
            left.put(all.issue({inout(0), inout(1)}));
            right.put(all.issue({in(1)}));
            left.end();
            right.end();
        },
        [&] { run(left); }, [&] { run(right); });
    all.expect_end();
}

// The deepest task waits for tasks of different depths, so `tickets` looks for it in the wrong place if the other one
// ends last.
template <class T>
void tasks_of_different_depth_are_waited_for() {
    program<T> all;
    work* const left = all.issue_ready({inout(0)});
    all.issue_waiting({inout(0)});
    work* const right = all.issue_ready({inout(1)});
    all.issue_waiting({in(0), in(1)});
    model::parallel([&] { all.run(left); }, [&] { all.run(right); });
    all.expect_end();
}

template <class T>
void a_deep_task_is_issued_while_others_end() {
    program<T> all;
    work* const left = all.issue_ready({inout(0)});
    work* const right = all.issue_ready({inout(1)});
    model::parallel([&] { all.run(left); }, [&] { all.run(right); },
                    [&] {
                        all.issue_and_run({inout(0)});
                        all.issue_and_run({in(0), in(1)});
                    });
    all.expect_end();
}

// The scenarios below are for `tickets` alone, whose releases may miss tasks, and for its pool.

// The last task is too deep for the release before it, so that it has to be found by a search. The other thread may
// have searched before, or search at the same time.
void a_search_meets_a_release() {
    program<depend::tickets> all;
    all.issue_and_run({inout(1)});
    all.issue_and_run({inout(1)});
    work* const first = all.issue_ready({inout(0)});
    all.issue_waiting({in(0), in(1)});
    model::parallel([&] { all.run(first); }, [&] { all.search(); });
    all.expect_end();
}

void two_searches_meet_a_release() {
    program<depend::tickets> all;
    all.issue_and_run({inout(1)});
    all.issue_and_run({inout(1)});
    work* const first = all.issue_ready({commutative(0)});
    all.issue_waiting({in(0), concurrent(1)});
    all.issue_waiting({in(0), concurrent(1)});
    model::parallel([&] { all.run(first); }, [&] { all.search(); }, [&] { all.search(); });
    all.expect_end();
}

void a_search_meets_an_issue() {
    program<depend::tickets> all;
    all.issue_and_run({inout(1)});
    all.issue_and_run({inout(1)});
    work* const first = all.issue_ready({inout(0)});
    model::parallel([&] { all.run(first); }, [&] { all.search(); },
                    [&] { all.issue_and_run({in(0), in(1)}); });
    all.expect_end();
}

// Three releases miss a task each. Whichever thread is free runs the search task; the last one at the end.
void searches_are_queued_once() {
    program<depend::tickets> all;
    all.issue_and_run({inout(0)});
    all.issue_and_run({inout(0)});
    work* const one = all.issue_ready({inout(1)});
    work* const two = all.issue_ready({inout(2)});
    work* const three = all.issue_ready({inout(3)});
    for (const unsigned object : {1U, 2U, 3U})
        all.issue_waiting({in(0), in(object)});
    model::parallel(
        [&] {
            all.run_and_request_search(one);
            all.run_queued_searches();
            all.run_and_request_search(two);
            all.run_queued_searches();
        },
        [&] {
            all.run_and_request_search(three);
            all.run_queued_searches();
        });
    all.run_queued_searches();
    all.expect_end();
}

// Two threads ask for a search; the one whose request is refused relies on the other one's.
void a_search_sees_what_every_request_is_for() {
    depend::search_request search;
    teff::atomic<bool> is_queued{false};
    std::array<teff::atomic<bool>, 2> to_be_found{};
    const auto run_queued = [&] {
        // acquire: sees the search that was asked for, as if a queue had handed it over; partner: the release below.
        while (is_queued.exchange(false, std::memory_order_acquire)) {
            search.begin();
            for (unsigned i = 0; i < to_be_found.size(); ++i) {
                // relaxed, both: the request orders them after the store below.
                if (to_be_found[i].load(std::memory_order_relaxed) &&
                    to_be_found[i].exchange(false, std::memory_order_relaxed))
                    model::take(i);
            }
        }
    };
    const auto ask_for = [&](unsigned item) {
        // relaxed: search.make() orders it before the search that finds the item, whichever thread runs it.
        to_be_found[item].store(true, std::memory_order_relaxed);
        if (search.make())
            // release: hands the search over; partner: the acquire above.
            is_queued.store(true, std::memory_order_release);
        run_queued();
    };
    model::parallel([&] { ask_for(0); }, [&] { ask_for(1); });
    model::expect_taken_once(2);
}

// A pool, and tasks that become ready by a call.
class pooled_tasks {
public:
    // One thread.
    void add(unsigned depth) noexcept {
        task& added = tasks_[count_];
        added.number = count_++;
        added.state.make<depend::waiting_pool::hook>().depth = depth;
        if (!pool_.add(added, is_ready))
            take(added);
    }
    // As a release that finds no task where it looks: looks at all tasks, at one per call.
    void make_ready_and_search(unsigned number) noexcept {
        make_ready(number);
        search();
    }
    // As a release that looks in the right place.
    void make_ready_and_take(unsigned number, unsigned depth) noexcept {
        make_ready(number);
        if (!pool_.empty())
            pool_.take_at(depth, is_ready, take);
    }
    void search() noexcept {
        if (pool_.empty())
            return;
        bool begins = true;
        do {
            pool_.take_some(begins, 1, is_ready, take);
            begins = false;
        } while (pool_.has_open_round());
    }
    // After all threads.
    void expect_end() noexcept {
        for (unsigned i = 0; i < count_; ++i)
            model::check(!is_ready(tasks_[i]) || model::was_taken(i), "a task that is ready was forgotten");
        for (unsigned i = 0; i < count_; ++i)
            make_ready(i);
        search();
        model::check(pool_.empty() && !pool_.has_open_round(), "the pool is not empty");
        model::expect_taken_once(count_);
    }

private:
    struct task : depend::tracked_task {
        task() noexcept : tracked_task(nullptr, 0) {}
        unsigned number = 0;
        teff::atomic<bool> is_ready{false};
    };
    // seq_cst: in the place of the counters in tickets.hpp, whose argument needs it: the task is made ready before the
    // pool's size is read.
    void make_ready(unsigned number) noexcept { tasks_[number].is_ready.store(true, std::memory_order_seq_cst); }
    static bool is_ready(const depend::tracked_task& some) noexcept {
        // seq_cst: by the same argument it is read after the pool has counted the task.
        return static_cast<const task&>(some).is_ready.load(std::memory_order_seq_cst);
    }
    static void take(depend::tracked_task& found) noexcept { model::take(static_cast<task&>(found).number); }

    depend::waiting_pool pool_;
    std::array<task, 5> tasks_;
    unsigned count_ = 0;  // the thread that adds
};

// Either thread may begin the round again, and either may come to its end.
void two_searches_share_a_round() {
    pooled_tasks all;
    for (unsigned depth = 0; depth < 3; ++depth)
        all.add(depth);
    model::parallel([&] { all.make_ready_and_search(0); }, [&] { all.make_ready_and_search(2); });
    all.expect_end();
}

// The chain is turned, so that its first task is not looked at again.
void two_searches_share_a_chain() {
    pooled_tasks all;
    for (unsigned i = 0; i < 3; ++i)
        all.add(4);
    model::parallel([&] { all.make_ready_and_search(1); }, [&] { all.make_ready_and_search(2); });
    all.expect_end();
}

void the_table_grows_during_a_round() {
    pooled_tasks all;
    all.add(1);
    all.add(2);
    model::parallel([&] { all.make_ready_and_search(1); },
                    [&] {
                        all.add(3);
                        all.add(4);
                        all.add(1);
                    });
    all.expect_end();
}

void tasks_are_added_while_they_become_ready() {
    pooled_tasks all;
    all.add(1);
    model::parallel([&] { all.make_ready_and_search(0); }, [&] { all.make_ready_and_search(1); },
                    [&] {
                        all.add(1);
                        all.add(2);
                    });
    all.expect_end();
}

void a_release_takes_tasks_during_a_round() {
    pooled_tasks all;
    all.add(3);
    all.add(3);
    all.add(2);
    model::parallel([&] { all.make_ready_and_search(1); }, [&] { all.make_ready_and_take(0, 3); });
    all.expect_end();
}

template <class T>
std::vector<model::scenario> rows() {
    const char* const structure = T::name.data();
    return {
        {structure, "readers_after_a_writer", readers_after_a_writer<T>},
        {structure, "a_writer_after_two_readers", a_writer_after_two_readers<T>},
        {structure, "generations_that_end_while_the_next_are_issued",
         generations_that_end_while_the_next_are_issued<T>},
        {structure, "concurrent_tasks_after_commutative_ones", concurrent_tasks_after_commutative_ones<T>},
        {structure, "tasks_join_a_generation_that_ends", tasks_join_a_generation_that_ends<T>},
        {structure, "a_generation_grows_while_it_waits", a_generation_grows_while_it_waits<T>},
        {structure, "a_task_waits_for_two_objects", a_task_waits_for_two_objects<T>},
        {structure, "two_releases_make_a_task_ready", two_releases_make_a_task_ready<T>},
        {structure, "two_readers_make_a_writer_ready", two_readers_make_a_writer_ready<T>},
        {structure, "the_second_object_is_free", the_second_object_is_free<T>},
        {structure, "one_release_makes_two_tasks_ready", one_release_makes_two_tasks_ready<T>},
        {structure, "what_can_start_is_ready", what_can_start_is_ready<T>},
        {structure, "a_task_that_joins_waiting_ones_can_start_later",
         a_task_that_joins_waiting_ones_can_start_later<T>},
        {structure, "an_idle_object_is_overwritten", an_idle_object_is_overwritten<T>},
        {structure, "an_idle_object_is_freed", an_idle_object_is_freed<T>},
        {structure, "another_thread_runs_what_is_issued", another_thread_runs_what_is_issued<T>},
        {structure, "two_threads_run_what_is_issued", two_threads_run_what_is_issued<T>},
        {structure, "tasks_of_different_depth_are_waited_for", tasks_of_different_depth_are_waited_for<T>},
        {structure, "a_deep_task_is_issued_while_others_end", a_deep_task_is_issued_while_others_end<T>},
    };
}

constexpr model::scenario of_tickets[] = {
    {"tickets", "a_search_meets_a_release", a_search_meets_a_release},
    {"tickets", "two_searches_meet_a_release", two_searches_meet_a_release},
    {"tickets", "a_search_meets_an_issue", a_search_meets_an_issue},
    {"tickets", "searches_are_queued_once", searches_are_queued_once},
    {"tickets", "a_search_sees_what_every_request_is_for", a_search_sees_what_every_request_is_for},
    {"tickets", "two_searches_share_a_round", two_searches_share_a_round},
    {"tickets", "two_searches_share_a_chain", two_searches_share_a_chain},
    {"tickets", "the_table_grows_during_a_round", the_table_grows_during_a_round},
    {"tickets", "tasks_are_added_while_they_become_ready", tasks_are_added_while_they_become_ready},
    {"tickets", "a_release_takes_tasks_during_a_round", a_release_takes_tasks_during_a_round},
};

template <class... T>
struct rows_of {
    static std::vector<model::scenario> all() {
        std::vector<model::scenario> made;
        for (const auto& part : {rows<T>()...})
            made.insert(made.end(), part.begin(), part.end());
        return made;
    }
};

}  // namespace

std::span<const model::scenario> tracker_scenarios() {
    static const std::vector<model::scenario> all = [] {
        auto made = depend::every_tracker<rows_of>::all();
        made.insert(made.end(), std::begin(of_tickets), std::end(of_tickets));
        return made;
    }();
    return all;
}

}  // namespace scenarios
