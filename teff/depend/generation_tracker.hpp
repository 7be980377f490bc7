// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The trackers `hypergraph` and `embedded_hypergraph`: an edge from each generation to the next one instead of edges
// between tasks (Vandierendonck et al., section 4.2 and Fig. 3).
//
//   object -> current generation       unfinished: 3     waiting: (those of a next generation)
//          -> previous generation      unfinished: 1     waiting: the accesses of the current one
//
// The last task of a generation that ends makes the waiting ones ready. So each access is looked at once, and two
// generations of M and N tasks take O(M + N) steps.
//
// A generation is allocated when a task begins it while the current one has unfinished tasks; otherwise the current one
// is used again. It is freed when neither the object nor an unreleased access refers to it. (The previous generation of
// an object may have ended long ago.)
//
// Why no task is forgotten: the issuer adds an access to the waiting ones of the previous generation under that
// generation's lock, and only if it has unfinished tasks. The last of these takes the whole list under the same lock.
//
// Differs from the paper: the accesses that wait lie with the generation that they wait for, so there is one lock
// instead of two, and the link from a generation to the next one is not needed. A task whose previous generation has
// ended is not counted as waiting for it (Fig. 3, line 13, counts it unconditionally, and nothing counts it down).
#pragma once

#include <teff/base/allocation.hpp>
#include <teff/base/mutex.hpp>
#include <teff/depend/access_lists.hpp>
#include <teff/depend/tracker.hpp>

#include <utility>

namespace teff::depend {

template <class List>
class generation_tracker {
    struct generation {
        mutex guard;
        // under the guard
        unsigned unfinished = 0;
        List waiting;  // accesses of the next generation
        // only the issuer accesses it
        access_kind kind{};
        // of the object, and of accesses that have not been released
        atomic<unsigned> references{1};
    };

public:
    // Only the issuer accesses it.
    struct object_state {
        generation* current = nullptr;   // nullptr: the object was never used
        generation* previous = nullptr;  // nullptr: there was none
    };
    struct access_state : List::access_state {
        generation* of = nullptr;
    };
    struct task_state {};

    static void open(tracked_object& object) noexcept { object.state.make<object_state>(); }
    static void close(tracked_object& object) noexcept {
        drop(state_of(object).current);
        drop(state_of(object).previous);
    }

    static bool can_start(tracked_object& object, access_kind kind) noexcept {
        auto& state = state_of(object);
        return state.current == nullptr || has_ended(*state.current) ||
               (joins(state.current->kind, kind) && (state.previous == nullptr || has_ended(*state.previous)));
    }
    static bool is_idle(tracked_object& object) noexcept {
        auto& state = state_of(object);
        return state.current == nullptr || has_ended(*state.current);
    }

    issue_result issue(tracked_task& task) noexcept {
        for (; task.issued != task.access_count; ++task.issued) {
            if (!issue(task.accesses[task.issued]))
                return issue_result::no_memory;
        }
        // acquire: sees what the tasks did that were waited for; release: publishes what issue() has written; partner
        // of both: the operation in ready_list::count_down().
        return task.incoming.fetch_sub(1, std::memory_order_acq_rel) == 1 ? issue_result::ready : issue_result::waits;
    }

    void release(tracked_task& task, ready_list& ready) noexcept {
        for (unsigned i = 0; i < task.issued; ++i)
            end_one(*state_of(task.accesses[i]).of, ready);
    }

    static constexpr bool may_have_missed() noexcept { return false; }
    static void search(ready_list&) noexcept {}

private:
    static object_state& state_of(tracked_object& object) noexcept { return object.state.as<object_state>(); }
    static access_state& state_of(tracked_access& access) noexcept { return access.state.as<access_state>(); }

    static bool has_ended(generation& some) noexcept {
        const scoped_lock lock(some.guard);
        return some.unfinished == 0;
    }

    // False, with the access not registered: there is no memory.
    static bool issue(tracked_access& access) noexcept {
        auto& mine = access.state.make<access_state>();
        auto& object = state_of(*access.object);
        if (object.current == nullptr || (!joins(object.current->kind, access.kind) && !has_ended(*object.current))) {
            generation* const made = create<generation>();
            if (made == nullptr)
                return false;
            drop(std::exchange(object.previous, std::exchange(object.current, made)));
        }
        object.current->kind = access.kind;
        if (object.previous != nullptr && !wait_for(*object.previous, access))
            return false;
        // The task cannot end before issue() has counted down, so it need not be added before this.
        add(*object.current);
        mine.of = object.current;
        return true;
    }
    static void add(generation& current) noexcept {
        // relaxed: the object's reference keeps it alive.
        current.references.fetch_add(1, std::memory_order_relaxed);
        const scoped_lock lock(current.guard);
        ++current.unfinished;
    }
    static bool wait_for(generation& previous, tracked_access& access) noexcept {
        const scoped_lock lock(previous.guard);
        if (previous.unfinished == 0)
            return true;
        if (!previous.waiting.push(access))
            return false;
        // relaxed: no other thread counts down before it finds the access, which the guard publishes; and the count of
        // issue() keeps the number above zero.
        access.task->incoming.fetch_add(1, std::memory_order_relaxed);
        return true;
    }

    static void end_one(generation& of, ready_list& ready) noexcept {
        {
            const scoped_lock lock(of.guard);
            if (--of.unfinished == 0) {
                while (tracked_access* const waiting = of.waiting.pop())
                    ready.count_down(*waiting->task);
            }
        }
        drop(&of);
    }

    static void drop(generation* unused) noexcept {
        // acq_rel: the thread that frees the generation sees that all others have left it; partner: this operation of
        // those threads.
        if (unused != nullptr && unused->references.fetch_sub(1, std::memory_order_acq_rel) == 1)
            destroy(unused);
    }
};

}  // namespace teff::depend
