// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The concept of a scheduler: which ready item does this member run next, and where does a new one go?
//
// A scheduler S over items T is one object per team. It has settings.slots member slots; at any time at most one
// thread, the member, holds a slot, and a slot may pass from thread to thread (the runtime's mutex orders the two).
// S::local is the member's cursor into its slot: a small trivially copyable value that the front end keeps in
// registers and passes by value into every out-of-line call, so that its address never escapes from the hot loop.
//
//   function                                            who may call it
//   S::local                                            its member only, concurrently with all calls of other members
//   S::finished, has_visible_work, has_work_for,        any thread, at any time between construction and destruction
//     request, cancel, orphan, queued_estimate
//
// Contract of the operations. `items` are of type T; a claimed item belongs to the member until it is released.
//   S(settings, idle_tracker&)        may throw std::bad_alloc. Slot 0 starts active: it will receive the first items.
//   s.enter(slot, worker)       the member takes the slot (worker: its number, for proximity) and gets its cursor;
//                               throws std::bad_alloc with nothing changed.
//   s.leave(local)              gives the slot back; the member must be retired and have no item.
//   local.claim()               the next own item; nullptr: none on the fast path, call refill().
//   local.release(item)         after the item was moved out: destroys it. Once for each claimed item.
//   local.try_push(T&& or       the fast path, moves or copies; false, with the item untouched, if it needs
//     const T&)                 push_slow().
//   local.push_slow(T&)         true: taken (moved from). False: refused, untouched; the caller runs the item or calls
//                               push_overflow().
//   local.push_overflow(T&)     takes the item without regard to bounds; throws std::bad_alloc with it untouched.
//   local.refill()              answers requests and claims the next own item; nullptr: no own item is left.
//   local.ran_one()             after a claimed item has run to its end, also by an exception. Not after a refused
//                               item: that one ran as a part of the item that pushed it.
//   local.retire()              after refill() returned nullptr: the member has no own item and becomes inactive.
//   local.steal()               for an inactive member: one round over the victims. True: an item was taken, refill()
//                               will deliver it, and finished() stays false until it has run.
//   local.drop_all()            destroys all own items (after cancellation).
//   local.counted()             what was counted in this slot so far; items only if S::counts_items is true
//   s.finished()                true once no item is queued, claimed or running anywhere in the team; never before. (A
//                               late thief that finds nothing may turn it false again for a moment.)
//   s.has_visible_work()        whether a thief that joins now might succeed.
//   s.has_work_for(slot)        whether the member of this slot might find something: visible work, or items that are
//                               bound to its slot.
//   s.request()                 asks the members to make items visible; called before the caller sleeps.
//   s.cancel()                  members stop running items: soon claim() returns no more of them.
//   s.orphan()                  in the child of a fork: the next slow step ends the process with a message.
//
// Operations that only some schedulers have, with a concept for each:
//   first_item_scheduler
//     local.push_first(T&)      instead of all other pushes, for an item that the caller pushes before the team opens;
//                               throws std::bad_alloc with it untouched.
//   resuming_scheduler
//     local.resume()            an inactive member becomes active again without an item.
//   awaits_items_scheduler      refill() waits a little for items
//     local.refill_unless(ends) as refill(), but waits only while `ends()` is false.
//   limits_pending_scheduler    for items that are tasks: the scheduler cannot count how many of them have not run
//     local.admits(pending)     whether a member may push another task while `pending` tasks that it made have not run.
//   claims_at_cursor_scheduler  for the task loop, which then needs no register for the item
//     local.claimed_item()      right after claim() or refill(): what it returned, if that was an item.
//   placing_scheduler           a faster form of the pushes
//     local.place(T&& or        queues the item in any case; false: the caller calls after_place().
//       const T&)
//     local.after_place()       returns nullptr, or the item, claimed: it was refused.
//   shares_on_request_scheduler
//     local.show()              makes own items visible now, as if a thief had asked.
//     local.show_all()          the same for all of them; false: there was not room for all.
//     local.visible()           how many are visible.
//     local.queued()            how many own items there are, visible or not.
//     local.take_back(item)     takes the item out if it is the newest own one, and not visible.
//     s.hidden_estimate()       how many items are queued and not visible; any thread, a hint. A thief obtains them
//                               all the same.
//     local.set_request_flag(w) every request sets `w` to all ones, until local.clear_request_flag().
//
// Exceptions of T's moves pass through try_push, push_slow, push_overflow, refill and steal, but never through claim;
// the front end then cancels the team. Without an exception no item is lost or duplicated.
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/scheduler/idle_tracker.hpp>
#include <teff/scheduler/settings.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace teff {

// The counts of one slot, summed over all members that have held it.
struct slot_counts {
    std::uint64_t pushed = 0, run = 0, requests_served = 0;
    std::uint64_t combining_rounds = 0, combined = 0;
    std::uint64_t steals_contended = 0;  // only schedulers whose thieves compete by compare-and-swap count these
};

template <class S, class T>
concept scheduler = std::is_trivially_copyable_v<typename S::local> &&
    requires(S s, const S shared, typename S::local local, T item, T* claimed, unsigned slot) {
        { s.enter(slot, slot) } -> std::same_as<typename S::local>;
        { s.leave(local) } -> std::same_as<void>;
        { local.claim() } -> std::same_as<T*>;
        { local.release(claimed) } -> std::same_as<void>;
        { local.try_push(std::move(item)) } -> std::same_as<bool>;
        { local.push_slow(item) } -> std::same_as<bool>;
        { local.push_overflow(item) } -> std::same_as<void>;
        { local.refill() } -> std::same_as<T*>;
        { local.ran_one() } -> std::same_as<void>;
        { local.retire() } -> std::same_as<void>;
        { local.steal() } -> std::same_as<bool>;
        { local.drop_all() } -> std::same_as<void>;
        { local.counted() } -> std::same_as<slot_counts>;
        { S::counts_items } -> std::convertible_to<bool>;
        { shared.finished() } -> std::same_as<bool>;
        { shared.has_visible_work() } -> std::same_as<bool>;
        { shared.has_work_for(slot) } -> std::same_as<bool>;
        { s.request() } -> std::same_as<void>;
        { s.cancel() } -> std::same_as<void>;
        { s.orphan() } -> std::same_as<void>;
    };

template <class S, class T>
concept first_item_scheduler = requires(typename S::local local, T item) {
    { local.push_first(item) } -> std::same_as<void>;
};

template <class S>
concept resuming_scheduler = requires(typename S::local local) {
    { local.resume() } -> std::same_as<void>;
};

template <class S, class T>
concept awaits_items_scheduler = requires(typename S::local local, bool (*ends_wait)()) {
    { local.refill_unless(ends_wait) } -> std::same_as<T*>;
};

template <class S>
concept limits_pending_scheduler = requires(typename S::local local, std::size_t pending) {
    { local.admits(pending) } -> std::same_as<bool>;
};

template <class S, class T>
concept claims_at_cursor_scheduler = requires(typename S::local local) {
    { local.claimed_item() } -> std::same_as<T*>;
};

template <class S, class T>
concept placing_scheduler = requires(typename S::local local, T item) {
    { local.place(std::move(item)) } -> std::same_as<bool>;
    { local.after_place() } -> std::same_as<T*>;
};

template <class S, class T>
concept shares_on_request_scheduler =
    requires(const S shared, typename S::local local, T item, atomic<std::uintptr_t>& word) {
        { shared.hidden_estimate() } -> std::same_as<std::size_t>;
        { local.show() } -> std::same_as<void>;
        { local.show_all() } -> std::same_as<bool>;
        { local.visible() } -> std::same_as<unsigned>;
        { local.queued() } -> std::same_as<std::size_t>;
        { local.take_back(item) } -> std::same_as<bool>;
        { local.set_request_flag(word) } -> std::same_as<void>;
        { local.clear_request_flag() } -> std::same_as<void>;
    };

}  // namespace teff
