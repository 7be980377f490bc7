// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pool's interface to a team: a source of work for idle workers.
//
// The pool keeps open sources in a list under its mutex. An idle worker asks each source for work. If there is some, it
// takes a slot and joins by one indirect call; from there on everything is compiled for the concrete scheduler.
// The list is ordered by priority, highest first; sources of the same priority are in the order in which they were
// opened. Idle workers join the first source that has work for them.
//   constant                    priority
//   under the pool's mutex      take_slot, give_slot, has_room, awaits_workers, held_workers
//   any thread                  the rest, while the source is open or the caller is a member
#pragma once

#include <teff/base/intrusive.hpp>
#include <teff/base/sanitizers.hpp>

#include <cstddef>

namespace teff {

// The wait of a suspended fiber, which occupies no thread (frontends/threads/fiber_member.hpp). The thread that ends
// the wait calls wake(), once. From then on the object may be gone.
struct parked_wait {
    void (*const wake)(parked_wait& self) noexcept;
};

class work_source : public list_hook {
public:
    static constexpr unsigned no_slot = ~0U;

    // Whether a worker that joined now might find an item.
    virtual bool has_visible_work() const noexcept = 0;
    // Whether members seem to have private items that a worker that joins could take by force (split_deque.hpp).
    virtual bool hides_work() const noexcept { return false; }
    // Whether the source is quiet: idle workers stay away, but one of them must watch (short_bursts.hpp).
    virtual bool is_quiet() const noexcept { return false; }
    // Ends the quiet state if a member may need help after all, or if nothing has happened for a while.
    virtual void end_quiet_if_due() noexcept {}
    // Asks the members to make something visible; called by idle workers before they sleep.
    virtual void request() noexcept = 0;
    // Works as the member of `slot` until there is nothing to do. `worker`: the calling worker's number. The worker
    // counts as a visitor, which is available for other work, except between event_count::begin_work() and end_work().
    virtual void join(unsigned slot, unsigned worker) noexcept = 0;
    // Called in the child of a fork() inside a task: members must not continue.
    virtual void orphan() noexcept = 0;
    // The approximate number of queued items, for reports.
    virtual std::size_t queued_estimate() const noexcept = 0;

    // Idle workers look at sources with a larger priority first. Ordinary teams have 0.
    virtual int priority() const noexcept { return 0; }

    // A slot for a worker, or no_slot.
    virtual unsigned take_slot() noexcept = 0;
    // Called after join(). was_last: whether the worker was the last member. to_wake: wakes the threads that wait for a
    // slot (team/guests.hpp), to be called without the mutex; nullptr: none wait.
    struct given_slot {
        bool was_last;
        parked_wait* to_wake = nullptr;
    };
    virtual given_slot give_slot(unsigned slot) noexcept = 0;
    virtual bool has_room() const noexcept = 0;
    // Whether reserved workers have not joined yet; these join whether there is work or not.
    virtual bool awaits_workers() const noexcept = 0;
    // The number of workers that are members now or will certainly join.
    virtual unsigned held_workers() const noexcept = 0;

    // Whether the orders of the shared object that has made the source are reported without its help.
    virtual bool leaves_orders() const noexcept { return sanitizers::leaves_orders(); }

protected:
    work_source() = default;
    work_source(const work_source&) = delete;
    work_source& operator=(const work_source&) = delete;
    ~work_source() = default;
};

// Tell ThreadSanitizer of an order that a source makes between the threads that look at it or join it, unless the
// source's own orders are not told. A source is opened before other threads look at it and join it, and it ends after
// that. The report of the first order uses the source's own address, that of the second order another address.
inline const void* end_of_source(const work_source& source) noexcept {
    return reinterpret_cast<const void* const*>(&source) + 1;
}
inline void happens_before(const work_source& source, const void* word) noexcept {
    if (sanitizers::tells_orders() && !source.leaves_orders()) [[unlikely]]
        sanitizers::happens_before(word);
}
inline void happens_after(const work_source& source, const void* word) noexcept {
    if (sanitizers::tells_orders() && !source.leaves_orders()) [[unlikely]]
        sanitizers::happens_after(word);
}

// A thread looks at a source under the pool's mutex.
struct annotated_look {
    explicit annotated_look(const work_source& at) noexcept : source(at) { happens_after(at, &at); }
    ~annotated_look() { happens_before(source, end_of_source(source)); }
    annotated_look(const annotated_look&) = delete;
    annotated_look& operator=(const annotated_look&) = delete;

    const work_source& source;
};

}  // namespace teff
