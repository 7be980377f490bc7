// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The trackers `hypergraph` and `embedded_hypergraph`: an edge from each generation to the next one instead of edges
// between tasks (Vandierendonck et al., section 4.2 and Fig. 3).
//
//   object -> current generation       issued: 3, left: is_current - 1     waiting: none
//          -> previous generation      left: 1                             waiting: the accesses of the current one
//
// The last task of a generation that ends makes the waiting ones ready. So each access is looked at once, and two
// generations of M and N tasks take O(M + N) steps.
//
// A generation is allocated when a task begins it while the current one has unfinished tasks; otherwise the current one
// is used again. It is freed when the object does not refer to it and its tasks have ended. (The previous generation of
// an object may have ended long ago.)
//
// The issuer counts the tasks that it issues by plain stores, and threads that end tasks count them down in `left`.
// While a generation is current, `left` has the large number `is_current` on top, so that no end of a task brings it to
// zero. When another generation begins, the issuer replaces that number by the number of issued tasks; afterwards
// nothing is added. So `left` becomes zero once, and the thread that brings it to zero has ended the generation.
//
// Why no task is forgotten: the issuer pushes an access to the stack `waiting` of the previous generation, unless the
// stack is closed. The thread that has ended the generation takes the stack and closes it by one exchange. So each
// access is either taken, or the issuer finds the stack closed and the access need not wait.
//
// Differs from the paper: the accesses that wait lie with the generation that they wait for, and the link from a
// generation to the next one is not needed. There is no lock. A task whose previous generation has ended is not counted
// as waiting for it (Fig. 3, line 13, counts it unconditionally, and nothing counts it down).
// Rejected: a lock per generation (the issuer took about eight of them for a task with three accesses, and each waits
// for the stores before it); a count of references that each task changes.
#pragma once

#include <teff/base/allocation.hpp>
#include <teff/base/atomic.hpp>
#include <teff/base/sanitizers.hpp>
#include <teff/base/shared_data.hpp>
#include <teff/depend/tracker.hpp>

#include <cstdint>
#include <string_view>
#include <utility>

namespace teff::depend {

// An access in the stack of those that wait for a generation.
struct waiting_node {
    plain<std::uintptr_t> next{0};  // the address of the node that was pushed before; 0: this is the first one
    tracked_access* access = nullptr;
};

// Nodes: the place of the nodes.
//   access_state          its state in an access
//   make(access)          the node for an access that waits; nullptr: there is no memory
//   take(node)            frees the node and returns its access
template <class Nodes>
class generation_tracker {
    struct generation {
        // only the issuer accesses these
        access_kind kind{};
        std::uint64_t issued = 0;
        // threads that end tasks write, and the issuer when another generation begins
        alignas(cache_line_size) atomic<std::uint64_t> left{is_current};
        // the issuer, and the thread that ends the generation: the newest node; or `closed`
        atomic<std::uintptr_t> waiting{0};
        // holders that still refer to it: the object is one, all tasks together are another
        atomic<unsigned> holders{2};
    };

public:
    // Only the issuer accesses it.
    struct object_state {
        generation* current = nullptr;   // nullptr: the object was never used
        generation* previous = nullptr;  // nullptr: there was none
    };
    struct access_state : Nodes::access_state {
        generation* joined = nullptr;
    };
    struct task_state {};

    static void open(tracked_object& object) noexcept { object.state.make<object_state>(); }
    static void close(tracked_object& object) noexcept {
        // All tasks of the current generation have ended, and none of them has seen zero.
        destroy(state_of(object).current);
        if (state_of(object).previous != nullptr)
            drop(*state_of(object).previous);
    }

    static bool can_start(tracked_object& object, access_kind kind) noexcept {
        auto& state = state_of(object);
        // A task that joins does not look at the others of its generation, which end on other threads meanwhile.
        return state.current == nullptr ||
               (joins(state.current->kind, kind) && (state.previous == nullptr || is_closed(*state.previous))) ||
               has_ended(*state.current);
    }
    static bool is_idle(tracked_object& object) noexcept {
        auto& state = state_of(object);
        return state.current == nullptr || has_ended(*state.current);
    }

    issue_result issue(tracked_task& task) noexcept {
        // One for each access that may wait, and one for this function.
        // relaxed: no other thread knows the task; push() publishes it.
        task.incoming.store(task.access_count + 1, std::memory_order_relaxed);
        unsigned waiting = 0;
        for (; task.issued != task.access_count; ++task.issued) {
            switch (issue(task.accesses[task.issued])) {
            case issue_result::no_memory:
                return issue_result::no_memory;
            case issue_result::waits:
                ++waiting;
                break;
            case issue_result::ready:
                break;
            }
        }
        if (waiting == 0)
            return issue_result::ready;
        const unsigned others = task.access_count + 1 - waiting;
        // acquire: sees what the tasks did that were waited for; release: publishes what issue() has written; partner
        // of both: the operation in ready_list::count_down().
        return task.incoming.fetch_sub(others, std::memory_order_acq_rel) == others ? issue_result::ready
                                                                                   : issue_result::waits;
    }

    void release(tracked_task& task, ready_list& ready) noexcept {
        for (unsigned i = 0; i < task.issued; ++i)
            end_one(*state_of(task.accesses[i]).joined, ready);
    }

    static constexpr bool may_have_missed() noexcept { return false; }
    static void search(ready_list&) noexcept {}

private:
    static constexpr std::uint64_t is_current = std::uint64_t{1} << 63;
    static constexpr std::uintptr_t closed = 1;

    static object_state& state_of(tracked_object& object) noexcept { return object.state.as<object_state>(); }
    static access_state& state_of(tracked_access& access) noexcept { return access.state.as<access_state>(); }

    // Whether the tasks of the current generation have ended.
    static bool has_ended(const generation& current) noexcept {
        // acquire: sees what the tasks did; partner: the operation in end_one().
        return current.left.load(std::memory_order_acquire) == is_current - current.issued;
    }
    // Whether no task waits for the previous generation any more.
    static bool is_closed(const generation& previous) noexcept {
        // acquire: sees what the tasks did; partner: the exchange in end_one().
        return previous.waiting.load(std::memory_order_acquire) == closed;
    }

    // no_memory: the access is not registered.
    static issue_result issue(tracked_access& access) noexcept {
        auto& mine = access.state.make<access_state>();
        auto& object = state_of(*access.object);
        if (object.current == nullptr || (!joins(object.current->kind, access.kind) && !has_ended(*object.current))) {
            generation* const made = create<generation>();
            if (made == nullptr)
                return issue_result::no_memory;
            supersede(object);
            object.current = made;
        }
        object.current->kind = access.kind;
        bool waits = false;
        if (object.previous != nullptr && !is_closed(*object.previous)) {
            waiting_node* const made = Nodes::make(access);
            if (made == nullptr)
                return issue_result::no_memory;
            waits = push(*object.previous, *made);
            if (!waits)
                Nodes::take(*made);
        }
        // The task cannot end before issue() has counted down, so it need not be counted before this.
        ++object.current->issued;
        mine.joined = object.current;
        return waits ? issue_result::waits : issue_result::ready;
    }

    // The current generation, if there is one, becomes the previous one.
    static void supersede(object_state& object) noexcept {
        generation* const before = std::exchange(object.current, nullptr);
        if (before == nullptr)
            return;
        if (object.previous != nullptr)
            drop(*std::exchange(object.previous, nullptr));
        const std::uint64_t surplus = is_current - before->issued;
        // acquire: sees what its tasks did, if they have ended; partner: the operation in end_one(). relaxed
        // otherwise: the thread that sees zero uses nothing of ours that push() does not publish.
        if (before->left.fetch_sub(surplus, std::memory_order_acquire) == surplus)
            // No thread has seen zero, and none will.
            destroy(before);
        else
            object.previous = before;
    }

    // False: the stack is closed.
    static bool push(generation& previous, waiting_node& added) noexcept {
        // acquire, here and on failure: as in is_closed().
        std::uintptr_t seen = previous.waiting.load(std::memory_order_acquire);
        while (seen != closed) {
            added.next.write(seen);
            // release: publishes the node and its task; partner: the exchange in end_one().
            if (previous.waiting.compare_exchange_weak(seen, reinterpret_cast<std::uintptr_t>(&added),
                                                       std::memory_order_release, std::memory_order_acquire))
                return true;
        }
        return false;
    }

    static void end_one(generation& ended, ready_list& ready) noexcept {
        sanitizers::happens_before(&ended);
        // release: publishes what the task did; acquire: sees the same of the other tasks, if this one was the last;
        // partners: this operation of other threads, and the acquires of the issuer. Only the last one may use the
        // generation after this.
        if (ended.left.fetch_sub(1, std::memory_order_acq_rel) != 1)
            return;
        sanitizers::happens_after(&ended);
        // acquire: sees the nodes; partner: the release in push(). release: publishes what all tasks of the generation
        // did; partner: the acquire in is_closed() and push().
        std::uintptr_t newest = ended.waiting.exchange(closed, std::memory_order_acq_rel);
        drop(ended);
        // Tasks become ready in the order in which they were issued.
        std::uintptr_t oldest = 0;
        while (newest != 0) {
            const std::uintptr_t older = node_at(newest).next.read();
            node_at(newest).next.write(oldest);
            oldest = std::exchange(newest, older);
        }
        while (oldest != 0) {
            waiting_node& each = node_at(oldest);
            oldest = each.next.read();
            // From the last reason on, another thread may run and destroy the task.
            ready.count_down(*Nodes::take(each).task);
        }
    }
    static waiting_node& node_at(std::uintptr_t address) noexcept {
        return *reinterpret_cast<waiting_node*>(address);
    }

    static void drop(generation& unused) noexcept {
        sanitizers::happens_before(&unused);
        // acq_rel: the holder that frees the generation sees that the other one has left it; partner: this operation of
        // the other one.
        if (unused.holders.fetch_sub(1, std::memory_order_acq_rel) != 1)
            return;
        sanitizers::happens_after(&unused);
        destroy(&unused);
    }
};

// The waiting accesses are lists of allocated nodes.
struct allocated_nodes {
    struct access_state {};

    static waiting_node* make(tracked_access& waiting) noexcept {
        waiting_node* const made = create<waiting_node>();
        if (made != nullptr)
            made->access = &waiting;
        return made;
    }
    static tracked_access& take(waiting_node& taken) noexcept {
        tracked_access& access = *taken.access;
        destroy(&taken);
        return access;
    }
};

class hypergraph : public generation_tracker<allocated_nodes> {
public:
    static constexpr std::string_view name = "hypergraph";
};
static_assert(tracker_class<hypergraph>);

// The waiting accesses are linked through themselves, so that only generations are allocated.
struct embedded_nodes {
    using access_state = waiting_node;

    static waiting_node* make(tracked_access& waiting) noexcept {
        waiting_node& made = waiting.state.as<access_state>();
        made.access = &waiting;
        return &made;
    }
    static tracked_access& take(waiting_node& taken) noexcept { return *taken.access; }
};

class embedded_hypergraph : public generation_tracker<embedded_nodes> {
public:
    static constexpr std::string_view name = "embedded_hypergraph";
};
static_assert(tracker_class<embedded_hypergraph>);

}  // namespace teff::depend
