// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The trackers `graph` and `embedded_graph`: a graph with an edge for each pair of tasks of which one waits for the
// other (Vandierendonck et al., section 4.1, Fig. 2, and section 4.1.1).
//
//   object: current generation   c c c       each task has a list of edges, to the tasks that wait for it
//           previous generation  p p         each p has an edge to each c
//
// A task that is issued joins the current generation, or begins a new one, and gets an edge from each task of the
// generation before it that has not ended. Tasks of older generations have been dropped from the object's lists; some
// may still run, but then tasks of the previous generation wait for them.
//
// A mutex per object guards its lists. A release first removes the task from the lists of all of its objects, each
// under the object's mutex, and only then follows the task's edges. Only issue() adds edges, to tasks that it finds in
// a list. So it has added them before the release looks, and a task's edges need no lock of their own.
//
// Two generations of M and N tasks take O(M N) steps, and `graph` also searches its lists to remove a task. The other
// trackers of the paper avoid this cost.
#pragma once

#include <teff/base/allocation.hpp>
#include <teff/base/locks.hpp>
#include <teff/depend/access_lists.hpp>
#include <teff/depend/tracker.hpp>

#include <array>
#include <string_view>
#include <utility>

namespace teff::depend {

template <class List>
class edge_tracker {
    struct generation {
        access_kind kind{};
        List tasks;  // accesses that have not been released
    };
    struct edge {
        tracked_task* to;
        edge* next;
    };

public:
    // Under the guard.
    struct object_state {
        mutex guard;
        bool is_second_current = false;
        std::array<generation, 2> generations;

        generation& current() noexcept { return generations[is_second_current ? 1 : 0]; }
        generation& previous() noexcept { return generations[is_second_current ? 0 : 1]; }
    };
    using access_state = typename List::access_state;
    // Written by the issuer while the task is in a list, then by the thread that releases the task.
    struct task_state {
        edge* edges = nullptr;
    };

    static void open(tracked_object& object) noexcept { object.state.make<object_state>(); }
    static void close(tracked_object& object) noexcept { object.state.destroy<object_state>(); }

    static bool can_start(tracked_object& object, access_kind kind) noexcept {
        auto& state = state_of(object);
        const scoped_lock lock(state.guard);
        return state.current().tasks.empty() || (joins(state.current().kind, kind) && state.previous().tasks.empty());
    }
    static bool is_idle(tracked_object& object) noexcept {
        auto& state = state_of(object);
        const scoped_lock lock(state.guard);
        return state.current().tasks.empty();
    }

    issue_result issue(tracked_task& task) noexcept {
        task.state.make<task_state>();
        while (task.issued != task.access_count) {
            if (!issue(task.accesses[task.issued]))
                return issue_result::no_memory;
        }
        // acquire: sees what the tasks did that were waited for; release: publishes what issue() has written; partner
        // of both: the operation in ready_list::count_down().
        return task.incoming.fetch_sub(1, std::memory_order_acq_rel) == 1 ? issue_result::ready : issue_result::waits;
    }

    void release(tracked_task& task, ready_list& ready) noexcept {
        for (unsigned i = 0; i < task.issued; ++i)
            remove(task.accesses[i]);
        for (edge* each = task.state.as<task_state>().edges; each != nullptr;) {
            edge* const followed = std::exchange(each, each->next);
            ready.count_down(*followed->to);
            destroy(followed);
        }
    }

    static constexpr bool may_have_missed() noexcept { return false; }
    static void search(ready_list&) noexcept {}

private:
    static object_state& state_of(tracked_object& object) noexcept { return object.state.as<object_state>(); }

    // False: there is no memory. The access may be registered by then, and some edges added.
    static bool issue(tracked_access& access) noexcept {
        access.state.make<access_state>();
        auto& object = state_of(*access.object);
        const scoped_lock lock(object.guard);
        if (!object.current().tasks.empty() && !joins(object.current().kind, access.kind)) {
            object.is_second_current = !object.is_second_current;
            object.current().tasks.clear();
        }
        object.current().kind = access.kind;
        if (!object.current().tasks.push(access))
            return false;
        ++access.task->issued;
        return object.previous().tasks.visit_all(
            [&](tracked_access& before) { return link(*before.task, *access.task); });
    }
    static bool link(tracked_task& before, tracked_task& waiting) noexcept {
        auto& state = before.state.as<task_state>();
        edge* const made = create<edge>(&waiting, state.edges);
        if (made == nullptr)
            return false;
        state.edges = made;
        // relaxed: no other thread counts down before it finds the edge, which the guard publishes; and the count of
        // issue() keeps the number above zero.
        waiting.incoming.fetch_add(1, std::memory_order_relaxed);
        return true;
    }

    // The access may have been dropped from the lists already.
    static void remove(tracked_access& access) noexcept {
        auto& object = state_of(*access.object);
        const scoped_lock lock(object.guard);
        for (generation& each : object.generations) {
            if (each.kind == access.kind)
                each.tasks.remove(access);
        }
    }
};

// Generations as lists of allocated nodes, which a release searches (section 4.1).
class graph : public edge_tracker<allocated_list> {
public:
    static constexpr std::string_view name = "graph";
};
static_assert(tracker_class<graph>);

// Generations as lists whose nodes lie in the accesses, so that a release removes an access without a search (section
// 4.1.1).
class embedded_graph : public edge_tracker<embedded_list> {
public:
    static constexpr std::string_view name = "embedded_graph";
};
static_assert(tracker_class<embedded_graph>);

}  // namespace teff::depend
