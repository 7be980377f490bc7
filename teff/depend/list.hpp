// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tracker `list` (Vandierendonck et al., section 4.3 and Fig. 4): each object has one list of the accesses that
// wait for it, in program order.
//
//   oldest generation: only counted   | waiting: a -> a -> a| -> b| -> c -> c     `|`: the last of its generation
//
// When the oldest generation has ended, the accesses up to the first `|` leave the list and become the oldest
// generation. If the list is empty, the oldest generation is also the youngest.
//
// A mutex per object guards all of its state. The lock also keeps the accesses alive: an access that has been taken
// from the list, and whose task another thread runs at once, is destroyed only after its release, which needs the lock.
#pragma once

#include <teff/base/locks.hpp>
#include <teff/base/shared_data.hpp>
#include <teff/depend/tracker.hpp>

#include <string_view>

namespace teff::depend {

class list {
public:
    static constexpr std::string_view name = "list";

    struct object_state {
        mutex guard;
        // under the guard
        plain<unsigned> generations{0};  // that have not ended
        plain<unsigned> oldest{0};       // tasks of the oldest generation that have not ended
        plain<access_kind> youngest{};   // of the youngest generation, if there is one
        plain<tracked_access*> first{nullptr};
        plain<tracked_access*> last{nullptr};
    };
    // Under the object's guard.
    struct access_state {
        plain<tracked_access*> next{nullptr};
        plain<bool> ends_generation{false};
    };
    struct task_state {};

    static void open(tracked_object& object) noexcept { object.state.make<object_state>(); }
    static void close(tracked_object& object) noexcept { object.state.destroy<object_state>(); }

    static bool can_start(tracked_object& object, access_kind kind) noexcept {
        auto& state = state_of(object);
        const scoped_lock lock(state.guard);
        return state.generations.read() == 0 ||
               (state.generations.read() == 1 && joins(state.youngest.read(), kind));
    }
    static bool is_idle(tracked_object& object) noexcept {
        auto& state = state_of(object);
        const scoped_lock lock(state.guard);
        return state.generations.read() == 0;
    }

    issue_result issue(tracked_task& task) noexcept {
        for (; task.issued != task.access_count; ++task.issued)
            issue(task.accesses[task.issued]);
        // acquire: sees the effects of the tasks that this task had to wait for; release: publishes the writes of
        // issue(); partner of both: the operation in ready_list::count_down().
        return task.incoming.fetch_sub(1, std::memory_order_acq_rel) == 1 ? issue_result::ready : issue_result::waits;
    }

    void release(tracked_task& task, ready_list& ready) noexcept {
        for (unsigned i = 0; i < task.issued; ++i)
            release(*task.accesses[i].object, ready);
    }

    static constexpr bool may_have_missed() noexcept { return false; }
    static void search(ready_list&) noexcept {}

private:
    static object_state& state_of(tracked_object& object) noexcept { return object.state.as<object_state>(); }
    static access_state& state_of(tracked_access& access) noexcept { return access.state.as<access_state>(); }

    static void issue(tracked_access& access) noexcept {
        access.state.make<access_state>();
        auto& object = state_of(*access.object);
        const scoped_lock lock(object.guard);
        if (object.generations.read() != 0 && joins(object.youngest.read(), access.kind)) {
            if (object.generations.read() == 1)
                object.oldest.write(object.oldest.read() + 1);
            else
                append(object, access);
            return;
        }
        object.generations.write(object.generations.read() + 1);
        object.youngest.write(access.kind);
        if (object.generations.read() == 1) {
            object.oldest.write(1);
            return;
        }
        if (object.last.read() != nullptr)
            state_of(*object.last.read()).ends_generation.write(true);
        append(object, access);
    }

    static void append(object_state& object, tracked_access& waiting) noexcept {
        // relaxed: another thread counts down only after it has found the access in the list, which the guard orders
        // after this. issue() holds one count itself, so the number stays above zero.
        waiting.task->incoming.fetch_add(1, std::memory_order_relaxed);
        tracked_access* const last = object.last.read();
        (last == nullptr ? object.first : state_of(*last).next).write(&waiting);
        object.last.write(&waiting);
    }

    static void release(tracked_object& released, ready_list& ready) noexcept {
        auto& object = state_of(released);
        const scoped_lock lock(object.guard);
        object.oldest.write(object.oldest.read() - 1);
        if (object.oldest.read() != 0)
            return;
        object.generations.write(object.generations.read() - 1);
        for (bool is_last = false; !is_last && object.first.read() != nullptr;) {
            tracked_access& next = *object.first.read();
            is_last = state_of(next).ends_generation.read();
            object.first.write(state_of(next).next.read());
            object.oldest.write(object.oldest.read() + 1);
            ready.count_down(*next.task);
        }
        if (object.first.read() == nullptr)
            object.last.write(nullptr);
    }
};
static_assert(tracker_class<list>);

}  // namespace teff::depend
