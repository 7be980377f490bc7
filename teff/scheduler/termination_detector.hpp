// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds when all work is done: termination detection by counting (F. Mattern, "Algorithms for distributed termination
// detection", Distributed Computing 2(3), 1987: the counting methods), with no read-modify-write and no fence in the
// path of a task.
//
// Each member counts in its own account the items that it has pushed and those that it has run to their end. Only the
// member writes its account, so an increment is a load and a store. A thread that checks for the end first adds up
// all `ran`, then all `pushed`: if the sums are equal, everything is done.
//
//   count_push            member     before other threads can see the item
//   take_back             member     the push did not happen
//   count_run             member     after the item has run, or was dropped
//   hold                  member     counts a push without an item: until release_hold() the sums differ, so no check
//   release_hold                     finds the end before the first items exist
//   all_ran               any thread
//   unfinished            any thread; an estimate
//
// Why equal sums mean the end. Let R be the runs that the observer has counted and P the pushes. For each run in R
// the observer has acquired everything that came before it: the push of that item, which is therefore in P, and the
// pushes by the item itself, which are in P, too. So, as sets of items, R is a subset of P, and P contains the
// children of every item in R. Equal sums make P and R the same set. It contains the first items and is closed under
// children, so it contains all items that there will ever be. (A push that is later taken back makes P too large for
// a moment, so the sums can only differ. A member that enters while the observer counts is not missed: it enters
// before it pushes, and the observer reads `used` again after it has counted the runs.)
//
// Why some thread sees the end. A member that runs out of work, or has dropped items, first counts its runs, then
// executes a seq_cst fence, then checks for the end. The member whose fence is last in the order of fences sees the
// counts of all others.
//
// Rejected: one shared counter of unfinished items (two read-modify-writes per task); the consensus of Blaze-Tasks
// (an owner would have to know which of its items others ran, but here every member pushes into the queues of all
// members).
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/base/shared_data.hpp>

#include <cstdint>

namespace teff {

class termination_detector {
public:
    class alignas(false_sharing_range) account {
    public:
        // relaxed: the queue's release, which publishes the item, comes after it.
        void count_push() noexcept { pushed_.store(pushed() + 1, std::memory_order_relaxed); }
        // relaxed: if the change is seen late, the sums only differ for longer.
        void take_back() noexcept { pushed_.store(pushed() - 1, std::memory_order_relaxed); }
        // release: a thread that sees the count sees everything that the item did, above all its pushes; partner: the
        // acquire in all_ran().
        void count_run(std::uint64_t items = 1) noexcept { ran_.store(own_runs() + items, std::memory_order_release); }

        void hold() noexcept {
            holds_ = true;
            held_ = 1;
            count_push();
        }
        void release_hold() noexcept {
            if (!holds_)
                return;
            holds_ = false;
            count_run();
        }

        // The member: the pushes that it has counted, without its hold.
        std::uint64_t pushes() const noexcept { return pushed() - held_; }
        std::uint64_t runs() const noexcept { return own_runs() - (holds_ ? 0 : held_); }

    private:
        friend termination_detector;
        // relaxed: written by the member alone; others read it after they have acquired the runs (all_ran), or as a
        // hint.
        std::uint64_t pushed() const noexcept { return pushed_.load(std::memory_order_relaxed); }
        // relaxed: written by the member alone; others read it as a hint.
        std::uint64_t own_runs() const noexcept { return ran_.load(std::memory_order_relaxed); }

        atomic<std::uint64_t> pushed_{0};
        atomic<std::uint64_t> ran_{0};
        // only the member uses these
        std::uint64_t held_ = 0;
        bool holds_ = false;
    };

    // Whether every item that was ever pushed has run. accounts(i) returns the account of slot i; used() returns how
    // many slots are in use, read with acquire; more() returns how many items were pushed by threads without a slot.
    template <class Accounts, class Used>
    static bool all_ran(const Accounts& accounts, Used&& used) noexcept {
        return all_ran(accounts, used, [] { return std::uint64_t{0}; });
    }
    template <class Accounts, class Used, class More>
    static bool all_ran(const Accounts& accounts, Used&& used, More&& more) noexcept {
        std::uint64_t ran = 0;
        for (unsigned i = 0, end = used(); i < end; ++i)
            // acquire: sees the pushes that came before; partner: the release of count_run().
            ran += accounts(i).ran_.load(std::memory_order_acquire);
        std::uint64_t pushed = more();
        for (unsigned i = 0, end = used(); i < end; ++i)
            pushed += accounts(i).pushed();
        return ran == pushed;
    }
    // About how many items have not run, in `slots` slots.
    template <class Accounts>
    static std::uint64_t unfinished(const Accounts& accounts, unsigned slots) noexcept {
        std::uint64_t ran = 0;
        std::uint64_t pushed = 0;
        for (unsigned i = 0; i < slots; ++i) {
            ran += accounts(i).own_runs();
            pushed += accounts(i).pushed();
        }
        return pushed > ran ? pushed - ran : 0;
    }
};

}  // namespace teff
