// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The concept of a scheduler: which ready item does this member run next, and where does a new one go?
//
// A scheduler S over items T is one object per team. It has settings.slots member slots; at any time at most one
// thread, the member, holds a slot, and a slot may pass from thread to thread (the runtime's mutex orders the two).
// S::local is the member's cursor into its slot: a small trivially copyable value that the front end keeps in
// registers and passes by value into every out-of-line call, so that its address never escapes from the hot loop.
//
//   who calls what                                      together with
//   S::local                 its member only             everything of other members
//   S::finished, has_visible_work, request, cancel,      any thread, at any time between construction and destruction
//     orphan, queued_estimate
//
// Contract of the operations. `items` are of type T; a claimed item belongs to the member until it is released.
//   S(settings, idle_tracker&)        may throw std::bad_alloc. Slot 0 starts active: it will receive the first items.
//   s.enter(slot, worker)       the member takes the slot (worker: its number, for proximity) and gets its cursor;
//                               throws std::bad_alloc with nothing changed.
//   s.leave(local)              gives the slot back; the member is retired and has no item.
//   local.claim()               the next own item, or nullptr: none at hand, ask refill().
//   local.release(item)         after the item was moved out: ends its life. Once for each claimed item.
//   local.try_push(T&& or       the fast path, moves or copies; false, with the item untouched, if it needs
//     const T&)                 push_slow().
//   local.push_slow(T&)         true: taken (moved from). False: refused, untouched; the caller runs it or calls
//   local.push_overflow(T&)     which takes it without regard to bounds, or throws std::bad_alloc with it untouched.
//   local.refill()              answers requests and claims the next own item; nullptr: no own item is left.
//   local.ran_one()             after a claimed item has run to its end, also by an exception; not after a refused one,
//                               which is a part of the running one.
//   local.retire()              the member has no own item any more (refill() was nullptr): it goes inactive.
//   local.steal()               inactive; one round over the victims. True: an item was taken, refill() will deliver,
//                               and finished() stays false until it has run.
//   local.drop_all()            destroys all own items (after cancellation).
//   local.counted()             what was counted in this slot so far; items only if S::counts_items is true
//   s.finished()                true once no item is queued, claimed or running anywhere in the team; never before. (A
//                               late thief that looks in vain may turn it false again for a moment.)
//   s.has_visible_work()        whether a thief that comes might succeed now.
//   s.has_work_for(slot)        whether the member of this slot might find something: that, and what is bound to it.
//   s.request()                 asks the members to make something visible, before the caller of it sleeps.
//   s.cancel()                  members stop running items: claim() delivers no more, soon.
//   s.orphan()                  in the child of a fork: the next slow step ends the process with a message.
//
// What only some schedulers have, with a concept for each:
//   first_item_scheduler
//     local.push_first(T&)      instead of all other pushes, for an item that the caller pushes before the team opens;
//                               throws std::bad_alloc with it untouched.
//   resuming_scheduler
//     local.resume()            inactive; goes active again without an item.
//   limits_pending_scheduler    of items that are tasks, which it cannot count itself
//     local.admits(pending)     whether a member that has made so many which have not run may push another one.
//   shares_on_request_scheduler
//     local.show()              makes own items visible now, as if somebody had asked.
//     local.show_all()          all of them; false: there was not room for all.
//     local.push_private(T&)    push_slow() that shows nothing before the next operation.
//     local.visible()           how many are visible.
//     local.has_queued()        whether there are own items, visible or not.
//     local.set_request_flag(w) `w` is set to all ones by every request, until local.clear_request_flag().
//
// Exceptions of T's moves pass through claim-free operations (try_push, push_slow, refill, steal, push_overflow); the
// front end then cancels the team; no item is lost or doubled without an exception.
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

// Counts of a slot, of all members that it has had.
struct slot_counts {
    std::uint64_t pushed = 0, run = 0, requests_served = 0;
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

template <class S>
concept limits_pending_scheduler = requires(typename S::local local, std::size_t pending) {
    { local.admits(pending) } -> std::same_as<bool>;
};

template <class S, class T>
concept shares_on_request_scheduler =
    requires(typename S::local local, T item, atomic<std::uintptr_t>& word) {
        { local.show() } -> std::same_as<void>;
        { local.show_all() } -> std::same_as<bool>;
        { local.push_private(item) } -> std::same_as<bool>;
        { local.visible() } -> std::same_as<unsigned>;
        { local.has_queued() } -> std::same_as<bool>;
        { local.set_request_flag(word) } -> std::same_as<void>;
        { local.clear_request_flag() } -> std::same_as<void>;
    };

}  // namespace teff
