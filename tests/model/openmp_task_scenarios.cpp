// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The deferred tasks of OpenMP: families and groups, whose last task and waiting thread may meet; parents that end
// before their children; and events that other threads fulfil. The threads, their team and its scheduler are real.
// Tasks write ordinary memory. Families, groups and records are on the heap, so the checker finds a use after their
// end.
#include "definition.hpp"
#include "openmp_kit.hpp"

#include <teff/frontends/openmp/core/tasks/submit.hpp>

#include <optional>

namespace scenarios {
namespace {

openmp::place& here() noexcept { return openmp::this_place(); }

void children_are_waited_for(const char* scheduler) {
    mark first(0), second(1);
    openmp_team team(2, scheduler);
    team.run([&](openmp::place& mine) {
        if (mine.number != 0)
            return;
        defer(mine, first);
        defer(mine, second);
        openmp::wait_for_children(mine);
        first.expect();
        second.expect();
    });
    model::expect_taken_once(2);
}
TEFF_SCENARIO(openmp_tasks, two_children_are_waited_for) { children_are_waited_for("demand"); }
TEFF_SCENARIO(openmp_tasks, two_children_are_waited_for_with_sherwood) { children_are_waited_for("sherwood"); }
TEFF_SCENARIO(openmp_tasks, two_children_are_waited_for_with_xqueue) { children_are_waited_for("xqueue_nowait"); }

// A task waits for a child of its own, which may be run by the thread that waits for the task.
template <unsigned Size>
void a_child_waits_for_its_child() {
    mark inner(0);
    mark end(1);
    auto outer = [&] {
        defer(here(), inner);
        openmp::wait_for_children(here());
        inner.expect();
        end();
    };
    openmp_team team(Size);
    team.run([&](openmp::place& mine) {
        if (mine.number != 0)
            return;
        defer(mine, outer);
        openmp::wait_for_children(mine);
        end.expect();
    });
    model::expect_taken_once(2);
}

// Each of two threads waits for its own child only.
TEFF_SCENARIO(openmp_tasks, two_threads_wait_for_their_children) {
    mark first(0), second(1);
    openmp_team team(2);
    team.run([&](openmp::place& mine) {
        mark& own = mine.number == 0 ? first : second;
        defer(mine, own);
        openmp::wait_for_children(mine);
        own.expect();
    });
    model::expect_taken_once(2);
}

// The parent ends before its child does: the child's family ends with the later one of them. The end of the region
// waits for the child, although no task does.
template <unsigned Size>
void a_parent_ends_before_its_child() {
    mark inner(0);
    mark end(1);
    auto outer = [&] {
        defer(here(), inner);
        end();
    };
    openmp_team team(Size);
    team.run([&](openmp::place& mine) {
        if (mine.number != 0)
            return;
        defer(mine, outer);
        openmp::wait_for_children(mine);
        end.expect();
    });
    inner.expect();
    model::expect_taken_once(2);
}

TEFF_SCENARIO(openmp_tasks, parents_end_before_their_grandchildren) {
    mark inner(0);
    mark ends[] = {mark(1), mark(2)};
    auto middle = [&] {
        defer(here(), inner);
        ends[0]();
    };
    auto outer = [&] {
        defer(here(), middle);
        ends[1]();
    };
    openmp_team team(2);
    team.run([&](openmp::place& mine) {
        if (mine.number == 0)
            defer(mine, outer);
    });
    inner.expect();
    model::expect_taken_once(3);
}

// A thread that waits for a child runs no task that the waiting one does not wait for: here one of the other thread.
TEFF_SCENARIO(openmp_tasks, a_waiting_task_is_left_alone) {
    bool is_waiting[2] = {};  // the threads of these places write and read
    mark inner(0);
    mark other(1);
    auto outer = [&] {
        defer(here(), inner);
        is_waiting[here().number] = true;
        openmp::wait_for_children(here());
        is_waiting[here().number] = false;
        inner.expect();
    };
    auto stranger = [&] {
        model::check(!is_waiting[here().number], "a task was begun on top of one that it does not descend from");
        other();
    };
    openmp_team team(2);
    team.run([&](openmp::place& mine) {
        if (mine.number == 0) {
            defer(mine, outer);
            defer(mine, stranger);
        }
    });
    inner.expect();
    model::expect_taken_once(2);
}

// The group's end waits for the grandchild, whose parent may have ended. The thread that ends the last task must not
// touch the group after that.
template <unsigned Size>
void a_group_waits_for_descendants() {
    mark inner(0);
    mark end(1);
    auto outer = [&] {
        defer(here(), inner);
        end();
    };
    openmp_team team(Size);
    team.run([&](openmp::place& mine) {
        if (mine.number != 0)
            return;
        openmp::begin_taskgroup(mine);
        defer(mine, outer);
        openmp::end_taskgroup(mine);
        inner.expect();
        end.expect();
    });
    model::expect_taken_once(2);
}

TEFF_SCENARIO(openmp_tasks, a_group_inside_a_group) {
    mark inner(0), beside(1);
    auto outer = [&] {
        openmp::begin_taskgroup(here());
        defer(here(), inner);
        openmp::end_taskgroup(here());
        inner.expect();
        defer(here(), beside);
    };
    openmp_team team(2);
    team.run([&](openmp::place& mine) {
        if (mine.number != 0)
            return;
        openmp::begin_taskgroup(mine);
        defer(mine, outer);
        openmp::end_taskgroup(mine);
        beside.expect();
    });
    model::expect_taken_once(2);
}

// Two threads have a group each; a thread that waits may run a task of its own group only.
TEFF_SCENARIO(openmp_tasks, two_groups_at_once) {
    mark first(0), second(1);
    openmp_team team(2);
    team.run([&](openmp::place& mine) {
        mark& own = mine.number == 0 ? first : second;
        openmp::begin_taskgroup(mine);
        defer(mine, own);
        openmp::end_taskgroup(mine);
        own.expect();
    });
    model::expect_taken_once(2);
}

// Where a thread outside of the team gets the event of a task.
class handle {
public:
    void give(openmp::deferred_task& of) noexcept {
        // release: the event is made; partner: the acquire in fulfil().
        event_.store(of.event, std::memory_order_release);
    }
    void fulfil() noexcept {
        openmp::completion_event* event = nullptr;
        // acquire: see give().
        model::wait_until([&] { return (event = event_.load(std::memory_order_acquire)) != nullptr; });
        given = true;
        openmp::fulfil(*event);
    }
    // Ordinary memory that the thread writes before it fulfils the event.
    bool given = false;

private:
    teff::atomic<openmp::completion_event*> event_{nullptr};
};
template <class Body>
openmp::deferred_task& new_detached(openmp::place& mine, Body& body) noexcept {
    openmp::deferred_task& made = new_task(mine, body);
    openmp::allow_event(mine, made);
    return made;
}

// Another thread fulfils the event at any time after the task was made. The team ends right after its region.
template <unsigned Size>
void an_event_is_fulfilled_from_outside() {
    handle event;
    mark called(0);
    model::parallel(
        [&] {
            openmp_team team(Size);
            team.run([&](openmp::place& mine) {
                if (mine.number != 0)
                    return;
                openmp::deferred_task& made = new_detached(mine, called);
                event.give(made);
                openmp::defer(mine, made);
                openmp::wait_for_children(mine);
                called.expect();
                model::check(event.given, "a task has ended before its event was fulfilled");
            });
        },
        [&] { event.fulfil(); });
    model::expect_taken_once(1);
}
// No task waits for it; the end of the region does.
TEFF_SCENARIO(openmp_events, a_region_waits_for_an_event) {
    handle event;
    mark called(0);
    model::parallel(
        [&] {
            openmp_team team(2);
            team.run([&](openmp::place& mine) {
                if (mine.number != 0)
                    return;
                openmp::deferred_task& made = new_detached(mine, called);
                event.give(made);
                openmp::defer(mine, made);
            });
            called.expect();
            model::check(event.given, "a region has ended before the event of a task was fulfilled");
        },
        [&] { event.fulfil(); });
    model::expect_taken_once(1);
}

// A task that is not called ends while its event is fulfilled: one of the two threads frees the event.
TEFF_SCENARIO(openmp_events, an_event_of_a_dropped_task_is_fulfilled) {
    mark called(0);
    openmp_team_of_one alone;
    openmp::deferred_task& dropped = new_detached(alone.place, called);
    openmp::completion_event& event = *dropped.event;
    model::parallel([&] { openmp::drop(event); }, [&] { openmp::fulfil(event); });
    openmp::free_task(alone.place, dropped);
}

// The task fulfils its own event, or another task does.
void a_task_fulfils_an_event(bool its_own) {
    openmp::deferred_task* made = nullptr;
    mark called(0), fulfilled(1);
    auto detached = [&] {
        called();
        if (its_own)
            openmp::fulfil(*made->event);
    };
    auto other = [&] {
        fulfilled();
        if (!its_own)
            openmp::fulfil(*made->event);
    };
    openmp_team team(2);
    team.run([&](openmp::place& mine) {
        if (mine.number != 0)
            return;
        openmp::begin_taskgroup(mine);
        made = &new_detached(mine, detached);
        openmp::defer(mine, *made);
        defer(mine, other);
        openmp::end_taskgroup(mine);
        called.expect();
        fulfilled.expect();
    });
    model::expect_taken_once(2);
}
TEFF_SCENARIO(openmp_events, a_task_fulfils_its_own_event) { a_task_fulfils_an_event(true); }
TEFF_SCENARIO(openmp_events, a_task_fulfils_the_event_of_another) { a_task_fulfils_an_event(false); }

// The caller goes on when the event is fulfilled, with the count that the task's end has decremented.
template <unsigned Size>
void an_undeferred_task_has_an_event() {
    handle event;
    mark called(0);
    model::parallel(
        [&] {
            openmp_team team(Size);
            team.run([&](openmp::place& mine) {
                if (mine.number != 0)
                    return;
                openmp::deferred_task& made = new_detached(mine, called);
                event.give(made);
                openmp::submit(mine, made, false, {});
                called.expect();
                model::check(event.given, "an undeferred task has ended before its event was fulfilled");
            });
        },
        [&] { event.fulfil(); });
    model::expect_taken_once(1);
}

// A team of one thread, which ends at once.
TEFF_SCENARIO(openmp_events, an_event_in_a_team_of_one) {
    handle event;
    mark called(0);
    model::parallel(
        [&] {
            {
                openmp_team_of_one alone;
                openmp::deferred_task& made = new_detached(alone.place, called);
                event.give(made);
                openmp::submit(alone.place, made, true, {});
            }
            called.expect();
            model::check(event.given, "a team has ended before the event of a task was fulfilled");
        },
        [&] { event.fulfil(); });
    model::expect_taken_once(1);
}

// Two threads hand tasks to it at once, and one of these outlives its parent.
TEFF_SCENARIO(openmp_events, two_events_in_a_team_of_one) {
    handle outer_event, inner_event;
    mark outer_called(0), inner_called(1);
    model::parallel(
        [&] {
            {
                openmp_team_of_one alone;
                auto outer = [&] {
                    openmp::deferred_task& made = new_detached(here(), inner_called);
                    inner_event.give(made);
                    openmp::submit(here(), made, true, {});
                    outer_called();
                };
                openmp::deferred_task& made = new_detached(alone.place, outer);
                outer_event.give(made);
                openmp::submit(alone.place, made, true, {});
                openmp::wait_for_children(alone.place);
                model::check(outer_event.given, "a task has ended before its event was fulfilled");
            }
            inner_called.expect();
            model::check(inner_event.given, "a team has ended before the event of a task was fulfilled");
        },
        [&] { outer_event.fulfil(); }, [&] { inner_event.fulfil(); });
    model::expect_taken_once(2);
}

// The queue of a team of one alone, which ends when it has taken what was handed.
TEFF_SCENARIO(openmp_events, two_threads_hand_tasks) {
    std::optional<openmp::handed_tasks> queue(std::in_place);
    teff::task_header tasks[2];
    // What another queue has left there.
    tasks[0].next.store(&tasks[1], std::memory_order_relaxed);
    tasks[1].next.store(&tasks[0], std::memory_order_relaxed);
    const auto take_all = [&] {
        for (unsigned taken = 0; taken != 2;) {
            const std::uint32_t seen = queue->changes();
            while (teff::task_header* const each = queue->take()) {
                model::take(static_cast<unsigned>(each - tasks));
                ++taken;
            }
            if (taken != 2)
                queue->sleep(seen);
        }
        queue.reset();
    };
    model::parallel(take_all, [&] { queue->put(tasks[0]); }, [&] { queue->put(tasks[1]); });
    model::expect_taken_once(2);
}

// Each batch has one owner at a time, and the owner sees all writes of the last one.
template <unsigned Size>
void batches_are_exchanged() {
    struct batch {
        openmp::deferred_task first;
        teff::plain<unsigned> passes{0};
    };
    batch batches[Size];
    openmp::spare_exchange between;
    const auto take_one = [&] {
        const openmp::deferred_task* const taken = between.take();
        for (unsigned each = 0; each != Size; ++each) {
            if (&batches[each].first != taken)
                continue;
            model::take(each);
            batches[each].passes.write(batches[each].passes.read() + 1);
        }
        return taken != nullptr;
    };
    const auto member = [&](unsigned number) {
        return [&, number] {
            batches[number].passes.write(1);
            model::check(between.put(batches[number].first), "there is a slot for each batch");
            take_one();
        };
    };
    if constexpr (Size == 2)
        model::parallel(member(0), member(1));
    else
        model::parallel(member(0), member(1), member(2));
    // A thread may have missed what another one has put.
    while (take_one())
        ;
    model::expect_taken_once(Size);
}

TEFF_SCENARIO(openmp_tasks, two_threads_exchange_batches) { batches_are_exchanged<2>(); }
TEFF_SCENARIO(openmp_tasks, three_threads_exchange_batches) { batches_are_exchanged<3>(); }
TEFF_SCENARIO(openmp_tasks, a_child_waits_for_its_child) { a_child_waits_for_its_child<2>(); }
TEFF_SCENARIO(openmp_tasks, a_child_waits_for_its_child_on_three_threads) { a_child_waits_for_its_child<3>(); }
TEFF_SCENARIO(openmp_tasks, a_parent_ends_before_its_child) { a_parent_ends_before_its_child<2>(); }
TEFF_SCENARIO(openmp_tasks, a_parent_ends_before_its_child_on_three_threads) { a_parent_ends_before_its_child<3>(); }
TEFF_SCENARIO(openmp_tasks, a_group_waits_for_descendants) { a_group_waits_for_descendants<2>(); }
TEFF_SCENARIO(openmp_tasks, a_group_waits_for_descendants_on_three_threads) { a_group_waits_for_descendants<3>(); }
TEFF_SCENARIO(openmp_events, an_event_is_fulfilled_from_outside) { an_event_is_fulfilled_from_outside<2>(); }
TEFF_SCENARIO(openmp_events, an_undeferred_task_has_an_event) { an_undeferred_task_has_an_event<2>(); }

}  // namespace

std::span<const model::scenario> openmp_task_scenarios() { return in_prepared_process(defined_here); }

}  // namespace scenarios
