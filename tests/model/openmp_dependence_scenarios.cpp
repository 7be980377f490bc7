// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks with dependences: the table of a family, its tracker, the locks of mutexinoutset, and the threads of a real
// team, which run the tasks. Each task sees in ordinary memory what the tasks before it did. The tracker alone:
// tracker_scenarios.cpp.
#include "definition.hpp"
#include "openmp_kit.hpp"

#include <teff/frontends/openmp/core/tasks/dependence_table.hpp>

#include <initializer_list>

namespace scenarios {
namespace {

using teff::depend::access_kind;

openmp::place& here() noexcept { return openmp::this_place(); }

// The clauses of one task.
class clauses {
public:
    clauses(std::initializer_list<openmp::dependence> each, bool has_all_memory = false) noexcept
        : has_all_memory_(has_all_memory) {
        for (const openmp::dependence& item : each)
            items_[count_++] = item;
    }
    openmp::dependence_list list() noexcept { return {items_.data(), count_, has_all_memory_}; }

private:
    std::array<openmp::dependence, 2> items_;
    unsigned count_ = 0;
    bool has_all_memory_;
};
openmp::dependence in(unsigned& object) { return {&object, access_kind::in}; }
openmp::dependence inout(unsigned& object) { return {&object, access_kind::inout}; }
openmp::dependence mutexinoutset(unsigned& object) { return {&object, access_kind::commutative}; }

template <class Body>
void defer(openmp::place& mine, Body& body, clauses with) noexcept {
    openmp::defer(mine, new_task(mine, body), with.list());
}

// Calls body(place) on the first thread of a team of two.
template <class Body>
void on_first_thread(Body&& body) {
    openmp_team team(2);
    team.run([&](openmp::place& mine) {
        if (mine.number == 0)
            body(mine);
    });
}

TEFF_SCENARIO(openmp_dependences, a_chain_of_three) {
    unsigned x = 0;
    const auto step = [&x](unsigned number) {
        return [&x, number] {
            model::take(number);
            model::check(x++ == number, "a task ran before one that it depends on");
        };
    };
    auto one = step(0), two = step(1), three = step(2);
    on_first_thread([&](openmp::place& mine) {
        defer(mine, one, {inout(x)});
        defer(mine, two, {inout(x)});
        defer(mine, three, {inout(x)});
    });
    model::expect_taken_once(3);
}

TEFF_SCENARIO(openmp_dependences, readers_between_writers) {
    unsigned x = 0;
    unsigned seen[2] = {};
    auto write = [&] { x = 1; };
    auto first = [&] { seen[0] = x; };
    auto second = [&] { seen[1] = x; };
    auto overwrite = [&] { x = 2 + seen[0] + seen[1]; };
    on_first_thread([&](openmp::place& mine) {
        defer(mine, write, {inout(x)});
        defer(mine, first, {in(x)});
        defer(mine, second, {in(x)});
        defer(mine, overwrite, {inout(x)});
        openmp::wait_for_children(mine);
        model::check(x == 4, "tasks ran in a wrong order");
    });
}

// A task waits for two others, which may end at the same time.
TEFF_SCENARIO(openmp_dependences, a_task_waits_for_two_others) {
    unsigned x = 0, y = 0, sum = 0;
    auto of_x = [&] { x = 1; };
    auto of_y = [&] { y = 2; };
    auto of_both = [&] { sum = x + y; };
    on_first_thread([&](openmp::place& mine) {
        defer(mine, of_x, {inout(x)});
        defer(mine, of_y, {inout(y)});
        defer(mine, of_both, {in(x), in(y)});
    });
    model::check(sum == 3, "a task ran before one that it depends on");
}

// Such tasks may run in any order, but not at once.
template <bool OfTwoObjects>
void tasks_exclude_each_other() {
    unsigned x = 0, y = 0;
    auto add = [&] {
        ++x;
        if (OfTwoObjects)
            ++y;
    };
    auto add_to_both = [&] {
        ++x;
        ++y;
    };
    on_first_thread([&](openmp::place& mine) {
        if (OfTwoObjects) {
            defer(mine, add, {mutexinoutset(x), mutexinoutset(y)});
            defer(mine, add_to_both, {mutexinoutset(x), mutexinoutset(y)});
        } else {
            defer(mine, add, {mutexinoutset(x)});
            defer(mine, add, {mutexinoutset(x)});
            defer(mine, add, {mutexinoutset(x)});
        }
    });
    model::check(x == (OfTwoObjects ? 2U : 3U) && y == (OfTwoObjects ? 2U : 0U), "a task was lost");
}

// The thread that makes tasks runs one at once, with the locks, if it can start.
TEFF_SCENARIO(openmp_dependences, a_task_that_runs_at_once_excludes_others) {
    unsigned x = 0;
    auto add = [&] { ++x; };
    on_first_thread([&](openmp::place& mine) {
        defer(mine, add, {mutexinoutset(x)});
        clauses with{mutexinoutset(x)};
        openmp::held_locks locks(mine);
        if (locks.start_now(with.list()))
            ++x;
        else
            defer(mine, add, with);
    });
    model::check(x == 2, "a task was lost");
}

// taskwait depend: waits for some of the tasks.
TEFF_SCENARIO(openmp_dependences, a_thread_waits_for_dependences) {
    unsigned x = 0, y = 0;
    auto of_x = [&] { x = 1; };
    auto of_y = [&] { y = 1; };
    on_first_thread([&](openmp::place& mine) {
        defer(mine, of_x, {inout(x)});
        defer(mine, of_y, {inout(y)});
        clauses awaited{in(x)};
        openmp::wait_for_dependences(mine, awaited.list());
        model::check(x == 1, "a task that was waited for has not run");
    });
    model::check(y == 1, "a task was lost");
}

TEFF_SCENARIO(openmp_dependences, all_memory_is_awaited) {
    unsigned x = 0, y = 0, sum = 0;
    auto of_x = [&] { x = 1; };
    auto of_all = [&] { sum = x; };
    auto of_y = [&] { y = sum; };
    on_first_thread([&](openmp::place& mine) {
        defer(mine, of_x, {inout(x)});
        defer(mine, of_all, clauses({}, true));
        defer(mine, of_y, {inout(y)});
    });
    model::check(y == 1, "a task ran before one that it depends on");
}

// The parent ends first. The last child ends the table.
TEFF_SCENARIO(openmp_dependences, the_parent_of_dependent_tasks_ends_first) {
    unsigned x = 0;
    auto one = [&] { x = 1; };
    auto two = [&] { x = x * 2 + 1; };
    auto parent = [&] {
        defer(here(), one, {inout(x)});
        defer(here(), two, {inout(x)});
    };
    openmp_team team(2);
    team.run([&](openmp::place& mine) {
        if (mine.number == 0)
            openmp::defer(mine, new_task(mine, parent));
    });
    model::check(x == 3, "a task ran before one that it depends on, or not at all");
}

// The last task waits for one that is much less deep in the graph than itself and may end last. The tracker `tickets`
// does not see then that it is ready, so that a task of the team searches for it. The parent has ended, so that the
// search keeps the family.
TEFF_SCENARIO(openmp_dependences, a_ready_task_is_searched_for) {
    unsigned x = 0, y = 0, sum = 0;
    auto of_x = [&] { x = 1; };
    auto of_y = [&] { y = y * 2 + 1; };
    auto of_both = [&] { sum = 10 * x + y; };
    auto parent = [&] {
        defer(here(), of_x, {inout(x)});
        defer(here(), of_y, {inout(y)});
        defer(here(), of_y, {inout(y)});
        defer(here(), of_both, {in(x), in(y)});
    };
    openmp_team team(2);
    team.run([&](openmp::place& mine) {
        if (mine.number == 0)
            openmp::defer(mine, new_task(mine, parent));
    });
    model::check(sum == 13, "a task ran before one that it depends on, or not at all");
}

// The table is emptied between two tasks, when the first one has ended.
TEFF_SCENARIO(openmp_dependences, a_table_is_emptied) {
    unsigned x = 0;
    auto add = [&] { ++x; };
    on_first_thread([&](openmp::place& mine) {
        for (unsigned round = 0; round != 2; ++round) {
            defer(mine, add, {inout(x)});
            openmp::wait_for_children(mine);
            mine.deferred.dependences->reserve(100 << 2 * round);
            model::check(mine.deferred.dependences->size() == 0, "a table was not emptied");
        }
    });
    model::check(x == 2, "a task was lost");
}

// A task depends on one that ends when a thread outside of the team fulfils its event.
template <bool IsAlone>
void a_task_waits_for_an_event() {
    unsigned x = 0, y = 0;
    auto detached = [&] { x = 1; };
    auto dependent = [&] { y = x + 1; };
    teff::atomic<openmp::completion_event*> made{nullptr};
    const auto make = [&](openmp::place& mine) {
        openmp::deferred_task& first = new_task(mine, detached);
        openmp::allow_event(mine, first);
        // release: the event is made; partner: the acquire below.
        made.store(first.event, std::memory_order_release);
        clauses of_first{inout(x)};
        openmp::defer(mine, first, of_first.list());
        defer(mine, dependent, {in(x)});
    };
    model::parallel(
        [&] {
            if (IsAlone) {
                openmp_team_of_one alone;
                make(alone.place);
            } else {
                on_first_thread(make);
            }
        },
        [&] {
            openmp::completion_event* event = nullptr;
            // acquire: see above.
            model::wait_until([&] { return (event = made.load(std::memory_order_acquire)) != nullptr; });
            openmp::fulfil(*event);
        });
    model::check(y == 2, "a task ran before one that it depends on, or not at all");
}

TEFF_SCENARIO(openmp_dependences, three_tasks_exclude_each_other) { tasks_exclude_each_other<false>(); }
TEFF_SCENARIO(openmp_dependences, two_tasks_exclude_each_other_by_two_objects) { tasks_exclude_each_other<true>(); }
TEFF_SCENARIO(openmp_dependences, a_task_waits_for_an_event) { a_task_waits_for_an_event<false>(); }
TEFF_SCENARIO(openmp_dependences, a_task_waits_for_an_event_in_a_team_of_one) { a_task_waits_for_an_event<true>(); }

}  // namespace

std::span<const model::scenario> openmp_dependence_scenarios() {
    // pool_scenarios() prepares what these scenarios need, too; a table looks up the name of its tracker once.
    static const bool prepared = [] {
        openmp::family children;
        const openmp::place here;
        const openmp::dependence_table table(children, here);
        return !pool_scenarios().empty();
    }();
    return prepared ? defined_here : std::span<const model::scenario>();
}

}  // namespace scenarios
